import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson, stringifyJson } from '../../src/codec/json'
import type { RecognitionMaterial } from '../../src/recognition'
import { recognise } from '../../src/recognition'
import { signedBytes, snapshotAccumulator } from '../../src/verify'
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

async function answerTo(
  { headOutput, snapshot }: Pick<Vector, 'headOutput' | 'snapshot'>,
  strict: boolean
): Promise<Expected> {
  const found = await recognise({
    headId: HEAD_ID,
    addresses: [OWN],
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
  const file = (): { parties: string[]; vectors: Vector[] } =>
    parseJson(readFileSync(FILE, 'utf8')) as { parties: string[]; vectors: Vector[] }

  it('are what this package makes of the keys; LAYER_SDK_WRITE=1 writes them', async () => {
    const content = {
      source: 'made: test/recognition/vectors.test.ts',
      headId: HEAD_ID,
      addresses: [OWN],
      asOf,
      parties: PARTIES,
      vectors: await makeVectors()
    }
    if (process.env['LAYER_SDK_WRITE'] === '1') writeFileSync(FILE, `${JSON.stringify(content, null, 2)}\n`)
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(JSON.stringify(content)))
  })

  it('have each combination of rule, pending step and version', () => {
    const { vectors } = file()
    expect(vectors).toHaveLength(2 * 3 * (4 + 2))
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
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
