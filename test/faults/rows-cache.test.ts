import type { DevNode, FundedKey } from 'layer-sdk/devnode'
import type { UTxO } from '../../src/types/utxo'
import type { Envelope } from '../devnode/transactions'
import { newTx } from '../devnode/harness'
import { ada, buildTx, envelopeOf, lovelaceOf, pay, signTx } from '../devnode/transactions'
import type { FaultyHead } from './support/faultyHead'
import { depositFor, known, nextEvent, outcomeOf, pause, truth, withHead } from './support/faultyHead'
import { faultRow, until } from './support/matrix'
import { Witness } from './support/Witness'

/** Pays so many times, each in a snapshot of its own, without the bridge. */
async function payElsewhere({ witness, payment }: FaultyHead, count: number): Promise<Envelope[]> {
  const paid: Envelope[] = []
  while (paid.length < count) {
    const tx = payment()
    witness.send(newTx(tx))
    await witness.said('SnapshotConfirmed', tx.txId)
    paid.push(tx)
  }
  return paid
}

/** Resolves once the bridge shows the node's newest snapshot, number and outputs. */
async function inStep(head: FaultyHead): Promise<void> {
  await until(
    'the bridge is at the newest snapshot',
    () => head.bridge.lastSnapshotNumber === head.witness.snapshotNumber
  )
  expect(known(head)).toEqual(await truth(head))
}

const between = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

