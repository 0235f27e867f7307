import type { DevNode, DevNodeProfile } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import { deposit, newTx, openHead, request, setUp, submitDeposit, TestClient } from './harness'
import { lovelaceOf, pay } from './transactions'

// File and line: cardano-scaling/hydra ca8d19bca, hydra-node/src/Hydra/, unless a tag is named.
const ALL: readonly DevNodeProfile[] = ['0.22', '1.3', '2.0', '2.2', '2.3', '2.4', 'master']
const OPENS_AT_ONCE = ['2.0', '2.2', '2.3', '2.4', 'master'] as const

describe('deposits and decommits', () => {
  it.each([
    ['2.3', 3_000_000],
    ['2.4', 2_000_500],
    ['master', 2_000_500]
  ] as const)('of profile %s can be recovered after the time that the version gives them', async (profile, afterMs) => {
    // API/HTTPServer.hs:463: now + activation + 2 x period; before master 3 x period.
    const { node, client, clock, alice } = openHead({
      profile,
      timings: { depositPeriodMs: 1_000_000, depositDelayMs: 500 }
    })
    const now = clock.now()
    await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
    clock.advance(100)
    expect(Date.parse(client.last('CommitRecorded')['deadline'] as string) - now).toBe(afterMs)
  })

  it('say DecommitRequested and DecommitInvalid at once beside a deposit in flight', async () => {
    // HeadLogic.hs:770 and 795: only another decommit is looked at, and the ReqSn carries no deposit.
    const setup = openHead()
    const { node, client, clock, alice } = setup
    const inHead = await deposit(setup, alice)
    await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
    clock.advance(151)
    client.take()
    client.send({
      tag: 'Decommit',
      decommitTx: pay({ ...inHead, input: { txHash: 'ee'.repeat(32), index: 0 } }, alice, alice.address, 1_000_000_000n)
    })
    expect(client.tags()).toEqual(['DecommitInvalid'])
    client.send({ tag: 'Decommit', decommitTx: pay(inHead, alice, alice.address, 1_000_000_000n) })
    expect(client.tags()).toEqual(['DecommitInvalid', 'DecommitRequested'])
    clock.advance(1000)
    const carrying = client.all('SnapshotConfirmed').find(({ snapshot }) => snapshot.utxoToDecommit !== null)!
    expect(carrying['snapshot'].utxoToCommit).toBeNull()
    expect(client.all('DecommitFinalized')).toHaveLength(1)
    expect(client.all('CommitFinalized')).toHaveLength(1)
    expect(node.headUtxos().reduce((sum, { output }) => sum + lovelaceOf(output), 0n)).toBe(1_000_000_000n)
  })

  it.each(['2.3', '2.4', 'master'] as const)(
    'of %s never step past each other on the base ledger: a decommit is signed after the increment before it',
    async (profile) => {
      // HeadLogic.hs:838 and 664, Head.hs checkDecrement: a snapshot's version is that of the head's datum, or the
      // ledger refuses its step.
      for (const racingDecommit of [false, true]) {
        const setup = openHead({ profile, faults: { racingDecommit }, timings: { blockMs: 1_000 } })
        const { node, client, clock, alice, bob } = setup
        clock.advance(2_000)
        const inHead = await deposit(setup, alice)
        clock.advance(5_000)
        client.take()
        await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
        while (client.all('CommitApproved').length < 1) clock.advance(50)
        expect(client.all('CommitFinalized')).toHaveLength(0)
        client.send({ tag: 'Decommit', decommitTx: pay(inHead, alice, bob.address, 1_000_000_000n) })
        // As the node: it is recorded at once, and a second one refused.
        expect(client.all('DecommitRequested')).toHaveLength(1)
        clock.advance(5_000)
        expect(client.all('CommitFinalized')).toHaveLength(1)
        const failed = client.all('PostTxOnChainFailed').map(({ postChainTx }) => postChainTx.tag)
        const [signed] = client.all('SnapshotConfirmed').filter(({ snapshot }) => snapshot.utxoToDecommit !== null)
        const before = client.all('SnapshotConfirmed').find(({ snapshot }) => snapshot.utxoToCommit !== null)!
        expect(signed!['snapshot'].version - before['snapshot'].version).toBe(racingDecommit ? 0 : 1)
        expect([failed, client.all('DecommitFinalized').length]).toEqual(
          racingDecommit ? [['DecrementTx'], 0] : [[], 1]
        )
        if (racingDecommit) {
          client.send({ tag: 'Decommit', decommitTx: pay(node.headUtxos(alice.address)[0]!, alice, bob.address, 5n) })
          expect(client.last('DecommitInvalid')['decommitInvalidReason'].tag).toBe('DecommitAlreadyInFlight')
        }
        // Nothing is lost: whatever did not leave is paid out.
        client.send({ tag: 'Close' })
        clock.advance(400_000)
        const inside = node.baseUtxos(alice.address).length
        client.send({ tag: 'Fanout' })
        clock.advance(5_000)
        expect(node.headStatus).toBe('Idle')
        const fannedOut = client.last('HeadIsFinalized')['utxo'] ?? client.last('HeadIsFinalized')['finalizedUTxO']
        const lovelace = Object.values<any>(fannedOut).reduce((sum, { value }) => sum + BigInt(value.lovelace), 0n)
        expect(lovelace).toBe(racingDecommit ? 2_000_000_000n : 1_000_000_000n)
        expect(node.baseUtxos(alice.address).length).toBeGreaterThan(inside)
      }
    }
  )

  it('repeat approvals and the failing transaction with each snapshot on demand (fault repeatApprovals)', async () => {
    // HeadLogic.hs:666 and 690: with each snapshot that still carries the outputs.
    for (const repeatApprovals of [false, true]) {
      const setup = openHead({ faults: { repeatApprovals }, timings: { blockMs: 200, snapshotIntervalMs: 10 } })
      const { node, client, clock, alice, bob } = setup
      clock.advance(200)
      const inHead = await deposit(setup, alice)
      clock.advance(1000)
      client.take()
      await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
      clock.advance(311)
      expect(client.all('CommitApproved')).toHaveLength(1)
      client.send(newTx(pay(inHead, alice, bob.address, 3_000_000n)))
      clock.advance(1000)
      expect(client.all('CommitApproved')).toHaveLength(repeatApprovals ? 2 : 1)
      expect(client.all('PostTxOnChainFailed').map(({ postChainTx }) => postChainTx.tag)).toEqual(
        repeatApprovals ? ['IncrementTx'] : []
      )
      expect(client.all('CommitFinalized')).toHaveLength(1)
    }
  })

  it('leave a decommit stuck that is recorded during a snapshot until the next transaction (fault stuckDecommit)', async () => {
    // HeadLogic.hs:656 maybeRequestNextSnapshot: only local transactions bring the next snapshot about.
    for (const stuckDecommit of [false, true]) {
      const setup = openHead({ faults: { stuckDecommit } })
      const { client, clock, alice, bob, node } = setup
      const utxo = await deposit(setup, alice)
      client.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
      const [paid] = node.headUtxos(bob.address)
      const change = node.headUtxos(alice.address)[0]!
      client.send({ tag: 'Decommit', decommitTx: pay(paid!, bob, bob.address, 3_000_000n) })
      expect(client.all('DecommitRequested')).toHaveLength(1)
      clock.advance(10_000)
      expect(client.all('DecommitApproved')).toHaveLength(stuckDecommit ? 0 : 1)
      client.send(newTx(pay(change, alice, bob.address, 3_000_000n)))
      clock.advance(1000)
      expect(client.all('DecommitFinalized')).toHaveLength(1)
    }
  })
})

