import { openSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { readRecording } from '../../../src/cli/recording/readRecording'
import { replayRecording } from '../../../src/cli/recording/replay/replay'
import { stringifyJson } from '../../../src/codec/json'
import { nodeSamples } from '../../support/nodeMessages'
import { greetings, HEAD_ID, snapshotConfirmed } from '../../support/scriptedNode'
import { fullRun } from '../../support/scale'
import type { SignedRecording } from '../../support/recordings'
import { readRecording as readReal } from '../../support/recordings'
import { describeWithShared, SHARED } from '../../support/vectors'
import { append, END, HEADER, newFolder, recordingOf, replayed, run } from './support'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true }))
const path = (name: string): string => join(folder, name)
const frame = (message: unknown, at = 5): object => ({ at, frame: message })
const WHOLE = [frame(greetings()), frame(snapshotConfirmed(1)), frame(snapshotConfirmed(2)), END]

describe('a recording that is damaged', () => {
  it('names the line and the byte at which a last line is torn, and reads all before it', async () => {
    const file = recordingOf(path('torn'), WHOLE)
    const text = readFileSync(file)
    const lines = text.toString().trimEnd().split('\n')
    const start = lines.slice(0, -2).join('\n').length + 1
    truncateSync(file, start + 40)
    const { code, report } = await replayed(file)
    expect(code).toBe(1)
    expect(report.cutShort).toEqual({ line: 5, byte: start, reason: 'cut short after 40 bytes' })
    expect([report.frames, report.brokenCount, report.reached.snapshotNumber]).toEqual([2, 0, 1])
  })

  it('says so when whole lines are missing at the end', async () => {
    const { code, report } = await replayed(recordingOf(path('endless'), WHOLE.slice(0, -1)))
    expect([code, report.cutShort.line]).toEqual([1, 5])
  })

  it('cuts every recording anywhere with a place, and never an exception', async () => {
    const text = readFileSync(recordingOf(path('anywhere'), WHOLE))
    for (let length = HEADER.length + 1; length < text.length - 1; length += 37) {
      writeFileSync(path('part'), text.subarray(0, length))
      const { cutShort } = await replayRecording(path('part'), { keys: null })
      expect(cutShort!.byte).toBeLessThanOrEqual(length)
    }
  }, 60_000)

  it.each([
    ['no JSON', '{"at":5,"frame":{"tag":"Greetings"', 'not JSON'],
    ['bytes', '\u0000\u0001\ufffd', 'not JSON'],
    ['no object', '[1,2]', 'no object'],
    ['no time', '{"frame":{}}', 'no time'],
    ['a time that is none', '{"at":"5","frame":{}}', 'no time'],
    ['no known entry', '{"at":5,"telegram":{}}', 'no entry of this format'],
    ['an event by the name of a prototype', '{"at":5,"event":"constructor"}', 'no entry of this format'],
    ['an answer without a body', '{"at":5,"get":"/head","status":200}', 'no entry of this format']
  ])('names a line in the middle that is %s, and goes on after it', async (_, line, reason) => {
    const file = recordingOf(path('middle'), [WHOLE[0]!, line, ...WHOLE.slice(1)])
    const { code, report } = await replayed(file)
    expect(code).toBe(1)
    expect(report.broken).toEqual([{ line: 4, byte: expect.any(Number), reason }])
    expect([report.brokenCount, report.frames, report.reached.snapshotNumber]).toEqual([1, 3, 2])
  })

  const LARGE_MB = fullRun ? 100 : 20

  it(`reads a message of ${LARGE_MB} MB, and names a line of ${LARGE_MB} MB that is none`, async () => {
    const file = recordingOf(path('large'), [WHOLE[0]!])
    const filler = 'x'.repeat(LARGE_MB * 1_000_000)
    append(file, `{"at":6,"frame":{"tag":"Enormous","text":"${filler}"}}\n${filler}\n${END}\n`)
    const { code, report } = await replayed(file)
    expect(code).toBe(1)
    expect(report.unknownTags).toEqual([{ tag: 'Enormous', count: 1, line: 4, byte: expect.any(Number) }])
    expect(report.broken).toEqual([{ line: 5, byte: expect.any(Number), reason: 'not JSON' }])
  }, 120_000)

  it('holds nothing of a line beyond its limit', async () => {
    const file = recordingOf(path('beyond'), [WHOLE[0]!])
    const target = openSync(file, 'a')
    for (let i = 0; i < 64; i++) writeSync(target, 'y'.repeat(1_000_000))
    writeSync(target, `\n${END}\n`)
    closeSync(target)
    const { broken, cutShort } = await replayRecording(file, { keys: null, maxLineBytes: 1_000_000 })
    expect(broken.map(({ line, reason }) => [line, reason])).toEqual([[4, 'a line of 64000000 bytes']])
    expect(cutShort).toBeNull()
  })

  it.each([
    ['an empty file', '', 'is empty'],
    ['something else', 'hello\n', 'cannot be replayed: expected a recording'],
    ['JSON of something else', '{"name":"x"}', 'cannot be replayed: expected a recording'],
    ['a newer format', '{"recording":2}\n', 'has format 2']
  ])('refuses %s in one sentence', async (_, text, sentence) => {
    writeFileSync(path('other'), text)
    const { code, errors } = await run(['replay', path('other')])
    expect([code, errors.split('\n').length]).toEqual([1, 1])
    expect(errors).toContain(sentence)
  })

  it('refuses a file that is not there, and wrong usage', async () => {
    expect((await run(['replay', path('none')])).errors).toContain('cannot be read (ENOENT)')
    expect((await run(['replay'])).code).toBe(2)
    expect((await run(['replay', path('torn'), '--keys', 'ab'])).code).toBe(2)
    writeFileSync(
      path('secret.sk'),
      JSON.stringify({ type: 'HydraSigningKey_ed25519', cborHex: `5820${'ab'.repeat(32)}` })
    )
    const secret = await run(['replay', path('torn'), '--keys', path('secret.sk')])
    expect(secret.code).toBe(2)
    expect(secret.errors).not.toContain('abab')
  })
})

