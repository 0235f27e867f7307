import { parseJson, stringifyJson } from '../../codec/json.js'
import { getOwn, isRecord } from '../../bridge/inner.js'
import { nextTask } from '../../net/nextTask.js'
import type { ProofSource } from '../../verify/inner.js'
import { getProof, inParts } from '../../verify/inner.js'
import { RateLimiter } from '../access/RateLimiter.js'
import type { Access } from '../access/types.js'
import type { HeadEdge } from '../edge/HeadEdge.js'
import { phraseOf } from '../edge/NodeRule.js'
import type { Answer } from './answers.js'
import { failure, success } from './answers.js'

/** Proofs of one IP address per second. */
const PER_SECOND = 1
/** Proofs that may wait for the one that is being computed. */
const MAX_WAITING = 16
/** Number of proofs that are kept: the proof of an output in a snapshot is the same for all clients. */
const MAX_KEPT = 256
const REF = /^[0-9a-f]{64}#(0|[1-9]\d{0,4})$/

/** Request of a proof, by `ref` in the query. */
interface ProofRequest {
  readonly context: { closing(): boolean }
  readonly head: Pick<HeadEdge, 'available' | 'replies' | 'rule'>
  readonly access: Pick<Access, 'addresses'>
  readonly query: URLSearchParams
  /** IP address of the client. */
  readonly ip: string
}

/** Signed snapshot that a proof is made from, as GET /snapshot of the node states it. */
interface Signed {
  readonly name: string
  readonly source: ProofSource
  /** Returns the address of an output of the snapshot, pending ones included; null where there is no such output. */
  addressOf(ref: string): string | null
}

/**
 * Membership proofs of outputs. The computing time of one grows with the head, so they are made one after another, in
 * parts that leave the thread to others, and each IP address receives one a second.
 */
export class Proofs {
  readonly #limiter = new RateLimiter(PER_SECOND, 1)
  readonly #kept = new Map<string, string>()
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  async answer({ context, head, access, query, ip }: ProofRequest): Promise<Answer> {
    const refs = query.getAll('ref')
    const [ref = ''] = refs
    if (refs.length !== 1 || !REF.test(ref)) return failure(400, "expected ref, 'txHash#index', once")
    // Its snapshots may look like those of a known rule.
    if (head.rule.unknown !== null) return failure(503, phraseOf(head.rule.unknown), { tag: 'UnknownRule' })
    if (this.#limiter.consume(ip) !== 'ok')
      return failure(429, 'one proof a second', { retryAfter: this.#limiter.retryAfterSeconds })
    const reply = await head.replies.read('/snapshot', head.available)
    if (reply === null || (reply.status !== 200 && reply.status !== 404)) return failure(503, 'the node has no answer')
    const signed = reply.status === 404 ? null : readSigned(reply.text)
    if (typeof signed === 'string') return failure(404, signed)
    const address = signed?.addressOf(ref) ?? null
    // To a token of some addresses, outputs of others are not there.
    if (signed === null || address === null || (access.addresses !== null && !access.addresses.has(address)))
      return failure(404, 'no such output')
    if (this.#waiting >= MAX_WAITING) return failure(503, 'too many proofs are asked for')
    const headers = reply.ageSeconds > 0 ? { Age: String(reply.ageSeconds) } : {}
    try {
      return success(await this.#prove(signed, ref, () => context.closing()), headers)
    } catch (error) {
      return refusal(error)
    }
  }

  /** Returns the proof as JSON. @throws {@link VerificationError} */
  async #prove({ name, source }: Signed, ref: string, isClosing: () => boolean): Promise<string> {
    const key = `${name} ${ref}`
    const cached = this.#kept.get(key)
    if (cached !== undefined) return cached
    this.#waiting++
    const pause = async (): Promise<void> => {
      await new Promise<void>((resolve) => nextTask(resolve))
      if (isClosing()) throw new Error('the gateway is stopping')
    }
    const compute = async (): Promise<string> =>
      this.#kept.get(key) ?? stringifyJson(await getProof(source, ref, { accelerator: inParts(pause) }))
    const proving = this.#last.then(compute).finally(() => this.#waiting--)
    this.#last = proving.catch(() => undefined)
    const text = await proving
    this.#keep(key, text)
    return text
  }

  #keep(key: string, text: string): void {
    this.#kept.set(key, text)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break
      this.#kept.delete(oldest)
    }
  }
}

/** Returns the signed snapshot, or the reason why it proves no output. */
function readSigned(text: string): Signed | string {
  const body = parseJson(text, 'The snapshot')
  const snapshot = isRecord(body) ? getOwn(body, 'snapshot') : undefined
  if (!isRecord(body) || !isRecord(snapshot)) return 'no snapshot has been signed yet'
  // Without it the parties have signed each output by itself, or no value that a proof could be checked against.
  if (typeof getOwn(snapshot, 'accumulator') !== 'string')
    return 'the node signs no accumulator: proofs need one from 2.2 on'
  const sets = ['utxo', 'utxoToCommit', 'utxoToDecommit'].map((name) => getOwn(snapshot, name)).filter(isRecord)
  return {
    name: ['headId', 'version', 'number'].map((name) => String(getOwn(snapshot, name))).join(' '),
    source: body as ProofSource,
    addressOf(ref) {
      const output = sets.map((set) => getOwn(set, ref)).find(isRecord)
      const address = output === undefined ? undefined : getOwn(output, 'address')
      return typeof address === 'string' ? address : null
    }
  }
}

function refusal(error: unknown): Answer {
  const reason = (error as { reason?: unknown } | null)?.reason
  if (reason === 'unknown-rule')
    return failure(503, 'the snapshot is of a later form than this package knows (unknown-rule)', {
      tag: 'UnknownRule'
    })
  if (reason === 'too-large') return failure(404, 'the head has more outputs than an accumulator holds')
  if (reason === 'output' || reason === 'proof') return failure(404, 'this output cannot be proven')
  // The node's outputs are not those it has signed, or the gateway is stopping.
  return failure(503, 'no proof can be made now')
}
