import { currentSlot, slotAt } from '../chain/chainTime.js'
import type { Agenda } from '../chain/Agenda.js'
import type { Chain } from '../chain/Chain.js'
import type { ChainTime } from '../chain/chainTime.js'
import { snapshotNumber } from '../head/snapshots.js'
import type { AgendaTask } from './AgendaTask.js'
import { fuelFailure } from './fuelFailure.js'
import type { Head } from './Head.js'
import type { ChainEvent, ChainTx, HeadEvent, LocalHeadState, NodeState } from '../head/types.js'
import { contestationPeriodOf } from '../head/types.js'
import { showInterval, utxoFailure, validationError } from '../rules/failures.js'
import type { HeadLedger } from '../head/headLedger.js'
import { closeOnChain, closingOf, commitmentOf, fanoutOf, hasOutput, stepOf } from './headSteps.js'
import { EMPTY_COMMITMENT } from '../headTxs/Commitments.js'
import { failingTxEnvelope } from '../wire/json/chainTxJson.js'
import { failedInWallet, failedToPost } from '../wire/json/messages.js'
import type { UtxoView } from '../rules/utxoSet.js'
import { EMPTY_VIEW } from '../rules/utxoSet.js'

/** A party whose transaction arrives at the base ledger. */
export interface Poster {
  readonly index: number
  readonly chain: Chain
  readonly head: Head
  readonly agenda: Agenda<AgendaTask>
  readonly ledger: HeadLedger
  readonly runtime: { readonly state: NodeState; dispatch(event: HeadEvent): void }
}

/** Returns the id to show as the spent transaction's when a transaction of the head fails. */
function spentBy(tx: ChainTx): string {
  return tx.tag === 'RecoverTx' ? tx.deposit.txId : tx.tag === 'InitTx' ? '00'.repeat(32) : `${tx.head.headId}00000000`
}

/** Code of the deposit script (hydra-plutus validators/deposit.ak, toErrorCode): recovered before the deadline. */
const PERIOD_NOT_REACHED = 'D04'

/** The ledger's refusal of a transaction outside its interval, in the words in which the node repeats it. */
function outsideInterval({ start, end }: { readonly start?: number; readonly end?: number }, time: ChainTime): string {
  const interval = showInterval(
    start === undefined ? undefined : BigInt(start),
    end === undefined ? undefined : BigInt(end)
  )
  return validationError([utxoFailure(`OutsideValidityIntervalUTxO ${interval} (SlotNo ${currentSlot(time)})`)])
}

function depositDeadline({ deposits }: NodeState, depositTxId: string): number {
  return deposits.find(({ txId }) => txId === depositTxId)?.deadlineMs ?? Infinity
}

/** Adds a decommit that was approved and has not left yet to the ledger again, to be fanned out with the rest. */
export function creditApproved(head: LocalHeadState, ledger: HeadLedger): void {
  if (head.status === 'Open' && head.decommit?.approved === true) ledger.credit(head.decommit.utxo)
}

const isSame = (a: UtxoView | undefined, b: UtxoView): boolean =>
  a === b || (a?.size === b.size && b.entries.every(({ ref }, i) => a.entries[i]?.ref === ref))