describe('a partial fanout', () => {
  it('names outputs by their references in the head, shows its mode as an object and what remains before the first step', async () => {
    // HeadLogic.hs:1472, 1539, 1568, 1613; HeadLogic/State.hs:338.
    const setup = openHead({ profile: 'master' })
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    client.send(newTx(pay(utxo, alice, bob.address, 400_000_000n)))
    clock.advance(50)
    client.send({ tag: 'Close' })
    clock.advance(2100)
    const inHead = (await request(node, 'GET', '/snapshot/utxo')).body
    const [one, two] = Object.entries(inHead)
    client.send({ tag: 'PartialFanout', utxoToFanout: Object.fromEntries([one!]) })
    const before = (await request(node, 'GET', '/head')).body
    expect(before).toMatchObject({
      tag: 'FanoutProgress',
      contents: {
        remainingOutputs: inHead,
        distributedOutputs: {},
        mode: { tag: 'DistributingSelection', contents: Object.fromEntries([one!]) }
      }
    })
    expect(Object.keys(before.contents).sort()).toEqual([
      'chainState',
      'confirmedSnapshot',
      'contestationDeadline',
      'distributedOutputs',
      'headId',
      'headSeed',
      'mode',
      'parameters',
      'remainingOutputs',
      'version'
    ])
    clock.advance(50)
    expect(client.last('HeadPartiallyFannedOut')['distributedUTxO']).toEqual(Object.fromEntries([one!]))
    expect((await request(node, 'GET', '/head')).body.contents.mode).toEqual({ tag: 'AwaitingSelection' })
    client.send({ tag: 'PartialFanout', utxoToFanout: Object.fromEntries([two!]) })
    clock.advance(50)
    const finalized = Object.keys(client.last('HeadIsFinalized')['finalizedUTxO'])
    expect(finalized).toContain(one![0])
    expect(finalized).not.toContain(two![0])
  })

  it('is taken during a drain', async () => {
    // HeadLogic.hs:1490 onPartialFanoutClientPartialFanout looks at no mode.
    const setup = openHead({ profile: 'master' })
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    client.send(newTx(pay(utxo, alice, bob.address, 400_000_000n)))
    clock.advance(50)
    client.send({ tag: 'Close' })
    clock.advance(2100)
    const [one] = Object.entries((await request(node, 'GET', '/snapshot/utxo')).body)
    client.send({ tag: 'Fanout' })
    expect((await request(node, 'GET', '/head')).body.contents.mode).toEqual({ tag: 'AutoDrain' })
    client.send({ tag: 'PartialFanout', utxoToFanout: Object.fromEntries([one!]) })
    expect(client.all('CommandFailed')).toEqual([])
    expect((await request(node, 'GET', '/head')).body.contents.mode.tag).toBe('DistributingSelection')
    clock.advance(100)
    expect(node.headStatus).toBe('Idle')
  })
})

