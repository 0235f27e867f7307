import { addressToString, baseAddress, enterpriseAddress } from '../../../src/codec/address.js'
import { CborWriter } from '../../../src/codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex.js'
import { parseJson, stringifyJson } from '../../../src/codec/json.js'
import { readTransaction, transactionId } from '../../../src/codec/transaction.js'
import { encodeTxOutput } from '../../../src/codec/txOutput.js'
import type { LayerPayload } from '../../../src/bridge/protocol/messages.js'
import type { TransactionJson, UTxOObject } from '../../../src/bridge/protocol/types.js'
import { decodePayload } from '../../../src/bridge/protocol/decode.js'
import { outputToJson, parseInputKey } from '../../../src/bridge/protocol/utxoJson.js'
import type { TxOutput } from '../../../src/types/utxo.js'
import { randomSource } from '../../support/random'

/** A transaction of the model, as the node shows it. */
export function modelTx(
  inputs: readonly string[],
  outputs: readonly TxOutput[],
  salt = 0
): Required<Omit<TransactionJson, 'verified'>> {
  const writer = new CborWriter().array(4).map(3).uint(0).tag(258).array(inputs.length)
  for (const key of inputs) {
    const { txHash, index } = parseInputKey(key)
    writer.array(2).bytes(hexToBytes(txHash)).uint(index)
  }
  writer.uint(1).array(outputs.length)
  for (const output of outputs) writer.raw(encodeTxOutput(output))
  const cborHex = bytesToHex(writer.uint(2).uint(salt).map(0).bool(true).null().toBytes())
  return { type: 'Tx ConwayEra', description: '', cborHex, txId: transactionId(readTransaction(hexToBytes(cborHex))) }
}

/** The outputs of a transaction by key. */
function made(txId: string, outputs: readonly TxOutput[]): [string, TxOutput][] {
  return outputs.map((output, index) => [`${txId}#${index}`, output])
}

const toUtxo = (outputs: Iterable<[string, TxOutput]>): UTxOObject =>
  Object.fromEntries(
    [...outputs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, output]) => [key, outputToJson(output)])
  )

/** A head as the node keeps it, with its messages as they come over the wire; what happens is random and repeatable. */
export class ModelHead {
  readonly headId: string
  readonly utxo = new Map<string, TxOutput>()
  readonly addresses: string[]
  number = 0
  version = 0
  committing: Map<string, TxOutput> | null = null
  decommitting: Map<string, TxOutput> | null = null
  confirmed: TransactionJson[] = []
  readonly #random: ReturnType<typeof randomSource>
  #seq = 0

