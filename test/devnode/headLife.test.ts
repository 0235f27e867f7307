import { DevNode } from '../../src/devnode'
import type { DevNodeProfile } from '../../src/devnode'
import { bytesToHex } from '../../src/codec/hex'
import { verifySnapshot } from '../../src/verify'
import { deposit, newTx, openHead, request, setUp, submitDeposit, TestClient, utxoJson } from './harness'
import { ada, buildTx, envelopeOf, lovelaceOf, pay, signTx } from './transactions'

/**
 * What ledgers before cardano-ledger-conway 1.20 (node 2.1) say of inputs that are gone, and what later ones say first
 * of all.
 */
const BAD_INPUTS = /^ConwayUtxowFailure \(UtxoFailure \(BadInputsUTxO \(fromList \[[^:]*\]\)\)\)$/
const DUPLICATE = /^ConwayMempoolFailure "All inputs are spent\. Transaction has probably already been included"$/

describe('the life of a head', () => {
  it('goes from Idle over deposits, payments, a decommit, closing and fanout back to Idle, and no lovelace is lost', async () => {
    const setup = openHead()
    const { node, clock, client, alice, bob } = setup
    const total = (address: string): bigint =>
      node.baseUtxos(address).reduce((sum, { output }) => sum + lovelaceOf(output), 0n)
    const before = total(alice.address) + total(bob.address)
    const supply = node.baseUtxos().reduce((sum, { output }) => sum + lovelaceOf(output), 0n)
    expect(client.last('HeadIsOpen')).toMatchObject({
      headId: node.headId,
      parties: [{ vkey: expect.any(String) }],
      seq: 1
    })

    const utxo = await deposit(setup, alice)
    expect(client.tags().slice(2)).toEqual([
      'CommitRecorded',
      'DepositActivated',
      'SnapshotConfirmed',
      'CommitApproved',
      'CommitFinalized'
    ])
    const first = client.last('SnapshotConfirmed')
    expect(first['snapshot']).toMatchObject({ number: 1, version: 0, confirmed: [], utxo: {} })
    expect(Object.keys(first['snapshot'].utxoToCommit)).toEqual([`${utxo.input.txHash}#${utxo.input.index}`])

    const payment = pay(utxo, alice, bob.address, 3_000_000n)
    client.send(newTx(payment))
    expect(client.messages.at(-1)).toMatchObject({ tag: 'TxValid', transactionId: payment.txId })
    clock.advance(20)
    const second = client.last('SnapshotConfirmed')['snapshot']
    expect(second).toMatchObject({ number: 2, version: 1, utxoToCommit: null, utxoToDecommit: null })
    expect(second.confirmed).toEqual([
      { cborHex: payment.cborHex, description: '', txId: payment.txId, type: 'Tx ConwayEra' }
    ])
    expect(Object.keys(second.utxo)).toEqual([`${payment.txId}#0`, `${payment.txId}#1`])

    const [mine] = node.headUtxos(bob.address)
    const out = pay(mine!, bob, bob.address, 3_000_000n)
    client.send({ tag: 'Decommit', decommitTx: out })
    expect(client.last('DecommitRequested')).toMatchObject({ decommitTx: { txId: out.txId } })
    clock.advance(100)
    expect(client.tags().slice(-3)).toEqual(['SnapshotConfirmed', 'DecommitApproved', 'DecommitFinalized'])
    expect(client.last('SnapshotConfirmed')['snapshot']).toMatchObject({
      number: 3,
      version: 1,
      confirmed: [],
      utxo: { [`${payment.txId}#1`]: {} }
    })
    expect(Object.values(client.last('DecommitFinalized')['distributedUTxO'])).toMatchObject([
      { address: bob.address, value: { lovelace: 3_000_000 } }
    ])

    client.send({ tag: 'Close' })
    clock.advance(50)
    expect(client.last('HeadIsClosed')).toMatchObject({ snapshotNumber: 3 })
    expect(node.headStatus).toBe('Closed')
    clock.advance(2001)
    expect(client.last('ReadyToFanout')).toMatchObject({ headId: node.headId })
    expect(node.headStatus).toBe('FanoutPossible')
    client.send({ tag: 'Fanout' })
    clock.advance(50)
    expect(Object.values(client.last('HeadIsFinalized')['finalizedUTxO'])).toMatchObject([
      { address: alice.address, value: { lovelace: 997_000_000 } }
    ])
    expect(node.headStatus).toBe('Idle')
    expect(total(alice.address) + total(bob.address)).toBe(before)
    // Only the node has paid: the fee of the deposit. Nothing is left with the script that held it.
    const everything = node.baseUtxos().reduce((sum, { output }) => sum + lovelaceOf(output), 0n)
    expect(supply - everything).toBeGreaterThan(0n)
    expect(supply - everything).toBeLessThan(1_000_000n)
  })

  it('opens a second head with another id and numbers that start again, and keeps counting seq', async () => {
    const setup = openHead()
    const { node, client, clock, alice } = setup
    const firstHead = node.headId
    await deposit(setup, alice)
    for (const [tag, ms] of [
      ['Close', 2100],
      ['Fanout', 100],
      ['Init', 100]
    ] as const) {
      client.send({ tag })
      clock.advance(ms)
    }
    expect(node.headId).not.toBe(firstHead)
    const before = client.last('HeadIsOpen')['seq'] as number
    await deposit(setup, alice)
    expect(client.last('SnapshotConfirmed')).toMatchObject({ headId: node.headId, snapshot: { number: 1 } })
    expect(client.last('SnapshotConfirmed')['seq']).toBeGreaterThan(before)
  })

  it('signs every snapshot with the Hydra key of each party', async () => {
    const setup = openHead({ profile: '2.3', parties: 3 })
    await deposit(setup, setup.alice)
    const { snapshot, signatures } = setup.client.last('SnapshotConfirmed')
    const parties = setup.client.last('HeadIsOpen')['parties'] as { vkey: string }[]
    expect(signatures.multiSignature).toHaveLength(3)
    // The accumulator of nothing is what they sign while it is off; signatures.test.ts has every profile and rule.
    const { accumulator } = snapshot
    const verdict = await verifySnapshot({
      snapshot,
      signatures: signatures.multiSignature,
      parties: parties.map(({ vkey }) => vkey),
      rule: '2.3',
      accumulator
    })
    expect(verdict).toMatchObject({ ok: true })
  })

  it('puts what was pending when a snapshot was asked for into it, and what came meanwhile into the next', async () => {
    const setup = openHead({ timings: { snapshotSize: 2 } })
    const { client, clock, alice, bob } = setup
    let utxo = await deposit(setup, alice)
    const ids: string[] = []
    client.take()
    for (let i = 0; i < 4; i++) {
      const tx = pay(utxo, alice, bob.address, 2_000_000n)
      ids.push(tx.txId)
      utxo = { input: { txHash: tx.txId, index: 1 }, output: ada(alice.address, lovelaceOf(utxo.output) - 2_000_000n) }
      client.send(newTx(tx))
    }
    clock.advance(100)
    expect(client.tags()).toEqual([
      ...Array(4).fill('TxValid'),
      'SnapshotConfirmed',
      'SnapshotConfirmed',
      'SnapshotConfirmed'
    ])
    const confirmed = client
      .all('SnapshotConfirmed')
      .map(({ snapshot }) => snapshot.confirmed.map(({ txId }: { txId: string }) => txId))
    expect(confirmed).toEqual([[ids[0]], [ids[1], ids[2]], [ids[3]]])
  })

  it('tries a transaction that cannot be applied five times more, and takes it when its input arrives meanwhile', async () => {
    const setup = openHead()
    const { client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    const parent = pay(utxo, alice, bob.address, 500_000_000n)
    const child = pay(
      { input: { txHash: parent.txId, index: 0 }, output: ada(bob.address, 500_000_000n) },
      bob,
      alice.address,
      2_000_000n
    )
    client.send(newTx(child))
    clock.advance(300)
    client.send(newTx(parent))
    clock.advance(150)
    expect(client.all('TxValid').map(({ transactionId }) => transactionId)).toEqual([parent.txId, child.txId])
    expect(client.all('TxInvalid')).toEqual([])
  })

  it.each<[DevNodeProfile, string | RegExp]>([
    ['0.22', BAD_INPUTS],
    ['1.3', BAD_INPUTS],
    ['2.0', BAD_INPUTS],
    ['2.3', DUPLICATE],
    ['2.4', DUPLICATE],
    ['master', DUPLICATE]
  ])(
    'calls the second copy of a transaction invalid after half a second, in the words of %s, while the first is confirmed',
    async (profile, words) => {
      const setup = openHead({ profile })
      const { client, clock, alice, bob } = setup
      const tx = pay(await deposit(setup, alice), alice, bob.address, 2_000_000n)
      client.send(newTx(tx))
      client.send(newTx(tx))
      clock.advance(499)
      expect(client.all('TxInvalid')).toEqual([])
      clock.advance(1)
      const invalid = client.last('TxInvalid')
      expect(invalid['validationError'].reason).toMatch(words)
      expect(Object.keys(invalid['utxo'])).toEqual([`${tx.txId}#0`, `${tx.txId}#1`])
      expect(client.last('SnapshotConfirmed')['snapshot'].confirmed[0].txId).toBe(tx.txId)
    }
  )

  it('says TxInvalid to the clients of all, and takes the same transaction once it is signed', async () => {
    const setup = openHead()
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    const other = new TestClient(node)
    const bare = buildTx({ inputs: [utxo.input], outputs: [ada(bob.address, lovelaceOf(utxo.output))] })
    client.send(newTx(envelopeOf(bare)))
    clock.advance(500)
    for (const each of [client, other])
      expect(each.last('TxInvalid')['validationError'].reason).toContain('MissingVKeyWitnessesUTXOW')
    const signed = envelopeOf(signTx(bare, alice))
    other.send(newTx(signed))
    clock.advance(20)
    expect(client.last('SnapshotConfirmed')['snapshot'].confirmed).toMatchObject([{ txId: signed.txId }])
  })
})

describe('inputs in the wrong state', () => {
  const states = {
    Idle: [],
    Open: [['Init', 50]],
    Closed: [
      ['Init', 50],
      ['Close', 50]
    ]
  } as const
  const allowed: Record<string, readonly string[]> = {
    Idle: ['Init'],
    Open: ['NewTx', 'Decommit', 'Close', 'SafeClose', 'SideLoadSnapshot'],
    Closed: ['Fanout']
  }
  const tx = envelopeOf(buildTx({ inputs: [{ txHash: '00'.repeat(32), index: 0 }], outputs: [] }))
  const inputs: Record<string, object> = {
    Init: {},
    NewTx: { transaction: tx },
    Decommit: { decommitTx: tx },
    Close: {},
    SafeClose: {},
    Contest: {},
    Fanout: {},
    SideLoadSnapshot: { snapshot: { tag: 'InitialSnapshot', headId: '00' } }
  }
  for (const [state, steps] of Object.entries(states)) {
    for (const [tag, fields] of Object.entries(inputs)) {
      const ok = allowed[state]!.includes(tag)
      it(`${ok ? 'takes' : 'refuses'} ${tag} when ${state}`, () => {
        const { node, client, clock } = setUp()
        for (const [step, ms] of steps) {
          client.send({ tag: step })
          clock.advance(ms)
        }
        const other = new TestClient(node)
        client.send({ tag, ...fields })
        const failed = other.all('CommandFailed')
        expect(failed).toHaveLength(ok ? 0 : 1)
        if (!ok) expect(failed[0]).toMatchObject({ clientInput: { tag }, state: { tag: state } })
        expect(client.all('CommandFailed')).toEqual(failed)
      })
    }
  }
})

describe('deposits', () => {
  it('lists two deposits at once, newest first, and takes them up one after the other, oldest first', async () => {
    const { node, client, clock, alice, bob } = openHead()
    const first = await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
    const second = await submitDeposit(node, bob, node.baseUtxos(bob.address)[0]!)
    clock.advance(50)
    expect(client.all('CommitRecorded').map(({ pendingDeposit }) => pendingDeposit)).toEqual([first, second])
    expect((await request(node, 'GET', '/commits')).body).toEqual([second, first])
    clock.advance(1000)
    expect(client.all('CommitFinalized').map(({ depositTxId }) => depositTxId)).toEqual([first, second])
    expect((await request(node, 'GET', '/commits')).body).toEqual([])
    expect(client.all('SnapshotConfirmed').map(({ snapshot }) => [snapshot.number, snapshot.version])).toEqual([
      [1, 0],
      [2, 1]
    ])
  })

  it('expires a deposit that cannot be taken up, and gives it back after its deadline', async () => {
    const { node, client, clock, alice } = openHead({
      profile: '2.3',
      faults: { holdSnapshots: true },
      timings: { depositPeriodMs: 1000, depositDelayMs: 5000 }
    })
    const utxo = node.baseUtxos(alice.address)[0]!
    const id = await submitDeposit(node, alice, utxo)
    clock.advance(2100)
    expect(client.last('DepositExpired')).toMatchObject({ depositTxId: id })
    client.send({ tag: 'Recover', recoverTxId: id })
    clock.advance(50)
    expect(client.last('PostTxOnChainFailed')).toMatchObject({
      postChainTx: { tag: 'RecoverTx' },
      postTxError: { tag: 'ScriptFailedInWallet' }
    })
    clock.advance(1000)
    const answer = request(node, 'DELETE', `/commits/${id}`)
    clock.advance(50)
    expect(await answer).toEqual({ status: 200, body: 'OK' })
    expect(client.last('CommitRecovered')).toMatchObject({ recoveredTxId: id, recoveredUTxO: utxoJson(utxo) })
    expect(node.baseUtxos(alice.address)).toHaveLength(10)
  })

  it('says nothing at all to a Recover of an unknown deposit, and its HTTP request runs into the timeout', async () => {
    const { node, client, clock } = openHead()
    client.take()
    const answer = request(node, 'DELETE', `/commits/${'ab'.repeat(32)}`)
    clock.advance(300_000)
    expect(await answer).toEqual({
      status: 202,
      body: { tag: 'RecoverSubmitted', timeout: 'Operation timed out after 300s seconds' }
    })
    expect(client.take()).toEqual([])
  })

  it('signs a deposit no more that is final by the time a snapshot is complete, and takes in nothing twice', async () => {
    const setup = openHead({ timings: { snapshotIntervalMs: 100, blockMs: 50 } })
    const { node, client, clock, alice, bob } = setup
    const inHead = await deposit(setup, alice)
    const depositTxId = await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
    const snapshots = (): number => client.all('SnapshotConfirmed').length
    const before = snapshots()
    while (snapshots() === before) clock.advance(1)
    expect(client.last('SnapshotConfirmed')['snapshot'].utxoToCommit).not.toBeNull()
    // Asked for while the deposit is being taken in, complete after it is.
    client.send(newTx(pay(inHead, alice, bob.address, 3_000_000n)))
    clock.advance(60)
    expect(client.last('CommitFinalized')).toMatchObject({ depositTxId })
    expect(snapshots()).toBe(before + 1)
    clock.advance(60)
    expect(snapshots()).toBe(before + 2)
    expect(client.last('SnapshotConfirmed')['snapshot']).toMatchObject({ version: 2, utxoToCommit: null })
    const { body } = await request(node, 'GET', '/snapshot/utxo')
    expect(
      Object.values(body as Record<string, { value: { lovelace: number } }>).reduce(
        (sum, { value }) => sum + value.lovelace,
        0
      )
    ).toBe(2_000_000_000)
  })

  it('refuses a second decommit while one is in flight, and one that is not signed', async () => {
    const setup = openHead()
    const { client, clock, alice } = setup
    const utxo = await deposit(setup, alice)
    const bare = envelopeOf(buildTx({ inputs: [utxo.input], outputs: [utxo.output] }))
    client.send({ tag: 'Decommit', decommitTx: bare })
    expect(client.last('DecommitInvalid')['decommitInvalidReason']).toMatchObject({
      tag: 'DecommitTxInvalid',
      localUTxO: {},
      validationError: {}
    })
    const good = pay(utxo, alice, alice.address, lovelaceOf(utxo.output))
    client.send({ tag: 'Decommit', decommitTx: good })
    client.send({ tag: 'Decommit', decommitTx: good })
    expect(client.last('DecommitInvalid')['decommitInvalidReason']).toEqual({
      tag: 'DecommitAlreadyInFlight',
      otherDecommitTxId: good.txId
    })
    clock.advance(200)
    expect(client.all('DecommitFinalized')).toHaveLength(1)
  })

  it('fans out what was being decommitted when the head closed first', async () => {
    const setup = openHead({ timings: { blockMs: 50 } })
    const { node, client, clock, alice } = setup
    const utxo = await deposit(setup, alice)
    client.send({ tag: 'Close' })
    clock.advance(29)
    client.send({ tag: 'Decommit', decommitTx: pay(utxo, alice, alice.address, lovelaceOf(utxo.output)) })
    clock.advance(3000)
    expect(client.last('PostTxOnChainFailed')['postChainTx'].tag).toBe('DecrementTx')
    client.send({ tag: 'Fanout' })
    clock.advance(50)
    expect(Object.keys(client.last('HeadIsFinalized')['finalizedUTxO'])).toHaveLength(1)
    expect(node.baseUtxos(alice.address)).toHaveLength(10)
  })
})

describe('closing', () => {
  it('fails a fanout before the deadline on the base ledger only, and stays closed', () => {
    const { node, client, clock } = openHead({ profile: '2.3' })
    client.send({ tag: 'Close' })
    clock.advance(50)
    client.send({ tag: 'Fanout' })
    clock.advance(50)
    expect(client.last('PostTxOnChainFailed')).toMatchObject({ postChainTx: { tag: 'FanoutTx' } })
    expect(node.headStatus).toBe('Closed')
  })

  it('moves the deadline when another party contests', () => {
    const { node, client, clock } = openHead()
    client.send({ tag: 'Close' })
    clock.advance(50)
    node.contest()
    const moved =
      Date.parse(client.last('HeadIsContested')['contestationDeadline']) -
      Date.parse(client.last('HeadIsClosed')['contestationDeadline'])
    expect(moved).toBe(2000)
    clock.advance(2500)
    expect(client.all('ReadyToFanout')).toEqual([])
    clock.advance(1600)
    expect(client.all('ReadyToFanout')).toHaveLength(1)
  })

  it('answers SafeClose with an untagged InvalidInput to the sender alone while tokens are in the head', async () => {
    const policy = 'aa'.repeat(28)
    const setup = openHead()
    const { node, client, clock, alice } = setup
    const [token] = node.fund(alice.address, [
      { unit: 'lovelace', quantity: '2000000' },
      { unit: `${policy}01`, quantity: '5' }
    ])
    await submitDeposit(node, alice, token!)
    clock.advance(500)
    const other = new TestClient(node)
    client.take()
    other.take()
    client.send({ tag: 'SafeClose' })
    expect(client.take()).toEqual([
      {
        reason: expect.stringMatching(/^Cannot SafeClose with non-ADA assets present: valueFromList/),
        input: '{"tag":"SafeClose"}'
      }
    ])
    expect(other.take()).toEqual([])
    expect(node.headStatus).toBe('Open')
  })

  it('posts a second Close in vain', () => {
    const { client, clock } = openHead()
    client.send({ tag: 'Close' })
    client.send({ tag: 'Close' })
    clock.advance(50)
    expect(client.all('HeadIsClosed')).toHaveLength(1)
    expect(client.last('PostTxOnChainFailed')['postChainTx'].tag).toBe('CloseTx')
  })
})

describe('other versions', () => {
  it('opens a head before 2.0 through Initializing and commits', async () => {
    const { node, client, clock, alice } = setUp({ profile: '1.3', parties: 2 })
    client.send({ tag: 'Init' })
    clock.advance(200)
    expect(client.tags().slice(1)).toEqual(['HeadIsInitializing', 'Committed'])
    expect(node.headStatus).toBe('Initializing')
    const utxo = node.baseUtxos(alice.address)[0]!
    await submitDeposit(node, alice, utxo)
    clock.advance(200)
    expect(client.tags().slice(3)).toEqual(['Committed', 'HeadIsOpen'])
    expect(client.last('HeadIsOpen')['utxo']).toMatchObject(utxoJson(utxo))
    expect((await request(node, 'GET', '/snapshot')).body).toMatchObject({
      tag: 'InitialSnapshot',
      initialUTxO: utxoJson(utxo)
    })
  })

  it('gives commits back when a head before 2.0 is aborted', async () => {
    const { node, client, clock, alice } = setUp({ profile: '1.3', parties: 2 })
    client.send({ tag: 'Init' })
    clock.advance(20)
    client.send({ tag: 'Abort' })
    expect(client.all('CommandFailed')).toHaveLength(1)
    clock.advance(100)
    client.send({ tag: 'Abort' })
    clock.advance(100)
    expect(client.last('HeadIsAborted')).toMatchObject({ utxo: {} })
    expect([node.headStatus, node.baseUtxos(alice.address).length]).toEqual(['Idle', 10])
  })

  it.each(['2.4', 'master'] as const)('fans out by selections after 2.3.0: profile %s', async (profile) => {
    const setup = openHead({ profile })
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    client.send(newTx(pay(utxo, alice, bob.address, 400_000_000n)))
    clock.advance(50)
    client.send({ tag: 'Close' })
    clock.advance(2100)
    const { body } = await request(node, 'GET', '/snapshot/utxo')
    const [one, two] = Object.entries(body)
    client.send({ tag: 'PartialFanout', utxoToFanout: {} })
    expect(client.all('CommandFailed')).toHaveLength(1)
    client.send({ tag: 'PartialFanout', utxoToFanout: { ['ff'.repeat(32) + '#0']: one![1] } })
    expect(node.headStatus).toBe('FanningOut')
    clock.advance(50)
    expect(client.last('HeadPartiallyFannedOut')).toMatchObject({
      fanoutMode: 'AwaitingFanoutSelection',
      remainingUTxO: Object.fromEntries([two!])
    })
    client.send({ tag: 'Fanout' })
    expect(client.all('CommandFailed')).toHaveLength(2)
    client.send({ tag: 'PartialFanout', utxoToFanout: Object.fromEntries([two!]) })
    clock.advance(50)
    expect(Object.keys(client.last('HeadIsFinalized')['finalizedUTxO'])).toHaveLength(2)
    expect(node.headStatus).toBe('Idle')
  })

  it('reverts to FanoutPossible after 2.3.0 when Fanout came too early, and never says ReadyToFanout', () => {
    const { node, client, clock } = openHead()
    client.send({ tag: 'Close' })
    clock.advance(50)
    client.send({ tag: 'Fanout' })
    expect(node.headStatus).toBe('FanningOut')
    clock.advance(50)
    expect(node.headStatus).toBe('FanoutPossible')
    clock.advance(5000)
    expect(client.all('ReadyToFanout')).toEqual([])
  })

  it('does not know PartialFanout in 2.3.0', () => {
    const { client } = openHead({ profile: '2.3' })
    client.send({ tag: 'PartialFanout', utxoToFanout: {} })
    expect(client.messages.at(-1)).toMatchObject({
      reason: expect.stringContaining('found tag "PartialFanout"'),
      input: '{"tag":"PartialFanout","utxoToFanout":{}}'
    })
  })

  it('leaks the Hydra key in Greetings exactly where the real node did', () => {
    const leaks = (['0.22', '1.3', '2.0', '2.3', '2.4', 'master'] as const).map((profile) => {
      const { client } = setUp({ profile })
      return 'signingKey' in (client.last('Greetings')['env'] ?? {})
    })
    expect(leaks).toEqual([false, true, true, false, false, false])
  })

  it('refuses an unknown profile, no parties, and addresses of another network', () => {
    const mainnet = setUp({ networkId: 1 }).alice.address
    for (const options of [
      { profile: '9' as never },
      { parties: 0 },
      { genesis: [{ address: mainnet, lovelace: 1 }] }
    ]) {
      expect(() => new DevNode(options)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
    }
  })
})

describe('reproducibility', () => {
  it('gives the same ids for the same seed, and others for another', () => {
    const ids = (seed: string): string[] => {
      const { node } = openHead({ seed })
      return [node.headId!, ...node.keys.map(({ skey }) => skey), node.baseUtxos()[0]!.input.txHash]
    }
    expect(ids('a')).toEqual(ids('a'))
    expect(ids('a').filter((id, i) => ids('b')[i] === id)).toEqual([])
    expect(bytesToHex(new Uint8Array(1))).toBe('00')
  })
})
