import { LayerBridge } from 'layer-sdk/bridge'
import { DevNode } from 'layer-sdk/devnode'
import type { FundedKey } from 'layer-sdk/devnode'
import type { UTxO } from '../../src/types/utxo'
import { WORDINGS } from '../support/wordings'
import { newTx, submitDeposit } from '../devnode/harness'
import { ada, buildTx, envelopeOf, lovelaceOf, pay, signTx } from '../devnode/transactions'
import type { Envelope } from '../devnode/transactions'
import type { FaultyHead } from './support/faultyHead'
import { nextEvent, outcomeOf, pause, withHead } from './support/faultyHead'
import type { Repetition } from './support/matrix'
import { faultRow, until } from './support/matrix'
import { Witness } from './support/Witness'

const between = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))
const states = ({ progress }: FaultyHead, txId: string): string[] =>
  progress.filter((fact) => fact.txId === txId).map(({ state }) => state)

describe('faults of verdicts', () => {
  faultRow(
    {
      row: 16,
      fault: 'SnapshotConfirmed before TxValid',
      repeats: 8,
      expected: 'confirmed with isValid and isConfirmed true; the TxValid that follows changes nothing'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ plain: index % 2 === 1 }, async (head) => {
        const { node, bridge, tap, payment } = head
        node.faults.validAfterConfirm = true
        const count = between(random, 1, 3)
        for (let at = 1; at <= count; at++) {
          injected()
          const tx = payment()
          expect(await bridge.submitTxSync(tx)).toMatchObject({
            txId: tx.txId,
            isValid: true,
            isConfirmed: true,
            result: { tag: 'SnapshotConfirmed' }
          })
          await until('TxValid has come after it', () => tap.messages('TxValid') === at)
          expect(states(head, tx.txId)).toEqual(['submitted', 'confirmed'])
        }
        wire('NewTx sent', tap.inputs('NewTx'), count)
        wire('TxValid received', tap.messages('TxValid'), count)
      })
    }
  )

  faultRow(
    {
      row: 17,
      fault:
        'TxValid, then TxInvalid for the same transaction, which another client has sent too, in the words of every version and in unknown ones',
      repeats: 8,
      expected: 'it stays valid and waits for its snapshot'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ node: { profile: (['2.0', '2.3'] as const)[index % 2]! } }, async (head) => {
        const { node, bridge, tap, witness, late, payment } = head
        node.faults.holdSnapshots = true
        const tx = payment()
        const verdict = outcomeOf(bridge.submitTxSync(tx))
        await until('it is valid', () => tap.messages('TxValid') === 1)
        const copies = between(random, 1, 3)
        for (let left = copies; left > 0; left--) witness.send(newTx(tx))
        for (const [at, [, , words]] of WORDINGS.entries())
          node.inject(txInvalidText(node, tx, words(random), 10_000 + at))
        injected(copies + WORDINGS.length)
        await until('the copies are invalid', () => tap.messages('TxInvalid') === copies + WORDINGS.length)
        await pause(random() * 5)
        node.faults.holdSnapshots = false
        expect(await verdict).toMatchObject({ isValid: true, isConfirmed: true })
        expect(states(head, tx.txId)).toEqual(['submitted', 'valid', 'confirmed'])
        expect(late).toEqual([])
        wire('NewTx sent by the bridge', tap.inputs('NewTx'), 1)
        wire('TxInvalid received', tap.messages('TxInvalid'), copies + WORDINGS.length)
      })
    }
  )

  faultRow(
    {
      row: 18,
      fault: 'TxInvalid in the words of every version or in unknown ones, then confirmed all the same',
      repeats: 10,
      expected: 'the refusal is reported once, the confirmation as one onLateConfirmation; the callback is called once'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({}, async (head) => {
        const { node, bridge, tap, witness, late, payment } = head
        node.faults.holdSnapshots = true
        node.faults.dropTags = ['TxValid']
        node.faults.dropOutputs = 1
        const tx = payment()
        const calls: unknown[] = []
        bridge.submitTx(tx, (error, result) => calls.push(error?.tag ?? result))
        await until('the node has it', () => head.counts().newTx === 1)
        const refusals = between(random, 1, 3)
        const reason =
          WORDINGS[index % (WORDINGS.length + 1)]?.[2](random) ??
          'ConwayUtxowFailure (UtxoFailure (ValueNotConservedUTxO ...))'
        for (let at = 0; at < refusals; at++) node.inject(txInvalidText(node, tx, reason, 10_000 + at))
        injected(refusals)
        await until('the callback has been called', () => calls.length > 0)
        const lateEvent = nextEvent(bridge, 'onLateConfirmation')
        await pause(random() * 5)
        node.faults.holdSnapshots = false
        await lateEvent
        await witness.said('SnapshotConfirmed', tx.txId)
        expect(calls).toEqual(['TxInvalid'])
        expect(late).toEqual([tx.txId])
        expect(states(head, tx.txId)).toEqual(['submitted', 'invalid', 'confirmed'])
        wire('NewTx sent', tap.inputs('NewTx'), 1)
        wire('TxInvalid received', tap.messages('TxInvalid'), refusals)
        wire('SnapshotConfirmed received', tap.messages('SnapshotConfirmed'), 1)
      })
    }
  )

  faultRow(
    {
      row: 19,
      fault:
        'the connection is cut after a transaction was sent and before the answer: WebSocket, POST, or with its outputs spent on',
      repeats: 20,
      expected:
        'never sent again; reported as confirmed exactly when it is, by the state, else by the history, else unknown'
    },
    (repetition) => LOST_REPLIES[repetition.index % LOST_REPLIES.length]!(repetition)
  )

  faultRow(
    {
      row: 20,
      fault: '2 to 100 parallel callers with one transaction, half of them before a drop and half after it',
      repeats: 6,
      expected:
        'one NewTx on the wire, all callers get the same answer, each once; it says deduplicated to all but the first'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({}, async (head) => {
        const { node, proxy, bridge, tap, witness, counts, payment } = head
        const callers = between(random, 2, 100)
        const tx = payment()
        const calls: unknown[] = []
        const verdicts: Promise<unknown>[] = []
        const call = (): void => {
          if (random() < 0.5) verdicts.push(bridge.submitTxSync(tx))
          else
            verdicts.push(
              new Promise((resolve) =>
                bridge.submitTx(tx, (error, result) => {
                  calls.push(error)
                  resolve(result)
                })
              )
            )
        }
        node.faults.holdSnapshots = true
        for (let at = 0; at < callers / 2; at++) call()
        injected(callers)
        await witness.said('TxValid', tx.txId)
        const drops = index % 2
        if (drops === 1) {
          const back = nextEvent(bridge, 'onConnected')
          proxy.reset()
          await back
        }
        while (verdicts.length < callers) call()
        await pause(random() * 5)
        node.faults.holdSnapshots = false
        const answers = await Promise.all(verdicts)
        expect(answers[0]).toMatchObject({ txId: tx.txId, isConfirmed: true })
        for (const answer of answers.slice(1)) expect(answer).toEqual({ ...(answers[0] as object), deduplicated: true })
        expect(calls.every((error) => error === null)).toBe(true)
        wire('NewTx sent', tap.inputs('NewTx'), 1)
        wire('NewTx at the node', counts().newTx, 1)
        wire('WebSocket connections after the drop', counts().connections, drops)
      })
    }
  )

  faultRow(
    {
      row: 21,
      fault: 'two transactions over the same input at once, from one client or from two, of a node of 2.0 or 2.3',
      repeats: 8,
      expected: 'one confirmed, the other TxInvalid; each caller hears of its own'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ node: { profile: (['2.0', '2.3'] as const)[(index >> 1) % 2]! } }, async (head) => {
        const { node, bridge, tap, witness, late, counts, payment } = head
        const rivals = [payment(1_000_000n), payment(2_000_000n)] as const
        const other = index % 2 === 1 ? new LayerBridge({ url: node.url }) : bridge
        await other.connect()
        const verdicts = rivals.map(async (tx, at) => {
          await pause(random() * 6)
          return outcomeOf((at === 0 ? bridge : other).submitTxSync(tx))
        })
        injected()
        const outcomes = await Promise.all(verdicts)
        const winner = rivals.findIndex(({ txId }) => witness.all('SnapshotConfirmed', txId).length > 0)
        expect(outcomes[winner]).toMatchObject({ txId: rivals[winner]!.txId, isConfirmed: true })
        expect(outcomes[1 - winner]).toMatchObject({
          txId: rivals[1 - winner]!.txId,
          tag: 'TxInvalid',
          outcome: 'none'
        })
        expect(late).toEqual([])
        if (other !== bridge) await other.disconnect()
        wire('NewTx at the node', counts().newTx, 2)
        wire('NewTx sent by the first client', tap.inputs('NewTx'), other === bridge ? 2 : 1)
      })
    }
  )

  faultRow(
    {
      row: 22,
      fault: 'the timeout races the confirmation, 5 ms before to 5 ms after it',
      repeats: 5,
      timeout: 30_000,
      expected: 'exactly one callback; after a timeout one onLateConfirmation, and none else'
    },
    (repetition) => raceTimeouts(repetition, 100)
  )
})

