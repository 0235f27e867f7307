import { DEV_PHRASE, PROFILES, isFunded } from '../../devnode/inner.js'
import type { RunningDevNode } from '../../devnode/index.js'
import { formatAda } from '../../utils/inner.js'
import type { Terminal } from '../terminal.js'
import type { NodeEvent } from './nodeEvents.js'

/** Output of `layer-sdk devnode`: prints its start, events, messages and end. */
export interface Lines {
  /** Prints the addresses, keys and head of the started node. `runsScripts`: true when it runs scripts by scalus. */
  listening(node: RunningDevNode, runsScripts: boolean): void
  event(event: NodeEvent): void
  /** Prints a message that the node sends to clients. `text`: its JSON. */
  message(text: string): void
  stopped(): void
}

/** Prints no lines (`--quiet`); failures still go to the error output. */
export const QUIET_LINES: Lines = { listening() {}, event() {}, message() {}, stopped() {} }

/** Returns an output that prints text for people. It prints no signing key. */
export function plainLines({ out, version }: Terminal): Lines {
  const line = (text: string): void => out(`${new Date().toISOString().slice(11, 19)}  ${text}`)
  return {
    listening(node, runsScripts) {
      const { profile } = node
      const release = PROFILES[profile].version
      out(`layer-sdk devnode ${version}: a local head node on a simulated base ledger`)
      out(
        `It poses as node version ${release} (profile ${profile}); times are UTC.\n${profile === '2.3' ? LEAVE_2_3 : ''}`
      )
      out(endpointText(node, runsScripts))
      out(`${keysText(node)}${accountsText(node)}${headText(node)}\n\nCtrl-C stops it.\n`)
    },
    event: ({ text }) => line(text),
    message: (text) => line(messageText(text)),
    stopped: () => out('Stopped.')
  }
}

/** Advice for operators of 2.3.0, from the release notes of hydra-node 2.4.1. */
const LEAVE_2_3 =
  'Operators of 2.3.0 are told to leave it for 2.4.1 (GHSA-cg83-6w6r-6hx3): it signs transactions that were not validated. This node does not.\n'

/**
 * Returns an output that prints one JSON object per line. It includes the signing keys of the test keys and accounts,
 * which are publicly known. A recovery phrase of the user, and the signing keys derived from it, are never printed.
 */
export function jsonLines({ out, version }: Terminal): Lines {
  return {
    listening(node) {
      const {
        profile,
        url,
        httpUrl,
        rpcUrl,
        indexerUrl,
        kupoUrl,
        controlUrl,
        dashboardUrl,
        keys,
        accounts,
        phrase,
        headStatus,
        headId
      } = node
      const isPublic = phrase === DEV_PHRASE
      const shownKeys = keys.filter(isFunded).map((key) => ({ ...key, lovelace: String(key.lovelace) }))
      const shownAccounts = accounts.filter(isFunded).map((account) => ({
        ...account,
        lovelace: String(account.lovelace),
        skey: isPublic ? account.skey : undefined
      }))
      const head = { status: headStatus, id: headId, outputs: node.headUtxos().length }
      const parties = node.parties.map(({ index, url: partyUrl, httpUrl: partyHttpUrl, vkey }) => ({
        index,
        vkey,
        url: partyUrl,
        httpUrl: partyHttpUrl
      }))
      const endpoints = { url, httpUrl, parties, rpcUrl, indexerUrl, kupoUrl, controlUrl, dashboardUrl }
      const versions = { version, nodeVersion: PROFILES[profile].version, profile }
      const funded = { phrase: isPublic ? phrase : undefined, keys: shownKeys, accounts: shownAccounts }
      out(JSON.stringify({ event: 'listening', ...versions, ...endpoints, head, ...funded }))
    },
    event: ({ event, details }) => out(JSON.stringify({ event, time: new Date().toISOString(), ...details })),
    message: (text) => out(`{"event":"message","message":${text}}`),
    stopped: () => out(JSON.stringify({ event: 'stopped' }))
  }
}

function endpointText(
  { url, httpUrl, parties, rpcUrl, indexerUrl, kupoUrl, controlUrl, dashboardUrl }: RunningDevNode,
  runsScripts: boolean
): string {
  const rows = [
    ['Head', `${url} (WebSocket)`],
    ['', `${httpUrl} (HTTP)`],
    ...parties.slice(1).map((party) => [`Party ${party.index}`, `${party.url}`]),
    ['Base ledger', `${rpcUrl} (Ogmios)`],
    ['', `${indexerUrl} (Blockfrost)`],
    ['', `${kupoUrl} (Kupo)`],
    ...(controlUrl === null ? [] : [['Control', controlUrl]]),
    ['Dashboard', dashboardUrl],
    ...(runsScripts ? [['Scripts', 'run with the package scalus']] : [])
  ]
  return rows.map(([name, value]) => `  ${name!.padEnd(11)}  ${value}\n`).join('')
}

function keysText({ keys: all }: RunningDevNode): string {
  const keys = all.filter(isFunded)
  const [first] = keys
  if (first === undefined) return ''
  const width = Math.max(...keys.map(({ name }) => name.length))
  const rows = keys.map(({ name, address }) => `  ${name.padEnd(width)}  ${address}\n`)
  return `Test keys, ${formatAda(first.lovelace)} ada each, for tests only\n${rows.join('')}\n`
}

function accountsText({ accounts: all, phrase }: RunningDevNode): string {
  const accounts = all.filter(isFunded)
  const [first] = accounts
  if (first === undefined) return ''
  const width = String(accounts.length - 1).length
  const rows = accounts.map(({ index, address }) => `  ${String(index).padStart(width)}  ${address}\n`)
  return `Accounts, ${formatAda(first.lovelace)} ada each\n${rows.join('')}\n${phraseText(phrase)}\n`
}

function phraseText(phrase: string): string {
  const path = "the accounts are m/1852'/1815'/i'/0/0"
  if (phrase !== DEV_PHRASE) return `The recovery phrase is yours: ${path}\n`
  const words = phrase.split(' ')
  // 12 words fit into 80 columns.
  return `Recovery phrase, for tests only: ${path}\n  ${words.slice(0, 12).join(' ')}\n  ${words.slice(12).join(' ')}\n`
}

function headText(node: RunningDevNode): string {
  const { headStatus, headId } = node
  if (headId === null) return 'No head: open one on the dashboard or from a client, or start with --open'
  const outputs = node.headUtxos().length
  return `Head ${headStatus}, ${outputs} output${outputs === 1 ? '' : 's'}\n  ${headId}`
}

/** Returns a message as one line: its tag, and the id and reason that it names. */
function messageText(text: string): string {
  const message = JSON.parse(text) as Record<string, unknown>
  const snapshot = message['snapshot'] as { number: number; confirmed: unknown[] } | undefined
  if (snapshot !== undefined) return `SnapshotConfirmed ${snapshot.number}, ${snapshot.confirmed.length} transactions`
  const idKeys = ['transactionId', 'depositTxId', 'pendingDeposit', 'decommitTxId', 'headId']
  const id = idKeys.map((key) => message[key]).find((value) => value !== undefined) ?? ''
  const reason = (message['validationError'] as { reason?: string } | undefined)?.reason ?? message['reason'] ?? ''
  return [message['tag'] ?? 'InvalidInput', id, reason].filter((part) => part !== '').join(' ')
}
