import type { TxOutJson } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'
import type { BaseRecord, OutRecord, PendingDeposit, ResetRecord, RecordPosition } from '../records.js'
import { tagOf } from './nodeMessage.js'

/** State of a head after the records of its log. Core and edges apply the same records, so they have the same state. */
export class LoggedHead {
  /** Greetings without `snapshotUtxo`; null before the first. */
  greetings: Readonly<Record<string, unknown>> | null = null
  /** Snapshot of {@link utxo}; null while there is no head. */
  position: RecordPosition | null = null
  /** Outputs of the snapshot, by key. */
  readonly utxo: Map<string, TxOutJson> = new Map()
  /** The deposit that the snapshot names, until it is final. */
  deposit: PendingDeposit = {}
  /** True while the core is connected to the node. */
  connected = false

  /** Replaces the state as a whole. */
  load({
    position,
    utxo,
    greetings,
    depositTxId,
    arriving
  }: Pick<BaseRecord, 'position' | 'utxo' | 'greetings'> & PendingDeposit): void {
    this.deposit = toDeposit(depositTxId, arriving)
    this.position = position
    this.greetings = greetings
    this.utxo.clear()
    for (const key of Object.keys(utxo)) this.utxo.set(key, utxo[key]!)
  }

  /** Applies one record. */
  apply(record: OutRecord): void {
    switch (record.kind) {
      case 'snapshot': {
        const { headId, number, version, spent, made } = record
        this.position = { headId, number, version }
        this.deposit = toDeposit(record.depositTxId, record.arriving ?? arrivingIn(record.message))
        for (const key of Object.keys(spent)) this.utxo.delete(key)
        for (const key of Object.keys(made)) this.utxo.set(key, made[key]!)
        return
      }
      case 'reset':
        return this.load(record)
      case 'message':
        this.greetings = record.greetings ?? this.greetings
        this.#finalize(record.message)
        return
      case 'upstream':
        this.connected = record.connected
        return
      case 'sending':
      case 'taken':
      case 'verdict':
        return
    }
  }

  // The snapshot goes on naming the deposit until the next one.
  #finalize(message: Readonly<Record<string, unknown>>): void {
    if (tagOf(message) !== 'CommitFinalized') return
    const { depositTxId } = this.deposit
    const isSame = (getOwn(message, 'depositTxId') ?? getOwn(message, 'theDeposit')) === depositTxId
    if (isSame || typeof depositTxId !== 'string') this.deposit = {}
  }

  /** Returns the state as a record. */
  reset(reason: ResetRecord['reason']): ResetRecord {
    return {
      kind: 'reset',
      reason,
      position: this.position,
      utxo: Object.fromEntries(this.utxo),
      greetings: this.greetings ?? {},
      ...this.deposit
    }
  }
}

function toDeposit(depositTxId: string | null | undefined, arriving: readonly string[] = []): PendingDeposit {
  if (arriving.length === 0) return {}
  return { ...(depositTxId === undefined ? {} : { depositTxId }), arriving }
}

function arrivingIn(message: Readonly<Record<string, unknown>> | null): string[] {
  const snapshot = message?.['snapshot']
  const outputs = isRecord(snapshot) ? getOwn(snapshot, 'utxoToCommit') : undefined
  return isRecord(outputs) ? Object.keys(outputs) : []
}