/** TxInvalid as the node writes it. */
function txInvalidText({ headId }: DevNode, transaction: Envelope, reason: string, seq: number): string {
  return JSON.stringify({
    tag: 'TxInvalid',
    headId,
    utxo: {},
    transaction,
    validationError: { reason },
    seq,
    timestamp: new Date().toISOString()
  })
}

/** Spends an output whole to another owner: nothing is left but the one output it makes. */
function sweep(from: UTxO, owner: FundedKey, to: FundedKey): Envelope {
  return envelopeOf(
    signTx(buildTx({ inputs: [from.input], outputs: [ada(to.address, lovelaceOf(from.output))] }), owner)
  )
}

/** Whether the node has confirmed it in the end; waits for what is still on its way there. */
async function isConfirmedAtNode({ witness }: FaultyHead, txId: string, arrived: boolean): Promise<boolean> {
  if (arrived) await witness.said('SnapshotConfirmed', txId)
  return witness.all('SnapshotConfirmed', txId).length === 1
}

const LOST_REPLIES: readonly ((repetition: Repetition) => Promise<void>)[] = [
  // The socket is cut at any moment after the send: the node may have it or not.
  ({ random, injected, wire }) =>
    withHead({}, async (head) => {
      const { proxy, bridge, tap, counts, payment } = head
      proxy.toxics.latencyMs = 3
      const tx = payment()
      const verdict = outcomeOf(bridge.submitTxSync(tx, { timeout: 2_500 }))
      await until('it has been sent', () => tap.inputs('NewTx') === 1)
      await pause(random() * 12)
      proxy.reset()
      injected()
      proxy.heal()
      const outcome = await verdict
      const confirmed = await isConfirmedAtNode(head, tx.txId, counts().newTx === 1)
      expect(outcome).toMatchObject(confirmed ? { isConfirmed: true } : { tag: 'Timeout', outcome: 'unknown' })
      wire('NewTx sent', tap.inputs('NewTx'), 1)
    }),
  // The node takes the POST and its answer is lost.
  ({ random, injected, wire }) =>
    withHead({}, async (head) => {
      const { node, bridge, counts, payment } = head
      node.faults.dropReplies = 1
      node.faults.httpDelayMs = Math.floor(random() * 10)
      injected()
      const tx = payment()
      expect((await outcomeOf(bridge.submitL2Tx(tx))).tag).toMatch(/^SubmitTx(Submitted|Confirmed)$/)
      expect(await isConfirmedAtNode(head, tx.txId, true)).toBe(true)
      wire('POST /transaction', counts().posts, 1)
      wire('NewTx sent', head.tap.inputs('NewTx'), 0)
    }),
  // Everything is cut while the POST is under way.
  ({ random, injected, wire }) =>
    withHead({}, async (head) => {
      const { proxy, bridge, counts, payment } = head
      proxy.toxics.latencyMs = 3
      const tx = payment()
      const verdict = outcomeOf(bridge.submitL2Tx(tx, { timeout: 2_500 }))
      await pause(2 + random() * 12)
      proxy.reset()
      injected()
      proxy.heal()
      const outcome = await verdict
      const confirmed = await isConfirmedAtNode(head, tx.txId, counts().posts === 1)
      if (confirmed) expect(outcome.tag).toMatch(/^SubmitTx(Submitted|Confirmed)$/)
      else expect(outcome).toMatchObject({ outcome: 'unknown' })
      wire('POST /transaction sent again', Math.max(0, counts().posts - 1), 0)
      wire('NewTx sent', head.tap.inputs('NewTx'), 0)
    }),
  // Its only output is spent on while the connection is down: the state cannot tell, the history can; or it has been
  // rotated away.
  (repetition) => lostAndSpentOn(repetition, {}),
  (repetition) => lostAndSpentOn(repetition, { historyLimit: 1 })
]