describe('what is not understood', () => {
  it('counts unknown tags and members, and names frames that cannot be decoded, with their places', async () => {
    const odd = snapshotConfirmed(3) as { snapshot: object }
    const file = recordingOf(path('odd'), [
      ...WHOLE.slice(0, -1),
      frame({ tag: 'HeadIsDancing', headId: HEAD_ID }),
      frame({ tag: 'HeadIsDancing', headId: HEAD_ID }),
      frame({ ...odd, mood: 1, snapshot: { ...odd.snapshot, colour: 'red' } }),
      frame({ ...snapshotConfirmed(4), mood: 2 }),
      frame({ tag: 'SnapshotConfirmed' }),
      { at: 5, frameText: '{"tag":' },
      frame(7),
      { at: 5, event: 'bytes', length: 12 },
      { at: 6, get: '/head', status: 200, body: [] },
      { at: 6, get: '/telegram', status: 200, body: {} },
      END
    ])
    const { code, report } = await replayed(file)
    expect([code, report.understood]).toEqual([1, false])
    expect(report.unknownTags).toEqual([{ tag: 'HeadIsDancing', count: 2, line: 6, byte: expect.any(Number) }])
    expect(report.unknownMembers).toEqual([
      { member: 'SnapshotConfirmed.mood', count: 2 },
      { member: 'SnapshotConfirmed.snapshot.colour', count: 1 }
    ])
    expect(report.undecodable.map(({ line }: { line: number }) => line).sort()).toEqual([10, 11, 12, 13, 14, 15])
    expect(report.undecodableCount).toBe(6)
    expect(report.reached.snapshotNumber).toBe(4)
  })

  it('does not grow with made-up members and tags', async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => frame({ tag: 'NetworkConnected', [`member${i}`]: 1 }))
    const tags = Array.from({ length: 3_000 }, (_, i) => frame({ tag: `Tag${i}` }))
    const report = await replayRecording(recordingOf(path('many'), [WHOLE[0]!, ...many, ...tags, END]), { keys: null })
    expect(report.unknownMembers.length).toBeLessThanOrEqual(101)
    expect(report.unknownMembers.reduce((sum, [, count]) => sum + count, 0)).toBe(3_000)
    expect(report.unknownTags.size).toBeLessThanOrEqual(101)
    expect([...report.unknownTags.values()].reduce((sum, { count }) => sum + count, 0)).toBe(3_000)
  })

  it('knows every member of every message of every version of the node', async () => {
    const messages = nodeSamples(/ServerOutput|Greetings/).map(({ value }) => value)
    expect(messages.length).toBeGreaterThan(50)
    const lines = messages.map((message) => `{"at":5,"frame":${stringifyJson(message)}}`)
    const report = await replayRecording(recordingOf(path('samples'), [...lines, END]), { keys: null })
    expect(report.unknownMembers).toEqual([])
    expect([...report.unknownTags.keys()]).toEqual([])
    expect(report.undecodable).toEqual([])
  }, 60_000)

  it('keeps a gap apart from a snapshot that does not follow', async () => {
    const utxo = {
      [`${'ab'.repeat(32)}#0`]: {
        address: 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw',
        value: { lovelace: 5 }
      }
    }
    const file = recordingOf(path('gap'), [
      frame(greetings()),
      frame(snapshotConfirmed(1)),
      frame(snapshotConfirmed(4)),
      frame(snapshotConfirmed(5, { utxo })),
      END
    ])
    const { code, report } = await replayed(file)
    expect(code).toBe(1)
    expect(report.transitions).toMatchObject({
      gap: 1,
      broken: 1,
      list: [
        { from: 1, to: 4, verdict: 'gap', line: 5 },
        { from: 4, to: 5, verdict: 'broken', line: 6, reason: expect.stringContaining('utxo') }
      ]
    })
  })
})

