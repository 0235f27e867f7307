/** Execution units that the script of a redeemer uses. */
export interface EvaluatedRedeemer {
  /** Purpose of the redeemer. */
  readonly tag: 'spend' | 'mint' | 'cert' | 'reward' | 'vote' | 'propose'
  /** Index of the redeemer among those of its purpose, in the ledger's order, from 0. */
  readonly index: number
  /** Units of memory. */
  readonly mem: bigint
  /** Execution steps (CPU). */
  readonly cpu: bigint
  /** The output that it spends, `txHash#index`; null for other purposes. */
  readonly input: string | null
  /** Hash of the script: hex, 56 characters; null for certificates, votes and proposals. */
  readonly scriptHash: string | null
  /** Texts that the script traced; empty where the evaluator reports none. */
  readonly traces: readonly string[]
}

/** Result of {@link HeadClient.evaluate}. */
export interface Evaluation {
  /** One for each redeemer, by purpose and index; empty for a transaction without Plutus scripts. */
  readonly redeemers: readonly EvaluatedRedeemer[]
  /** Execution units of all scripts together: memory (`mem`) and steps (`cpu`). */
  readonly units: {
    /** Units of memory. */
    readonly mem: bigint
    /** Execution steps (CPU). */
    readonly cpu: bigint
  }
  /**
   * Least fee that the head accepts for the transaction with these units and the signatures of the keys that its
   * inputs, collateral and required signers name, lovelace.
   */
  readonly fee: bigint
}
