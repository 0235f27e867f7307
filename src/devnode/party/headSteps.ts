import type { Chain } from '../chain/Chain.js'
import type { HeadLedger } from '../head/headLedger.js'
import { remainingOf } from '../head/remaining.js'
import { EMPTY_ACCUMULATOR } from '../head/snapshotHashes.js'
import { snapshotNumber } from '../head/snapshots.js'
import type { ChainTx, HeadIdentity, LocalHeadState, NodeState, OpenHead, SignedLocalSnapshot } from '../head/types.js'
import { EMPTY_COMMITMENT } from '../headTxs/Commitments.js'
import { unionEntries } from '../rules/outputHash.js'
import type { LedgerEntry } from '../rules/utxoSet.js'
import { UtxoView } from '../rules/utxoSet.js'
import type { Head } from './Head.js'

/** A party whose step of the head reaches the base ledger. */
interface Stepper {
  readonly index: number
  readonly chain: Chain
  readonly head: Head
  readonly runtime: { readonly state: NodeState }
}

/** True where the head has an output on the base ledger. */
export function hasOutput(identity: HeadIdentity, { head: { txs } }: Pick<Stepper, 'head'>): boolean {
  return txs.output(identity) !== undefined
}

/** Returns the version and accumulator for the datum that an increment or a decrement writes. */
export function stepOf(
  { version, confirmed }: OpenHead,
  { accumulator }: { readonly accumulator?: string }
): { readonly version: number; readonly accumulator: string } {
  return {
    version: version + 1,
    accumulator: accumulator ?? confirmed?.snapshot.accumulator ?? EMPTY_ACCUMULATOR
  }
}

/** Returns the outputs that a step of the fanout pays, and those that remain after it. */
export function fanoutOf(
  post: Extract<ChainTx, { readonly selection: UtxoView | null }>,
  head: LocalHeadState,
  ledger: HeadLedger
): { readonly step: UtxoView; readonly remaining: UtxoView } {
  const before = remainingOf(head, ledger)
  const step = post.selection ?? before
  const chosen = new Set(step.entries.map(({ ref }) => ref))
  return { step, remaining: new UtxoView(before.entries.filter(({ ref }) => !chosen.has(ref))) }
}

/**
 * Returns the commitment to outputs; undefined while it is being computed. With the option `accumulator` off it is that
 * of no outputs, as in the snapshots.
 */
export function commitmentOf(
  entries: readonly LedgerEntry[],
  { chain, head }: Pick<Stepper, 'chain' | 'head'>
): string | undefined {
  return chain.options.accumulator === 'off' ? EMPTY_COMMITMENT : head.txs.commitments.of(entries)
}

/** Returns the number of the snapshot that a party closes the head with, and its commitment once that is known. */
export function closingOf(party: Stepper): { readonly number: number; readonly commitment: string | undefined } {
  const { index, runtime } = party
  const { network, signing } = party.head
  const { head } = runtime.state
  const confirmed = head.status === 'Open' ? head.confirmed : null
  const isOld = network.settings(index).closeWithOld && confirmed !== null
  const closing = isOld ? signing.previous : confirmed
  return {
    number: confirmed === null ? 0 : snapshotNumber({ confirmed }) - (isOld ? 1 : 0),
    commitment: commitmentOfSnapshot(closing, party)
  }
}

function commitmentOfSnapshot(signed: SignedLocalSnapshot | null, party: Stepper): string | undefined {
  if (signed === null) return EMPTY_COMMITMENT
  const { utxo, utxoToCommit, utxoToDecommit } = signed.snapshot
  return commitmentOf(unionEntries(utxo, utxoToCommit, utxoToDecommit), party)
}

/** Closes the head on the base ledger. */
export function closeOnChain(deadlineMs: number, party: Stepper): void {
  const { head } = party.runtime.state
  if (head.status !== 'Open') return
  const { number, commitment = EMPTY_COMMITMENT } = closingOf(party)
  party.head.txs.close(head.head, { version: head.version, number, deadlineMs, commitment })
}

/** Contests the closing on the base ledger; returns false while the commitment is being computed. */
export function contestOnChain(deadlineMs: number, party: Stepper): boolean {
  const { head } = party.runtime.state
  if (head.status !== 'Closed' || !hasOutput(head.head, party)) return true
  const commitment = commitmentOfSnapshot(head.confirmed, party)
  if (commitment === undefined) return false
  const { version, confirmed } = head
  const number = snapshotNumber({ confirmed })
  party.head.txs.contest(head.head, { version, number, deadlineMs, commitment }, party.index)
  return true
}
