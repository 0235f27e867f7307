import { accumulateElements, accumulateInParts } from '../../src/accumulator/accumulate'

const elements = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => Uint8Array.of(i >> 8, i & 255))

describe('an accumulator that is worked out in parts', () => {
  it.each([0, 1, 31, 32, 63, 64, 65, 255, 256, 300])('is the same as in one go, for %d outputs', async (count) => {
    const pause = (): Promise<void> => Promise.resolve()
    expect(await accumulateInParts(elements(count), pause)).toEqual(await accumulateElements(elements(count)))
  })

  it('pauses after each part: points that are decoded, a table, roots, coefficients, and a sum', async () => {
    const pausesOf = async (count: number): Promise<number> => {
      let pauses = 0
      await accumulateInParts(elements(count), async () => void pauses++)
      return pauses
    }
    const first = await pausesOf(700)
    const second = await pausesOf(700)
    // 701 coefficients: 11 tables of 64 points, whose parts of 32 are decoded at the first time alone.
    expect(second).toBeGreaterThan(10)
    expect(first - second).toBeGreaterThanOrEqual(2 * 6)
    expect(first - second).toBeLessThanOrEqual(3 * 11)
  })

  it('is the same for two sets at once that need the same points for the first time', async () => {
    const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    const sets = [elements(1_100), elements(1_150)]
    const atOnce = await Promise.all(sets.map((set) => accumulateInParts(set, pause)))
    // A copy of the module without tables sums in one go.
    await jest.isolateModulesAsync(async () => {
      const { accumulateElements: inOneGo } = await import('../../src/accumulator/accumulate')
      expect(atOnce).toEqual([await inOneGo(sets[0]!), await inOneGo(sets[1]!)])
    })
  })

  it('ends with what a pause rejects with, and refuses more outputs than the setup has points for', async () => {
    let pauses = 0
    const ending = accumulateInParts(elements(200), async () => {
      if (++pauses === 2) throw new Error('enough')
    })
    await expect(ending).rejects.toThrow('enough')
    expect(pauses).toBe(2)
    await expect(accumulateInParts(elements(4_096), async () => {})).rejects.toMatchObject({
      code: 'VERIFICATION',
      reason: 'too-large'
    })
  })
})
