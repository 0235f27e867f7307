import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson, stringifyJson } from '../../src/codec/json'
import type { RecognitionMaterial } from '../../src/recognition'
import { recognise } from '../../src/recognition'
import { signedBytes, snapshotAccumulator } from '../../src/verify'
import { hexToBytes } from '../../src/codec/hex'
import { HEAD_RULES } from '../../src/recognition'
import { describeWithShared } from '../support/vectors'
import { oracle } from './oracle/oracle'
import type { RealVector } from './realVectors'
import { readRealVectors, REAL_SUMS } from './realVectors'
import { asOf, HEAD_ID, openHead, OTHER, output, OWN, PARTIES, ref, signedBundle } from './madeHead'

const FILE = join(__dirname, '..', 'vectors', 'recognition.json')
const ADA = 1_000_000

interface Vector {
  readonly name: string
  /** `made`: signed with the keys of this file's head. */
  readonly source: 'made'
  readonly headOutput: { readonly input: unknown; readonly output: unknown }
  readonly snapshot: unknown
  /** Message of the signatures: hex. */
  readonly signedBytes: string
  readonly expected: Readonly<Record<'default' | 'strict', Expected>>
}

interface Expected {
  readonly state: string
  readonly reason: string | null
  readonly settled: boolean | null
  readonly lovelace: Readonly<Record<'available' | 'arriving' | 'leaving', string>> | null
}

const PENDING = {
  none: {},
  deposit: { utxoToCommit: { [ref(4)]: output(2 * ADA) } },
  decommit: { utxoToDecommit: { [ref(5)]: output(3 * ADA) } }
}

/** Every combination of rule, pending step and distance between the snapshot and the datum. */
async function makeVectors(): Promise<Vector[]> {
  const vectors: Vector[] = []
  for (const rule of ['2.3', '2.4'] as const)
    for (const pending of ['none', 'deposit', 'decommit'] as const)
      for (const steps of [-1, 0, 1, 2])
        for (const wrong of ['', 'amount', 'signature'] as const) {
          if (wrong !== '' && steps !== 0) continue
          const depositTxId = pending === 'deposit' && rule === '2.4' ? { depositTxId: 'ef'.repeat(32) } : {}
          const utxo = { [ref(1)]: output(5 * ADA), [ref(2)]: output(7 * ADA, OTHER) }
          const bundle = await signedBundle({ rule, version: 3, number: 9, utxo, ...PENDING[pending], ...depositTxId })
          const accumulatorHash = (await snapshotAccumulator(bundle['snapshot'])).hash
          const message = await signedBytes({ snapshot: bundle['snapshot'], rule })
          const fields = rule === '2.4' ? 8 : 7
          const inside = { none: 12, deposit: steps === 1 ? 14 : 12, decommit: steps === 1 ? 12 : 15 }[pending] * ADA
          const headOutput = openHead(inside, { version: 3 + steps, accumulatorHash, fields })
          if (wrong === 'amount') bundle['snapshot'].utxo[ref(1)] = output(6 * ADA)
          if (wrong === 'signature') bundle['signatures'].multiSignature.reverse()
          const snapshot = bundle
          const distance = { '-1': 'source behind', 0: 'same version', 1: 'one step later', 2: 'two steps later' }[
            steps
          ]
          const name = `${rule}, ${pending}, ${distance}${wrong === '' ? '' : `, another ${wrong}`}`
          const vector = { name, source: 'made' as const, headOutput, snapshot, signedBytes: message }
          const expected = { default: await answerTo(vector, false), strict: await answerTo(vector, true) }
          vectors.push(parseJson(stringifyJson({ ...vector, expected })) as Vector)
        }
  return vectors
}

type Given = Pick<Vector, 'headOutput' | 'snapshot'> & Partial<Pick<RealVector, 'headId' | 'addresses'>>

async function answerTo(
  { headOutput, snapshot, headId = HEAD_ID, addresses = [OWN] }: Given,
  strict: boolean
): Promise<Expected> {
  const found = await recognise({
    headId,
    addresses,
    headOutputs: [headOutput as RecognitionMaterial['headOutputs'][number]],
    answers: [{ endpoint: 'https://head.example', status: 200, body: stringifyJson(snapshot) }],
    asOf,
    strict
  })
  const of = (part: 'available' | 'arriving' | 'leaving'): string => found.inHead?.[part][0]?.quantity ?? '0'
  return {
    state: found.state,
    reason: found.reason,
    settled: found.snapshot?.settled ?? null,
    lovelace: found.inHead && { available: of('available'), arriving: of('arriving'), leaving: of('leaving') }
  }
}

/** What must come out, told without the code under test. */
function ruleOfThumb({ name }: Vector): Omit<Expected, 'reason'> {
  const [, pending, distance, wrong] = name.split(', ') as [string, keyof typeof PENDING, string, string?]
  const none = { state: 'UNVERIFIABLE', settled: null, lovelace: null }
  if (wrong !== undefined) return none
  const lovelace = (available: number, arriving: number, leaving: number): Expected['lovelace'] => ({
    available: String(available * ADA),
    arriving: String(arriving * ADA),
    leaving: String(leaving * ADA)
  })
  const [arriving, leaving] = [pending === 'deposit' ? 2 : 0, pending === 'decommit' ? 3 : 0]
  if (distance === 'same version')
    return { state: 'VERIFIED_IN_HEAD', settled: false, lovelace: lovelace(5, arriving, leaving) }
  if (distance === 'one step later' && pending !== 'none')
    return { state: 'VERIFIED_IN_HEAD', settled: true, lovelace: lovelace(5 + arriving, 0, 0) }
  return none
}

