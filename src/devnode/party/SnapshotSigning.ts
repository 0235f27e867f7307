import type { Chain } from '../chain/Chain.js'
import type { Commitments } from '../headTxs/Commitments.js'
import type { SnapshotSigner } from '../head/snapshotSigner.js'
import type { DevNodeFaults } from '../settings/faults.js'
import { consumeFault } from '../settings/faults.js'
import { showFailures } from '../rules/failures.js'
import { headRules } from '../chain/rulesAt.js'
import { followLeader } from './followLeader.js'
import { forgeSnapshot } from '../head/forgeSnapshot.js'
import type { SavedSigning } from './SavedSigning.js'
import type { SignAction, Signing, SnapshotContent } from './snapshotContent.js'
import { accumulateUntil, contentOf, versionAt } from './snapshotContent.js'
import { inFlightSnapshot } from './inFlight.js'
import type { Accumulators } from '../head/snapshotHashes.js'
import { EMPTY_ACCUMULATOR, snapshotHashes } from '../head/snapshotHashes.js'
import type { SnapshotRound } from './PartyMessage.js'
import type { PartyNetwork } from './PartyNetwork.js'
import { leaderOf } from './PartyNetwork.js'
import type { SignedLocalSnapshot, SnapshotInFlight } from '../head/types.js'

interface SigningContext {
  readonly chain: Chain
  readonly signer: SnapshotSigner
  readonly network: PartyNetwork
  readonly commitments: Commitments
}

/** Time between two checks whether snapshots may be signed again, ms. */
const HOLD_MS = 25

/** Brings snapshots from the request to the signatures of all parties, one at a time. */
export class SnapshotSigning {
  readonly #context: SigningContext
  #cancel: (() => void) | null = null
  #requested: SavedSigning['requested'] = null
  #previous: SignedLocalSnapshot | null = null
  #working: Promise<void> | undefined
  /** Request that several parties sign. */
  #round: SnapshotRound | null = null
  #rounds = 0
  /** Parties in the round, and the signatures that each party has seen. */
  readonly #joined = new Map<number, Signing>()
  readonly #seen = new Map<number, Set<number>>()
  /**
   * Parties that the request has reached and that cannot sign it yet: it waits there (HeadLogic.hs,
   * waitNoSnapshotInFlight, waitResolvableTxs).
   */
  readonly #waiting = new Set<number>()

  constructor(context: SigningContext) {
    this.#context = context
  }

  /**
   * Requests a snapshot with the pending transactions of the leader, which all parties sign after a while. A request of
   * any other party has no effect.
   */
  request(action: SignAction, party: number): void {
    const { chain, network } = this.#context
    const { options, features, clock } = chain
    if (network.size > 1 && party !== leaderOf(action.number, network.size)) return
    const { ledger, runtime } = network.parties[party]!
    // Transactions that are pending now go into this snapshot, later ones into the next.
    const count = ledger.nextBatch(options.timings.snapshotSize ?? features.snapshotSize)
    if (network.size > 1)
      return network.broadcast(party, {
        tag: 'ReqSn',
        round: {
          id: ++this.#rounds,
          action,
          ...(network.isLagging && { version: versionAt(runtime) }),
          txIds: ledger.batchIds(count)
        }
      })
    this.#start({ action, count, dueMs: clock.now() + options.timings.snapshotIntervalMs })
  }

