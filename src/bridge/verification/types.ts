import type { Accelerator } from '../../accumulator/inner.js'
import type { Hex } from '../../types/utxo.js'
import type { VerificationRule } from '../../verify/inner.js'
import type { UnverifiedSnapshot, VerificationLag } from '../delivery/events.js'
import type { Baseline } from '../head/baseline.js'
import type { SnapshotTexts } from '../head/SnapshotTexts.js'
import type { ArrivedMessage } from './ArrivedMessage.js'

/** Options of a bridge that verifies snapshots. */
export interface BridgeVerification {
  /**
   * Head keys of all parties, in their order: hex, 64 characters each. `'from-head'`: as GET /head of the same server
   * names them, which finds mistakes and broken relays, but no server that lies.
   */
  parties: readonly Hex[] | 'from-head'
  /** The head's id, hex: snapshots of another head are refused. @default any head of these parties */
  headId?: Hex
  /** Rule of the signed bytes, for any version that the node states. @default by the node's version */
  rule?: VerificationRule
  /**
   * Computes the accumulators of large heads: a native one that keeps the decoded points; others are slower than the
   * default. @default `@noble/curves`, in parts between other tasks; with tables of the points up to 255 outputs
   */
  accelerator?: Accelerator
  /**
   * Least time between two checks where snapshots come without outputs (`noSnapshotUtxo`), ms: the outputs that follow
   * from their transactions are compared with the signed accumulator, and show when they are proven. Never less than
   * four times the duration of a check; 0 checks each snapshot on its own.
   * @default 1000
   */
  checkInterval?: number
}

/** The same, with its defaults. */
export interface ResolvedVerification extends Omit<BridgeVerification, 'checkInterval'> {
  readonly checkInterval: number
  /** True when snapshots are to come without outputs. */
  readonly isLean: boolean
}

/** The verification, loaded when it is needed. */
export type VerifyModule = typeof import('../../verify/inSteps.js')

/** The bridge behind a {@link VerifyingConnector}. */
export interface VerificationListener {
  /** Reads the outputs of texts against those of the cache. */
  readonly texts: SnapshotTexts
  /** Applies a message that may go on. */
  onVerifiedMessage(message: ArrivedMessage): void
  /** The connection has ended: reads the messages that came before. */
  onClosing(): void
  /** Called when verification is behind the messages, or has caught up. */
  onLag(lag: VerificationLag): void
  /** True when the cache shows exactly this snapshot. */
  shows(headId: string, number: number): boolean
  onUnverified(snapshot: UnverifiedSnapshot): void
  /** The newest verified snapshot is another, or the node is newer than the verification knows, or no longer so. */
  onVerified(): void
  /** Returns true when the cache holds this snapshot of the head, or a newer one. */
  holds(headId: string, number: number): boolean
  /** Outputs are proven that no message brings. */
  onOutputs(baseline: Omit<Baseline, 'epoch'>): void
  /**
   * Snapshots cannot go on without GET /snapshot. `missed`: some were refused, with the transactions that they confirm.
   */
  onBehind(missed: boolean): void
}

/** The bridge's own connection as the gate sees it. */
export interface GatedChannel {
  /** True when its messages are of the present: Greetings ends a replay. */
  isPresent: boolean
  /** True once its messages do not count any more. */
  isOver: boolean
  /** Passes on a message that may go on. */
  pass(message: ArrivedMessage): void
  /** Ends the channel. */
  end(error: Error): void
}
