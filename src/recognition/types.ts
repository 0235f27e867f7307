import type { Amount, Hex } from '../types/utxo.js'
import type { VerificationRule } from '../verify/index.js'

/**
 * State of a head as a wallet shows it. The first three are those of the proposed standard; the others are this
 * package's.
 *
 * - `VERIFIED_IN_HEAD`: the parties signed the outputs, and the base ledger knows the head
 * - `UNVERIFIABLE`: money may be in the head, but no proof of it could be found: show that, with `reason`
 * - `HEAD_CLOSING`: the head is closed on the base ledger; its money cannot be spent until it is paid out
 * - `NO_HEAD`: the base ledger has no such head: it was never opened, or all is paid out
 * - `UNRECOGNISED`: the output of the head has a form that this package does not know
 */
export type RecognitionState = 'VERIFIED_IN_HEAD' | 'UNVERIFIABLE' | 'HEAD_CLOSING' | 'NO_HEAD' | 'UNRECOGNISED'

/**
 * Reason of `UNVERIFIABLE` and `UNRECOGNISED`. Stable: programs may compare it.
 *
 * - `unreachable`: no endpoint answered, or none is known
 * - `refused`: an endpoint answered with another status than 200
 * - `malformed`, `too-large`: its answer cannot be read, or is beyond the limits
 * - `other-head`: the snapshot is of another head
 * - `signature`: a signature is not that party's over this snapshot
 * - `parties`: the pinned keys are not those of the datum, or the keys of the datum are not valid
 * - `accumulator`: the outputs are not those that the parties signed
 * - `stale`: the snapshot is older than the head's last step on the base ledger
 * - `rollback`: the snapshot is older than one that was verified before
 * - `source-behind`: the snapshot is newer than the answer of the chain source, so ask again
 * - `unbacked`: the outputs are worth more than the head's output on the base ledger
 * - `newer-version`: the head is of a version that this package does not know: update it
 * - `initial`: the endpoint shows the initial, empty head, but the base ledger shows that the head is further
 * - `anchor`: not exactly one output holds the head's token
 * - `token`: the head is of another generation, whose token has another name
 * - `datum`: the head's output has no datum of a head
 * - `unproven`: the wallet's address is a Byron one, whose outputs no proof covers
 */
export type RecognitionReason =
  | 'unreachable'
  | 'refused'
  | 'malformed'
  | 'too-large'
  | 'other-head'
  | 'signature'
  | 'parties'
  | 'accumulator'
  | 'stale'
  | 'rollback'
  | 'source-behind'
  | 'unbacked'
  | 'newer-version'
  | 'initial'
  | 'anchor'
  | 'token'
  | 'datum'
  | 'unproven'

/** Origin of a head id: only the first two mean that the user joined the head. */
export type HeadIdOrigin = 'own-deposit' | 'configured' | 'hint'

/** Amounts of a wallet in a head. Never add them to balances of the base ledger. */
export interface HeadAmounts {
  /** Amounts in the head now. With `HEAD_CLOSING`: the amounts that the head pays out. */
  readonly available: readonly Amount[]
  /**
   * Amounts of a deposit that a snapshot includes already and that is still a deposit on the base ledger; not in
   * `available`.
   */
  readonly arriving: readonly Amount[]
  /** Amounts that leave the head by a decommit which is not on the base ledger yet; not in `available`. */
  readonly leaving: readonly Amount[]
}

/** An output of the wallet in a head. */
export interface RecognisedOutput {
  /** Reference: `'txHash#index'`. No signature covers it: an endpoint could exchange the references of two outputs. */
  readonly ref: string
  /** Address of the output: bech32. */
  readonly address: string
  /** Value of the output. */
  readonly amount: readonly Amount[]
  /** Sum of {@link HeadAmounts} that the output counts for. */
  readonly part: 'available' | 'arriving' | 'leaving'
}

/** Amounts of a wallet in a head, with the outputs that make them up. */
export interface InHead extends HeadAmounts {
  /** The sums of each address that was asked for: bech32. */
  readonly byAddress: Readonly<Record<string, HeadAmounts>>
  /** The wallet's outputs; at most 1,000. */
  readonly outputs: readonly RecognisedOutput[]
  /** True: the whole set was compared with the signed one, so none of the wallet's outputs is missing. */
  readonly complete: boolean
  /** True: the head's output on the base ledger covers all outputs of the head. */
  readonly backed: boolean
  /** Units of tokens that were minted in the head, so that they exist there alone; they are not in the sums. */
  readonly mintedInside: readonly string[]
}

/** Snapshot that amounts are based on. */
export interface RecognisedSnapshot {
  /** Number of the snapshot; 0 for the initial one. */
  readonly number: number
  /** Version of the snapshot. */
  readonly version: number
  /** Rule that its signatures follow, named by a version of the node; null where no signature was needed. */
  readonly rule: VerificationRule | null
  /** True: its pending deposit or decommit has been carried out by the step after it on the base ledger. */
  readonly settled: boolean
}

/** Amounts of the newest snapshot that was verified before, for when no present snapshot can be verified. */
export interface LastVerified {
  /** Snapshot that was verified. */
  readonly snapshot: RecognisedSnapshot
  /** Amounts in that snapshot. */
  readonly inHead: InHead
}

