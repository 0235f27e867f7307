import type { DevNodeProfile } from '../../src/devnode'
import { parseJson } from '../../src/codec/json'
import { describeWithShared, readShared } from '../support/vectors'
import type { Message, Setup } from './harness'
import { deposit, newTx, openHead, request, setUp, submitDeposit, TestClient } from './harness'
import { lovelaceOf, pay } from './transactions'

/** Every message that a node of this profile can be made to send, by tag. */
async function collect(profile: DevNodeProfile): Promise<Map<string, Message>> {
  const found = new Map<string, Message>()
  const note = ({ client }: Pick<Setup, 'client'>): void => client.messages.forEach((message) => found.set(String(message['tag']), message))
  for (const end of ['decommit', 'recover'] as const) {
    const setup = setUp({ profile, timings: { depositPeriodMs: 1000 } })
    const { node, client, clock, alice } = setup
    client.send({ tag: 'Init' })
    clock.advance(200)
    if (node.headStatus === 'Initializing') {
      const utxo = node.baseUtxos(alice.address)[0]!
      await submitDeposit(node, alice, utxo)
      clock.advance(200)
    }
    if (end === 'decommit') await lifeWithDecommit(setup)
    else await lifeWithRecovery(setup)
    note(setup)
  }
  const { client, clock } = setUp({ profile })
  client.send({ tag: 'Init' })
  clock.advance(50)
  client.send({ tag: 'Abort' })
  clock.advance(50)
  note({ client })
  return found
}

async function lifeWithDecommit(setup: Setup): Promise<void> {
  const { node, client, clock, alice, bob } = setup
  const utxo = await deposit(setup, alice)
  const payment = pay(utxo, alice, bob.address, 300_000_000n)
  client.send(newTx(payment))
  client.send(newTx(payment))
  clock.advance(1000)
  const snapshot = (await request(node, 'GET', '/snapshot')).body
  client.send({ tag: 'SideLoadSnapshot', snapshot })
  const [mine] = node.headUtxos(bob.address)
  const decommit = pay(mine!, bob, bob.address, lovelaceOf(mine!.output))
  client.send({ tag: 'Decommit', decommitTx: decommit })
  client.send({ tag: 'Decommit', decommitTx: decommit })
  clock.advance(1000)
  node.setDrift(100.5)
  node.setDrift(0)
  client.send({ tag: 'Close' })
  clock.advance(60)
  node.contest()
  clock.advance(10_000)
  client.send({ tag: 'Fanout' })
  clock.advance(100)
}

async function lifeWithRecovery({ node, client, clock, alice }: Setup): Promise<void> {
  node.faults.holdSnapshots = true
  const id = await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
  clock.advance(4000)
  client.send({ tag: 'Recover', recoverTxId: id })
  clock.advance(100)
}

/** Golden files of outputs that this node has no cause to send. */
const NEVER = [
  'EventLogRotated',
  'IgnoredHeadInitializing',
  'NetworkClusterIDMismatch',
  'NetworkConnected',
  'NetworkDisconnected',
  'NetworkVersionMismatch',
  'PeerConnected',
  'PeerDisconnected'
]

