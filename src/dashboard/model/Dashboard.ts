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
  /** Null on a page that no local head served. */
  readonly local: LocalNode | null
  /** Null without the control API. */
  readonly control: Control | null
  readonly session: Signal<Session | null> = signal<Session | null>(null)
  readonly route: Signal<PageRoute> = signal<PageRoute>({ kind: 'view', view: 'overview' })
  readonly theme: Signal<Theme> = signal<Theme>('auto')
  /** True once a person has unlocked commands, for each connection again. */
  readonly unlocked: Signal<boolean> = signal(false)
  readonly wallet: Signal<OpenWallet | null> = signal<OpenWallet | null>(null)
  /** Error of the form's last attempt. */
  readonly connectError: Signal<ErrorText | null> = signal<ErrorText | null>(null)
  readonly connecting: Signal<boolean> = signal(false)
  /** This machine's clock, ms since the Unix epoch. */
  readonly now: Signal<number> = signal(Date.now())
  /** States of the local head that it keeps for this page, the newest first. */
  readonly keptStates: Signal<readonly { readonly id: string; readonly timeMs: number }[]> = signal<
    readonly { readonly id: string; readonly timeMs: number }[]
  >([])
  /** Verified snapshots: no later look goes back from them. */
  readonly recognised: RecognitionMemory = { store: createMemoryStore(), memo: new SetMemo() }
  readonly journal: SessionJournal = new SessionJournal()
  /** True in a frame: another page could lead a person to click here unawares. */
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

  /** The local head of this page, while the page is connected to it: a development phrase is of use only then. */
  get watchedLocal(): LocalNode | null {
    const url = this.session.value?.target.url
    return this.local !== null && url === localNodeUrl(this.local, location) ? this.local : null
  }

  /** Names of the addresses whose keys are known here: those of the local head that is watched, and the open wallet's. */
  get names(): ReadonlyMap<string, string> {
    return namesOf(this.watchedLocal, this.wallet.value?.address ?? null)
  }

  /** Time at the node, ms since the Unix epoch. */
  get nodeNow(): number {
    return this.now.value + (this.session.value?.clockOffsetMs.value ?? 0)
  }

  /** Looks at another node. Whatever was unlocked is locked again. */
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

  /** Ends the connection, forgets the wallet's keys and the token. */
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

  /** Ends everything. */
  async stop(): Promise<void> {
    clearInterval(this.#clock)
    await this.disconnect()
  }
}
