import { CborWriter } from '../../codec/cbor/writer.js'
import { hexToBytes } from '../../codec/hex.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import { evaluatorOutcome, rejectionOutcome } from './evaluatorOutcome.js'
import type { ScriptOutcome } from './evaluatorOutcome.js'
import type { PreparedTx } from './preparedTx.js'
import type { TxWithScripts } from './resolvedScripts.js'
import type { ScriptEvaluationRequest, ScriptEvaluator } from '../../types/scriptEvaluator.js'
import type { LedgerEntry } from './utxoSet.js'
import type { LedgerParameters } from './LedgerParameters.js'

interface Run {
  readonly entries: readonly LedgerEntry[]
  readonly outcome: ScriptOutcome
}

// Read when the module loads: the bound holds for outside code, which knows no test's fake timers.
const { setTimeout: startTimer, clearTimeout: endTimer } = globalThis

/**
 * Runs scripts through the option `scriptEvaluator`, which is foreign code: each run is limited in time, and an error
 * in it does not end the node.
 */
export class ScriptRunner {
  readonly #evaluator: ScriptEvaluator
  readonly #timeoutMs: number
  readonly #slotZeroMs: number
  // A script says the same of the same transaction over the same outputs.
  readonly #runs = new WeakMap<PreparedTx, Run>()
  readonly #stops = new Set<() => void>()

  constructor(
    evaluator: ScriptEvaluator,
    { timeoutMs, slotZeroMs }: { readonly timeoutMs: number; readonly slotZeroMs: number }
  ) {
    this.#evaluator = evaluator
    this.#timeoutMs = timeoutMs
    this.#slotZeroMs = slotZeroMs
  }

  /** Returns the outcome of the last run over exactly these outputs; undefined without one. */
  outcomeOf(resolved: TxWithScripts): ScriptOutcome | undefined {
    const run = this.#runs.get(resolved.tx)
    const entries = entriesOf(resolved)
    return run?.entries.length === entries.length && entries.every((entry, i) => entry === run.entries[i])
      ? run.outcome
      : undefined
  }

  /** Runs the scripts and keeps the outcome; never rejects. */
  async run(resolved: TxWithScripts, parameters: LedgerParameters): Promise<void> {
    const entries = entriesOf(resolved)
    this.#runs.set(resolved.tx, { entries, outcome: await this.evaluate(resolved.tx.bytes, entries, parameters) })
  }

  /** Runs the scripts of any transaction over any outputs; never rejects. */
  evaluate(tx: Uint8Array, entries: readonly LedgerEntry[], parameters: LedgerParameters): Promise<ScriptOutcome> {
    const { costModels, protocolVersion, maxTxExUnits } = parameters
    const request: ScriptEvaluationRequest = {
      tx: tx.slice(),
      resolved: entries.map(({ input, output }) => [
        new CborWriter().array(2).bytes(hexToBytes(input.txHash)).uint(input.index).toBytes(),
        encodeTxOutput(output)
      ]),
      costModels,
      slot: { zeroTimeMs: this.#slotZeroMs, zeroSlot: 0, slotLengthMs: 1000 },
      protocolVersion,
      maxExUnits: { ...maxTxExUnits }
    }
    return new Promise((resolve) => {
      const settle = (outcome: ScriptOutcome): void => {
        endTimer(timer)
        this.#stops.delete(stop)
        resolve(outcome)
      }
      const stop = (): void => settle({ kind: 'broken', message: 'the node was stopped' })
      const late = (): void =>
        settle({ kind: 'broken', message: `it did not answer within ${this.#timeoutMs} ms (evaluatorTimeoutMs)` })
      const timer = startTimer(late, this.#timeoutMs)
      this.#stops.add(stop)
      this.#call(request).then(
        (units) => settle(evaluatorOutcome(units)),
        (error: unknown) => settle(rejectionOutcome(error))
      )
    })
  }

  /** Ends every run under way, with the outcome that the node was stopped. */
  stop(): void {
    for (const stop of [...this.#stops]) stop()
  }

  async #call(request: ScriptEvaluationRequest): Promise<unknown> {
    return this.#evaluator(request)
  }
}

/** Returns the outputs that scripts see, and the collateral, in the ledger's order and each once. */
function entriesOf({ spent, referenced, collateral }: TxWithScripts): LedgerEntry[] {
  return [...new Set([...spent, ...referenced, ...collateral])]
}
