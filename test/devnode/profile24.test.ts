import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DevNodeOptions, DevNodeProfile } from '../../src/devnode'
import { DevNode, manualClock } from '../../src/devnode'
import { snapshotAccumulator } from '../../src/verify'
import { hasShared, SHARED } from '../support/vectors'
import type { Message, Setup } from './harness'
import { deposit, newTx, openHead, request, setUp, submitDeposit, TestClient, utxoJson } from './harness'
import { buildTx, envelopeOf, lovelaceOf, pay, signTx } from './transactions'

// The facts: hydra-node 2.4.1, recorded signatures and source; computed here with node:crypto alone, and nothing of
// src/verify or src/devnode.

const sha256 = (hex: string): string => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
const uint = (value: bigint | number): string => {
  const hex = (bytes: number, head: string): string =>
    head +
    BigInt(value)
      .toString(16)
      .padStart(bytes * 2, '0')
  if (value < 24) return hex(1, '')
  if (value < 0x100) return hex(1, '18')
  if (value < 0x10000) return hex(2, '19')
  return value < 0x1_0000_0000 ? hex(4, '1a') : hex(8, '1b')
}
const bytes32 = (hex: string): string => `5820${hex}`

/** An output of a key with ada alone, as a script of PlutusV2 sees it. */
function outputData({ address, value }: Message): string {
  const keyHash = bech32Bytes(address).slice(2)
  const ada = uint(BigInt(value.lovelace)).padStart(2, '0')
  return `d8799fd8799fd8799f581c${keyHash}ffd87a80ffa140a140${ada}d87980d87a80ff`
}

/** The bytes of a bech32 text, its checksum left out, as hex. */
function bech32Bytes(text: string): string {
  const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
  const data = [...text.slice(text.lastIndexOf('1') + 1, -6)]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return (data.match(/.{8}/g) ?? []).map((bits) => parseInt(bits, 2).toString(16).padStart(2, '0')).join('')
}

/** SHA-256 over the outputs in the order of their references. */
function hashOf(utxo: Message | null): string {
  const order = (ref: string): string => ref.slice(0, 64) + ref.slice(65).padStart(5, '0')
  const refs = Object.keys(utxo ?? {}).sort((a, b) => (order(a) < order(b) ? -1 : 1))
  return sha256(refs.map((ref) => outputData(utxo![ref])).join(''))
}

/** What the parties sign, item by item: six up to 2.4.1, seven in the source after it. */
function signedBytes({
  headId,
  version,
  number,
  utxoToCommit,
  utxoToDecommit,
  depositTxId,
  accumulator,
  appliedAccumulator
}: Message): Buffer {
  const commit = sha256(hashOf(utxoToCommit) + (depositTxId ?? ''))
  const accumulators = appliedAccumulator === undefined ? [accumulator] : [accumulator, appliedAccumulator]
  const hashes = [...accumulators, hashOf(utxoToDecommit), commit]
  return Buffer.from(`581c${headId}${uint(version)}${uint(number)}${hashes.map(bytes32).join('')}`, 'hex')
}

function isSignedBy(vkey: string, signature: string, message: Buffer): boolean {
  const key = createPublicKey({
    key: Buffer.from(`302a300506032b6570032100${vkey}`, 'hex'),
    format: 'der',
    type: 'spki'
  })
  return verify(null, message, key, Buffer.from(signature, 'hex'))
}

const verdictsOf = ({ snapshot, signatures }: Message, parties: string[], as: Message = snapshot): boolean[] =>
  parties.map((vkey, i) => isSignedBy(vkey, signatures.multiSignature[i], signedBytes(as)))

