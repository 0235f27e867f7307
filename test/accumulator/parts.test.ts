import { accumulateElements, accumulateInParts } from '../../src/accumulator/accumulate'

const elements = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => Uint8Array.of(i >> 8, i & 255))

describe('an accumulator that is worked out in parts', () => {
  it.each([0, 1, 31, 32, 63, 64, 65, 255, 256, 300])('is the same as in one go, for %d outputs', async (count) => {
    const pause = (): Promise<void> => Promise.resolve()
    expect(await accumulateInParts(elements(count), pause)).toEqual(await accumulateElements(elements(count)))
  })

  it('pauses after each part: points that are decoded, roots, coefficients, and a sum', async () => {
    let pauses = 0
    const pause = async (): Promise<void> => void pauses++
    await accumulateInParts(elements(700), pause)
    pauses = 0
    await accumulateInParts(elements(700), pause)
    // 701 points by a window of 8 bits: 33 times about 701 additions, 1,024 a part.
    expect(pauses).toBeGreaterThan(22)
    expect(pauses).toBeLessThan(60)
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
