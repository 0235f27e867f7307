import { stringifyJson } from '../../codec/json.js'
import type { RuleVersions } from '../../errors/verification.js'
import { VerificationError } from '../../errors/verification.js'
import type { Connector, ConnectorReply } from '../connection/Connector.js'
import type { ReadSnapshotReply } from '../head/readMessage.js'
import type { LayerPayload } from '../protocol/messages.js'
import { replaceAround } from '../protocol/utxoText.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { isRecord, getOwn } from '../protocol/wireRecord.js'
import type { ArrivedMessage } from './ArrivedMessage.js'
import { bringsOutputs, recordOf, snapshotOf } from './ArrivedMessage.js'
import { baselineOf, HeldSnapshots } from './HeldSnapshots.js'
import { SnapshotChecks } from './SnapshotChecks.js'
import { checkReply, NEEDS_OUTPUTS, readReply } from './snapshotReplies.js'
import { copyOfMembers, isEmptySet, parsed, refused, toUnverified, unmark } from './snapshotMembers.js'
import type { GatedChannel, ResolvedVerification, VerificationListener, VerifyModule } from './types.js'
import type { UnverifiedSnapshot } from '../delivery/events.js'
import { WholeSnapshots } from './WholeSnapshots.js'

/** Messages whose effect on the outputs is followed. */
const FOLLOWED_TAGS = /^(Greetings|HeadIs(Open|Finalized|Aborted)|SnapshotSideLoaded|DecommitRequested)$/

/** Passes messages on in their order, but no outputs that are not signed by all parties. */
export class SnapshotGate {
  readonly #options: ResolvedVerification
  readonly #listener: VerificationListener
  readonly #checks: SnapshotChecks
  /** Snapshots without outputs that wait to be proven; null before the first such. */
  #heldSnapshots: HeldSnapshots | null
  /** Snapshots with outputs that wait to be checked. */
  readonly #whole: WholeSnapshots
  #channel: GatedChannel | null = null
  /** Version of the newer node that has been reported; null: one that states none. */
  #reported: string | null | undefined
  /** Messages, replies and checks run one at a time, because all change the followed outputs. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(
    connector: Connector,
    options: ResolvedVerification,
    listener: VerificationListener,
    verify: VerifyModule
  ) {
    this.#options = options
    this.#listener = listener
    this.#checks = new SnapshotChecks(connector, options, listener, verify)
    this.#whole = new WholeSnapshots(this.#checks, listener, {
      pass: (message) => this.#pass(message),
      refuse: (error, snapshot) => this.#report(error, 'message', snapshot)
    })
    this.#heldSnapshots = options.isLean ? this.#createHeld() : null
  }

  /** Number of the newest verified snapshot of the present head; -1 before the first. */
  get verified(): number {
    return this.#checks.verified
  }

  /** Versions of a node that is newer than the rules that are known; null while it is not. */
  get unknownRule(): RuleVersions | null {
    return this.#checks.unknownRule
  }

  /** True when no snapshot of this node can be verified. */
  get isUnknown(): boolean {
    return this.#checks.unknown !== null
  }

  /**
   * Throws for a node that is too new. @throws {@link VerificationError} with reason `unknown-rule` when no snapshot of
   * this node can be verified
   */
  assertKnownRule(): void {
    if (this.#checks.unknown !== null) throw this.#checks.unknown
  }

  /** True when the node signs the outputs themselves, so that a snapshot without outputs cannot be verified. */
  get needsOutputs(): boolean {
    return this.#checks.needsOutputs
  }

  /**
   * Receives a message of the bridge's connection, and passes it on once it is verified, or if it needs no
   * verification.
   */
  receive(message: ArrivedMessage, channel: GatedChannel): Promise<void> {
    return this.#inTurn(() => {
      if (channel.isOver) return
      if (this.#channel !== channel) this.#enter(channel)
      return this.#receive(message, channel)
    })
  }

