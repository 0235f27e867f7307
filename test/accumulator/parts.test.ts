import { accumulateElements, accumulateInParts } from '../../src/accumulator/accumulate'

const elements = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => Uint8Array.of(i >> 8, i & 255))

describe('an accumulator that is worked out in parts', () => {
  it.each([0, 1, 63, 64, 65, 300])('is the same as in one go, for %d outputs', async (count) => {
    let pauses = 0
    const pause = async (): Promise<void> => void pauses++
    expect(await accumulateInParts(elements(count), pause)).toEqual(await accumulateElements(elements(count)))
    // A polynomial of `count` roots has one coefficient more.
    expect(pauses).toBe(Math.floor(count / 64) + (count > 256 ? 2 : 0))
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