describeWithShared('messages against the golden files of the real node', () => {
  const golden = (path: string): Message => (parseJson(readShared(`node/golden/${path}.json`)) as { samples: Message[] }).samples[0]!
  const keysOf = (value: object): string[] => Object.keys(value).sort()
  const matrix = parseJson(readShared('node/api-matrix.json')) as Record<string, { serverOutput: Record<string, object> }>

  describe.each([
    ['2.3', '2.3.0'],
    ['1.3', '1.3.0'],
    ['0.22', '0.22.4']
  ] as const)('%s', (profile, version) => {
    let messages: Map<string, Message>
    beforeAll(async () => {
      messages = await collect(profile)
    })

    it('has the keys of the golden samples, besides seq and timestamp', () => {
      const tags = Object.keys(matrix[version]!.serverOutput).filter((tag) => !NEVER.includes(tag) && tag !== 'Greetings' && tag !== 'InvalidInput')
      const stored = tags.filter((tag) => !['SnapshotSideLoaded', 'CommandFailed', 'PostTxOnChainFailed'].includes(tag))
      expect(stored.filter((tag) => !messages.has(tag))).toEqual([])
      for (const tag of tags) {
        const message = messages.get(tag)
        if (message === undefined) continue
        const { seq, timestamp, ...rest } = message
        expect([tag, typeof seq, typeof timestamp]).toEqual([tag, 'number', 'string'])
        expect([tag, keysOf(rest)]).toEqual([tag, keysOf(golden(`${version}/ServerOutput/${tag}`))])
      }
    })

    it('has the keys of the golden samples inside, too', () => {
      const confirmed = messages.get('SnapshotConfirmed')!
      const sample = golden(`${version}/ServerOutput/SnapshotConfirmed`)
      expect(keysOf(confirmed['snapshot'])).toEqual(keysOf(sample['snapshot']))
      expect(keysOf(confirmed['signatures'])).toEqual(keysOf(sample['signatures']))
      const envelope = sample['snapshot'].confirmed[0]
      expect(keysOf(messages.get('TxInvalid')!['transaction'])).toEqual(keysOf(envelope))
    })
  })

  it('greets with the keys of the golden sample of 2.3.0', async () => {
    const { node } = openHead()
    const greetings = new TestClient(node).last('Greetings')
    const sample = golden('2.3.0/Greetings/Greetings')
    expect(keysOf(greetings)).toEqual(keysOf({ ...sample, hydraHeadId: '' }))
    expect(keysOf(greetings['env'])).toEqual(keysOf(sample['env']))
    expect(keysOf(greetings['networkInfo'])).toEqual(keysOf(sample['networkInfo']))
    expect(greetings['hydraNodeVersion']).toMatch(/^2\.3\.0-[0-9a-f]{40}$/)
    expect(greetings['snapshotUtxo']).toEqual({})
    const idle = setUp().client.last('Greetings')
    expect(keysOf(idle)).toEqual(keysOf(sample).filter((key) => key !== 'snapshotUtxo'))
  })

  it('shows the head state with the keys of the golden samples', async () => {
    const samples = (parseJson(readShared('node/golden/2.3.0/ReasonablySized_HeadState_Tx_ConwayEra.json')) as { samples: Message[] }).samples
    const { node, client, clock } = openHead()
    const open = (await request(node, 'GET', '/head')).body
    const sample = samples.find(({ tag }) => tag === 'Open')!
    expect(keysOf(open.contents)).toEqual(keysOf(sample['contents']))
    expect(keysOf(open.contents.coordinatedHeadState)).toEqual(keysOf(sample['contents'].coordinatedHeadState))
    expect(keysOf(open.contents.parameters)).toEqual(keysOf(sample['contents'].parameters))
    client.send({ tag: 'Close' })
    clock.advance(50)
    const closed = (await request(node, 'GET', '/head')).body
    expect(closed).toMatchObject({ tag: 'Closed', contents: { readyToFanoutSent: false, contestationDeadline: expect.any(String) } })
  })

  it('writes outputs with the two key sets of the golden files', async () => {
    const samples = (parseJson(readShared('node/golden/2.3.0/UTxO_TxOut_CtxUTxO_ConwayEra.json')) as { samples: Message[] }).samples
    const wanted = new Set(samples.flatMap((utxo) => Object.values(utxo).map((output) => keysOf(output).join())))
    const setup = openHead()
    const { node, clock, alice } = setup
    const [plain] = node.fund(alice.address, 2_000_000n)
    await submitDeposit(node, alice, plain!)
    clock.advance(500)
    const outputs = Object.values((await request(node, 'GET', '/snapshot/utxo')).body) as object[]
    for (const output of outputs) expect(wanted).toContain(keysOf(output).join())
  })
})

describe('integers', () => {
  it('writes quantities beyond 2^53 digit by digit', async () => {
    const setup = openHead({ faults: { bigIntegers: true } })
    const { client, clock, alice, bob } = setup
    client.send(newTx(pay(await deposit(setup, alice), alice, bob.address, 2_000_000n)))
    clock.advance(50)
    const text = setup.client.texts.at(-1) as string
    expect(text).toContain('"lovelace":9007199254740993')
    expect(text).toContain(':9223372036854775807')
  })
})
