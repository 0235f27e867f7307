import type { SnapshotToVerify, VerificationRule } from '../../src/verify'
import { getProof, signedBytes, verifyOutputProof, verifySnapshot } from '../../src/verify'
import { homeVectors } from '../support/vectors'

interface SignedVector {
  readonly id: string
  readonly rule: VerificationRule
  readonly nodeVersion: string | null
  readonly snapshot: SnapshotToVerify
  readonly signedBytes?: string
  readonly signatures: readonly string[]
  readonly parties: readonly string[]
}

const vectors = homeVectors<SignedVector>('signed_snapshots')
const released = vectors.filter(({ rule }) => rule !== 'next')
const named = (list: readonly SignedVector[]): [string, SignedVector][] => list.map((each) => [each.id, each])

describe('signed snapshots of nodes from 2.4 on', () => {
  it('are there in every form, one of them from real nodes', () => {
    expect(vectors.map(({ id }) => id.replace(/-(2\.4|next)$/, ''))).toEqual([
      'recorded-2.4.1-deposit',
      'plain',
      'deposit',
      'decommit',
      'plain',
      'deposit',
      'decommit'
    ])
  })

  it.each(named(vectors))(
    'verify by their rule over the very bytes that were put together elsewhere: %s',
    async (_, vector) => {
      const { snapshot, signatures, parties, rule } = vector
      expect(await verifySnapshot({ snapshot, signatures, parties, rule })).toMatchObject({
        ok: true,
        rule,
        accumulatorHash: snapshot.accumulator
      })
      if (vector.signedBytes !== undefined) expect(await signedBytes({ snapshot, rule })).toBe(vector.signedBytes)
      const { accumulator: _a, appliedAccumulator: _b, ...unstated } = snapshot
      expect(await verifySnapshot({ snapshot: unstated, signatures, parties, rule })).toMatchObject({ ok: true, rule })
      const { utxo: _c, ...lean } = snapshot
      expect(await verifySnapshot({ snapshot: lean, signatures, parties, rule })).toMatchObject({
        ok: true,
        rule,
        outputs: 'absent'
      })
    }
  )

  it.each(named(released))(
    'verify by the version of the node, and without one by their own members: %s',
    async (_, vector) => {
      const { snapshot, signatures, parties, rule, nodeVersion } = vector
      expect(await verifySnapshot({ snapshot, signatures, parties, nodeVersion: nodeVersion! })).toMatchObject({
        ok: true,
        rule
      })
      expect(await verifySnapshot({ snapshot, signatures, parties })).toMatchObject({ ok: true, rule })
      expect(await verifySnapshot({ snapshot, signatures, parties, rule: '2.3' })).toMatchObject({
        ok: false,
        reason: 'signature'
      })
    }
  )

  it.each(named(vectors.filter(({ rule }) => rule === 'next')))(
    'of the source after 2.4.1 are named as newer unless their rule is named: %s',
    async (_, vector) => {
      const { snapshot, signatures, parties } = vector
      for (const nodeVersion of ['2.5.0', '2.4.1', undefined]) {
        const verdict = await verifySnapshot({ snapshot, signatures, parties, nodeVersion })
        expect(verdict).toMatchObject({ ok: false, reason: 'unknown-rule', versions: { newestKnown: '2.4' } })
      }
      const changed = { ...snapshot, appliedAccumulator: '00'.repeat(32) }
      expect(await verifySnapshot({ snapshot: changed, signatures, parties, rule: 'next' })).toMatchObject({
        ok: false,
        reason: 'signature'
      })
      const { utxoToCommit, utxoToDecommit } = snapshot
      if (utxoToCommit || utxoToDecommit) {
        const given = { accumulator: snapshot.accumulator!, rule: 'next' } as const
        expect(await verifySnapshot({ snapshot, signatures, parties, ...given })).toMatchObject({
          ok: false,
          reason: 'rule'
        })
      }
    }
  )

  it('name the members that contradict each other', async () => {
    const deposit = vectors.find(({ id }) => id === 'deposit-2.4')!
    const plain = vectors.find(({ id }) => id === 'plain-2.4')!
    const detail = async ({ signatures, parties }: SignedVector, snapshot: object): Promise<string> => {
      const verdict = await verifySnapshot({
        snapshot: snapshot as SnapshotToVerify,
        signatures,
        parties,
        nodeVersion: '2.4.1'
      })
      return verdict.ok ? 'holds' : `${verdict.reason}: ${verdict.detail}`
    }
    expect(await detail(deposit, { ...deposit.snapshot, depositTxId: null })).toMatch(
      /^signature: .*outputs in utxoToCommit without a depositTxId/s
    )
    expect(await detail(plain, { ...plain.snapshot, depositTxId: 'ab'.repeat(32) })).toMatch(
      /^signature: .*a depositTxId without utxoToCommit/s
    )
    expect(await detail(plain, { ...plain.snapshot, depositTxId: 'AB' })).toMatch(/^input: The depositTxId/)
  })

  it.each(named(released))(
    'give proofs of their outputs, which name the deposit beside the hashes: %s',
    async (_, vector) => {
      const { snapshot, signatures, parties, rule } = vector
      const headId = snapshot.headId
      for (const set of [snapshot.utxo, snapshot.utxoToCommit, snapshot.utxoToDecommit]) {
        for (const ref of Object.keys(set ?? {})) {
          const proof = JSON.parse(JSON.stringify(await getProof({ snapshot, signatures }, ref)))
          expect(proof.pendingHashes.depositTxId).toBe(snapshot.depositTxId)
          expect(await verifyOutputProof({ proof, headId, parties })).toMatchObject({ ok: true, rule })
          expect(await verifyOutputProof({ proof, headId, parties, nodeVersion: '2.4.1' })).toMatchObject({
            ok: true,
            rule
          })
          const check = (depositTxId: unknown): Promise<unknown> =>
            verifyOutputProof({
              proof: { ...proof, pendingHashes: { ...proof.pendingHashes, depositTxId } },
              headId,
              parties
            })
          expect(await check('ab'.repeat(32))).toMatchObject({ ok: false })
          expect(await check(undefined)).toMatchObject({ ok: false, reason: 'signature' })
          expect(await verifyOutputProof({ proof, headId, parties, nodeVersion: '2.5.0' })).toMatchObject({
            ok: false,
            reason: 'unknown-rule'
          })
          expect(await verifyOutputProof({ proof, headId, parties, rule: 'next' })).toMatchObject({
            ok: false,
            reason: 'rule'
          })
        }
      }
    }
  )
})
