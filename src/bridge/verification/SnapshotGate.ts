import { equalBytes } from '../../codec/bytes.js'
import { parseJson, stringifyJson } from '../../codec/json.js'
import { isLayerError } from '../../errors/base.js'
import { VerificationError } from '../../errors/verification.js'
import { startTimer } from '../../net/timers.js'
import type { Hex } from '../../types/utxo.js'
import type { SnapshotToVerify, SnapshotVerdict } from '../../verify/types.js'
import type { Connector, ConnectorReply } from '../connection/Connector.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { isRecord, getOwn } from '../protocol/wireRecord.js'
import type { BridgeVerification, UnverifiedSnapshot, VerificationListener } from './VerifyingConnector.js'

const HEAD_TIMEOUT_MS = 10_000
/** Heads whose newest snapshot is remembered. */
const MAX_HEADS = 100

/** Lets nothing through that speaks of outputs without the signatures of all parties. */
export class SnapshotGate {
  readonly #connector: Connector
  readonly #options: BridgeVerification
  readonly #listener: VerificationListener
  /** Newest verified snapshot by head: none goes back behind it. */
  readonly #newest = new Map<string, number>()
  readonly #partiesOfHead = new Map<string, readonly Hex[]>()
  /** Outputs of the newest verified snapshot. */
  #held: { readonly headId: string; readonly outputs: ReadonlyMap<string, Uint8Array | undefined> } | null = null
  #nodeVersion: string | undefined
  #verified = -1

  constructor(connector: Connector, options: BridgeVerification, listener: VerificationListener) {
    this.#connector = connector
    this.#options = options
    this.#listener = listener
  }

  /** Number of the newest verified snapshot of the present head; -1 before the first. */
  get verified(): number {
    return this.#verified
  }

  /**
   * The message as it may go on, or null.
   *
   * @param isPresent - whether it is not being replayed: then a snapshot may not be older than one before it.
   */
  async inspectMessage(given: unknown, isPresent: boolean): Promise<unknown> {
    const message = parsed(given)
    if (!isRecord(message)) return given
    switch (getOwn(message, 'tag')) {
      case 'Greetings':
        return this.#greet(message)
      case 'HeadIsOpen':
        // Nodes to 1.3: a head opens with snapshot 0, which has no signatures. GET /snapshot is requested for it, and rejected unless empty.
        return isEmpty(getOwn(message, 'utxo')) ? message : { ...message, utxo: undefined }
      case 'SnapshotConfirmed': {
        const error = await this.#check(message, getOwn(message, 'headId'), isPresent ? undefined : -1)
        if (error === null) return message
        this.#report(error, 'message', getOwn(message, 'snapshot'))
        return null
      }
      default:
        return message
    }
  }

  /**
   * The answer to GET /snapshot or GET /snapshot/utxo, when it may be used.
   *
   * @param least - number of the newest verified snapshot at the time of the request.
   * @throws {@link VerificationError} with the reason why not: an answer that says "no outputs" would be wrong too.
   */
  async inspectReply(path: string, reply: ConnectorReply, least: number): Promise<ConnectorReply> {
    const body = reply.status === 200 ? parsed(reply.text) : undefined
    // Another status, or what is no JSON, holds no outputs.
    if (!isRecord(body) || isEmpty(body)) return reply
    const error = path === '/snapshot' ? await this.#checkAnswer(body, least) : refused('rule', 'GET /snapshot/utxo brings outputs without signatures.')
    // Written anew: what is not proven has been left out.
    if (error === null) return { ...reply, text: stringifyJson(body) }
    this.#report(error, 'request', getOwn(body, 'snapshot') ?? body)
    throw error
  }

