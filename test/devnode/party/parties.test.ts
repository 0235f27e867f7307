import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { DevNodePortError } from '../../../src/errors/devnode'
import type { DevNodeOptions, DevNodeParty, RunningDevNode } from '../../../src/devnode'
import { startDevNode } from '../../../src/devnode'
import { LayerBridge } from '../../../src/bridge'
import { verifySnapshot } from '../../../src/verify'
import type { UTxO } from '../../../src/types/utxo'
import type { Message, Setup } from '../harness'
import { newTx, openHead, request, setUp, TestClient, utxoJson, deposit, submitDeposit } from '../harness'
import { pay } from '../transactions'

interface Head extends Setup {
  /** A client of each party. */
  clients: TestClient[]
  parties: readonly DevNodeParty[]
  /** An output of alice's in the head. */
  utxo: UTxO
}

/** An open head of several parties with 1,000 ada of alice's in it; what was said before is forgotten. */
async function headOf(parties = 3, options: DevNodeOptions = {}): Promise<Head> {
  const setup = setUp({ parties, ...options })
  const clients = setup.node.parties.map((party) => new TestClient(party))
  setup.client.send({ tag: 'Init' })
  setup.clock.advance(50)
  const utxo = await deposit(setup, setup.alice)
  clients.forEach((client) => client.take())
  return { ...setup, clients, parties: setup.node.parties, utxo }
}

const changeOf = (tx: ReturnType<typeof pay>, owner: string, lovelace: bigint): UTxO => ({
  input: { txHash: tx.txId, index: 1 },
  output: { address: owner, amount: [{ unit: 'lovelace', quantity: String(lovelace) }] }
})

const verifiable = ({ snapshot, signatures }: Message): { snapshot: any; signatures: any } => ({
  snapshot,
  signatures: signatures.multiSignature
})
const said = (client: TestClient): string[] => client.tags()
const numberOf = (client: TestClient): number | undefined =>
  client.all('SnapshotConfirmed').at(-1)?.['snapshot'].number as number | undefined

