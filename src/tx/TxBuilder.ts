import { parseAddress } from '../codec/address.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import { nativeScriptFromBytes, nativeScriptHash } from '../codec/nativeScript.js'
import { readTransaction, transactionId } from '../codec/transaction.js'
import { minLovelace } from '../codec/txOutput.js'
import type { Value } from '../codec/value.js'
import { addUnit, addValue, assertUnit, encodeValue, LOVELACE, parseQuantity, valueFromAmounts, valueToAmounts } from '../codec/value.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { InvalidArgumentError } from '../errors/input.js'
import { InsufficientFundsError, OutputBelowMinimumError, TransactionTooLargeError, UnspendableInputError } from '../errors/tx.js'
import type { Amount, TxOutput, UTxO } from '../types/utxo.js'
import type { TransactionDraft } from './encodeTransaction.js'
import { encodeTransaction, signedSizeBytes } from './encodeTransaction.js'
import { assertPayment, assertReceiver, assertSlot } from './assertions.js'
import { assertUtxos, inLedgerOrder, inputKey, keyHashesOf, largest } from './inputs.js'
import { makeChange } from './makeChange.js'
import type { ResolvedTxParameters, TxParameters } from './parameters.js'
import { resolveTxParameters } from './parameters.js'
import { referenceScriptFee } from './referenceScripts.js'

/** An unsigned transaction, ready for a wallet's `signTx`. */
export interface BuiltTransaction {
  /** CBOR hex. */
  cborHex: string
  /** Hex, 64 characters; signing does not change it. */
  txId: string
  /** Lovelace. */
  fee: bigint
  /** What it spends, in the ledger's order. */
  inputs: UTxO[]
  /** What it makes, change last. */
  outputs: TxOutput[]
}

/** What an output holds: lovelace alone, or amounts of several units. */
export type PaymentAmount = bigint | readonly Amount[]

/** Datum and script that an output may carry. */
export type OutputExtras = Pick<TxOutput, 'datumHash' | 'inlineDatum' | 'scriptRef'>

/**
 * Builds a Conway transaction that pays from key addresses: in a head, where fees are mostly zero, and on the base ledger.
 * Amounts are exact at any size; inputs are taken largest first until outputs, fee and change are covered.
 *
 * @example
 * ```ts
 * import { TxBuilder } from 'layer-sdk/tx'
 *
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const utxo = { input: { txHash: '00'.repeat(32), index: 0 }, output: { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] } }
 * const { cborHex, txId, fee } = new TxBuilder().addInputs([utxo]).pay(address, 2_000_000n).changeTo(address).build()
 * console.log(txId, fee, cborHex.length)
 * ```
 */
export class TxBuilder {
  readonly #parameters: ResolvedTxParameters
  readonly #candidates = new Map<string, UTxO>()
  readonly #chosen = new Map<string, UTxO>()
  readonly #outputs: TxOutput[] = []
  readonly #mint: Value = new Map()
  readonly #scripts = new Map<string, { cbor: Uint8Array; keyHashes: string[] }>()
  readonly #signers = new Set<string>()
  #changeAddress: string | undefined
  #ttl: bigint | undefined
  #validityStart: bigint | undefined
  #networkId: number | undefined
  #auxiliaryData: Uint8Array | undefined

  /** @throws {@link InvalidArgumentError} on a negative or fractional parameter. */
  constructor(parameters?: TxParameters) {
    this.#parameters = resolveTxParameters(parameters)
  }

  /** Offers outputs to choose inputs from. @throws {@link InvalidArgumentError} */
  addInputs(utxos: readonly UTxO[]): this {
    for (const utxo of assertUtxos(utxos)) this.#candidates.set(inputKey(utxo.input), utxo)
    return this
  }

  /** Outputs that will be spent, needed or not. @throws {@link InvalidArgumentError} */
  spend(utxos: readonly UTxO[]): this {
    for (const utxo of assertUtxos(utxos)) this.#chosen.set(inputKey(utxo.input), utxo)
    return this
  }

