import type { LayerPayload, PayloadOf } from '../../bridge/inner.js'
import { utxoFromJson } from '../../bridge/inner.js'
import { OutcomeUnknownError } from '../../errors/client.js'
import type { BuiltTransaction } from '../../tx/inner.js'
import type { UTxO } from '../../types/utxo.js'
import { decodeLedgerError } from '../ledgerError.js'
import type { ClientContext } from '../ClientContext.js'
import { deferred } from '../deferred.js'
import { refOf } from '../PendingView.js'
import { watchGaps } from './watchGaps.js'

type Outputs = UTxO['output'][]

/** A transaction that moves outputs out of the head. */
export type Decommit = Pick<BuiltTransaction, 'txId' | 'inputs' | 'outputs'>

/** A decommit that is followed until it is final. */
export interface WatchedDecommit {
  /** Resolves once all parties have approved; rejects when the node refuses it, or its outcome stays unknown. */
  readonly approved: Promise<void>
  /** Outputs that have arrived on the base ledger. Rejects when the outcome stays unknown. */
  readonly final: Promise<Outputs>
  isApproved(): boolean
  /** True when the head refused it because another decommit is in flight. */
  isBusy(): boolean
  /** Called when the command is answered: the decommit is approved. */
  onApproved(): void
  onRefused(error: unknown): void
  stop(): void
}

/**
 * Follows a decommit by the node's messages, and after a gap in them by the node's transactions in flight, the head's
 * outputs, and the node's history. The client holds the outputs that leave back, so that no other transaction of its
 * own spends them.
 */
export function watchDecommit(context: ClientContext, built: Decommit): WatchedDecommit {
  const { bridge } = context
  const { txId } = built
  const approved = deferred<void>()
  const final = deferred<Outputs>()
  let isApproved = false
  let isBusy = false
  const approve = (): void => {
    isApproved = true
    approved.resolve()
  }
  const refuse = (error: unknown): void => {
    approved.reject(error)
    final.reject(error)
  }
  const arrive = (outputs: Outputs): void => {
    approve()
    final.resolve(outputs)
  }
  const onMessage = (payload: LayerPayload): void => {
    if (payload.tag === 'DecommitInvalid' && payload.decommitTx.txId === txId)
      isBusy = 'otherDecommitTxId' in payload.decommitInvalidReason
    else if (payload.tag === 'DecommitApproved' && payload.decommitTxId === txId) approve()
    else if (payload.tag === 'DecommitFinalized') {
      if (!isOurs(payload)) return
      const left = payload.distributedUTxO
      arrive(left === undefined ? built.outputs : utxoFromJson(left).map(({ output }) => output))
    } else if (payload.tag === 'HeadIsClosed') giveUp('the head was closed; what was approved leaves with the fanout')
  }
  // Never by an amount. Approved by its id; then it is the only one in flight, and the next one that is final. Nodes
  // from 0.21 on name only the outputs that the base ledger has made of it.
  const isOurs = ({ decommitTxId }: PayloadOf<'DecommitFinalized'>): boolean =>
    decommitTxId === undefined ? isApproved : decommitTxId === txId
  const giveUp = (reason: string): void => refuse(new OutcomeUnknownError(txId, null, reason))
  let seenNowhere = 0
  const look = async (): Promise<void> => {
    if (bridge.headStatus !== null && bridge.headStatus !== 'Open')
      return giveUp('the head was closed; what was approved leaves with the fanout')
    if ((await bridge.inFlight()).decommitTxId === txId) return
    const missed = await bridge.messagesAbout([txId]).catch(() => null)
    for (const message of missed ?? []) {
      if (message.tag === 'DecommitApproved' && message.decommitTxId === txId) approve()
      else if (message.tag === 'DecommitInvalid' && 'validationError' in message.decommitInvalidReason)
        return refuse(decodeLedgerError(txId, message.decommitInvalidReason.validationError.reason))
    }
    // Approved, and the node has no decommit in flight: it is on the base ledger.
    if (isApproved) return arrive(built.outputs)
    const isTaken = built.inputs.some((utxo) => bridge.isUnspent(refOf(utxo)) === false)
    if (isTaken) return giveUp('its inputs are spent, and the node does not say by what')
    // A node tries one for half a second that it cannot apply yet.
    if (++seenNowhere >= 2) return giveUp('the connection was lost, and the node does not know it')
    throw new Error('look again')
  }
  const stops = [bridge.observe({ onMessage }), watchGaps(context, look, () => giveUp('the connection was ended'))]
  return {
    approved: approved.promise,
    final: final.promise,
    isApproved: () => isApproved,
    isBusy: () => isBusy,
    onApproved: approve,
    onRefused: refuse,
    stop: () => {
      for (const stop of stops) stop()
    }
  }
}