  /** Returns the saved part of the signing. */
  saved(): SavedSigning {
    const { network } = this.#context
    const { head } = network.upToDate.runtime.state
    const isSigning = head.status === 'Open' && (head.signing || network.size > 1)
    const joined = [...this.#joined].map(([party, { dueMs, signed }]) => [party, dueMs, signed] as const)
    const seen = [...this.#seen].map(([at, parties]) => [at, [...parties]] as const)
    const round = this.#round === null ? null : { round: this.#round, joined, seen, waiting: [...this.#waiting] }
    return { requested: isSigning ? this.#requested : null, previous: this.#previous, rounds: this.#rounds, round }
  }

  /** Restores a saved state: a snapshot on its way is signed in its time. */
  restore({ requested, previous, rounds, round }: SavedSigning): void {
    this.cancel()
    this.#previous = previous
    this.#rounds = rounds
    if (round !== null) {
      this.#round = round.round
      for (const [party, dueMs, signed] of round.joined)
        this.#joined.set(party, this.#signingOf(round.round, party, dueMs, signed))
      for (const [at, parties] of round.seen) this.#seen.set(at, new Set(parties))
      for (const party of round.waiting ?? []) this.#waiting.add(party)
    }
    if (requested !== null) this.#start(requested)
  }

  #start(requested: NonNullable<SavedSigning['requested']>): void {
    const { chain, network } = this.#context
    const { features, timers, clock } = chain
    const { action, count, dueMs } = requested
    const complete = (): void => {
      const { faults } = network.upToDate
      if (faults.holdSnapshots || (features.broadcastStalls && faults.broadcastStalled))
        this.#cancel = timers.poll(HOLD_MS, complete)
      else this.#complete(action, count)
    }
    this.#requested = requested
    this.#cancel?.()
    this.#cancel = timers.later(dueMs - clock.now(), complete)
  }

  /**
   * Handles the leader's request at a party: the request waits there until the previous snapshot is confirmed and all
   * its transactions have arrived.
   */
  onRequest(round: SnapshotRound, party: number): void {
    this.#round = round
    this.#waiting.add(party)
    this.lookAgain(party)
  }

  /** Lets a party sign the request that waits there, if it can be signed by now. */
  lookAgain(party: number): void {
    if (this.#waiting.has(party) && this.#join(party)) this.#waiting.delete(party)
  }

  /** Handles a signature that reaches party `at`. The first party to have all completes the snapshot for all. */
  onSigned(round: SnapshotRound, party: number, at: number): void {
    if (round.id !== this.#round?.id || !this.#joined.has(party)) return
    const seen = this.#seen.get(at) ?? new Set<number>()
    this.#seen.set(at, seen.add(party))
    const { chain, network } = this.#context
    if (seen.size < network.size || this.#requested !== null) return
    const count = network.upToDate.ledger.bringForward(round.txIds)
    if (count !== null) this.#start({ action: round.action, count, dueMs: chain.clock.now() })
  }

  /** Schedules the signature of a party; returns false when the party cannot sign yet. */
  #join(party: number): boolean {
    const round = this.#round
    const { chain, network } = this.#context
    const { options, clock } = chain
    const member = network.parties[party]!
    const { ledger, runtime } = member
    const { head } = runtime.state
    // The parties may see the base ledger at different times: one waits for the version of the leader's request,
    // which may never come again.
    if (round?.version !== undefined && round.version !== versionAt(runtime)) return false
    const isDue =
      head.status === 'Open' &&
      head.head.headId === round?.action.headId &&
      (head.confirmed?.snapshot.number ?? 0) + 1 === round.action.number
    if (
      round === null ||
      !isDue ||
      (ledger.bringForward(round.txIds) === null && !followLeader(member, round.txIds, headRules(chain)))
    )
      return false
    if (this.#joined.has(party)) return true
    const dueMs = clock.now() + options.timings.snapshotIntervalMs + network.settings(party).signDelayMs
    this.#joined.set(party, this.#signingOf(round, party, dueMs, false))
    return true
  }

  /** Returns the entry of a party that signs at `dueMs`, or has signed. */
  #signingOf(round: SnapshotRound, party: number, dueMs: number, signed: boolean): Signing {
    const { chain, network } = this.#context
    const { timers, clock } = chain
    if (signed) return { dueMs, signed, cancel: () => {} }
    const sign = (): void => {
      signing.signed = true
      network.broadcast(party, { tag: 'AckSn', round, party })
    }
    const signing: Signing = { dueMs, signed, cancel: timers.later(dueMs - clock.now(), sign) }
    return signing
  }

  /** Removes a party from the round on its way: it joins the next one. */
  leave(party: number): void {
    if (this.#context.network.size === 1) return this.cancel()
    this.#joined.get(party)?.cancel()
    this.#joined.delete(party)
    this.#waiting.delete(party)
    for (const seen of this.#seen.values()) seen.delete(party)
    this.#cancel?.()
    this.#requested = null
    if (this.#joined.size === 0) this.#endRound()
  }

  /** Cancels the request: its snapshot never gets signed. */
  cancel(): void {
    this.#cancel?.()
    this.#endRound()
  }

  #endRound(): void {
    for (const { cancel } of this.#joined.values()) cancel()
    this.#joined.clear()
    this.#seen.clear()
    this.#waiting.clear()
    this.#round = null
    this.#requested = null
  }

  /** Resolves when the accumulator under computation is known or no longer needed; undefined when there is none. */
  working(): Promise<void> | undefined {
    return this.#working
  }

  /** The snapshot before the latest one; null where there is none. */
  get previous(): SignedLocalSnapshot | null {
    return this.#previous
  }

  /** Returns a snapshot as the clients of a party receive it, under that party's faults. */
  shown(
    signed: SignedLocalSnapshot,
    { forgeSnapshot: forgery, unknownSnapshotForm }: DevNodeFaults
  ): SignedLocalSnapshot {
    const { chain, signer } = this.#context
    if (unknownSnapshotForm) return signer.signInUnknownForm(signed)
    return forgeSnapshot(signed, this.#previous, { forgery, seed: chain.options.seed, signer })
  }

  /** The snapshot that has been requested, as a party sees it. */
  inFlight(party: number): SnapshotInFlight | null {
    const round = this.#round
    const { chain, signer, network } = this.#context
    const source = { party: network.parties[party]!, signer, chain }
    if (network.size === 1) return inFlightSnapshot(this.#requested, source, [party])
    if (round === null || !this.#joined.has(party)) return null
    // A party sees its own signature first, unless it is late with it.
    const itself = network.settings(party).signDelayMs === 0 ? [party] : []
    return inFlightSnapshot({ action: round.action, count: round.txIds.length }, source, [
      ...new Set([...itself, ...(this.#seen.get(party) ?? [])])
    ])
  }

  #complete(action: SignAction, count: number): void {
    const { chain, network } = this.#context
    const { options, features } = chain
    const { head } = network.upToDate.runtime.state
    if (head.status !== 'Open' || head.head.headId !== action.headId) return
    const content = contentOf(action, head)
    if (!features.accumulatorInSnapshots || options.accumulator === 'off')
      this.#confirm(content, count, { accumulator: EMPTY_ACCUMULATOR })
    else this.#accumulate(action, content, count)
  }

  /**
   * Computes the accumulator, which needs time, and starts again if the base ledger has changed the head
   * meanwhile.
   */
  #accumulate(action: SignAction, content: SnapshotContent, count: number): void {
    const { chain, network, commitments } = this.#context
    const { timers } = chain
    const { ledger, runtime } = network.upToDate
    const ended = new AbortController()
    this.#cancel = () => ended.abort()
    const { utxo } = ledger.preview(count)
    const working = accumulateUntil(ended, { ...content, utxo }, chain, commitments.keep)
    const ending = working.then((accumulators) => {
      if (this.#working === ending) this.#working = undefined
      // Too large: no party signs, and clients receive no message about it.
      if (ended.signal.aborted || timers.stopped || accumulators === undefined) return
      const { head } = runtime.state
      if (head.status !== 'Open' || head.version !== content.version) this.#complete(action, count)
      else this.#confirm(content, count, accumulators)
    })
    this.#working = ending
  }

  #confirm(content: SnapshotContent, count: number, accumulators: Accumulators): void {
    const { chain, signer, network } = this.#context
    const { faults, ledger, hub, runtime } = network.upToDate
    const txIds = network.size > 1 ? ledger.batchIds(count) : []
    this.#endRound()
    const confirmed = ledger.confirm(count)
    const outputs = { ...content, confirmed, utxo: ledger.confirmed }
    const { head } = runtime.state
    this.#previous = head.status === 'Open' ? head.confirmed : null
    const signed = signer.sign(outputs, snapshotHashes(outputs, ledger.confirmedHash(), accumulators))
    if (network.size > 1) network.confirm(signed, txIds)
    else runtime.dispatch({ type: 'SnapshotSigned', signed })
    for (const tx of confirmed) {
      if (!consumeFault(faults, 'invalidAfterConfirm')) break
      const reason = showFailures(ledger.validate(tx, headRules(chain)))
      hub.publish({ tag: 'TxInvalid', headId: content.headId, tx, utxo: ledger.local, reason })
    }
  }
}