describe('faults of the head state', () => {
  faultRow(
    {
      row: 9,
      fault: 'the node restarts with the same head',
      repeats: 8,
      expected: 'the cache is cold while it is down, lastSnapshotNumber -1, then seeded anew with what came meanwhile'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ plain: index % 2 === 1, bridge: { noSnapshotUtxo: index % 4 > 1 } }, async (head) => {
        const { node, bridge, witness, alice, log, counts } = head
        await payElsewhere(head, between(random, 1, 3))
        await inStep(head)
        const shown: number[] = []
        bridge.subscribe(() => shown.push(bridge.lastSnapshotNumber))
        const down = nextEvent(bridge, 'onDisconnected')
        await node.goOffline()
        injected()
        await down
        expect(bridge.getAddressBalance(alice.address)).toBeNull()
        await payElsewhere(head, between(random, 0, 2))
        await pause(random() * 40)
        await node.goOnline()
        await inStep(head)
        expect(log.filter((line) => !/^(attempt|error)/.test(line))).toEqual(['disconnected', 'connected'])
        expect([...new Set(shown)]).toEqual([-1, witness.snapshotNumber])
        wire('WebSocket connections after the restart', counts().connections, 1)
        wire('GET /snapshot after the restart', counts().getSnapshot, 1)
        wire('inputs sent', head.tap.sent.length, 0)
      })
    }
  )

  faultRow(
    {
      row: 10,
      fault:
        'another head, whose snapshot numbers begin anew: after a restart, on the same socket, or without HeadIsFinalized',
      repeats: 9,
      expected:
        'the balances of the old head are gone, the first new snapshot is accepted, late ones of the old head are not'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ bridge: { noSnapshotUtxo: index % 2 === 1 } }, async (head) => {
        const { node, proxy, bridge, witness, alice, bob, tap, counts } = head
        await payElsewhere(head, between(random, 3, 6))
        await inStep(head)
        const oldHead = node.headId
        const oldNumber = witness.snapshotNumber
        const stale = new Witness(node, `history=yes${index % 2 === 1 ? '&snapshot-utxo=no' : ''}`)
        const staleText = stale.snapshotText(oldNumber)
        stale.leave()
        const restarts = index % 3 === 0
        if (restarts) await proxy.stopListening()
        if (index % 3 === 1) await finalize(head)
        else node.abandonHead()
        injected()
        const opened = witness.all('HeadIsOpen').length
        witness.send({ tag: 'Init' })
        await until('the new head is open', () => witness.all('HeadIsOpen').length > opened)
        expect(node.headId).not.toBe(oldHead)
        await depositFor(node, witness, bob)
        await pause(random() * 20)
        if (restarts) await proxy.listen()
        await until('the bridge is at the new head', () => bridge.getSnapshot().headId === node.headId)
        await inStep(head)
        expect(bridge.lastSnapshotNumber).toBeLessThan(oldNumber)
        expect(bridge.getAddressBalance(alice.address)).toEqual(new Map())
        const received = tap.received.length
        const shown = bridge.getSnapshot()
        node.inject(staleText)
        await until('the late snapshot has arrived', () => tap.received.length > received)
        expect(bridge.getSnapshot()).toEqual(shown)
        const tx = pay(node.headUtxos(bob.address)[0] as UTxO, bob, alice.address, 1_000_000n)
        expect(await bridge.submitTxSync(tx)).toMatchObject({ isConfirmed: true, result: { headId: node.headId } })
        await inStep(head)
        wire(
          'snapshots of the old head received in the new one',
          tap.received.filter((text, at) => at >= received && text.includes(`"${String(oldHead)}"`)).length,
          1
        )
        wire('WebSocket connections', counts().connections, restarts ? 1 : 0)
        wire('NewTx sent', tap.inputs('NewTx'), 1)
      })
    }
  )

  faultRow(
    {
      row: 11,
      fault: 'SnapshotConfirmed missed while the connection was down',
      repeats: 8,
      expected: 'pending transactions are confirmed by the state of the head, each reported once, none sent again'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ plain: index % 2 === 1, deposits: 1 }, async (head) => {
        const { node, proxy, bridge, tap, witness, late, progress, counts, payment } = head
        const count = between(random, 1, 4)
        node.faults.holdSnapshots = true
        const verdicts: Promise<unknown>[] = []
        const txIds: string[] = []
        for (let sent = 0; sent < count; sent++) {
          const tx = payment()
          txIds.push(tx.txId)
          verdicts.push(outcomeOf(bridge.submitTxSync(tx)))
          await witness.said('TxValid', tx.txId)
        }
        await pause(random() * 5)
        await proxy.stopListening()
        injected()
        node.faults.holdSnapshots = false
        await witness.said('SnapshotConfirmed', txIds.at(-1))
        await payElsewhere(head, between(random, 0, 2))
        await pause(random() * 30)
        await proxy.listen()
        for (const [at, verdict] of verdicts.entries())
          expect(await verdict).toMatchObject({ txId: txIds[at], isConfirmed: true })
        await inStep(head)
        expect(
          progress
            .filter(({ state }) => state === 'confirmed')
            .map(({ txId }) => txId)
            .sort()
        ).toEqual([...txIds].sort())
        expect(late).toEqual([])
        wire(
          'SnapshotConfirmed received about them',
          tap.received.filter(
            (text) => text.includes('"SnapshotConfirmed"') && txIds.some((txId) => text.includes(txId))
          ).length,
          0
        )
        wire('NewTx sent', tap.inputs('NewTx'), count)
        wire('WebSocket connections after the gap', counts().connections, 1)
      })
    }
  )

  faultRow(
    {
      row: 12,
      fault: 'snapshot numbers skip on a living connection',
      repeats: 8,
      expected:
        'the newest is accepted; the transactions of those that were missed are confirmed by the state of the head'
    },
    async ({ index, random, injected, wire }) => {
      const noSnapshotUtxo = index % 2 === 1
      await withHead({ bridge: { noSnapshotUtxo } }, async (head) => {
        const { node, bridge, tap, witness, counts, payment } = head
        const before = { number: witness.snapshotNumber, received: tap.messages('SnapshotConfirmed') }
        const missed = between(random, 1, 4)
        node.faults.dropTags = ['SnapshotConfirmed']
        node.faults.dropOutputs = missed
        const verdicts: Promise<unknown>[] = []
        for (let left = missed; left > 0; left--) {
          verdicts.push(outcomeOf(bridge.submitTxSync(payment())))
          await until('a snapshot has been lost', () => node.faults.dropOutputs < left)
          injected()
        }
        await pause(random() * 10)
        verdicts.push(outcomeOf(bridge.submitTxSync(payment())))
        for (const verdict of verdicts) expect(await verdict).toMatchObject({ isConfirmed: true })
        await inStep(head)
        expect(bridge.lastSnapshotNumber).toBe(before.number + missed + 1)
        wire('SnapshotConfirmed received', tap.messages('SnapshotConfirmed') - before.received, 1)
        wire('NewTx sent', tap.inputs('NewTx'), missed + 1)
        wire('WebSocket connections after the gap', counts().connections, 0)
      })
    }
  )

  faultRow(
    {
      row: 13,
      fault: 'every message twice with the same seq; the end of the history once more live',
      repeats: 8,
      expected: 'each is delivered once, and has its effects once'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ node: { faults: { duplicateHistory: 1 + index } }, bridge: { history: true } }, async (head) => {
        const { node, bridge, tap, messages, progress, invalid, payment } = head
        await until(
          'the repeated history has come',
          () =>
            tap.received.filter((text) => text.includes('"seq"')).length ===
            messages.filter(({ seq }) => seq !== undefined).length +
              Math.min(1 + index, messages.filter(({ seq }) => seq !== undefined).length)
        )
        injected(1 + index)
        const replayed = messages.length
        const frames = tap.received.length
        node.faults.duplicateOutputs = true
        const count = between(random, 1, 4)
        for (let sent = 0; sent < count; sent++)
          expect(await bridge.submitTxSync(payment())).toMatchObject({ isConfirmed: true })
        // Of the last message too the copy has come.
        await until('both copies have come', () => tap.received.length - frames === 2 * (messages.length - replayed))
        injected(messages.length - replayed)
        await inStep(head)
        const seqs = messages.map(({ seq }) => seq).filter((seq) => seq !== undefined)
        expect(seqs).toEqual([...new Set(seqs)])
        expect(progress.map(({ state }) => state)).toEqual(
          Array.from({ length: count }, () => ['submitted', 'valid', 'confirmed']).flat()
        )
        expect(invalid).toEqual([])
        wire('frames beyond two for each message', tap.received.length - frames - 2 * (messages.length - replayed), 0)
        wire(
          'SnapshotConfirmed received',
          tap.received.slice(frames).filter((text) => text.includes('"SnapshotConfirmed"')).length,
          2 * count
        )
        wire('NewTx sent', tap.inputs('NewTx'), count)
      })
    }
  )

  faultRow(
    {
      row: 14,
      fault: 'snapshots out of order',
      repeats: 8,
      expected: 'the older one, however late, changes neither number nor balances'
    },
    async ({ index, random, injected, wire }) => {
      const noSnapshotUtxo = index % 2 === 1
      await withHead({ bridge: { noSnapshotUtxo } }, async (head) => {
        const { node, bridge, tap, witness, payment } = head
        const received = tap.messages('SnapshotConfirmed')
        const number = witness.snapshotNumber
        const missed = between(random, 1, 3)
        node.faults.dropTags = ['SnapshotConfirmed']
        node.faults.dropOutputs = missed
        for (let left = missed; left > 0; left--) {
          witness.send(newTx(payment()))
          await until('a snapshot has been held back', () => node.faults.dropOutputs < left)
        }
        await payElsewhere(head, 1)
        await inStep(head)
        const late = new Witness(node, `history=yes${noSnapshotUtxo ? '&snapshot-utxo=no' : ''}`)
        const expected = await truth(head)
        const shown: unknown[] = []
        bridge.subscribe(() => shown.push(known(head)))
        bridge.events.on('onMessage', () => shown.push(known(head)))
        for (const at of Array.from({ length: missed }, (_, missedAt) => number + 1 + missedAt).sort(
          () => random() - 0.5
        )) {
          node.inject(late.snapshotText(at))
          injected()
        }
        late.leave()
        await until('they have arrived', () => tap.messages('SnapshotConfirmed') === received + missed + 1)
        for (const keys of shown) expect(keys).toEqual(expected)
        expect(bridge.lastSnapshotNumber).toBe(number + missed + 1)
        await payElsewhere(head, 1)
        await inStep(head)
        wire('snapshots received late', tap.messages('SnapshotConfirmed') - received - 2, missed)
        wire('WebSocket connections', head.counts().connections, 0)
      })
    }
  )

  faultRow(
    {
      row: 15,
      fault: 'Greetings newer than the SnapshotConfirmed that are queued behind it',
      repeats: 12,
      expected: 'no step back: the outputs are those of the newest snapshot from the greeting on'
    },
    async ({ index, random, injected, wire }) => {
      const noSnapshotUtxo = index % 4 === 3
      await withHead({ bridge: { noSnapshotUtxo } }, async (head) => {
        const { node, proxy, bridge, tap, witness } = head
        const first = witness.snapshotNumber + 1
        // Snapshots that spend, that only take in a deposit, that only let something out.
        if (index % 3 === 1) await depositFor(node, witness, head.bob)
        if (index % 3 === 2) await decommit(head)
        const paid = between(random, 1, 3)
        await payElsewhere(head, paid)
        await inStep(head)
        const past = new Witness(node, `history=yes${noSnapshotUtxo ? '&snapshot-utxo=no' : ''}`)
        const queued = Array.from({ length: witness.snapshotNumber - first + 1 }, (_, at) =>
          past.snapshotText(first + at)
        )
        past.leave()
        queueBehindGreetings(node, queued)
        node.faults.httpDelayMs = Math.floor(random() * 30)
        const expected = await truth(head)
        const received = tap.messages('SnapshotConfirmed')
        const shown: (string[] | null)[] = []
        bridge.subscribe(() => shown.push(known(head)))
        bridge.events.on('onMessage', () => shown.push(known(head)))
        bridge.events.on('onConnected', () => shown.push(known(head) ?? (noSnapshotUtxo ? null : [])))
        proxy.reset()
        injected(queued.length)
        await until('they have arrived', () => tap.messages('SnapshotConfirmed') === received + queued.length)
        await inStep(head)
        // Cold until the greeting, and of the newest snapshot from there on.
        expect(shown.length).toBeGreaterThan(queued.length)
        for (const keys of shown) if (keys !== null) expect(keys).toEqual(expected)
        await payElsewhere(head, 1)
        await inStep(head)
        wire('queued snapshots received', tap.messages('SnapshotConfirmed') - received - 1, queued.length)
        wire('WebSocket connections after the drop', head.counts().connections, 1)
      })
    }
  )
})

