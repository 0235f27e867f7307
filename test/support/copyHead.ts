import type { Transaction } from 'layer-sdk/bridge'
import type { WebSocket } from 'ws'
import { hashOf, sampleTx } from './sampleTx'
import type { RouteReply } from './scriptedNode'
import { confirmedSnapshot, greetings, HEAD_ID, output, ScriptedNode, send, snapshotConfirmed } from './scriptedNode'

/** How the model refuses what its ledger cannot apply. */
export type Channel = 'TxInvalid' | 'CommandFailed' | 'RejectedInputBecauseUnsynced' | 'HTTP 400' | 'HTTP 503'

interface ModelTx {
  readonly transaction: Transaction
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'

/**
 * A head of one party by its own account, over a real WebSocket and HTTP server: what is confirmed, what is applied and
 * not confirmed yet, the history, and refusals in any words over any route. It shares no code with the package: a
 * transaction is what the test says it is.
 */
export class CopyHead {
  readonly node = new ScriptedNode()
  readonly #known = new Map<string, ModelTx>()
  readonly #confirmed = new Set<string>()
  readonly #local = new Set<string>()
  #pending: ModelTx[] = []
  #history: object[] = []
  #number = 0
  #seq = 1
  channel: Channel = 'TxInvalid'
  words = ''
  /** Applied transactions stay unconfirmed. */
  holdSnapshots = false
  /** TxValid is lost on its way. */
  dropValid = false
  /** Runs when a transaction is about to be refused. */
  beforeRefusal = (): void => undefined
  /** Submissions received by transaction id, over the WebSocket and HTTP. */
  readonly received = new Map<string, number>()
  refusals = 0

