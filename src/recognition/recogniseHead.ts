import type { Accelerator } from '../accumulator/inner.js'
import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { slotToTime } from '../codec/slot.js'
import type { SlotConfig } from '../constants.js'
import { described, byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Hex, UTxO } from '../types/utxo.js'
import type { SetMemo } from './bindSet.js'
import type { RecognitionFetch } from './fetchAnswer.js'
import { fetchAnswer, readEndpoints } from './fetchAnswer.js'
import type { DepositLookup } from './fetchDeposits.js'
import { fetchDeposits } from './fetchDeposits.js'
import type { RecognitionMaterial } from './material.js'
import { checkDustLimit, checkHeadId } from './material.js'
import type { EndpointAnswer } from './readBundle.js'
import { recogniseWithRecord } from './recognise.js'
import { FORMER_HEAD_TOKEN, HEAD_TOKEN } from './rules.js'
import type { RecognitionStore } from './store.js'
import { readRecord, writeRecord } from './store.js'
import type { HeadIdOrigin, Recognition } from './types.js'
import { readWalletAddresses } from './walletAddresses.js'

/** Arguments of {@link recogniseHead}. */
export interface RecogniseHeadOptions extends DepositLookup {
  /** Id of the head: hex, 56 characters. */
  readonly headId: Hex
  /** Base addresses of the head's nodes, such as `https://head.example`; at most 16. */
  readonly endpoints: readonly string[]
  /** Addresses of the wallet: bech32. They are not sent to the endpoints. */
  readonly addresses: readonly string[]
  /** Slots of the network: `SLOT_CONFIG` of `layer-sdk` has those of the public ones. */
  readonly slotConfig: SlotConfig
  /** Address of the head's output; required if the provider cannot find an output by its token alone. */
  readonly headAddress?: string | undefined
  /**
   * Head keys of the parties that the user pinned, in their order: hex, 64 characters each. Other keys in the datum are
   * a fault.
   */
  readonly parties?: readonly Hex[] | undefined
  /** Hashes of head scripts that the wallet knows: hex, 56 characters each. */
  readonly scripts?: readonly Hex[] | undefined
  /**
   * Origin of the head id and the endpoints. Of endpoints that come from a `hint`, only public https hosts are asked.
   * @default 'configured'
   */
  readonly headIdFrom?: HeadIdOrigin | undefined
  /** True: only the proposed standard applies, without the additions of this package. @default false */
  readonly strict?: boolean | undefined
  /** Version of the endpoint's node, its `hydraNodeVersion`: a version that is too new explains a failed signature. */
  readonly nodeVersion?: string | undefined
  /** Deposit period of the head, ms. @default that of its datum */
  readonly depositPeriodMs?: number | undefined
  /** Store that keeps the newest verified snapshot, so that older ones are refused. */
  readonly store?: RecognitionStore | undefined
  /** Cache of commitments that were computed before. */
  readonly memo?: SetMemo | undefined
  /** Implementation that computes commitments faster. @default pure JavaScript, `@noble/curves` */
  readonly accelerator?: Accelerator | undefined
  /** Timeout of each request to an endpoint, ms. @default 10000 */
  readonly timeout?: number | undefined
  /** Largest accepted answer of an endpoint, bytes. @default 67108864 */
  readonly maxBytes?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetchImpl?: RecognitionFetch | undefined
}

const OPTIONS: OptionNames<RecogniseHeadOptions> = {
  headId: true,
  provider: true,
  endpoints: true,
  addresses: true,
  slotConfig: true,
  headAddress: true,
  depositAddress: true,
  depositTxIds: true,
  dustLimit: true,
  parties: true,
  scripts: true,
  headIdFrom: true,
  strict: true,
  nodeVersion: true,
  depositPeriodMs: true,
  store: true,
  memo: true,
  accelerator: true,
  timeout: true,
  maxBytes: true,
  signal: true,
  fetchImpl: true
}

const DEFAULT_TIMEOUT = 10_000
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024

