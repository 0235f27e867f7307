import { fail, isPlainRecord, ownMember, readOutput } from '../accumulator/inner.js'
import { isLayerError } from '../errors/base.js'
import type { Value } from '../codec/value.js'
import type { CheckedSnapshot } from './snapshotMessage.js'
import { readSnapshot } from './snapshotMessage.js'

/**
 * Reason why a snapshot does not follow from the one before it. Stable.
 *
 * - `input`: one of the two snapshots cannot be read, or has no outputs
 * - `head`: they belong to different heads
 * - `number`, `version`: the numbers or versions do not follow one another
 * - `transaction`: a transaction cannot be read, has another id than its bytes, or spends an output that is not there
 * - `witness`: an owner of an input has not signed a transaction
 * - `value`: a transaction makes more or less than it spends
 * - `utxo`: the outputs are not those that the transactions leave
 * - `deposit`, `decommit`: the pending outputs, their deposit id or their transaction differ from the expected
 */
export type TransitionReason =
  'input' | 'head' | 'number' | 'version' | 'transaction' | 'witness' | 'value' | 'utxo' | 'deposit' | 'decommit'

/** Options of {@link followsFrom}. */
export interface TransitionOptions {
  /**
   * Transactions of decommits as the node writes them (`DecommitRequested.decommitTx`). @default none: only the sums
   * are checked, with a fee of up to 5 ada
   */
  readonly decommits?: readonly unknown[] | undefined
}

/** The answer of `followsFrom`. */
export type TransitionVerdict =
  | {
      /** True: everything that differs is explained. */
      readonly ok: true
      /** Fees of the second snapshot's transactions, that of a decommit included: lovelace. */
      readonly fees: bigint
      /** Ids of decommits whose transaction was not passed, so that only their sums were checked. */
      readonly unread: readonly string[]
    }
  | {
      /** False: something is not explained. */
      readonly ok: false
      /** Reason, as a code that stays stable across versions. */
      readonly reason: TransitionReason
      /** Reason in words, with the output or transaction concerned. */
      readonly detail: string
    }

/** One of the two snapshots. */
export interface TransitionSide extends CheckedSnapshot {
  readonly hasDecommit: boolean
  /** The snapshot, as received. */
  readonly given: Readonly<Record<string, unknown>>
}

/** Both snapshots, and the transactions of the second. */
export interface TransitionSides {
  readonly previous: TransitionSide
  readonly next: TransitionSide
  readonly confirmed: readonly unknown[]
}

class Unexplained extends Error {
  readonly reason: TransitionReason

  constructor(reason: TransitionReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** Ends the check with a reason, by throwing. */
export function refuseTransition(reason: TransitionReason, detail: string): never {
  throw new Unexplained(reason, detail)
}

/** Runs the check and turns an error that it throws into a negative verdict. */
export async function verdictOfTransition(check: () => Promise<TransitionVerdict>): Promise<TransitionVerdict> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof Unexplained) return { ok: false, reason: error.reason, detail: error.message }
    return { ok: false, reason: 'input', detail: isLayerError(error) ? error.message : 'A snapshot cannot be read.' }
  }
}

/** Reads both snapshots and the transactions of the second. @throws {@link VerificationError} */
export function readTransition(previous: unknown, next: unknown): TransitionSides {
  const [before, after] = [sideOf(previous, 'The snapshot before'), sideOf(next, 'The snapshot')]
  const confirmed = ownMember(after.given, 'confirmed')
  return {
    previous: before,
    next: after,
    confirmed: Array.isArray(confirmed)
      ? confirmed
      : fail('input', 'The confirmed of the snapshot', 'a list', confirmed)
  }
}

function sideOf(snapshot: unknown, what: string): TransitionSide {
  const given = isPlainRecord(snapshot) ? snapshot : fail('input', what, 'an object', snapshot)
  // A history of one head need not name it in each snapshot.
  const read = readSnapshot(ownMember(given, 'headId') === undefined ? { ...given, headId: '00'.repeat(28) } : given)
  if (read.utxo === undefined) return fail('input', what, 'a snapshot with its utxo', undefined)
  return { ...read, given, hasDecommit: ownMember(given, 'utxoToDecommit') !== undefined }
}

/** Yields the amounts of a snapshot's outputs, pending ones included, by key. */
export function* amountsOf({ given }: TransitionSide): Generator<[string, Value]> {
  for (const set of ['utxo', 'utxoToCommit', 'utxoToDecommit']) {
    const outputs = ownMember(given, set)
    const entries: [string, unknown][] = Array.isArray(outputs)
      ? outputs.map(({ input, output }: { input: { txHash: string; index: number }; output: unknown }) => [
          `${input.txHash}#${input.index}`,
          output
        ])
      : Object.entries(isPlainRecord(outputs) ? outputs : {})
    for (const [key, output] of entries) {
      const { lovelace, assets } = readOutput(output)
      const value: Value = new Map([['lovelace', lovelace]])
      for (const [policy, names] of assets)
        for (const [name, quantity] of names) value.set(`${policy}${name}`, quantity)
      yield [key, value]
    }
  }
}