/** Brings the head to its end. */
async function finalize({ bridge, witness }: FaultyHead): Promise<void> {
  const closed = bridge.waitFor('HeadIsFinalized', { timeout: 10_000 })
  witness.send({ tag: 'Close' })
  await witness.said('ReadyToFanout')
  witness.send({ tag: 'Fanout' })
  await closed
  expect(bridge.lastSnapshotNumber).toBe(-1)
}

/** Takes a payment of alice's out of the head. */
async function decommit(head: FaultyHead): Promise<void> {
  const { node, witness, alice } = head
  const { txId } = await oneOf(payElsewhere(head, 1))
  const mine = node.headUtxos(head.bob.address).find(({ input }) => input.txHash === txId) as UTxO
  const decommitTx = envelopeOf(
    signTx(
      buildTx({ inputs: [mine.input], outputs: [ada(alice.address, lovelaceOf(mine.output))] }),
      head.bob as FundedKey
    )
  )
  witness.send({ tag: 'Decommit', decommitTx })
  await witness.said('DecommitFinalized')
}

async function oneOf<T>(items: Promise<T[]>): Promise<T> {
  return (await items)[0] as T
}

/** Clients are told these right after they have been greeted, as if they had been waiting for them since before. */
function queueBehindGreetings(node: DevNode, texts: readonly string[]): void {
  const open = node.open.bind(node)
  node.open = (query, sink) => {
    const client = open(query, sink)
    for (const text of texts) sink.send(text)
    return client
  }
}
