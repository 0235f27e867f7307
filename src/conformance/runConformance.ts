import { createHeadClient } from '../client/index.js'
import type { Connector } from '../bridge/inner.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Wallet } from '../types/wallet.js'
import type { TestHead } from './assertTestHead.js'
import { assertTestHead } from './assertTestHead.js'
import type { ConformanceReport } from './compareLives.js'
import { compareLives } from './compareLives.js'
import type { LifeSide } from './LifeContext.js'
import { LifeTracer } from './LifeTracer.js'
import { liveLife } from './liveLife.js'
import type { LifeStep, LifeTrace } from './trace.js'
import { asRecord } from './trace.js'

/** Money of the key in a head that makes a deposit needless, lovelace. */
const ENOUGH = 50_000_000n

/** A local head that lives the same life. */
export interface LocalTwin extends Pick<LifeSide, 'connector' | 'second' | 'wallet' | 'waitUntil'> {
  stop(): Promise<void>
}

/** What the local head has to be like. */
export interface TwinRequest {
  /** `hydraNodeVersion` of the node. */
  readonly nodeVersion: string | null
  readonly parties: number
  /** True for a head that is open from the start, with money of the key. */
  readonly isOpen: boolean
}

/** Options of {@link runConformance}. */
export interface ConformanceOptions extends Omit<LifeSide, 'without'> {
  /** True where the caller knows that the node is on a test network. */
  readonly isTestnet: boolean
  /** Starts the local head. @throws an error for a version that none poses as, before anything is tried */
  readonly startTwin: (request: TwinRequest) => Promise<LocalTwin>
}

/** The lives of both heads, and their comparison. */
export interface ConformanceRun {
  readonly report: ConformanceReport
  readonly node: LifeTrace
}

/**
 * Lives a whole life on a node and on a local head of its version, and compares them.
 *
 * @throws {@link InvalidArgumentError} on mainnet, in a head of others, and with more than 1,000 test ada
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceRun> {
  const { connector, second, wallet, stepLimitMs, signal, isTestnet } = options
  const { headStatus, headId, nodeVersion, parties } = await greetingsOf(connector, stepLimitMs, signal)
  const head = await assertTestHead({ connector, wallet, headStatus, headId, isTestnet, signal })
  const isOpen = headStatus === 'Open'
  const without = stepsWithout({ wallet, second, isOpen, head })
  // Nodes before 1.0 do not name the others.
  const twin = await options.startTwin({ nodeVersion, parties: Math.max(parties, second === null ? 1 : 2), isOpen })
  try {
    const own = { ...twin, wallet: wallet === null ? null : twin.wallet, second: second === null ? null : twin.second }
    const [node, local] = await Promise.all([
      liveLife({ ...options, without }),
      liveLife({ ...own, stepLimitMs, without, signal })
    ])
    return { report: compareLives(local, node), node }
  } finally {
    await twin.stop()
  }
}

interface Means {
  readonly wallet: Wallet | null
  readonly second: Connector | null
  readonly isOpen: boolean
  readonly head: TestHead
}

const PAYMENTS: readonly LifeStep[] = ['pay', 'refused-pay', 'chain']
const WITHDRAWALS: readonly LifeStep[] = ['withdraw', 'second-withdraw', 'withdraw-final']
const DEPOSITS: readonly LifeStep[] = ['deposit', 'late-deposit', 'recover']
const ON_CHAIN: readonly LifeStep[] = ['open', ...DEPOSITS, ...WITHDRAWALS, 'close', 'contest', 'fanout']

/** Steps that cannot be tried, with the reason; the first reason stays. */
function stepsWithout({ wallet, second, isOpen, head }: Means): Map<LifeStep, string> {
  const without = new Map<LifeStep, string>()
  const leaveOut = (steps: readonly LifeStep[], reason: string): void => {
    for (const step of steps) if (!without.has(step)) without.set(step, reason)
  }
  if (head.isOffline) leaveOut(ON_CHAIN, 'the node is offline: it has no base ledger')
  if (isOpen) leaveOut(['open'], 'the head was open before')
  if (wallet === null) leaveOut([...DEPOSITS, ...PAYMENTS, ...WITHDRAWALS], 'there is no key')
  if (wallet !== null && wallet.queryUTxOs === undefined) leaveOut(DEPOSITS, 'there is no base ledger to deposit from')
  if (without.has('deposit') && head.inHead < ENOUGH)
    leaveOut([...PAYMENTS, ...WITHDRAWALS], 'the key has less than 50 ada in the head')
  if (second === null) leaveOut(['contest'], 'there is no second node')
  return without
}

/** What a node says of itself as it greets. */
async function greetingsOf(
  connector: Connector,
  timeout: number,
  signal: AbortSignal | undefined
): Promise<{ headStatus: string; headId: string | null; nodeVersion: string | null; parties: number }> {
  const tracer = new LifeTracer()
  const options = {
    autoReconnect: false,
    connectTimeout: timeout,
    requestTimeout: timeout,
    onConnectError: false
  } as const
  const client = createHeadClient({ connector: tracer.tap(connector), ...options })
  try {
    await client.connect({ timeout, signal })
    const { headStatus, headId, nodeVersion } = client.status()
    const greetings = tracer.messages.find(({ tag }) => tag === 'Greetings')?.message
    if (greetings === undefined) throw new InvalidArgumentError('The node', 'one that begins with Greetings', 'another')
    const others = asRecord(greetings['env'])?.['otherParties']
    return {
      headStatus: headStatus ?? 'Idle',
      headId,
      nodeVersion,
      parties: 1 + (Array.isArray(others) ? others.length : 0)
    }
  } finally {
    await client.disconnect()
  }
}
