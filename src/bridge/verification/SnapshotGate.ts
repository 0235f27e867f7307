import { parseJson, stringifyJson } from '../../codec/json.js'
import type { UnverifiedSnapshot } from '../delivery/events.js'
import type { RuleVersions, VerificationError } from '../../errors/verification.js'
import type { Connector, ConnectorReply } from '../connection/Connector.js'
import { decodeMessage } from '../protocol/decode.js'
import type { LayerPayload } from '../protocol/messages.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { isRecord, getOwn } from '../protocol/wireRecord.js'
import { baselineOf, HeldSnapshots } from './HeldSnapshots.js'
import { refused, SnapshotChecks, unmark } from './SnapshotChecks.js'
import type { GatedChannel, ResolvedVerification, VerificationListener } from './VerifyingConnector.js'

const SETS = ['utxo', 'utxoToCommit', 'utxoToDecommit'] as const
/** Messages whose effect on the outputs is followed. */
const FOLLOWED_TAGS = /^(Greetings|HeadIs(Open|Finalized|Aborted)|SnapshotSideLoaded|DecommitRequested)$/

/** Passes on no outputs that are not signed by all parties. */
export class SnapshotGate {
  readonly #connector: Connector
  readonly #options: ResolvedVerification
  readonly #listener: VerificationListener
  readonly #checks: SnapshotChecks
  /** Where snapshots come without outputs: those that wait to be proven. */
  #held: HeldSnapshots | null
  #channel: GatedChannel | null = null
  /** Version of the newer node that has been told of; null: one that states none. */
  #told: string | null | undefined
  /** One step at a time: messages, replies and checks all change what is followed. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(connector: Connector, options: ResolvedVerification, listener: VerificationListener) {
    this.#connector = connector
    this.#options = options
    this.#listener = listener
    this.#checks = new SnapshotChecks(connector, options, listener)
    this.#held = options.isLean ? this.#createHeld() : null
  }

  /** Number of the newest verified snapshot of the present head; -1 before the first. */
  get verified(): number {
    return this.#checks.verified
  }

  /** Versions of a node that is newer than the rules that are known; null while it is not. */
  get unknownRule(): RuleVersions | null {
    return this.#checks.unknownRule
  }

  /** Whether nothing of this node can be verified. */
  get isUnknown(): boolean {
    return this.#checks.unknown !== null
  }