/** Applies a transaction of the head that has arrived at the base ledger; returns the event that the node then sees. */
export function applyChainTx(post: ChainTx, poster: Poster): HeadEvent {
  const { chain, ledger } = poster
  const { options, base, clock } = chain
  const { network, ids, txs } = poster.head
  // The base ledger has more than a party sees that lags.
  const { runtime } = network.lags(poster.index) ? network.upToDate : poster
  const { head } = runtime.state
  const nowMs = clock.now()
  const fail = (reason: string): HeadEvent => ({
    type: 'PostFailed',
    post,
    error: failedToPost(reason, failingTxEnvelope(spentBy(post)))
  })
  const { fuelAddress } = poster.head.faults
  const unpaid = fuelAddress === null ? null : fuelFailure(base, fuelAddress, failingTxEnvelope(spentBy(post)))
  if (unpaid !== null) return { type: 'PostFailed', post, error: unpaid }
  if (post.tag === 'InitTx') {
    if (head.status !== 'Idle')
      return fail('TxValidationErrorInCardanoMode (the seed input is spent: another head has been opened)')
    const opened = ids.next()
    txs.init(opened)
    return { type: 'InitSeen', head: opened, emptyUtxo: EMPTY_VIEW }
  }
  if (post.tag === 'RecoverTx') {
    if (nowMs <= post.deposit.deadlineMs)
      return { type: 'PostFailed', post, error: failedInWallet(PERIOD_NOT_REACHED, failingTxEnvelope(spentBy(post))) }
    txs.recover(post.deposit)
    return { type: 'RecoverSeen', depositTxId: post.deposit.txId }
  }
  if (head.status === 'Idle' || head.head.headId !== post.head.headId) return fail('the head is over')
  switch (post.tag) {
    case 'CollectComTx':
    case 'AbortTx': {
      if (head.status !== 'Initializing') return fail('the head is not initializing')
      const committed = head.committed.reduce((all, { utxo }) => all.concat(utxo), EMPTY_VIEW)
      if (post.tag === 'CollectComTx') return { type: 'CollectSeen', utxo: committed }
      base.produce(committed.entries.map(({ output }) => output))
      return { type: 'AbortSeen', utxo: committed }
    }
    case 'IncrementTx':
      if (head.status !== 'Open') return fail('the head is not open')
      if (head.deposit?.txId !== post.depositTxId) return fail('BadInputsUTxO: the deposit is in the head already')
      if (nowMs > depositDeadline(runtime.state, post.depositTxId)) {
        return fail(outsideInterval({ end: slotAt(depositDeadline(runtime.state, post.depositTxId), chain) }, chain))
      }
      txs.increment(post.head, { ...post, ...stepOf(head, post) })
      return { type: 'IncrementSeen', depositTxId: post.depositTxId }
    case 'DecrementTx':
      if (head.status !== 'Open') return fail('the head is not open')
      if (!isSame(head.decommit?.utxo, post.utxo)) return fail('BadInputsUTxO: the outputs have left the head already')
      if (post.version !== undefined && post.version !== head.version)
        return fail(`BadInputsUTxO: the head's output is of version ${head.version}, the snapshot of ${post.version}`)
      return { type: 'DecrementSeen', distributedUTxO: txs.decrement(post.head, { ...post, ...stepOf(head, post) }) }
    case 'CloseTx':
      if (head.status !== 'Open') return fail('the head is not open')
      creditApproved(head, ledger)
      return {
        type: 'CloseSeen',
        deadlineMs: nowMs + contestationPeriodOf(head.head, options.timings.contestationPeriodMs)
      }
    default: {
      if (head.status !== 'Closed' && head.status !== 'FanningOut') return fail('the head is not closed')
      if (nowMs <= head.deadlineMs) return fail(outsideInterval({ start: slotAt(head.deadlineMs, chain) }, chain))
      const { step, remaining } = fanoutOf(post, head, ledger)
      const left = remaining.size === 0 ? null : (commitmentOf(remaining.entries, poster) ?? EMPTY_COMMITMENT)
      const paid = { kind: post.tag, utxo: step, deadlineMs: head.deadlineMs, left }
      const failures = txs.fanoutFailures(post.head, paid)
      if (failures.length > 0) return fail(validationError(failures))
      return { type: 'FanoutSeen', step, distributed: txs.fanout(post.head, paid), remaining }
    }
  }
}

/** Returns false while the commitment that the datum of a step requires is being computed. */
function isReady(post: ChainTx, poster: Poster): boolean {
  const { head } = poster.runtime.state
  if (!('head' in post) || !hasOutput(post.head, poster)) return true
  if (post.tag === 'CloseTx') return head.status !== 'Open' || closingOf(poster).commitment !== undefined
  if (post.tag !== 'PartialFanoutTx' || (head.status !== 'Closed' && head.status !== 'FanningOut')) return true
  const { remaining } = fanoutOf(post, head, poster.ledger)
  return remaining.size === 0 || commitmentOf(remaining.entries, poster) !== undefined
}

/** Time between two checks whether the commitment of a datum is known, ms. */
const COMMITMENT_MS = 25

/**
 * Applies a transaction that a party has posted and shows all parties its outcome; a failure is shown to the poster
 * alone.
 */
export function settleChainTx(post: ChainTx, poster: Poster): void {
  const { chain, agenda } = poster
  const { network } = poster.head
  if (!isReady(post, poster)) return agenda.add(COMMITMENT_MS, { do: 'settle', post })
  const seen = applyChainTx(post, poster)
  if (seen.type === 'PostFailed') return poster.runtime.dispatch(seen)
  if (seen.type === 'CloseSeen') return settleClose(seen, poster)
  if (seen.type === 'InitSeen') for (const { runtime } of network.parties) runtime.initializedMs = chain.clock.now()
  network.onChain(seen as ChainEvent)
  if (seen.type !== 'InitSeen' || !chain.features.initializing) return
  // The simulated parties make their empty commits at once.
  const others = seen.head.parties.filter((party) => party !== poster.head.committer)
  agenda.add(chain.options.timings.blockMs, { do: 'commitOthers', parties: others })
}

function settleClose(seen: Extract<HeadEvent, { type: 'CloseSeen' }>, poster: Poster): void {
  const { index, chain, agenda } = poster
  const { network } = poster.head
  const { head } = poster.runtime.state
  const latest = head.status === 'Open' ? snapshotNumber(head) : 0
  const isOld = network.settings(index).closeWithOld && latest > 0
  // A decommit that was approved and has not left yet is fanned out with the rest: the poster's ledger has it
  // already.
  for (const other of network.parties) if (other.index !== index) creditApproved(other.runtime.state.head, other.ledger)
  closeOnChain(seen.deadlineMs, poster)
  network.onChain(isOld ? { ...seen, snapshotNumber: latest - 1 } : seen)
  if (isOld) agenda.add(chain.options.timings.blockMs, { do: 'contest' })
}
