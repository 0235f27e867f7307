import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { readHead } from '../../../src/devnode/fork/readHead'
import { profileOf } from '../../../src/devnode/fork/forkOptions'
import { stringifyJson } from '../../../src/codec/json'
import type { DevNodeProfile, RunningDevNode, StartDevNodeOptions } from '../../../src/devnode'
import { startDevNode } from '../../../src/devnode'
import { greetings, output, ScriptedNode, send } from '../../support/scriptedNode'
import { envelopeOf, pay, signTx, buildTx } from '../transactions'
import { TestClient } from '../harness'

const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const running: RunningDevNode[] = []
const scripted: ScriptedNode[] = []
afterEach(async () => {
  await Promise.all([...running.splice(0), ...scripted.splice(0)].map((node) => node.stop()))
})

async function start(options: StartDevNodeOptions = {}): Promise<RunningDevNode> {
  const node = await startDevNode({
    port: 0,
    timings: { blockMs: 5, depositDelayMs: 5, snapshotIntervalMs: 5 },
    ...options
  })
  running.push(node)
  return node
}

async function serve(): Promise<ScriptedNode> {
  const node = await new ScriptedNode().start()
  scripted.push(node)
  node.onConnection = (socket) => send(socket, greetings({ currentSlot: 77 }))
  node.routes = {
    'GET /snapshot/utxo': { body: { [`${'ab'.repeat(32)}#3`]: output(ADDRESS, 5_000_000) } },
    'GET /protocol-parameters': { body: {} }
  }
  return node
}

const outputsOf = (node: RunningDevNode): unknown[] =>
  node.headUtxos().sort((a, b) => (a.input.txHash + a.input.index < b.input.txHash + b.input.index ? -1 : 1))

describe('a fork of a running head', () => {
  it.each<DevNodeProfile>(['0.22', '1.3', '2.0', '2.2', '2.3', '2.4', 'master'])(
    'holds the outputs, parameters, version and slot of a node of version %s, and nothing is written there',
    async (profile) => {
      const { keys } = await start()
      const original = await start({
        profile,
        open: true,
        slotZeroMs: 1_600_000_000_000,
        protocolParameters: { txFeePerByte: 7 },
        inHead: [
          { address: keys[0]!.address, lovelace: 5_000_000, datum: '182a' },
          {
            address: keys[1]!.address,
            lovelace: 9_000_000,
            scriptRef: { language: 'native', cborHex: `8200581c${'ab'.repeat(28)}` }
          },
          {
            address: keys[1]!.address,
            amount: [
              { unit: 'lovelace', quantity: '9007199254740993' },
              { unit: 'cd'.repeat(28), quantity: '18446744073709551615' }
            ].slice(0, 1)
          }
        ]
      })
      const before = { ...original.counters.inputs }
      const fork = await start({ fork: original.url })
      expect(fork.profile).toBe(profile)
      expect([fork.headStatus, outputsOf(fork)]).toEqual(['Open', outputsOf(original)])
      expect(stringifyJson(fork.protocolParameters)).toBe(stringifyJson(original.protocolParameters))
      // Before 1.3 the node does not say its slot.
      if (profile !== '0.22') expect(Math.abs(fork.slot - original.slot)).toBeLessThan(60)
      expect(fork.headId).not.toBe(original.headId)
      expect(original.counters.inputs).toEqual(before)
      expect(Object.keys(original.counters.requests).every((route) => route.startsWith('GET '))).toBe(true)
    }
  )

  it('lives on by itself: payments in it do not reach the node, and it works when the node has gone', async () => {
    const { keys } = await start()
    const original = await start({ open: true, inHead: [{ address: keys[0]!.address, lovelace: 5_000_000 }] })
    const fork = await start({ fork: original.httpUrl })
    const before = outputsOf(original)
    await original.goOffline()
    const client = new TestClient(fork)
    const confirmed = new Promise<void>((resolve) => {
      const poll = setInterval(() => {
        if (client.all('SnapshotConfirmed').length === 0) return
        clearInterval(poll)
        resolve()
      }, 5)
    })
    client.send({ tag: 'NewTx', transaction: pay(fork.headUtxos()[0]!, fork.keys[0]!, keys[1]!.address, 2_000_000n) })
    await confirmed
    expect([outputsOf(original), fork.headUtxos(keys[1]!.address)]).toMatchObject([
      before,
      [{ output: { amount: [{ quantity: '2000000' }] } }]
    ])
    // Test keys and accounts are funded as ever.
    expect([fork.baseUtxos(fork.keys[0]!.address).length, fork.accounts.length]).toEqual([10, 10])
    const [own] = fork.baseUtxos(keys[0]!.address)
    const spend = signTx(
      buildTx({
        inputs: [own!.input],
        outputs: [{ address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '999000000' }] }],
        fee: 1_000_000n
      }),
      keys[0]!
    )
    expect(await fork.submitBaseTx(envelopeOf(spend).cborHex)).toEqual([])
  })

  it('takes what the caller states before what the node says, and never the signing key that old nodes show', async () => {
    const original = await start({ profile: '2.0', open: true })
    const greeting = await new Promise<string>((resolve) =>
      original.open('', { send: (message) => resolve(String(message)), close() {} })
    )
    const { signingKey } = (JSON.parse(greeting) as { env: { signingKey: string } }).env
    expect(signingKey).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(await readHead(original.url))).not.toContain(signingKey)
    const fork = await start({
      fork: original.url,
      profile: '2.3',
      seed: 'another',
      slotZeroMs: 1_000,
      inHead: [{ address: ADDRESS, lovelace: 7_000_000 }]
    })
    expect([fork.profile, fork.slot > 1_000_000_000, fork.headUtxos(ADDRESS).length]).toEqual(['2.3', true, 1])
  })

  it('takes what no deposit could bring, and its base ledger has neither the outputs nor a transaction of them', async () => {
    const node = await serve()
    const refs = Array.from({ length: 2_000 }, (_, i) => `${i.toString(16).padStart(64, '0')}#0`)
    node.routes['GET /snapshot/utxo'] = {
      body: Object.fromEntries(refs.map((ref, i) => [ref, output(ADDRESS, 5 + i)]))
    }
    const fork = await start({ fork: node.url, rpcPort: 0, inHead: [{ address: ADDRESS, lovelace: 6_000_000 }] })
    const client = new TestClient(fork, 'history=yes')
    const { depositTxId } = client.last('CommitFinalized')
    expect([fork.headUtxos(ADDRESS).length, client.last('SnapshotConfirmed')['snapshot'].number]).toEqual([2_001, 1])
    expect(fork.baseUtxos(ADDRESS)).toEqual([])
    expect((await fetch(`${fork.indexerUrl}/txs/${depositTxId}`)).status).toBe(404)
  })

  it.each([
    ['2.3.0-abc', false, '2.3'],
    ['2.3.0-abc', true, '2.4'],
    ['2.4.0-abc', true, '2.4'],
    ['2.4.1-UNKNOWN', true, '2.4'],
    ['2.5.0', true, 'master'],
    ['2.1.0', false, '2.0'],
    ['1.0.0', false, '1.3'],
    ['0.21.0', false, '0.22'],
    ['3.0.0', false, 'master'],
    ['', false, '2.3'],
    ['unknown', false, '2.3'],
    ['unknown', true, '2.4']
  ])(
    'takes a node of version "%s" (deposit activation: %s) for profile %s',
    (nodeVersion, depositActivation, profile) => expect(profileOf({ nodeVersion, depositActivation })).toBe(profile)
  )
})

