import type { RuleVersions, VerificationReason } from '../errors/verification.js'
import type { Hex, TxOutput, UTxO } from '../types/utxo.js'

/**
 * Rule for the bytes that the parties of a head sign, named after the node versions that use it: 0.20.0 to 2.1.0, 2.2,
 * 2.3 or 2.4. `next` is the rule of the node's source after 2.4.1; no release has it and no recording confirms it, so
 * it is used only when it is named.
 */
export type VerificationRule = '0.20-2.1' | '2.2' | '2.3' | '2.4' | 'next'

/** An output as the node writes it; read its JSON with `parseJson`, so that no amount is rounded. */
export interface NodeOutput {
  /** Bech32, or base58 for Byron. */
  readonly address: string
  /** `lovelace`, and per policy id the quantities by asset name (hex): bigint, safe integer or decimal text. */
  readonly value: Readonly<Record<string, unknown>>
  /** Hash of the datum: hex, 64 characters. Never beside an inline datum. */
  readonly datumhash?: Hex | null
  /** CBOR of the inline datum. */
  readonly inlineDatumRaw?: Hex | null
  /** The inline datum as JSON in cardano-cli's detailed schema. */
  readonly inlineDatum?: unknown
  /** Hash of the inline datum: hex, 64 characters. */
  readonly inlineDatumhash?: Hex | null
  /** Reference script: `{ scriptLanguage, script: { type, cborHex } }`. */
  readonly referenceScript?: unknown
}

/** An output in the node's form or in this package's own. */
export type AnyOutput = NodeOutput | TxOutput

/** A UTxO set in the node's form, keyed `'txHash#index'`, or as a list. Absent and null are the empty set. */
export type AnyUtxo = Readonly<Record<string, NodeOutput>> | readonly UTxO[] | null | undefined

/** The three sets of outputs of a snapshot. */
export interface SnapshotOutputs {
  /** Outputs in the head. */
  readonly utxo: AnyUtxo
  /** Outputs being added to the head. */
  readonly utxoToCommit?: AnyUtxo
  /** Outputs being removed from the head. */
  readonly utxoToDecommit?: AnyUtxo
}

/** The fields of a snapshot that verification reads. A `Snapshot` of layer-sdk/bridge can be passed. */
export interface SnapshotToVerify {
  /** Hex, 56 characters. */
  readonly headId: Hex
  /**
   * Grows with each commit or decommit seen on the base ledger. Nodes before 0.20 send none: their snapshots cannot be
   * verified.
   */
  readonly version?: number | bigint | undefined
  /** Number of the snapshot, from 1 on. */
  readonly number: number | bigint
  /** Absent where the node sends no outputs (`snapshot-utxo=no`). */
  readonly utxo?: AnyUtxo
  /** Outputs being added to the head. */
  readonly utxoToCommit?: AnyUtxo
  /** Outputs being removed from the head. */
  readonly utxoToDecommit?: AnyUtxo
  /** Hash of the accumulator as the sender states it: hex, 64 characters (nodes from 2.2). */
  readonly accumulator?: Hex | null
  /**
   * Hash of the accumulator of the head's outputs after the pending commit or decommit, as the sender states it: hex,
   * 64 characters (rule `next`).
   */
  readonly appliedAccumulator?: Hex | null
  /** Deposit that `utxoToCommit` comes from: hex, 64 characters; null when there is none (nodes from 2.4). */
  readonly depositTxId?: Hex | null
}

/** Result of a check that failed. */
export interface Refutation {
  /** False: the check failed. */
  readonly ok: false
  /** Reason, as a code that stays stable across versions. @see {@link VerificationReason} */
  readonly reason: VerificationReason
  /** Reason in words. */
  readonly detail: string
  /** With reason `unknown-rule`: the node's version and the newest one that is known. */
  readonly versions?: RuleVersions
}

/** Result of a check. Checks never throw or reject. */
export type Verdict =
  | {
      /** True: the check passed. */
      readonly ok: true
    }
  | Refutation

/** The answer of {@link verifySnapshot}. */
export type SnapshotVerdict =
  | {
      /** True: all parties signed it. */
      readonly ok: true
      /** The rule that the signatures follow. */
      readonly rule: VerificationRule
      /** Hash of the signed accumulator: hex, 64 characters; absent under rule `0.20-2.1`. */
      readonly accumulatorHash?: Hex
      /** Hash of the second signed accumulator: hex, 64 characters; under rule `next` alone. */
      readonly appliedAccumulatorHash?: Hex
      /**
       * How the outputs were checked. `'recomputed'`: their hash was computed and compared with the signed one.
       * `'given'`: they were not checked, because the caller gave the hash of their accumulator. `'absent'`: the
       * snapshot has no `utxo`, and only its accumulator is proven.
       */
      readonly outputs: 'recomputed' | 'given' | 'absent'
      /** Keys of outputs that no proof covers: those at Byron addresses. */
      readonly unproven: readonly string[]
    }
  | Refutation
