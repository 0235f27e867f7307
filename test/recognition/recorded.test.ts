import { stringifyJson } from '../../src/codec/json'
import type { RecognitionMaterial } from '../../src/recognition'
import { createMemoryStore, readHeadDatum, recognise } from '../../src/recognition'
import { recogniseWithRecord } from '../../src/recognition/recognise'
import { readRecording } from '../support/recordings'
import type { SignedRecording } from '../support/recordings'
import { describeWithShared } from '../support/vectors'
import { ada, EMPTY_ACCUMULATOR, headOutput, openDatum } from './headOutputs'

const asOf = { slot: 132501700, timeMs: 1788184900000 }
const ALICE =
  'addr_test1qpx9yesfls03wgndzhlky004w4hxufdmcfyqxrpermkmjna44xhhddygcelx5v0qlp7gyxl6acpefensvr5appn52h7qu0fszr'
const BOB =
  'addr_test1qr5mwaf40wlmlnd693ekh4nfu4j3pk625udtxs0efwxjfmuaeqakx8ue32v38vmn70ky75yvvfvgwptj3qkvft3dhudsp5a8sy'
const NODE = 'addr_test1vqau6vf2cc0p4s409yuyy4ep0nl0ax7zh3dj0vt4dlvtfmq48yln5'
/** The accumulator of one output of 200 ada, recorded in the datum and in a snapshot. */
const ONE_OUTPUT = 'cf320abfaae6f354712a36cf0f9034aed536c943f46f74eb9e6c145d7cb1c19d'

const answerOf = (body: unknown): RecognitionMaterial['answers'][number] => ({
  endpoint: 'https://head.example',
  status: 200,
  body: stringifyJson(body)
})

describe('a head that the base ledger does not hold', () => {
  it('is NO_HEAD, with a 404 of its endpoint or without an answer', async () => {
    const material = { headId: '2b'.repeat(28), addresses: [ALICE], headOutputs: [], asOf }
    const gone = { endpoint: 'https://head.example', status: 404, body: '' }
    for (const answers of [[], [gone]]) {
      expect(await recognise({ ...material, answers })).toMatchObject({ state: 'NO_HEAD', reason: null, inHead: null })
    }
  })
})

describeWithShared('the recording of 2.3.0', () => {
  const material = (): RecognitionMaterial => {
    const { contents } = readRecording('head-2.3.0')
    const [[ref, output]] = Object.entries<any>(contents.chainState.spendableUTxO) as [[string, any]]
    const [txHash, index] = ref.split('#') as [string, string]
    return {
      headId: contents.headId,
      addresses: [ALICE, BOB, NODE],
      headOutputs: [{ input: { txHash, index: Number(index) }, output }],
      answers: [answerOf(readRecording('snapshot-2.3.0'))],
      asOf
    }
  }

  it('is verified by rule 2.3 with 200 ada: 60, 25 and 115', async () => {
    const found = await recognise(material())
    expect(found).toMatchObject({
      state: 'VERIFIED_IN_HEAD',
      reason: null,
      snapshot: { number: 316, version: 1, rule: '2.3', settled: false },
      evidence: { rule: '2.3', signatures: 2, set: 'recomputed', version: 'equal', backed: true, parties: 'datum' }
    })
    const { available, byAddress, arriving, leaving } = found.inHead!
    expect([ada(available), arriving, leaving]).toEqual([200, [], []])
    expect([ALICE, BOB, NODE].map((each) => ada(byAddress[each]!.available))).toEqual([60, 25, 115])
    expect(found.evidence.anchor?.scriptHash).toBe('2b91a7e666575a2465b8c7f6a7f960d5870cf13694a67f3215e014c5')
  })

  it('reads the datum of seven fields', () => {
    const { headOutputs, headId } = material()
    expect(readHeadDatum(headOutputs[0]!.output, headId)).toMatchObject({
      ok: true,
      datum: { state: 'open', fields: 7, contestationPeriodMs: 220_000, depositPeriodMs: null, version: 1 },
      backing: new Map([['lovelace', 200_000_000n]])
    })
  })

  it('sums the addresses of the wallet alone, on whatever network they are written', async () => {
    const found = await recognise({ ...material(), addresses: [BOB] })
    expect(ada(found.inHead!.available)).toBe(25)
    expect(found.inHead!.outputs).toHaveLength(1)
  })

  it('answers NO_HEAD without a head output, whatever the endpoint says', async () => {
    const answers = [{ endpoint: 'https://head.example', status: 404, body: '' }]
    expect(await recognise({ ...material(), headOutputs: [], answers })).toMatchObject({
      state: 'NO_HEAD',
      reason: null
    })
    expect(await recognise({ ...material(), answers })).toMatchObject({ state: 'UNVERIFIABLE', reason: 'refused' })
  })

  it('refuses an earlier snapshot than the one that the store has', async () => {
    const given = material()
    const store = createMemoryStore()
    const { record } = await recogniseWithRecord(given)
    await store.set(given.headId, { ...record!, number: 317 })
    const known = (await store.get(given.headId))!
    const found = await recognise({ ...given, known })
    expect(found).toMatchObject({ state: 'UNVERIFIABLE', reason: 'rollback', inHead: null })
    // What was verified before stays on show, marked with its number.
    expect(ada(found.lastVerified!.inHead.available)).toBe(200)
  })

  it('is unbacked when the head output holds a lovelace less', async () => {
    const given = material()
    const [{ input, output }] = given.headOutputs as [any]
    const value = { ...output.value, lovelace: output.value.lovelace - 1 }
    const found = await recognise({ ...given, headOutputs: [{ input, output: { ...output, value } }] })
    expect(found).toMatchObject({ state: 'UNVERIFIABLE', reason: 'unbacked', inHead: null })
  })
})

