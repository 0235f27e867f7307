/**
 * Runs Plutus scripts for the local head node with the optional package `scalus`.
 *
 * @see docs/guides/devnode.md
 * @packageDocumentation
 */

import { InvalidArgumentError } from '../errors/input.js'
import { readOptions } from '../codec/options.js'
import type { ScriptEvaluationRequest, ScriptEvaluator, ScriptFailure, ScriptUnits } from '../types/scriptEvaluator.js'
import type { ScalusAnswer, ScalusJob, ScalusRunner } from './scalus/runner.js'
import { inThreadRunner } from './scalus/runner.js'
import { utxoMap } from './scalus/utxoMap.js'
import { workerRunner } from './scalus/workerRunner.js'

export type { ScriptEvaluationRequest, ScriptEvaluator, ScriptFailure, ScriptUnits } from '../types/scriptEvaluator.js'

/** Options of {@link scalusEvaluator}. @beta */
export interface ScalusOptions {
  /**
   * Time limit of the scripts of one transaction, ms. At the limit the worker is terminated, and the next transaction
   * gets a new one. @default 5000
   */
  timeLimitMs?: number
  /**
   * Runs scripts in the calling thread, where they cannot be terminated; for runtimes without worker threads.
   * @default false
   */
  inThread?: boolean
}

const MAX_TIME_LIMIT_MS = 2_147_483_647
/** The library's names of purposes, in lower case, where they differ from the ledger's. */
const TAGS: Readonly<Record<string, string>> = {
  spending: 'spend',
  minting: 'mint',
  certifying: 'cert',
  rewarding: 'reward',
  voting: 'vote',
  proposing: 'propose'
}

/**
 * Creates an evaluator that runs Plutus scripts with `scalus` (0.17 and later, below 1), an optional peer dependency
 * that is loaded when the first script runs. Scripts run in a worker thread, which is terminated at the time limit,
 * because the library has no limit of its own and continues past the declared units.
 *
 * @beta
 * @throws {@link InvalidArgumentError} on an option that is not valid. @throws {@link PackageMissingError} and, without
 * worker threads unless `inThread` is set, {@link RuntimeUnsupportedError}, as rejections of the evaluator.
 * @example
 * ```ts no-run
 * import { startDevNode } from 'layer-sdk/devnode'
 * import { scalusEvaluator } from 'layer-sdk/scalus'
 *
 * const node = await startDevNode({ scriptEvaluator: scalusEvaluator({ timeLimitMs: 2000 }) })
 * ```
 */
export function scalusEvaluator(options: ScalusOptions = {}): ScriptEvaluator {
  const { timeLimitMs = 5000, inThread = false } = readOptions(options ?? {}, { timeLimitMs: true, inThread: true })
  const isLimit = Number.isSafeInteger(timeLimitMs) && timeLimitMs >= 1 && timeLimitMs <= MAX_TIME_LIMIT_MS
  if (!isLimit)
    throw new InvalidArgumentError('timeLimitMs', `a whole number from 1 to ${MAX_TIME_LIMIT_MS}`, timeLimitMs)
  if (typeof inThread !== 'boolean') throw new InvalidArgumentError('inThread', 'true or false', inThread)
  const runner: ScalusRunner = inThread ? inThreadRunner() : workerRunner(timeLimitMs)
  // One at a time: each has the whole of its time.
  let last: Promise<unknown> = Promise.resolve()
  return (request) => {
    const result = last.then(async () => unitsOf(await runner(jobOf(request))))
    last = result.catch(() => undefined)
    return result
  }
}

function jobOf({ tx, resolved, costModels, slot }: ScriptEvaluationRequest): ScalusJob {
  const { PlutusV1, PlutusV2, PlutusV3 } = costModels
  return {
    tx,
    utxo: utxoMap(resolved),
    slot: [slot.zeroTimeMs, slot.zeroSlot, slot.slotLengthMs],
    // Always three, whatever the transaction uses.
    models: [[...PlutusV1], [...PlutusV2], [...PlutusV3]]
  }
}

function unitsOf(answer: ScalusAnswer): ScriptUnits[] {
  if (answer.units !== undefined) {
    return answer.units.map(({ tag, index, mem, cpu }) => {
      const name = tag.toLowerCase()
      return { tag: TAGS[name] ?? name, index, mem: BigInt(mem), cpu: BigInt(cpu) }
    })
  }
  const { message, logs } = answer
  if (logs === null) throw new Error(`scalus: ${message}`)
  const failure: ScriptFailure = { message, logs }
  throw Object.assign(new Error(message), failure)
}
