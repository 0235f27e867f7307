import { hexToBytes } from '../codec/hex.js'
import { nativeScriptFromBytes, nativeScriptHash } from '../codec/nativeScript.js'
import { minLovelace } from '../codec/txOutput.js'
import type { Value } from '../codec/value.js'
import { addUnit, assertUnit, LOVELACE, parseQuantity, valueToAmounts } from '../codec/value.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Amount, TxOutput, UTxO } from '../types/utxo.js'
import { assertPaymentOutput, assertReceiver, assertSlot, wrappedScript } from './assertions.js'
import type { Blueprint } from './blueprint.js'
import { buildBlueprint } from './blueprint.js'
import type { AttachedScript, BuiltTransaction, TxPlan } from './buildTx.js'
import { buildTx } from './buildTx.js'
import { assertUtxos, inputKey, keyHashesOf } from './inputs.js'
import type { TxParameters } from './parameters.js'
import { resolveTxParameters } from './parameters.js'

/** Parts of a transaction that a builder is still collecting. */
type MutablePlan = { -readonly [Key in keyof TxPlan]: TxPlan[Key] } & {
  readonly candidates: Map<string, UTxO>
  readonly chosen: Map<string, UTxO>
  readonly outputs: TxOutput[]
  readonly mint: Value
  readonly scripts: Map<string, AttachedScript>
  readonly signers: Set<string>
}

/** Datum, and reference script, that an output may carry. */
export type OutputExtras = Pick<TxOutput, 'datumHash' | 'inlineDatum' | 'scriptRef'>

/**
 * Builds transactions without Plutus scripts: the part of {@link TxBuilder} that payments need.
 *
 * @example
 * ```ts no-run
 * const { cborHex } = new TxBuilder().addInputs(utxos).pay(address, 5_000_000n).changeTo(own).build()
 * ```
 */
export class PaymentBuilder {
  /** Parts of the transaction that the builder has collected. @internal */
  protected readonly plan: MutablePlan

  /** @throws {@link InvalidArgumentError} on a parameter that is negative, fractional or unknown. */
  constructor(parameters?: TxParameters) {
    this.plan = {
      parameters: resolveTxParameters(parameters),
      candidates: new Map(),
      chosen: new Map(),
      outputs: [],
      mint: new Map(),
      scripts: new Map(),
      signers: new Set()
    }
  }

  /** Adds outputs from which the builder chooses inputs as needed. @throws {@link InvalidArgumentError} */
  addInputs(utxos: readonly UTxO[]): this {
    for (const utxo of assertUtxos(utxos)) this.plan.candidates.set(inputKey(utxo.input), utxo)
    return this
  }

  /** Adds outputs that the transaction spends in any case. @throws {@link InvalidArgumentError} */
  spend(utxos: readonly UTxO[]): this {
    for (const utxo of assertUtxos(utxos)) this.plan.chosen.set(inputKey(utxo.input), utxo)
    return this
  }

  /**
   * Adds an output that pays `amount` to an address. If the amounts name no lovelace, the output gets the least that
   * the ledger accepts.
   *
   * @throws {@link InvalidAddressError} {@link InvalidArgumentError}
   */
  pay(address: string, amount: bigint | readonly Amount[], extras: OutputExtras = {}): this {
    assertReceiver(address, 'address')
    const value = assertPaymentOutput(amount)
    const scriptRef = extras.scriptRef === undefined ? {} : { scriptRef: wrappedScript(extras.scriptRef) }
    const output: TxOutput = { address, amount: valueToAmounts(value), ...extras, ...scriptRef }
    if (!value.has(LOVELACE))
      output.amount[0]!.quantity = String(minLovelace(output, this.plan.parameters.coinsPerUtxoByte))
    this.plan.outputs.push(output)
    return this
  }

  /** Sets the address that receives the change. @throws {@link InvalidAddressError} */
  changeTo(address: string): this {
    this.plan.changeAddress = assertReceiver(address, 'changeAddress')
    return this
  }

  /** Sets the first slot at which the transaction is valid. @throws {@link InvalidArgumentError} */
  validFrom(slot: number | bigint): this {
    this.plan.validityStart = assertSlot('validFrom', slot)
    return this
  }

  /** Sets the first slot at which the transaction is no longer valid (`ttl`). @throws {@link InvalidArgumentError} */
  validUntil(slot: number | bigint): this {
    this.plan.ttl = assertSlot('validUntil', slot)
    return this
  }

