import { createHeadClient } from '../client/index.js'
import type { Connector } from '../bridge/inner.js'
import { described } from '../errors/base.js'
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

/** Lovelace that the key must hold in the head for payments to be tried without a deposit. */
const ENOUGH = 50_000_000n

/** A local head on which the same life is run, to compare the node with. */
export interface LocalTwin extends Pick<LifeSide, 'connector' | 'second' | 'wallet' | 'waitUntil'> {
  stop(): Promise<void>
}

/** Properties that the local head must share with the node. */
export interface TwinRequest {
  /** `hydraNodeVersion` of the node. */
  readonly nodeVersion: string | null
  readonly parties: number
  /** True for a head that is open from the start and in which the key has money. */
  readonly isOpen: boolean
}

/** Options of {@link runConformance}. */
export interface ConformanceOptions extends Omit<LifeSide, 'without'> {
  /** True where the caller knows that the node is on a test network. */
  readonly isTestnet: boolean
  /** Starts the local head. @throws an error, before any step is tried, for a version that no local head poses as */
  readonly startTwin: (request: TwinRequest) => Promise<LocalTwin>
}

/** The comparison of the two lives, and the life of the node. */
export interface ConformanceRun {
  readonly report: ConformanceReport
  readonly node: LifeTrace
}

/**
 * Runs the whole life on a node and on a local head of its version, and compares the two.
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
    const twinSide = {
      ...twin,
      wallet: wallet === null ? null : twin.wallet,
      second: second === null ? null : twin.second
    }
    const [node, local] = await Promise.all([
      liveLife({ ...options, without }),
      liveLife({ ...twinSide, stepLimitMs, without, signal })
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

/** Returns the steps that cannot be tried, each with the first reason found. */
function stepsWithout({ wallet, second, isOpen, head }: Means): Map<LifeStep, string> {
  const without = new Map<LifeStep, string>()
  const omitSteps = (steps: readonly LifeStep[], reason: string): void => {
    for (const step of steps) if (!without.has(step)) without.set(step, reason)
  }
  if (head.isOffline) omitSteps(ON_CHAIN, 'the node is offline: it has no base ledger')
  if (isOpen) omitSteps(['open'], 'the head was open before')
  if (wallet === null) omitSteps([...DEPOSITS, ...PAYMENTS, ...WITHDRAWALS], 'there is no key')
  if (wallet !== null && wallet.queryUTxOs === undefined) omitSteps(DEPOSITS, 'there is no base ledger to deposit from')
  if (without.has('deposit') && head.inHead < ENOUGH)
    omitSteps([...PAYMENTS, ...WITHDRAWALS], 'the key has less than 50 ada in the head')
  if (second === null) omitSteps(['contest'], 'there is no second node')
  return without
}

/** Connects once, and returns the facts that the node's Greetings states. */
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
    if (greetings === undefined)
      throw new InvalidArgumentError('The node', 'one that begins with Greetings', described('another'))
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
