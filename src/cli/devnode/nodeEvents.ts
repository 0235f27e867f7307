import { withoutScriptBytes } from '../../client/inner.js'
import { LOVELACE, valueFromAmounts } from '../../codec/value.js'
import type { BaseListener, HubListener, PreparedTx, UtxoView } from '../../devnode/inner.js'
import type { Names, RepeatedPayment } from './payments.js'
import { amountText, repeatedPaymentOf, paymentText } from './payments.js'

/** Event of the local head node, as a line of text and as the members of a JSON object. */
export interface NodeEvent {
  readonly event: string
  readonly text: string
  readonly details: Readonly<Record<string, unknown>>
}

type Message = Parameters<HubListener>[0]
type MessageWith<Tag extends Message['tag']> = Extract<Message, { tag: Tag }>

/** Longest reason in a line of text; the JSON object has the whole reason. */
const MAX_REASON = 300
/** Maximum number of unconfirmed transactions whose arrival time is kept. */
const MAX_TIMED = 100_000

/** Converts messages and base ledger transactions of the local head node to events, and passes them to `emit`. */
export class NodeEvents {
  readonly #names: Names
  readonly #now: () => number
  readonly #emit: (event: NodeEvent) => void
  /** Time at which each transaction was found valid, ms, by id. */
  readonly #arrived = new Map<string, number>()

  constructor(names: Names, emit: (event: NodeEvent) => void, now: () => number = () => performance.now()) {
    this.#names = names
    this.#emit = emit
    this.#now = now
  }

  readonly onMessage: HubListener = (message) => {
    if (message.tag === 'TxValid') return this.#note(message.txId)
    if (message.tag === 'SnapshotConfirmed') return this.#onSnapshot(message)
    if (message.tag === 'TxInvalid') return this.#refused(message.tx as PreparedTx, message.reason, 'head')
    const event = eventOf(message)
    if (event !== null) this.#emit(event)
  }

  readonly onBaseTx: BaseListener = (tx, reasons) => {
    const payment = repeatedPaymentOf(tx, this.#names)
    if (reasons.length > 0) return this.#refused(tx, reasons.join(' '), 'base')
    // The outcome of a deposit is an event of its own.
    if (payment.to.some(({ to }) => to === 'deposit')) return
    this.#emit({
      event: 'payment',
      text: `payment ${paymentText(payment)}, on the base ledger`,
      details: { layer: 'base', ...payment }
    })
  }

  #note(txId: string): void {
    if (this.#arrived.size >= MAX_TIMED) this.#arrived.delete(this.#arrived.keys().next().value!)
    this.#arrived.set(txId, this.#now())
  }

  #onSnapshot({ signed }: MessageWith<'SnapshotConfirmed'>): void {
    const { confirmed, number } = signed.snapshot
    for (const tx of confirmed) {
      const payment = repeatedPaymentOf(tx as PreparedTx, this.#names)
      const ms = this.#msOf(tx.txId)
      const text = `payment ${paymentText(payment)}${ms === null ? '' : `, ${ms} ms`}`
      this.#emit({ event: 'payment', text, details: { layer: 'head', ...payment, snapshot: number, ms } })
    }
  }

  #msOf(txId: string): number | null {
    const since = this.#arrived.get(txId)
    this.#arrived.delete(txId)
    return since === undefined ? null : Math.round(this.#now() - since)
  }

  #refused(tx: PreparedTx, reason: string, layer: 'head' | 'base'): void {
    this.#arrived.delete(tx.txId)
    const payment: RepeatedPayment = repeatedPaymentOf(tx, this.#names)
    const where = layer === 'head' ? '' : ', on the base ledger'
    this.#emit({
      event: 'refused',
      text: `refused payment ${paymentText(payment)}${where}: ${inShort(reason)}`,
      details: { layer, ...payment, reason }
    })
  }
}

/** Returns the event of a message that is not about a payment; null for a message without one. */
function eventOf(message: Message): NodeEvent | null {
  switch (message.tag) {
    case 'HeadIsInitializing':
    case 'HeadIsOpen':
    case 'HeadIsAborted':
    case 'HeadIsClosed':
    case 'HeadIsContested':
    case 'ReadyToFanout':
    case 'HeadPartiallyFannedOut':
    case 'HeadIsFinalized':
      return headEvent(message)
    case 'CommitRecorded':
    case 'DepositActivated':
    case 'DepositExpired':
      return deposit(message.deposit.txId, DEPOSIT_STATES[message.tag], message.deposit.deposited)
    case 'CommitFinalized':
      return deposit(message.depositTxId, 'final')
    case 'CommitRecovered':
      return deposit(message.depositTxId, 'recovered', message.utxo)
    case 'DecommitRequested':
    case 'DecommitApproved':
    case 'DecommitFinalized':
      return decommit(
        DECOMMIT_STATES[message.tag],
        message.utxo,
        'tx' in message ? message.tx.txId : 'txId' in message ? message.txId : undefined
      )
    case 'DecommitInvalid': {
      const reason =
        'reason' in message.cause ? message.cause.reason : `the decommit ${message.cause.otherTxId} is under way`
      return refusal('decommit', reason, { txId: message.tx.txId })
    }
    case 'CommandFailed':
      return refusal(message.inputTag === '' ? 'command' : message.inputTag, 'not possible in this state of the head')
    case 'RejectedInputBecauseUnsynced':
      return refusal(message.inputTag, `the node is ${message.driftSeconds} s behind the base ledger`)
    case 'RejectedInputBecauseBroadcastStalled':
      return refusal(message.inputTag, 'the node does not reach its peers')
    case 'SideLoadSnapshotRejected':
      return refusal('SideLoadSnapshot', message.failure.text)
    case 'PostTxOnChainFailed':
      return refusal(message.post.tag, message.error.text)
    case 'SnapshotSideLoaded':
      return head('sideLoaded', `snapshot ${message.snapshotNumber} side-loaded`, { snapshot: message.snapshotNumber })
    case 'NodeUnsynced':
      return head('unsynced', `the node is ${message.driftSeconds} s behind the base ledger`, {
        driftSeconds: message.driftSeconds
      })
    case 'NodeSynced':
      return head('synced', 'the node has caught up with the base ledger')
    default:
      return null
  }
}

