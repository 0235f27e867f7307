import type { DevNodeProfile } from '../../../../src/devnode'
import { hasShared } from '../../../support/vectors'
import { homeNodeSamples, nodeSamples } from '../../../support/nodeMessages'
import type { Message, Setup } from '../../harness'
import { deposit, newTx, openHead, request, setUp, submitDeposit, TestClient } from '../../harness'
import { lovelaceOf, pay } from '../../transactions'

/** Every message that a node of this profile can be made to send, by tag. */
async function collect(profile: DevNodeProfile): Promise<Map<string, Message>> {
  const found = new Map<string, Message>()
  const note = ({ client }: Pick<Setup, 'client'>): void =>
    client.messages.forEach((message) => found.set(String(message['tag']), message))
  const ends = {
    decommit: lifeWithDecommit,
    recover: lifeWithRecovery,
    ...(profile === '2.4' ? { parts: lifeInParts } : {})
  }
  for (const live of Object.values(ends)) {
    const setup = setUp({ profile, timings: { depositPeriodMs: 1000 } })
    const { node, client, clock, alice } = setup
    client.send({ tag: 'Init' })
    clock.advance(200)
    if (node.headStatus === 'Initializing') {
      const utxo = node.baseUtxos(alice.address)[0]!
      await submitDeposit(node, alice, utxo)
      clock.advance(200)
    }
    await live(setup)
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

async function lifeInParts(setup: Setup): Promise<void> {
  const { node, client, clock, alice, bob } = setup
  client.send(newTx(pay(await deposit(setup, alice), alice, bob.address, 2_000_000n)))
  clock.advance(100)
  client.send({ tag: 'Close' })
  clock.advance(10_000)
  const [[ref, output]] = Object.entries((await request(node, 'GET', '/snapshot/utxo')).body) as [[string, unknown]]
  client.send({ tag: 'PartialFanout', utxoToFanout: { [ref]: output } })
  clock.advance(100)
}

async function lifeWithRecovery({ node, client, clock, alice }: Setup): Promise<void> {
  node.faults.holdSnapshots = true
  const id = await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
  clock.advance(4000)
  client.send({ tag: 'Recover', recoverTxId: id })
  clock.advance(100)
}

/** Outputs that this node has no cause to send. */
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

describe('messages against those of the real node', () => {
  /** The forms of a message: ours, and the golden one where it lies beside the checkout. */
  const forms = (path: string): Message[] =>
    nodeSamples(new RegExp(`^${path.replaceAll('.', '\\.')}(\\.json)?$`)).map(({ value }) => value as Message)
  const keysOf = (value: object): string[] => Object.keys(value).sort()

  describe.each([
    ['2.4', '2.4.1'],
    ['2.3', '2.3.0'],
    ['1.3', '1.3.0'],
    ['0.22', '0.22.4']
  ] as const)('%s', (profile, version) => {
    let messages: Map<string, Message>
    beforeAll(async () => {
      messages = await collect(profile)
    })

    it('has the keys of the samples, besides seq and timestamp', () => {
      const tags = [
        ...new Set(
          homeNodeSamples(new RegExp(`^${version.replaceAll('.', '\\.')}/ServerOutput/`)).map(
            ({ value }) => value.tag as string
          )
        )
      ].filter((tag) => !NEVER.includes(tag) && tag !== 'Greetings' && tag !== 'InvalidInput')
      const stored = tags.filter((tag) => !['SnapshotSideLoaded', 'CommandFailed', 'PostTxOnChainFailed'].includes(tag))
      expect(stored.filter((tag) => !messages.has(tag))).toEqual([])
      for (const tag of tags) {
        const message = messages.get(tag)
        if (message === undefined) continue
        const { seq, timestamp, ...rest } = message
        expect([tag, typeof seq, typeof timestamp]).toEqual([tag, 'number', 'string'])
        for (const form of forms(`${version}/ServerOutput/${tag}`))
          expect([tag, keysOf(rest)]).toEqual([tag, keysOf(form)])
      }
    })

    it('has the keys of the samples inside, too', () => {
      const confirmed = messages.get('SnapshotConfirmed')!
      const samples = forms(`${version}/ServerOutput/SnapshotConfirmed`)
      expect(samples).toHaveLength(hasShared && version !== '2.4.1' ? 2 : 1)
      for (const sample of samples) {
        expect(keysOf(confirmed['snapshot'])).toEqual(keysOf(sample['snapshot']))
        expect(keysOf(confirmed['signatures'])).toEqual(keysOf(sample['signatures']))
        expect(keysOf(messages.get('TxInvalid')!['transaction'])).toEqual(keysOf(sample['snapshot'].confirmed[0]))
      }
    })
  })

  it('greets with the keys of 2.3.0', async () => {
    const { node } = openHead({ profile: '2.3' })
    const greetings = new TestClient(node).last('Greetings')
    const [sample] = nodeSamples(/^2\.3\.0\/Greetings\/Open/).map(({ value }) => value as Message) as [Message]
    expect(keysOf(greetings)).toEqual(keysOf({ ...sample, hydraHeadId: '' }))
    expect(keysOf(greetings['env'])).toEqual(keysOf(sample['env']))
    expect(keysOf(greetings['networkInfo'])).toEqual(keysOf(sample['networkInfo']))
    expect(greetings['hydraNodeVersion']).toMatch(/^2\.3\.0-[0-9a-f]{40}$/)
    expect(greetings['snapshotUtxo']).toEqual({})
    const idle = setUp({ profile: '2.3' }).client.last('Greetings')
    expect(keysOf(idle)).toEqual(keysOf(sample).filter((key) => key !== 'snapshotUtxo' && key !== 'hydraHeadId'))
  })

  it('shows the head state with the keys of the samples', async () => {
    const samples = nodeSamples(/^2\.3\.0\/.*HeadState/).map(({ value }) => value as Message)
    const { node, client, clock } = openHead({ profile: '2.3' })
    const open = (await request(node, 'GET', '/head')).body
    const sample = samples.find(({ tag }) => tag === 'Open')!
    expect(keysOf(open.contents)).toEqual(keysOf(sample['contents']))
    expect(keysOf(open.contents.coordinatedHeadState)).toEqual(keysOf(sample['contents'].coordinatedHeadState))
    expect(keysOf(open.contents.parameters)).toEqual(keysOf(sample['contents'].parameters))
    client.send({ tag: 'Close' })
    clock.advance(50)
    const closed = (await request(node, 'GET', '/head')).body
    expect(closed).toMatchObject({
      tag: 'Closed',
      contents: { readyToFanoutSent: false, contestationDeadline: expect.any(String) }
    })
  })

  it('writes outputs with the two key sets that the node has', async () => {
    const samples = nodeSamples(/^2\.3\.0\/UTxO_/).map(({ value }) => value as Message)
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