  async #receive(message: ArrivedMessage, channel: GatedChannel): Promise<void> {
    const record = recordOf(message.payload)
    // The changes of a snapshot that a gateway states are not signed.
    delete record['delta']
    if (message.payload.tag === 'SnapshotConfirmed') {
      if (channel.isPresent) return this.#receiveSnapshot(message)
      const isGood = await this.inspectPast(record)
      if (isGood && !channel.isOver) channel.pass({ ...message, outputs: null })
      return
    }
    if (message.payload.tag === 'Greetings') {
      this.#onGreetings(record)
      channel.isPresent = true
    }
    // Nodes to 1.3: a head opens with snapshot 0, which has no signatures. GET /snapshot is requested for it, and
    // rejected unless empty.
    if (message.payload.tag === 'HeadIsOpen' && !isEmptySet(getOwn(record, 'utxo'))) record['utxo'] = undefined
    const next = { ...message, outputs: null }
    if (!channel.isPresent) return channel.pass(next)
    if (this.#heldSnapshots === null) return this.#whole.push(next)
    if (FOLLOWED_TAGS.test(message.payload.tag)) await this.#heldSnapshots.follow(message.payload)
    if (!this.#heldSnapshots.hold(next)) this.#pass(next)
  }

  /** Passes on a message whose turn it is. */
  #pass(message: ArrivedMessage): void {
    const channel = this.#channel
    if (channel === null || channel.isOver) return
    const record = recordOf(message.payload)
    const { tag } = message.payload
    const headId = getOwn(record, 'headId')
    if (tag === 'HeadIsOpen') {
      const error = this.#checks.stalenessOf({ headId, number: 0 })
      // A head opens once: to say it again would empty the cache.
      if (error !== null) return this.#report(error, 'message', { headId, number: 0 })
    }
    this.#followHead(tag, headId)
    channel.pass(message)
  }

