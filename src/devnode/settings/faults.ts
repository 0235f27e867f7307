import { isValidAddress } from '../../codec/address.js'
import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'

/** A change that a lying server makes to snapshots before it shows them; the parties have signed the true ones. */
export type SnapshotForgery =
  'amountRaised' | 'outputDropped' | 'otherNumber' | 'otherHead' | 'strangersKey' | 'signatureReused'

const FORGERY_NAMES: Readonly<Record<SnapshotForgery, true>> = {
  amountRaised: true,
  outputDropped: true,
  otherNumber: true,
  otherHead: true,
  strangersKey: true,
  signatureReused: true
}

/** Every forgery. */
export const FORGERIES: readonly SnapshotForgery[] = Object.keys(FORGERY_NAMES) as SnapshotForgery[]

/**
 * Faults that the local node commits on demand. Change them at any time; counts go down as they are used up. The guide
 * describes the failure that each one imitates.
 */
export interface DevNodeFaults {
  /** WebSockets are accepted and send no message. */
  muteSockets: boolean
  /** HTTP requests are accepted and never answered. */
  muteHttp: boolean
  /** WebSocket upgrades are refused with this HTTP status; 0 accepts them. */
  refuseUpgrades: number
  /** Number of the next transactions that have no effect and get no answer. */
  swallowTransactions: number
  /** Number of the next valid transactions that get TxValid and are then forgotten. */
  loseTransactions: number
  /** Number of the next confirmed transactions that are followed by a TxInvalid. */
  invalidAfterConfirm: number
  /** Each TxValid is held back until a snapshot has been confirmed. */
  validAfterConfirm: boolean
  /**
   * Snapshots are shown (SnapshotConfirmed, GET /snapshot) as a lying server would forge them; null shows them as they
   * were signed.
   */
  forgeSnapshot: SnapshotForgery | null
  /**
   * CommitApproved and DecommitApproved, and the transactions that follow them, come again with each snapshot until the
   * base ledger has accepted them.
   */
  repeatApprovals: boolean
  /**
   * A decommit that is requested while a snapshot is being signed waits until a transaction brings about the next
   * snapshot.
   */
  stuckDecommit: boolean
  /**
   * A decommit that is requested while the increment of a deposit is on its way is signed at once, with the version
   * before the increment, as real nodes do: the base ledger refuses the decrement, and the decommit stays in flight
   * until the head is closed. Without the fault its snapshot waits for the increment.
   */
  racingDecommit: boolean
  /**
   * The node starts CatchingUp, and refuses inputs until it has seen its first block (from 1.3); effective only as an
   * option at the start.
   */
  startUnsynced: boolean
  /** The history begins with NetworkConnected, PeerConnected and, from 1.3, NodeSynced; effective only at the start. */
  noisyHistory: boolean
  /**
   * The node cannot send its messages to its peers: with profile master it refuses NewTx and Decommit in an open head
   * and signs no snapshot; with other profiles the fault has no effect.
   */
  broadcastStalled: boolean
  /**
   * Delay of CommitFinalized, ms: until then the deposit is in the latest snapshot, and no transaction can spend it.
   */
  pendingWindowMs: number
  /**
   * Number of the next close transactions that are lost before a block includes them: no message reports it, and the
   * head stays open.
   */
  loseCloses: number
  /**
   * Delay with which the other parties see the base ledger after the first one, ms: meanwhile they request snapshots of
   * an old version, which no party signs.
   */
  peerLagMs: number
  /** GET /snapshot shows the snapshot before the latest one, rightly signed. */
  serveOldSnapshot: boolean
  /**
   * Snapshots are shown in a form that no release has: seven items are signed, and there is an `appliedAccumulator`.
   */
  unknownSnapshotForm: boolean
  /** From the next step on, datums of the head's output have one field more than those of any release. */
  unknownDatum: boolean
  /**
   * Deposits that the head claims are paid to the node's wallet and not into the head's output: the parties sign more
   * than the head holds.
   */
  withholdDeposits: boolean
  /**
   * Address (bech32) that stands for the wallet of the nodes on the base ledger. While its largest output cannot pay
   * the fee, or holds a token, each transaction that a node posts fails, as with a real node. The wallet is only
   * checked; it pays no fee. Null: the wallet never runs dry.
   */
  fuelAddress: string | null
  /** Number of blocks, each one second, by which the endpoints of the base ledger lag behind it. */
  faceLagBlocks: number
  /** The HTTP API answers without CORS headers: pages cannot read it. */
  stripCors: boolean
  /** No snapshot gets signed, as if another party were offline. */
  holdSnapshots: boolean
  /** Number of the next stored messages that are not sent to connected clients; the history has them. */
  dropOutputs: number
  /** Only messages with one of these tags count for `dropOutputs`; empty: all. */
  dropTags: readonly string[]
  /** Every stored message is sent twice, with the same `seq`. */
  duplicateOutputs: boolean
  /** Number of the last messages of a replayed history that are sent once more, as live messages. */
  duplicateHistory: number
  /** Number of values that `seq` skips before each stored message. */
  seqGap: number
  /** Delay of every WebSocket message, ms. */
  outputDelayMs: number
  /** Delay of every HTTP answer, ms. */
  httpDelayMs: number
  /** Number of the next requests that are answered with `httpFailure` and have no effect. */
  failRequests: number
  /** Only requests of one of these routes, such as `GET /head`, count for `failRequests`; empty: all. */
  failRoutes: readonly string[]
  /** Answer to a failed request: `status`, `body` and `headers`. */
  httpFailure: { status: number; body: string; headers?: Readonly<Record<string, string>> }
  /** Number of the next requests that have an effect, but whose connection is reset before the answer. */
  dropReplies: number
  /** Each head starts with one output whose quantities are beyond 2^53. */
  bigIntegers: boolean
}