describe('a head of several parties', () => {
  it('is shown by each party under its own faults: a forged snapshot comes from the party that forges', async () => {
    const { parties, clock, alice, bob, clients, utxo } = await headOf()
    parties[1]!.faults.forgeSnapshot = 'otherNumber'
    clients[0]!.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(100)
    const numbers = clients.map(numberOf)
    expect(numbers).toEqual([numbers[0], numbers[0]! + 1, numbers[0]])
    const shown = await Promise.all(parties.map(async (party) => (await request(party, 'GET', '/snapshot')).body))
    expect(shown.map(({ snapshot }) => snapshot.number)).toEqual(numbers)
  })

  it('is one head, which each party shows with its own key, history and ledger', async () => {
    const { node, parties, clock, alice, bob, clients, utxo } = await headOf()
    const greetings = parties.map((party) => new TestClient(party).last('Greetings'))
    const vkeys = parties.map(({ vkey }) => vkey)
    expect(greetings.map(({ me }) => me.vkey)).toEqual(vkeys)
    expect(new Set(vkeys).size).toBe(3)
    expect(new Set(greetings.map(({ hydraHeadId }) => hydraHeadId))).toEqual(new Set([node.headId]))
    for (const [i, { env }] of greetings.entries())
      expect(env.otherParties.map(({ vkey }: { vkey: string }) => vkey)).toEqual(vkeys.filter((_, j) => j !== i))
    // A payment at one party is a payment at all.
    clients[1]!.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(100)
    for (const [i, client] of clients.entries()) {
      expect(said(client)).toEqual(['TxValid', 'SnapshotConfirmed'])
      expect(parties[i]!.headUtxos(bob.address)).toHaveLength(1)
    }
    const snapshots = await Promise.all(parties.map((party) => request(party, 'GET', '/snapshot')))
    expect(snapshots[1]).toEqual(snapshots[0])
    expect(snapshots[2]).toEqual(snapshots[0])
  })

  it('answers a refused input at its own party alone', async () => {
    const { clients } = await headOf()
    clients[2]!.send({ tag: 'Init' })
    clients[2]!.send('{')
    expect(clients.map(said)).toEqual([[], [], ['CommandFailed', expect.any(String)]])
  })

  it('takes deposits, decommits, the closing and the fanout at any party, and each sees them once', async () => {
    const setup = await headOf()
    const { node, clients, clock, parties, bob, alice, utxo } = setup
    const [own] = node.baseUtxos(bob.address)
    const draft = await request(parties[1]!, 'POST', '/commit', utxoJson(own!))
    expect(draft.status).toBe(200)
    await submitDeposit(node, bob, node.baseUtxos(bob.address)[1]!)
    clock.advance(500)
    const leaving = pay(utxo, alice, bob.address, 1_000_000_000n)
    clients[2]!.send({ tag: 'Decommit', decommitTx: leaving })
    clock.advance(200)
    clients[1]!.send({ tag: 'Close' })
    clock.advance(2200)
    clients[2]!.send({ tag: 'Fanout' })
    clock.advance(100)
    const expected = ['CommitRecorded', 'DepositActivated', 'SnapshotConfirmed', 'CommitApproved', 'CommitFinalized']
    expected.push(
      'DecommitRequested',
      'SnapshotConfirmed',
      'DecommitApproved',
      'DecommitFinalized',
      'HeadIsClosed',
      'ReadyToFanout',
      'HeadIsFinalized'
    )
    for (const client of clients) expect(said(client).filter((tag) => tag !== 'PostTxOnChainFailed')).toEqual(expected)
    expect(parties.map((party) => party.headUtxos().length)).toEqual([0, 0, 0])
    expect(node.headStatus).toBe('Idle')
  })

  it('posts increments and decrements at every party: the base ledger takes the first, and the others hear that theirs failed', async () => {
    const { node, clients, clock, bob, alice, utxo } = await headOf()
    await submitDeposit(node, bob, node.baseUtxos(bob.address)[0]!)
    clock.advance(500)
    clients[2]!.send({ tag: 'Decommit', decommitTx: pay(utxo, alice, bob.address, 1_000_000_000n) })
    clock.advance(200)
    const failed = clients.map((client) =>
      client.all('PostTxOnChainFailed').map(({ postChainTx }) => postChainTx.tag as string)
    )
    expect(failed).toEqual([[], ['IncrementTx', 'DecrementTx'], ['IncrementTx', 'DecrementTx']])
    for (const client of clients)
      expect(['CommitFinalized', 'DecommitFinalized'].map((tag) => client.all(tag).length)).toEqual([1, 1])
    // Each failure comes after what the winner has brought about, as the node waits a block before it reports one
    // (Direct.hs, txSubmissionClient).
    expect(said(clients[1]!).filter((tag) => /Finalized|PostTx/.test(tag))).toEqual([
      'CommitFinalized',
      'PostTxOnChainFailed',
      'DecommitFinalized',
      'PostTxOnChainFailed'
    ])
    // It is no part of the history.
    expect(new TestClient(node.parties[1]!, 'history=yes').tags()).not.toContain('PostTxOnChainFailed')
  })

  it('collects at every party before 2.0, and one of them succeeds', () => {
    const setup = setUp({ profile: '1.3', parties: 3 })
    const clients = setup.node.parties.map((party) => new TestClient(party))
    setup.client.send({ tag: 'Init' })
    setup.clock.advance(50)
    return submitDeposit(setup.node, setup.alice, setup.node.baseUtxos(setup.alice.address)[0]!).then(() => {
      setup.clock.advance(500)
      expect(clients.map((client) => client.all('HeadIsOpen').length)).toEqual([1, 1, 1])
      expect(
        clients.map((client) => client.all('PostTxOnChainFailed').map(({ postChainTx }) => postChainTx.tag as string))
      ).toEqual([[], ['CollectComTx'], ['CollectComTx']])
    })
  })

  it.each(['0.22', '1.3', '2.0', '2.2', '2.3', '2.4', 'master'] as const)(
    'pays in version %s, and all parties show what all have signed',
    async (profile) => {
      const { alice, bob } = setUp()
      const { node, clock } = setUp({
        profile,
        parties: 2,
        open: true,
        inHead: [{ address: alice.address, lovelace: 9_000_000 }]
      })
      clock.advance(100)
      const clients = node.parties.map((party) => new TestClient(party))
      clients[1]!.send(newTx(pay(node.headUtxos()[0]!, alice, bob.address, 3_000_000n)))
      clock.advance(200)
      const [one, other] = clients.map((client) => client.last('SnapshotConfirmed'))
      expect([other!['snapshot'], other!['signatures']]).toEqual([one!['snapshot'], one!['signatures']])
      const [rule] =
        profile === '2.0'
          ? [await verifySnapshot({ ...verifiable(one!), parties: node.parties.map(({ vkey }) => vkey) })]
          : [{ ok: true }]
      expect([rule!.ok, one!['signatures'].multiSignature.length]).toEqual([true, 2])
    }
  )
})