  /**
   * Resolves with true when a message of the past, which changes no outputs, may be passed on. A snapshot may if its
   * signatures are valid.
   */
  async inspectPast(message: WireRecord): Promise<boolean> {
    if (getOwn(message, 'tag') !== 'SnapshotConfirmed') return true
    const snapshot = snapshotOf(message)
    unmark(snapshot)
    const checked =
      snapshot !== null && bringsOutputs(snapshot)
        ? await this.#checks.check({ holder: message, outputs: null, text: null }, { isPast: true })
        : ((await this.#checks.sign(message)) ?? NEEDS_OUTPUTS)
    if (!(checked instanceof VerificationError)) return true
    this.#report(checked, 'message', snapshot)
    return false
  }

  /**
   * Checks an answer to GET /snapshot or GET /snapshot/utxo, and returns it without outputs that are not proven.
   *
   * @param least - number of the newest verified snapshot at the time of the request.
   * @throws {@link VerificationError} when it may not be used: to answer "no outputs" instead would be wrong too.
   */
  async inspectReply(path: string, reply: ConnectorReply, least: number): Promise<ConnectorReply> {
    if (reply.status !== 200) return reply
    const read = path === '/snapshot' ? await readReply(this.#listener.texts, reply) : null
    const body = read?.reply.kind === 'ok' ? recordOf(read.reply.value) : parsed(reply.text)
    // An answer that is not JSON has no outputs.
    if (!isRecord(body) || isEmptySet(body)) return reply
    const inspect = (): Promise<ConnectorReply> => this.#inspectBody(path, reply, { body, read, least })
    return this.#heldSnapshots === null ? inspect() : this.#inTurn(inspect)
  }

  async #inspectBody(
    path: string,
    reply: ConnectorReply,
    { body, read, least }: { body: WireRecord; read: ReadSnapshotReply | null; least: number }
  ): Promise<ConnectorReply> {
    const whole = this.#heldSnapshots === null ? null : parsed(reply.text)
    const checked =
      path === '/snapshot'
        ? await checkReply(this.#checks, body, { read, text: reply.text, least })
        : refused('rule', 'GET /snapshot/utxo brings outputs without signatures.')
    if (checked instanceof VerificationError) {
      this.#report(checked, 'request', getOwn(body, 'snapshot') ?? body)
      this.#heldSnapshots?.onNoBaseline(checked)
      throw checked
    }
    // At once: an older message may come before the caller has read the answer.
    if (this.#channel !== null) {
      this.#listener.onOutputs(baselineOf(body, checked.outputs))
      this.#checks.noteApplied()
    }
    if (isRecord(whole)) await this.#heldSnapshots?.applyProven(whole)
    // With the outputs as they came, or written again without those that are not proven.
    return { ...reply, text: (checked.outputs && replaceAround(reply.text, body)) ?? stringifyJson(body) }
  }

  /** Checks the waiting snapshots, and resolves when none waits. */
  async verifyNow(): Promise<void> {
    await this.#inTurn(() => this.#heldSnapshots?.settle())
    await this.#whole.settled()
    await this.#heldSnapshots?.whenReleased()
  }

  /** Leaves a channel that has ended. `settle`: true checks the waiting snapshots a last time. */
  leave(channel: GatedChannel, settle: boolean): Promise<void> {
    if (!settle && this.#channel === channel) this.#whole.reset()
    return this.#inTurn(async () => {
      if (this.#channel !== channel) return
      if (settle) {
        await this.#heldSnapshots?.settle()
        await this.#whole.settled()
      }
      this.#enter(null)
    })
  }

  /** Messages, replies and checks run one at a time, because all change the followed outputs. */
  #inTurn<T>(step: () => Promise<T> | T): Promise<T> {
    const done = this.#turn.then(step)
    this.#turn = done.catch(() => undefined)
    return done
  }

  /** Changes to another connection, and drops the waiting messages, because messages may have been missed. */
  #enter(channel: GatedChannel | null): void {
    this.#channel = channel
    this.#whole.reset()
    this.#heldSnapshots?.reset()
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
      pass: (message) => this.#pass(message),
      refuse: (error, snapshot) => this.#report(error, 'message', snapshot),
      inTurn: (step) => {
        const channel = this.#channel
        this.#inTurn(() => (this.#channel === channel ? step() : undefined)).catch((error: unknown) =>
          channel?.end(error as Error)
        )
      }
    })
  }

  #onGreetings(message: WireRecord): void {
    const version = getOwn(message, 'layerNodeVersion')
    const headId = getOwn(message, 'layerHeadId')
    const unknown = this.#checks.enterNode(typeof version === 'string' ? version : undefined)
    this.#checks.enterHead(typeof headId === 'string' ? headId : undefined)
    if (unknown !== null) this.#report(unknown, 'message', { headId })
    // These are not signed: the bridge requests GET /snapshot, which is.
    delete message['snapshotUtxo']
  }

  async #receiveSnapshot(message: ArrivedMessage): Promise<void> {
    if (this.#checks.unknown !== null) return
    const record = recordOf(message.payload)
    const snapshot = snapshotOf(record)
    if (snapshot === null) return this.#report(refused('input', 'A snapshot is missing.'), 'message', null)
    unmark(snapshot)
    const isWhole = bringsOutputs(snapshot)
    const signed = await this.#checks.sign(record)
    if (signed instanceof VerificationError) return this.#report(signed, 'message', snapshot)
    if (isWhole && this.#heldSnapshots === null) {
      const stale = signed === null ? null : this.#checks.stalenessOf(snapshot)
      if (stale !== null) return this.#report(stale, 'message', snapshot)
      return this.#whole.pushSnapshot(message, snapshot, signed)
    }
    // A snapshot without outputs follows all earlier messages.
    await this.#whole.settled()
    return this.#receiveFollowed(message, { snapshot, isWhole, isSigned: isWhole || signed !== null })
  }

  async #receiveFollowed(
    message: ArrivedMessage,
    about: { snapshot: WireRecord; isWhole: boolean; isSigned: boolean }
  ): Promise<void> {
    const { snapshot, isWhole } = about
    const record = recordOf(message.payload)
    this.#heldSnapshots ??= this.#createHeld()
    // Before unproven outputs are removed from it.
    const payload = isWhole ? (copyOfMembers(record) as unknown as LayerPayload) : message.payload
    const checked = isWhole
      ? await this.#checks.check({ holder: record, outputs: null, text: null })
      : this.#checks.stalenessOf(snapshot)
    if (checked instanceof VerificationError) return this.#report(checked, 'message', snapshot)
    return this.#heldSnapshots.receive({ ...message, outputs: null }, payload, about)
  }

  #report(error: VerificationError, source: UnverifiedSnapshot['source'], snapshot: unknown): void {
    const { versions } = error
    // No snapshot of a newer node can be verified: it is reported once.
    if (versions !== undefined && this.#reported === versions.node) return
    if (versions !== undefined) this.#reported = versions.node
    this.#listener.onUnverified(toUnverified(error, source, snapshot))
  }
}
