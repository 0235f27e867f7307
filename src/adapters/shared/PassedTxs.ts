import type { LayerBridge } from '../../bridge/inner.js'
import { CborReader } from '../../codec/cbor/reader.js'
import { readOptionalTag } from '../../codec/cbor/optional.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { decodeTransactionBody, TAG_SET } from '../../codec/transactionBody.js'
import { readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { blake2b256 } from '../../hash/blake2b.js'

/** Limits of the kept transactions: their number, and their hex characters in total. */
const MAX_TXS = 1_000
const MAX_HEX_CHARACTERS = 8_000_000

/** A transaction that the node accepted. */
export interface PassedTx {
  readonly cborHex: string
  /** Arrival of the message, ms since the Unix epoch. */
  readonly at: number
}

/**
 * Cache of the latest transactions that the node accepted since the adapter was created. It is needed because the head
 * itself keeps neither transactions nor datums by hash.
 */
export class PassedTxs {
  readonly #txs = new Map<string, PassedTx>()
  #characters = 0

  constructor(bridge: LayerBridge) {
    bridge.observe({
      background: true,
      onMessage: (payload) => {
        // Nodes to 0.20 send a transaction with its verdict, later ones with the snapshot alone.
        if (payload.tag === 'TxValid') this.#keepIfWhole(payload.transaction)
        else if (payload.tag === 'SnapshotConfirmed') payload.snapshot.confirmed.forEach((tx) => this.#keepIfWhole(tx))
      }
    })
  }

  /** Returns a transaction by its id. @throws {@link InvalidArgumentError} when the transaction is not kept */
  get(txId: string): PassedTx {
    const tx = this.find(txId)
    if (tx !== undefined) return tx
    throw new InvalidArgumentError(
      'hash',
      'a transaction that the head accepted since the provider was created, one of the latest 1000',
      txId
    )
  }

  /** Returns a transaction by its id; undefined when it is not kept. */
  find(txId: string): PassedTx | undefined {
    return this.#txs.get(txId.toLowerCase())
  }

  /**
   * Returns the datum with a hash, CBOR hex, from the witnesses and outputs of the kept transactions.
   *
   * @throws {@link InvalidArgumentError} when none of them has it
   */
  datum(hash: string): string {
    const datumHash = hash.toLowerCase()
    for (const { cborHex } of [...this.#txs.values()].reverse())
      for (const datum of datumsOf(readTransaction(toTransactionBytes(cborHex))))
        if (bytesToHex(blake2b256(datum)) === datumHash) return bytesToHex(datum)
    throw new InvalidArgumentError(
      'datumHash',
      'a datum that stood in a transaction since the provider was created, one of the latest 1000',
      hash
    )
  }

  #keepIfWhole({ txId, cborHex }: { readonly txId?: unknown; readonly cborHex?: unknown }): void {
    if (typeof txId === 'string' && typeof cborHex === 'string' && cborHex !== '') this.keep(txId, cborHex)
  }

  /** Keeps a transaction. `txId`: hex, 64 characters, lower case. */
  keep(txId: string, cborHex: string): void {
    if (this.#txs.has(txId)) return
    this.#txs.set(txId, { cborHex, at: Date.now() })
    this.#characters += cborHex.length
    while (this.#txs.size > MAX_TXS || (this.#characters > MAX_HEX_CHARACTERS && this.#txs.size > 1))
      this.#drop(this.#txs.keys().next().value!)
  }

  #drop(txId: string): void {
    this.#characters -= this.#txs.get(txId)?.cborHex.length ?? 0
    this.#txs.delete(txId)
  }
}

function* datumsOf(spans: TransactionSpans): Generator<Uint8Array> {
  const span = readWitnessEntries(spans).get(WITNESS_KEY.DATA)
  const datums: Uint8Array[] = []
  if (span !== undefined) {
    const reader = new CborReader(spans.bytes, 'The witness set', span.start, span.end)
    readOptionalTag(reader, TAG_SET)
    reader.eachItem(() => datums.push(reader.slice(reader.skip())))
  }
  yield* datums
  for (const { inlineDatum } of decodeTransactionBody(spans).outputs)
    if (inlineDatum !== undefined) yield hexToBytes(inlineDatum)
}
