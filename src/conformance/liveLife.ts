import { createHeadClient } from '../client/index.js'
import { isLayerError } from '../errors/base.js'
import { withTimeLimit } from '../net/abort.js'
import type { LifeContext, LifeSide } from './LifeContext.js'
import { LifeTracer } from './LifeTracer.js'
import { LIFE_ACTIONS } from './lifeActions.js'
import { signedVerdicts } from './signedVerdicts.js'
import type { LifeStep, LifeTrace, StepEnd } from './trace.js'
import { LIFE_STEPS } from './trace.js'

/** Routes that show the state after a step. */
const READS = ['/head', '/snapshot', '/snapshot/utxo', '/snapshot/last-seen', '/commits', '/protocol-parameters']
/** Steps after which no routes are read, because the state then depends on the speed of the base ledger. */
const UNREAD: readonly LifeStep[] = ['withdraw', 'second-withdraw', 'late-deposit']

/** Runs all steps of the life on one head. A failed step is recorded, and the steps that depend on it are not tried. */
export async function liveLife(side: LifeSide): Promise<LifeTrace> {
  const tracer = new LifeTracer()
  const options = { autoReconnect: false, connectTimeout: side.stepLimitMs, requestTimeout: side.stepLimitMs }
  const client = createHeadClient({
    connector: tracer.tap(side.connector),
    wallet: side.wallet ?? undefined,
    withdrawPause: 0,
    onConnectError: false,
    ...options
  })
  // Its messages would mix with those of the first node.
  const secondTracer = new LifeTracer()
  const second =
    side.second === null
      ? null
      : createHeadClient({ connector: secondTracer.tap(side.second), onConnectError: false, ...options })
  const steps = new Map<LifeStep, StepEnd>()
  const notes = new Map<string, unknown>()
  try {
    await client.connect({ timeout: side.stepLimitMs, signal: side.signal })
    await second?.connect({ timeout: side.stepLimitMs, signal: side.signal })
    await readRoutes(tracer, side, ['/config'])
    for (const step of LIFE_STEPS) {
      tracer.step = step
      const reason = side.without.get(step) ?? missingBasis(step, steps)
      if (reason !== null) steps.set(step, { outcome: 'not tried', reason })
      else {
        side.onStep?.(step)
        steps.set(step, await tryStep(step, { client, second, tracer, secondTracer, side, notes }))
        if (!UNREAD.includes(step)) await readRoutes(tracer, side, READS)
      }
    }
  } finally {
    await Promise.all([client.disconnect(), second?.disconnect()])
  }
  const nodeVersion = client.status().nodeVersion
  const { messages, answers } = tracer
  return { nodeVersion, steps, messages, answers, signed: await signedVerdicts(messages, nodeVersion) }
}

/** By step: the earlier step that it depends on. */
const BASIS: Partial<Record<LifeStep, LifeStep>> = {
  pay: 'deposit',
  'refused-pay': 'pay',
  chain: 'pay',
  withdraw: 'pay',
  'second-withdraw': 'withdraw',
  'withdraw-final': 'withdraw',
  contest: 'close',
  fanout: 'close',
  recover: 'late-deposit'
}

/** Returns why a step is not tried, because the step that it depends on failed; null when it can be tried. */
function missingBasis(step: LifeStep, steps: ReadonlyMap<LifeStep, StepEnd>): string | null {
  if (steps.get('open')?.outcome === 'failed') return 'the head did not open'
  const basis = BASIS[step]
  const end = basis === undefined ? undefined : steps.get(basis)
  if (end === undefined || end.outcome === 'done') return null
  // In a head that was open before, the key may have money without a deposit.
  if (basis === 'deposit' && end.outcome === 'not tried') return null
  return `it rests on ${basis}`
}

async function tryStep(step: LifeStep, context: Omit<LifeContext, 'signal'>): Promise<StepEnd> {
  const { stepLimitMs, signal } = context.side
  try {
    return await withTimeLimit(
      { timeoutMs: stepLimitMs, signal, onTimeout: () => new Error(`not over within ${stepLimitMs} ms`) },
      async (inner) => (await LIFE_ACTIONS[step]({ ...context, signal: inner })) ?? { outcome: 'done' }
    )
  } catch (error) {
    signal?.throwIfAborted()
    return { outcome: 'failed', reason: reasonOf(error) }
  }
}

/** Returns the code of an error of this package; any other error is named in general, as its text may hold anything. */
function reasonOf(error: unknown): string {
  if (isLayerError(error)) return error.code
  return error instanceof Error && /^not over within \d+ ms$/.test(error.message) ? error.message : 'another error'
}

async function readRoutes(tracer: LifeTracer, side: LifeSide, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    try {
      const reply = await withTimeLimit(
        { timeoutMs: side.stepLimitMs, signal: side.signal, onTimeout: () => new Error('no answer') },
        (signal) => side.connector.request({ method: 'GET', path, signal })
      )
      tracer.noteAnswer(`GET ${path}`, reply)
    } catch {
      side.signal?.throwIfAborted()
      tracer.noteAnswer(`GET ${path}`, { status: 0, text: '' })
    }
  }
}
