import type {
  Connector,
  ConnectorChannel,
  ConnectorListener,
  ConnectorReply,
  ConnectorRequest
} from '../../../bridge/index.js'
import { NotConnectedError } from '../../../errors/bridge.js'

/** A connector that delivers the messages of a recording when the replay requests it. Every input is rejected. */
export class ReplayConnector implements Connector {
  readonly capabilities = { history: false, allRoutes: true, partial: false }
  /** Newest answer of each route up to this place of the recording. */
  readonly #answers: Map<string, ConnectorReply>
  #listener: ConnectorListener | null = null
  #onOpened: (() => void) | null = null

  /** `answers`: of each route before the first of the recording is reached. */
  constructor(answers: ReadonlyMap<string, ConnectorReply>) {
    this.#answers = new Map(answers)
  }

  /** Opens the channel that the bridge has requested; waits for its request. */
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

  /** The newest recorded answer; a route without one answers as an idle node does. */
  request({ method, path }: ConnectorRequest): Promise<ConnectorReply> {
    const known = method === 'GET' ? this.#answers.get(path) : undefined
    return Promise.resolve(known ?? { status: 404, text: '""' })
  }
}
