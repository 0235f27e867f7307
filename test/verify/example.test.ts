import { ed25519 } from '@noble/curves/ed25519.js'
import { elementOf, readOutputData } from '../../src/accumulator/utxoSet'
import { rootOf } from '../../src/accumulator/accumulate'
import { addressToString } from '../../src/codec/address'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import type { NodeOutput, SnapshotToVerify, VerificationRule } from '../../src/verify'
import {
  proveMembership,
  signedBytes,
  snapshotAccumulator,
  utxoHash,
  verificationRule,
  verifyMembership,
  verifySnapshot
} from '../../src/verify'

// A published example: every figure below was computed outside this package.
const address = addressToString(hexToBytes(`60${'22'.repeat(28)}`))
const held: NodeOutput = { address, value: { lovelace: 2_000_000, ['33'.repeat(28)]: { '': 1, 41: 2 } } }
const leaving: NodeOutput = { address, value: { lovelace: 1_000_000 } }
const snapshot: SnapshotToVerify = {
  headId: '11'.repeat(28),
  version: 1,
  number: 42,
  utxo: { [`${'aa'.repeat(32)}#0`]: held },
  utxoToCommit: null,
  utxoToDecommit: { [`${'bb'.repeat(32)}#0`]: leaving }
}

const HEAD = `581c${'11'.repeat(28)}01182a`
const HELD_HASH = '47d24a63a0484656c04d60311ae72a1944e5abc68a358e7721d1b939765b1c07'
const LEAVING_HASH = 'ddaea277c6c98083240b57cfec9d634d7a59ec53de3dc10cfdfd01d5a173eb3e'
const NO_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const COMMITMENT = '907c6a8fcb6c9e115173b19ef9ea85553935c80719b48d73cea4a92b464ea24a1800905edadde929ee1b8d502ee5c09c'
const ACCUMULATOR = '5e1a122b87e8df1ea560cc36127b856b5e86b0e4b70b842c67fff3f5d78bd604'
const PROOF = '9994738a117ae00a170ca94679be2fe17a9f05e7032de79a71c6551c003f38d3a9a90887a4afb8550fb9101342cb342f'

type ExampleRule = Exclude<VerificationRule, '2.4' | 'next'>

const SIGNED: Record<ExampleRule, string> = {
  '0.20-2.1': `${HEAD}5820${HELD_HASH}5820${NO_HASH}5820${LEAVING_HASH}`,
  2.2: `${HEAD}5820${ACCUMULATOR}`,
  2.3: `${HEAD}5820${ACCUMULATOR}5820${LEAVING_HASH}5820${NO_HASH}`
}
const RULES = Object.keys(SIGNED) as ExampleRule[]

const secrets = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte))
const parties = secrets.map((secret) => bytesToHex(ed25519.getPublicKey(secret)))
const sign = (message: string): string[] =>
  secrets.map((secret) => bytesToHex(ed25519.sign(hexToBytes(message), secret)))

