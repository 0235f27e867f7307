import type { HeadInFlight, LayerBridge, LayerPayload, PayloadOf } from '../bridge/inner.js'
import type { StopTimer } from '../net/timers.js'
import { startTimer } from '../net/timers.js'

/**
 * Time after which the node is asked about a snapshot that is not complete, ms: with all parties present it needs less
 * than a second.
 */
const FIRST_LOOK_MS = 3_000
/** Interval between two requests about a late snapshot, ms: each answer holds all outputs of the head. */
const LOOK_MS = 10_000
const MAX_VALID = 1_000

/** A snapshot that is late. */
export interface WaitingFor {
  /** Number of the snapshot. */
  readonly snapshotNumber: number
  /**
   * `signatures`: it has been requested, and the parties have not signed it; `request`: the party whose turn it is has
   * not requested it.
   */
  readonly lacks: 'signatures' | 'request'
  /** Hydra verification keys of the parties that it waits for: hex, 64 characters. */
  readonly parties: readonly string[]
  /** Time since when the client waits for it, ms since the Unix epoch. */
  readonly since: number
}

/** A closing that was contested. */
export interface Contest {
  /** Number of the snapshot with which the closing was contested, which counts now. */
  readonly snapshotNumber: number
  /** Time at which the client learned it, ms since the Unix epoch. */
  readonly at: number
}

/** Dependencies of the {@link PartyWatch}. */
interface PartyWatchContext {
  readonly bridge: Pick<LayerBridge, 'inFlight' | 'getSnapshot' | 'lastSnapshotNumber'>
  /** Keys of the head's parties. */
  loadParties(): Promise<readonly string[]>
  /** Called when a value of the watch has changed. */
  readonly onChange: () => void
}

/**
 * Observer of the head's parties: those that a late snapshot waits for, the node's peers, and contests of the closing.
 */
export class PartyWatch {
  readonly #context: PartyWatchContext
  readonly #valid = new Set<string>()
  #peers: Readonly<Record<string, boolean>> | null = null
  #waitingFor: WaitingFor | null = null
  #contest: Contest | null = null
  #since: number | null = null
  #stopTimer: StopTimer | null = null

  constructor(context: PartyWatchContext) {
    this.#context = context
  }

  /** The late snapshot; null when none is late, or the node does not report it. */
  get waitingFor(): WaitingFor | null {
    return this.#waitingFor
  }

  /** The newest contest of this head's closing; null: there was none. */
  get contest(): Contest | null {
    return this.#contest
  }

  /** Peers of the node by name, true while connected; null where it does not name them. */
  get peers(): Readonly<Record<string, boolean>> | null {
    return this.#peers
  }

  /** Applies a message of the node. */
  onMessage(payload: LayerPayload): void {
    switch (payload.tag) {
      case 'TxValid':
        if (this.#valid.size < MAX_VALID) this.#valid.add(payload.transactionId)
        return this.#begin()
      case 'DecommitRequested':
      case 'DepositActivated':
        return this.#begin()
      case 'SnapshotConfirmed':
        for (const { txId } of payload.snapshot.confirmed) this.#valid.delete(txId)
        this.stop()
        return this.#valid.size > 0 ? this.#begin() : undefined
      case 'HeadIsContested':
        this.#contest = { snapshotNumber: payload.snapshotNumber, at: Date.now() }
        return this.#context.onChange()
      case 'HeadIsOpen':
      case 'HeadIsClosed':
      case 'HeadIsInitializing':
        this.#contest = null
        this.#valid.clear()
        return this.stop()
      case 'Greetings':
        if (payload.networkInfo === undefined) return
        this.#peers = Object.freeze({ ...payload.networkInfo.peersInfo })
        return this.#context.onChange()
      case 'PeerConnected':
      case 'PeerDisconnected': {
        const name = nameOf(payload.peer)
        if (name === null) return
        const changed = [name, payload.tag === 'PeerConnected'] as const
        this.#peers = Object.freeze(Object.fromEntries([...Object.entries(this.#peers ?? {}), changed]))
        return this.#context.onChange()
      }
      default:
    }
  }

  /** Ends the wait for a late snapshot, and its timer. */
  stop(): void {
    this.#stopTimer?.()
    this.#stopTimer = null
    this.#since = null
    if (this.#waitingFor === null) return
    this.#waitingFor = null
    this.#context.onChange()
  }

  #begin(): void {
    if (this.#since !== null) return
    this.#since = Date.now()
    this.#schedule(FIRST_LOOK_MS)
  }

  #schedule(ms: number): void {
    this.#stopTimer = startTimer(ms, () => void this.#look().catch(() => undefined), true)
  }

  async #look(): Promise<void> {
    const since = this.#since
    const { bridge } = this.#context
    if (since === null) return
    if (bridge.getSnapshot().state !== 'connected') return this.stop()
    const [node, parties] = await Promise.all([
      bridge.inFlight().catch(() => null),
      this.#context.loadParties().catch(() => [])
    ])
    // A snapshot was confirmed during the request.
    if (this.#since !== since) return
    this.#apply(node === null ? null : this.#missing(node, parties), since)
    this.#schedule(LOOK_MS)
  }

  /**
   * Returns the snapshot that is due next by the node's state, with the parties that have not signed or requested it;
   * null when none is due.
   */
  #missing({ seen, dueAfter }: HeadInFlight, parties: readonly string[]): Omit<WaitingFor, 'since'> | null {
    const { lastSnapshotNumber } = this.#context.bridge
    if (seen !== undefined) {
      const missing = parties.filter((vkey) => !seen.signers.includes(vkey))
      return missing.length === 0 || seen.number <= lastSnapshotNumber
        ? null
        : { snapshotNumber: seen.number, lacks: 'signatures', parties: Object.freeze(missing) }
    }
    if (dueAfter === undefined || dueAfter !== lastSnapshotNumber) return null
    // HeadLogic.hs, isLeader: the parties request snapshots in turn, in the order of the head's parameters.
    const leader = parties[dueAfter % parties.length]
    return leader === undefined
      ? null
      : { snapshotNumber: dueAfter + 1, lacks: 'request', parties: Object.freeze([leader]) }
  }

  #apply(missing: Omit<WaitingFor, 'since'> | null, since: number): void {
    const before = this.#waitingFor
    const next = missing === null ? null : { ...missing, since }
    if (JSON.stringify(before) === JSON.stringify(next)) return
    this.#waitingFor = next === null ? null : Object.freeze(next)
    this.#context.onChange()
  }
}

/** Name of a peer as `peersInfo` of the Greetings has it; null for a form that is not known. */
function nameOf(peer: PayloadOf<'PeerConnected'>['peer']): string | null {
  if (typeof peer === 'string') return peer
  const { hostname, port } = peer as Partial<typeof peer>
  return typeof hostname === 'string' && typeof port === 'number' ? `${hostname}:${port}` : null
}