describe('a silent party', () => {
  it('lets transactions become valid and no snapshot be confirmed until it is back', async () => {
    const { parties, clients, clock, alice, bob, utxo } = await headOf()
    parties[2]!.set({ silent: true })
    clients[0]!.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(60_000)
    expect(clients.map(said)).toEqual([['TxValid'], ['TxValid'], []])
    // Its own ledger has not heard of the payment.
    expect(parties.map((party) => party.headUtxos(bob.address).length)).toEqual([1, 1, 0])
    parties[2]!.set({ silent: false })
    clock.advance(100)
    for (const client of clients) expect(said(client)).toEqual(['TxValid', 'SnapshotConfirmed'])
    expect(parties.map((party) => party.headUtxos(bob.address).length)).toEqual([1, 1, 1])
  })

  it('sends what its own clients have sent meanwhile when it is back, and the others decide in one order', async () => {
    const { parties, clients, clock, alice, bob, utxo } = await headOf()
    parties[1]!.set({ silent: true })
    const first = pay(utxo, alice, bob.address, 3_000_000n)
    const second = pay(utxo, alice, bob.address, 4_000_000n)
    clients[1]!.send(newTx(second))
    clients[0]!.send(newTx(first))
    clock.advance(1000)
    expect(clients.map(said)).toEqual([['TxValid'], [], ['TxValid']])
    parties[1]!.set({ silent: false })
    clock.advance(2000)
    for (const client of clients) {
      expect(client.all('TxValid').map(({ transactionId }) => transactionId)).toEqual([first.txId])
      expect(client.all('TxInvalid').map(({ transaction }) => transaction.txId)).toEqual([second.txId])
      expect(numberOf(client)).toBe(2)
    }
  })

  it('keeps the head from asking for the snapshots that it leads: the leader rotates', async () => {
    const { parties, clients, clock, alice, bob, utxo } = await headOf()
    let [own, rest] = [utxo, 1_000_000_000n]
    // The deposit has made snapshot 1: party number - 1 modulo 3 leads.
    for (const number of [2, 3, 4, 5]) {
      const leader = (number - 1) % 3
      const [asked, bystander] = [(leader + 1) % 3, (leader + 2) % 3] as const
      // Without its leader nobody asks for the snapshot; without another party it is asked for, and waits for the
      // signature.
      for (const silent of [leader, bystander]) {
        parties[silent]!.set({ silent: true })
        if (silent === leader) {
          const tx = pay(own, alice, bob.address, 2_000_000n)
          rest -= 2_000_000n
          own = changeOf(tx, alice.address, rest)
          clients[asked]!.send(newTx(tx))
        } else parties[leader]!.set({ silent: false })
        clock.advance(100)
        const { tag } = (await request(parties[asked]!, 'GET', '/snapshot/last-seen')).body
        expect([number, silent === leader, tag]).toEqual([
          number,
          silent === leader,
          silent === leader ? 'LastSeenSnapshot' : 'SeenSnapshot'
        ])
      }
      parties[bystander]!.set({ silent: false })
      clock.advance(100)
      expect(clients.map(numberOf)).toEqual([number, number, number])
    }
  })

  it('shows who has signed so far while another party is silent', async () => {
    const { parties, clients, clock, alice, bob, utxo } = await headOf()
    // It leads no snapshot now: the second one does.
    parties[0]!.set({ silent: true })
    clients[1]!.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(100)
    const { tag, signatories } = (await request(parties[1]!, 'GET', '/snapshot/last-seen')).body
    expect([tag, Object.keys(signatories).sort()]).toEqual([
      'SeenSnapshot',
      [parties[1]!.vkey, parties[2]!.vkey].sort()
    ])
  })
})

describe('a late party', () => {
  it('makes every snapshot wait for its signature', async () => {
    const { parties, clients, clock, alice, bob, utxo } = await headOf()
    parties[2]!.set({ signDelayMs: 5000 })
    clients[0]!.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(5000)
    expect(clients.map(said)).toEqual([['TxValid'], ['TxValid'], ['TxValid']])
    clock.advance(50)
    expect(clients.map(said)).toEqual(Array(3).fill(['TxValid', 'SnapshotConfirmed']))
  })
})

