import { bytesToHex } from '../../codec/hex.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { TxInput, TxOutput, UTxO } from '../../types/utxo.js'
import { currentSlot } from './chainTime.js'
import { deriveId } from '../settings/keys.js'
import { BaseHistory, submittedTx } from './baseHistory.js'
import type { GenesisOutput } from './funds.js'
import type { RulesSource } from './rulesAt.js'
import { baseRules } from './rulesAt.js'
import { baseParameters } from '../rules/protocolParameters.js'
import { runScripts } from '../rules/runScripts.js'
import type { LedgerEnvironment } from '../rules/LedgerEnvironment.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import { VerdictQueue } from './VerdictQueue.js'
import { validateTx } from '../rules/validateTx.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import type { UtxoView } from '../rules/utxoSet.js'
import { LedgerEntry, entryRefOf, UtxoSet, UtxoView as View } from '../rules/utxoSet.js'

/**
 * Receives each transaction submitted to the base ledger; `reasons` are those for its refusal, none when it was
 * accepted.
 */
export type BaseListener = (tx: PreparedTx, reasons: readonly string[]) => void

/** The base ledger, without its history, as the node's state holds it. */
export interface SavedBase {
  /** Number of transactions that the node itself has made so far, from which the next one's id is derived. */
  readonly produced: number
  readonly utxo: UtxoView
}

/** The simulated base ledger: one chain that never rolls back. Transactions obey the same rules as in the head. */
export class BaseLedger {
  /** Transactions so far. */
  readonly history: BaseHistory = new BaseHistory()
  readonly verdicts: VerdictQueue = new VerdictQueue()
  readonly #utxo = new UtxoSet()
  /** Listeners to submitted transactions. */
  readonly listeners: Set<BaseListener> = new Set()
  readonly #source: RulesSource
  readonly #parameters: LedgerParameters
  #produced = 0

  constructor(source: RulesSource) {
    this.#source = source
    this.#parameters = baseParameters(source.parameters)
  }

  get parameters(): LedgerParameters {
    return this.#parameters
  }

  get(input: TxInput): LedgerEntry | undefined {
    return this.#utxo.get(entryRefOf(input))
  }

  /** Runs the scripts on which the validity of a transaction depends; undefined when it depends on none. */
  runScripts(tx: PreparedTx): Promise<void> | undefined {
    return runScripts(tx, () => this.#environment())
  }

  /** Validates a signed transaction and applies it if it is valid; returns the reasons for a refusal, if any. */
  submit(tx: PreparedTx): readonly string[] {
    const failures = validateTx(tx, this.#environment())
    if (failures.length === 0) this.apply(tx)
    return failures
  }

  /** Applies a transaction without validation. */
  apply(tx: PreparedTx): void {
    this.#keep(tx)
    this.#utxo.remove(tx.spends.map(entryRefOf))
    this.#utxo.add(tx.produces)
  }

  /** Puts outputs on the ledger, all in one transaction that the node makes. */
  produce(outputs: readonly TxOutput[]): UtxoView {
    const txHash = this.#nextTxId()
    const entries = outputs.map((output, index) => new LedgerEntry({ txHash, index }, output))
    this.#utxo.add(entries)
    this.#keepOwn(txHash, { outputs: entries })
    return new View(entries)
  }

  /**
   * Puts outputs on the ledger: under the references that they have, or else each in a transaction that the node makes.
   */
  place(outputs: readonly GenesisOutput[]): LedgerEntry[] {
    const entries = this.named(outputs)
    this.#utxo.add(entries)
    const byTx = new Map<string, LedgerEntry[]>()
    for (const entry of entries) {
      const { txHash } = entry.input
      const others = byTx.get(txHash)
      if (others === undefined) byTx.set(txHash, [entry])
      else others.push(entry)
    }
    // Of 100,000 transactions those before would only be kept to be dropped.
    for (const [txId, placed] of [...byTx].slice(-this.history.limit)) this.#keepOwn(txId, { outputs: placed })
    return entries
  }

  /**
   * Returns outputs as entries without putting them on the ledger: under the references that they have, or else each
   * under one that the node makes.
   */
  named(outputs: readonly GenesisOutput[]): LedgerEntry[] {
    return outputs.map((each) =>
      each instanceof LedgerEntry ? each : new LedgerEntry({ txHash: this.#nextTxId(), index: 0 }, each)
    )
  }

  /** Removes an output that a script of the head has spent. */
  consume(input: TxInput): void {
    const entry = this.get(input)
    if (entry === undefined) return
    this.#utxo.remove([entry.ref])
    this.#keepOwn(bytesToHex(blake2b256(utf8ToBytes(`spent by the head: ${entry.ref}`))), { spent: [entry] })
  }

  /** Returns the unspent outputs that pass the filter, the oldest first. */
  entries(filter: (entry: LedgerEntry) => boolean): LedgerEntry[] {
    return this.#utxo.view().entries.filter(filter)
  }

  /** Returns the state of the ledger, without its history. */
  saved(): SavedBase {
    return { produced: this.#produced, utxo: this.#utxo.view() }
  }

  /** Restores a saved state. */
  restore({ produced, utxo }: SavedBase): void {
    this.#produced = produced
    this.#utxo.reset(utxo)
  }

  /** Returns an unspent output by its reference. */
  getByRef(ref: string): LedgerEntry | undefined {
    return this.#utxo.get(ref)
  }

  /** Returns the unspent outputs that pass the filter. */
  find(filter: (entry: LedgerEntry) => boolean): UTxO[] {
    const found: UTxO[] = []
    for (const entry of this.#utxo.view()) if (filter(entry)) found.push({ input: entry.input, output: entry.output })
    return found
  }

  #nextTxId(): string {
    return deriveId(this.#source.options.seed, `base transaction ${++this.#produced}`)
  }

  #environment(): LedgerEnvironment {
    return { ...baseRules(this.#source), utxo: this.#utxo }
  }

  /** Adds a submitted transaction to the history, before its inputs are removed from the ledger. */
  #keep(tx: PreparedTx): void {
    const resolve = (inputs: readonly TxInput[]): LedgerEntry[] =>
      inputs.map((input) => this.get(input)).filter((entry) => entry !== undefined)
    this.history.add({
      txId: tx.txId,
      slot: currentSlot(this.#source),
      spent: resolve(tx.spends),
      collateral: resolve(tx.collateral),
      referred: resolve(tx.referenceInputs),
      outputs: tx.produces,
      valid: tx.isValid,
      submitted: submittedTx(tx)
    })
  }

  #keepOwn(
    txId: string,
    { spent = [], outputs = [] }: { spent?: readonly LedgerEntry[]; outputs?: readonly LedgerEntry[] }
  ): void {
    this.history.add({
      txId,
      slot: currentSlot(this.#source),
      spent,
      collateral: [],
      referred: [],
      outputs,
      valid: true,
      submitted: null
    })
  }
}