it('leaves escape sequences of a recording off the terminal', async () => {
  const file = recordingOf(path('steered'), [...WHOLE.slice(0, -1), frame({ tag: '\u001b[2JEvil' }), END])
  const { out } = await run(['replay', file])
  expect(out).toContain('[2JEvil')
  expect(out).not.toContain('\u001b')
})

describeWithShared('recordings of real nodes', () => {
  const real = join(SHARED, 'real')
  const files = readdirSync(real).filter((name) => name.endsWith('.json'))
  const signed = (): SignedRecording => readReal<SignedRecording>('signed-snapshots-2.4.1')

  it.each(files)('%s is understood whole', async (name) => {
    const { code, report } = await replayed(join(real, name))
    expect([code, report.understood]).toEqual([0, true])
    const kinds: string[] = []
    for await (const { kind } of readRecording(join(real, name))) kinds.push(kind)
    expect(kinds.some((kind) => ['frame', 'answer', 'shape'].includes(kind))).toBe(true)
  })

  it('the signed snapshots of 2.4.1 are signed by the keys, follow from one another, and pass a verifying bridge', async () => {
    const { code, report } = await replayed(
      join(real, 'signed-snapshots-2.4.1.json'),
      '--keys',
      signed().partyKeys.join()
    )
    expect(code).toBe(0)
    expect(report.snapshots.list.map(({ verdict, reason }: any) => [verdict, reason])).toEqual([
      ['signed', 'rule 2.4'],
      ['signed', 'rule 2.4']
    ])
    expect(report.transitions.follows).toBe(1)
    expect(report.reached).toMatchObject({ snapshotNumber: 2, outputs: 2, unverified: 0, protocolErrors: 0 })
  })

  it('the keys of another head refuse every snapshot, and the bridge shows none', async () => {
    const [first, second] = signed().partyKeys
    const { code, report } = await replayed(join(real, 'signed-snapshots-2.4.1.json'), '--keys', `${second},${first}`)
    expect(code).toBe(1)
    expect(report.snapshots.refused).toBe(2)
    expect(report.reached.unverified).toBeGreaterThan(0)
    expect(report.reached.snapshotNumber).toBeNull()
  })

  it('one changed lovelace in a real snapshot is refused, by the signature and by the transition', async () => {
    const recording = signed()
    const forged = structuredClone(recording.withoutDeposit) as any
    const output = Object.values<any>(forged.snapshot.utxo)[0]
    output.value.lovelace += 1
    writeFileSync(path('forged.json'), stringifyJson({ ...recording, withoutDeposit: forged }))
    const { code, report } = await replayed(path('forged.json'))
    expect(code).toBe(1)
    expect([report.snapshots.signed, report.snapshots.refused, report.transitions.broken]).toEqual([1, 1, 1])
  })
})
