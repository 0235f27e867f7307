import type { LayerPayload } from '../../bridge/inner.js'
import { parseNodeTime, utxoFromJson } from '../../bridge/inner.js'
import { depositDeadline } from '../../codec/depositDatum.js'
import { depositTimes } from '../../codec/depositPhase.js'
import type { DepositTimes } from '../../codec/depositPhase.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { isLayerError } from '../../errors/base.js'
import { DepositExpiredError, OutcomeUnknownError } from '../../errors/client.js'
import type { UTxO } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import { deferred } from '../deferred.js'
import { watchGaps } from './watchGaps.js'
import type { DepositResult, DepositStep } from '../types.js'

/** A deposit on its way into the head. */
export interface WatchedDeposit {
  readonly depositTxId: string
  /** The draft: CBOR hex. */
  readonly cborHex: string
  /** References of its outputs in the head, `txHash#index`. */
  readonly refs: readonly string[]
  /** Its outputs, as far as they are known before the node names them. */
  readonly utxos: readonly UTxO[]
}

/** A deposit that is followed until it is final. */
export interface DepositWatch {
  /** Resolves when the deposit is final in the head. */
  readonly final: Promise<DepositTaken>
  /**
   * Applies the earlier messages about the deposit, and the head's outputs. @returns true when the node has seen the
   * deposit on the base ledger
   */
  catchUp(): Promise<boolean>
  stop(): void
}

/** A deposit that the node calls final. */
type DepositTaken = Omit<DepositResult, 'verified'>

/**
 * Time after its deadline at which a deposit certainly no longer enters the head, ms: blocks come late, and the node
 * sees them later.
 */
const DEADLINE_MARGIN_MS = 120_000

/**
 * Follows a deposit by the node's messages. After a gap in them, and once its deadline has passed, the head's pending
 * deposits and outputs decide, then the node's history.
 *
 * @returns `final`: rejects with {@link DepositExpiredError} or {@link OutcomeUnknownError} when the head will not
 * include it
 */
export function watchDeposit(
  context: ClientContext,
  deposit: WatchedDeposit,
  report: (state: DepositStep, txId: string, fee: undefined, times: DepositTimes) => void
): DepositWatch {
  const { bridge } = context
  const { depositTxId, refs } = deposit
  const deadlineMs = deadlineOf(deposit.cborHex)
  let recoverableAt = deadlineMs
  let recordedAt: number | null = null
  let claimableAt: number | null = null
  const times = (): DepositTimes =>
    depositTimes(recoverableAt, bridge.getSnapshot().depositPeriod, { recordedAt, claimableAt })
  const reach = (step: DepositStep): void => report(step, depositTxId, undefined, times())
  let utxo = [...deposit.utxos]
  const final = deferred<DepositTaken>()
  const onMessage = (payload: LayerPayload): void => {
    if (payload.tag === 'CommitRecorded' && payload.pendingDeposit === depositTxId) {
      if (payload.deadline !== undefined) recoverableAt = parseNodeTime(payload.deadline) ?? recoverableAt
      if (payload.utxoToCommit !== undefined) utxo = utxoFromJson(payload.utxoToCommit)
      recordedAt ??= parseNodeTime(payload.timestamp)
      reach('recorded')
    } else if (payload.tag === 'DepositActivated' && payload.depositTxId === depositTxId) {
      claimableAt = parseNodeTime(payload.chainTime)
      reach('activated')
    } else if (
      payload.tag === 'CommitApproved' &&
      payload.utxoToCommit !== undefined &&
      refs.some((ref) => Object.hasOwn(payload.utxoToCommit, ref))
    )
      reach('approved')
    else if (payload.tag === 'CommitFinalized' && payload.depositTxId === depositTxId) succeed()
    else if (payload.tag === 'DepositExpired' && payload.depositTxId === depositTxId) expire()
    else if (payload.tag === 'CommitRecovered' && payload.recoveredTxId === depositTxId) expire()
    // A closed head includes no deposit; they can be recovered.
    else if (payload.tag === 'HeadIsClosed') giveUp('the head was closed before it took the deposit')
  }
  const succeed = (): void => {
    reach('confirmed')
    final.resolve({ depositTxId, ...times(), utxo })
  }
  const expire = (): void => final.reject(new DepositExpiredError(depositTxId, recoverableAt))
  const giveUp = (reason: string): void =>
    final.reject(new OutcomeUnknownError(depositTxId, null, `${reason}; recover() brings back what expires`))
  const look = async (): Promise<void> => {
    const isPending = await bridge.pendingDeposits().then(
      (ids) => ids.includes(depositTxId),
      (error: unknown) => {
        // Gateways have no such route: messages and time decide.
        if (isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR')) return null
        throw error
      }
    )
    if (isPending !== true && refs.some((ref) => bridge.isUnspent(ref) === true)) return succeed()
    const isOver = deadlineMs !== null && Date.now() > deadlineMs + DEADLINE_MARGIN_MS
    if (isPending === true && isOver) return expire()
    // Not included yet, spent on, expired or recovered: the missed messages show which.
    for (const message of await bridge.messagesAbout([depositTxId]).catch(() => [])) onMessage(message)
    if (isOver) giveUp('its deadline has passed, and the node does not know it')
    if (bridge.headStatus !== null && bridge.headStatus !== 'Open')
      giveUp('the head was closed before it took the deposit')
  }
  const stops = [
    bridge.observe({ onMessage }),
    watchGaps(
      context,
      look,
      () => giveUp('the connection was ended'),
      deadlineMs === null ? null : deadlineMs + DEADLINE_MARGIN_MS
    )
  ]
  return {
    final: final.promise,
    catchUp: async () => {
      if (refs.some((ref) => bridge.isUnspent(ref) === true && !bridge.isArriving(ref))) {
        succeed()
        return true
      }
      const messages = await bridge.messagesAbout([depositTxId]).catch(() => [])
      for (const message of messages) onMessage(message)
      return messages.length > 0
    },
    stop: () => {
      for (const stop of stops) stop()
    }
  }
}

/** Deadline in a draft, ms since the Unix epoch; null when none of its outputs is a deposit. */
function deadlineOf(cborHex: string): number | null {
  const { outputs } = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex)))
  for (const { inlineDatum } of outputs) {
    const deadline = inlineDatum === undefined ? null : depositDeadline(inlineDatum)
    if (deadline !== null) return deadline
  }
  return null
}
