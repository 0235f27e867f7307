import { readOptions } from '../codec/options.js'
import type { OptionNames } from '../codec/options.js'
import { parseAddress } from '../codec/address.js'
import { byType } from '../errors/base.js'
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

/** Options of {@link checkHead}. Findings that need an option which is left out are `'unknown'` in the report. */
export interface CheckHeadOptions {
  /** Your own node of the head that is checked: its URL, a head client, a bridge or a connector. */
  head: DoctorNode
  /** Other nodes of the same head, with which your own is compared; at most 20. @default none */
  peers?: readonly DoctorNode[]
  /** Reads the base ledger: `fetcher` of a provider. @default none */
  provider?: Fetcher
  /** Address of the node's own wallet on the base ledger, which pays its fees (its fuel). @default none */
  fuelAddress?: string
  /** URL of the node's Prometheus metrics. @default none */
  metricsUrl?: string
  /** Step that you are about to make: findings that endanger this step then block. @default none */
  before?: PlannedStep
  /**
   * Longest wait for a snapshot that is being signed, ms. Below 30000 a party that does not sign is not found.
   * @default 30000
   */
  patience?: number
  /** Aborts the check, which then rejects with the reason of the signal. */
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
 * Reads the facts of a head, without sending any input, and judges them. The findings say if the head can be closed and
 * paid out, and which obstacles deposits and withdrawals meet.
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
  const settings = readOptions(options, OPTIONS, 'options')
  const { head, peers = [], provider = null, fuelAddress = null, metricsUrl = null, before, signal } = settings
  const { patience = SILENT_AFTER_MS } = settings
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
  const ownNode = facts.nodes[0]!
  const [greetings, state] = [valueOrNull(ownNode.greetings), valueOrNull(ownNode.head)]
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
  throw new InvalidArgumentError('metricsUrl', 'a URL with http:// or https://', byType(text))
}
