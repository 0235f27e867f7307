import { LayerBridge } from 'layer-sdk/bridge'
import type { CommandRefusedError } from '../../src/errors/operation'
import { startDevNode } from 'layer-sdk/devnode'
import { hashOf, sampleTx } from '../support/sampleTx'
import { HANG_FACTOR } from '../support/timing'
import { nextEvent, outcomeOf, pause, withHead } from './support/faultyHead'
import { faultRow, until } from './support/matrix'
import type { Repetition } from './support/matrix'
import { WireTap } from './support/WireTap'

/**
 * A refusal settles at once, far below the 30 s after which a wait gives up: twenty times 50 ms, and what a busy
 * machine adds.
 */
const AT_ONCE_MS = 10_000

/** The outcome of a wait, and how long it took, ms. */
async function timed(promise: Promise<unknown>): Promise<{ outcome: any; took: number }> {
  const started = performance.now()
  const outcome = await outcomeOf(promise)
  return { outcome, took: performance.now() - started }
}

/** Submits with the callback form; counts its calls. */
function submitWithCallback(
  bridge: LayerBridge,
  tx: Parameters<LayerBridge['submitTx']>[0]
): { calls: unknown[][]; first: Promise<unknown> } {
  const calls: unknown[][] = []
  const first = new Promise((_, reject) =>
    bridge.submitTx(tx, (...facts) => {
      calls.push(facts)
      reject(facts[0] as Error)
    })
  )
  return { calls, first }
}

const refusedCommand = (bridge: LayerBridge): Promise<CommandRefusedError> =>
  new Promise((resolve) => {
    const off = bridge.events.on('onCommandRefused', (error) => {
      off()
      resolve(error)
    })
  })

/** Sends a command that the node does not know, and checks what the refusal says. */
async function refusesUnread(bridge: LayerBridge, command: string, send: () => void): Promise<void> {
  const told = refusedCommand(bridge)
  send()
  const { outcome, took } = await timed(told)
  expect(outcome).toMatchObject({
    code: 'BRIDGE_COMMAND_REFUSED',
    command,
    tag: 'InvalidInput',
    reason: expect.stringMatching(/./)
  })
  expect(outcome.allowedStates).toEqual(command === 'SafeClose' ? ['Open'] : ['FanoutPossible', 'FanningOut'])
  expect(took).toBeLessThan(AT_ONCE_MS)
}

/** A node of a version that knows neither SafeClose nor PartialFanout. */
async function beforeSafeClose({
  random,
  injected,
  wire
}: Pick<Repetition, 'random' | 'injected' | 'wire'>): Promise<void> {
  const node = await startDevNode({ port: 0, rpcPort: null, profile: '0.22' })
  const tap = new WireTap()
  const bridge = new LayerBridge({ url: node.url, webSocketImpl: tap.WebSocket })
  try {
    await bridge.connect()
    await pause(random() * 5)
    injected(2)
    await refusesUnread(bridge, 'SafeClose', () => bridge.commands.safeClose())
    await refusesUnread(bridge, 'PartialFanout', () =>
      bridge.commands.partialFanout({ [`${hashOf(9)}#0`]: { address: node.keys[0]!.address, value: { lovelace: 1 } } })
    )
    expect(bridge.connected()).toBe(true)
    wire('SafeClose sent', tap.inputs('SafeClose'), 1)
    wire('PartialFanout sent', tap.inputs('PartialFanout'), 1)
    wire('inputs that the node could not read', node.counters.inputs['InvalidInput'] ?? 0, 2)
  } finally {
    await bridge.disconnect()
    await node.stop()
  }
}

