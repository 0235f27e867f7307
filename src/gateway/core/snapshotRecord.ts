import type { Snapshot, TransactionJson, TxOutJson, UTxOObject, WireRecord } from '../../bridge/inner.js'
import { getOwn, isRecord, snapshotChange, txEffect } from '../../bridge/inner.js'
import type { OutputsChange } from '../delta.js'
import { changeBetween, outputsOf } from '../delta.js'
import type { PendingDeposit, RecordPosition, SnapshotRecord, TouchedTx } from '../records.js'

/** State before a snapshot. */
export interface Before {
  readonly position: RecordPosition
  readonly utxo: ReadonlyMap<string, TxOutJson>
  /** `utxoToCommit` of the snapshot before. */
  readonly toCommit: UTxOObject | null
}

/** Returns the fields of a snapshot that the gateway uses; null for another value. */
export function readSnapshotRecord(value: unknown): Snapshot | null {
  if (!isRecord(value)) return null
  const headId = getOwn(value, 'headId')
  const number = getOwn(value, 'number')
  const confirmed = getOwn(value, 'confirmed') ?? []
  if (typeof headId !== 'string' || !Number.isSafeInteger(number) || !Array.isArray(confirmed)) return null
  const outputs = (name: string): UTxOObject | null => {
    const found = getOwn(value, name)
    return isRecord(found) ? (found as UTxOObject) : null
  }
  const version = getOwn(value, 'version')
  const utxo = outputs('utxo')
  const depositTxId = getOwn(value, 'depositTxId')
  return {
    headId,
    number: number as number,
    version: typeof version === 'number' ? version : 0,
    confirmed: confirmed.map(toTransaction),
    ...(utxo === null ? {} : { utxo }),
    utxoToCommit: outputs('utxoToCommit'),
    utxoToDecommit: outputs('utxoToDecommit'),
    ...(typeof depositTxId === 'string' || depositTxId === null ? { depositTxId } : {})
  }
}

/**
 * Returns the record of a SnapshotConfirmed; null where its effect on the outputs is unknown, because it carries no
 * outputs and its transactions do not show their effect.
 */
export function snapshotRecord(message: WireRecord, snapshot: Snapshot, before: Before): SnapshotRecord | null {
  const change =
    snapshot.utxo === undefined
      ? changeOfTransactions(snapshot, before)
      : changeBetween(before.utxo, outputsOf(snapshot))
  if (change === null) return null
  const { spent, made } = change
  const { headId, number, version = 0 } = snapshot
  return {
    kind: 'snapshot',
    headId,
    number,
    version,
    from: before.position.number,
    ...pendingDepositOf(snapshot),
    message: withoutOutputs(message),
    spent: Object.fromEntries(spent),
    made: Object.fromEntries(made),
    count: before.utxo.size - spent.size + made.size,
    txs: touchedTxs(snapshot.confirmed, before.utxo)
  }
}

/** Returns the deposit that a snapshot names. */
export function pendingDepositOf({ depositTxId, utxoToCommit }: Snapshot): PendingDeposit {
  return { ...(depositTxId === undefined ? {} : { depositTxId }), arriving: Object.keys(utxoToCommit ?? {}) }
}

function changeOfTransactions(snapshot: Snapshot, { utxo, toCommit, position }: Before): OutputsChange | null {
  // A commit of the same version that left the snapshot was dropped.
  const givenUp = snapshot.version === position.version ? toCommit : null
  const change = snapshotChange(snapshot, { has: (key) => utxo.has(key), spentByDecommit: () => undefined, givenUp })
  if (change === null) return null
  const { added, outputs, removed } = change
  return {
    spent: new Map(removed.map((key) => [key, utxo.get(key)!.address])),
    made: new Map(added.map((key, index) => [key, outputs[index] as TxOutJson]))
  }
}

function touchedTxs(confirmed: readonly TransactionJson[], utxo: ReadonlyMap<string, TxOutJson>): TouchedTx[] {
  const within = new Map<string, string>()
  return confirmed.map((transaction) => {
    const { txId } = transaction
    const effect = txEffect(transaction)
    if (effect === null) return { txId, spendsFrom: [], pays: [] }
    const spendsFrom = new Set(
      effect.spent.map((key) => utxo.get(key)?.address ?? within.get(key)).filter((address) => address !== undefined)
    )
    for (const [key, { address }] of effect.made) within.set(key, address)
    return {
      txId,
      spendsFrom: [...spendsFrom],
      pays: [...new Set([...effect.made.values()].map(({ address }) => address))]
    }
  })
}

function withoutOutputs(message: WireRecord): WireRecord {
  const { utxo: _, ...snapshot } = message['snapshot'] as WireRecord
  return { ...message, snapshot }
}

// Older messages name transactions by their ids alone.
function toTransaction(value: unknown): TransactionJson {
  if (typeof value === 'string') return { txId: value }
  const txId = isRecord(value) ? getOwn(value, 'txId') : undefined
  return { ...(isRecord(value) ? value : {}), txId: typeof txId === 'string' ? txId : '' } as TransactionJson
}
