import { parseJson } from '../codec/json.js'
import type { Connector, ConnectorReply } from '../bridge/inner.js'
import type { LifeStep, TracedAnswer, TracedMessage } from './trace.js'
import { asRecord } from './trace.js'

/** Most messages, and most answers, that a trace keeps; a life has some hundred messages. */
const MAX_MESSAGES = 10_000

/** Messages that may arrive after the next step has begun, by tag: the step that they belong to. */
const STEP_OF: Readonly<Record<string, LifeStep>> = {
  DecommitInvalid: 'second-withdraw',
  DecommitFinalized: 'withdraw-final',
  ReadyToFanout: 'fanout'
}

/** Records the messages of a node, and its answers to requests, each with the step that it belongs to. */
export class LifeTracer {
  readonly messages: TracedMessage[] = []
  readonly answers: TracedAnswer[] = []
  step: LifeStep | 'connect' = 'connect'
  readonly #waiting = new Set<() => void>()

  /**
   * Returns a connector that forwards all calls to `inner`. Recorded are the messages of the first channel, not those
   * of channels opened for a single reading, and the answers to all requests but GET.
   */
  tap(inner: Connector): Connector {
    let isFirst = true
    return {
      capabilities: inner.capabilities,
      get origin() {
        return inner.origin
      },
      open: (listener, options) => {
        const isNoted = isFirst
        isFirst = false
        return inner.open(
          {
            onOpen: (details) => listener.onOpen(details),
            onInvalid: (error) => listener.onInvalid(error),
            onActivity: () => listener.onActivity(),
            onClose: (error) => listener.onClose(error),
            onMessage: (message) => {
              if (isNoted) this.#note(message)
              listener.onMessage(message)
            }
          },
          options
        )
      },
      request: async (request) => {
        const sentAt = Date.now()
        const reply = await inner.request(request)
        // Readings of the client come as its timing has them; those that change something are the same in each life.
        if (request.method !== 'GET') this.noteAnswer(`${request.method} ${request.path}`, reply, sentAt)
        return reply
      }
    }
  }

  /** Records the answer to a request, with ids in its path replaced by `{id}`, and returns the record. */
  noteAnswer(path: string, { status, text }: ConnectorReply, sentAt: number = Date.now()): TracedAnswer {
    const route = path.replace(/[0-9a-f]{64}/g, '{id}').replace(/%22/g, '')
    const answer = { step: this.step, route, status, body: parsed(text), sentAt }
    if (this.answers.length < MAX_MESSAGES) this.answers.push(answer)
    return answer
  }

  /** Resolves with the first message from now on that `match` accepts; rejects with the signal's reason. */
  next(match: (message: TracedMessage) => boolean, signal: AbortSignal): Promise<TracedMessage> {
    const from = this.messages.length
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.messages.slice(from).find(match)
        if (found === undefined && !signal.aborted) return
        this.#waiting.delete(look)
        if (found === undefined) reject(signal.reason as Error)
        else resolve(found)
      }
      this.#waiting.add(look)
      signal.addEventListener('abort', look, { once: true })
      look()
    })
  }

  #note(raw: unknown): void {
    const message = asRecord(typeof raw === 'string' ? parsed(raw) : structuredClone(raw))
    if (message === null || this.messages.length >= MAX_MESSAGES) return
    const tag = typeof message['tag'] === 'string' ? message['tag'] : 'InvalidInput'
    this.messages.push({ step: STEP_OF[tag] ?? this.step, tag, message })
    for (const look of [...this.#waiting]) look()
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
