import { existsSync, readFileSync } from 'node:fs'
import { createHeadClient } from '../../client/index.js'
import { parseAmount } from '../amount.js'
import { phasesText } from '../phaseText.js'
import type { Terminal } from '../terminal.js'
import { assertId, CommandFailure, parseCommand, UsageError, wholeNumberOption } from '../usage.js'
import type { LedgerAccess } from './headConnection.js'
import { keyFileOf, NODE_OPTIONS, payingClient, readKeyFile, timeoutOf, withHead } from './headConnection.js'
import { assertSure, BASE_LEDGER_TIMEOUT_MS, print } from './headLife.js'

const TEXT = { type: 'string' } as const
const DEPOSIT_OPTIONS = { ...NODE_OPTIONS, key: TEXT, provider: TEXT, 'network-id': TEXT } as const
const WITHDRAW_OPTIONS = {
  ...NODE_OPTIONS,
  key: TEXT,
  to: TEXT,
  all: { type: 'boolean' },
  yes: { type: 'boolean' },
  'peer-url': { type: 'string', multiple: true },
  'network-id': TEXT
} as const

const networkIdOf = (text: string | undefined): 0 | 1 => (wholeNumberOption('network-id', text, 1) === 1 ? 1 : 0)

/** `layer-sdk deposit`: moves an amount from the base ledger into the head. */
export async function depositCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, DEPOSIT_OPTIONS)
  const [text, ...more] = positionals
  if (text === undefined || more.length > 0) throw new UsageError('deposit needs one AMOUNT, e.g. 30 or 30ada.')
  const amount = parseAmount(text)
  const networkId = networkIdOf(values['network-id'])
  const timeout = timeoutOf(values, BASE_LEDGER_TIMEOUT_MS)
  const keyFile = keyFileOf(values.key)
  const key = readKeyFile(keyFile, networkId, await ledgerAccessOf(values.provider, networkId))
  try {
    const { depositTxId, recordedAt, claimableAt, expiresAt, recoverableAt } = await withHead(
      values,
      timeout,
      ({ bridge }) =>
        createHeadClient({ bridge, wallet: key }).deposit({
          amount,
          timeout,
          onProgress: ({ state, txId, times }) => {
            terminal.error(`deposit: ${state}${txId === undefined ? '' : ` ${txId}`}`)
            if (times !== undefined && state === 'recorded') terminal.error(`deposit: ${phasesText(times)}`)
          }
        })
    )
    const times = { recordedAt, claimableAt, expiresAt, recoverableAt }
    print(values, terminal, { depositTxId, lovelace: String(amount), ...times }, depositTxId)
  } finally {
    key.dispose()
  }
}

/** `layer-sdk withdraw`: moves an amount, or all, from the head to the base ledger. */
export async function withdrawCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, WITHDRAW_OPTIONS)
  const [text, ...more] = positionals
  const all = values.all === true
  if ((text === undefined) !== all || more.length > 0) throw new UsageError('withdraw needs one AMOUNT, or --all.')
  const amount = text === undefined ? undefined : parseAmount(text)
  const timeout = timeoutOf(values, BASE_LEDGER_TIMEOUT_MS)
  const key = readKeyFile(keyFileOf(values.key), networkIdOf(values['network-id']))
  try {
    if (all) await assertSure(values, terminal, 'Withdraw all outputs of the key?')
    const { decommitTxId, utxo } = await withHead(values, timeout, async (client) =>
      (await payingClient(client, key, { peerUrls: values['peer-url'] })).withdraw({
        ...(amount === undefined ? { all } : { amount }),
        to: values.to,
        timeout,
        onProgress: ({ state }) => terminal.error(`withdraw: ${state}`)
      })
    )
    print(values, terminal, { decommitTxId, outputs: utxo.length }, decommitTxId)
  } finally {
    key.dispose()
  }
}

/** `layer-sdk recover`: returns deposits that the head did not include in time to their owner on the base ledger. */
export async function recoverCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, NODE_OPTIONS)
  const [depositTxId, ...more] = positionals
  if (more.length > 0) throw new UsageError('recover needs one id of a deposit, or none for all.')
  if (depositTxId !== undefined) assertId(depositTxId, 'a deposit')
  const timeout = timeoutOf(values, BASE_LEDGER_TIMEOUT_MS)
  const recovered = await withHead(values, timeout, (client) => client.recover({ depositTxId, timeout }))
  const plain = recovered.length === 0 ? 'No deposit can be recovered now.' : recovered.join('\n')
  print(values, terminal, { depositTxIds: recovered }, plain)
}

/**
 * Returns access to the base ledger from `--provider`: the URL of a Blockfrost API, or the path of a file with a
 * Blockfrost project id. @throws UsageError, CommandFailure
 */
export async function ledgerAccessOf(option: string | undefined, networkId: 0 | 1): Promise<LedgerAccess> {
  if (option === undefined)
    throw new UsageError("--provider is missing: a URL of Blockfrost's API, or a file with a project id.")
  const { IndexerProvider } = await import('../../providers/index.js')
  const local = networkId === 1 ? 'mainnet' : 'preprod'
  if (/^https?:\/\//.test(option)) {
    const { fetcher, submitter } = new IndexerProvider({ network: local, apiKey: 'none', baseUrl: option })
    return { fetcher, submitter }
  }
  if (!existsSync(option)) throw new CommandFailure('The file of --provider is not there.')
  const apiKey = readFileSync(option, 'utf8').trim()
  const network = /^(mainnet|preprod|preview)/.exec(apiKey)?.[1] as 'mainnet' | 'preprod' | 'preview' | undefined
  if (network === undefined || (network === 'mainnet') !== (networkId === 1))
    throw new CommandFailure('The file of --provider holds no project id of this network.')
  const { fetcher, submitter } = new IndexerProvider({ network, apiKey })
  return { fetcher, submitter }
}
