import { loadCurve } from '../../src/accumulator/curve'
import { OutputEncoder } from '../../src/accumulator/OutputEncoder'
import { sha256 } from '../../src/accumulator/sha256'
import type { Accelerator, RecognitionMaterial } from '../../src/recognition'
import { recognise, SetMemo } from '../../src/recognition'
import { snapshotAccumulator, verifySnapshot } from '../../src/verify'
import { closedDatum, headOutput } from './headOutputs'
import { asOf, HEAD_ID, material, openHead, OTHER, output, OWN, PARTIES, ref, signedBundle, sums } from './madeHead'

jest.mock('../../src/accumulator/sha256', () => {
  const actual: typeof import('../../src/accumulator/sha256') = jest.requireActual('../../src/accumulator/sha256')
  return { ...actual, sha256: jest.fn(actual.sha256) }
})

const ADA = 1_000_000
const encoded = jest.spyOn(OutputEncoder.prototype, 'append')
const hashed = sha256 as jest.MockedFunction<typeof sha256>

/** The default sum, counted. */
function counting(): Accelerator & { sums: number } {
  const accelerator = {
    sums: 0,
    async msm(_points: Uint8Array, scalars: readonly bigint[]) {
      accelerator.sums++
      return (await (await loadCurve()).commit(scalars)).toBytes(true)
    }
  }
  return accelerator
}

/** Work of a call: outputs that are encoded, SHA-256 of few bytes, and sums over the setup's points. */
async function workOf(run: (accelerator: Accelerator) => Promise<unknown>): Promise<Record<string, number>> {
  const accelerator = counting()
  encoded.mockClear()
  hashed.mockClear()
  await run(accelerator)
  return { encoded: encoded.mock.calls.length, hashed: hashed.mock.calls.length, sums: accelerator.sums }
}

const outputs = (count: number): Record<string, object> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [ref(i + 1), output(ADA + i, i % 3 === 0 ? OWN : OTHER)]))
const lovelace = (count: number): number => count * ADA + (count * (count - 1)) / 2

