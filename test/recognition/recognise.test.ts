import { stringifyJson } from '../../src/codec/json'
import { PlutusData } from '../../src/codec/plutusData'
import { recognise, SetMemo } from '../../src/recognition'
import { recogniseWithRecord } from '../../src/recognition/recognise'
import { FORMER_HEAD_TOKEN, HEAD_TOKEN } from '../../src/recognition/rules'
import { snapshotAccumulator } from '../../src/verify'
import { closedDatum, headOutput, openDatum, progressDatum } from './headOutputs'
import { asOf, HEAD_ID, material, openHead, OTHER, output, OWN, PARTIES, ref, signedBundle, sums } from './madeHead'

const ADA = 1_000_000
const DEPOSIT = 'de'.repeat(32)
const POLICY = '77'.repeat(28)

describe('the state of an open head', () => {
  it('counts arriving and leaving apart from available', async () => {
    const arriving = await signedBundle({
      utxo: { [ref(1)]: output(5 * ADA), [ref(2)]: output(9 * ADA, OTHER) },
      utxoToCommit: { [ref(3)]: output(7 * ADA) },
      depositTxId: DEPOSIT
    })
    expect(sums((await recognise(material(openHead(14 * ADA), arriving))).inHead)).toEqual([5, 7, 0])
    const leaving = await signedBundle({
      utxo: { [ref(1)]: output(5 * ADA) },
      utxoToDecommit: { [ref(2)]: output(9 * ADA) }
    })
    expect(sums((await recognise(material(openHead(14 * ADA), leaving))).inHead)).toEqual([5, 0, 9])
  })

  it('drops a settled decommit, and counts a settled deposit as available', async () => {
    const leaving = await signedBundle({
      utxo: { [ref(1)]: output(5 * ADA) },
      utxoToDecommit: { [ref(2)]: output(9 * ADA) }
    })
    const head = openHead(5 * ADA, { version: 1, accumulatorHash: leaving['snapshot'].accumulator })
    const found = await recognise(material(head, leaving))
    expect(found.snapshot).toMatchObject({ settled: true, version: 0 })
    expect(sums(found.inHead)).toEqual([5, 0, 0])
  })

  it('refuses a reference that stands in two sets, which the accumulator counts once', async () => {
    const honest = await signedBundle({
      utxo: { [ref(1)]: output(5 * ADA) },
      utxoToDecommit: { [ref(2)]: output(9 * ADA) }
    })
    const { snapshot } = honest
    const lie = { ...honest, snapshot: { ...snapshot, utxo: { ...snapshot.utxo, [ref(2)]: output(9 * ADA) } } }
    expect(await recognise(material(openHead(500 * ADA), lie))).toMatchObject({ reason: 'accumulator', inHead: null })
  })

  it('is empty with the initial snapshot, as long as the base ledger says so', async () => {
    const initial = { tag: 'InitialSnapshot', headId: HEAD_ID }
    expect(await recognise(material(openHead(0), initial))).toMatchObject({
      state: 'VERIFIED_IN_HEAD',
      snapshot: { number: 0 }
    })
    expect(await recognise(material(openHead(0, { version: 1 }), initial))).toMatchObject({
      state: 'UNVERIFIABLE',
      reason: 'initial'
    })
    const later = openHead(0, { accumulatorHash: '55'.repeat(32) })
    expect(await recognise(material(later, initial))).toMatchObject({ reason: 'initial' })
    const { record } = await recogniseWithRecord(material(openHead(0), await signedBundle()))
    expect(await recognise(material(openHead(0), initial, { known: record }))).toMatchObject({ reason: 'rollback' })
  })

  it('names tokens that were minted inside, and does not sum them', async () => {
    const minted = await signedBundle({ utxo: { [ref(1)]: output(5 * ADA, OWN, { [POLICY]: { aa: 3, bb: 4 } }) } })
    const head = openHead(5 * ADA, { extra: [{ unit: `${POLICY}bb`, quantity: '4' }] })
    const { inHead } = await recognise(material(head, minted))
    expect(inHead?.mintedInside).toEqual([`${POLICY}aa`])
    expect(inHead?.available).toEqual([
      { unit: 'lovelace', quantity: '5000000' },
      { unit: `${POLICY}bb`, quantity: '4' }
    ])
    const short = openHead(5 * ADA, { extra: [{ unit: `${POLICY}bb`, quantity: '3' }] })
    expect(await recognise(material(short, minted))).toMatchObject({ reason: 'unbacked' })
  })

  it('follows the rule of the datum, which the endpoint cannot choose', async () => {
    const older = await signedBundle({ rule: '2.3', utxo: { [ref(1)]: output(5 * ADA) } })
    const found = await recognise(material(openHead(5 * ADA, { fields: 7 }), older))
    expect(found).toMatchObject({ state: 'VERIFIED_IN_HEAD', snapshot: { rule: '2.3' } })
    // Builds between the two releases have the datum of 2.4 and sign by 2.3; the letter knows no such thing.
    expect(await recognise(material(openHead(5 * ADA), older))).toMatchObject({
      snapshot: { rule: '2.3' },
      evidence: { deviations: ['U3'] }
    })
    expect(await recognise(material(openHead(5 * ADA), older, { strict: true }))).toMatchObject({ reason: 'signature' })
    const newer = await signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } })
    expect(await recognise(material(openHead(5 * ADA, { fields: 7 }), newer))).toMatchObject({ reason: 'signature' })
  })

  it('calls a node of a later version newer, never a liar', async () => {
    const bundle = await signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } })
    const multiSignature = bundle['signatures'].multiSignature.map(() => '11'.repeat(64))
    const unknown = {
      ...bundle,
      snapshot: { ...bundle['snapshot'], appliedAccumulator: '00'.repeat(32) },
      signatures: { multiSignature }
    }
    const found = await recognise(material(openHead(5 * ADA), unknown))
    expect(found).toMatchObject({ state: 'UNVERIFIABLE', reason: 'newer-version' })
    expect(found.detail).toMatch(/update/)
    expect(stringifyJson(found)).not.toMatch(/forg|fake/i)
    const plain = { ...bundle, signatures: { multiSignature } }
    expect(await recognise(material(openHead(5 * ADA), plain))).toMatchObject({ reason: 'signature' })
    expect(await recognise(material(openHead(5 * ADA), plain, { nodeVersion: '9.9.9' }))).toMatchObject({
      reason: 'newer-version'
    })
  })

  it('names each wrong answer of an endpoint', async () => {
    const head = openHead(5 * ADA)
    const reasonOf = async (answer: object): Promise<unknown> =>
      (await recognise(material(head, '', { answers: [{ endpoint: 'x', status: 200, body: '', ...answer }] }))).reason
    expect(await reasonOf({ status: 0 })).toBe('unreachable')
    expect(await reasonOf({ status: 500 })).toBe('refused')
    expect(await reasonOf({ problem: 'too-large' })).toBe('too-large')
    expect(await reasonOf({ body: '<html>' })).toBe('malformed')
    expect(await reasonOf({ body: '['.repeat(10_000) })).toBe('malformed')
    const bundle = await signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } })
    expect(await reasonOf({ body: { ...bundle, snapshot: { ...bundle['snapshot'], accumulator: null } } })).toBe(
      'malformed'
    )
    expect(await reasonOf({ body: await signedBundle({ headId: 'b2'.repeat(28) }) })).toBe('other-head')
    const many = Object.fromEntries(Array.from({ length: 4_096 }, (_, i) => [ref(i), output(ADA)]))
    expect(await reasonOf({ body: { ...bundle, snapshot: { ...bundle['snapshot'], utxo: many } } })).toBe('too-large')
    expect((await recognise(material(head, '', { answers: [] }))).reason).toBe('unreachable')
  })

  it('does not compute the same commitment twice', async () => {
    const bundle = await signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } })
    const memo = new SetMemo()
    let sumsComputed = 0
    const accelerator = {
      msm: (): never => {
        sumsComputed++
        throw new Error('counted')
      }
    }
    await recognise(material(openHead(5 * ADA), bundle, { memo }))
    // References are not signed: the same outputs under others have the same commitment.
    const moved = { ...bundle, snapshot: { ...bundle['snapshot'], utxo: { [ref(9)]: output(5 * ADA) } } }
    expect(await recognise(material(openHead(5 * ADA), moved, { memo, accelerator }))).toMatchObject({
      state: 'VERIFIED_IN_HEAD'
    })
    expect(sumsComputed).toBe(0)
  })

  it('lists the outputs of a hinted head at an unknown script, and sums none', async () => {
    const bundle = await signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } })
    const given = material(openHead(5 * ADA), bundle, { headIdFrom: 'hint', scripts: ['00'.repeat(28)] })
    const found = await recognise(given)
    expect(found).toMatchObject({ joined: false, evidence: { anchor: { script: 'unknown' } } })
    expect([sums(found.inHead), found.inHead?.outputs.length]).toEqual([[0, 0, 0], 1])
    const { scriptHash } = found.evidence.anchor!
    expect(sums((await recognise({ ...given, scripts: [scriptHash!] })).inHead)).toEqual([5, 0, 0])
  })
})

