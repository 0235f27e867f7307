import type { Connector, ConnectorChannel } from '../../../src/bridge'
import type { ExportEvent, ExportEventsOptions } from '../../../src/doctor'
import { exportEvents } from '../../../src/doctor'
import { greetings, HEAD_ID, PARTY, snapshotConfirmed } from '../../support/scriptedNode'

export const START = Date.UTC(2026, 5, 1)
export const timeOf = (i: number): string => `${new Date(START + i * 1_000).toISOString().slice(0, -1)}456789Z`

/** A stored message of a node; numbers have holes, as those of a node. */
export function stored(
  i: number,
  message: object = { tag: 'TxValid', headId: HEAD_ID, transactionId: hex(i) }
): object {
  return { ...message, seq: 3 * i, timestamp: timeOf(i) }
}

export const hex = (i: number): string => i.toString(16).padStart(64, '0')

/** A mixed history: payments, snapshots, peers, and frames of unknown tags. */
export function historyOf(count: number): object[] {
  return Array.from({ length: count }, (_, i) => {
    if (i % 7 === 3) return stored(i, snapshotConfirmed(Math.floor(i / 7) + 1))
    if (i % 31 === 5) return stored(i, { tag: 'PeerConnected', peer: { hostname: '10.0.0.2', port: 5001 } })
    if (i % 101 === 9) return stored(i, { tag: 'HeadIsDancing', headId: HEAD_ID, beat: 9007199254740993 })
    return stored(i)
  })
}

/** A node that says what a test tells it to, without sockets. */
export class ScriptedHistory implements Connector {
  readonly capabilities = { history: true, allRoutes: true, partial: false }
  readonly origin = 'ws://127.0.0.1:4001'
  stored: object[]
  party = PARTY
  opened = 0
  /** Number of stored messages after which a connection breaks; null: none breaks. */
  breakAfter: number | null = null
  /** Greets a history, then tells these; null leaves the connection open after Greetings. */
  live: object[] = []

  constructor(messages: object[]) {
    this.stored = messages
  }

  open(
    listener: Parameters<Connector['open']>[0],
    { history = false }: Parameters<Connector['open']>[1]
  ): ConnectorChannel {
    this.opened++
    let isClosed = false
    queueMicrotask(() => {
      listener.onOpen({ replay: history })
      for (const [i, message] of (history ? this.stored : []).entries()) {
        if (isClosed) return
        if (i === this.breakAfter) return listener.onClose(new Error('the connection broke'))
        listener.onMessage(JSON.stringify(message))
      }
      if (!isClosed) listener.onMessage(JSON.stringify(greetings({ me: this.party })))
      if (history) for (const message of this.live) if (!isClosed) listener.onMessage(JSON.stringify(message))
    })
    return { send: () => undefined, close: async () => void (isClosed = true) }
  }

  request = async (): Promise<{ status: number; text: string }> => ({ status: 404, text: '""' })
}

/** All events of an export to its end. */
export async function exported(options: ExportEventsOptions): Promise<ExportEvent[]> {
  const events: ExportEvent[] = []
  for await (const event of exportEvents(options)) events.push(event)
  return events
}

/** A line of a node's log. */
export function logLine(i: number, message: object): string {
  return JSON.stringify({ timestamp: timeOf(i), threadId: 7, namespace: 'HydraNode-"1"', message })
}

/** A line about a change of the node's state. */
export function changeLine(i: number, stateChanges: object[], rest: object = {}): string {
  const outcome = { tag: 'Continue', stateChanges, effects: [], ...rest }
  return logLine(i, { tag: 'Node', node: { tag: 'LogicOutcome', by: PARTY, outcome } })
}

/** A log as a node writes it: each event between lines that tell none. */
export function logOf(count: number): string[] {
  return Array.from({ length: count }, (_, i) => [
    logLine(i, { tag: 'Node', node: { tag: 'BeginInput', by: PARTY, inputId: i, input: { tag: 'ChainInput' } } }),
    changeLine(i, [
      { tag: 'TickObserved', chainSlot: i },
      { tag: 'TransactionAppliedToLocalUTxO', headId: HEAD_ID, tx: { txId: hex(i), cborHex: '84', type: 'Tx' } }
    ]),
    logLine(i, { tag: 'Node', node: { tag: 'EndInput', by: PARTY, inputId: i } })
  ]).flat()
}