describeWithShared('the recordings of 2.4.1', () => {
  const { headId, partyKeys: parties, withDeposit, withoutDeposit } = readRecordingSafely()
  const at = (
    version: number,
    accumulatorHash: string,
    body: unknown,
    more: Partial<RecognitionMaterial> = {}
  ): RecognitionMaterial => ({
    headId,
    addresses: [ALICE, NODE],
    headOutputs: [
      headOutput(
        headId,
        version === 0 ? 2_500_000 : 202_500_000,
        openDatum({ headId, parties, version, accumulatorHash })
      )
    ],
    answers: [answerOf(body)],
    asOf,
    ...more
  })

  it('have nothing available and 200 ada arriving before the increment', async () => {
    const found = await recognise(at(0, EMPTY_ACCUMULATOR, withDeposit))
    expect(found).toMatchObject({ state: 'VERIFIED_IN_HEAD', snapshot: { number: 1, rule: '2.4', settled: false } })
    expect([ada(found.inHead!.available), ada(found.inHead!.arriving)]).toEqual([0, 200])
  })

  it('are settled after it: 200 ada available, by the letter stale', async () => {
    const settled = at(1, ONE_OUTPUT, withDeposit)
    const found = await recognise(settled)
    expect(found).toMatchObject({
      state: 'VERIFIED_IN_HEAD',
      snapshot: { settled: true },
      evidence: { version: 'settled', deviations: ['U1'] }
    })
    expect([ada(found.inHead!.available), ada(found.inHead!.arriving)]).toEqual([200, 0])
    expect(await recognise({ ...settled, strict: true })).toMatchObject({ state: 'UNVERIFIABLE', reason: 'stale' })
    // Another accumulator in the datum: another snapshot was carried out.
    expect(await recognise(at(1, EMPTY_ACCUMULATOR, withDeposit))).toMatchObject({ reason: 'stale' })
    expect(await recognise(at(2, ONE_OUTPUT, withDeposit))).toMatchObject({ reason: 'stale' })
  })

  it('have 40 and 160 ada in the next snapshot', async () => {
    const found = await recognise(at(1, ONE_OUTPUT, withoutDeposit))
    expect([ALICE, NODE].map((each) => ada(found.inHead!.byAddress[each]!.available))).toEqual([40, 160])
    expect(await recognise(at(0, EMPTY_ACCUMULATOR, withoutDeposit))).toMatchObject({ reason: 'source-behind' })
  })

  it('use the newest of several endpoints that verifies', async () => {
    const both = [answerOf(withDeposit), answerOf(withoutDeposit), { endpoint: 'x', status: 0, body: '' }]
    const found = await recognise(at(1, ONE_OUTPUT, withDeposit, { answers: both }))
    expect(found.snapshot).toMatchObject({ number: 2 })
    expect(found.evidence.endpoints.map(({ ok, reason }) => [ok, reason])).toEqual([
      [true, null],
      [true, null],
      [false, 'unreachable']
    ])
  })

  it('are not those of pinned keys in another order', async () => {
    const swapped = [...parties].reverse()
    expect(await recognise(at(1, ONE_OUTPUT, withoutDeposit, { parties: swapped }))).toMatchObject({
      reason: 'parties'
    })
    expect(await recognise(at(1, ONE_OUTPUT, withoutDeposit, { parties }))).toMatchObject({
      evidence: { parties: 'pinned' }
    })
  })
})

function readRecordingSafely(): SignedRecording {
  try {
    return readRecording<SignedRecording>('signed-snapshots-2.4.1')
  } catch {
    return { headId: '', partyKeys: [] } as never
  }
}