describe('HTTP routes', () => {
  const rejected = (node: DevNode, client: TestClient, tag: string): void => {
    node.setDrift(0)
    node.setDrift(12.5)
    client.send({ tag })
  }

  it('answer 503 for rejected inputs of their own kind alone', async () => {
    // API/HTTPServer.hs:510, 578, 613 and 674; "because because" is the node's own (579).
    const setup = openHead()
    const { node, client, clock, alice } = setup
    const utxo = await deposit(setup, alice)
    node.faults.swallowTransactions = 1
    const waiting = request(node, 'POST', '/transaction', pay(utxo, alice, alice.address, 5_000_000n))
    rejected(node, client, 'Close')
    clock.advance(300_000)
    expect((await waiting).status).toBe(202)
    const decommit = await request(node, 'POST', '/decommit', pay(utxo, alice, alice.address, 5_000_000n))
    expect(decommit).toEqual({
      status: 503,
      body: 'Decommit failed because because node is out of sync with chain, drift: 12.5s'
    })
    const recover = await request(node, 'DELETE', `/commits/${'ab'.repeat(32)}`)
    expect(recover).toEqual({
      status: 503,
      body: 'Recover failed because node is out of sync with chain, drift: 12.5s'
    })
  })

  it('take the path apart as the node does', async () => {
    // API/HTTPServer.hs:364: ("DELETE", ["commits", _]); wai decodes each segment.
    const { node } = openHead({ timings: { transactionTimeoutMs: 0 } })
    const missing = { status: 400, body: 'Resource not found' }
    expect(await request(node, 'DELETE', `/commits/${'ab'.repeat(32)}/x`)).toEqual(missing)
    expect(await request(node, 'DELETE', '/commits')).toEqual(missing)
    expect(await request(node, 'GET', '/head/')).toEqual(missing)
    expect(await request(node, 'GET', '/snapshot%2Futxo')).toEqual(missing)
    expect((await request(node, 'GET', '/he%61d?x=1')).status).toBe(200)
    expect((await request(node, 'GET', '/%zz')).status).toBe(400)
    expect((await request(node, 'DELETE', '/commits/nonsense')).body).toMatch(
      /^Cannot recover funds\. Failed to parse TxId: /
    )
  })

  it('show 1.3 when its head began to initialize, and a text before', async () => {
    // 1.3.0 API/HTTPServer.hs:584.
    const { node, client, clock } = setUp({ profile: '1.3' })
    expect(await request(node, 'GET', '/head-initialization')).toEqual({
      status: 400,
      body: 'Unable to find Head initialization time in your state file.'
    })
    client.send({ tag: 'Init' })
    clock.advance(50)
    const began = new Date(clock.now()).toISOString()
    clock.advance(5000)
    expect(await request(node, 'GET', '/head-initialization')).toEqual({ status: 200, body: began })
  })

  it('show the configuration in the keys of the node and no others', async () => {
    // Config.hs:482 renderConfig.
    const { node } = setUp({ profile: '2.3', parties: 2, timings: { contestationPeriodMs: 1500 } })
    const { body } = await request(node, 'GET', '/config')
    const keys = [
      'api-host',
      'api-port',
      'api-transaction-timeout',
      'chain',
      'hydra-signing-key',
      'hydra-verification-keys',
      'ledger-protocol-parameters',
      'listen',
      'node-id',
      'peers',
      'persistence-dir',
      'quiet',
      'use-system-etcd'
    ]
    expect(Object.keys(body).sort()).toEqual(keys)
    const chain = [
      'backend',
      'cardano-signing-key',
      'cardano-verification-keys',
      'contestation-period',
      'deposit-period',
      'mode',
      'node-socket',
      'unsynced-period'
    ].filter((key) => key !== 'node-socket')
    expect(Object.keys(body.chain).sort()).toEqual(chain)
    expect(body.chain).toMatchObject({
      mode: 'cardano',
      'contestation-period': 2,
      'unsynced-period': 1,
      backend: { mode: 'direct', 'testnet-magic': 1 }
    })
    expect(Object.keys((await request(setUp({ profile: '2.4' }).node, 'GET', '/config')).body.chain)).toContain(
      'deposit-activation'
    )
    await using running = await startDevNode({ port: 0, rpcPort: null })
    expect((await request(running, 'GET', '/config')).body['api-port']).toBe(running.port)
  })

  it.each([
    ['0.22', 10, 16384, 15, 297],
    ['1.3', 10, 16384, 15, 297],
    ['2.0', 10, 16384, 15, 297],
    ['2.2', 11, 16384, 15, 350],
    ['2.3', 11, 16384, 15, 350],
    ['2.4', 11, 10250, 0, 297],
    ['master', 11, 10250, 0, 297]
  ] as const)(
    'show the sample parameters of version %s',
    async (profile, major, maxTxSize, minFeeRefScriptCostPerByte, v3) => {
      // hydra-cluster/config/protocol-parameters.json at the tags.
      const { body } = await request(setUp({ profile }).node, 'GET', '/protocol-parameters')
      expect(body).toMatchObject({
        protocolVersion: { major, minor: 0 },
        maxTxSize,
        minFeeRefScriptCostPerByte,
        utxoCostPerByte: 4310
      })
      expect(body.costModels.PlutusV3).toHaveLength(v3)
    }
  )

  it.each(OPENS_AT_ONCE)(
    'show the head of profile %s in the exact keys of its version, with periods in whole seconds',
    async (profile) => {
      // HeadLogic/State.hs; Tx/ContestationPeriod.hs:14 rounds up. Multi-step fanout shows its progress in Closed in
      // 2.2 and 2.3 only.
      const { node, client, clock } = openHead({
        profile,
        timings: { contestationPeriodMs: 1500, depositPeriodMs: 2500 }
      })
      const { contents } = (await request(node, 'GET', '/head')).body
      expect(contents.parameters).toEqual({
        contestationPeriod: 2,
        parties: contents.parameters.parties,
        ...(profile === '2.4' || profile === 'master' ? { depositPeriod: 3 } : {})
      })
      client.send({ tag: 'Close' })
      clock.advance(100)
      const closed = Object.keys((await request(node, 'GET', '/head')).body.contents)
      expect(closed.includes('remainingFanoutOutputs')).toBe(profile === '2.2' || profile === '2.3')
      expect(closed.includes('distributedFanoutOutputs')).toBe(profile === '2.2' || profile === '2.3')
    }
  )

  it('show the requested snapshot with the signature of the node itself', async () => {
    // HeadLogic/State.hs:184 SeenSnapshot.
    const setup = openHead({ parties: 2 })
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    client.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    const seen = (await request(node, 'GET', '/snapshot/last-seen')).body
    expect(Object.keys(seen)).toEqual(['tag', 'snapshot', 'signatories'])
    const me = new TestClient(node).last('Greetings')['me'].vkey as string
    expect(Object.keys(seen.signatories)).toEqual([me])
    clock.advance(50)
    const confirmed = client.last('SnapshotConfirmed')
    expect(seen).toMatchObject({
      tag: 'SeenSnapshot',
      snapshot: confirmed['snapshot'],
      signatories: { [me]: confirmed['signatures'].multiSignature[0] }
    })
    expect((await request(node, 'GET', '/snapshot/last-seen')).body).toEqual({ tag: 'LastSeenSnapshot', lastSeen: 2 })
  })

  it('refuse preflights without a CORS header and name what they support, as wai-cors does', async () => {
    await using node = await startDevNode({ port: 0, rpcPort: null })
    const ask = async (headers: Record<string, string>): Promise<[number, string | null, string | null, string]> => {
      const reply = await fetch(`${node.httpUrl}/commit`, {
        method: 'OPTIONS',
        headers: { Origin: 'http://localhost:3000', ...headers }
      })
      return [
        reply.status,
        reply.headers.get('access-control-allow-origin'),
        reply.headers.get('access-control-allow-headers'),
        await reply.text()
      ]
    }
    expect(await ask({})).toEqual([
      400,
      null,
      null,
      'Access-Control-Request-Method header is missing in CORS preflight request'
    ])
    expect(await ask({ 'Access-Control-Request-Method': 'DELETE' })).toEqual([
      400,
      null,
      null,
      'Method requested in Access-Control-Request-Method of CORS request is not supported; requested: DELETE; supported are GET, HEAD, POST.'
    ])
    expect(
      await ask({ 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' })
    ).toEqual([
      400,
      null,
      null,
      'HTTP header requested in Access-Control-Request-Headers of CORS request is not supported; requested: content-type; supported are Accept, Accept-Language, Content-Language.'
    ])
    expect(await ask({ 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'accept' })).toEqual([
      200,
      '*',
      'Accept, Accept-Language, Content-Language',
      ''
    ])
    expect(await ask({ 'Access-Control-Request-Method': 'GET' })).toEqual([200, '*', null, ''])
  })
})

describe('transactions of the head that fail on the base ledger', () => {
  it.each(ALL)('are shown in the exact keys of profile %s', async (profile) => {
    // Chain.hs:51 PostChainTx, and the same at each tag; HeadLogic.hs:753 puts the current slot into
    // RecoverTx.deadline.
    const setup = setUp({ profile, timings: { depositPeriodMs: 100_000 } })
    const { node, client, clock, alice } = setup
    client.send({ tag: 'Init' })
    client.send({ tag: 'Init' })
    clock.advance(200)
    const shown = (): { postChainTx: Record<string, any>; postTxError: Record<string, any> } =>
      client.last('PostTxOnChainFailed') as never
    const period = profile === '2.4' || profile === 'master' ? ['depositPeriod'] : []
    expect(Object.keys(shown().postChainTx)).toEqual(['tag', 'participants', 'headParameters'])
    expect(Object.keys(shown().postChainTx['headParameters'])).toEqual(['contestationPeriod', 'parties', ...period])
    expect(shown().postChainTx['participants']).toEqual([expect.stringMatching(/^[0-9a-f]{56}$/)])
    expect(Object.keys(shown().postTxError['failingTx'])).toEqual(expect.arrayContaining(['type', 'cborHex', 'txId']))
    if (node.headStatus === 'Initializing') {
      await submitDeposit(node, alice, node.baseUtxos(alice.address)[1]!)
      clock.advance(200)
    }
    const id = await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
    node.faults.holdSnapshots = true
    clock.advance(200)
    client.send({ tag: 'Recover', recoverTxId: id })
    clock.advance(60)
    expect(Object.keys(shown().postChainTx)).toEqual(['tag', 'headId', 'recoverTxId', 'deadline', 'recoverUTxO'])
    expect(shown().postChainTx['deadline']).toBe(node.slot)
    client.send({ tag: 'Close' })
    client.send({ tag: 'Close' })
    clock.advance(60)
    expect(Object.keys(shown().postChainTx)).toEqual([
      'tag',
      'headId',
      'headParameters',
      'openVersion',
      'closingSnapshot'
    ])
    client.send({ tag: 'Fanout' })
    clock.advance(60)
    const proof = ['2.2', '2.3', '2.4', 'master'].includes(profile) ? ['utxoForProof'] : []
    expect(Object.keys(shown().postChainTx)).toEqual([
      'tag',
      'utxo',
      'utxoToCommit',
      'utxoToDecommit',
      ...proof,
      'headSeed',
      'contestationDeadline'
    ])
  })
})

describe('connections', () => {
  it('count any yes and any no among repeated keys of the query', () => {
    // API/WSServer.hs:283 and decideOnUTxODisplay: `elem`.
    const { node } = openHead()
    expect(new TestClient(node, 'history=no&history=yes').tags()).toEqual(['HeadIsOpen', 'Greetings'])
    expect(Object.keys(new TestClient(node, 'snapshot-utxo=yes&snapshot-utxo=no').last('Greetings'))).not.toContain(
      'snapshotUtxo'
    )
  })

  it('refuse SafeClose for its assets before they look at the sync status, with the input as received', async () => {
    // API/WSServer.hs:198.
    const setup = openHead()
    const { node, client, clock, alice } = setup
    const [token] = node.fund(alice.address, [
      { unit: 'lovelace', quantity: '5000000' },
      { unit: `${'aa'.repeat(28)}01`, quantity: '1' }
    ])
    await submitDeposit(node, alice, token!)
    clock.advance(500)
    node.setDrift(100)
    client.take()
    const text = ' {"tag" : "SafeClose"}'
    client.send(text)
    expect(client.messages).toEqual([
      { reason: expect.stringMatching(/^Cannot SafeClose with non-ADA assets present: /), input: text }
    ])
  })

  it.each([
    ['0.22', []],
    ['2.3', ['NodeSynced']]
  ] as const)(
    'of profile %s have a history that begins with the network on demand (fault noisyHistory)',
    (profile, synced) => {
      // HeadLogic.hs:1830 and 2176.
      const { node } = setUp({ profile, parties: 2, faults: { noisyHistory: true } })
      expect(new TestClient(node, 'history=yes').tags()).toEqual([
        'NetworkConnected',
        'PeerConnected',
        ...synced,
        'Greetings'
      ])
      expect(new TestClient(node, 'history=yes').last('PeerConnected')['peer']).toEqual({
        hostname: '127.0.0.1',
        port: 5002
      })
      expect(new TestClient(setUp({ profile, parties: 2 }).node, 'history=yes').tags()).toEqual(['Greetings'])
    }
  )

  it('start CatchingUp and reject inputs until the first block on demand (fault startUnsynced)', () => {
    // Node/State.hs:69 initNodeState.
    const { node, client, clock } = setUp({ faults: { startUnsynced: true } })
    expect(client.last('Greetings')['chainSyncedStatus']).toBe('CatchingUp')
    client.send({ tag: 'Init' })
    expect(client.all('RejectedInputBecauseUnsynced')).toHaveLength(1)
    clock.advance(50)
    expect(client.all('NodeSynced')).toHaveLength(1)
    client.send({ tag: 'Init' })
    clock.advance(50)
    expect(node.headStatus).toBe('Open')
    expect(new TestClient(setUp({ profile: '0.22', faults: { startUnsynced: true } }).node).tags()).toEqual([
      'Greetings'
    ])
  })
})