  constructor(seed: string, headId = 'aa'.repeat(28), addresses = 12) {
    this.headId = headId
    this.#random = randomSource(seed)
    const credential = (kind: 'key' | 'script'): { kind: 'key' | 'script'; hash: string } => ({
      kind,
      hash: bytesToHex(this.#random.bytes(28))
    })
    this.addresses = Array.from({ length: addresses }, (_, n) =>
      addressToString(
        n % 2
          ? baseAddress(0, credential('key'), credential('key'))
          : enterpriseAddress(0, credential(n % 3 ? 'key' : 'script'))
      )
    )
  }

  message(fields: Record<string, unknown>): string {
    return stringifyJson({ ...fields, headId: this.headId, seq: this.#seq++, timestamp: '2026-01-01T00:00:00Z' })
  }

  output(): TxOutput {
    const random = this.#random
    const amount = [
      {
        unit: 'lovelace',
        quantity: String(
          random.below(4) === 0 ? 2n ** 62n + BigInt(random.below(1e9)) : BigInt(1e6 + random.below(1e9))
        )
      }
    ]
    const units = new Set(
      Array.from(
        { length: random.below(4) },
        () => `${'0123'[random.below(4)]!.repeat(56)}${'ab'.repeat(random.below(3))}`
      )
    )
    for (const unit of [...units].sort()) amount.push({ unit, quantity: String(1 + random.below(1e6)) })
    const kind = random.below(6)
    return {
      address: random.pick(this.addresses),
      amount,
      ...(kind === 0 ? { datumHash: bytesToHex(random.bytes(32)) } : kind === 1 ? { inlineDatum: '9f182a41aaff' } : {}),
      ...(kind === 2
        ? { scriptRef: { language: 'PlutusV3' as const, cborHex: '46450101002499' } }
        : kind === 3
          ? { scriptRef: { language: 'native' as const, cborHex: `8200581c${bytesToHex(random.bytes(28))}` } }
          : {})
    }
  }

  /** Fills the head before anyone looks. */
  fill(count: number): void {
    for (let n = 0; n < count; n++)
      this.utxo.set(`${bytesToHex(this.#random.bytes(32))}#${this.#random.below(3)}`, this.output())
  }

  /** A transaction over one to three outputs, applied. */
  transact(): TransactionJson {
    const keys = [...this.utxo.keys()]
    const inputs = [...new Set(Array.from({ length: 1 + this.#random.below(3) }, () => this.#random.pick(keys)))]
    const outputs = Array.from({ length: 1 + this.#random.below(3) }, () => this.output())
    const transaction = modelTx(inputs, outputs, this.#random.below(1e9))
    for (const key of inputs) this.utxo.delete(key)
    for (const [key, output] of made(transaction.txId, outputs)) this.utxo.set(key, output)
    return transaction
  }

  /** What the node shows of the present snapshot. */
  snapshot(withUtxo: boolean): Record<string, unknown> {
    const { headId, version, number, confirmed } = this
    return {
      headId,
      version,
      number,
      confirmed,
      ...(withUtxo ? { utxo: toUtxo(this.utxo) } : {}),
      utxoToCommit: this.committing && toUtxo(this.committing),
      utxoToDecommit: this.decommitting && toUtxo(this.decommitting)
    }
  }

  snapshotConfirmed(withUtxo: boolean): string {
    return this.message({
      tag: 'SnapshotConfirmed',
      snapshot: this.snapshot(withUtxo),
      signatures: { multiSignature: [] }
    })
  }

  greetings(withUtxo = true): string {
    return stringifyJson({
      tag: 'Greetings',
      me: { vkey: 'aa' },
      headStatus: 'Open',
      hydraHeadId: this.headId,
      hydraNodeVersion: '2.3.0',
      ...(withUtxo ? { snapshotUtxo: this.get() } : {})
    })
  }

  /** Body of GET /snapshot/utxo. */
  get(): UTxOObject {
    return parseJson(stringifyJson(toUtxo([...this.utxo, ...(this.committing ?? [])]))) as UTxOObject
  }

  /** Goes on to the next snapshot: messages as texts, with outputs or without. */
  step(withUtxo: boolean): string[] {
    const messages: string[] = []
    // What the chain settled since the last snapshot.
    if (this.committing !== null && this.#random.below(2) === 0) {
      for (const [key, output] of this.committing) this.utxo.set(key, output)
      this.committing = null
      this.version++
      messages.push(this.message({ tag: 'CommitFinalized', depositTxId: 'dd'.repeat(32) }))
    }
    if (this.decommitting !== null && this.#random.below(2) === 0) {
      this.decommitting = null
      this.version++
      messages.push(this.message({ tag: 'DecommitFinalized', distributedUTxO: {} }))
    }
    this.confirmed = Array.from({ length: this.utxo.size < 3 ? 0 : this.#random.below(5) }, () => this.transact())
    const free = this.committing === null && this.decommitting === null
    if (free && (this.#random.below(5) === 0 || this.utxo.size < 3)) {
      this.committing = new Map(made(bytesToHex(this.#random.bytes(32)), [this.output(), this.output(), this.output()]))
    } else if (free && this.#random.below(6) === 0) {
      const inputs = [this.#random.pick([...this.utxo.keys()])]
      const outputs = [this.output()]
      const transaction = modelTx(inputs, outputs, this.#random.below(1e9))
      for (const key of inputs) this.utxo.delete(key)
      this.decommitting = new Map(made(transaction.txId, outputs))
      messages.push(
        this.message({ tag: 'DecommitRequested', decommitTx: transaction, utxoToDecommit: toUtxo(this.decommitting) })
      )
    }
    this.number++
    messages.push(this.snapshotConfirmed(withUtxo))
    return messages
  }
}

/** A message as the bridge sees it. */
export const received = (text: string): LayerPayload => decodePayload(text, 0)