describe('a party that closes with an old snapshot', () => {
  it('is contested by another by itself, and the deadline moves', async () => {
    const { parties, clients, clock, alice, bob, utxo } = await headOf()
    clients[0]!.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(100)
    clients.forEach((client) => client.take())
    parties[1]!.set({ closeWithOld: true })
    clients[1]!.send({ tag: 'Close' })
    clock.advance(150)
    for (const client of clients) {
      expect(said(client)).toEqual(['HeadIsClosed', 'HeadIsContested'])
      const [closed, contested] = client.messages
      expect([closed!['snapshotNumber'], contested!['snapshotNumber']]).toEqual([1, 2])
      expect(Date.parse(contested!['contestationDeadline']) - Date.parse(closed!['contestationDeadline'])).toBe(2000)
    }
    clock.advance(5000)
    clients[0]!.send({ tag: 'Fanout' })
    clock.advance(100)
    // What is fanned out is the newer snapshot.
    expect(Object.values(clients[2]!.last('HeadIsFinalized')['finalizedUTxO']).length).toBe(2)
  })

  it('is not contested when it closes with the latest one, nor when there is no older one', async () => {
    const { parties, clients, clock } = await headOf()
    clients[0]!.send({ tag: 'Close' })
    clock.advance(500)
    expect(said(clients[2]!)).toEqual(['HeadIsClosed'])
    const { node, client, clock: other } = openHead({ parties: 2 })
    node.parties[0]!.set({ closeWithOld: true })
    client.take()
    client.send({ tag: 'Close' })
    other.advance(500)
    expect([client.tags(), parties.length]).toEqual([['HeadIsClosed'], 3])
  })
})

describe('a stuck head', () => {
  it('stands still when a party has lost a transaction, and a side-load at every party heals it', async () => {
    const { parties, clients, clock, alice, bob, utxo } = await headOf()
    parties[2]!.faults.loseTransactions = 1
    const lost = pay(utxo, alice, bob.address, 3_000_000n)
    clients[0]!.send(newTx(lost))
    clock.advance(60_000)
    expect(clients.map(numberOf)).toEqual([undefined, undefined, undefined])
    const { body: confirmed } = await request(parties[0]!, 'GET', '/snapshot')
    for (const client of clients) client.send({ tag: 'SideLoadSnapshot', snapshot: confirmed })
    clock.advance(100)
    for (const client of clients) expect(said(client)).toContain('SnapshotSideLoaded')
    clients.forEach((client) => client.take())
    expect(parties.map((party) => party.headUtxos(bob.address).length)).toEqual([0, 0, 0])
    clients[1]!.send(newTx(pay(utxo, alice, bob.address, 5_000_000n)))
    clock.advance(200)
    for (const client of clients)
      expect([said(client), numberOf(client)]).toEqual([['TxValid', 'SnapshotConfirmed'], 2])
  })
})

describe('a revert', () => {
  it('puts every party where it was: a payment on its way is confirmed again, and the next one too', async () => {
    const { node, parties, clock, alice, bob, utxo } = await headOf()
    const before = new TestClient(parties[1]!)
    const first = pay(utxo, alice, bob.address, 3_000_000n)
    before.send(newTx(first))
    const id = await node.snapshotState()
    clock.advance(100)
    expect(numberOf(before)).toBe(2)
    for (let times = 0; times < 2; times++) {
      await node.revertState(id)
      const clients = parties.map((party) => new TestClient(party))
      expect(
        await Promise.all(
          parties.map(async (party) => (await request(party, 'GET', '/snapshot')).body.snapshot.number as number)
        )
      ).toEqual([1, 1, 1])
      clock.advance(200)
      expect(clients.map(numberOf)).toEqual([2, 2, 2])
      clients[2]!.send(newTx(pay(changeOf(first, alice.address, 997_000_000n), alice, bob.address, 4_000_000n)))
      clock.advance(200)
      expect([clients.map(numberOf), parties.map((party) => party.headUtxos(bob.address).length)]).toEqual([
        [3, 3, 3],
        [2, 2, 2]
      ])
    }
    expect(before.closedWith).toBe(1012)
  })

  it('leaves a party that was behind as far behind as it was', async () => {
    const { node, parties, clients, clock, alice, bob, utxo } = await headOf()
    parties[2]!.set({ silent: true })
    parties[1]!.faults.seqGap = 3
    clients[0]!.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(10)
    const id = await node.snapshotState()
    parties[2]!.set({ silent: false, signDelayMs: 9 })
    parties[1]!.faults.seqGap = 0
    clock.advance(500)
    expect(clients.map(numberOf)).toEqual([2, 2, 2])
    for (let times = 0; times < 2; times++) {
      await node.revertState(id)
      expect(parties.map((party) => party.headUtxos(bob.address).length)).toEqual([1, 1, 0])
      expect([parties[2]!.settings, parties[1]!.faults.seqGap]).toEqual([
        { silent: true, signDelayMs: 0, closeWithOld: false },
        3
      ])
      const histories = parties.map((party) =>
        new TestClient(party, 'history=yes').tags().filter((tag) => tag !== 'Greetings')
      )
      expect(histories.map((tags) => tags.at(-1))).toEqual(['TxValid', 'TxValid', 'CommitFinalized'])
      // It is still cut off: nothing is confirmed until it is back.
      clock.advance(60_000)
      expect(parties.map((party) => party.headUtxos(bob.address).length)).toEqual([1, 1, 0])
      const again = parties.map((party) => new TestClient(party))
      parties[2]!.set({ silent: false })
      clock.advance(500)
      for (const client of again) expect(numberOf(client)).toBe(2)
      expect(parties.map((party) => party.headUtxos(bob.address).length)).toEqual([1, 1, 1])
    }
  })
})