describe('the work of recognition', () => {
  it.each([5, 40])('is that of verifySnapshot, and no more, for %d outputs', async (count) => {
    const bundle = await signedBundle({ utxo: outputs(count) })
    const { snapshot, signatures } = bundle as { snapshot: never; signatures: never }
    const verified = await workOf(async (accelerator) =>
      expect(await verifySnapshot({ snapshot, signatures, parties: PARTIES, rule: '2.4', accelerator })).toMatchObject({
        ok: true,
        outputs: 'recomputed'
      })
    )
    expect(verified).toMatchObject({ encoded: count, sums: 1 })
    const given = material(openHead(lovelace(count)), bundle)
    const recognised = await workOf(async (accelerator) =>
      expect((await recognise({ ...given, accelerator })).state).toBe('VERIFIED_IN_HEAD')
    )
    expect(recognised).toEqual(verified)
  })

  it('is one sum for several endpoints with the same outputs, and none with a memo that has them', async () => {
    const bundle = await signedBundle({ utxo: outputs(20) })
    const answers = ['a', 'b', 'c'].map((name) => ({ endpoint: `https://${name}.example`, status: 200, body: bundle }))
    const memo = new SetMemo()
    const given: RecognitionMaterial = { ...material(openHead(lovelace(20)), ''), answers }
    const look = async (more: object): Promise<Record<string, number>> =>
      workOf(async (accelerator) =>
        expect((await recognise({ ...given, accelerator, ...more })).evidence.endpoints.map(({ ok }) => ok)).toEqual([
          true,
          true,
          true
        ])
      )
    expect(await look({})).toMatchObject({ sums: 1 })
    expect(await look({ memo })).toMatchObject({ sums: 1 })
    expect(await look({ memo })).toMatchObject({ sums: 0 })
  })

  it('is one sum for a closing head, whether the chain or the signatures prove the outputs', async () => {
    const bundle = await signedBundle({ utxo: outputs(20), number: 4 })
    const closedWith = async (utxo: object): Promise<RecognitionMaterial> => {
      const { commitment } = await snapshotAccumulator({ utxo: utxo as never })
      const datum = closedDatum({
        headId: HEAD_ID,
        parties: PARTIES,
        version: 0,
        number: 4,
        deadlineMs: asOf.timeMs + 1,
        commitment
      })
      return material(headOutput(HEAD_ID, lovelace(20) + 2_500_000, datum), bundle)
    }
    const same = await closedWith(outputs(20))
    const proven = await workOf(async (accelerator) =>
      expect((await recognise({ ...same, accelerator })).evidence.set).toBe('on-chain')
    )
    expect(proven).toMatchObject({ sums: 1 })
    const other = await closedWith(outputs(19))
    const signed = await workOf(async (accelerator) => {
      const found = await recognise({ ...other, accelerator })
      expect([found.inHead, found.lastVerified?.snapshot.number]).toEqual([null, 4])
    })
    expect(signed).toMatchObject({ sums: 1 })
  })

  it('is one sum for each commitment where an endpoint without keys shows other outputs again and again', async () => {
    const closedWith = async (utxo: object): Promise<ReturnType<typeof headOutput>> => {
      const { commitment } = await snapshotAccumulator({ utxo: utxo as never })
      const deadlineMs = asOf.timeMs + 1
      const datum = closedDatum({ headId: HEAD_ID, parties: PARTIES, version: 0, number: 4, deadlineMs, commitment })
      return headOutput(HEAD_ID, lovelace(20) + 2_500_000, datum)
    }
    const bundle = await signedBundle({ utxo: outputs(20), number: 4 })
    const unsigned = { ...bundle, signatures: { multiSignature: [] } }
    // Of equal worth: some lovelace is moved from one output to another.
    const moved = (n: number): object => {
      const [[from, first], [to, second], ...others] = Object.entries<any>(outputs(20)) as [any, any]
      const worth = (each: any, more: number): object => ({ ...each, value: { lovelace: each.value.lovelace + more } })
      return Object.fromEntries([[from, worth(first, -n)], [to, worth(second, n)], ...others])
    }
    const guess = (n: number): object => ({ ...unsigned, snapshot: { ...bundle['snapshot'], utxo: moved(n) } })
    const memo = new SetMemo()
    const sumsOf = async (head: ReturnType<typeof headOutput>, shown: object): Promise<[number, string | null]> => {
      let set: string | null = null
      const { sums: count } = await workOf(async (accelerator) => {
        ;({ set } = (await recognise({ ...material(head, shown), accelerator, memo })).evidence)
      })
      return [count!, set]
    }
    const head = await closedWith(outputs(20))
    expect(await sumsOf(head, guess(1))).toEqual([1, null])
    for (let n = 2; n < 12; n++) expect(await sumsOf(head, guess(n))).toEqual([0, null])
    // Outputs that are worth more or less cost nothing at all.
    const poor = { ...unsigned, snapshot: { ...bundle['snapshot'], utxo: outputs(19) } }
    expect(await sumsOf(await closedWith(outputs(18)), poor)).toEqual([0, null])
    // Signatures make a difference, and so does a contest: its commitment is another one.
    expect(await sumsOf(head, bundle)).toEqual([1, 'on-chain'])
    expect(await sumsOf(await closedWith(moved(12)), guess(12))).toEqual([1, 'on-chain'])
  })

  it('of a large head leaves the thread to others: 256 outputs at most are read or hashed in one turn', async () => {
    const count = 600
    const bundle = await signedBundle({ utxo: outputs(count) })
    const given = material(openHead(lovelace(count)), bundle)
    encoded.mockClear()
    hashed.mockClear()
    let turns = 0
    let isDone = false
    const turn = (): void => {
      most = Math.max(most, encoded.mock.calls.length, hashed.mock.calls.length)
      encoded.mockClear()
      hashed.mockClear()
      turns++
      if (!isDone) setImmediate(turn)
    }
    let most = 0
    setImmediate(turn)
    const found = await recognise(given)
    isDone = true
    turn()
    expect(sums(found.inHead)?.[0]).toBeGreaterThan(0)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(260)
    // Three parts that are read, two pauses each between hashes, roots and texts, and 26 parts of the sum at least.
    expect(turns).toBeGreaterThan(35)
  })

  it('on many tokens that were minted inside grows with the outputs, not with their product', async () => {
    const policy = (i: number): string => i.toString(16).padStart(56, '0')
    const minted = (count: number): Record<string, object> =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [ref(i + 1), output(ADA, OWN, { [policy(i)]: { aa: 1, bb: 2 } })])
      )
    const count = 200
    const bundle = await signedBundle({ utxo: minted(count) })
    const deleted = jest.spyOn(Map.prototype, 'delete')
    const found = await recognise(material(openHead(count * ADA), bundle))
    const calls = deleted.mock.calls.length
    deleted.mockRestore()
    expect(found.inHead?.mintedInside).toHaveLength(2 * count)
    expect(found.inHead?.available).toEqual([{ unit: 'lovelace', quantity: String(count * ADA) }])
    expect(calls).toBeLessThan(4 * count)
  })
})