  /** @throws {@link VerificationError} with reason `unknown-rule` where nothing of this node can be verified */
  assertKnownRule(): void {
    if (this.#checks.unknown !== null) throw this.#checks.unknown
  }

  /** Whether the node signs outputs alone: a snapshot without them has nothing that could be verified. */
  get needsOutputs(): boolean {
    return this.#checks.needsOutputs
  }

  /** Takes a message of a channel and passes on what may go on, now or later. */
  receive(given: unknown, channel: GatedChannel): Promise<void> {
    return this.#inTurn(async () => {
      const message = parsed(given)
      if (!isRecord(message)) return this.#passOn(given, channel)
      // Beside what the sender says, whether its transactions are proven.
      if (channel.isScan) return void ((await this.#inspectPast(message)) && channel.pass(textOf(message, given)))
      if (this.#channel !== channel) this.#enter(channel)
      const tag = getOwn(message, 'tag')
      if (tag === 'Greetings') {
        await this.#onGreetings(message)
        channel.isPresent = true
      }
      // Nodes to 1.3: a head opens with snapshot 0, which has no signatures. GET /snapshot is requested for it, and
      // rejected unless empty.
      if (tag === 'HeadIsOpen' && !isEmpty(getOwn(message, 'utxo'))) message['utxo'] = undefined
      // What a gateway says that a snapshot changes is not signed.
      delete message['delta']
      if (tag !== 'SnapshotConfirmed') {
        if (!channel.isPresent) return channel.pass(message)
        const error =
          tag === 'HeadIsOpen' ? this.#checks.stalenessOf({ headId: getOwn(message, 'headId'), number: 0 }) : null
        // A head opens once: to say it again would empty the cache.
        if (error !== null) return this.#report(error, 'message', { headId: getOwn(message, 'headId'), number: 0 })
        this.#followHead(tag, getOwn(message, 'headId'))
        if (this.#held !== null && FOLLOWED_TAGS.test(String(tag))) await this.#held.follow(decoded(message))
        return this.#passOn(message, channel)
      }
      if (!channel.isPresent) return void ((await this.#inspectPast(message)) && channel.pass(message))
      return this.#receiveSnapshot(message, channel)
    })
  }

  /**
   * The answer to GET /snapshot or GET /snapshot/utxo, when it may be used.
   *
   * @param least - number of the newest verified snapshot at the time of the request.
   * @throws {@link VerificationError} with the reason why not: an answer that says "no outputs" would be wrong too.
   */
  inspectReply(path: string, reply: ConnectorReply, least: number): Promise<ConnectorReply> {
    return this.#inTurn(async () => {
      const body = reply.status === 200 ? parsed(reply.text) : undefined
      // An answer with another status, or one that is not JSON, has no outputs.
      if (!isRecord(body) || isEmpty(body)) return reply
      const whole = this.#held === null ? null : parsed(reply.text)
      const error =
        path === '/snapshot'
          ? await this.#checkAnswer(body, least)
          : refused('rule', 'GET /snapshot/utxo brings outputs without signatures.')
      if (error === null) {
        // At once: an older message may come before the caller has read the answer.
        if (this.#channel !== null) this.#listener.onOutputs(baselineOf(body))
        if (isRecord(whole)) await this.#held?.applyProven(whole)
        // Written anew: what is not proven has been left out.
        return { ...reply, text: stringifyJson(body) }
      }
      this.#report(error, 'request', getOwn(body, 'snapshot') ?? body)
      this.#held?.onNoBaseline(error)
      throw error
    })
  }

  /** Checks what waits, and resolves when nothing does. */
  async verifyNow(): Promise<void> {
    await this.#inTurn(() => this.#held?.settle())
    await this.#held?.whenReleased()
  }

  /** The channel has ended. `settle`: what waits is checked a last time. */
  leave(channel: GatedChannel, settle: boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#channel !== channel) return
      if (settle) await this.#held?.settle()
      this.#enter(null)
    })
  }

  /** One step at a time: messages, replies and checks all change what is followed. */
  #inTurn<T>(step: () => Promise<T> | T): Promise<T> {
    const done = this.#turn.then(step)
    this.#turn = done.catch(() => undefined)
    return done
  }

  /** Another connection: messages may have been missed. */
  #enter(channel: GatedChannel | null): void {
    this.#channel = channel
    this.#held?.reset()
  }

