import type { Client, DevNode } from 'layer-sdk/devnode'

export type Message = Record<string, any>

/** A client inside the node's own process, which no fault of the network reaches: it knows what the node said. */
export class Witness {
  readonly texts: string[] = []
  readonly messages: Message[] = []
  readonly #node: DevNode
  readonly #client: Client
  readonly #waiters = new Set<() => void>()

  constructor(node: DevNode, query = 'history=yes') {
    this.#node = node
    this.#client = node.open(query, {
      send: (message) => {
        this.texts.push(String(message))
        this.messages.push(JSON.parse(String(message)) as Message)
        for (const waiter of [...this.#waiters]) waiter()
      },
      close: () => this.leave()
    })
    // It is no connection of the client under test.
    node.counters.connections--
  }

  send(input: Message): void {
    this.#node.receive(this.#client, JSON.stringify(input))
  }

  leave(): void {
    this.#node.leave(this.#client)
  }

  /** Messages with this tag, and those of them about one transaction. */
  all(tag: string, txId?: string): Message[] {
    return this.messages.filter((message) => message['tag'] === tag && (txId === undefined || isAbout(message, txId)))
  }

  /** Number of the newest snapshot; 0 before the first. */
  get snapshotNumber(): number {
    return (this.all('SnapshotConfirmed').at(-1)?.['snapshot'] as { number: number } | undefined)?.number ?? 0
  }

  /** Text of the message that confirmed a snapshot. */
  snapshotText(number: number): string {
    const at = this.messages.findIndex(
      ({ tag, snapshot }) => tag === 'SnapshotConfirmed' && (snapshot as Message)['number'] === number
    )
    if (at < 0) throw new Error(`the node has confirmed no snapshot ${number}`)
    return this.texts[at] as string
  }

  /** Resolves with the first message, seen or to come, with this tag and about this transaction. */
  async said(tag: string, txId?: string, limitMs = 10_000): Promise<Message> {
    await this.#until(() => this.all(tag, txId).length > 0, `${tag} ${txId ?? ''}`, limitMs)
    return this.all(tag, txId)[0] as Message
  }

  #until(condition: () => boolean, what: string, limitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (settle: () => void): void => {
        clearTimeout(timer)
        this.#waiters.delete(check)
        settle()
      }
      const timer = setTimeout(
        () => stop(() => reject(new Error(`the node did not say ${what} within ${limitMs} ms`))),
        limitMs
      )
      const check = (): void => {
        if (condition()) stop(resolve)
      }
      this.#waiters.add(check)
      check()
    })
  }
}

function isAbout(message: Message, txId: string): boolean {
  if (message['transactionId'] === txId || message['transaction']?.txId === txId) return true
  return ((message['snapshot']?.confirmed ?? []) as { txId: string }[]).some((transaction) => transaction.txId === txId)
}
