import { LayerBridge } from 'layer-sdk/bridge'
import type { WebSocket } from 'ws'
import { modelTx } from '../bridge/head/modelHead'
import { hashOf, sampleTx } from '../support/sampleTx'
import {
  confirmedSnapshot,
  greetings,
  HEAD_ID,
  output,
  ScriptedNode,
  send,
  snapshotConfirmed
} from '../support/scriptedNode'
import { fullRun } from '../support/scale'
import { outcomeOf, pause } from './support/faultyHead'
import { faultRow, until } from './support/matrix'

const ALICE = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const BOB = 'addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48'
const DEAD_HEAD = 'de'.repeat(28)
const key = (byte: string): string => `${byte.repeat(32)}#0`

/** A head by its own account: who holds what, one output each, and the messages that say so. */
class ModelHead {
  readonly held = new Map<string, number>()
  number = 0
  constructor(
    readonly headId: string,
    readonly nextSeq: () => number
  ) {}

  get utxo(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.held].map(([address, lovelace], index) => [
        `${hashOf((this.number % 200) + 1)}#${index}`,
        output(address, lovelace)
      ])
    )
  }

  /** Sets a balance; the snapshot that says so. */
  pay(address: string, lovelace: number): object {
    this.held.set(address, lovelace)
    this.number++
    return snapshotConfirmed(this.number, { headId: this.headId, utxo: this.utxo, seq: this.nextSeq() })
  }

  said(tag: string, fields: object): object {
    return { tag, headId: this.headId, seq: this.nextSeq(), timestamp: '2026-01-01T00:00:00Z', ...fields }
  }
}

/**
 * A node whose history holds a head that ended with 1,000,000,005 lovelace of alice's, then one that lives, where she
 * has 3.
 */
