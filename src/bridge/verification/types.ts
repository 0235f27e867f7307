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
   * Head keys of all parties, in their order: hex, 64 characters each. `'from-head'`: the keys that GET /head of the
   * same server names. That detects mistakes and broken relays, but not a server that lies.
   */
  parties: readonly Hex[] | 'from-head'
  /** The head's id, hex: snapshots of another head are refused. @default any head of these parties */
  headId?: Hex
  /** Rule by which the signed bytes are computed, whatever version the node states. @default by the node's version */
  rule?: VerificationRule
  /**
   * Computes the accumulators of large heads instead of the default. Use a native implementation that keeps the decoded
   * points; others are slower than the default. @default `@noble/curves` with tables of the points, in parts between
   * other tasks
   */
  accelerator?: Accelerator
  /**
   * Minimum time between two checks where snapshots come without outputs (`noSnapshotUtxo`), ms. A check compares the
   * outputs that are computed from the transactions with the signed accumulator; outputs are shown only once they are
   * proven. The time is never less than four times the duration of a check, except that 0 checks each snapshot on its
   * own.
   * @default 1000
   */
  checkInterval?: number
}

/** {@link BridgeVerification} with its defaults filled in. */
export interface ResolvedVerification extends Omit<BridgeVerification, 'checkInterval'> {
  readonly checkInterval: number
  /** True when snapshots are requested without outputs. */
  readonly isLean: boolean
}

/** The code of the verification, which is loaded when it is needed. */
export type VerifyModule = typeof import('../../verify/inSteps.js')

/** Functions of a bridge that its {@link VerifyingConnector} calls. */
export interface VerificationListener {
  /** Reads the outputs of texts by comparing them with those of the cache. */
  readonly texts: SnapshotTexts
  /** Applies a message that is verified, or needs no verification. */
  onVerifiedMessage(message: ArrivedMessage): void
  /** Called when the connection has ended: reads the messages that came before its end. */
  onClosing(): void
  /** Called when verification is behind the messages, or has caught up. */
  onLag(lag: VerificationLag): void
  /** Returns true when the cache shows exactly this snapshot. */
  shows(headId: string, number: number): boolean
  onUnverified(snapshot: UnverifiedSnapshot): void
  /**
   * Called when the newest verified snapshot has changed, or the node is found to be newer than the verification knows,
   * or no longer so.
   */
  onVerified(): void
  /** Returns true when the cache holds this snapshot of the head, or a newer one. */
  holds(headId: string, number: number): boolean
  /** Called with proven outputs that no message brings. */
  onOutputs(baseline: Omit<Baseline, 'epoch'>): void
  /**
   * Called when snapshots cannot be verified without GET /snapshot. `missed`: true when some were refused, so that
   * confirmations may have been missed.
   */
  onBehind(missed: boolean): void
}

/** The bridge's own connection as the gate sees it. */
export interface GatedChannel {
  /** True when its messages are of the present; false during a replay, which Greetings ends. */
  isPresent: boolean
  /** True once its messages no longer count. */
  isOver: boolean
  /** Passes on a message that is verified, or needs no verification. */
  pass(message: ArrivedMessage): void
  /** Ends the channel. */
  end(error: Error): void
}