describe('a head that cannot be forked', () => {
  it('is refused when it is not open, and the error says so', async () => {
    const idle = await start()
    const error = await start({ fork: `${idle.url}/?api-key=secret` }).catch((reason: unknown) => reason as Error)
    expect(error).toMatchObject({
      code: 'DEVNODE_FORK',
      message: expect.stringMatching(/has no open head\.\n- Expected a head that is Open\n- Got Idle/)
    })
    expect(String((error as Error).message)).not.toContain('secret')
  })

  it.each([
    ['nothing listens', 'ws://127.0.0.1:9', /could not be reached \(ECONNREFUSED\)/],
    ['the URL is none', 'nowhere', /fork cannot be used/]
  ])('is refused when %s', async (_, fork, message) =>
    expect((await start({ fork }).catch((reason: unknown) => reason as Error)) as Error).toMatchObject({
      message: expect.stringMatching(message)
    })
  )

  it.each<[string, (node: ScriptedNode) => void, RegExp]>([
    [
      'its first message is no Greetings',
      (node) => (node.onConnection = (socket) => send(socket, { tag: 'Hello' })),
      /is no head node/
    ],
    [
      'its first message is no JSON',
      (node) => (node.onConnection = (socket) => send(socket, '<html>')),
      /is no head node/
    ],
    [
      'it closes at once',
      (node) => (node.onConnection = (socket) => socket.close()),
      /closed the connection before it said anything/
    ],
    ['it refuses the connection', (node) => (node.refuseUpgrade = 401), /could not be reached/],
    [
      'it goes away while its outputs are read',
      (node) => (node.routes['GET /snapshot/utxo'] = 'reset'),
      /went away during GET \/snapshot\/utxo/
    ],
    [
      'it answers with another status',
      (node) => (node.routes['GET /protocol-parameters'] = { status: 503, body: {} }),
      /answers GET \/protocol-parameters with status 503/
    ],
    [
      'its outputs are no object',
      (node) => (node.routes['GET /snapshot/utxo'] = { body: [1] }),
      /with what is no JSON object/
    ],
    [
      'its answer is no JSON',
      (node) => (node.routes['GET /snapshot/utxo'] = { text: '{' }),
      /with what is no JSON object/
    ],
    [
      'it sends elsewhere',
      (node) => (node.routes['GET /snapshot/utxo'] = { status: 302, headers: { location: '/head' } }),
      /went away during GET/
    ],
    [
      'an output is none',
      (node) => (node.routes['GET /snapshot/utxo'] = { body: { 'x#0': { address: ADDRESS } } }),
      /shows outputs that cannot be taken over/
    ],
    [
      'an output carries an unknown script',
      (node) =>
        (node.routes['GET /snapshot/utxo'] = {
          body: {
            [`${'ab'.repeat(32)}#0`]: {
              ...output(ADDRESS, 5_000_000),
              referenceScript: { script: { type: 'PlutusScriptV9' } }
            }
          }
        }),
      /shows an output that cannot be taken over, abab/
    ]
  ])('is refused when %s', async (_, change, message) => {
    const node = await serve()
    change(node)
    const error = await start({ fork: node.url }).catch((reason: unknown) => reason as Error)
    expect(error).toMatchObject({ code: 'DEVNODE_FORK', message: expect.stringMatching(message) })
  })

  it('is refused when it does not answer in time, over WebSocket or HTTP', async () => {
    const silent = createServer((socket) => void socket.on('error', () => {}))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`
    await expect(readHead(url, 200)).rejects.toMatchObject({
      code: 'DEVNODE_FORK',
      message: expect.stringContaining('did not answer in time')
    })
    silent.close()
    const node = await serve()
    node.routes['GET /snapshot/utxo'] = 'hang'
    await expect(readHead(node.url, 1000)).rejects.toMatchObject({
      message: expect.stringContaining('did not answer GET /snapshot/utxo in time')
    })
  })
})