  /** Alias of {@link validUntil}, with the name that other builders use. @throws {@link InvalidArgumentError} */
  validTo(slot: number | bigint): this {
    return this.validUntil(slot)
  }

  /**
   * Writes the network id into the body, so that the transaction cannot be valid on another kind of network: 1 for
   * mainnet, 0 for a test network.
   *
   * @throws {@link InvalidArgumentError} on another number.
   */
  onNetwork(networkId: 0 | 1): this {
    if (networkId !== 0 && networkId !== 1) throw new InvalidArgumentError('networkId', '0 or 1', networkId)
    this.plan.networkId = networkId
    return this
  }

  /**
   * Requires the signature of a key (`requiredSigners` of the body). `keyHash`: hex, 56 characters.
   *
   * @throws {@link InvalidHexError}
   */
  requireSigner(keyHash: string): this {
    hexToBytes(keyHash, 'keyHash', 28)
    this.plan.signers.add(keyHash.toLowerCase())
    return this
  }

  /**
   * Attaches a native script (CBOR hex): inputs at its address can then be spent, and assets of its policy minted.
   *
   * @throws {@link InvalidHexError}, {@link InvalidCborError} on a value that is not a native script.
   */
  attachScript(scriptCborHex: string): this {
    const cbor = hexToBytes(scriptCborHex, 'scriptCborHex')
    this.plan.scripts.set(nativeScriptHash(cbor), { cbor, keyHashes: keyHashesOf(nativeScriptFromBytes(cbor)) })
    return this
  }

  /**
   * Mints an asset whose policy script is attached; a negative quantity burns it. `unit`: policy id followed by the
   * asset name, hex.
   *
   * @throws {@link InvalidArgumentError} on lovelace, another unit or another type of quantity.
   */
  mint(unit: string, quantity: bigint): this {
    if (assertUnit(unit) === LOVELACE) throw new InvalidArgumentError('unit', 'an asset', unit)
    if (typeof quantity !== 'bigint') throw new InvalidArgumentError('quantity', 'a bigint', quantity)
    addUnit(this.plan.mint, unit.toLowerCase(), quantity)
    return this
  }

  /** Attaches auxiliary data (CBOR hex), unchanged; its hash goes into the body. @throws {@link InvalidHexError} */
  auxiliaryData(cborHex: string): this {
    this.plan.auxiliaryData = hexToBytes(cborHex, 'auxiliaryData')
    return this
  }

  /**
   * Attaches metadata by label; values are `Metadatum` of `layer-sdk/utils`, or other objects with its `toCbor()`.
   *
   * @throws {@link InvalidArgumentError} on a label that is not a whole number up to 2^64-1, or on another value.
   */
  metadata(entries: Readonly<Record<string | number, { toCbor(): string }>>): this {
    const labels = Object.keys(entries ?? {})
      .map(parseQuantity)
      .sort((a, b) => (a < b ? -1 : 1))
    const writer = new CborWriter().map(labels.length)
    for (const label of labels) {
      const metadatum = entries[String(label)]
      if (typeof metadatum?.toCbor !== 'function')
        throw new InvalidArgumentError(`metadata[${label}]`, 'a Metadatum', metadatum)
      writer.uint(label).raw(hexToBytes(metadatum.toCbor(), 'metadatum'))
    }
    this.plan.auxiliaryData = writer.toBytes()
    return this
  }

  /**
   * Chooses inputs, computes fee and change, and returns the unsigned transaction.
   *
   * @throws {@link InsufficientFundsError} naming the missing amount per unit.
   * @throws {@link OutputBelowMinimumError} naming the least lovelace.
   * @throws {@link UnspendableInputError} {@link TransactionTooLargeError} {@link InvalidArgumentError}
   */
  build(): BuiltTransaction {
    return buildTx(this.plan)
  }

  /**
   * Chooses inputs and makes a blueprint, the draft of a deposit that the node completes, for `bridge.commit`. The
   * outputs of `pay` go into the head, and the node returns the rest to the address of `changeTo` (nodes from 1.1 on).
   * Without `pay`, all outputs of `spend` go into the head. The node pays the fee and sets the validity interval.
   *
   * @throws {@link InsufficientFundsError} naming the missing amount per unit.
   * @throws {@link OutputBelowMinimumError} also when the deposit is less than its output on the base ledger must hold.
   * @throws {@link UnspendableInputError} {@link TransactionTooLargeError} {@link InvalidArgumentError}
   */
  blueprint(): Blueprint {
    return buildBlueprint(this.plan)
  }
}