/** Returns settings without any fault. */
export function noFaults(): DevNodeFaults {
  return {
    muteSockets: false,
    muteHttp: false,
    refuseUpgrades: 0,
    swallowTransactions: 0,
    loseTransactions: 0,
    invalidAfterConfirm: 0,
    validAfterConfirm: false,
    forgeSnapshot: null,
    repeatApprovals: false,
    stuckDecommit: false,
    racingDecommit: false,
    startUnsynced: false,
    noisyHistory: false,
    broadcastStalled: false,
    pendingWindowMs: 0,
    loseCloses: 0,
    peerLagMs: 0,
    serveOldSnapshot: false,
    unknownSnapshotForm: false,
    unknownDatum: false,
    withholdDeposits: false,
    fuelAddress: null,
    faceLagBlocks: 0,
    stripCors: false,
    holdSnapshots: false,
    dropOutputs: 0,
    dropTags: [],
    duplicateOutputs: false,
    duplicateHistory: 0,
    seqGap: 0,
    outputDelayMs: 0,
    httpDelayMs: 0,
    failRequests: 0,
    failRoutes: [],
    httpFailure: { status: 503, body: 'Service Unavailable' },
    dropReplies: 0,
    bigIntegers: false
  }
}

/**
 * Returns the faults of a node; `onStall` is called when `broadcastStalled` is set, which the node reports to its
 * clients.
 */
export function watchedFaults(overrides: Partial<DevNodeFaults>, onStall: () => void): DevNodeFaults {
  const faults = { ...noFaults(), ...overrides }
  let { broadcastStalled } = faults
  return Object.defineProperty(faults, 'broadcastStalled', {
    enumerable: true,
    get: () => broadcastStalled,
    set(value: boolean) {
      broadcastStalled = value
      onStall()
    }
  })
}

/**
 * Checks and returns the faults that a caller sets. @throws {@link InvalidArgumentError} on an unknown name, a forgery
 * or a value of another kind: a misspelt fault would make a test void.
 */
export function readFaults(faults: Partial<DevNodeFaults>): Partial<DevNodeFaults> {
  const names = Object.fromEntries(Object.keys(noFaults()).map((name) => [name, true]))
  const allFaults = readOptions(faults, names as OptionNames<Partial<DevNodeFaults>>, 'faults')
  // JavaScript callers pass null for omitted members; no forgery and no address are null too.
  const definedFaults = Object.fromEntries(
    Object.entries(allFaults).filter(
      ([name, value]) => value != null || name === 'forgeSnapshot' || name === 'fuelAddress'
    )
  ) as Partial<DevNodeFaults>
  for (const [name, value] of Object.entries(definedFaults)) assertKind(name as keyof DevNodeFaults, value)
  const { forgeSnapshot = null } = definedFaults
  if (forgeSnapshot !== null && !FORGERIES.includes(forgeSnapshot))
    throw new InvalidArgumentError('faults.forgeSnapshot', FORGERIES.join(', '), forgeSnapshot)
  return definedFaults
}

/** The longest that timers of every runtime can wait. */
const MAX_DELAY_MS = 2_147_483_647

/** Checks the kind of a value, because a wrong one would make a running node behave arbitrarily. */
function assertKind(name: keyof DevNodeFaults, value: unknown): void {
  const refuse = (expected: string): never => {
    throw new InvalidArgumentError(`faults.${name}`, expected, value)
  }
  switch (name) {
    case 'forgeSnapshot':
      return
    case 'fuelAddress':
      if (value !== null && (typeof value !== 'string' || !isValidAddress(value)))
        refuse('an address in bech32, or null')
      return
    case 'dropTags':
    case 'failRoutes':
      if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
        refuse(name === 'dropTags' ? 'an array of tags' : 'an array of routes')
      return
    case 'httpFailure':
      if (!isHttpFailure(value))
        refuse('{ status: 200 to 599, body: a text, headers?: names and texts that HTTP takes }')
      return
    case 'refuseUpgrades':
      if (value !== 0 && !isWhole(value, 300, 599)) refuse('0, or an HTTP status from 300 to 599')
      return
    default:
      if (typeof noFaults()[name] === 'boolean') {
        if (typeof value !== 'boolean') refuse('true or false')
      } else if (!isWhole(value, 0, MAX_DELAY_MS)) refuse(`a whole number from 0 to ${MAX_DELAY_MS}`)
  }
}

const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most

/** True for an answer that a server can send: the values may be written as headers (RFC 9110, 5.6.2 and 5.5). */
function isHttpFailure(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { status, body, headers = {} } = value as Partial<DevNodeFaults['httpFailure']>
  if (!isWhole(status, 200, 599) || typeof body !== 'string' || typeof headers !== 'object' || headers === null)
    return false
  return Object.entries(headers).every(
    ([name, text]) => /^[!#$%&'*+.^`|~\w-]+$/.test(name) && typeof text === 'string' && /^[\t\x20-\x7e]*$/.test(text)
  )
}

/** The faults that count down. */
type CountedFault = { [K in keyof DevNodeFaults]: DevNodeFaults[K] extends number ? K : never }[keyof DevNodeFaults]

/** Uses up one of a fault's count; returns true when the fault applies now. */
export function consumeFault(faults: DevNodeFaults, fault: CountedFault): boolean {
  if (faults[fault] <= 0) return false
  faults[fault]--
  return true
}
