import type { DevNodeOptions, DevNodeProfile } from '../../../src/devnode'
import { FORGERIES } from '../../../src/devnode/settings/faults'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { PROFILES } from '../../../src/devnode/settings/profiles'
import { signableBytes } from '../../../src/devnode/head/signableBytes'
import { EMPTY_ACCUMULATOR } from '../../../src/devnode/head/snapshotHashes'
import { verifySnapshot, type VerificationRule } from '../../../src/verify'
import { fullRun } from '../../support/scale'
import type { Message, Setup } from '../harness'
import { newTx, request, setUp, submitDeposit, TestClient } from '../harness'
import { buildTx, envelopeOf, lovelaceOf, pay, signTx } from '../transactions'

// cardano-scaling/hydra: hydra-tx/src/Hydra/Tx/Snapshot.hs, getSignableRepresentation, at 0.22.4, 1.3.0, 2.0.0, 2.2.0,
// 2.3.0 and ca8d19bca:96; @340eb113e:97 for 2.4, and the later source for master.
const RULES: Readonly<Record<DevNodeProfile, VerificationRule>> = {
  '0.22': '0.20-2.1',
  '1.3': '0.20-2.1',
  '2.0': '0.20-2.1',
  '2.2': '2.2',
  '2.3': '2.3',
  '2.4': '2.4',
  master: 'next'
}
const ALL = Object.keys(RULES) as DevNodeProfile[]

