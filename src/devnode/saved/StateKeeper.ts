import { stringifyJson } from '../../codec/json.js'
import type { LocalHead } from '../party/Party.js'
import { identityOf, STATE_FORMAT, STATE_VERSION } from './document.js'
import { StateWriter } from './StateWriter.js'
import { writeBaseTx, writeRoots } from './writeState.js'
import type { Durability } from '../chain/Durability.js'
import type { StateLog } from './StateLog.js'

/** The log is rewritten when it exceeds so many bytes, and {@link GROWTH} times its size at the last rewrite. */
const MIN_LOG_BYTES = 32 * 1024 * 1024
const GROWTH = 4
/** Between two attempts to write to a disk that was full, ms of real time. */
const RETRY_MS = 200

// Read when the module loads: a test's fake timers would stop the writing.
const { setTimeout: startTimer } = globalThis

/** Writes the changes of a node's state to a log: one record for all changes since the last record. */
export class StateKeeper implements Durability {
  readonly #local: LocalHead
  readonly #log: StateLog
  readonly #forkHost: string | null
  #writer = new StateWriter()
  #roots = new Map<string, string>()
  #baseTxs = new Set<string>()
  #isStale = true
  #leastBytes = MIN_LOG_BYTES
  #syncing: Promise<void> | null = null
  #next: Promise<void> | null = null
  #failure: string | null = null
  readonly #followers = new Set<(failure: string | null) => void>()
  #closed = false

  constructor(local: LocalHead, log: StateLog, forkHost: string | null) {
    this.#local = local
    this.#log = log
    this.#forkHost = forkHost
    local.chain.base.history.follow((txId) => this.#baseTxs.add(txId))
    // A state that has been replaced has little in common with the log.
    local.node.hub.onBreak((why) => {
      if (why === 'replaced') this.#isStale = true
    })
  }

  get failure(): string | null {
    return this.#failure
  }

  /** Calls `onChange` whenever {@link failure} has changed. */
  follow(onChange: (failure: string | null) => void): void {
    this.#followers.add(onChange)
  }

  #setFailure(failure: string | null): void {
    if (failure === this.#failure) return
    this.#failure = failure
    for (const onChange of this.#followers) onChange(failure)
  }

  /** Writes the log for the first time. @throws {@link DevNodeFileError} */
  start(): void {
    this.#write()
  }

  commit(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    if (this.#syncing === null) return this.#writeAndSync()
    // A sync under way may miss later writes: all callers meanwhile share the next one.
    return (this.#next ??= this.#syncing.then(() => {
      this.#next = null
      return this.commit()
    }))
  }

  #writeAndSync(): Promise<void> {
    const ended = this.#tryToWrite()
      ? this.#log.sync().catch((error: unknown) => {
          this.#setFailure((error as Error).message.split('\n')[0]!)
        })
      : new Promise<void>((resolve) => void startTimer(resolve, RETRY_MS))
    this.#syncing = ended.then(() => {
      this.#syncing = null
    })
    return this.#syncing
  }

  flush(): void {
    if (!this.#closed && this.#tryToWrite()) this.#log.syncNow()
  }

  /** Writes the remaining changes, and closes the log. */
  close(): void {
    if (this.#closed) return
    this.flush()
    this.#closed = true
    this.#log.close()
  }

  #tryToWrite(): boolean {
    try {
      this.#write()
      this.#setFailure(null)
      return true
    } catch (error) {
      this.#setFailure((error as Error).message.split('\n')[0]!)
      return false
    }
  }

  #write(): void {
    if (this.#isStale || this.#log.size > this.#leastBytes) return this.#rewrite()
    const { history } = this.#local.chain.base
    for (const txId of this.#baseTxs) {
      const tx = history.get(txId)
      if (tx !== undefined) writeBaseTx(this.#writer, tx)
    }
    this.#baseTxs.clear()
    const roots = this.#changedRoots()
    const rows = Object.fromEntries(Object.entries(this.#writer.drain()).filter(([, each]) => each.length > 0))
    const isEmpty = Object.keys(roots).length === 0 && Object.keys(rows).length === 0
    // Also without new changes: earlier ones may have failed to be written.
    this.#log.append(isEmpty ? null : { rows, roots })
  }

  #rewrite(): void {
    const { options, protocolParameters, base } = this.#local.chain
    const { profile, networkId, seed, parties, slotZeroMs } = options
    this.#writer = new StateWriter()
    this.#roots.clear()
    this.#baseTxs.clear()
    this.#isStale = true
    for (const tx of base.history.transactions()) writeBaseTx(this.#writer, tx)
    const roots = this.#changedRoots()
    const start = {
      profile,
      networkId,
      seed,
      parties,
      slotZeroMs,
      protocolParameters: stringifyJson(protocolParameters),
      forkHost: this.#forkHost
    }
    const head = { format: STATE_FORMAT, version: STATE_VERSION, node: identityOf(this.#local), start }
    this.#log.replace([head, { rows: this.#writer.drain(), roots }])
    this.#isStale = false
    this.#leastBytes = Math.max(MIN_LOG_BYTES, GROWTH * this.#log.size)
  }

  /** Returns the roots whose JSON differs from the last written one. */
  #changedRoots(): Record<string, unknown> {
    const changed: Record<string, unknown> = {}
    for (const [name, root] of Object.entries(writeRoots(this.#writer, this.#local))) {
      const text = JSON.stringify(root)
      if (this.#roots.get(name) === text) continue
      this.#roots.set(name, text)
      changed[name] = root
    }
    return changed
  }
}
