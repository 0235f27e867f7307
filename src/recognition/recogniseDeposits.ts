import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { slotToTime } from '../codec/slot.js'
import type { SlotConfig } from '../constants.js'
import { described, byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { DepositLookup } from './fetchDeposits.js'
import { fetchDeposits } from './fetchDeposits.js'
import { checkDustLimit } from './material.js'
import { judgeWalletDeposits } from './judgeWalletDeposits.js'
import type { FoldedDeposits, RecognisedDeposit, RecognitionTime } from './types.js'
import { readWalletAddresses } from './walletAddresses.js'

/** Arguments of {@link recogniseDeposits}. */
export interface RecogniseDepositsOptions extends DepositLookup {
  /** Addresses of the wallet: bech32. */
  readonly addresses: readonly string[]
  /** Slots of the network: `SLOT_CONFIG` of `layer-sdk` has those of the public ones. */
  readonly slotConfig: SlotConfig
  /** Deposit period of the heads, ms; without it the `phase` of a pending deposit is null. */
  readonly depositPeriodMs?: number | undefined
  /** Maximum number of outputs of the deposit script that are read. @default 10000 */
  readonly maxDeposits?: number | undefined
}

/** Deposits of a wallet into any head. */
export interface RecognisedDeposits {
  /** Deposits that are listed, the next deadline first; at most 100. */
  readonly deposits: readonly RecognisedDeposit[]
  /** Sum of the deposits below `dustLimit`, and of those beyond the 100; null where there are none. */
  readonly foldedDeposits: FoldedDeposits | null
  /** False: the script has more outputs than `maxDeposits`, and the others were not read. */
  readonly complete: boolean
  /** Time of the chain source at which this holds. */
  readonly asOf: RecognitionTime
}

const OPTIONS: OptionNames<RecogniseDepositsOptions> = {
  provider: true,
  addresses: true,
  slotConfig: true,
  depositAddress: true,
  depositTxIds: true,
  dustLimit: true,
  depositPeriodMs: true,
  maxDeposits: true,
  signal: true
}

const DEFAULT_MAX_DEPOSITS = 10_000

/**
 * Recognises the deposits of a wallet into any head, from the base ledger alone: pending ones, and those that the
 * wallet can recover. It asks no endpoint of a head, and loads no elliptic-curve code.
 *
 * @throws {@link InvalidArgumentError} {@link InvalidAddressError} on wrong options, and the errors of the chain
 * source.
 * @example
 * ```ts no-run
 * import { SLOT_CONFIG } from 'layer-sdk'
 * import { KupoProvider } from 'layer-sdk/providers'
 * import { recogniseDeposits } from 'layer-sdk/recognition'
 * const { deposits } = await recogniseDeposits({
 *   provider: new KupoProvider({ baseUrl: 'http://localhost:1442', network: 'preprod' }),
 *   addresses: ['addr_test1...'],
 *   depositAddress: 'addr_test1w...',
 *   slotConfig: SLOT_CONFIG.PREPROD
 * })
 * console.log(deposits.map(({ state, deadlineMs }) => [state, new Date(deadlineMs)]))
 * ```
 */
export async function recogniseDeposits(options: RecogniseDepositsOptions): Promise<RecognisedDeposits> {
  const settings = readOptions(options, OPTIONS)
  const { provider, slotConfig, signal, depositPeriodMs = null, maxDeposits = DEFAULT_MAX_DEPOSITS } = settings
  const wallet = readWalletAddresses(settings.addresses)
  if (typeof provider?.fetcher?.fetchTip !== 'function')
    throw new InvalidArgumentError('provider', 'an object with a fetcher', byType(provider))
  if (settings.depositAddress === undefined && settings.depositTxIds === undefined)
    throw new InvalidArgumentError(
      'depositAddress',
      'the address of the deposit script, or depositTxIds',
      described('neither')
    )
  if (!(Number.isSafeInteger(maxDeposits) && maxDeposits > 0))
    throw new InvalidArgumentError('maxDeposits', 'a whole number above 0', maxDeposits)
  checkDustLimit(settings.dustLimit)
  const [outputs, tip] = await Promise.all([
    fetchDeposits(settings),
    provider.fetcher.fetchTip(signal === undefined ? {} : { signal })
  ])
  const asOf = { slot: tip.slot, timeMs: slotToTime(tip.slot, slotConfig) }
  const { listed, folded } = judgeWalletDeposits({
    outputs: outputs.slice(0, maxDeposits),
    wallet,
    asOf,
    periodOf: () => depositPeriodMs,
    inSnapshot: null,
    own: settings.depositTxIds,
    dustLimit: settings.dustLimit
  })
  return { deposits: listed, foldedDeposits: folded, complete: outputs.length <= maxDeposits, asOf }
}
