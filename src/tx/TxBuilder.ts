import { described } from '../errors/base.js'
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
 * Builds a Conway transaction for a head, where fees are mostly zero, or for the base ledger. Amounts are exact at any
 * size. Inputs are chosen largest first until they cover outputs, fee and change. `build()` completes a transaction
 * without Plutus scripts, `build({ evaluator })` one with them.
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
   * `parameters`: protocol parameters of the ledger; without them fees are zero. Plutus scripts need the parameters of
   * a provider or a head. `defaults`: options of {@link build} for calls that leave them out.
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
   * @param witness - the `redeemer`; the `script`, or as `reference` the output that carries it; and the `datum` when
   * the spent output has only its hash. All are checked when the transaction is built.
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
   * Mints assets of a policy that is a Plutus script; a negative quantity burns them. `policyId`: hex, 56 characters;
   * `assets`: quantities by asset name in hex. Checked when the transaction is built.
   */
  mintScript(policyId: string, assets: Readonly<Record<string, bigint>>, witness: ScriptWitness): this {
    return this.#add({ kind: 'mint', policyId, assets, witness })
  }

  /**
   * Withdraws rewards of a Plutus script. By default the amount is zero, which only runs the script, once for the whole
   * transaction. `address`: reward address of the script. Checked when the transaction is built.
   */
  withdrawScript(address: string, witness: WithdrawWitness): this {
    return this.#add({ kind: 'withdraw', address, witness })
  }

  /**
   * Adds reference inputs: outputs that scripts can read, and whose reference scripts can be used, but are not spent.
   */
  readFrom(...utxos: readonly UTxO[]): this {
    return this.#add({ kind: 'read', utxos })
  }

  /**
   * Sets the collateral: outputs at addresses of keys, from which the ledger collects an amount when a script fails.
   * The rest returns to the address of the first. By default the builder chooses the collateral from its inputs.
   */
  collateral(utxos: readonly UTxO[]): this {
    return this.#add({ kind: 'collateral', utxos })
  }

  /**
   * Chooses inputs, computes fee and change, and returns the unsigned transaction.
   *
   * @throws {@link InsufficientFundsError} naming the missing amount per unit.
   * @throws {@link OutputBelowMinimumError} naming the least lovelace.
   * @throws {@link UnspendableInputError} {@link TransactionTooLargeError} {@link InvalidArgumentError}
   */
  override build(): BuiltTransaction
  /**
   * Completes a transaction with Plutus scripts: runs them, and computes their execution units, the positions of the
   * redeemers, the fee, the collateral with its return, and the script data hash. The same parts make the same bytes.
   * Do not change the builder before the promise resolves.
   *
   * @throws {@link ScriptInputError} naming the input and the script when a redeemer, script or datum is missing or
   * does not match, or the scripts use too many units; {@link ScriptFailedError}, {@link EvaluatorMissingError},
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
      throw new InvalidArgumentError(
        'build',
        'await build({ evaluator }), which runs the Plutus scripts',
        described('build()')
      )
    return buildTx(this.plan)
  }

  /**
   * Makes a blueprint, the draft of a deposit that the node completes, with Plutus scripts that lock its inputs or mint
   * its assets, for `head.deposit({ blueprint })`. The outputs of `pay` go into the head, or without `pay` all inputs
   * unchanged. The node runs the scripts, adds units, collateral and fee, and returns the rest to the address of
   * `changeTo`.
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