describe('the output of a head', () => {
  const bundle = signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } })

  it('is one alone, with one token of the right name', async () => {
    const head = openHead(5 * ADA)
    expect(await recognise(material(head, await bundle, { headOutputs: [head, head] }))).toMatchObject({
      state: 'UNVERIFIABLE',
      reason: 'anchor'
    })
    const withToken = (name: string, quantity: string): typeof head => ({
      ...head,
      output: {
        ...(head.output as any),
        amount: [
          { unit: 'lovelace', quantity: '9' },
          { unit: HEAD_ID + name, quantity }
        ]
      }
    })
    expect(await recognise(material(withToken(HEAD_TOKEN, '2'), await bundle))).toMatchObject({ reason: 'anchor' })
    expect(await recognise(material(withToken(FORMER_HEAD_TOKEN, '1'), await bundle))).toMatchObject({
      state: 'UNRECOGNISED',
      reason: 'token'
    })
  })

  it('has a datum of a known form; a longer one is of a later version', async () => {
    const datumOf = async (datum: PlutusData): Promise<unknown> => {
      const { state, reason } = await recognise(material(headOutput(HEAD_ID, 9 * ADA, datum), await bundle))
      return [state, reason]
    }
    const known = openDatum({ headId: HEAD_ID, parties: PARTIES, version: 0, accumulatorHash: '00'.repeat(32) })
    const [inner] = known.asConstr().fields
    const longer = PlutusData.constr(0, [PlutusData.constr(0, [...inner!.asConstr().fields, PlutusData.int(1)])])
    expect(await datumOf(longer)).toEqual(['UNRECOGNISED', 'newer-version'])
    expect(await datumOf(PlutusData.int(1))).toEqual(['UNRECOGNISED', 'datum'])
    expect(await datumOf(PlutusData.constr(2, []))).toEqual(['UNRECOGNISED', 'datum'])
    const strangers = openDatum({
      headId: 'b2'.repeat(28),
      parties: PARTIES,
      version: 0,
      accumulatorHash: '00'.repeat(32)
    })
    expect(await datumOf(strangers)).toEqual(['UNRECOGNISED', 'datum'])
  })
})

