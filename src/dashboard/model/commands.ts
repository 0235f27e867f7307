import type { HeadClient } from '../../client/index.js'
import { ada, isValidAddress } from '../../utils/index.js'
import type { Session } from './Session.js'
import { formatAdaText, shorten } from './text.js'

/** Field that a person fills in. */
export type FieldName = 'amount' | 'to'
/** Values of the fields, as they were typed. */
export type FieldValues = Readonly<Record<FieldName, string>>
/** Receives the steps of a command while it runs. */
export type CommandReport = (step: string) => void

/** A command of the page. */
export interface CommandSpec {
  readonly id: 'open' | 'deposit' | 'pay' | 'withdraw' | 'close' | 'safeClose' | 'fanout' | 'abort'
  readonly title: string
  readonly summary: string
  /** States of the head that allow it. */
  readonly states: readonly string[]
  /** Consequence that is shown before it is sent. */
  readonly consequence: string
  readonly fields: readonly FieldName[]
  readonly needsWallet: boolean
  /** True for a command that cannot be undone. */
  readonly isFinal?: boolean
  /** The only state of the head in which the command is shown. */
  readonly only?: string
  /** Resolves with the result in words. */
  run(client: HeadClient, values: FieldValues, report: CommandReport): Promise<string>
}

/** Texts for the steps of a command, by step. */
const STEPS: Readonly<Record<string, string>> = {
  built: 'Built',
  signed: 'Signed',
  submitted: 'Sent',
  valid: 'The node took it',
  confirmed: 'Confirmed by a snapshot',
  split: 'Split off',
  drafted: 'Drafted by the node',
  recorded: 'On the base ledger',
  activated: 'Can enter the head',
  approved: 'Signed by all parties',
  initializing: 'Initializing',
  open: 'Open',
  closed: 'Closed',
  readyToFanout: 'Contestation period over',
  partiallyFannedOut: 'Partly paid out',
  finalized: 'Paid out'
}
const steps =
  (report: CommandReport) =>
  ({ state }: { state: string }): void =>
    report(STEPS[state] ?? state)
/**
 * Lovelace of a typed amount of ada. A comma is refused: it would be a thousand to some and a fraction to others.
 *
 * @throws {@link InvalidArgumentError}
 */
export const lovelaceOf = ({ amount }: Pick<FieldValues, 'amount'>): bigint => ada(amount.trim())