describe('refusals of the node', () => {
  faultRow(
    {
      row: 23,
      fault:
        'RejectedInputBecauseUnsynced and CommandFailed for our transaction; PostTxOnChainFailed; refusals of others',
      repeats: 9,
      expected:
        "rejected at once with that tag, the head's state and the node's words; the benign and the foreign fail nothing"
    },
    async ({ index, random, injected, wire }) => {
      await withHead({}, async ({ node, bridge, tap, witness, counts, payment }) => {
        const tx = payment()
        if (index % 3 === 2) {
          node.faults.holdSnapshots = true
          const verdict = bridge.submitTxSync(tx)
          await until('the node has the transaction', () => counts().newTx === 1)
          await pause(random() * 5)
          node.inject(
            JSON.stringify({
              tag: 'PostTxOnChainFailed',
              postChainTx: { tag: 'CloseTx' },
              postTxError: { tag: 'NoSeedInput' }
            })
          )
          node.foreignCommandFailed({ tag: 'NewTx', transaction: { txId: hashOf(7), cborHex: sampleTx(7).cborHex } })
          node.foreignCommandFailed({ tag: 'Close' })
          injected(3)
          node.faults.holdSnapshots = false
          expect(await verdict).toMatchObject({ txId: tx.txId, isConfirmed: true })
        } else {
          const tag = index % 3 === 0 ? 'RejectedInputBecauseUnsynced' : 'CommandFailed'
          if (index % 3 === 0) node.setDrift(1 + Math.floor(random() * 5_000))
          else witness.send({ tag: 'Close' })
          injected()
          // The node refuses whether or not the client has heard of its state.
          await pause(random() * 5)
          const { calls, first } = submitWithCallback(bridge, tx)
          const again = bridge.submitTxSync(tx)
          const [callback, promise] = await Promise.all([timed(first), timed(again)])
          for (const { outcome, took } of [callback, promise]) {
            expect(outcome).toMatchObject({ code: 'BRIDGE_SUBMIT', txId: tx.txId, tag, outcome: 'none' })
            expect(outcome.reason).toMatch(tag === 'CommandFailed' ? /Closed|FanoutPossible/ : /behind the chain/)
            expect(took).toBeLessThan(AT_ONCE_MS)
          }
          expect(calls).toHaveLength(1)
        }
        wire('NewTx sent', tap.inputs('NewTx'), 1)
        wire('NewTx at the node', counts().newTx, 1)
      })
    }
  )

  faultRow(
    {
      row: 24,
      fault: 'DecommitInvalid; InvalidInput after safeClose and partialFanout, which this node does not know',
      repeats: 6,
      expected: "a typed error at once, with the node's reason"
    },
    async ({ index, random, injected, wire }) => {
      if (index % 2 === 1) return beforeSafeClose({ random, injected, wire })
      await withHead({ node: { profile: '2.3' } }, async ({ node, bridge, tap, witness, payment }) => {
        await pause(random() * 5)
        // Its input was never there.
        const tx = payment(1_000_000n, {
          input: { txHash: hashOf(1 + index), index: 0 },
          output: node.headUtxos()[0]!.output
        })
        const { outcome, took } = await timed(bridge.commands.decommit({ cborHex: tx.cborHex, txId: tx.txId }))
        injected()
        expect(outcome).toMatchObject({
          code: 'BRIDGE_COMMAND_REFUSED',
          command: 'Decommit',
          tag: 'DecommitInvalid',
          reason: expect.stringMatching(/All inputs are spent/)
        })
        expect(took).toBeLessThan(AT_ONCE_MS)
        expect(witness.all('DecommitInvalid')).toHaveLength(1)
        await refusesUnread(bridge, 'PartialFanout', () => {
          injected()
          bridge.commands.partialFanout({
            [`${hashOf(9)}#0`]: { address: node.keys[0]!.address, value: { lovelace: 1_000_000 } }
          })
        })
        expect(bridge.connected()).toBe(true)
        wire('Decommit sent', tap.inputs('Decommit'), 1)
        wire('PartialFanout sent', tap.inputs('PartialFanout'), 1)
        wire('inputs that the node could not read', node.counters.inputs['InvalidInput'] ?? 0, 1)
      })
    }
  )

  faultRow(
    {
      row: 25,
      fault: 'the node falls behind the chain, also before it greets; POST /transaction answers 503',
      repeats: 6,
      expected: 'synced says so at once and after a reconnect; the submission is SubmitTxRejected and never repeated'
    },
    async ({ random, injected, wire }) => {
      await withHead({}, async ({ node, bridge, counts, payment }) => {
        expect(bridge.synced).toBe(true)
        const drift = 1 + Math.floor(random() * 5_000)
        node.setDrift(drift)
        injected()
        await until('the node is known to be behind', () => bridge.synced === false)
        expect(bridge.getSnapshot().synced).toBe(false)
        const back = nextEvent(bridge, 'onConnected')
        node.dropConnections()
        injected()
        await back
        // From Greetings this time.
        expect(bridge.synced).toBe(false)
        const tx = payment()
        const { outcome, took } = await timed(bridge.submitL2Tx(tx))
        expect(outcome).toMatchObject({ tag: 'SubmitTxRejected', reason: expect.stringContaining(String(drift)) })
        // A second is spent watching whether the 503 was about another's transaction.
        expect(took).toBeLessThan(AT_ONCE_MS + 1_000 * HANG_FACTOR)
        node.setDrift(0)
        await until('the node is known to be back', () => bridge.synced === true)
        wire('POST /transaction', counts().posts, 1)
        expect(await bridge.submitL2Tx(payment(2_000_000n))).toEqual({ tag: 'SubmitTxSubmitted' })
        wire('POST /transaction after it caught up', counts().posts - 1, 1)
        wire('WebSocket connections after the drop', counts().connections, 1)
      })
    }
  )
})
