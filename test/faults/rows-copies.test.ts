import { LayerBridge, WebsocketConnector } from 'layer-sdk/bridge'
import type { Connector, ConnectorReply, ConnectorRequest, Transaction } from 'layer-sdk/bridge'
import { UnsupportedByConnectorError } from 'layer-sdk'
import type { Channel } from '../support/copyHead'
import { CopyHead } from '../support/copyHead'
import { WORDINGS } from '../support/wordings'
import { outcomeOf, pause } from './support/faultyHead'
import type { Repetition } from './support/matrix'
import { faultRow, until } from './support/matrix'

const CHANNELS: readonly Channel[] = [
  'TxInvalid',
  'CommandFailed',
  'RejectedInputBecauseUnsynced',
  'HTTP 400',
  'HTTP 503'
]

/** A connector that serves no more than a gateway does: no history, no number with the state. */
function gatewayLike(url: string): Connector {
  const direct = new WebsocketConnector({ websocketUrl: url })
  const served = ['GET /snapshot/utxo', 'POST /transaction', 'GET /head']
  return {
    capabilities: { history: false, allRoutes: false, partial: false },
    open: (listener, options) => direct.open(listener, options),
    request: async (request: ConnectorRequest): Promise<ConnectorReply> => {
      const route = `${request.method} ${request.path}`
      if (!served.includes(route)) throw new UnsupportedByConnectorError(route)
      return direct.request(request)
    }
  }
}

/** What a story has to work with. */
interface Case {
  readonly head: CopyHead
  readonly bridge: LayerBridge
  readonly isGateway: boolean
  /** Submits over the route that the refusals come over. */
  submit(transaction: Transaction): Promise<any>
}

interface Setup {
  readonly channel: Channel
  readonly words: string
  readonly isGateway: boolean
}

/**
 * Runs a story on a head of its own. `before`: what happened before the bridge connects. @returns the head, for what it
 * counted
 */
async function withStory(
  { channel, words, isGateway }: Setup,
  before: (head: CopyHead) => void,
  run: (facts: Case) => Promise<void>
): Promise<CopyHead> {
  const head = await new CopyHead().start()
  Object.assign(head, { channel, words })
  before(head)
  const bridge = new LayerBridge(isGateway ? { connector: gatewayLike(head.node.url) } : { url: head.node.url })
  try {
    await bridge.connect()
    await until('the bridge has settled', () => bridge.getSnapshot().ready)
    await run({
      head,
      bridge,
      isGateway,
      submit: (transaction) =>
        outcomeOf(
          channel.startsWith('HTTP')
            ? bridge.submitL2Tx(transaction)
            : bridge.submitTxSync(transaction, { timeout: 20_000 })
        )
    })
    return head
  } finally {
    await bridge.disconnect()
    await head.node.stop()
  }
}

const isConfirmed = (outcome: any): void =>
  expect([outcome.isConfirmed, outcome.tag]).toContainEqual(outcome.isConfirmed === true ? true : 'SubmitTxConfirmed')
const isUnknown = (outcome: any): void => expect(outcome).toMatchObject({ code: 'BRIDGE_SUBMIT', outcome: 'unknown' })
const reasonOf = ({ channel, words }: Setup): unknown =>
  channel === 'CommandFailed'
    ? expect.stringContaining('Closed')
    : channel === 'RejectedInputBecauseUnsynced'
      ? expect.stringContaining('behind the chain')
      : words
const isRejected = (outcome: any, setup: Setup): void => {
  const { channel } = setup
  if (channel === 'HTTP 400') expect(outcome).toEqual({ tag: 'SubmitTxInvalid', validationError: setup.words })
  else if (channel === 'HTTP 503') expect(outcome).toEqual({ tag: 'SubmitTxRejected', reason: setup.words })
  else expect(outcome).toMatchObject({ code: 'BRIDGE_SUBMIT', tag: channel, outcome: 'none', reason: reasonOf(setup) })
}