/** All commands, in the order of a head's life. */
export const PAGE_COMMANDS: readonly CommandSpec[] = [
  {
    id: 'open',
    title: 'Open a head',
    summary: 'All parties are asked in; from then on deposits and payments are possible.',
    states: ['Idle', 'Initializing'],
    consequence: 'The node posts a transaction to the base ledger, whose fee it pays.',
    fields: [],
    needsWallet: false,
    run: async (client, _values, report) =>
      `Head ${shorten((await client.open({ onProgress: steps(report) })).headId)} is open.`
  },
  {
    id: 'abort',
    title: 'Abort',
    summary: 'Gives up a head that is still initializing.',
    states: ['Initializing'],
    consequence: 'What was committed goes back to its owners.',
    fields: [],
    needsWallet: false,
    isFinal: true,
    only: 'Initializing',
    run: async (client, _values, report) => {
      await client.abortHead({ onProgress: steps(report) })
      return 'The head was given up.'
    }
  },
  {
    id: 'deposit',
    title: 'Deposit',
    summary: "Moves ada from the wallet's base ledger outputs into the head.",
    states: ['Open'],
    consequence:
      'The wallet signs a transaction of the base ledger. Until it is final the ada is in the deposit; what expires can be recovered.',
    fields: ['amount'],
    needsWallet: true,
    run: async (client, values, report) => {
      const { depositTxId } = await client.deposit({ amount: lovelaceOf(values), onProgress: steps(report) })
      return `Deposit ${shorten(depositTxId)} is final: ${formatAdaText(lovelaceOf(values))} ada are in the head.`
    }
  },
  {
    id: 'pay',
    title: 'Pay',
    summary: "Pays from the wallet's outputs in the head.",
    states: ['Open'],
    consequence: 'The wallet signs a transaction of the head. Once a snapshot confirms it, it cannot be undone.',
    fields: ['to', 'amount'],
    needsWallet: true,
    run: async (client, values, report) => {
      const { txId, snapshotNumber } = await client.pay({
        to: values.to.trim(),
        amount: lovelaceOf(values),
        onProgress: steps(report)
      })
      return `Payment ${shorten(txId)} is in snapshot ${snapshotNumber}.`
    }
  },
  {
    id: 'withdraw',
    title: 'Decommit',
    summary: 'Takes ada out of the open head to the base ledger.',
    states: ['Open'],
    consequence: 'All parties sign, and the node posts a transaction to the base ledger. One decommit at a time.',
    fields: ['amount'],
    needsWallet: true,
    run: async (client, values, report) => {
      const { decommitTxId } = await client.withdraw({ amount: lovelaceOf(values), onProgress: steps(report) })
      return `Decommit ${shorten(decommitTxId)} is final: ${formatAdaText(lovelaceOf(values))} ada are on the base ledger.`
    }
  },
  {
    id: 'close',
    title: 'Close',
    summary: 'Ends the head with its newest snapshot.',
    states: ['Open'],
    consequence:
      'No payment is possible any more, and unconfirmed transactions are dropped. The payout follows after the contestation period. Look at the payout check first.',
    fields: [],
    needsWallet: false,
    isFinal: true,
    // The payout check names open deposits, and the person has confirmed.
    run: async (client, _values, report) =>
      `Closed with snapshot ${(await client.closeHead({ force: true, onProgress: steps(report) })).snapshotNumber}.`
  },
  {
    id: 'safeClose',
    title: 'Close, ada only',
    summary: 'As Close, but the node refuses while the head holds anything but ada.',
    states: ['Open'],
    consequence:
      'No payment is possible any more, and unconfirmed transactions are dropped. Nodes from 1.2 know this command.',
    fields: [],
    needsWallet: false,
    isFinal: true,
    run: async ({ bridge }) => {
      const closed = bridge.waitFor('HeadIsClosed', { orRefused: true, timeout: 60_000 })
      bridge.commands.safeClose()
      return `Closed with snapshot ${(await closed).snapshotNumber}.`
    }
  },
  {
    id: 'fanout',
    title: 'Fan out',
    summary: 'Pays the closed head out to the base ledger. Waits for the end of the contestation period.',
    states: ['Closed', 'FanoutPossible', 'FanningOut'],
    consequence: 'Every output of the head goes to its address on the base ledger, and the head is over.',
    fields: [],
    needsWallet: false,
    isFinal: true,
    run: async (client, _values, report) =>
      `${Object.keys((await client.fanoutHead({ onProgress: steps(report) })).utxo).length} outputs are on the base ledger.`
  }
]

/** Returns why a command cannot be sent now; null when it can. */
export function obstacle(spec: CommandSpec, session: Session, unlocked: boolean, hasWallet: boolean): string | null {
  const { state, headStatus, synced } = session.status.value
  if (!unlocked) return 'Read-only: unlock commands first.'
  if (state !== 'connected') return 'There is no connection.'
  if (synced === false) return 'The node is behind the base ledger and refuses every command.'
  if (!spec.states.includes(headStatus ?? ''))
    return `Possible while ${spec.states.map((name) => NAMES[name] ?? `the head is ${name}`).join(', or ')}.`
  if (spec.needsWallet && !hasWallet) return 'Open a wallet first.'
  return null
}

// The states of fanning out follow "the head is closed" in every list.
const NAMES: Readonly<Record<string, string>> = {
  Idle: 'there is no head',
  Initializing: 'the head is initializing',
  Open: 'the head is open',
  Closed: 'the head is closed',
  FanoutPossible: 'ready to fan out',
  FanningOut: 'fanning out'
}

/** Returns the mistake in a typed address; null for an address that can receive. */
export function addressProblem(address: string): string | null {
  if (/^stake(_test)?1/.test(address))
    return 'A reward address (stake...) cannot receive outputs: use an address that begins with addr.'
  if (isValidAddress(address)) return null
  if (/^addr(_test)?1/.test(address))
    return 'A part of the address is missing or mistyped: its checksum does not hold. Copy it whole.'
  return 'An address begins with addr1 or addr_test1.'
}
