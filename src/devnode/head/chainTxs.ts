import type { NodeContext } from '../NodeContext.js'
import { remainingOf } from './remaining.js'
import type { ChainTx, HeadEvent, HeadState } from './types.js'
import type { HeadLedger } from '../ledger/headLedger.js'
import { depositOutput } from '../deposits/depositDraft.js'
import { failingTxEnvelope } from '../wire/chainTxJson.js'
import { failedToPost } from '../wire/messages.js'
import { EMPTY_VIEW, UtxoView } from '../ledger/utxoSet.js'

/** A transaction id that names what a transaction of the head spends. */
function spentBy(tx: ChainTx): string {
  return tx.tag === 'RecoverTx' ? tx.deposit.txId : tx.tag === 'InitTx' ? '00'.repeat(32) : `${tx.head.headId}00000000`
}

/** A decommit that was approved and has not left yet is fanned out with the rest. */
export function creditApproved(head: HeadState, ledger: HeadLedger): void {
  if (head.status === 'Open' && head.decommit?.approved === true) ledger.credit(head.decommit.utxo)
}

/** A transaction of the head arrives at the base ledger: what the node then sees. */
export function applyChainTx(post: ChainTx, { options, base, ledger, runtime }: Pick<NodeContext, 'options' | 'base' | 'ledger' | 'runtime'>): HeadEvent {
  const { head } = runtime.state
  const nowMs = options.clock.now()
  const fail = (reason: string): HeadEvent => ({ type: 'PostFailed', post, error: failedToPost(reason, failingTxEnvelope(spentBy(post))) })
  if (post.tag === 'InitTx') {
    if (head.status !== 'Idle') return fail('TxValidationErrorInCardanoMode (the seed input is spent: another head has been opened)')
    return { type: 'InitSeen', head: runtime.newHead(), emptyUtxo: EMPTY_VIEW }
  }
  if (post.tag === 'RecoverTx') {
    if (nowMs <= post.deposit.deadlineMs) return fail('OutsideValidityIntervalUTxO: the deadline of the deposit has not passed')
    base.consume(depositOutput(post.deposit.txId))
    base.produce(post.deposit.deposited.entries.map(({ output }) => output))
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
      base.consume(depositOutput(post.depositTxId))
      return { type: 'IncrementSeen', depositTxId: post.depositTxId }
    case 'DecrementTx':
      if (head.status !== 'Open') return fail('the head is not open')
      if (head.decommit?.utxo !== post.utxo) return fail('BadInputsUTxO: the outputs have left the head already')
      return { type: 'DecrementSeen', distributedUTxO: base.produce(post.utxo.entries.map(({ output }) => output)) }
    case 'CloseTx':
      if (head.status !== 'Open') return fail('the head is not open')
      creditApproved(head, ledger)
      return { type: 'CloseSeen', deadlineMs: nowMs + options.timings.contestationPeriodMs }
    default: {
      if (head.status !== 'Closed' && head.status !== 'FanningOut') return fail('the head is not closed')
      if (nowMs <= head.deadlineMs) return fail('FailedToConstructFanoutTx: the contestation deadline has not passed')
      const remaining = remainingOf(head, ledger)
      const step = post.selection ?? remaining
      const chosen = new Set(step.entries.map(({ ref }) => ref))
      const distributed = base.produce(step.entries.map(({ output }) => output))
      return { type: 'FanoutSeen', step, distributed, remaining: new UtxoView(remaining.entries.filter(({ ref }) => !chosen.has(ref))) }
    }
  }
}