/** Waits on the clock that stands still until so many snapshots have come. */
async function snapshots({ client, clock }: Setup, count: number): Promise<Message[]> {
  const seen = async (): Promise<void> => {
    while (client.all('SnapshotConfirmed').length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  await clock.runUntil(seen(), 60_000)
  return client.all('SnapshotConfirmed')
}

/**
 * A head of three parties: a deposit, payments with tokens and twelve outputs of one transaction, a decommit beside a
 * second deposit.
 */
async function live(
  options: DevNodeOptions,
  then: (setup: Setup) => void = () => {}
): Promise<{ setup: Setup; messages: Message[]; parties: string[] }> {
  const setup = setUp({ parties: 3, timings: { depositPeriodMs: 1000 }, ...options })
  const { node, client, clock, alice, bob } = setup
  client.send({ tag: 'Init' })
  clock.advance(200)
  const [first, second] = node.baseUtxos(alice.address)
  const token = { unit: `${'0a'.repeat(28)}746f6b`, quantity: '7' }
  const [rich] = node.fund(alice.address, [{ unit: 'lovelace', quantity: '50000000' }, token])
  if (node.headStatus === 'Initializing') {
    await submitDeposit(node, alice, second!)
    clock.advance(200)
  }
  then(setup)
  await submitDeposit(node, alice, first!)
  await submitDeposit(node, alice, rich!)
  let expected = 2
  await snapshots(setup, expected)
  clock.advance(500)
  const many = Array.from({ length: 12 }, (_, i) => ({
    address: i % 2 === 0 ? alice.address : bob.address,
    amount: [{ unit: 'lovelace', quantity: String(BigInt(i + 1) * 2_000_000n) }]
  }))
  const rest = {
    address: alice.address,
    amount: [{ unit: 'lovelace', quantity: String(lovelaceOf(first!.output) - 156_000_000n) }]
  }
  const split = envelopeOf(signTx(buildTx({ inputs: [first!.input], outputs: [...many, rest] }), alice))
  client.send(newTx(split))
  await snapshots(setup, ++expected)
  const leaving = node.headUtxos(bob.address)[3]!
  client.send({ tag: 'Decommit', decommitTx: pay(leaving, bob, alice.address, lovelaceOf(leaving.output)) })
  const messages = await snapshots(setup, ++expected)
  const greetings = new TestClient(node).last('Greetings')
  const head = (await request(node, 'GET', '/head')).body
  const parties = head.contents.parameters.parties.map(({ vkey }: { vkey: string }) => vkey)
  expect(greetings['me'].vkey).toBe(parties[0])
  return { setup, messages, parties }
}

const verdictOf = (
  { snapshot, signatures }: Message,
  parties: string[],
  more: object = {}
): ReturnType<typeof verifySnapshot> =>
  verifySnapshot({ snapshot, signatures: signatures.multiSignature, parties, ...more })

describe('the signatures of snapshots', () => {
  it.each(ALL)(
    'of profile %s verify with the keys of the parties over the outputs, with deposits and decommits',
    async (profile) => {
      const { setup, messages, parties } = await live({ profile, accumulator: 'real' })
      expect(parties).toHaveLength(3)
      expect(messages.some(({ snapshot }) => snapshot.utxoToCommit !== null)).toBe(true)
      expect(messages.some(({ snapshot }) => snapshot.utxoToDecommit !== null)).toBe(true)
      expect(Math.max(...messages.map(({ snapshot }) => Object.keys(snapshot.utxo).length))).toBeGreaterThan(10)
      for (const message of messages) {
        expect(await verdictOf(message, parties, { rule: RULES[profile] })).toMatchObject({
          ok: true,
          rule: RULES[profile],
          outputs: 'recomputed'
        })
      }
      const nodeVersion = new TestClient(setup.node).last('Greetings')['hydraNodeVersion'] as string
      const latest = (await request(setup.node, 'GET', '/snapshot')).body
      // No release signs as master does: its version is unknown, and its rule holds where a caller names it.
      const released = profile !== 'master'
      const named = { ok: true, rule: RULES[profile] }
      const unknown = { ok: false, reason: 'unknown-rule' }
      expect(await verdictOf(messages[0]!, parties, { nodeVersion })).toMatchObject(released ? named : unknown)
      expect(await verdictOf(latest, parties, { rule: RULES[profile] })).toMatchObject(named)
      expect(await verdictOf(latest, parties)).toMatchObject(released ? { ok: true } : unknown)
      expect(await verdictOf(latest, parties, { nodeVersion: '9.9.9' })).toMatchObject(unknown)
    }
  )

  it.each(['2.2', '2.3'] as const)(
    'of profile %s are over the accumulator of nothing while it is off, so that a check of the outputs fails',
    async (profile) => {
      const { messages, parties } = await live({ profile })
      for (const message of messages) {
        expect(message['snapshot'].accumulator).toBe(EMPTY_ACCUMULATOR)
        expect(
          await verdictOf(message, parties, { rule: RULES[profile], accumulator: EMPTY_ACCUMULATOR })
        ).toMatchObject({ ok: true, outputs: 'given' })
      }
      const full = messages.find(({ snapshot }) => Object.keys(snapshot.utxo).length > 0)!
      expect(await verdictOf(full, parties)).toMatchObject({ ok: false, reason: 'accumulator' })
    }
  )

  it('carry no accumulator before 2.2', async () => {
    const { messages } = await live({ profile: '2.0', accumulator: 'real' })
    for (const { snapshot } of messages) expect(Object.keys(snapshot)).not.toContain('accumulator')
  })

  // Every forgery under each rule; the full run takes every profile.
  const cases = ALL.filter((profile) => fullRun || ['2.0', '2.2', '2.3', '2.4'].includes(profile)).flatMap((profile) =>
    FORGERIES.map((forgery) => [forgery, profile] as const)
  )
  it.each(cases)('do not verify once the node forges them: %s, profile %s', async (forgery, profile) => {
    const { setup, messages, parties } = await live(
      { profile, accumulator: 'real' },
      ({ node }) => (node.faults.forgeSnapshot = forgery)
    )
    const forged = messages.filter(({ snapshot }) => Object.keys(snapshot.utxo).length > 0)
    const verdicts = await Promise.all(messages.map((message) => verdictOf(message, parties, { rule: RULES[profile] })))
    // An empty head has no amount to raise and no output to drop.
    const changed = forgery === 'amountRaised' || forgery === 'outputDropped' ? forged.length : messages.length
    expect(changed).toBeGreaterThan(0)
    if (forgery === 'outputDropped') expect(verdicts.filter(({ ok }) => !ok).length).toBeGreaterThanOrEqual(2)
    else expect(verdicts.filter(({ ok }) => !ok)).toHaveLength(changed)
    if (forgery === 'otherHead') return
    setup.node.faults.forgeSnapshot = null
    expect(await verdictOf((await request(setup.node, 'GET', '/snapshot')).body, parties)).toMatchObject({ ok: true })
  })

  it('follow the published example of each rule', () => {
    // hydra's own bytes for headId 28 x 11, version 1, number 42 (reproduced against the validator's copy in
    // Contract/Head.hs).
    const hashes = {
      utxo: '47d24a63a0484656c04d60311ae72a1944e5abc68a358e7721d1b939765b1c07',
      toCommit: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      toDecommit: 'ddaea277c6c98083240b57cfec9d634d7a59ec53de3dc10cfdfd01d5a173eb3e',
      accumulator: '5e1a122b87e8df1ea560cc36127b856b5e86b0e4b70b842c67fff3f5d78bd604'
    }
    const bytes = (rule: '0.20-2.1' | '2.2' | '2.3'): string =>
      bytesToHex(signableBytes({ headId: '11'.repeat(28), version: 1, number: 42 }, rule, hashes))
    const start = `581c${'11'.repeat(28)}01182a5820`
    expect(bytes('0.20-2.1')).toBe(`${start}${hashes.utxo}5820${hashes.toCommit}5820${hashes.toDecommit}`)
    expect(bytes('2.2')).toBe(`${start}${hashes.accumulator}`)
    expect(bytes('2.3')).toBe(`${start}${hashes.accumulator}5820${hashes.toDecommit}5820${hashes.toCommit}`)
    expect(hexToBytes(bytes('2.3'))).toHaveLength(135)
    expect(bytesToHex(sha256(new Uint8Array(0)))).toBe(hashes.toCommit)
  })
})

describe('a head of more than 4,095 outputs', () => {
  it.each([
    ['real', 2],
    ['off', 3]
  ] as const)('with the accumulator %s gets as far as snapshot %d', async (accumulator, last) => {
    // hydra-node/src/Hydra/HeadLogic.hs:498, requireValidAccumulatorSize: ReqSnUTxOSetTooLarge is logged, and clients
    // get no message.
    const setup = setUp({ accumulator, protocolParameters: { maxTxSize: 16_384 } })
    const { node, client, clock, alice } = setup
    client.send({ tag: 'Init' })
    clock.advance(50)
    let [rest] = node.fund(alice.address, 6_000_000_000n)
    await submitDeposit(node, alice, rest!)
    await snapshots(setup, 1)
    clock.advance(500)
    let total = lovelaceOf(rest!.output)
    for (let i = 0; i < 15; i++) {
      const small = Array.from({ length: 280 }, () => ({
        address: alice.address,
        amount: [{ unit: 'lovelace', quantity: '1000000' }]
      }))
      total -= 280_000_000n
      const change = { address: alice.address, amount: [{ unit: 'lovelace', quantity: String(total) }] }
      const envelope = envelopeOf(signTx(buildTx({ inputs: [rest!.input], outputs: [change, ...small] }), alice))
      client.send(newTx(envelope))
      rest = { input: { txHash: envelope.txId, index: 0 }, output: change }
    }
    expect(client.all('TxValid')).toHaveLength(15)
    expect(node.headUtxos()).toHaveLength(4201)
    await snapshots(setup, last)
    clock.advance(60_000)
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(client.all('SnapshotConfirmed').at(-1)!['snapshot'].number).toBe(last)
    // The head is stuck, as a real one would be, and can be closed.
    client.send({ tag: 'Close' })
    clock.advance(100)
    expect(client.last('HeadIsClosed')['snapshotNumber']).toBe(last)
  })
})

it('every profile has a signing rule that its version has', () => {
  expect(Object.fromEntries(Object.entries(PROFILES).map(([name, { signingRule }]) => [name, signingRule]))).toEqual({
    ...RULES,
    '2.4': '2.4',
    master: 'next'
  })
})