  #followHead(tag: unknown, headId: unknown): void {
    if (typeof headId !== 'string') return
    if (tag === 'HeadIsOpen' || tag === 'HeadIsInitializing') this.#checks.enterHead(headId)
    if (tag === 'HeadIsFinalized' || tag === 'HeadIsAborted') this.#checks.leaveHead(headId)
  }

  #createHeld(): HeldSnapshots {
    return new HeldSnapshots(this.#checks, this.#listener, {
      counts: (headId) => this.#checks.isWanted(headId),
      checkInterval: this.#options.checkInterval,
      pass: (message) => this.#channel?.pass(message),
      refuse: (error, snapshot) => this.#report(error, 'message', snapshot),
      inTurn: (step) => {
        const channel = this.#channel
        this.#inTurn(() => (this.#channel === channel ? step() : undefined)).catch((error: unknown) =>
          channel?.end(error as Error)
        )
      }
    })
  }

  #passOn(message: unknown, channel: GatedChannel): void {
    if (this.#held?.hold(message) !== true) channel.pass(message)
  }

  async #onGreetings(message: WireRecord): Promise<void> {
    const version = getOwn(message, 'hydraNodeVersion') ?? getOwn(message, 'layerNodeVersion')
    const headId = getOwn(message, 'hydraHeadId') ?? getOwn(message, 'layerHeadId')
    const unknown = await this.#checks.enterNode(typeof version === 'string' ? version : undefined)
    this.#checks.enterHead(typeof headId === 'string' ? headId : undefined)
    if (unknown !== null) this.#report(unknown, 'message', { headId })
    // These are not signed: the bridge requests GET /snapshot, which is.
    delete message['snapshotUtxo']
  }

  /** A message that is not of the present: it changes no outputs, so its signatures are enough. */
  async #inspectPast(message: WireRecord): Promise<boolean> {
    if (getOwn(message, 'tag') !== 'SnapshotConfirmed') return true
    unmark(getOwn(message, 'snapshot'))
    const error = hasOutputs(message)
      ? await this.#checks.check(message, { isPast: true })
      : await this.#checks.checkSignatures(message)
    if (error !== null) this.#report(error, 'message', getOwn(message, 'snapshot'))
    return error === null
  }

  async #receiveSnapshot(message: WireRecord, channel: GatedChannel): Promise<void> {
    if (this.#checks.unknown !== null) return
    const snapshot = getOwn(message, 'snapshot')
    const isWhole = hasOutputs(message)
    unmark(snapshot)
    // Up to 2.1 the signatures are over the outputs themselves: they can be checked with them only.
    const isSigned = isWhole || (isRecord(snapshot) && (getOwn(snapshot, 'accumulator') ?? null) !== null)
    const held = isWhole ? this.#held : (this.#held ??= this.#createHeld())
    // Before what is not proven is left out of it.
    const payload = held === null ? null : decoded(isWhole ? copyOf(message) : message)
    const error = isWhole ? await this.#checks.check(message) : await this.#checkBeforeOutputs(message, isSigned)
    if (error !== null) return this.#report(error, 'message', snapshot)
    if (held === null) return channel.pass(message)
    if (payload !== null) return held.receive(message, payload, { snapshot: snapshot as WireRecord, isWhole, isSigned })
    // The bridge reports what cannot be decoded, and takes no outputs from it.
    if (isSigned) return this.#passOn(message, channel)
    this.#report(refused('input', 'The message cannot be read.'), 'message', snapshot)
  }

  async #checkAnswer(body: WireRecord, least: number): Promise<VerificationError | null> {
    unmark(getOwn(body, 'snapshot'))
    if (getOwn(body, 'tag') !== 'InitialSnapshot') return this.#checks.check(body, { least })
    if (!this.#checks.isWanted(getOwn(body, 'headId'))) return refused('input', 'The snapshot is of another head.')
    if (!isEmpty(getOwn(body, 'initialUTxO'))) return refused('initial', 'The initial snapshot is not signed.')
    return this.#checks.stalenessOf({ headId: getOwn(body, 'headId'), number: 0 }, least)
  }

  /** What can be checked of a snapshot without outputs, before any work on them. */
  async #checkBeforeOutputs(message: WireRecord, isSigned: boolean): Promise<VerificationError | null> {
    const error = isSigned ? await this.#checks.checkSignatures(message) : this.#checks.headProblem(message)
    const snapshot = getOwn(message, 'snapshot')
    return error !== null || !isRecord(snapshot) ? error : this.#checks.stalenessOf(snapshot)
  }

  #report(error: VerificationError, source: UnverifiedSnapshot['source'], snapshot: unknown): void {
    const { versions } = error
    // Of a node that is newer nothing can be verified: once says it.
    if (versions !== undefined && this.#told === versions.node) return
    if (versions !== undefined) this.#told = versions.node
    const [headId, number] = isRecord(snapshot) ? [getOwn(snapshot, 'headId'), getOwn(snapshot, 'number')] : []
    this.#listener.onUnverified({
      reason: error.reason,
      detail: error.message,
      source,
      headId: typeof headId === 'string' ? headId : null,
      number: typeof number === 'number' ? number : null,
      ...(versions === undefined ? {} : { versions })
    })
  }
}

function hasOutputs(message: WireRecord): boolean {
  const snapshot = getOwn(message, 'snapshot')
  return isRecord(snapshot) && (getOwn(snapshot, 'utxo') ?? null) !== null
}

/** A copy from which outputs can be left out without effect on the message. */
function copyOf(message: WireRecord): WireRecord {
  const snapshot = { ...(getOwn(message, 'snapshot') as WireRecord) }
  for (const set of SETS) if (isRecord(snapshot[set])) snapshot[set] = { ...snapshot[set] }
  return { ...message, snapshot }
}

/** A message in its public form; null for one that cannot be decoded. */
function decoded(message: WireRecord): LayerPayload | null {
  try {
    return decodeMessage(message, Date.now())
  } catch {
    return null
  }
}

/** Text that is not valid JSON stays text: the bridge reports it. */
function parsed(message: unknown): unknown {
  if (typeof message !== 'string') return message
  try {
    return parseJson(message, 'A message')
  } catch {
    return message
  }
}

/** A snapshot as it is now, in the form that it came in; other messages as they came. */
function textOf(message: WireRecord, given: unknown): unknown {
  return typeof given === 'string' && getOwn(message, 'tag') === 'SnapshotConfirmed' ? stringifyJson(message) : given
}

function isEmpty(utxo: unknown): boolean {
  return utxo === undefined || utxo === null || (isRecord(utxo) && Object.keys(utxo).length === 0)
}
