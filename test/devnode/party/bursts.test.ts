import type { DevNodeParty, ScriptEvaluator } from '../../../src/devnode'
import type { UTxO } from '../../../src/types/utxo'
import { randomSource } from '../../support/random'
import { fullRun, scaled } from '../../support/scale'
import { newTx, setUp, TestClient } from '../harness'
import { ALWAYS_V3_ADDRESS, spendFromScript } from '../scriptTxs'
import type { Envelope } from '../transactions'
import { envelopeOf, pay } from '../transactions'

type Random = ReturnType<typeof randomSource>

/**
 * Payments that take one output each from their sender, so that none stands in the way of another unless it is meant
 * to.
 */
class Payers {
  readonly #random: Random
  /** Outputs that nothing spends yet. */
  readonly free: UTxO[]
  readonly #keys
  /** Payments of which one alone can be valid. */
  readonly pairs: Envelope[][] = []

  constructor(random: Random, free: readonly UTxO[], keys: ReturnType<typeof setUp>) {
    this.#random = random
    this.free = [...free]
    this.#keys = keys
  }

  /** Spends an output that nothing else spends; its change can be spent at once, which makes chains within a burst. */
  next(): Envelope {
    const { alice, bob } = this.#keys
    const [from] = this.free.splice(this.#random.below(this.free.length), 1)
    const rest = BigInt(from!.output.amount[0]!.quantity) - 1_000_000n
    const tx = pay(from!, alice, bob.address, 1_000_000n)
    this.free.push({
      input: { txHash: tx.txId, index: 1 },
      output: { address: alice.address, amount: [{ unit: 'lovelace', quantity: String(rest) }] }
    })
    return tx
  }

  /** Two payments that spend the same output: one of them at most can be valid. */
  rivals(): Envelope[] {
    const { alice, bob } = this.#keys
    const [from] = this.free.splice(this.#random.below(this.free.length), 1)
    const pair = [pay(from!, alice, bob.address, 2_000_000n), pay(from!, alice, bob.address, 3_000_000n)]
    this.pairs.push(pair)
    return pair
  }
}

interface Burst {
  setup: ReturnType<typeof setUp>
  parties: readonly DevNodeParty[]
  clients: TestClient[]
  payers: Payers
}

/** An open head with outputs of alice's; intervals that differ from head to head. */
function headOf(count: number, random: Random): Burst {
  const { alice } = setUp()
  const inHead = Array.from({ length: 60 }, () => ({ address: alice.address, lovelace: 900_000_000 }))
  // A party that has given a transaction up cannot sign a snapshot with it (HeadLogic.hs:239): the parties try for
  // longer than one is silent.
  const timings = { snapshotIntervalMs: random.pick([0, 5, 50]), invalidRetryMs: 40, invalidRetries: 1000 }
  const setup = setUp({ parties: count, open: true, inHead, timings })
  setup.clock.advance(100)
  const { parties } = setup.node
  return {
    setup,
    parties,
    clients: parties.map((party) => new TestClient(party)),
    payers: new Payers(random, setup.node.headUtxos(alice.address), setup)
  }
}

const confirmedAt = (client: TestClient): Set<string> =>
  new Set(
    client
      .all('SnapshotConfirmed')
      .flatMap(({ snapshot }) => (snapshot.confirmed as { txId: string }[]).map(({ txId }) => txId))
  )

/** Sends a burst at random parties, in random order, while parties fall silent, sign late and come back. */
function burst({ setup, parties, clients, payers }: Burst, random: Random, size: number): string[] {
  const txs = Array.from({ length: size }, () => payers.next())
  const waiting = random.below(4) === 0 ? [...txs, ...payers.rivals()] : [...txs]
  while (waiting.length > 0) {
    const [tx] = waiting.splice(random.below(Math.min(3, waiting.length)), 1)
    random.pick(clients).send(newTx(tx!))
    if (random.below(3) === 0) setup.clock.advance(random.below(80))
    if (random.below(4) === 0) random.pick(parties).set({ silent: random.below(2) === 0 })
    if (random.below(6) === 0) random.pick(parties).set({ signDelayMs: random.below(120) })
  }
  setup.clock.advance(random.below(200))
  return txs.map(({ txId }) => txId)
}

/** All parties have the same snapshots and outputs, with each payment, and one of each two rivals. */
function expectSettled({ parties, clients, payers }: Burst, sent: readonly string[]): void {
  for (const client of clients) {
    const confirmed = confirmedAt(client)
    expect(sent.filter((txId) => !confirmed.has(txId))).toEqual([])
    for (const pair of payers.pairs) expect(pair.filter(({ txId }) => confirmed.has(txId))).toHaveLength(1)
  }
  const views = parties.map((party) =>
    party
      .headUtxos()
      .map(({ input }) => `${input.txHash}#${input.index}`)
      .sort()
  )
  for (const view of views) expect(view).toEqual(views[0])
}

describe('a head in bursts', () => {
  it.each([2, 3, 5])('of %i parties confirms five payments that are sent at once, without a sixth', (count) => {
    for (const at of [0, count - 1]) {
      const random = randomSource(`five ${count} ${at}`)
      const { setup, clients, payers } = headOf(count, random)
      const txs = Array.from({ length: 5 }, () => payers.next())
      for (const tx of txs) clients[at]!.send(newTx(tx))
      setup.clock.advance(5000)
      for (const client of clients) expect(confirmedAt(client)).toEqual(new Set(txs.map(({ txId }) => txId)))
    }
  })

  it.each([1, 2, 3, 5])(
    'of %i parties leaves no valid payment unconfirmed for 5 s while all are there, whatever fell silent, was late or was spent twice before',
    (count) => {
      const random = randomSource(`bursts ${count}`)
      let confirmed = 0
      while (confirmed < scaled(1000)) {
        const head = headOf(count, random)
        const sent: string[] = []
        for (let bursts = 0; bursts < 6; bursts++) {
          sent.push(...burst(head, random, 1 + random.below(8)))
          if (bursts < 5 && random.below(2) === 0) continue
          for (const party of head.parties) party.set({ silent: false })
          head.setup.clock.advance(5000)
          expectSettled(head, sent)
        }
        confirmed += confirmedAt(head.clients[0]!).size
        void head.setup.node.stop()
      }
    },
    fullRun ? 600_000 : 60_000
  )
})

describe('a party that applied a rival of what the leader asks for', () => {
  it('follows the leader, and the rival is gone', () => {
    const { setup, parties, clients, payers } = headOf(2, randomSource('rivals'))
    const parent = payers.next()
    const from = payers.free.at(-1)!
    const [one, other] = [2_000_000n, 3_000_000n].map((lovelace) => pay(from, setup.alice, setup.bob.address, lovelace))
    // The second party hears of all three at once: the payment that came before its parent is tried again too late
    // there.
    parties[1]!.set({ silent: true })
    clients[0]!.send(newTx(one!))
    clients[0]!.send(newTx(parent))
    setup.clock.advance(60)
    clients[0]!.send(newTx(other!))
    parties[1]!.set({ silent: false })
    expect(clients[1]!.all('TxValid').map(({ transactionId }) => transactionId)).toEqual([parent.txId, other!.txId])
    setup.clock.advance(1000)
    for (const client of clients) expect([...confirmedAt(client)].sort()).toEqual([parent.txId, one!.txId].sort())
    expect(parties.map((party) => party.headUtxos(setup.bob.address).length)).toEqual([2, 2])
  })
})

describe('a request for a transaction whose scripts still run at a party', () => {
  it('waits there, and is signed when they have run', async () => {
    const runs: (() => void)[] = []
    const units = [{ tag: 'spend', index: 0, mem: 500n, cpu: 64_100n }]
    const { alice } = setUp()
    const inHead = [ALWAYS_V3_ADDRESS, alice.address].map((address) => ({ address, lovelace: 50_000_000 }))
    const scriptEvaluator: ScriptEvaluator = () => new Promise((resolve) => runs.push(() => resolve(units)))
    const { node, clock } = setUp({ parties: 2, open: true, inHead, scriptEvaluator })
    clock.advance(100)
    const clients = node.parties.map((party) => new TestClient(party))
    const model = (node.protocolParameters['costModels'] as Record<string, number[]>)['PlutusV3']!
    const [locked, collateral] = [node.headUtxos(ALWAYS_V3_ADDRESS)[0]!, node.headUtxos(alice.address)[0]!]
    const tx = envelopeOf(spendFromScript(locked, collateral, alice, model))
    clients[0]!.send(newTx(tx))
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    // The first snapshot was that of the opening deposit: the second party leads the next.
    for (const party of [1, 0]) {
      runs[party]!()
      await turn()
      clock.advance(1000)
    }
    for (const client of clients) expect(confirmedAt(client)).toEqual(new Set([tx.txId]))
    await node.stop()
  })
})

describe('a party that falls silent after it has signed', () => {
  it.each([0, 2])('hears of the snapshot when it is back, and the others do not wait for it (party %i)', (late) => {
    const { setup, parties, clients, payers } = headOf(3, randomSource(`silent ${late}`))
    for (const party of parties) party.set({ signDelayMs: party.index === late ? 0 : 300 })
    const tx = payers.next()
    clients[1]!.send(newTx(tx))
    setup.clock.advance(200)
    parties[late]!.set({ silent: true })
    setup.clock.advance(5000)
    expect(clients.map((client) => confirmedAt(client).has(tx.txId))).toEqual([0, 1, 2].map((party) => party !== late))
    parties[late]!.set({ silent: false })
    setup.clock.advance(100)
    expect(clients.map((client) => confirmedAt(client).has(tx.txId))).toEqual([true, true, true])
  })
})
