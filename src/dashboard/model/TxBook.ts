import type { LayerPayload, UTxOObject } from '../../bridge/index.js'
import { utxoFromJson } from '../../bridge/index.js'
import type { TxOutput, UTxO } from '../../client/index.js'
import { isLayerError } from '../../errors/base.js'
import { decodeTransaction } from '../../tx/inner.js'
import type { DecodedTransaction } from '../../tx/inner.js'
import { MAX_TX_ROWS } from './TxLog.js'

/** Most characters of transaction hex that are kept; each uses about a byte of memory. */
const MAX_CHARACTERS = 24_000_000
/** Most outputs that are kept of those whose creating transaction is not kept. */
const MAX_OUTPUTS = 50_000

/** Outputs that a transaction spends and makes. */
export interface TxMoves {
  /** References, `'txHash#index'`. */
  readonly spends: readonly string[]
  readonly makes: readonly UTxO[]
}

/**
 * Keeps the bytes of the newest transactions, and outputs that they may spend, because the node forgets spent outputs.
 */
export class TxBook {
  readonly #bytes = new Map<string, string>()
  readonly #decoded = new Map<string, DecodedTransaction | null>()
  readonly #outputs = new Map<string, TxOutput>()
  readonly #undecoded = new Set<string>()
  #characters = 0

  /** Keeps the bytes of transactions, and the outputs that deposits and openings bring. */
  apply(payload: LayerPayload): void {
    switch (payload.tag) {
      case 'TxValid':
      case 'TxInvalid':
        return this.#keep(payload.transaction?.txId, payload.transaction?.cborHex)
      case 'SnapshotConfirmed':
        for (const { txId, cborHex } of payload.snapshot.confirmed) this.#keep(txId, cborHex)
        return
      case 'DecommitRequested':
        return this.#keep(payload.decommitTx.txId, payload.decommitTx.cborHex)
      case 'HeadIsOpen':
        return this.#keepJson(payload.utxo)
      case 'CommitRecorded':
        return this.#keepJson(payload.utxoToCommit)
      default:
    }
  }

  /** Keeps outputs of the head, for the transactions that will spend them. */
  keepOutputs(utxos: readonly UTxO[]): void {
    for (const { input, output } of utxos)
      if (!this.#bytes.has(input.txHash)) this.#outputs.set(`${input.txHash}#${input.index}`, output)
    for (const oldest of this.#outputs.keys()) {
      if (this.#outputs.size <= MAX_OUTPUTS) return
      this.#outputs.delete(oldest)
    }
  }

  /** Ids of the transactions whose bytes are kept, oldest first. */
  get ids(): Iterable<string> {
    return this.#bytes.keys()
  }

  /** Returns a transaction; null where its bytes are not kept, cannot be read, or are those of another id. */
  decode(txId: string): DecodedTransaction | null {
    const cached = this.#decoded.get(txId)
    if (cached !== undefined) return cached
    const cborHex = this.#bytes.get(txId)
    if (cborHex === undefined) return null
    const decoded = readBytes(txId, cborHex)
    this.#decoded.set(txId, decoded)
    this.#undecoded.delete(txId)
    return decoded
  }

  /** Decodes up to `budget` further transactions, the newest first. Returns true when all are decoded. */
  index(budget: number): boolean {
    for (const txId of [...this.#undecoded].reverse().slice(0, budget)) this.decode(txId)
    return this.#undecoded.size === 0
  }

  /** Returns a transaction that has been decoded before, else null; {@link index} decodes all of them, step by step. */
  indexed(txId: string): DecodedTransaction | null {
    return this.#decoded.get(txId) ?? null
  }

  /** True where the received bytes of a transaction cannot be read, or belong to a different transaction. */
  isUnreadable(txId: string): boolean {
    return this.#bytes.has(txId) && this.decode(txId) === null
  }

  /** Returns an output that was seen, even if it is spent by now; null for any other. */
  outputOf(txHash: string, index: number): TxOutput | null {
    const maker = this.decode(txHash)
    const made = maker === null ? undefined : effectOf(maker).makes.find(({ input }) => input.index === index)
    return made?.output ?? this.#outputs.get(`${txHash}#${index}`) ?? null
  }

  #keep(txId: string | undefined, cborHex: string | undefined): void {
    if (typeof txId !== 'string' || typeof cborHex !== 'string' || cborHex === '' || this.#bytes.has(txId)) return
    this.#bytes.set(txId, cborHex)
    this.#undecoded.add(txId)
    this.#characters += cborHex.length
    for (const [oldest, bytes] of this.#bytes) {
      if (this.#bytes.size <= MAX_TX_ROWS && this.#characters <= MAX_CHARACTERS) return
      this.#bytes.delete(oldest)
      this.#decoded.delete(oldest)
      this.#undecoded.delete(oldest)
      this.#characters -= bytes.length
    }
  }

  #keepJson(utxo: UTxOObject | undefined): void {
    try {
      this.keepOutputs(utxoFromJson(utxo ?? {}))
    } catch (error) {
      // What cannot be read stays unknown: the messages show it as it came.
      if (!isLayerError(error)) throw error
    }
  }
}

/** Returns the outputs that a transaction spends and makes; if its scripts fail, those of its collateral. */
export function effectOf(tx: DecodedTransaction): TxMoves {
  const { isValid, inputs, outputs, collateral, collateralReturn, txId } = tx
  const refOf = ({ txHash, index }: { txHash: string; index: number }): string => `${txHash}#${index}`
  if (isValid) return { spends: inputs.map(refOf), makes: outputs }
  return {
    spends: collateral.map(refOf),
    makes:
      collateralReturn === null ? [] : [{ input: { txHash: txId, index: outputs.length }, output: collateralReturn }]
  }
}

function readBytes(txId: string, cborHex: string): DecodedTransaction | null {
  try {
    const decoded = decodeTransaction(cborHex)
    // A node may send the bytes of another transaction under this id.
    return decoded.txId === txId ? decoded : null
  } catch (error) {
    if (isLayerError(error)) return null
    throw error
  }
}