  constructor() {
    this.node.onConnection = (socket, query) => this.#welcome(socket, query)
    this.node.onInput = (input, socket) => {
      if (input.tag === 'NewTx') this.#submit(input.transaction.txId, socket)
    }
    this.node.routes['GET /snapshot'] = () => ({
      body: confirmedSnapshot(this.#number, { utxo: this.#utxo(this.#confirmed) })
    })
    this.node.routes['GET /snapshot/utxo'] = () => ({ body: this.#utxo(this.#confirmed) })
    this.node.routes['GET /head'] = () => ({ body: this.#state() })
    this.node.routes['POST /transaction'] = (_request, body) =>
      this.#submit((JSON.parse(body) as Transaction).txId, null)
  }

  /** Starts with `count` outputs in the head, of the imaginary transactions 1, 2, ... */
  async start(count = 4): Promise<this> {
    await this.node.start()
    for (let n = 1; n <= count; n++) for (const side of [this.#confirmed, this.#local]) side.add(`${hashOf(n)}#0`)
    this.#snapshot([])
    return this
  }

  /** A transaction that spends output 0 of these (the imaginary ones by number); the model knows what it does. */
  tx(salt: number, ...spends: (number | Transaction)[]): Transaction {
    const hashes = spends.map((spent) => (typeof spent === 'number' ? hashOf(spent) : spent.txId))
    const transaction = sampleTx(salt, hashes)
    this.#known.set(transaction.txId, {
      transaction,
      inputs: hashes.map((hash) => `${hash}#0`),
      outputs: [`${transaction.txId}#0`, `${transaction.txId}#1`]
    })
    return transaction
  }

  /** Another client of the head submits it; a copy is refused in silence, as far as this node's clients hear. */
  other(transaction: Transaction): void {
    const tx = this.#known.get(transaction.txId)!
    if (tx.inputs.every((ref) => this.#local.has(ref))) this.#apply(tx)
  }

  /** Spends both outputs of a transaction, so that no state names it any more. */
  spendOn(transaction: Transaction, salt: number): void {
    const { txId } = sampleTx(salt, [transaction.txId])
    const next: ModelTx = {
      transaction: { ...transaction, txId },
      inputs: [`${transaction.txId}#0`, `${transaction.txId}#1`],
      outputs: [`${txId}#0`]
    }
    this.#apply(next)
  }

  /** Confirms what has been held back. */
  release(): void {
    this.holdSnapshots = false
    this.#confirm()
  }

  /** The beginning of the history is lost, as after a rotation of the log. */
  rotate(): void {
    this.#history = [{ tag: 'EventLogRotated', seq: this.#seq++, timestamp: '2026-01-01T00:00:00Z' }]
  }

  get snapshotNumber(): number {
    return this.#number
  }

  #welcome(socket: WebSocket, query: string): void {
    if (query.includes('history=yes')) for (const message of this.#history) send(socket, message)
    send(socket, greetings({ snapshotUtxo: this.#utxo(this.#confirmed), currentSlot: 1 }))
  }

  #submit(txId: string, socket: WebSocket | null): RouteReply {
    this.received.set(txId, (this.received.get(txId) ?? 0) + 1)
    const tx = this.#known.get(txId)!
    if (tx.inputs.every((ref) => this.#local.has(ref))) {
      this.#apply(tx)
      return { status: 202, body: { tag: 'SubmitTxSubmitted' } }
    }
    this.refusals++
    this.beforeRefusal()
    if (socket === null)
      return this.channel === 'HTTP 503'
        ? { status: 503, body: { tag: 'SubmitTxRejected', reason: this.words } }
        : { status: 400, body: { tag: 'SubmitTxInvalid', validationError: this.words } }
    const clientInput = { tag: 'NewTx', transaction: tx.transaction }
    if (this.channel === 'CommandFailed')
      send(socket, { tag: 'CommandFailed', clientInput, state: { tag: 'Closed', contents: {} } })
    else if (this.channel === 'RejectedInputBecauseUnsynced')
      send(socket, { tag: 'RejectedInputBecauseUnsynced', clientInput, drift: 12.5 })
    else
      this.#publish({
        tag: 'TxInvalid',
        transaction: tx.transaction,
        utxo: this.#utxo(this.#local),
        validationError: { reason: this.words }
      })
    return 'hang'
  }

  #apply(tx: ModelTx): void {
    for (const ref of tx.inputs) this.#local.delete(ref)
    for (const ref of tx.outputs) this.#local.add(ref)
    this.#pending.push(tx)
    this.#publish({ tag: 'TxValid', transactionId: tx.transaction.txId }, this.dropValid)
    if (!this.holdSnapshots) this.#confirm()
  }

  #confirm(): void {
    const taken = this.#pending
    this.#pending = []
    for (const { inputs, outputs } of taken) {
      for (const ref of inputs) this.#confirmed.delete(ref)
      for (const ref of outputs) this.#confirmed.add(ref)
    }
    this.#snapshot(taken.map(({ transaction }) => transaction))
  }

  #snapshot(confirmed: Transaction[]): void {
    const message = snapshotConfirmed(++this.#number, {
      confirmed,
      utxo: this.#utxo(this.#confirmed),
      seq: this.#seq++
    })
    this.#history.push(message)
    this.node.send(message)
  }

  #publish(fields: object, isLost = false): void {
    const message = { ...fields, headId: HEAD_ID, seq: this.#seq++, timestamp: '2026-01-01T00:00:00Z' }
    this.#history.push(message)
    if (!isLost) this.node.send(message)
  }

  #utxo(refs: ReadonlySet<string>): Record<string, unknown> {
    return Object.fromEntries([...refs].map((ref) => [ref, output(ADDRESS, 2_000_000)]))
  }

  #state(): object {
    const localTxs = this.#pending.map(({ transaction }) => transaction)
    return {
      tag: 'Open',
      contents: {
        headId: HEAD_ID,
        parameters: { parties: [], contestationPeriod: 60 },
        coordinatedHeadState: { localTxs, allTxs: {} }
      }
    }
  }
}