/**
 * Recognises a head and a wallet's money in it: reads the head's output from the base ledger and its snapshot from each
 * endpoint, and checks one against the other. A failed check does not throw: the answer states it as a reason.
 *
 * If the version of a snapshot differs from that of the chain source, both are read once more, since a step on the base
 * ledger may have happened between the two readings.
 *
 * @throws {@link InvalidArgumentError} {@link InvalidAddressError} on wrong options, and the errors of the chain
 * source, whose failure is never reported as `NO_HEAD`.
 * @example
 * ```ts no-run
 * import { SLOT_CONFIG } from 'layer-sdk'
 * import { IndexerProvider } from 'layer-sdk/providers'
 * import { recogniseHead } from 'layer-sdk/recognition'
 * const provider = new IndexerProvider({ apiKey: 'preprod...', network: 'preprod' })
 * const found = await recogniseHead({
 *   headId: 'd276058a22ad180bc94bfc89d85d6c02c5e5a110dd5ddcd759f213b1',
 *   provider,
 *   endpoints: ['https://head.example'],
 *   addresses: ['addr_test1...'],
 *   slotConfig: SLOT_CONFIG.PREPROD
 * })
 * console.log(found.state, found.inHead?.available)
 * ```
 */
export async function recogniseHead(options: RecogniseHeadOptions): Promise<Recognition> {
  const settings = readOptions(options, OPTIONS)
  const { headId, store, signal } = settings
  checkHeadId(headId)
  readWalletAddresses(settings.addresses)
  if (typeof settings.provider?.fetcher?.fetchTip !== 'function')
    throw new InvalidArgumentError('provider', 'an object with a fetcher', byType(settings.provider))
  checkDustLimit(settings.dustLimit)
  for (const name of ['timeout', 'maxBytes'] as const)
    if (settings[name] !== undefined && !(Number.isFinite(settings[name]) && settings[name] > 0))
      throw new InvalidArgumentError(name, 'a number above 0', settings[name])
  const storedRecord = await readRecord(store, headId)
  const attempt = async (): Promise<Awaited<ReturnType<typeof recogniseWithRecord>>> =>
    recogniseWithRecord({ ...(await fetchMaterial(settings)), known: storedRecord })
  const isTorn = ({ reason }: Recognition): boolean => reason === 'source-behind' || reason === 'stale'
  let outcome = await attempt()
  if (isTorn(outcome.recognition)) outcome = await attempt()
  signal?.throwIfAborted()
  if (outcome.record !== null) await writeRecord(store, outcome.record)
  return outcome.recognition
}

async function fetchMaterial(settings: RecogniseHeadOptions): Promise<RecognitionMaterial> {
  const { headId, addresses, provider, slotConfig, signal } = settings
  const endpoints = readEndpoints(settings.endpoints, settings.headIdFrom === 'hint')
  const bounds = {
    fetchImpl: settings.fetchImpl,
    timeoutMs: settings.timeout ?? DEFAULT_TIMEOUT,
    maxBytes: settings.maxBytes ?? DEFAULT_MAX_BYTES,
    signal
  }
  const request = signal === undefined ? {} : { signal }
  const [headOutputs, deposits, tip, answers] = await Promise.all([
    fetchHeadOutputs(settings),
    fetchDeposits(settings),
    provider.fetcher.fetchTip(request),
    Promise.all(endpoints.map((endpoint): Promise<EndpointAnswer> => fetchAnswer(endpoint, bounds)))
  ])
  const { parties, scripts, headIdFrom, strict, nodeVersion, depositPeriodMs, memo, accelerator } = settings
  const { depositTxIds, dustLimit } = settings
  return {
    headId,
    addresses,
    headOutputs,
    answers,
    deposits,
    asOf: { slot: tip.slot, timeMs: slotToTime(tip.slot, slotConfig) },
    parties,
    scripts,
    headIdFrom,
    strict,
    nodeVersion,
    depositPeriodMs,
    depositTxIds,
    dustLimit,
    memo,
    accelerator
  }
}

/** Returns the outputs with the head's token; if there is none, those with the token of the generation before. */
async function fetchHeadOutputs({ headId, provider, headAddress, signal }: RecogniseHeadOptions): Promise<UTxO[]> {
  const { fetcher } = provider
  const request = signal === undefined ? {} : { signal }
  const find = async (name: string): Promise<UTxO[]> => {
    const unit = headId + name
    const found =
      headAddress !== undefined
        ? await fetcher.fetchAddressUTxOs(headAddress, unit, request)
        : await fetcher.fetchAssetUTxOs!(unit, request)
    return found.filter(({ output }) => output.amount.some((amount) => amount.unit === unit))
  }
  if (headAddress === undefined && fetcher.fetchAssetUTxOs === undefined)
    throw new InvalidArgumentError(
      'provider',
      'one with fetchAssetUTxOs, or the option headAddress',
      described('neither')
    )
  const found = await find(HEAD_TOKEN)
  return found.length > 0 ? found : find(FORMER_HEAD_TOKEN)
}
