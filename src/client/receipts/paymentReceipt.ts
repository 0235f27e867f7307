import { parseAddress } from '../../codec/address.js'
import { decodeAuxiliaryData } from '../../codec/auxiliaryData.js'
import { bytesToHex } from '../../codec/hex.js'
import type { Metadatum } from '../../codec/metadatum.js'
import { assertNoRepeatedEntries } from '../../codec/repeatedEntries.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { readVkeyWitnesses } from '../../codec/witnessSet.js'
import { isLayerError } from '../../errors/base.js'
import { blake2b224 } from '../../hash/blake2b.js'
import { decodeWitnesses } from '../../tx/inner.js'
import type { TxOutput, UTxO } from '../../types/utxo.js'
import type { TxChange } from '../txChange.js'
import { formatCursor } from './cursor.js'
import type { CursorPlace } from './cursor.js'
import { noteOf } from './noteOf.js'
import type { Receipt } from './types.js'

/** A receipt whose output was not compared with the head's outputs yet. */
export type UncheckedReceipt = Receipt

/** Addresses whose receipts are wanted, and those of the same owner. */
export interface WatchedAddresses {
  readonly receivers: ReadonlySet<string>
  readonly own: ReadonlySet<string>
  /** Key hashes of the own addresses: hex, 56 characters. */
  readonly ownKeys: ReadonlySet<string>
}

/** Collects the addresses of one owner. `ownAddresses`: further addresses besides the receivers. */
export function watchedAddresses(receivers: readonly string[], ownAddresses: readonly string[]): WatchedAddresses {
  const all = new Set([...receivers, ...ownAddresses])
  const keys = [...all].flatMap((address) => {
    const payment = address.startsWith('addr') ? parseAddress(address).payment : null
    return payment?.kind === 'key' ? [payment.hash] : []
  })
  return { receivers: new Set(receivers), own: all, ownKeys: new Set(keys) }
}

type OutputPlace = Extract<CursorPlace, { index: number }>

/**
 * Makes the receipt of a transaction's output; null when the output belongs to others. `from`: addresses of the inputs,
 * as known.
 * @throws {@link InvalidCborError} on a body with repeated entries, which can be read in two ways
 */
export function paymentReceipt(
  place: OutputPlace,
  { tx, output, from, verified }: ReceivedOutput,
  watched: WatchedAddresses
): UncheckedReceipt | null {
  const { id, index } = place
  if (!watched.receivers.has(output.address)) return null
  assertNoRepeatedEntries(tx.spans.bytes, tx.body)
  const senders = from.filter((address) => address !== null)
  const isComplete = senders.length === from.length
  const isOwn =
    senders.some((address) => watched.own.has(address)) || (!isComplete && isSignedBy(tx.spans, watched.ownKeys))
  const metadata = readable(() => metadataOf(tx.spans)) ?? new Map<bigint, Metadatum>()
  return {
    ...receiptOf(place, { input: { txHash: id, index }, output }),
    kind: 'payment',
    from: isComplete ? [...new Set(senders)] : null,
    datum: datumOf(output, tx.spans),
    metadata,
    note: noteOf(metadata),
    own: isOwn,
    verified
  }
}

/** An output of a transaction to one of the addresses. */
export interface ReceivedOutput {
  readonly tx: TxChange
  readonly output: TxOutput
  readonly from: readonly (string | null)[]
  readonly verified: boolean
}

function metadataOf({ bytes, auxiliaryData: span }: TransactionSpans): ReadonlyMap<bigint, Metadatum> {
  return span === null ? new Map() : decodeAuxiliaryData(bytes.subarray(span.start, span.end)).metadata
}

/**
 * Returns the output's inline datum, or the datum of its hash in the witness set; null where the bytes are not there.
 */
function datumOf({ inlineDatum, datumHash }: TxOutput, spans: TransactionSpans): string | null {
  if (inlineDatum !== undefined || datumHash === undefined) return inlineDatum ?? null
  const datums = readable(() => decodeWitnesses(spans).datums)
  return datums?.find(({ hash }) => hash === datumHash)?.cborHex ?? null
}

/** Returns null where a part cannot be read, because the ledger has accepted the payment all the same. */
function readable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isLayerError(error)) return null
    throw error
  }
}

/** Makes the receipt of an output that a deposit brought; null when the output belongs to others. */
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

/**
 * True when one of these keys has signed. That shows an own input whose address is not known, because it is older than
 * a rotated history.
 */
function isSignedBy(spans: TransactionSpans, keys: ReadonlySet<string>): boolean {
  return readVkeyWitnesses(spans).some(({ vkey }) => keys.has(bytesToHex(blake2b224(vkey))))
}