class ReplayingNode {
  readonly node = new ScriptedNode()
  readonly history: object[] = []
  #seq = 0
  readonly living = new ModelHead(HEAD_ID, () => this.#seq++)
  /** Stops the replay after so many messages. */
  silentAfter = Infinity
  replayed = 0

  constructor(steps: number, stepMs: number) {
    const dead = new ModelHead(DEAD_HEAD, () => this.#seq++)
    this.history.push(dead.said('HeadIsOpen', { parties: [] }))
    for (let step = 1; step < steps; step++) this.history.push(dead.pay(ALICE, 1_000_000_000 + step))
    this.history.push(
      dead.pay(ALICE, 1_000_000_005),
      dead.said('TxInvalid', { transaction: sampleTx(2), validationError: { reason: 'BadInputsUTxO' } })
    )
    this.history.push(
      this.living.said('HeadIsOpen', { parties: [] }),
      this.living.pay(ALICE, 4),
      this.living.pay(ALICE, 3)
    )
    this.node.routes['GET /snapshot'] = () => ({
      body: confirmedSnapshot(this.living.number, { utxo: this.living.utxo, headId: HEAD_ID })
    })
    this.node.onConnection = (socket, query) => {
      void this.#serve(socket, /history=yes/.test(query) ? stepMs : null)
    }
  }

  async #serve(socket: WebSocket, stepMs: number | null): Promise<void> {
    for (const [at, message] of stepMs === null ? [] : this.history.entries()) {
      if (at >= this.silentAfter) return
      await pause(stepMs!)
      if (socket.readyState !== socket.OPEN) return
      send(socket, message)
      this.replayed++
    }
    send(socket, greetings({ hydraHeadId: HEAD_ID, snapshotUtxo: this.living.utxo }))
  }
}

describe('faults of a replay and of what is queued behind Greetings', () => {
  faultRow(
    {
      row: 48,
      fault:
        'history: true with a replay of seconds (10 s in the full run): a dead head, then a living one; or a replay that falls silent',
      repeats: 3,
      expected:
        'not connected, cold cache and no verdict before Greetings; nothing of the dead head is shown or submitted to; connectTimeout begins anew with each message and rejects on silence'
    },
    async ({ index, injected, wire }) => {
      const steps = 12
      // Longer than the second after which a node without Greetings counts as connected.
      const replay = new ReplayingNode(steps, (fullRun ? 10_000 : 1_500) / (steps + 5))
      const silent = index % 3 === 2
      if (silent) replay.silentAfter = 4
      const node = await replay.node.start()
      const bridge = new LayerBridge({
        url: node.url,
        history: true,
        connectTimeout: fullRun ? 2_000 : 800,
        noSnapshotUtxo: false
      })
      const messages: string[] = []
      const shown = new Set<string>()
      const look = (): void =>
        void shown.add(
          JSON.stringify([
            bridge.state,
            bridge.lastSnapshotNumber,
            bridge.headStatus,
            bridge.getSnapshot().headId,
            bridge.getAddressBalance(ALICE)?.get('lovelace')?.toString() ?? null
          ])
        )
      const progress: unknown[] = []
      let greeted = false
      try {
        bridge.events.on('onTxProgress', (fact) => progress.push(fact))
        bridge.events.on('onLateConfirmation', (fact) => progress.push(fact))
        bridge.events.on('onCommandRefused', (fact) => progress.push(fact))
        bridge.events.on('onMessage', ({ tag }) => {
          greeted ||= tag === 'Greetings'
          messages.push(tag)
          if (!greeted) look()
        })
        const connected = outcomeOf(bridge.connect())
        await until('the replay is under way', () => replay.replayed >= 3)
        injected()
        // What is submitted now would go to nobody knows which head.
        expect(await outcomeOf(bridge.submitTxSync(sampleTx(3)))).toMatchObject({ tag: 'NotConnected' })
        if (silent) {
          expect(await connected).toMatchObject({ code: 'BRIDGE_CONNECT_TIMEOUT' })
          expect([bridge.state, bridge.getAddressBalance(ALICE)]).toEqual(['failed', null])
        } else {
          expect(await connected).toBe(true)
          expect(messages.length).toBeGreaterThanOrEqual(replay.history.length)
          expect(bridge.getAddressBalance(ALICE)).toEqual(new Map([['lovelace', 3n]]))
          await until('the number is known', () => bridge.getSnapshot().ready)
          expect([bridge.lastSnapshotNumber, bridge.getSnapshot().headId]).toEqual([replay.living.number, HEAD_ID])
          node.send(replay.living.pay(ALICE, 8))
          await until('the next snapshot has come', () => bridge.lastSnapshotNumber === replay.living.number)
          expect(bridge.getAddressBalance(ALICE)).toEqual(new Map([['lovelace', 8n]]))
        }
        expect([...shown]).toEqual([JSON.stringify(['connecting', -1, null, null, null])])
        expect(progress).toEqual([])
        wire('inputs sent', node.inputs.length, 0)
        wire('WebSocket connections', node.queries.length, 1)
      } finally {
        await bridge.disconnect()
        await node.stop()
      }
    }
  )

  faultRow(
    {
      row: 50,
      part: 'b',
      fault: 'snapshots queued behind Greetings, the first of which only takes in a deposit that has been spent since',
      repeats: 24,
      expected: 'no step back: the balances are those of Greetings until a newer snapshot comes'
    },
    async ({ index, random, injected, wire }) => {
      const node = await new ScriptedNode().start()
      const made = (
        address: string,
        lovelace: number
      ): { address: string; amount: { unit: string; quantity: string }[] } => ({
        address,
        amount: [{ unit: 'lovelace', quantity: String(lovelace) }]
      })
      const [before, deposit] = [{ [key('bb')]: output(BOB, 70) }, { [key('cc')]: output(BOB, 7) }]
      const spent = modelTx([key('bb'), key('cc')], [made(ALICE, 77)])
      const now = { [`${spent.txId}#0`]: output(ALICE, 77) }
      const next = modelTx([`${spent.txId}#0`], [made(ALICE, 76), made(BOB, 1)])
      const queued = [
        snapshotConfirmed(5, { utxo: before, utxoToCommit: deposit }),
        snapshotConfirmed(6, { utxo: { ...before, ...deposit } }),
        snapshotConfirmed(7, { utxo: now, confirmed: [spent] })
      ].slice(0, 1 + (index % 3))
      // Where no number is to be had, the outputs alone must tell.
      const numbered = index % 4 !== 3
      const delay = random() * 20
      node.routes['GET /snapshot'] = async () => {
        await pause(delay)
        return numbered ? { body: confirmedSnapshot(7, { utxo: now, confirmed: [spent] }) } : { status: 404, body: '' }
      }
      node.routes['GET /snapshot/utxo'] = { body: now }
      node.onConnection = (socket) => {
        for (const message of [greetings({ snapshotUtxo: now }), ...queued]) send(socket, message)
      }
      const bridge = new LayerBridge({ url: node.url })
      const shown = new Set<string>()
      try {
        const sums = (): string =>
          [ALICE, BOB]
            .map((address) => {
              const balance = bridge.getAddressBalance(address)
              return balance === null ? 'cold' : String(balance.get('lovelace') ?? 0n)
            })
            .join()
        bridge.events.on('onMessage', () => shown.add(sums()))
        bridge.subscribe(() => shown.add(sums()))
        await bridge.connect()
        injected(queued.length)
        await until('the state is settled', () => bridge.getSnapshot().ready && node.requests.length > 0)
        await pause(5)
        expect([...shown].filter((each) => each !== 'cold,cold')).toEqual(['77,0'])
        if (numbered) expect(bridge.lastSnapshotNumber).toBe(7)
        node.send(
          snapshotConfirmed(8, {
            utxo: { [`${next.txId}#0`]: output(ALICE, 76), [`${next.txId}#1`]: output(BOB, 1) },
            confirmed: [next]
          })
        )
        await until('the newer snapshot is applied', () => bridge.lastSnapshotNumber === 8)
        expect(sums()).toBe('76,1')
        wire('WebSocket connections', node.queries.length, 1)
      } finally {
        await bridge.disconnect()
        await node.stop()
      }
    }
  )
})