const DEPOSIT_STATES = { CommitRecorded: 'recorded', DepositActivated: 'active', DepositExpired: 'expired' } as const
const DECOMMIT_STATES = {
  DecommitRequested: 'requested',
  DecommitApproved: 'approved',
  DecommitFinalized: 'final'
} as const

type HeadMessage = MessageWith<
  | 'HeadIsInitializing'
  | 'HeadIsOpen'
  | 'HeadIsAborted'
  | 'HeadIsClosed'
  | 'HeadIsContested'
  | 'ReadyToFanout'
  | 'HeadPartiallyFannedOut'
  | 'HeadIsFinalized'
>

function headEvent(message: HeadMessage): NodeEvent {
  const { headId } = message
  switch (message.tag) {
    case 'HeadIsInitializing':
      return head('initializing', `head initializing, ${headId}`, { headId })
    case 'HeadIsOpen':
      return head('open', `head open, ${headId}`, { headId })
    case 'HeadIsAborted':
      return head('aborted', 'head aborted', { headId })
    case 'ReadyToFanout':
      return head('fanoutPossible', 'head ready to fan out', { headId })
    case 'HeadPartiallyFannedOut':
      return head(
        'partiallyFannedOut',
        `head partially fanned out: ${amountOf(message.distributed)}, ${amountOf(message.remaining)} remain`,
        { headId }
      )
    case 'HeadIsFinalized':
      return head('finalized', `head final: ${amountOf(message.utxo)} on the base ledger`, { headId })
    default: {
      const closed = message.tag === 'HeadIsClosed'
      const deadline = new Date(message.deadlineMs).toISOString()
      const text = `head ${closed ? 'closed' : 'contested'} with snapshot ${message.snapshotNumber}, to be contested until ${deadline.slice(11, 19)} UTC`
      return head(closed ? 'closed' : 'contested', text, { headId, snapshot: message.snapshotNumber, deadline })
    }
  }
}

function head(state: string, text: string, details: Record<string, unknown> = {}): NodeEvent {
  return { event: 'head', text, details: { state, ...details } }
}

function deposit(txId: string, state: string, utxo?: UtxoView): NodeEvent {
  const amount = utxo === undefined ? '' : `${amountOf(utxo)}, `
  return {
    event: 'deposit',
    text: `deposit ${txId.slice(0, 8)} ${amount}${state}`,
    details: { state, txId, ...totalOf(utxo) }
  }
}

function decommit(state: string, utxo: UtxoView, txId?: string): NodeEvent {
  const id = txId === undefined ? '' : `${txId.slice(0, 8)} `
  return {
    event: 'decommit',
    text: `decommit ${id}${amountOf(utxo)}, ${state}`,
    details: { state, txId, ...totalOf(utxo) }
  }
}

function refusal(what: string, reason: string, details: Record<string, unknown> = {}): NodeEvent {
  return {
    event: 'refused',
    text: `refused ${what}: ${inShort(withoutScriptBytes(reason))}`,
    details: { what, reason, ...details }
  }
}

function amountOf(utxo: UtxoView): string {
  const outputs = `${utxo.size} output${utxo.size === 1 ? '' : 's'}`
  return utxo.size === 0 ? outputs : `${amountText(totalOf(utxo))} in ${outputs}`
}

function totalOf(): Record<string, never>
function totalOf(utxo: UtxoView): { lovelace: string; assets: number }
function totalOf(utxo?: UtxoView): { lovelace?: string; assets?: number }
function totalOf(utxo?: UtxoView): { lovelace?: string; assets?: number } {
  if (utxo === undefined) return {}
  let lovelace = 0n
  const units = new Set<string>()
  for (const { output } of utxo) {
    for (const [unit, quantity] of valueFromAmounts(output.amount)) {
      if (unit === LOVELACE) lovelace += quantity
      else units.add(unit)
    }
  }
  return { lovelace: String(lovelace), assets: units.size }
}

function inShort(reason: string): string {
  const line = reason.split(/\s+/).join(' ')
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON)}...`
}