/** A deposit of the wallet on the base ledger. */
export interface RecognisedDeposit {
  /** Transaction that made the deposit: hex, 64 characters. */
  readonly depositTxId: Hex
  /** Id of the head that the deposit is meant for: hex, 56 characters. */
  readonly headId: Hex
  /** `PENDING_DEPOSIT` until the deadline, then `RECOVERABLE`. */
  readonly state: 'PENDING_DEPOSIT' | 'RECOVERABLE'
  /**
   * `waiting`: the head cannot claim the deposit yet; `claimable`: it can; `expired`: it can no longer, and the owner
   * cannot recover it yet; `recoverable`: the owner can. Null while pending if the deposit period of the head is
   * unknown.
   */
  readonly phase: 'waiting' | 'claimable' | 'expired' | 'recoverable' | null
  /** Time from which its owner can recover it: ms since the Unix epoch. */
  readonly deadlineMs: number
  /** Time of the next phase: ms since the Unix epoch; null once it is recoverable. */
  readonly nextMs: number | null
  /** Sum of its outputs at the wallet's addresses. */
  readonly amount: readonly Amount[]
  /** Sums of its outputs by address of the wallet: bech32. */
  readonly byAddress: Readonly<Record<string, readonly Amount[]>>
  /** True: a verified snapshot of the head includes it already in `arriving`, so do not count it twice. */
  readonly inSnapshot: boolean
}

/**
 * Sum of deposits that are not listed one by one, because anybody can make many small ones to the addresses of a
 * wallet.
 */
export interface FoldedDeposits {
  /** Number of these deposits. */
  readonly count: number
  /** Sum of these deposits at the wallet's addresses; it is in no other sum of the answer. */
  readonly amount: readonly Amount[]
}

/** A head that is closed on the base ledger. */
export interface ClosingHead {
  /** `contestable` until the deadline, then `payable`; `paying-out` between two steps of the fanout. */
  readonly phase: 'contestable' | 'payable' | 'paying-out'
  /** Contestation deadline: ms since the Unix epoch. */
  readonly deadlineMs: number
  /** Number of the snapshot that the head closes with; null while it pays out. */
  readonly snapshotNumber: number | null
}

/** Time of the chain source when it was read. */
export interface RecognitionTime {
  /** Slot of its tip (newest block). */
  readonly slot: number
  /** Time of that slot, ms since the Unix epoch. */
  readonly timeMs: number
}

/** Result of one endpoint. */
export interface EndpointEvidence {
  /** Base address as it was given. */
  readonly endpoint: string
  /** True: its snapshot was verified. */
  readonly ok: boolean
  /** Reason why its snapshot was not verified; null when it was. */
  readonly reason: RecognitionReason | null
  /** Reason as text for people. */
  readonly detail: string | null
  /** Number that its snapshot states; null where none could be read. */
  readonly number: number | null
}

/** Evidence for an answer: which facts are proven, and by which source. A member that is null was not checked. */
export interface RecognitionEvidence {
  /** Output of the head on the base ledger: as reliable as the chain source. */
  readonly anchor: {
    /** Reference of the output: `'txHash#index'`. */
    readonly ref: string
    /** Hash of the script that holds it: hex, 56 characters; null at a key address. */
    readonly scriptHash: Hex | null
    /** Result of comparing this hash with the option `scripts`; null without that option. */
    readonly script: 'known' | 'unknown' | null
  } | null
  /** Form of the datum. */
  readonly datum: {
    /** State of the head that the datum shows. */
    readonly state: 'open' | 'closed' | 'fanout-progress'
    /** Number of its fields. */
    readonly fields: number
  } | null
  /** Source of the parties' keys. */
  readonly parties: 'datum' | 'pinned' | null
  /** Number of signatures that hold; null where none was needed. */
  readonly signatures: number | null
  /** Rule that the signatures follow. */
  readonly rule: VerificationRule | null
  /**
   * Source that proves the outputs: `recomputed`: they match the accumulator that the parties signed; `on-chain`: they
   * match the commitment in the datum itself.
   */
  readonly set: 'recomputed' | 'on-chain' | null
  /**
   * Version of the snapshot compared with the datum: `equal`, or `settled` (one less, and the step after the snapshot
   * has carried it out).
   */
  readonly version: 'equal' | 'settled' | null
  /** True: the value of the head's output covers the outputs in the head. */
  readonly backed: boolean | null
  /** Each endpoint that was asked. */
  readonly endpoints: readonly EndpointEvidence[]
  /**
   * Names of the rules, such as `U1`, by which this package goes beyond the proposed standard and that decided this
   * answer.
   */
  readonly deviations: readonly string[]
}

/** The answer about one head: a state, amounts, and the evidence for them. */
export interface Recognition {
  /** Id of the head: hex, 56 characters. */
  readonly headId: Hex
  /** State of the head. */
  readonly state: RecognitionState
  /** Reason of the states `UNVERIFIABLE` and `UNRECOGNISED`; else null. */
  readonly reason: RecognitionReason | null
  /** Reason as text for people. */
  readonly detail: string | null
  /** Proven amounts; null where there is no proof of the present ones. */
  readonly inHead: InHead | null
  /** Snapshot that `inHead` is based on; null where there is none. */
  readonly snapshot: RecognisedSnapshot | null
  /** Amounts of an earlier snapshot: show them together with its number. Null where there are none. */
  readonly lastVerified: LastVerified | null
  /** Deposits of the wallet, whatever the head's state: at most 100, the next deadline first. */
  readonly deposits: readonly RecognisedDeposit[]
  /** Sum of the deposits below `dustLimit`, and of those beyond the 100; null where there are none. */
  readonly foldedDeposits: FoldedDeposits | null
  /** Progress of the close, with `HEAD_CLOSING`; else null. */
  readonly closing: ClosingHead | null
  /** Time of the chain source at which the answer holds. */
  readonly asOf: RecognitionTime
  /** Origin of the head id. */
  readonly headIdFrom: HeadIdOrigin
  /** False: the user did not join this head, which has to be said beside the amounts. */
  readonly joined: boolean
  /** Evidence for the answer: which facts are proven, and by which source. */
  readonly evidence: RecognitionEvidence
}