/** Waits on the clock that stands still until so many snapshots have come. */
async function snapshots({ client, clock }: Setup, count: number): Promise<Message[]> {
  const seen = async (): Promise<void> => {
    while (client.all('SnapshotConfirmed').length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  await clock.runUntil(seen(), 60_000)
  return client.all('SnapshotConfirmed')
}

interface Life {
  readonly setup: Setup
  readonly messages: Message[]
  readonly parties: string[]
  readonly depositTxId: string
}

/** A deposit, a payment without anything pending, a decommit. */
async function live(options: DevNodeOptions): Promise<Life> {
  const setup = openHead({ parties: 2, ...options })
  const { node, client, clock, alice, bob } = setup
  const [utxo] = node.baseUtxos(alice.address)
  const depositTxId = await submitDeposit(node, alice, utxo!)
  await snapshots(setup, 1)
  clock.advance(500)
  client.send(newTx(pay(utxo!, alice, bob.address, 3_000_000n)))
  await snapshots(setup, 2)
  const mine = node.headUtxos(bob.address)[0]!
  client.send({ tag: 'Decommit', decommitTx: pay(mine, bob, bob.address, lovelaceOf(mine.output)) })
  const messages = await snapshots(setup, 3)
  const parties = (await request(node, 'GET', '/head')).body.contents.parameters.parties.map(
    ({ vkey }: Message) => vkey
  )
  return { setup, messages, parties, depositTxId }
}

describe('a snapshot of profile 2.4', () => {
  it('is signed over its deposit: with one, without anything pending, and with a decommit', async () => {
    const { messages, parties, depositTxId } = await live({ profile: '2.4' })
    expect(
      messages.map(({ snapshot }) => [
        snapshot.depositTxId,
        snapshot.utxoToCommit !== null,
        snapshot.utxoToDecommit !== null
      ])
    ).toEqual([
      [depositTxId, true, false],
      [null, false, false],
      [null, false, true]
    ])
    for (const message of messages) expect(verdictsOf(message, parties)).toEqual([true, true])
    const [first] = messages
    for (const other of [null, '00'.repeat(32)])
      expect(verdictsOf(first!, parties, { ...first!['snapshot'], depositTxId: other })).toEqual([false, false])
  })

  it('is signed over the true accumulator of all three sets when there is one', async () => {
    const { messages, parties } = await live({ profile: '2.4', accumulator: 'real' })
    for (const message of messages) {
      const { utxo, utxoToCommit, utxoToDecommit, accumulator } = message['snapshot']
      expect((await snapshotAccumulator({ utxo, utxoToCommit, utxoToDecommit })).hash).toBe(accumulator)
      expect(verdictsOf(message, parties)).toEqual([true, true])
    }
  })

  it('has the key set that a node of 2.4.1 was recorded with', async () => {
    const { messages } = await live({})
    const frame = { headId: 0, seq: 0, signatures: { multiSignature: 0 }, snapshot: {}, tag: 0, timestamp: 0 }
    const keys = [
      'accumulator',
      'confirmed',
      'depositTxId',
      'headId',
      'number',
      'utxo',
      'utxoToCommit',
      'utxoToDecommit',
      'version'
    ]
    for (const message of messages) {
      expect(Object.keys(message).sort()).toEqual(Object.keys(frame))
      expect(Object.keys(message['snapshot']).sort()).toEqual(keys)
      expect(Object.keys(message['signatures'])).toEqual(['multiSignature'])
    }
    if (!hasShared) return
    const [recorded] = JSON.parse(readFileSync(join(SHARED, 'real', 'frame-shape-2.4.1.json'), 'utf8')).frames
    expect([Object.keys(recorded).sort(), Object.keys(recorded.snapshot).sort()]).toEqual([Object.keys(frame), keys])
  })

  it('shows the deposit in GET /snapshot, GET /snapshot/last-seen and the snapshot being signed', async () => {
    const setup = openHead()
    const { node, clock, alice } = setup
    const depositTxId = await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
    clock.advance(160)
    const { body: seen } = await request(node, 'GET', '/snapshot/last-seen')
    expect(seen).toMatchObject({ tag: 'SeenSnapshot', snapshot: { number: 1, depositTxId } })
    clock.advance(20)
    expect((await request(node, 'GET', '/snapshot')).body.snapshot).toMatchObject({ number: 1, depositTxId })
    clock.advance(500)
    expect(
      (await request(node, 'GET', '/head')).body.contents.coordinatedHeadState.confirmedSnapshot.snapshot
    ).toMatchObject({ number: 1, depositTxId })
  })

  it.each(['2.2', '2.3'] as const)('has no deposit id in profile %s', async (profile) => {
    const { messages } = await live({ profile })
    for (const { snapshot } of messages) expect(Object.keys(snapshot)).not.toContain('depositTxId')
  })

  it('takes up to a thousand transactions', async () => {
    const setup = openHead({ accounts: 0, timings: { snapshotIntervalMs: 1000 } })
    const { node, client, clock, alice } = setup
    const utxo = await deposit(setup, alice)
    clock.advance(2000)
    let held = { input: utxo.input, output: utxo.output }
    for (let i = 0; i < 150; i++) {
      const tx = pay(held, alice, alice.address, lovelaceOf(held.output))
      client.send(newTx(tx))
      held = { input: { txHash: tx.txId, index: 0 }, output: held.output }
    }
    clock.advance(1000)
    // The first went at once; all that came meanwhile goes together, where 2.3 takes a hundred.
    clock.advance(1000)
    expect(client.all('SnapshotConfirmed').map(({ snapshot }) => snapshot.confirmed.length)).toEqual([0, 1, 149])
    expect(node.headUtxos()).toHaveLength(1)
  })
})

describe('a snapshot of profile master', () => {
  it.each(['off', 'real'] as const)(
    'is signed over two accumulators, seven items, with the accumulator %s',
    async (accumulator) => {
      const { messages, parties } = await live({ profile: 'master', accumulator })
      for (const message of messages) {
        const { snapshot } = message
        expect(verdictsOf(message, parties)).toEqual([true, true])
        const { appliedAccumulator, ...six } = snapshot
        expect(appliedAccumulator).toMatch(/^[0-9a-f]{64}$/)
        expect(verdictsOf(message, parties, six)).toEqual([false, false])
        if (accumulator === 'off') continue
        const { utxo, utxoToCommit, utxoToDecommit } = snapshot
        expect((await snapshotAccumulator({ utxo, utxoToCommit: null, utxoToDecommit })).hash).toBe(
          snapshot.accumulator
        )
        expect((await snapshotAccumulator({ utxo, utxoToCommit, utxoToDecommit: null })).hash).toBe(appliedAccumulator)
      }
      const pending = messages.filter(({ snapshot }) => snapshot.accumulator !== snapshot.appliedAccumulator)
      expect(pending).toHaveLength(accumulator === 'real' ? 2 : 0)
    }
  )

  it('does not call its node by the number of a release', () => {
    const versionOf = (profile: DevNodeProfile): string =>
      setUp({ profile }).client.last('Greetings')['hydraNodeVersion']
    expect(versionOf('master')).toMatch(/^2\.5\.0-devnode-[0-9a-f]{40}$/)
    expect(versionOf('2.4')).toMatch(/^2\.4\.1-[0-9a-f]{40}$/)
    expect(versionOf('2.3')).toMatch(/^2\.3\.0-[0-9a-f]{40}$/)
  })

  it('never carries a decommit without outputs, which the asker hears; profile 2.4 approves it', async () => {
    const outcomes: unknown[] = []
    for (const profile of ['master', '2.4'] as const) {
      const setup = openHead({ profile })
      const { client, clock, alice } = setup
      const utxo = await deposit(setup, alice)
      const fee = lovelaceOf(utxo.output)
      const tx = envelopeOf(signTx(buildTx({ inputs: [utxo.input], outputs: [], fee }), alice))
      client.take()
      client.send({ tag: 'Decommit', decommitTx: tx })
      clock.advance(200)
      outcomes.push(
        client.tags()[0],
        client.all('DecommitInvalid').map(({ decommitInvalidReason }) => decommitInvalidReason.validationError.reason)
      )
    }
    expect(outcomes).toEqual(['DecommitInvalid', ['decommit transaction has no outputs'], 'DecommitRequested', []])
  })
})

describe('deposits of profile 2.4', () => {
  const times = { depositActivationMs: 15_000, depositPeriodMs: 360_000 }

  it('are active after the activation, and recoverable after it and two periods', async () => {
    const { node, client, clock, alice } = openHead({ timings: times })
    const [utxo] = node.baseUtxos(alice.address)
    const drafted = await request(node, 'POST', '/commit', utxoJson(utxo!))
    const nowMs = clock.now()
    await request(
      node,
      'POST',
      '/cardano-transaction',
      envelopeOf(signTx(Buffer.from(drafted.body.cborHex, 'hex'), alice))
    )
    clock.advance(50)
    expect(Date.parse(client.last('CommitRecorded')['deadline'])).toBe(nowMs + 15_000 + 2 * 360_000)
    clock.advance(15_000)
    expect(client.all('DepositActivated')).toEqual([])
    clock.advance(1)
    expect(client.all('DepositActivated')).toHaveLength(1)
  })

  it('show the activation apart from the period', async () => {
    const { node, client } = openHead({ timings: times })
    expect(client.last('Greetings')['env']).toMatchObject({ depositActivation: 15, depositPeriod: 360 })
    expect((await request(node, 'GET', '/config')).body.chain).toMatchObject({
      'deposit-activation': 15,
      'deposit-period': 360
    })
    expect((await request(node, 'GET', '/head')).body.contents.parameters).toMatchObject({ depositPeriod: 360 })
  })

  it('have no activation of their own in earlier profiles, which refuse one by name', () => {
    expect(() => new DevNode({ profile: '2.3', timings: { depositActivationMs: 1 } })).toThrow(
      /timings\.depositActivationMs cannot be used[^]*a profile from '2\.4' on[^]*2\.3\.0/
    )
    const env = setUp({ profile: '2.3' }).client.last('Greetings')['env']
    expect(Object.keys(env)).not.toContain('depositActivation')
  })
})

describe('a side-load of profile 2.4', () => {
  /** The head's own snapshot with a deposit pending: another deposit of equal outputs has been put into it. */
  async function sideLoaded(
    profile: DevNodeProfile,
    change: (snapshot: Message, depositTxId: string) => void
  ): Promise<Message[]> {
    const setup = openHead({ profile, timings: { blockMs: 50 } })
    const { node, client, clock, alice } = setup
    const depositTxId = await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
    clock.advance(180)
    const body = (await request(node, 'GET', '/snapshot')).body
    expect(Object.keys(body.snapshot.utxoToCommit)).toHaveLength(1)
    change(body.snapshot, depositTxId)
    client.take()
    client.send({ tag: 'SideLoadSnapshot', snapshot: body })
    return client.messages.filter(({ tag }) => tag === 'SideLoadSnapshotRejected' || tag === 'SnapshotSideLoaded')
  }

  it('of the very same deposit is taken', async () => {
    expect(await sideLoaded('2.4', () => {})).toMatchObject([{ tag: 'SnapshotSideLoaded', snapshotNumber: 1 }])
  })

  it('of another deposit of the same outputs names both', async () => {
    let expected = ''
    const [message] = await sideLoaded('2.4', (snapshot, depositTxId) => {
      expected = depositTxId
      snapshot['depositTxId'] = 'ab'.repeat(32)
    })
    const requirementFailure = {
      tag: 'SideLoadDepositTxIdInvalid',
      requestedDeposit: 'ab'.repeat(32),
      lastSeenDeposit: expected
    }
    expect(message).toMatchObject({ tag: 'SideLoadSnapshotRejected', requirementFailure })
  })

  it('without the member is one without a deposit', async () => {
    const [message] = await sideLoaded('2.4', (snapshot) => delete snapshot['depositTxId'])
    expect(message).toMatchObject({
      tag: 'SideLoadSnapshotRejected',
      requirementFailure: { tag: 'SideLoadDepositTxIdInvalid', requestedDeposit: null }
    })
  })

  it('ignores the member in profile 2.3', async () => {
    expect(await sideLoaded('2.3', (snapshot) => (snapshot['depositTxId'] = 'no id at all'))).toMatchObject([
      { tag: 'SnapshotSideLoaded' }
    ])
  })
})

describe('the node of profile 2.4', () => {
  it('is the one that is made when none is named', () => {
    const clock = manualClock()
    expect(new DevNode({ clock }).profile).toBe('2.4')
  })

  it('reports no sync status while it catches up', () => {
    const { node, client } = openHead()
    node.setDrift(100)
    node.setDrift(90)
    expect(client.all('NodeUnsynced')).toHaveLength(1)
    expect(client.all('SyncedStatusReport')).toEqual([])
  })

  it('pays out a part, shows FanningOut, and the rest', async () => {
    const setup = openHead()
    const { node, client, clock, alice } = setup
    await deposit(setup, alice)
    const [held] = node.headUtxos()
    client.send(newTx(pay(held!, alice, alice.address, 5_000_000n)))
    clock.advance(100)
    client.send({ tag: 'Close' })
    clock.advance(3000)
    const utxo = (await request(node, 'GET', '/snapshot/utxo')).body
    const [ref] = Object.keys(utxo)
    client.send({ tag: 'PartialFanout', utxoToFanout: { [ref!]: utxo[ref!] } })
    expect(new TestClient(node).last('Greetings')['headStatus']).toBe('FanningOut')
    clock.advance(100)
    expect(client.last('HeadPartiallyFannedOut')).toMatchObject({
      distributedUTxO: { [ref!]: utxo[ref!] },
      fanoutMode: 'AwaitingFanoutSelection'
    })
    const rest = Object.keys(utxo).filter((each) => each !== ref)
    client.send({ tag: 'PartialFanout', utxoToFanout: Object.fromEntries(rest.map((each) => [each, utxo[each]])) })
    clock.advance(100)
    expect(Object.keys(client.last('HeadIsFinalized')['finalizedUTxO'])).toHaveLength(2)
  })

  it('refuses to draft a deposit that the head could not take in', async () => {
    const { node, alice } = openHead()
    const units = Array.from({ length: 200 }, (_, i) => ({
      unit: `${'0a'.repeat(28)}${String(i).padStart(64, '0')}`,
      quantity: '1'
    }))
    const utxos = node.fund(alice.address, [{ unit: 'lovelace', quantity: '90000000' }, ...units])
    expect(await request(node, 'POST', '/commit', utxoJson(...utxos))).toMatchObject({
      status: 400,
      body: { tag: 'DepositTooLarge' }
    })
  })

  const parameters = join(SHARED, 'real', 'protocol-parameters-2.4.json')
  const fromSource = (name: string, test: () => Promise<void>): void => (hasShared ? it(name, test) : undefined)
  fromSource('has the sample parameters of its version to the last member', async () => {
    const { body } = await request(openHead().node, 'GET', '/protocol-parameters')
    expect(body).toEqual(JSON.parse(readFileSync(parameters, 'utf8')))
    expect(Object.values(body.costModels as Record<string, number[]>).map(({ length }) => length)).toEqual([
      166, 175, 297
    ])
  })
})
