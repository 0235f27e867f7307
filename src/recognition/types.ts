import type { Amount, Hex } from '../types/utxo.js'
import type { VerificationRule } from '../verify/index.js'

/**
 * State of a head as a wallet shows it. The first three are those of the proposed standard; the others are this
 * package's.
 *
 * - `VERIFIED_IN_HEAD`: the parties signed the outputs, and the base ledger knows the head
 * - `UNVERIFIABLE`: money may be in the head, and no proof of it could be had: flag it, with `reason`
 * - `HEAD_CLOSING`: the head is closed on the base ledger; its money cannot be spent until it is paid out
 * - `NO_HEAD`: the base ledger has no such head: it was never opened, or all is paid out
 * - `UNRECOGNISED`: the output is of no form that this package knows
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
 * - `parties`: the pinned keys are not those of the datum, or the datum's can be no keys
 * - `accumulator`: the outputs are not those that the parties signed
 * - `stale`: the snapshot is older than the head's last step on the base ledger
 * - `rollback`: the snapshot is older than one that was verified before
 * - `source-behind`: the snapshot is newer than the chain source: ask again
 * - `unbacked`: the outputs are worth more than the head's output on the base ledger
 * - `newer-version`: the head is of a version that this package does not know: update it
 * - `initial`: the endpoint shows an empty head, and the base ledger knows more
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
  /** In the head now. With `HEAD_CLOSING`: what the head pays out. */
  readonly available: readonly Amount[]
  /** In a snapshot, and still a deposit on the base ledger: not in `available`. */
  readonly arriving: readonly Amount[]
  /** Leaving the head by a decommit that has not landed: not in `available`. */
  readonly leaving: readonly Amount[]
}

/** An output of the wallet in a head. */
export interface RecognisedOutput {
  /** `'txHash#index'`. Nobody signs it: two outputs may be exchanged. */
  readonly ref: string
  /** Bech32. */
  readonly address: string
  /** Value of the output. */
  readonly amount: readonly Amount[]
  /** Which sum it counts for. */
  readonly part: 'available' | 'arriving' | 'leaving'
}

/** Amounts of a wallet in a head, with what they consist of. */
export interface InHead extends HeadAmounts {
  /** The sums of each address that was asked for: bech32. */
  readonly byAddress: Readonly<Record<string, HeadAmounts>>
  /** The wallet's outputs; at most 1,000. */
  readonly outputs: readonly RecognisedOutput[]
  /** True: the whole set was compared with the signed one, so none of the wallet's outputs is missing. */
  readonly complete: boolean
  /** True: the head's output on the base ledger covers all outputs of the head. */
  readonly backed: boolean
  /** Units that exist in the head alone: minted inside, not summed. */
  readonly mintedInside: readonly string[]
}

/** The snapshot that amounts are of. */
export interface RecognisedSnapshot {
  /** Number of the snapshot; 0 for the initial one. */
  readonly number: number
  /** Its version. */
  readonly version: number
  /** Rule of its signatures; null where no signature was needed. */
  readonly rule: VerificationRule | null
  /** True: a later step on the base ledger carried exactly this snapshot out. */
  readonly settled: boolean
}

/** Amounts of the newest snapshot that was verified, when the present one cannot be had. */
export interface LastVerified {
  /** The snapshot. */
  readonly snapshot: RecognisedSnapshot
  /** The amounts as of then. */
  readonly inHead: InHead
}

/** A deposit of the wallet on the base ledger. */
export interface RecognisedDeposit {
  /** Transaction that made it: hex, 64 characters. */
  readonly depositTxId: Hex
  /** Head that it is meant for: hex, 56 characters. */
  readonly headId: Hex
  /** `RECOVERABLE` once the deadline has passed. */
  readonly state: 'PENDING_DEPOSIT' | 'RECOVERABLE'
  /**
   * `waiting` and `claimable` for the head, `expired`: no longer taken and not yet recoverable, `recoverable`; null
   * while pending where the head's deposit period is unknown.
   */
  readonly phase: 'waiting' | 'claimable' | 'expired' | 'recoverable' | null
  /** Time from which its owner can recover it: ms since the Unix epoch. */
  readonly deadlineMs: number
  /** Time of the next phase: ms since the Unix epoch; null once it is recoverable. */
  readonly nextMs: number | null
  /** Sum of its outputs at the wallet's addresses. */
  readonly amount: readonly Amount[]
  /** The same by address: bech32. */
  readonly byAddress: Readonly<Record<string, readonly Amount[]>>
  /** True: a verified snapshot of the head carries it as `arriving`; count it once. */
  readonly inSnapshot: boolean
}

