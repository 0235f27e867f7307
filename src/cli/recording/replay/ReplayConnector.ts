import type {
  Connector,
  ConnectorChannel,
  ConnectorListener,
  ConnectorReply,
  ConnectorRequest
} from '../../../bridge/index.js'
import { NotConnectedError } from '../../../errors/bridge.js'

/** Connector that delivers the messages of a recording as the replay feeds them to it. Every input is rejected. */
export class ReplayConnector implements Connector {
  readonly capabilities = { history: false, allRoutes: true, partial: false }
  /** Latest answer of each route up to the current place of the recording. */
  readonly #answers: Map<string, ConnectorReply>
  #listener: ConnectorListener | null = null
  #onOpened: (() => void) | null = null

  /** `answers`: answer of each route until the replay reaches its first recorded answer. */
  constructor(answers: ReadonlyMap<string, ConnectorReply>) {
    this.#answers = new Map(answers)
  }

  /** Waits until the bridge opens a channel, then reports it as connected. */
  async opened(history: boolean): Promise<void> {
    if (this.#listener === null) await new Promise<void>((resolve) => (this.#onOpened = resolve))
    this.#listener?.onOpen({ replay: history })
  }

  message(text: string): void {
    this.#listener?.onMessage(text)
  }

  closed(reason: string): void {
    const listener = this.#listener
    this.#listener = null
    listener?.onClose(new Error(reason))
  }

  answer(path: string, reply: ConnectorReply): void {
    this.#answers.set(path, reply)
  }

  open(listener: ConnectorListener): ConnectorChannel {
    queueMicrotask(() => {
      this.#listener = listener
      this.#onOpened?.()
    })
    return {
      send() {
        throw new NotConnectedError('Sending in a replay')
      },
      close: () => {
        if (this.#listener === listener) this.#listener = null
        return Promise.resolve()
      }
    }
  }

  /** Returns the latest recorded answer of a route; without one, 404, as an idle node answers. */
  request({ method, path }: ConnectorRequest): Promise<ConnectorReply> {
    const answer = method === 'GET' ? this.#answers.get(path) : undefined
    return Promise.resolve(answer ?? { status: 404, text: '""' })
  }
}
