import { InvalidArgumentError } from '../errors/input.js'
import type { UTxO } from '../types/utxo.js'
import type { BuiltTransaction } from './buildTx.js'
import type { Blueprint } from './blueprint.js'
import { buildTx } from './buildTx.js'
import type { TxParameters } from './parameters.js'
import { PaymentBuilder } from './PaymentBuilder.js'
import type { BuiltScriptTransaction } from './scripts/buildScriptTx.js'
import type {
  BuildOptions,
  RecordedScripts,
  ScriptPart,
  ScriptWitness,
  SpendWitness,
  WithdrawWitness
} from './scripts/ScriptPart.js'

/**
 * Builds a Conway transaction: in a head, where fees are mostly zero, and on the base ledger. Amounts are exact at any
 * size; inputs are chosen largest first until outputs, fee and change are covered. Transactions with Plutus scripts
 * are completed by `build({ evaluator })`.
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
export class TxBuilder extends PaymentBuilder {
  readonly #scripts: RecordedScripts & { readonly parts: ScriptPart[] }

  /**
   * `parameters`: those of the ledger, fees of zero without them; Plutus scripts need those of a provider or a head.
   * `defaults`: options of {@link build} where a call leaves them out.
   *
   * @throws {@link InvalidArgumentError} on a parameter that is negative, fractional or unknown.
   */
  constructor(parameters?: TxParameters, defaults: BuildOptions = {}) {
    super(parameters)
    this.#scripts = { parts: [], given: parameters ?? {}, defaults }
  }

  /**
   * Spends an output that a Plutus script locks.
   *
   * @param witness - the redeemer; the `script`, or the output that carries it as `reference`; the `datum` of an output
   * that holds its hash alone. All are checked when the transaction is built.
   * @example
   * ```ts no-run
   * const locked = head.getUtxos({ address: contract.address })![0]!
   * builder.spendScript(locked, { redeemer: contract.redeemer('Claim'), script: contract.script })
   * ```
   */
  spendScript(utxo: UTxO, witness: SpendWitness): this {
    return this.#add({ kind: 'spend', utxo, witness })
  }

  /**
   * Mints, or burns when negative, assets of a policy that is a Plutus script. `policyId`: hex, 56 characters;
   * `assets`: quantities by asset name in hex. Checked when the transaction is built.
   */
  mintScript(policyId: string, assets: Readonly<Record<string, bigint>>, witness: ScriptWitness): this {
    return this.#add({ kind: 'mint', policyId, assets, witness })
  }

  /**
   * Withdraws the rewards of a Plutus script; of nothing, by default, which runs the script once for the whole
   * transaction. `address`: its reward address. Checked when the transaction is built.
   */
  withdrawScript(address: string, witness: WithdrawWitness): this {
    return this.#add({ kind: 'withdraw', address, witness })
  }

  /** Refers to outputs without spending them: scripts see them, and a script that one carries can be used. */
  readFrom(...utxos: readonly UTxO[]): this {
    return this.#add({ kind: 'read', utxos })
  }

  /**
   * Outputs at addresses of keys of which the ledger collects when a script fails; the rest returns to the first
   * one's address. Without them the builder chooses of its inputs.
   */
  collateral(utxos: readonly UTxO[]): this {
    return this.#add({ kind: 'collateral', utxos })
  }

  /**
   * Chooses inputs, settles fee and change, and writes the transaction.
   *
   * @throws {@link InsufficientFundsError} naming the missing amount per unit.
   * @throws {@link OutputBelowMinimumError} naming the least lovelace.
   * @throws {@link UnspendableInputError} {@link TransactionTooLargeError} {@link InvalidArgumentError}
   */
  override build(): BuiltTransaction
  /**
   * Completes a transaction with Plutus scripts: runs them, settles their units, the fee, the collateral with its
   * return and the hash of the script data, and puts redeemers in their places. The same parts make the same bytes. The
   * builder is not to be changed before it resolves.
   *
   * @throws {@link ScriptInputError} naming the input and the script: a redeemer, script or datum that is missing or
   * belongs to another, too many units; {@link ScriptFailedError}, {@link EvaluatorMissingError},
   * {@link EvaluatorFailedError}; {@link InsufficientFundsError}, {@link OutputBelowMinimumError}
   * @example
   * ```ts no-run
   * import { scalusEvaluator } from 'layer-sdk/scalus'
   *
   * const tx = await builder.build({ evaluator: scalusEvaluator(), slots: provider.getSlotConfig() })
   * console.log(tx.fee, tx.redeemers[0]?.mem, tx.redeemers[0]?.cpu)
   * ```
   */
  override build(options: BuildOptions): Promise<BuiltScriptTransaction>
  override build(options?: BuildOptions): BuiltTransaction | Promise<BuiltScriptTransaction> {
    // Programs without scripts never load it.
    if (options !== undefined)
      return import('./scripts/buildScriptTx.js').then(({ buildScriptTx }) =>
        buildScriptTx(this.plan, this.#scripts, options)
      )
    if (this.#scripts.parts.length > 0)
      throw new InvalidArgumentError('build', 'await build({ evaluator }), which runs the Plutus scripts', 'build()')
    return buildTx(this.plan)
  }

  /**
   * Writes the blueprint of a deposit whose inputs Plutus scripts lock, or whose assets they mint, for
   * `head.deposit({ blueprint })`: the outputs of `pay` go into the head, or without them all inputs as they are. The
   * node runs the scripts, adds units, collateral and fee, and returns the rest to the address of `changeTo`.
   *
   * @throws {@link ScriptInputError} naming the input and the script; otherwise as {@link blueprint}
   * @example
   * ```ts no-run
   * const blueprint = await builder.spendScript(locked, { redeemer: '182a', script }).scriptBlueprint()
   * await head.deposit({ blueprint })
   * ```
   */
  async scriptBlueprint(): Promise<Blueprint> {
    const { buildScriptBlueprint } = await import('./scripts/buildScriptBlueprint.js')
    return buildScriptBlueprint(this.plan, this.#scripts)
  }

  #add(part: ScriptPart): this {
    this.#scripts.parts.push(part)
    return this
  }
}