describe('a closing head', () => {
  const utxo = { [ref(1)]: output(5 * ADA), [ref(2)]: output(4 * ADA, OTHER) }
  const deadlineMs = asOf.timeMs + 1_000
  const closed = async (snapshot: any, lovelace: number, more: object = {}): Promise<ReturnType<typeof headOutput>> => {
    const { commitment } = await snapshotAccumulator(snapshot)
    const { number } = snapshot
    return headOutput(
      HEAD_ID,
      lovelace + 2_500_000,
      closedDatum({ headId: HEAD_ID, parties: PARTIES, version: 0, number, deadlineMs, commitment, ...more })
    )
  }

  it('is proven by the chain, without a signature that holds', async () => {
    const bundle = await signedBundle({ utxo, number: 4 })
    const head = await closed(bundle['snapshot'], 9 * ADA)
    const unsigned = { ...bundle, signatures: { multiSignature: [] } }
    const found = await recognise(material(head, unsigned))
    expect(found).toMatchObject({
      state: 'HEAD_CLOSING',
      closing: { phase: 'contestable', deadlineMs, snapshotNumber: 4 },
      evidence: { set: 'on-chain', rule: null, signatures: null }
    })
    expect(sums(found.inHead)).toEqual([5, 0, 0])
    const later = { ...asOf, timeMs: deadlineMs + 1 }
    expect((await recognise(material(head, unsigned, { asOf: later }))).closing?.phase).toBe('payable')
  })

  it('counts a deposit that was claimed, and not one that was not', async () => {
    const pending = await signedBundle({
      utxo,
      utxoToCommit: { [ref(3)]: output(7 * ADA) },
      depositTxId: DEPOSIT,
      number: 4
    })
    expect(sums((await recognise(material(await closed(pending['snapshot'], 9 * ADA), pending))).inHead)).toEqual([
      5, 0, 0
    ])
    const used = await closed(pending['snapshot'], 16 * ADA, { version: 1 })
    expect(sums((await recognise(material(used, pending))).inHead)).toEqual([12, 0, 0])
  })

  it('does not believe an endpoint which outputs are pending', async () => {
    const { snapshot, signatures } = await signedBundle({
      utxo,
      utxoToCommit: { [ref(3)]: output(7 * ADA) },
      depositTxId: DEPOSIT,
      number: 4
    })
    const head = await closed(snapshot, 9 * ADA)
    const moved = {
      ...snapshot,
      utxo: { ...snapshot.utxo, ...snapshot.utxoToCommit },
      utxoToCommit: null,
      depositTxId: null
    }
    expect((await recognise(material(head, { snapshot: moved, signatures }))).inHead).toBeNull()
    const hidden = {
      ...snapshot,
      utxo: { [ref(2)]: output(4 * ADA, OTHER) },
      utxoToCommit: { ...snapshot.utxoToCommit, [ref(1)]: output(5 * ADA) }
    }
    expect((await recognise(material(head, { snapshot: hidden, signatures }))).inHead).toBeNull()
  })

  it('shows the last verified snapshot when the endpoints are gone', async () => {
    const bundle = await signedBundle({ utxo, number: 4 })
    const { record } = await recogniseWithRecord(material(openHead(9 * ADA), bundle))
    const gone = { answers: [{ endpoint: 'x', status: 404, body: '' }], known: record }
    // What the store has is what the chain closes with.
    expect(sums((await recognise(material(await closed(bundle['snapshot'], 9 * ADA), '', gone))).inHead)).toEqual([
      5, 0, 0
    ])
    const contested = await closed({ ...bundle['snapshot'], utxo: { [ref(8)]: output(9 * ADA) }, number: 5 }, 9 * ADA)
    const found = await recognise(material(contested, '', gone))
    expect([found.inHead, sums(found.lastVerified!.inHead)]).toEqual([null, [5, 0, 0]])
  })

  it('pays out between two steps of the fanout', async () => {
    const bundle = await signedBundle({ utxo, number: 4 })
    const { commitment } = await snapshotAccumulator({ utxo: { [ref(2)]: output(4 * ADA, OTHER) } as never })
    const head = headOutput(
      HEAD_ID,
      6_500_000,
      progressDatum({ headId: HEAD_ID, parties: PARTIES, deadlineMs, commitment })
    )
    const found = await recognise(material(head, bundle))
    expect(found).toMatchObject({
      state: 'HEAD_CLOSING',
      closing: { phase: 'paying-out', snapshotNumber: null },
      inHead: null
    })
    expect(sums(found.lastVerified!.inHead)).toEqual([5, 0, 0])
  })
})