describe('the vectors of recognition', () => {
  type RealExpected = RealVector & Pick<Vector, 'expected'>
  const file = (): { parties: string[]; vectors: Vector[]; real: RealExpected[] } =>
    parseJson(readFileSync(FILE, 'utf8')) as ReturnType<typeof file>
  const isWriting = process.env['LAYER_SDK_WRITE'] === '1'

  it('are what this package makes of the keys; LAYER_SDK_WRITE=1 writes them', async () => {
    const content = {
      source:
        'vectors: made and signed by test/recognition/vectors.test.ts; real: recorded, each with its source, which signed its snapshot',
      headId: HEAD_ID,
      addresses: [OWN],
      asOf,
      parties: PARTIES,
      vectors: await makeVectors(),
      real: isWriting ? await Promise.all(readRealVectors().map(answered)) : file().real
    }
    if (isWriting) writeFileSync(FILE, `${JSON.stringify(JSON.parse(stringifyJson(content)), null, 2)}\n`)
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(stringifyJson(content)))
  })

  it('have each combination of rule, pending step and version', () => {
    const { vectors } = file()
    expect(vectors).toHaveLength(2 * 3 * (4 + 2))
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
  })

  async function answered(vector: RealVector): Promise<RealExpected> {
    return { ...vector, expected: { default: await answerTo(vector, false), strict: await answerTo(vector, true) } }
  }

  it('have real ones, each of which names its source', () => {
    const { real, vectors } = file()
    expect(real.map(({ name }) => name)).toEqual(Object.keys(REAL_SUMS))
    for (const { source } of real) expect(source).toMatch(/^real .*MIT.*[0-9a-f]{8}/)
    for (const { source } of vectors) expect(source).toBe('made')
  })

  it.each(file().real.map((vector) => [vector.name, vector] as const))('%s', async (name, vector) => {
    const found = await answerTo(vector, false)
    expect(found).toEqual(vector.expected.default)
    const expected = REAL_SUMS[name]
    const { available, arriving, leaving } = found.lovelace ?? {}
    expect(found.lovelace && [available, arriving, leaving].map((sum) => Number(sum) / ADA)).toEqual(expected)
    expect(await answerTo(vector, true)).toEqual(vector.expected.strict)
  })

  const all: readonly (readonly [string, Given & Pick<Vector, 'expected'>])[] = [...file().vectors, ...file().real].map(
    (vector) => [vector.name, vector as Given & Pick<Vector, 'expected'>]
  )

  it.each(all)('%s: a second reading of the text answers as they say by the letter', (_, vector) => {
    const { headOutput, snapshot, headId = HEAD_ID, addresses = [OWN], expected } = vector
    const { inlineDatum, inlineDatumRaw } = headOutput.output as { inlineDatum?: string; inlineDatumRaw?: string }
    const verdict = oracle({
      headId,
      addresses,
      datums: [hexToBytes(inlineDatumRaw ?? inlineDatum!)],
      answer: { status: 200, body: stringifyJson(snapshot) }
    })
    const { state, lovelace } = expected.strict
    const sums = lovelace && [lovelace.available, lovelace.arriving, lovelace.leaving].map(BigInt)
    expect(verdict).toEqual({ state, sums })
  })

  it.each(file().vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const { reason: _reason, ...expected } = vector.expected.default
    expect(expected).toEqual(ruleOfThumb(vector))
    const strict = await answerTo(vector, true)
    expect(strict).toEqual(vector.expected.strict)
    // By the letter a later step makes a snapshot stale.
    if (expected.settled === true) expect(strict).toMatchObject({ state: 'UNVERIFIABLE', reason: 'stale' })
  })
})

describeWithShared('the recordings', () => {
  it('are the real vectors', () => {
    const { real } = JSON.parse(readFileSync(FILE, 'utf8')) as { real: (RealVector & { expected?: unknown })[] }
    for (const each of real) delete each.expected
    expect(real).toEqual(JSON.parse(stringifyJson(readRealVectors())))
  })
})

describe('the table of rules', () => {
  it('has a row for 2.3 and one for 2.4, of an open and of a closed head', () => {
    const first = (state: string): unknown[] =>
      HEAD_RULES.filter((row) => row.state === state).map(({ fields, rules }) => [fields, rules[0]])
    expect(first('open')).toEqual([
      [7, '2.3'],
      [8, '2.4']
    ])
    expect(first('closed')).toEqual([
      [9, '2.3'],
      [10, '2.4']
    ])
  })

  it('names a row that it does not have, and guesses none', async () => {
    const vector = (await makeVectors()).find(({ name }) => name === '2.4, none, same version')!
    const longer = (vector.headOutput.output as { inlineDatum: string }).inlineDatum.replace(/ffff$/, '00ffff')
    const output = { ...(vector.headOutput.output as object), inlineDatum: longer }
    const found = await answerTo({ ...vector, headOutput: { ...vector.headOutput, output } }, false)
    expect(found).toMatchObject({ state: 'UNRECOGNISED', reason: 'newer-version', lovelace: null })
  })
})
