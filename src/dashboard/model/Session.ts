import type { ReadonlySignal, Signal } from '@preact/signals'
import { signal } from '@preact/signals'
import type { GreetingsPayload, LayerPayload } from '../../bridge/index.js'
import type { ClientStatus, HeadClient } from '../../client/index.js'
import { createHeadClient } from '../../client/index.js'
import { FundsLog } from '../../doctor/inner.js'
import { lastHead } from './lastHead.js'
import { LifeLog } from './LifeLog.js'
import { MessageLog } from './MessageLog.js'
import type { OutputList } from './outputs.js'
import { summarise } from './outputs.js'
import { TxBook } from './TxBook.js'
import { TxLog } from './TxLog.js'

/** Target of the dashboard: a node, or a gateway. The token is held in memory alone. */
export type Target =
  | { readonly kind: 'node'; readonly url: string }
  | { readonly kind: 'gateway'; readonly url: string; readonly token: string }

/** Details of the connection: losses, start, attempts and the last error. */
export interface LinkInfo {
  /** Number of times that the connection was lost. */
  readonly drops: number
  /** Time at which the connection was made, ms since the Unix epoch; null while there is none. */
  readonly since: number | null
  /** Attempt under way, from 1; 0 when there is none. */
  readonly attempt: number
  /** Error of the last attempt. */
  readonly error: Error | null
}

/** Facts that the node states about itself. */
export interface NodeInfo {
  /** The latest Greetings; null before the first, and where a gateway sends none. */
  readonly greetings: Omit<GreetingsPayload, 'snapshotUtxo'> | null
  /** Slot of the newest block it has seen; null until the node states it. */
  readonly slot: number | null
  /** Seconds behind the base ledger; null until the node states it. */
  readonly drift: number | null
  /** Contestation period by GET /head, seconds; null until known. */
  readonly contestationPeriod: number | null
  /** True while the node has lost its network of peers. */
  readonly networkLost: boolean
}

/** State of the reading of the node's history. */
export type HistoryState = 'none' | 'reading' | 'read' | 'failed'

/** Shortest time between two updates of the shown logs, ms. */
const FLUSH_MS = 200
/** Shortest time between two summaries of the outputs, ms. */
const OUTPUTS_MS = 1_000
/** Most messages that are buffered while the history is read. */
const MAX_BUFFERED = 20_000

/** One connection and all data that the views show about it. */
export class Session {
  readonly target: Target
  /** Client without a wallet, which only watches the head. */
  readonly client: HeadClient
  readonly link: Signal<LinkInfo> = signal<LinkInfo>({ drops: 0, since: null, attempt: 0, error: null })
  readonly node: Signal<NodeInfo> = signal<NodeInfo>({
    greetings: null,
    slot: null,
    drift: null,
    contestationPeriod: null,
    networkLost: false
  })
  readonly outputs: Signal<OutputList | null> = signal<OutputList | null>(null)
  readonly history: Signal<HistoryState> = signal<HistoryState>('none')
  /** Lead of the node's clock over the local clock, ms: a local head's clock can be moved. */
  readonly clockOffsetMs: Signal<number> = signal(0)
  readonly messages: MessageLog = new MessageLog()
  txs: TxLog = new TxLog()
  book: TxBook = new TxBook()
  funds: FundsLog = new FundsLog()
  life: LifeLog = new LifeLog()
  readonly #status: Signal<ClientStatus>
  /** Counter that grows when the logs have changed. */
  readonly #revision = signal(0)
  readonly #stops: (() => void)[] = []
  #flush: ReturnType<typeof setTimeout> | null = null
  #outputsTimer: ReturnType<typeof setTimeout> | null = null
  #recheck: ReturnType<typeof setTimeout> | null = null
  #outputsAt = 0
  #buffered: LayerPayload[] | null = null
  #stopped = false
  /** True while the book may lack outputs that no transaction has made, such as those of a deposit. */
  #hasNewOutputs = true

