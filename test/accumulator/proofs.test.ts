import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { accumulateElements } from '../../src/accumulator/accumulate'
import type { Accelerator } from '../../src/accumulator/curve'
import { checkAbsence, checkMembership, checkUpdate, proveAbsence, proveElements } from '../../src/accumulator/proofs'
import { scaled } from '../support/scale'

const { Point } = bls12_381.G1
const element = (text: string): Uint8Array => new TextEncoder().encode(text)
const elements = (count: number, prefix = 'element-'): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => element(`${prefix}${i}`))
const reason = (of: string): object => expect.objectContaining({ code: 'VERIFICATION', reason: of }) as object

/** A set and, for each of its elements, whether it is proven. */
const proofCase = fc.array(fc.record({ name: fc.string({ maxLength: 4 }), proven: fc.boolean() }), {
  minLength: 1,
  maxLength: 24
})

describe('proofs about random sets', () => {
  it('hold for every part of a set, with elements that occur twice, and not with one more', async () => {
    await fc.assert(
      fc.asyncProperty(proofCase, async (members) => {
        const set = members.map(({ name }) => element(name))
        const proven = members.filter((each) => each.proven).map(({ name }) => element(name))
        if (proven.length === 0) proven.push(set[0]!)
        const proof = await proveElements(set, proven)
        await expect(checkMembership(proof, proven)).resolves.toBeUndefined()
        const { hash } = await accumulateElements(set)
        expect(proof.accumulatorHash).toBe(hash)
        await expect(checkMembership(proof, [...proven, element('stranger')])).rejects.toEqual(reason('proof'))
      }),
      { numRuns: scaled(200) }
    )
  }, 300_000)

  it('hold for every element outside a set, and not for one inside', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 24 }), async (names) => {
        const set = names.map(element)
        const proof = await proveAbsence(set, element('stranger'))
        await expect(checkAbsence(proof, element('stranger'))).resolves.toBeUndefined()
        await expect(checkAbsence(proof, set[0]!)).rejects.toEqual(reason('proof'))
        await expect(proveAbsence(set, set[0]!)).rejects.toEqual(reason('proof'))
      }),
      { numRuns: scaled(200) }
    )
  }, 300_000)

  it('hold for every change of a set, and not for another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.nat(12), fc.nat(12), async (kept, removed, added) => {
        const [K, R, A] = [elements(kept, 'kept-'), elements(removed, 'removed-'), elements(added, 'added-')]
        const { commitment: before } = await accumulateElements([...K, ...R])
        const { commitment: after } = await accumulateElements([...K, ...A])
        await expect(checkUpdate(before, after, R, A)).resolves.toBeUndefined()
        await expect(checkUpdate(before, after, R, [...A, element('one more')])).rejects.toEqual(reason('proof'))
        if (removed !== 0 || added !== 0)
          await expect(checkUpdate(before, after, A, R)).rejects.toEqual(reason('proof'))
      }),
      { numRuns: scaled(100) }
    )
  }, 300_000)
})

describe('the limits of an accumulator', () => {
  it('proves 64 elements at once and refuses 65', async () => {
    const set = elements(70)
    const proof = await proveElements(set, set.slice(3, 67))
    await expect(checkMembership(proof, set.slice(3, 67))).resolves.toBeUndefined()
    await expect(proveElements(set, set.slice(0, 65))).rejects.toEqual(reason('too-large'))
    await expect(checkMembership(proof, set.slice(0, 65))).rejects.toEqual(reason('too-large'))
    await expect(checkUpdate(proof.commitment, proof.commitment, set.slice(0, 65), [])).rejects.toEqual(
      reason('too-large')
    )
    await expect(checkUpdate(proof.commitment, proof.commitment, [], set.slice(0, 65))).rejects.toEqual(
      reason('too-large')
    )
  })

  it('refuses 4,096 elements before it computes anything', async () => {
    const set = elements(4096)
    const never: Accelerator = {
      msm: () => {
        throw new Error('computed')
      }
    }
    await expect(accumulateElements(set, never)).rejects.toEqual(reason('too-large'))
    await expect(proveElements(set, set.slice(0, 1), never)).rejects.toEqual(reason('too-large'))
    await expect(proveAbsence(set, element('x'), never)).rejects.toEqual(reason('too-large'))
    await expect(accumulateElements(set.slice(1), never)).rejects.toEqual(reason('accelerator'))
  })

  it('proves an element as often as it is there, not once more', async () => {
    const set = [element('a'), element('a'), element('b')]
    const proof = await proveElements(set, [element('a'), element('a')])
    await expect(checkMembership(proof, [element('a'), element('a')])).resolves.toBeUndefined()
    await expect(checkMembership(proof, [element('a')])).rejects.toEqual(reason('proof'))
    await expect(proveElements(set, [element('b'), element('b')])).rejects.toEqual(reason('proof'))
  })

  it('asks for at least one element, and has nothing to say of the empty set', async () => {
    const proof = await proveElements(elements(2), elements(1))
    await expect(checkMembership({ ...proof, proof: proof.commitment }, [])).rejects.toEqual(reason('input'))
    await expect(proveAbsence([], element('a'))).rejects.toEqual(reason('proof'))
  })

  it('refuses an element that is removed and added: it would prove nothing', async () => {
    const { commitment } = await accumulateElements(elements(2))
    await expect(checkUpdate(commitment, commitment, [element('x')], [element('x')])).rejects.toEqual(reason('input'))
  })
})

describe('an accelerator', () => {
  const msm = (points: Uint8Array, scalars: readonly bigint[]): Uint8Array =>
    scalars
      .reduce(
        (sum, scalar, i) => sum.add(Point.fromBytes(points.slice(48 * i, 48 * i + 48)).multiplyUnsafe(scalar)),
        Point.ZERO
      )
      .toBytes(true)

  it('takes the place of the computation, with the same result', async () => {
    const set = elements(9)
    const calls: number[] = []
    const accelerator: Accelerator = {
      msm: async (points, scalars) => {
        calls.push(scalars.length)
        return msm(points, scalars)
      }
    }
    expect(await accumulateElements(set, accelerator)).toEqual(await accumulateElements(set))
    expect(await proveElements(set, set.slice(2, 4), accelerator)).toEqual(await proveElements(set, set.slice(2, 4)))
    expect(calls).toEqual([10, 10, 8])
  })

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no memory')
      }
    ],
    ['rejects', () => Promise.reject(new Error('no memory'))],
    ['returns nothing', () => undefined],
    ['returns bytes of another length', () => new Uint8Array(96)],
    ['returns zeros', () => new Uint8Array(48)],
    ['returns infinity', () => Uint8Array.of(0xc0, ...new Uint8Array(47))],
    ['returns a point off the curve', () => Uint8Array.of(0x80, ...new Uint8Array(46), 1)]
  ])('that %s is refused with its reason', async (_what, result) => {
    await expect(accumulateElements(elements(3), { msm: result as never })).rejects.toEqual(reason('accelerator'))
  })
})