describe('the published example', () => {
  it('writes an output as Plutus data', () => {
    expect(bytesToHex(readOutputData(held)!)).toBe(
      `d8799fd8799fd8799f581c${'22'.repeat(28)}ffd87a80ffa240a1401a001e8480581c${'33'.repeat(28)}a24001414102d87980d87a80ff`
    )
  })

  it('hashes the sets of outputs', () => {
    expect([snapshot.utxo, snapshot.utxoToDecommit, snapshot.utxoToCommit].map((set) => utxoHash(set))).toEqual([
      HELD_HASH,
      LEAVING_HASH,
      NO_HASH
    ])
  })

  it('takes outputs for roots of the polynomial', () => {
    expect([held, leaving].map((output) => rootOf(elementOf(readOutputData(output))).toString(16))).toEqual([
      '969546dd2de3307e89460e76d795c0cbbf3ed7700870d0a96ff645e9',
      '48e86c726b9fdf752d2642e3389f0e6a17d1c892ed8424a659f97605'
    ])
  })

  it('commits to all outputs, and to none', async () => {
    const { utxo, utxoToCommit, utxoToDecommit } = snapshot
    expect(await snapshotAccumulator({ utxo, utxoToCommit, utxoToDecommit })).toEqual({
      commitment: COMMITMENT,
      hash: ACCUMULATOR
    })
    expect(await snapshotAccumulator({ utxo: {} })).toEqual({
      commitment: '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
      hash: '34758143d508cf8e757b5298b216d453759175423c5987685c8c043713bebc31'
    })
  })

  it('proves that the first output is in the set', async () => {
    const { utxo, utxoToDecommit } = snapshot
    const proof = await proveMembership({ utxo, utxoToDecommit, refs: [`${'aa'.repeat(32)}#0`] })
    expect(proof).toEqual({ commitment: COMMITMENT, accumulatorHash: ACCUMULATOR, proof: PROOF })
    expect(await verifyMembership({ ...proof, outputs: [held] })).toEqual({ ok: true })
    expect(await verifyMembership({ ...proof, outputs: [leaving] })).toMatchObject({ ok: false, reason: 'proof' })
  })

  it.each(RULES)('has the parties sign the bytes of rule %s', async (rule) => {
    expect(await signedBytes({ snapshot, rule })).toBe(SIGNED[rule])
    expect(SIGNED[rule]).toHaveLength(rule === '2.2' ? 2 * 67 : 2 * 135)
  })

  it.each(RULES)('verifies signatures over the bytes of rule %s and tells the rule', async (rule) => {
    const signatures = sign(SIGNED[rule])
    const accumulatorHash = rule === '0.20-2.1' ? {} : { accumulatorHash: ACCUMULATOR }
    const verified = { ok: true, rule, outputs: 'recomputed', unproven: [], ...accumulatorHash }
    expect(await verifySnapshot({ snapshot, signatures, parties, rule })).toEqual(verified)
    const stated = rule === '0.20-2.1' ? snapshot : { ...snapshot, accumulator: ACCUMULATOR }
    expect(await verifySnapshot({ snapshot: stated, signatures, parties })).toEqual(verified)
    for (const other of RULES.filter((each) => each !== rule)) {
      expect(await verifySnapshot({ snapshot, signatures, parties, rule: other })).toMatchObject({
        ok: false,
        reason: 'signature'
      })
    }
  })

  it('takes signatures of rule 2.3 from a node that calls itself 2.2.0, but not the other way round', async () => {
    expect(
      await verifySnapshot({ snapshot, signatures: sign(SIGNED['2.3']), parties, nodeVersion: '2.2.0-082f26c85' })
    ).toMatchObject({
      ok: true,
      rule: '2.3'
    })
    expect(
      await verifySnapshot({ snapshot, signatures: sign(SIGNED['2.2']), parties, nodeVersion: '2.2.0' })
    ).toMatchObject({ ok: true, rule: '2.2' })
    expect(
      await verifySnapshot({ snapshot, signatures: sign(SIGNED['2.2']), parties, nodeVersion: '2.3.0' })
    ).toMatchObject({ ok: false, reason: 'signature' })
  })

  it('verifies what a snapshot without outputs states, and says that they are absent', async () => {
    const { utxo: _, ...bare } = { ...snapshot, accumulator: ACCUMULATOR }
    expect(await verifySnapshot({ snapshot: bare, signatures: sign(SIGNED['2.3']), parties })).toEqual({
      ok: true,
      rule: '2.3',
      outputs: 'absent',
      accumulatorHash: ACCUMULATOR,
      unproven: []
    })
    const { utxoToDecommit: __, utxoToCommit: ___, ...light } = bare
    expect(await verifySnapshot({ snapshot: light, signatures: sign(SIGNED['2.3']), parties })).toMatchObject({
      ok: false,
      reason: 'signature'
    })
    const pendingHashes = { toCommit: NO_HASH, toDecommit: LEAVING_HASH }
    expect(
      await verifySnapshot({ snapshot: light, signatures: sign(SIGNED['2.3']), parties, pendingHashes })
    ).toMatchObject({ ok: true, outputs: 'absent' })
    expect(
      await verifySnapshot({ snapshot: bare, signatures: sign(SIGNED['2.3']), parties, pendingHashes })
    ).toMatchObject({ ok: false, reason: 'input' })
    expect(
      await verifySnapshot({ snapshot: { ...bare, accumulator: null }, signatures: sign(SIGNED['2.3']), parties })
    ).toMatchObject({
      ok: false,
      reason: 'rule'
    })
    expect(
      await verifySnapshot({ snapshot: bare, signatures: sign(SIGNED['0.20-2.1']), parties, rule: '0.20-2.1' })
    ).toMatchObject({
      ok: false,
      reason: 'rule'
    })
  })

  it('holds the outputs to the hash that the caller gives as theirs', async () => {
    const given = { snapshot, signatures: sign(SIGNED['2.3']), parties }
    expect(await verifySnapshot({ ...given, accumulator: ACCUMULATOR })).toMatchObject({ ok: true, outputs: 'given' })
    expect(await verifySnapshot({ ...given, accumulator: NO_HASH })).toMatchObject({ ok: false, reason: 'signature' })
  })

  it('tells the rule of every version', () => {
    expect(['0.20.0', '0.22.4', '1.3.0', '2.0.0', '2.1.0-abc'].map(verificationRule)).toEqual(Array(5).fill('0.20-2.1'))
    expect(['2.2.0', '2.2.0-9'].map(verificationRule)).toEqual(['2.2', '2.2'])
    expect(['2.3.0', 'v2.3.1'].map(verificationRule)).toEqual(['2.3', '2.3'])
    expect(['2.4.0', '2.4.1-099f5dd', '2.4.1-UNKNOWN'].map(verificationRule)).toEqual(Array(3).fill('2.4'))
    for (const version of ['2.5.0', '3.0.0', '2.10.0-abc', '9.9.9']) {
      expect(() => verificationRule(version)).toThrow(
        expect.objectContaining({
          code: 'VERIFICATION',
          reason: 'unknown-rule',
          versions: { node: version, newestKnown: '2.4' }
        })
      )
    }
    for (const version of ['0.19.0', '', 'master', '2.3', '2.3.0.1', undefined as never, {} as never]) {
      expect(() => verificationRule(version)).toThrow(expect.objectContaining({ code: 'VERIFICATION', reason: 'rule' }))
    }
  })
})
