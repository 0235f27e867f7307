import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { utxoFromJson } from '../../src/bridge'
import { parseJson } from '../../src/codec/json'
import type { SnapshotToVerify, VerificationRule } from '../../src/verify'
import {
  accumulate,
  signedBytes,
  snapshotAccumulator,
  utxoHash,
  verifyMembership,
  verifyNonMembership,
  verifySnapshot,
  verifyUpdate
} from '../../src/verify'
import { describeWithShared, hasShared, homeVectors, readShared, SHARED } from '../support/vectors'

interface Vector extends Record<string, any> {
  readonly id: string
  readonly kind: string
}

// Not loadVectors: its JSON.parse rounds large amounts.
const shared: Vector[] = hasShared
  ? (parseJson(readShared('vectors/snapshot_accumulators.json')) as { vectors: Vector[] }).vectors
  : []
const all = [...homeVectors<Vector>('snapshot_accumulators'), ...shared]
const vectors = (kind: string): [string, Vector][] =>
  all.filter((each) => each.kind === kind).map((each) => [each.id, each])

/** The vectors' words for what is wrong, and ours. */
const REASONS: Record<string, string> = {
  signature: 'signature',
  'order of parties': 'party-order',
  accumulator: 'accumulator',
  'not in the set': 'proof',
  infinity: 'infinity'
}

const wanted = ({ expect: verdict, reason }: Vector): object =>
  verdict === 'valid' ? { ok: true } : { ok: false, reason: REASONS[reason as string] }

/** Every snapshot with an accumulator in a JSON value. */
function snapshotsIn(value: unknown, found: SnapshotToVerify[] = []): SnapshotToVerify[] {
  if (typeof value !== 'object' || value === null) return found
  if ('accumulator' in value && 'utxo' in value) found.push(value as unknown as SnapshotToVerify)
  for (const each of Object.values(value)) snapshotsIn(each, found)
  return found
}

function goldenSnapshots(version: string): { name: string; snapshot: SnapshotToVerify }[] {
  if (!hasShared) return []
  const files = (readdirSync(join(SHARED, 'node', 'golden', version), { recursive: true }) as string[])
    .filter((file) => file.endsWith('.json'))
    .sort()
  return files.flatMap((name) =>
    snapshotsIn(parseJson(readShared(`node/golden/${version}/${name}`))).map((snapshot) => ({ name, snapshot }))
  )
}

/** The vectors write large quantities as text; the node writes integers. */
const exactly = <T>(utxo: T): T => parseJson(JSON.stringify(utxo).replace(/:"(\d{16,20})"([,}])/g, ':$1$2')) as T

describeWithShared('accumulators of the node', () => {
  it.each([
    ['2.3.0', 14],
    ['master', 12]
  ] as const)('equal those stated in every golden sample of %s, %i snapshots', async (version, count) => {
    const golden = goldenSnapshots(version)
    expect(golden).toHaveLength(count)
    for (const { name, snapshot } of golden) {
      const { utxo, utxoToCommit, utxoToDecommit, accumulator } = snapshot
      expect({ name, hash: (await snapshotAccumulator({ utxo, utxoToCommit, utxoToDecommit })).hash }).toEqual({
        name,
        hash: accumulator
      })
    }
  })

  it.each(vectors('golden'))('are rebuilt from the outputs of %s, with the hashes of its sets', async (_id, vector) => {
    const { utxo, utxoToCommit, utxoToDecommit, computed } = vector
    expect(await snapshotAccumulator({ utxo, utxoToCommit, utxoToDecommit })).toEqual({
      commitment: vector['commitment'],
      hash: vector['accumulatorHash']
    })
    expect([utxo, utxoToCommit, utxoToDecommit].map((set) => utxoHash(set))).toEqual([
      computed.utxoHash,
      computed.utxoToCommitHash,
      computed.utxoToDecommitHash
    ])
    // The samples' head ids have 16 bytes, real ones 28: all that follows them is compared.
    for (const [rule, bytes] of Object.entries<string>(computed.signedBytes)) {
      const snapshot = { ...vector, headId: '00'.repeat(28) } as unknown as SnapshotToVerify
      const signed = await signedBytes({ snapshot, rule: rule as VerificationRule })
      expect(`50${vector['headId']}${signed.slice(4 + 56)}`).toBe(bytes)
    }
    expect(Object.keys(computed.signedBytes)).not.toHaveLength(0)
  })
})

describe('accumulators of sets', () => {
  it.each(vectors('commitment'))('are rebuilt from the elements of %s', async (_id, vector) => {
    const { elementsUtf8: texts } = vector
    const elements: string[] = Array.isArray(texts)
      ? texts
      : Array.from({ length: texts.to - texts.from + 1 }, (_, i) => `${texts.prefix}${texts.from + i}`)
    expect(await accumulate(elements.map((text) => new TextEncoder().encode(text)))).toEqual({
      commitment: vector['commitment'],
      hash: vector['accumulatorHash']
    })
  })
})

describeWithShared('the vectors of snapshots and proofs', () => {
  it('are all there', () => {
    expect(
      ['golden', 'commitment', 'signature', 'membership', 'nonMembership', 'delta'].map((kind) => vectors(kind).length)
    ).toEqual([12, 10, 10, 3, 1, 1])
  })

  it.each(vectors('signature'))('get the verdict of %s', async (_id, vector) => {
    const { snapshot, signatures, parties, rule, nodeVersion } = vector as any
    expect(await verifySnapshot({ snapshot, signatures, parties, rule })).toMatchObject(wanted(vector))
    expect(await verifySnapshot({ snapshot, signatures, parties, nodeVersion })).toMatchObject(wanted(vector))
    expect(
      await verifySnapshot({
        snapshot,
        signatures: { multiSignature: signatures },
        parties: parties.map((vkey: string) => ({ vkey }))
      })
    ).toMatchObject(wanted(vector))
    if (vector['expect'] === 'valid') expect(await signedBytes({ snapshot, rule })).toBe(vector['signedBytes'])
  })

  it.each(vectors('membership'))('get the verdict of membership %s', async (_id, vector) => {
    expect(await verifyMembership(vector as any)).toMatchObject(wanted(vector))
  })

  it.each(vectors('nonMembership'))('get the verdict of non-membership %s', async (_id, vector) => {
    expect(await verifyNonMembership(vector as any)).toMatchObject(wanted(vector))
  })

  it.each(vectors('delta'))('get the verdict of update %s, and the other way round none', async (_id, vector) => {
    expect(await verifyUpdate(vector as any)).toMatchObject(wanted(vector))
    const { before, after, removed, added } = vector as any
    expect(await verifyUpdate({ before, after, removed: added, added: removed })).toMatchObject({
      ok: false,
      reason: 'proof'
    })
  })

  it('have the same hash as a list of UTxOs', () => {
    const golden = vectors('golden')
    for (const [, { utxo, computed }] of golden) expect(utxoHash(utxoFromJson(exactly(utxo)))).toBe(computed.utxoHash)
    expect(golden).not.toHaveLength(0)
    expect(utxoHash([])).toBe(createHash('sha256').digest('hex'))
  })
})