  /**
   * Adds an output. Lovelace may be left out of the amounts: it is then the least the ledger takes.
   *
   * @throws {@link InvalidAddressError} {@link InvalidArgumentError}
   */
  pay(address: string, amount: PaymentAmount, extras: OutputExtras = {}): this {
    assertReceiver(address)
    const value = assertPayment(amount)
    const output: TxOutput = { address, amount: valueToAmounts(value), ...extras }
    if (!value.has(LOVELACE)) output.amount[0]!.quantity = String(minLovelace(output, this.#parameters.coinsPerUtxoByte))
    this.#outputs.push(output)
    return this
  }

  /** Where what is left over goes. */
  changeTo(address: string): this {
    this.#changeAddress = assertReceiver(address)
    return this
  }

  /** First slot at which the transaction is valid. */
  validFrom(slot: number | bigint): this {
    this.#validityStart = assertSlot('validFrom', slot)
    return this
  }

  /** First slot at which the transaction is no longer valid (its time to live). */
  validUntil(slot: number | bigint): this {
    this.#ttl = assertSlot('validUntil', slot)
    return this
  }

  /** Names the network in the body, 0 or 1, so that the transaction can never be valid on the other. */
  onNetwork(networkId: 0 | 1): this {
    if (networkId !== 0 && networkId !== 1) throw new InvalidArgumentError('networkId', '0 or 1', networkId)
    this.#networkId = networkId
    return this
  }

  /** Demands the signature of a key. `keyHash`: hex, 56 characters. */
  requireSigner(keyHash: string): this {
    hexToBytes(keyHash, 'keyHash', 28)
    this.#signers.add(keyHash.toLowerCase())
    return this
  }

  /** Attaches a native script (CBOR hex): inputs at its address can then be spent, and assets of its policy minted. */
  attachScript(scriptCborHex: string): this {
    const cbor = hexToBytes(scriptCborHex, 'scriptCborHex')
    this.#scripts.set(nativeScriptHash(cbor), { cbor, keyHashes: keyHashesOf(nativeScriptFromBytes(cbor)) })
    return this
  }

  /** Mints, or burns when negative, an asset whose policy script is attached. `unit`: policy id followed by the asset name, hex. */
  mint(unit: string, quantity: bigint): this {
    if (assertUnit(unit) === LOVELACE) throw new InvalidArgumentError('unit', 'an asset', unit)
    if (typeof quantity !== 'bigint') throw new InvalidArgumentError('quantity', 'a bigint', quantity)
    addUnit(this.#mint, unit.toLowerCase(), quantity)
    return this
  }

  /** Attaches auxiliary data as CBOR hex, byte for byte; the body names its hash. */
  auxiliaryData(cborHex: string): this {
    this.#auxiliaryData = hexToBytes(cborHex, 'auxiliaryData')
    return this
  }

  /** Attaches metadata by label; values are `Metadatum` of `layer-sdk/utils`, or anything with their `toCbor()`. */
  metadata(entries: Readonly<Record<string | number, { toCbor(): string }>>): this {
    const labels = Object.keys(entries ?? {}).map(parseQuantity).sort((a, b) => (a < b ? -1 : 1))
    const writer = new CborWriter().map(labels.length)
    for (const label of labels) {
      const metadatum = entries[String(label)]
      if (typeof metadatum?.toCbor !== 'function') throw new InvalidArgumentError(`metadata[${label}]`, 'a Metadatum', metadatum)
      writer.uint(label).raw(hexToBytes(metadatum.toCbor(), 'metadatum'))
    }
    this.#auxiliaryData = writer.toBytes()
    return this
  }

  /**
   * Chooses inputs, settles fee and change, and writes the transaction.
   *
   * @throws {@link InsufficientFundsError} naming what is missing per unit.
   * @throws {@link OutputBelowMinimumError} naming the least lovelace.
   * @throws {@link UnspendableInputError} {@link TransactionTooLargeError} {@link InvalidArgumentError}
   */
  build(): BuiltTransaction {
    this.#outputs.forEach((output, index) => this.#assertOutput(output, index))
    for (const unit of this.#mint.keys()) this.#assertPolicy(unit)
    const { draft, inputs } = this.#balance()
    const bytes = encodeTransaction(draft)
    const sizeBytes = signedSizeBytes(bytes, this.#signerCount(inputs))
    if (sizeBytes > this.#parameters.maxTxSize) throw new TransactionTooLargeError('The transaction', sizeBytes, this.#parameters.maxTxSize)
    return { cborHex: bytesToHex(bytes), txId: transactionId(readTransaction(bytes)), fee: draft.fee, inputs, outputs: [...draft.outputs] }
  }

  /** Adds inputs and raises the fee until the transaction pays for itself. */
  #balance(): { draft: TransactionDraft; inputs: UTxO[] } {
    const pool = [...this.#candidates].filter(([key, utxo]) => !this.#chosen.has(key) && this.#isSpendable(utxo)).map(([, utxo]) => utxo)
    const unspendable = [...this.#candidates.values()].filter((utxo) => !this.#isSpendable(utxo)).length
    const inputs = [...this.#chosen.values()]
    let fee = 0n
    for (const utxo of inputs) if (!this.#isSpendable(utxo)) throw new UnspendableInputError(inputKey(utxo.input), utxo.output.address)
    const take = (missing: ReadonlyMap<string, bigint>, purpose: string): void => {
      const [unit] = missing.keys()
      const best = largest(pool, unit!)
      if (best < 0) throw new InsufficientFundsError(this.#missing([...inputs, ...pool], fee) ?? missing, { purpose, unspendable })
      inputs.push(...pool.splice(best, 1))
    }
    for (;;) {
      const missing = this.#missing(inputs, fee)
      if (missing !== undefined || inputs.length === 0) {
        take(missing ?? new Map([[LOVELACE, 1n]]), 'outputs and fee')
        continue
      }
      const left = this.#leftOver(inputs, fee)
      const change = makeChange(left, this.#changeAddressFor(left), this.#parameters)
      if (change.outputs === null) {
        take(new Map([[LOVELACE, change.missingLovelace]]), 'the least lovelace of the change')
        continue
      }
      const draft = this.#draft(inputs, [...this.#outputs, ...change.outputs], fee)
      const needed = this.#feeOf(draft, inputs)
      if (needed <= fee) return { draft, inputs: inLedgerOrder(inputs) }
      fee = needed
    }
  }

  /** What inputs and mint lack for outputs and fee, or undefined when they cover them. */
  #missing(inputs: readonly UTxO[], fee: bigint): Value | undefined {
    const missing = [...this.#leftOver(inputs, fee)].filter(([, amount]) => amount < 0n).map(([unit, amount]): [string, bigint] => [unit, -amount])
    return missing.length === 0 ? undefined : new Map(missing)
  }

  /** Inputs and mint less outputs and fee. */
  #leftOver(inputs: readonly UTxO[], fee: bigint): Value {
    const left: Value = new Map(this.#mint)
    for (const { output } of inputs) addValue(left, valueFromAmounts(output.amount))
    for (const { amount } of this.#outputs) addValue(left, valueFromAmounts(amount), -1n)
    addUnit(left, LOVELACE, -fee)
    return left
  }

  #draft(inputs: readonly UTxO[], outputs: TxOutput[], fee: bigint): TransactionDraft {
    return {
      inputs: inputs.map(({ input }) => input),
      outputs,
      fee,
      ttl: this.#ttl,
      validityStart: this.#validityStart,
      mint: this.#mint,
      requiredSigners: [...this.#signers],
      networkId: this.#networkId,
      auxiliaryData: this.#auxiliaryData,
      nativeScripts: this.#scriptsFor(inputs).map(({ cbor }) => cbor)
    }
  }

  #feeOf(draft: TransactionDraft, inputs: readonly UTxO[]): bigint {
    const { minFeeA, minFeeB, minFeeRefScriptCostPerByte } = this.#parameters
    const sizeBytes = minFeeA === 0n ? 0 : signedSizeBytes(encodeTransaction(draft), this.#signerCount(inputs))
    return minFeeA * BigInt(sizeBytes) + minFeeB + referenceScriptFee(inputs, minFeeRefScriptCostPerByte)
  }

  /** The attached scripts that these inputs and the mint demand: the ledger refuses any other. */
  #scriptsFor(inputs: readonly UTxO[]): { cbor: Uint8Array; keyHashes: string[] }[] {
    const needed = new Set([...this.#mint.keys()].map((unit) => unit.slice(0, 56)))
    for (const { output } of inputs) needed.add(parseAddress(output.address).payment?.hash ?? '')
    return [...this.#scripts].filter(([hash]) => needed.has(hash)).map(([, script]) => script)
  }

  /** Distinct keys that may sign: of inputs, demanded ones, and of the scripts that are sent along. */
  #signerCount(inputs: readonly UTxO[]): number {
    const hashes = new Set(this.#signers)
    for (const { output } of inputs) {
      const { payment } = parseAddress(output.address)
      if (payment?.kind === 'key') hashes.add(payment.hash)
    }
    for (const { keyHashes } of this.#scriptsFor(inputs)) for (const hash of keyHashes) hashes.add(hash)
    return hashes.size
  }

  #isSpendable({ output }: UTxO): boolean {
    const { payment } = parseAddress(output.address)
    return payment !== undefined && (payment.kind === 'key' || this.#scripts.has(payment.hash))
  }

  #changeAddressFor(left: ReadonlyMap<string, bigint>): string {
    if (this.#changeAddress === undefined && left.size > 0) throw new InvalidArgumentError('changeTo', 'an address for what is left over', undefined)
    return this.#changeAddress ?? ''
  }

  #assertOutput(output: TxOutput, index: number): void {
    const writer = new CborWriter()
    encodeValue(writer, valueFromAmounts(output.amount))
    const { maxValueSize } = this.#parameters
    if (writer.length > maxValueSize) throw new TransactionTooLargeError(`The value of output ${index}`, writer.length, maxValueSize)
    const lovelace = BigInt(output.amount[0]!.quantity)
    const minimum = minLovelace(output, this.#parameters.coinsPerUtxoByte)
    if (lovelace < minimum) throw new OutputBelowMinimumError(index, lovelace, minimum)
  }

  #assertPolicy(unit: string): void {
    const policyId = unit.slice(0, 56)
    if (!this.#scripts.has(policyId)) throw new InvalidArgumentError('mint', `the script of policy ${policyId} through attachScript`, 'none')
  }
}
