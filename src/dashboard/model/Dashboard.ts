import type { Signal } from '@preact/signals'
import { signal } from '@preact/signals'
import { createMemoryStore, SetMemo } from '../../recognition/index.js'
import { Control } from './control.js'
import type { RecognitionMemory } from './HeadWatch.js'
import { SessionJournal } from './SessionJournal.js'
import type { LocalNode } from './local.js'
import { localNodeUrl } from './local.js'
import { namesOf } from './names.js'
import type { PageRoute } from './pages.js'
import type { Target } from './Session.js'
import { Session } from './Session.js'
import type { ErrorText } from './text.js'
import { errorText } from './text.js'
import type { OpenWallet } from './wallets.js'

/** Colours of the page. */
export type Theme = 'auto' | 'light' | 'dark'

const TICK_MS = 1_000

/** State of the page: its connection, its view, and the lock of commands. */
export class Dashboard {
  /** The local head that served this page; null on any other page. */
  readonly local: LocalNode | null
  /** Control API of that local head; null where it is off. */
  readonly control: Control | null
  readonly session: Signal<Session | null> = signal<Session | null>(null)
  readonly route: Signal<PageRoute> = signal<PageRoute>({ kind: 'view', view: 'overview' })
  readonly theme: Signal<Theme> = signal<Theme>('auto')
  /** True once a person has unlocked commands; they are locked again with each new connection. */
  readonly unlocked: Signal<boolean> = signal(false)
  readonly wallet: Signal<OpenWallet | null> = signal<OpenWallet | null>(null)
  /** Error of the last attempt to connect; null without one. */
  readonly connectError: Signal<ErrorText | null> = signal<ErrorText | null>(null)
  readonly connecting: Signal<boolean> = signal(false)
  /** Local clock, ms since the Unix epoch, updated each second. */
  readonly now: Signal<number> = signal(Date.now())
  /** States of the local head that were kept on this page's request, the newest first. */
  readonly keptStates: Signal<readonly { readonly id: string; readonly timeMs: number }[]> = signal<
    readonly { readonly id: string; readonly timeMs: number }[]
  >([])
  /** Results of earlier checks, kept for the whole page so that no later check accepts an older snapshot. */
  readonly recognised: RecognitionMemory = { store: createMemoryStore(), memo: new SetMemo() }
  readonly journal: SessionJournal = new SessionJournal()
  /** True when the page runs in a frame, where another page could trick a person into clicks. */
  readonly isFramed: boolean
  readonly #clock: ReturnType<typeof setInterval>

  constructor(local: LocalNode | null, isFramed: boolean) {
    this.local = local
    this.isFramed = isFramed
    this.control = local === null || local.controlPath === null ? null : new Control(local.controlPath)
    this.#clock = setInterval(() => {
      this.now.value = Date.now()
    }, TICK_MS)
  }

  /**
   * The local head of this page, while the page is connected to it, else null; development phrases are useful only
   * then.
   */
  get watchedLocal(): LocalNode | null {
    const url = this.session.value?.target.url
    return this.local !== null && url === localNodeUrl(this.local, location) ? this.local : null
  }

  /**
   * Names of the addresses whose keys are known: those of the local head that the page is connected to, and the
   * wallet's.
   */
  get names(): ReadonlyMap<string, string> {
    return namesOf(this.watchedLocal, this.wallet.value?.address ?? null)
  }

  /** Time at the node, ms since the Unix epoch. */
  get nodeNow(): number {
    return this.now.value + (this.session.value?.clockOffsetMs.value ?? 0)
  }

  /** Connects to a node, after the former connection has ended. Commands are locked again, and the wallet is closed. */
  async connect(target: Target): Promise<void> {
    await this.disconnect()
    this.connectError.value = null
    let session: Session
    try {
      session = new Session(target)
    } catch (error) {
      this.connectError.value = errorText(error)
      return
    }
    this.session.value = session
    this.connecting.value = true
    try {
      await session.start()
      if (this.local !== null) await session.readHistory()
    } catch (error) {
      if (this.session.value === session) this.connectError.value = errorText(error)
    } finally {
      if (this.session.value === session) this.connecting.value = false
    }
  }

  /** Ends the connection, and forgets the wallet's keys and the token. */
  async disconnect(): Promise<void> {
    const session = this.session.value
    this.closeWallet()
    this.unlocked.value = false
    this.connecting.value = false
    this.session.value = null
    await session?.stop()
  }

  closeWallet(): void {
    this.wallet.value?.close()
    this.wallet.value = null
  }

  /** Ends the connection and the page's timer. */
  async stop(): Promise<void> {
    clearInterval(this.#clock)
    await this.disconnect()
  }
}
