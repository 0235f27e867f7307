import { randomSource } from '../support/random'
import { RECORDED } from '../support/recordingChecks'
import type { ReadText } from '../support/recordingChecks'
import { fullRun } from '../support/scale'
import { describeWithShared, readShared } from '../support/vectors'

// What real nodes said is held by its content, and not by a digest: any other byte contradicts something.

const SAMPLES = fullRun ? 400 : 40
const read: ReadText = (name) => readShared(`real/${name}.json`)

const isAccepted = (name: string, reader: ReadText): Promise<boolean> =>
  RECORDED[name]!(reader).then(
    () => true,
    () => false
  )

it('checks the content of seven recordings, of 2.3.0 and 2.4.1', () => {
  expect(Object.keys(RECORDED)).toHaveLength(7)
  expect(Object.keys(RECORDED).filter((name) => /2\.[34]/.test(name)).length).toBeGreaterThan(1)
})

describeWithShared('a recording of real nodes', () => {
  it.each(Object.keys(RECORDED))('says what the others, the package and another library say: %s', async (name) => {
    await RECORDED[name]!(read)
  })

  it.each(Object.keys(RECORDED))(
    'is refused when a bit of any of its bytes is flipped: %s',
    async (name) => {
      const random = randomSource(`flips of ${name}`)
      const bytes = Buffer.from(read(name))
      const accepted: string[] = []
      for (let i = 0; i < SAMPLES; i++) {
        const [at, bit] = [random.below(bytes.length), random.below(7)]
        const copy = Buffer.from(bytes)
        copy[at]! ^= 1 << bit
        const text = copy.toString()
        if (await isAccepted(name, (other) => (other === name ? text : read(other))))
          accepted.push(`byte ${at}: ${text.slice(at - 20, at + 20)}`)
      }
      expect(accepted).toEqual([])
    },
    300_000
  )
})