  #greet(message: WireRecord): WireRecord {
    const version = getOwn(message, 'hydraNodeVersion') ?? getOwn(message, 'layerNodeVersion')
    this.#nodeVersion = typeof version === 'string' ? version : undefined
    const headId = getOwn(message, 'hydraHeadId') ?? getOwn(message, 'layerHeadId')
    this.#show(typeof headId === 'string' ? (this.#newest.get(headId) ?? -1) : -1)
    // These are not signed: the bridge requests GET /snapshot, which is.
    const { snapshotUtxo: _, ...rest } = message
    return rest
  }

  async #checkAnswer(body: WireRecord, least: number): Promise<VerificationError | null> {
    if (getOwn(body, 'tag') !== 'InitialSnapshot') return this.#check(body, undefined, least)
    return isEmpty(getOwn(body, 'initialUTxO')) ? null : refused('initial', 'The initial snapshot is not signed.')
  }

  /** `least`: the number that it may not fall behind. @default the newest of its head */
  async #check(confirmed: WireRecord, headIdOfMessage: unknown, least?: number): Promise<VerificationError | null> {
    const snapshot = getOwn(confirmed, 'snapshot')
    const signatures = getOwn(confirmed, 'signatures')
    if (!isRecord(snapshot)) return refused('input', 'A snapshot is missing.')
    const [headId, number, utxo] = [getOwn(snapshot, 'headId'), getOwn(snapshot, 'number'), getOwn(snapshot, 'utxo')]
    if (typeof headId !== 'string' || (headIdOfMessage !== undefined && headIdOfMessage !== headId) || (this.#options.headId ?? headId) !== headId) {
      return refused('input', 'The snapshot is of another head.')
    }
    // What follows from its transactions would be unproven: they are not signed.
    if (utxo === undefined || utxo === null) return refused('rule', 'The snapshot has no outputs that could be verified.')
    let verdict: SnapshotVerdict
    try {
      const { verifySnapshot } = await import('../../verify/verifySnapshot.js')
      const { accelerator } = this.#options
      const parties = await this.#partiesOf(headId)
      verdict = await verifySnapshot({
        snapshot: snapshot as unknown as SnapshotToVerify,
        signatures: signatures as never,
        parties,
        nodeVersion: this.#nodeVersion,
        accelerator
      })
    } catch (error) {
      return isLayerError(error, 'VERIFICATION') ? error : new VerificationError('parties', 'The parties of the head could not be read.', { cause: error })
    }
    if (!verdict.ok) return refused(verdict.reason, verdict.detail)
    const newest = this.#newest.get(headId) ?? -1
    if ((number as number) < (least ?? newest)) return refused('stale', `The snapshot is older than number ${least ?? newest}, which was verified before.`)
    const outputs = await outputsOf(snapshot)
    for (const [key, output] of this.#held?.headId === headId ? this.#held.outputs : []) {
      const now = outputs.get(key)
      // The signatures do not bind inputs. The cache keeps what it holds under a known one, so under it must stand the same.
      if (now !== undefined && output !== undefined && !equalBytes(now, output))
        return refused('output', `The output ${key} is another than in the snapshot before.`)
    }
    if ((number as number) >= newest) {
      this.#held = { headId, outputs }
      this.#note(headId, number as number)
    }
    // Of outputs at Byron addresses nothing is proven: they go no further.
    for (const set of ['utxo', 'utxoToCommit', 'utxoToDecommit'])
      for (const key of verdict.unproven) delete (getOwn(snapshot, set) as WireRecord | null | undefined)?.[key]
    return null
  }

  #note(headId: string, number: number): void {
    this.#newest.delete(headId)
    this.#newest.set(headId, number)
    if (this.#newest.size > MAX_HEADS) this.#newest.delete(this.#newest.keys().next().value!)
    this.#show(number)
  }

  #show(number: number): void {
    if (number === this.#verified) return
    this.#verified = number
    this.#listener.onVerified()
  }

  async #partiesOf(headId: string): Promise<readonly Hex[]> {
    const { parties } = this.#options
    if (parties !== 'from-head') return parties
    const known = this.#partiesOfHead.get(headId)
    if (known !== undefined) return known
    const { partiesFromHead } = await import('../../verify/parties.js')
    const abort = new AbortController()
    const stopTimer = startTimer(HEAD_TIMEOUT_MS, () => abort.abort(new Error('GET /head was not answered.')))
    try {
      const { text } = await this.#connector.request({ method: 'GET', path: '/head', signal: abort.signal })
      const named = partiesFromHead(parseJson(text, 'The body of GET /head'))
      this.#partiesOfHead.set(headId, named)
      return named
    } finally {
      stopTimer()
    }
  }

  #report(error: VerificationError, source: UnverifiedSnapshot['source'], snapshot: unknown): void {
    const [headId, number] = isRecord(snapshot) ? [getOwn(snapshot, 'headId'), getOwn(snapshot, 'number')] : []
    this.#listener.onUnverified({
      reason: error.reason,
      detail: error.message,
      source,
      headId: typeof headId === 'string' ? headId : null,
      number: typeof number === 'number' ? number : null
    })
  }
}

/** Bytes of the outputs that reach the cache, by their inputs. */
async function outputsOf(snapshot: WireRecord): Promise<Map<string, Uint8Array | undefined>> {
  const { readUtxoSet } = await import('../../accumulator/utxoSet.js')
  const entries = ['utxo', 'utxoToCommit'].flatMap((set) => readUtxoSet(getOwn(snapshot, set)))
  return new Map(entries.map(({ key, data }) => [key, data]))
}

const refused = (reason: VerificationError['reason'], detail: string): VerificationError => new VerificationError(reason, detail)

/** Text that is not valid JSON stays text: the bridge reports it. */
function parsed(message: unknown): unknown {
  if (typeof message !== 'string') return message
  try {
    return parseJson(message, 'A message')
  } catch {
    return message
  }
}

function isEmpty(utxo: unknown): boolean {
  return utxo === undefined || utxo === null || (isRecord(utxo) && Object.keys(utxo).length === 0)
}