  /** @throws {@link InvalidArgumentError}, {@link BridgeOptionsError} on a text that is no URL */
  constructor(target: Target) {
    this.target = target
    this.client =
      target.kind === 'node'
        ? // Outputs follow from the transactions: with them in each snapshot a large head would fill the line.
          createHeadClient({ url: target.url, noSnapshotUtxo: true })
        : createHeadClient({ gateway: { url: target.url, token: target.token === '' ? undefined : target.token } })
    this.#status = signal(this.client.status())
  }

  get status(): ReadonlySignal<ClientStatus> {
    return this.#status
  }

  /** Number of the logs' latest change; reading it subscribes the caller to every further one. */
  get revision(): number {
    return this.#revision.value
  }

  /** Connects to the node. Rejects when the first attempt fails; further attempts follow by themselves. */
  async start(): Promise<void> {
    const { events } = this.client.bridge
    this.#stops.push(
      this.client.watchHead({ onChange: (status) => this.#onStatus(status) }),
      events.on('onMessage', (payload) => this.#onMessage(payload)),
      events.on('onConnected', () => this.#onConnected()),
      events.on('onDisconnected', () => this.#onDisconnected()),
      events.on('onConnectError', (error) => {
        this.link.value = { ...this.link.value, error }
      }),
      events.on('onReconnecting', ({ attempt }) => {
        this.link.value = { ...this.link.value, attempt }
      })
    )
    await this.client.connect({ timeout: 15_000 })
  }

  /** Ends the connection and every timer. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const stop of this.#stops) stop()
    for (const timer of [this.#flush, this.#outputsTimer, this.#recheck]) if (timer !== null) clearTimeout(timer)
    await this.client.disconnect()
  }

  /** True when the node's history can be read over this connection. */
  get hasHistory(): boolean {
    return this.target.kind === 'node'
  }

  /**
   * Reads the node's stored messages of this head, or of the last one where there is none: earlier deposits, closings
   * and transactions. Then rebuilds the logs from them and from the messages that came meanwhile.
   */
  async readHistory(): Promise<void> {
    const { headId } = this.#status.value
    if (this.history.value === 'reading' || !this.hasHistory) return
    this.history.value = 'reading'
    this.#buffered = []
    try {
      const shown = headId ?? (await lastHead(this.client.bridge))
      const stored = shown === null ? [] : await this.client.bridge.messagesAbout([shown])
      if (this.#stopped) return
      this.#rebuild(stored, this.#buffered)
      this.history.value = 'read'
      await this.#readPending()
    } catch {
      this.history.value = 'failed'
    } finally {
      this.#buffered = null
    }
  }

  #rebuild(stored: readonly LayerPayload[], since: readonly LayerPayload[]): void {
    const [txs, funds, life, book] = [new TxLog(), new FundsLog(), new LifeLog(), new TxBook()]
    const last = stored.reduce((most, { seq = -1 }) => Math.max(most, seq), -1)
    for (const payload of [...stored, ...since.filter(({ seq }) => seq === undefined || seq > last)]) {
      for (const log of [txs, funds, life, book]) log.apply(payload)
      // The node has dropped the messages before it.
      if (payload.tag === 'EventLogRotated') funds.markGap()
    }
    book.keepOutputs(this.outputs.value?.utxos ?? [])
    Object.assign(this, { txs, funds, life, book })
    this.#changed()
  }

  #onStatus(status: ClientStatus): void {
    const before = this.#status.value
    this.#status.value = status
    if (
      status.snapshotNumber !== before.snapshotNumber ||
      status.ready !== before.ready ||
      status.headStatus !== before.headStatus
    )
      this.#outputsChanged()
  }

  #onConnected(): void {
    this.link.value = { ...this.link.value, since: Date.now(), attempt: 0, error: null }
    this.#hasNewOutputs = true
    void this.#readHead()
    void this.#readPending()
    this.#outputsChanged()
  }

  #onDisconnected(): void {
    const { drops } = this.link.value
    this.link.value = { ...this.link.value, drops: this.#stopped ? drops : drops + 1, since: null }
    this.funds.markGap()
    this.history.value = 'none'
  }

  async #readHead(): Promise<void> {
    try {
      const { contestationPeriod = null } = await this.client.bridge.headInfo()
      this.node.value = { ...this.node.value, contestationPeriod }
    } catch {
      // Older nodes have no such route; the period is then not shown.
    }
  }

  async #readPending(): Promise<void> {
    try {
      const before = this.funds.pendingIds
      this.funds.setPending(await this.client.bridge.pendingDeposits(), before)
      this.#changed()
      // The bridge learns from its own copy of the list whether the deposit of the snapshot is pending.
      if (this.#recheck !== null) clearTimeout(this.#recheck)
      if (!this.#stopped) this.#recheck = setTimeout(() => this.#outputsChanged(), OUTPUTS_MS)
    } catch {
      // Gateways and old nodes have no list; messages alone show deposits then.
    }
  }

  #onMessage(payload: LayerPayload): void {
    const now = Date.now()
    this.messages.apply(payload, now)
    if (this.#buffered !== null && this.#buffered.length < MAX_BUFFERED) this.#buffered.push(payload)
    this.#readNode(payload)
    if (payload.seq !== undefined) {
      const offset = Date.parse(payload.timestamp) - now
      // A smaller difference is the travel time of the message.
      if (Math.abs(offset - this.clockOffsetMs.value) > 2_000)
        this.clockOffsetMs.value = Math.abs(offset) < 2_000 ? 0 : offset
    }
    for (const log of [this.txs, this.funds, this.life, this.book]) log.apply(payload)
    if (payload.tag === 'CommitFinalized' || payload.tag === 'DecommitApproved') this.#outputsChanged()
    if (payload.tag === 'CommitFinalized' || payload.tag === 'HeadIsOpen') this.#hasNewOutputs = true
    if (payload.tag === 'HeadIsOpen' || payload.tag === 'HeadIsInitializing') void this.#readHead()
    this.#changed()
  }

  #readNode(payload: LayerPayload): void {
    switch (payload.tag) {
      case 'Greetings': {
        const { snapshotUtxo: _, ...greetings } = payload
        this.node.value = {
          ...this.node.value,
          greetings,
          slot: payload.currentSlot ?? null,
          networkLost: payload.networkInfo?.networkConnected === false
        }
        break
      }
      case 'NodeSynced':
      case 'NodeUnsynced':
      case 'SyncedStatusReport':
        this.node.value = { ...this.node.value, slot: Number(payload.chainSlot), drift: Number(payload.drift) }
        break
      case 'NetworkConnected':
      case 'NetworkDisconnected':
        this.node.value = { ...this.node.value, networkLost: payload.tag === 'NetworkDisconnected' }
        break
      default:
    }
  }

  /** Deposits that are not in the head and not recovered. */
  get pendingDeposits(): number {
    return this.funds.pendingIds.length
  }

  #changed(): void {
    if (this.#flush !== null || this.#stopped) return
    this.#flush = setTimeout(() => {
      this.#flush = null
      this.#revision.value++
    }, FLUSH_MS)
  }

  #outputsChanged(): void {
    if (this.#outputsTimer !== null || this.#stopped) return
    const waitMs = Math.max(0, this.#outputsAt + OUTPUTS_MS - Date.now())
    this.#outputsTimer = setTimeout(() => {
      this.#outputsTimer = null
      this.#outputsAt = Date.now()
      const { ready, headStatus } = this.client.status()
      // Without a head there are none; while the cache is cold the last ones stay.
      if (headStatus === 'Idle' || headStatus === 'Final') this.outputs.value = null
      else if (ready) {
        const { bridge } = this.client
        const utxos = bridge.snapshotUtxoArray()
        if (this.#hasNewOutputs) this.book.keepOutputs(utxos)
        this.#hasNewOutputs = false
        this.outputs.value = summarise(utxos, (ref) => bridge.isArriving(ref))
      }
    }, waitMs)
  }
}
