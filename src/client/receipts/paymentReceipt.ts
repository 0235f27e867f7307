import { parseAddress } from '../../codec/address.js'
import { bytesToHex } from '../../codec/hex.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readVkeyWitnesses } from '../../codec/witnessSet.js'
import { isLayerError } from '../../errors/base.js'
import { blake2b224 } from '../../hash/blake2b.js'
import { decodeTransaction } from '../../tx/inner.js'
import type { TxOutput, UTxO } from '../../types/utxo.js'
import { formatCursor } from './cursor.js'
import type { CursorPlace } from './cursor.js'
import { noteOf } from './noteOf.js'
import type { Receipt } from './types.js'

/** A receipt before its output is looked for in the head's outputs. */
export type UncheckedReceipt = Receipt

/** Addresses whose receipts are wanted, and those of the same owner. */
export interface WatchedAddresses {
  readonly receivers: ReadonlySet<string>
  readonly own: ReadonlySet<string>
  /** Key hashes of the own addresses: hex, 56 characters. */
  readonly ownKeys: ReadonlySet<string>
}

/** Collects the addresses of one owner. `own`: beside the receivers. */
export function watchedAddresses(receivers: readonly string[], own: readonly string[]): WatchedAddresses {
  const all = new Set([...receivers, ...own])
  const keys = [...all].flatMap((address) => {
    const payment = address.startsWith('addr') ? parseAddress(address).payment : null
    return payment?.kind === 'key' ? [payment.hash] : []
  })
  return { receivers: new Set(receivers), own: all, ownKeys: new Set(keys) }
}

/** The references of a transaction, and its bytes for those whom it pays. */
export interface TxChange {
  readonly cborHex: string
  /** `txHash#index` */
  readonly inputs: readonly string[]
  readonly outputs: readonly TxOutput[]
}

/** Reads the effect of a transaction on the outputs; null where it is not known. */
export function readTxChange(txId: string, cborHex: string | undefined): TxChange | null {
  if (cborHex === undefined) return null
  try {
    const body = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex)))
    return { cborHex, inputs: body.inputs.map(({ txHash, index }) => `${txHash}#${index}`), outputs: body.outputs }
  } catch (error) {
    if (isLayerError(error)) return null
    throw error
  }
}

type OutputPlace = Extract<CursorPlace, { index: number }>

/** A receipt of an output of a transaction; null for one to others. `from`: addresses of its inputs, as known. */
export function paymentReceipt(
  place: OutputPlace,
  { tx, from, verified }: { tx: TxChange; from: readonly (string | null)[]; verified: boolean },
  watched: WatchedAddresses
): UncheckedReceipt | null {
  const { id, index } = place
  const output = tx.outputs[index]!
  if (!watched.receivers.has(output.address)) return null
  const known = from.filter((address) => address !== null)
  const isComplete = known.length === from.length
  const own =
    known.some((address) => watched.own.has(address)) || (!isComplete && isSignedBy(tx.cborHex, watched.ownKeys))
  const { metadata, datums } = decodeTransaction(tx.cborHex)
  const datum = output.inlineDatum ?? datums.find(({ hash }) => hash === output.datumHash)?.cborHex ?? null
  return {
    ...receiptOf(place, { input: { txHash: id, index }, output }),
    kind: 'payment',
    from: isComplete ? [...new Set(known)] : null,
    datum,
    metadata,
    note: noteOf(metadata),
    own,
    verified
  }
}

/** A receipt of an output that a deposit brought; null for one to others. */
export function depositReceipt(place: OutputPlace, utxo: UTxO, watched: WatchedAddresses): UncheckedReceipt | null {
  if (!watched.receivers.has(utxo.output.address)) return null
  return {
    ...receiptOf(place, utxo),
    kind: 'deposit',
    from: null,
    datum: utxo.output.inlineDatum ?? null,
    metadata: new Map(),
    note: null,
    own: false,
    verified: false
  }
}

function receiptOf(
  place: OutputPlace,
  utxo: UTxO
): Pick<Receipt, 'cursor' | 'headId' | 'txId' | 'index' | 'utxo' | 'to' | 'amount' | 'snapshotNumber'> {
  const { headId, snapshotNumber, id, index } = place
  const { address, amount } = utxo.output
  return { cursor: formatCursor(place), headId, txId: id, index, utxo, to: address, amount, snapshotNumber }
}

/** Inputs of before a rotated history have no known address: to spend one of a key, this key has to sign. */
function isSignedBy(cborHex: string, keys: ReadonlySet<string>): boolean {
  return readVkeyWitnesses(readTransaction(toTransactionBytes(cborHex))).some(({ vkey }) =>
    keys.has(bytesToHex(blake2b224(vkey)))
  )
}
