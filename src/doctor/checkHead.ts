import { readOptions } from '../codec/options.js'
import type { OptionNames } from '../codec/options.js'
import { parseAddress } from '../codec/address.js'
import { InvalidArgumentError } from '../errors/input.js'
import { sleep } from '../net/timers.js'
import type { Fetcher } from '../types/provider.js'
import type { HeadFacts } from './facts/HeadFacts.js'
import { valueOrNull } from './facts/HeadFacts.js'
import { gatherFacts } from './gather/gatherFacts.js'
import type { DoctorNode } from './gather/gatherFacts.js'
import { diagnose } from './judge/diagnose.js'
import { SILENT_AFTER_MS } from './limits.js'
import { doctorVerdict } from './print/verdict.js'
import type { Diagnosis, DoctorVerdict, PlannedStep } from './types.js'

/** Options of {@link checkHead}. What is left out is unknown in the report. */
export interface CheckHeadOptions {
  /** The own node: its URL, a head client, a bridge or a connector. */
  head: DoctorNode
  /** Other nodes of the head, at most 20. @default none */
  peers?: readonly DoctorNode[]
  /** Reads the base ledger: `fetcher` of a provider. @default none */
  provider?: Fetcher
  /** Address of the node's own wallet on the base ledger. @default none */
  fuelAddress?: string
  /** URL of the node's Prometheus metrics. @default none */
  metricsUrl?: string
  /** Step that the caller is about to make. @default none */
  before?: PlannedStep
  /** Longest wait for a snapshot that is being signed, ms: below 30000 a silent party is not found. @default 30000 */
  patience?: number
  /** Ends the check; it then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** Report of {@link checkHead}. */
export interface HeadReport extends Diagnosis {
  /** Time of the reading, ms since the epoch. */
  readonly at: number
  /** Id of the head: hex; null without one. */
  readonly head: string | null
  /** Version of the node; null where it is unknown. */
  readonly node: string | null
  /** The worst finding; `'incomplete'` where something is unknown and nothing blocks. */
  readonly verdict: DoctorVerdict
  /** The facts that were judged: they can be saved and read again with {@link readHeadFacts}. */
  readonly facts: HeadFacts
}

const OPTIONS: OptionNames<CheckHeadOptions> = {
  head: true,
  peers: true,
  provider: true,
  fuelAddress: true,
  metricsUrl: true,
  before: true,
  patience: true,
  signal: true
}

/**
 * Gathers the facts of a head by reading only, and judges them: can it be closed and paid out, and what stands in the
 * way of deposits and withdrawals?
 *
 * @throws the error of the connection when the own node cannot be read; {@link InvalidArgumentError},
 * {@link InvalidAddressError}. A peer, a provider or metrics that fail make their findings `'unknown'`.
 * @example
 * ```ts
 * import { checkHead } from 'layer-sdk/doctor'
 * import { startDevNode } from 'layer-sdk/devnode'
 *
 * const node = await startDevNode({ port: 0, open: true })
 * const { verdict, findings } = await checkHead({ head: node.url })
 * console.log(verdict, findings.length > 0) // incomplete true
 * await node.stop()
 * ```
 */
export async function checkHead(options: CheckHeadOptions): Promise<HeadReport> {
  const given = readOptions(options, OPTIONS, 'options')
  const { head, peers = [], provider = null, fuelAddress = null, metricsUrl = null, before, signal } = given
  const { patience = SILENT_AFTER_MS } = given
  if (!Array.isArray(peers)) throw new InvalidArgumentError('peers', 'a list of nodes', peers)
  if (typeof patience !== 'number' || !(patience >= 0))
    throw new InvalidArgumentError('patience', 'a number of ms from 0 on', patience)
  if (fuelAddress !== null) parseAddress(fuelAddress, 'fuelAddress')
  if (metricsUrl !== null) assertUrl(metricsUrl)
  const never = new AbortController()
  const facts = await gatherFacts(
    { head, peers, provider, fuelAddress, metricsUrl, patienceMs: patience, signal: signal ?? never.signal },
    { now: Date.now, sleep }
  )
  const diagnosis = await diagnose(facts, { ...(signal && { signal }), ...(before && { before }) })
  const own = facts.nodes[0]!
  const [greetings, state] = [valueOrNull(own.greetings), valueOrNull(own.head)]
  return {
    at: facts.at,
    head: state?.headId ?? greetings?.headId ?? null,
    node: greetings?.nodeVersion ?? null,
    verdict: doctorVerdict(diagnosis.findings),
    ...diagnosis,
    facts
  }
}

function assertUrl(text: unknown): void {
  if (typeof text === 'string' && /^https?:\/\//i.test(text) && URL.canParse(text)) return
  // The URL itself may carry a password.
  throw new InvalidArgumentError('metricsUrl', 'a URL with http:// or https://', typeof text)
}
