import type { TxOutJson } from '../../bridge/protocol/types.js'
import type { BaseRecord, OutRecord, ResetRecord, SnapshotPosition } from '../records.js'

/**
 * The head as the records of its log leave it. Core and edges follow the same records, so they come to the same state.
 */
export class LoggedHead {
  /** Greetings without `snapshotUtxo`; null before the first. */
  greetings: Readonly<Record<string, unknown>> | null = null
  /** Snapshot of {@link utxo}; null while there is no head. */
  position: SnapshotPosition | null = null
  /** Outputs of the snapshot, by key. */
  readonly utxo: Map<string, TxOutJson> = new Map()
  /** Whether the core is connected to the node. */
  connected = false

  /** Takes over a state as a whole. */
  load({ position, utxo, greetings }: Pick<BaseRecord, 'position' | 'utxo' | 'greetings'>): void {
    this.position = position
    this.greetings = greetings
    this.utxo.clear()
    for (const key of Object.keys(utxo)) this.utxo.set(key, utxo[key]!)
  }

  /** Follows one record. */
  apply(record: OutRecord): void {
    switch (record.kind) {
      case 'snapshot': {
        const { headId, number, version, spent, made } = record
        this.position = { headId, number, version }
        for (const key of Object.keys(spent)) this.utxo.delete(key)
        for (const key of Object.keys(made)) this.utxo.set(key, made[key]!)
        return
      }
      case 'reset':
        return this.load(record)
      case 'message':
        this.greetings = record.greetings ?? this.greetings
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

  /** State as a record. */
  reset(reason: ResetRecord['reason']): ResetRecord {
    return {
      kind: 'reset',
      reason,
      position: this.position,
      utxo: Object.fromEntries(this.utxo),
      greetings: this.greetings ?? {}
    }
  }
}
