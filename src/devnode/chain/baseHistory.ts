import type { Span } from '../../codec/cbor/reader.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { readOptionalTag } from '../../codec/cbor/optional.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import { bytesToHex } from '../../codec/hex.js'
import { nativeScriptHash } from '../../codec/nativeScript.js'
import { readTransaction } from '../../codec/transaction.js'
import { TAG_SET } from '../../codec/transactionBody.js'
import { readNativeScripts, readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { ScriptRef } from '../../types/utxo.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import { plutusHashOf } from '../rules/plutusScript.js'
import { scriptCbor } from '../rules/scriptHash.js'
import type { LedgerEntry } from '../rules/utxoSet.js'

/** A transaction that the base ledger has accepted. */
export interface BaseTransaction {
  readonly txId: string
  /** Slot of its block. */
  readonly slot: number
  /** Position in its block, from 0. */
  readonly index: number
  /** Outputs that it has spent, in the order of its inputs. */
  readonly spent: readonly LedgerEntry[]
  /** Outputs of its collateral inputs; they are spent only when `valid` is false, and are then in `spent` as well. */
  readonly collateral: readonly LedgerEntry[]
  /** Outputs that it refers to. */
  readonly referred: readonly LedgerEntry[]
  readonly outputs: readonly LedgerEntry[]
  /** False when the transaction's scripts failed, so that its collateral was spent. */
  readonly valid: boolean
  /** The submitted transaction; null for funds and for the transactions of a head, which the node makes itself. */
  readonly submitted: SubmittedTx | null
}

/** Contents of a submitted transaction. */
export interface SubmittedTx {
  readonly bytes: Uint8Array
  readonly fee: bigint
  readonly ttl: bigint | undefined
  readonly validityStart: bigint | undefined
  /** Units that it mints or burns. */
  readonly mint: ReadonlyMap<string, bigint>
  readonly withdrawals: number
  /** Scripts among its witnesses, by hash. */
  readonly scripts: ReadonlyMap<string, ScriptRef>
  /** Datums among its witnesses, by hash: CBOR hex. */
  readonly datums: ReadonlyMap<string, string>
  /** Number of its redeemers. */
  readonly redeemers: number
}

/** The transaction that has spent an output, and by which input. */
export interface Spending {
  readonly tx: BaseTransaction
  /** Position among the inputs. */
  readonly inputIndex: number
}

/** Most transactions kept; the oldest are dropped first. */
const MAX_TRANSACTIONS = 10_000
/** Most bytes of submitted transactions kept. */
const MAX_BYTES = 32 * 1024 * 1024

/** The newest transactions of the base ledger, within bounds of number and size, for indexers and block explorers. */
export class BaseHistory {
  readonly #transactions = new Map<string, BaseTransaction & { readonly outputs: LedgerEntry[] }>()
  /**
   * The only iterator that is ever used, because a new one would pass all deleted entries again. The newest transaction
   * is never deleted, so the iterator never ends.
   */
  #oldest = this.#transactions.values()
  readonly #spendings = new Map<string, Spending>()
  /** Most transactions kept. */
  readonly limit: number
  #bytes = 0
  #onAdd: ((txId: string) => void) | null = null
  #slot = -1
  #index = 0

  constructor(limit: number = MAX_TRANSACTIONS) {
    this.limit = limit
  }

  /** Calls `onAdd` with the id of each transaction that is added, or gains outputs, from now on. */
  follow(onAdd: (txId: string) => void): void {
    this.#onAdd = onAdd
  }

  /** Returns every transaction, the oldest first. */
  transactions(): IterableIterator<BaseTransaction> {
    return this.#transactions.values()
  }

  /** Replaces the history by these transactions, the oldest first, as far as the bounds allow. */
  restore(transactions: readonly BaseTransaction[]): void {
    this.#transactions.clear()
    this.#oldest = this.#transactions.values()
    this.#spendings.clear()
    this.#bytes = 0
    for (const each of transactions) this.#put(each as BaseTransaction & { readonly outputs: LedgerEntry[] })
    const last = transactions.at(-1)
    this.#slot = last?.slot ?? -1
    this.#index = last === undefined ? 0 : last.index + 1
  }

  get(txId: string): BaseTransaction | undefined {
    return this.#transactions.get(txId)
  }

  /** Returns the transaction that has spent an output, by the output's reference. */
  spending(ref: string): Spending | undefined {
    return this.#spendings.get(ref)
  }

  /** Adds a transaction; one whose id is known already gains the outputs instead, as genesis places them one by one. */
  add(entry: Omit<BaseTransaction, 'index'>): void {
    const existing = this.#transactions.get(entry.txId)
    if (existing !== undefined) {
      for (const output of entry.outputs) existing.outputs.push(output)
      this.#onAdd?.(entry.txId)
      return
    }
    if (entry.slot !== this.#slot) this.#index = 0
    this.#slot = entry.slot
    this.#put({ ...entry, outputs: [...entry.outputs], index: this.#index++ })
    this.#onAdd?.(entry.txId)
  }

  #put(tx: BaseTransaction & { readonly outputs: LedgerEntry[] }): void {
    this.#transactions.set(tx.txId, tx)
    tx.spent.forEach(({ ref }, inputIndex) => this.#spendings.set(ref, { tx, inputIndex }))
    this.#bytes += tx.submitted?.bytes.length ?? 0
    while (this.#transactions.size > 1 && (this.#transactions.size > this.limit || this.#bytes > MAX_BYTES))
      this.#forget(this.#oldest.next().value!)
  }

  #forget(tx: BaseTransaction): void {
    this.#transactions.delete(tx.txId)
    for (const { ref } of tx.spent) this.#spendings.delete(ref)
    this.#bytes -= tx.submitted?.bytes.length ?? 0
  }
}

/** Returns the part of a transaction that the history keeps. */
export function submittedTx(tx: PreparedTx): SubmittedTx {
  const { bytes, fee, ttl, validityStart, mint, withdrawals } = tx
  return { bytes, fee, ttl, validityStart, mint, withdrawals: withdrawals.length, ...witnessContent(bytes) }
}

const PLUTUS_KEYS: readonly (readonly [number, PlutusLanguage])[] = [
  [WITNESS_KEY.PLUTUS_V1, 'PlutusV1'],
  [WITNESS_KEY.PLUTUS_V2, 'PlutusV2'],
  [WITNESS_KEY.PLUTUS_V3, 'PlutusV3']
]

function witnessContent(bytes: Uint8Array): Pick<SubmittedTx, 'scripts' | 'datums' | 'redeemers'> {
  const spans = readTransaction(bytes)
  const entries = readWitnessEntries(spans)
  const items = (key: number, read: (reader: CborReader) => void): void => {
    const span = entries.get(key)
    if (span === undefined) return
    const reader = new CborReader(bytes, 'The witness set', span.start, span.end)
    readOptionalTag(reader, TAG_SET)
    reader.eachItem(() => read(reader))
  }
  const scripts = new Map<string, ScriptRef>()
  for (const { start, end } of readNativeScripts(spans)) {
    const cbor = bytes.subarray(start, end)
    scripts.set(nativeScriptHash(cbor), { language: 'native', cborHex: bytesToHex(cbor) })
  }
  for (const [key, language] of PLUTUS_KEYS) {
    items(key, (reader) => {
      const script = reader.readBytes()
      scripts.set(plutusHashOf({ language, bytes: script }), { language, cborHex: scriptCbor(script) })
    })
  }
  const datums = new Map<string, string>()
  items(WITNESS_KEY.DATA, (reader) => {
    const { start, end } = reader.skip()
    const datum = bytes.subarray(start, end)
    datums.set(bytesToHex(blake2b256(datum)), bytesToHex(datum))
  })
  return { scripts, datums, redeemers: countRedeemers(bytes, entries.get(WITNESS_KEY.REDEEMERS)) }
}

/** Counts the redeemers of a witness set, which form a list or, since Conway, a map. */
export function countRedeemers(bytes: Uint8Array, span: Span | undefined): number {
  if (span === undefined) return 0
  const reader = new CborReader(bytes, 'The redeemers', span.start, span.end)
  let count = 0
  const skip = (): void => {
    reader.skip()
    count++
  }
  if (reader.peekMajor() === MAJOR.MAP) {
    reader.eachEntry(() => {
      reader.skip()
      skip()
    })
  } else reader.eachItem(skip)
  return count
}