/** Deposits that are not listed one by one: anybody can make some in the name of the wallet's address. */
export interface FoldedDeposits {
  /** Their number. */
  readonly count: number
  /** Their sum at the wallet's addresses, in no other sum of the answer. */
  readonly amount: readonly Amount[]
}

/** A head that is closed on the base ledger. */
export interface ClosingHead {
  /** `contestable` up to the deadline, then `payable`; `paying-out` between two steps of the fanout. */
  readonly phase: 'contestable' | 'payable' | 'paying-out'
  /** Contestation deadline: ms since the Unix epoch. */
  readonly deadlineMs: number
  /** Number of the snapshot that the head closes with; null while it pays out. */
  readonly snapshotNumber: number | null
}

/** Time of the chain source. */
export interface RecognitionTime {
  /** Slot of its newest block. */
  readonly slot: number
  /** The same, ms since the Unix epoch. */
  readonly timeMs: number
}

/** Result of one endpoint. */
export interface EndpointEvidence {
  /** Base address as it was given. */
  readonly endpoint: string
  /** True: its snapshot was verified. */
  readonly ok: boolean
  /** Null when it was. */
  readonly reason: RecognitionReason | null
  /** The same for people. */
  readonly detail: string | null
  /** Number that its snapshot states; null where none could be read. */
  readonly number: number | null
}

/** Which facts are proven, and by what. Null: not checked. */
export interface RecognitionEvidence {
  /** The head's output on the base ledger: as true as the chain source. */
  readonly anchor: {
    /** `'txHash#index'`. */
    readonly ref: string
    /** Hash of the script that holds it: hex, 56 characters; null at a key address. */
    readonly scriptHash: Hex | null
    /** Compared with the option `scripts`; null without it. */
    readonly script: 'known' | 'unknown' | null
  } | null
  /** Form of the datum. */
  readonly datum: {
    /** State of the head that it is of. */
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
  /** How the outputs were bound: to the signed accumulator, or to the commitment in the datum itself. */
  readonly set: 'recomputed' | 'on-chain' | null
  /** Relation of the snapshot's version to the datum's: equal, or settled by the step after it. */
  readonly version: 'equal' | 'settled' | null
  /** True: the value of the head's output covers the outputs in the head. */
  readonly backed: boolean | null
  /** Each endpoint that was asked. */
  readonly endpoints: readonly EndpointEvidence[]
  /** Rules of this package beyond the letter of the proposed standard that decided this answer: `U1` and so on. */
  readonly deviations: readonly string[]
}

/** The answer to one head: a state, amounts, and the evidence for them. */
export interface Recognition {
  /** Hex, 56 characters. */
  readonly headId: Hex
  /** State of the head. */
  readonly state: RecognitionState
  /** Why, with `UNVERIFIABLE` and `UNRECOGNISED`; else null. */
  readonly reason: RecognitionReason | null
  /** The same for people. */
  readonly detail: string | null
  /** Proven amounts; null where there is no proof of the present ones. */
  readonly inHead: InHead | null
  /** The snapshot of `inHead`. */
  readonly snapshot: RecognisedSnapshot | null
  /** Amounts of an earlier snapshot: show them marked with its number. */
  readonly lastVerified: LastVerified | null
  /** Deposits of the wallet, whatever the head's state: at most 100, the next deadline first. */
  readonly deposits: readonly RecognisedDeposit[]
  /** Deposits below `dustLimit`, and those beyond the 100; null where there are none. */
  readonly foldedDeposits: FoldedDeposits | null
  /** The closing, with `HEAD_CLOSING`. */
  readonly closing: ClosingHead | null
  /** Time of the chain source. */
  readonly asOf: RecognitionTime
  /** Origin of the head id. */
  readonly headIdFrom: HeadIdOrigin
  /** False: say beside the amounts that the user did not join this head. */
  readonly joined: boolean
  /** Which facts are proven, and by what. */
  readonly evidence: RecognitionEvidence
}