/** Each is a story of one transaction, told by the model; the refusal is the same in all of them. */
const CASES: Readonly<Record<string, (setup: Setup) => Promise<CopyHead>>> = {
  async 'a copy of a confirmed one, whose outputs are in the head'(setup) {
    return withStory(
      setup,
      (head) => head.other(head.tx(11, 1)),
      async ({ head, submit }) => isConfirmed(await submit(head.tx(11, 1)))
    )
  },

  async 'a copy of a confirmed one, whose outputs were spent before the bridge came'(setup) {
    return withStory(
      setup,
      (head) => {
        head.other(head.tx(11, 1))
        head.spendOn(head.tx(11, 1), 12)
      },
      async ({ head, submit, isGateway }) => {
        const outcome = await submit(head.tx(11, 1))
        if (isGateway) isUnknown(outcome)
        else isConfirmed(outcome)
      }
    )
  },

  async 'the same, and the history has been rotated away'(setup) {
    return withStory(
      setup,
      (head) => {
        head.other(head.tx(11, 1))
        head.spendOn(head.tx(11, 1), 12)
        head.rotate()
      },
      async ({ head, submit }) => isUnknown(await submit(head.tx(11, 1)))
    )
  },

  async 'a copy of one that another client sent and no snapshot has confirmed yet, the TxValid of which came before the bridge'(
    setup
  ) {
    return withStory(
      setup,
      (head) => {
        head.holdSnapshots = true
        head.other(head.tx(11, 1))
      },
      async ({ head, submit }) => {
        const verdict = submit(head.tx(11, 1))
        await until('the copy has been refused', () => head.refusals === 1)
        await pause(20)
        if (setup.channel.startsWith('HTTP')) expect(await verdict).toEqual({ tag: 'SubmitTxSubmitted' })
        head.release()
        if (!setup.channel.startsWith('HTTP')) isConfirmed(await verdict)
      }
    )
  },

  async 'one that was sent before an outage, confirmed in it, and submitted again after it'(setup) {
    return withStory(
      setup,
      (head) => {
        head.holdSnapshots = head.dropValid = true
      },
      async ({ head, bridge, submit }) => {
        const tx = head.tx(11, 1)
        const first = bridge.submitTxSync(tx).catch((error: unknown) => error)
        await until('it has arrived', () => head.received.get(tx.txId) === 1)
        head.node.cut()
        isUnknown(await first)
        head.release()
        await bridge.connect()
        isConfirmed(await submit(tx))
      }
    )
  },

  async 'the same, and its outputs were spent in the outage'(setup) {
    return withStory(
      setup,
      (head) => {
        head.holdSnapshots = head.dropValid = true
      },
      async ({ head, bridge, submit, isGateway }) => {
        const tx = head.tx(11, 1)
        const first = bridge.submitTxSync(tx).catch((error: unknown) => error)
        await until('it has arrived', () => head.received.get(tx.txId) === 1)
        head.node.cut()
        isUnknown(await first)
        head.release()
        head.spendOn(tx, 12)
        await bridge.connect()
        const outcome = await submit(tx)
        if (isGateway) isUnknown(outcome)
        else isConfirmed(outcome)
      }
    )
  },

  // The other side: what is plainly refused is told so, in the node's words.
  async 'one whose input another transaction has spent, which no snapshot has confirmed yet'(setup) {
    return withStory(
      setup,
      () => undefined,
      async ({ head, submit }) => {
        head.holdSnapshots = true
        head.other(head.tx(21, 1))
        isRejected(await submit(head.tx(11, 1)), setup)
      }
    )
  },

  async 'one whose input another transaction spends while it is on its way'(setup) {
    return withStory(
      setup,
      () => undefined,
      async ({ head, submit }) => {
        head.holdSnapshots = true
        head.other(head.tx(21, 1))
        head.beforeRefusal = () => head.release()
        isRejected(await submit(head.tx(11, 1)), setup)
      }
    )
  },

  async 'one whose input another transaction spent before the bridge came'(setup) {
    return withStory(
      setup,
      (head) => head.other(head.tx(21, 1)),
      async ({ head, submit, isGateway }) => {
        const outcome = await submit(head.tx(11, 1))
        if (isGateway) isUnknown(outcome)
        else isRejected(outcome, setup)
      }
    )
  },

  async 'one whose input never existed'(setup) {
    return withStory(
      setup,
      () => undefined,
      async ({ head, submit, isGateway }) => {
        const outcome = await submit(head.tx(11, 99))
        if (isGateway) isUnknown(outcome)
        else isRejected(outcome, setup)
      }
    )
  }
}