function lostAndSpentOn({ random, injected, wire }: Repetition, node: { historyLimit?: number }): Promise<void> {
  return withHead({ node }, async (head) => {
    const { proxy, bridge, tap, witness, alice, bob, counts } = head
    const tx = sweep(head.node.headUtxos(alice.address)[0] as UTxO, alice, bob)
    const verdict = outcomeOf(bridge.submitTxSync(tx))
    head.node.faults.holdSnapshots = true
    await until('it has been sent', () => counts().newTx === 1)
    await proxy.stopListening()
    injected()
    head.node.faults.holdSnapshots = false
    const { snapshot } = await witness.said('SnapshotConfirmed', tx.txId)
    const next = sweep(head.node.headUtxos(bob.address)[0] as UTxO, bob, alice)
    witness.send(newTx(next))
    await witness.said('SnapshotConfirmed', next.txId)
    await pause(random() * 30)
    await proxy.listen()
    const outcome = await verdict
    if (node.historyLimit === undefined)
      expect(outcome).toMatchObject({ isConfirmed: true, result: { snapshot: { number: snapshot.number } } })
    else expect(outcome).toMatchObject({ tag: 'Disconnected', outcome: 'unknown' })
    wire('NewTx sent', tap.inputs('NewTx'), 1)
    wire('WebSocket connections, the one for the history included', counts().connections, 2)
  })
}