describe('settings of a party', () => {
  it.each([
    [{ silent: 1 }, 'settings.silent cannot be used.'],
    [{ signDelayMs: -1 }, 'settings.signDelayMs cannot be used.'],
    [{ signDelayMs: NaN }, 'settings.signDelayMs cannot be used.'],
    [{ quiet: true }, 'quiet']
  ])('%j are refused, and nothing changes', async (change, message) => {
    const { parties } = await headOf(2)
    expect(() => parties[1]!.set(change as never)).toThrow(message)
    expect(parties[1]!.settings).toEqual({ silent: false, signDelayMs: 0, closeWithOld: false })
  })
})

describe('over sockets', () => {
  let node: RunningDevNode
  afterEach(() => node.stop())

  it('each party has a port of its own, and a bridge to each follows the same head', async () => {
    node = await startDevNode({ port: 0, parties: 3, open: true, control: true })
    const urls = node.parties.map(({ url }) => url!)
    expect([urls[0], new Set(urls).size]).toEqual([node.url, 3])
    for (const { url, httpUrl } of node.parties) {
      const config = await (await fetch(`${httpUrl}/config`)).json()
      expect(`ws://${config['api-host']}:${config['api-port']}`).toBe(url)
    }
    const bridges = urls.map((url) => new LayerBridge({ url }))
    for (const bridge of bridges) await bridge.connect()
    expect(bridges.map(({ headStatus }) => headStatus)).toEqual(['Open', 'Open', 'Open'])
    for (const bridge of bridges) await bridge.disconnect()
    // The control room changes a party, and the status shows it.
    const answer = await fetch(`${node.controlUrl!}/parties/1`, {
      method: 'POST',
      body: JSON.stringify({ silent: true, signDelayMs: 7 })
    })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { index: 1, silent: true, signDelayMs: 7, closeWithOld: false }
    ])
    expect(node.parties[1]!.settings.silent).toBe(true)
    const { parties } = await node.status()
    expect(parties.map(({ url, silent }) => [url, silent])).toEqual(urls.map((url, i) => [url, i === 1]))
    for (const [path, body] of [
      ['/parties/3', '{}'],
      ['/parties/1', '{"silent":"yes"}'],
      ['/parties/1', '{"loud":true}']
    ] as const) {
      expect((await fetch(node.controlUrl! + path, { method: 'POST', body })).status).toBe(400)
    }
  })

  it('says which port is in use when it is that of another party, and leaves none taken', async () => {
    for (;;) {
      const busy = createServer()
      const port = await new Promise<number>((resolve) =>
        busy.listen(0, '127.0.0.1', () => resolve((busy.address() as AddressInfo).port))
      )
      const error = await startDevNode({ port: port - 1, parties: 2 }).catch(
        (reason: unknown) => reason as DevNodePortError
      )
      await new Promise((resolve) => busy.close(resolve))
      // The port before it may be somebody else's.
      if (!(error instanceof DevNodePortError) || error.port !== port) continue
      expect(error).toMatchObject({ code: 'DEVNODE_PORT', systemCode: 'EADDRINUSE' })
      node = await startDevNode({ port: port - 1, parties: 2 })
      expect(node.parties.map(({ url }) => url)).toEqual([`ws://127.0.0.1:${port - 1}`, `ws://127.0.0.1:${port}`])
      return
    }
  })
})