describe.each(WORDINGS)('copies that the node refuses (row 47%s): %s', (part, name, words) => {
  faultRow(
    {
      row: 47,
      part,
      fault: `a copy of a transaction, or a plainly invalid one, is refused over TxInvalid, CommandFailed, an unsynced rejection, HTTP 400 and 503, also of a gateway; the node's words: ${name}`,
      repeats: CHANNELS.length * 2,
      timeout: 120_000,
      expected:
        "confirmed when the state or the history says so, valid while the node holds it, else unknown; rejected, in the node's words, only when both exclude it"
    },
    async ({ index, random, injected, wire }: Repetition) => {
      const setup: Setup = {
        channel: CHANNELS[index % CHANNELS.length]!,
        words: words(random),
        isGateway: index >= CHANNELS.length
      }
      const heads = await Promise.all(
        Object.entries(CASES).map(async ([story, run]) =>
          run(setup).catch((error: Error) => {
            error.message = `${setup.channel}${setup.isGateway ? ' of a gateway' : ''}, ${story}: ${error.message}`
            throw error
          })
        )
      )
      injected(heads.reduce((sum, { refusals }) => sum + refusals, 0))
      // One for each submission by the caller: two stories submit a second time, after an unknown outcome.
      wire(
        'submissions received',
        heads.reduce((sum, { received }) => sum + [...received.values()].reduce((each, count) => each + count, 0), 0),
        heads.length + 2
      )
    }
  )
})

describe('one transaction over two routes and two bridges', () => {
  faultRow(
    {
      row: 50,
      part: 'a',
      fault:
        'submitL2Tx, then submitTxSync of the same transaction, with TxValid late or lost; two bridges of one process with one transaction',
      repeats: 8,
      expected: 'one submission on the wire of each bridge; all are confirmed, and what sent nothing says deduplicated'
    },
    async ({ index, random, injected, wire }) => {
      const words = WORDINGS[index % WORDINGS.length]![2](random)
      const head = await new CopyHead().start()
      Object.assign(head, { words, holdSnapshots: true, dropValid: index % 2 === 0 })
      const bridges = [new LayerBridge({ url: head.node.url }), new LayerBridge({ url: head.node.url })] as const
      try {
        for (const bridge of bridges) await bridge.connect()
        const [first, second] = bridges
        const tx = head.tx(11, 1)
        expect(await first.submitL2Tx(tx)).toEqual({ tag: 'SubmitTxSubmitted' })
        injected()
        const again = [first.submitTxSync(tx), outcomeOf(first.submitL2Tx(tx))]
        const other = second.submitTxSync(tx)
        await until('the copy of the other bridge has been refused', () => head.refusals === 1)
        await pause(random() * 20)
        head.release()
        expect(await Promise.all(again)).toEqual([
          expect.objectContaining({ isConfirmed: true, deduplicated: true }),
          expect.objectContaining({ tag: expect.stringMatching(/^SubmitTx(Submitted|Confirmed)$/), deduplicated: true })
        ])
        const confirmed = await other
        expect(confirmed).toMatchObject({ txId: tx.txId, isConfirmed: true })
        expect(confirmed).not.toHaveProperty('deduplicated')
        wire('submissions of the first bridge', head.node.requests.filter(({ method }) => method === 'POST').length, 1)
        wire('submissions of the second bridge', head.node.inputs.length, 1)
        expect(bridges.map(({ lastSnapshotNumber }) => lastSnapshotNumber)).toEqual([
          head.snapshotNumber,
          head.snapshotNumber
        ])
      } finally {
        for (const bridge of bridges) await bridge.disconnect()
        await head.node.stop()
      }
    }
  )
})
