import type { PayloadOf } from '../protocol/messages.js'
import type { TxOutJson, UTxOObject } from '../protocol/types.js'
import { UnitCache } from '../protocol/utxoJson.js'
import { sumOutputs } from './balance.js'
import { dropOldestBeyond } from './limits.js'

/** Maximum number of deposits whose outputs are remembered. */
const MAX_RECORDED = 1_000

/** A snapshot's part about the deposit that it includes. */
export interface CommitPart {
  readonly utxoToCommit?: UTxOObject | null
  readonly depositTxId?: string | null | undefined
}

/**
 * Outputs of the pending deposit. A snapshot includes them already, but they can be spent only once the base ledger has
 * moved the deposit into the head, which CommitFinalized reports. Snapshots do not show that in time, because the next
 * one comes only with the next transaction.
 */
export class Arriving {
  #outputs: UTxOObject = {}
  #depositTxId: string | null | undefined
  /**
   * `unsure`: a requested snapshot names the deposit, which may have entered the head long ago. It counts as in the
   * head until the list of deposits that are pending on the base ledger is known.
   */
  #state: 'pending' | 'unsure' | 'final' = 'final'
  readonly #recorded = new Map<string, readonly string[]>()

  /** True when the outcome of the deposit has to be requested. */
  get isUnsure(): boolean {
    return this.#state === 'unsure'
  }

  /** Deposit of the outputs, where the snapshot names it. */
  get depositTxId(): string | null | undefined {
    return this.#depositTxId
  }

  /** Returns true when an output belongs to the pending deposit, so that it cannot be spent yet. */
  has(key: string): boolean {
    return this.#state === 'pending' && Object.hasOwn(this.#outputs, key)
  }

  /** Returns the pending amounts of an address by unit, as a Map that the caller may change. */
  sumOf(address: string): Map<string, bigint> {
    const outputs =
      this.#state === 'pending'
        ? Object.values(this.#outputs).filter((output: TxOutJson) => output.address === address)
        : []
    return sumOutputs(outputs, new UnitCache())
  }

  /**
   * Applies the pending deposit that a snapshot states. `isNew`: true when it came as a message, false when it was
   * requested.
   */
  follow({ utxoToCommit, depositTxId }: CommitPart, isNew: boolean): void {
    const outputs = utxoToCommit ?? {}
    const keys = Object.keys(outputs)
    const isSame = keys.length > 0 && keys.every((key) => Object.hasOwn(this.#outputs, key))
    this.#outputs = outputs
    this.#depositTxId = depositTxId
    if (keys.length === 0) this.#state = 'final'
    else if (!isSame) this.#state = isNew ? 'pending' : 'unsure'
  }

  /** Remembers the outputs of a deposit that is on the base ledger. */
  record({ pendingDeposit, utxoToCommit }: PayloadOf<'CommitRecorded'>): void {
    dropOldestBeyond(this.#recorded.set(pendingDeposit, Object.keys(utxoToCommit ?? {})), MAX_RECORDED)
  }

  /** Notes that a deposit is in the head. @returns true when that changes the shown state */
  finalize(depositTxId: string): boolean {
    const recorded = this.#recorded.get(depositTxId)
    const keys = Object.keys(this.#outputs)
    const isOurs =
      typeof this.#depositTxId === 'string'
        ? this.#depositTxId === depositTxId
        : recorded === undefined || recorded.some((key) => keys.includes(key))
    return isOurs && this.settle(false)
  }

  /** Notes whether the deposit is pending on the base ledger. @returns true when that changes the shown state */
  settle(isPending: boolean): boolean {
    const before = this.#state
    if (Object.keys(this.#outputs).length > 0) this.#state = isPending ? 'pending' : 'final'
    return (before === 'pending') !== (this.#state === 'pending')
  }
}