/**
 * On a virtual clock: a head in this process, and a chain of payments that each have as long as their snapshot takes,
 * give or take 5 ms.
 */
async function raceTimeouts({ random, injected, wire }: Repetition, races: number): Promise<void> {
  const snapshotIntervalMs = 20
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] })
  const node = new DevNode({ timings: { blockMs: 1, depositDelayMs: 1, snapshotIntervalMs } })
  const bridge = new LayerBridge({ connector: node.connector() })
  try {
    const [alice, bob] = node.keys
    const witness = new Witness(node)
    witness.send({ tag: 'Init' })
    await jest.advanceTimersByTimeAsync(100)
    await submitDeposit(node, alice, node.baseUtxos(alice.address)[0] as UTxO)
    await jest.advanceTimersByTimeAsync(200)
    expect(witness.all('CommitFinalized')).toHaveLength(1)
    await bridge.connect()
    await jest.advanceTimersByTimeAsync(100)
    const late: string[] = []
    bridge.events.on('onLateConfirmation', ({ txId }) => late.push(txId))
    let timeouts = 0
    for (let race = 0; race < races; race++) {
      const tx = pay(node.headUtxos(alice.address)[0] as UTxO, alice, bob.address, 1_000_000n)
      const calls: (string | null)[] = []
      const before = late.length
      bridge.submitTx(
        tx,
        (error, result) => calls.push(error?.tag ?? (result?.isConfirmed === true ? null : 'neither')),
        {
          timeout: snapshotIntervalMs + between(random, -5, 5)
        }
      )
      injected()
      await jest.advanceTimersByTimeAsync(snapshotIntervalMs * 2)
      expect(calls).toHaveLength(1)
      expect(calls[0] === null ? [] : [calls[0], tx.txId]).toEqual(
        late.length === before ? [] : ['Timeout', late.at(-1)]
      )
      expect(late.length - before).toBe(calls[0] === null ? 0 : 1)
      timeouts += late.length - before
    }
    // Both sides have won, or it was no race.
    expect(timeouts).toBeGreaterThan(races / 10)
    expect(timeouts).toBeLessThan(races * 0.9)
    wire('NewTx at the node', node.counters.inputs['NewTx'] ?? 0, races)
    wire(
      'races without a confirmation at the node',
      races -
        new Set(
          witness
            .all('SnapshotConfirmed')
            .flatMap(({ snapshot }) => snapshot.confirmed.map(({ txId }: Envelope) => txId))
        ).size,
      0
    )
    witness.leave()
  } finally {
    await bridge.disconnect()
    await node.stop()
    jest.useRealTimers()
  }
}
