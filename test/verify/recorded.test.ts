import { createHash } from 'node:crypto'
import { blake2b256 } from '../../src/hash/blake2b'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { readTransaction } from '../../src/codec/transaction'
import type { SnapshotToVerify, VerificationRule } from '../../src/verify'
import { partiesFromDatum, signedBytes, snapshotAccumulator, verifySnapshot } from '../../src/verify'
import { randomSource } from '../support/random'
import type { SignedRecording } from '../support/recordings'
import { readRecording } from '../support/recordings'
import { fullRun } from '../support/scale'
import { describeWithShared, homeVectors, readShared } from '../support/vectors'

type Mutable = Record<string, any>

interface Case {
  readonly name: string
  readonly rule: VerificationRule
  readonly nodeVersion: string
  readonly snapshot: Mutable
  readonly signatures: readonly string[]
  readonly parties: readonly string[]
}

const random = randomSource('mutations of recorded snapshots')

function cases(): Case[] {
  const { hydraNodeVersion, partyKeys, withDeposit, withoutDeposit } =
    readRecording<SignedRecording>('signed-snapshots-2.4.1')
  const older = readRecording('snapshot-2.3.0')
  const recorded = (name: string, { snapshot, signatures }: Mutable): Case => ({
    name,
    rule: '2.4',
    nodeVersion: hydraNodeVersion,
    snapshot,
    signatures: signatures.multiSignature,
    parties: partyKeys
  })
  return [
    recorded('number 1 of 2.4.1, which takes a deposit up', withDeposit),
    recorded('number 2 of 2.4.1, with nothing pending', withoutDeposit),
    { ...recorded('number 316 of 2.3.0', older), rule: '2.3', nodeVersion: '2.3.0-ef833d8a' }
  ]
}

const flipDigit = (hex: string): string => {
  const at = random.below(hex.length)
  return hex.slice(0, at) + ((parseInt(hex[at]!, 16) + 1 + random.below(15)) % 16).toString(16) + hex.slice(at + 1)
}

/** A change in one place, and the reasons that may follow. */
interface Change {
  readonly reasons: readonly string[]
  apply(of: { snapshot: Mutable; signatures: string[]; parties: string[] }): void
}

const SETS = ['utxo', 'utxoToCommit', 'utxoToDecommit'] as const

/** What can be changed in this snapshot, each with the verdict that it deserves. */
function changesOf({ snapshot, rule }: Case): Change[] {
  const filled = SETS.filter((set) => Object.keys(snapshot[set] ?? {}).length > 0)
  const anOutput = (of: Mutable): Mutable => {
    const set = of[random.pick(filled)]
    return set[random.pick(Object.keys(set))]
  }
  // The accumulator covers the head's outputs; what is pending is signed on its own as well.
  const outputs = filled.some((set) => set !== 'utxo') ? ['accumulator', 'signature'] : ['accumulator']
  const changes: Change[] = [
    { reasons: ['signature'], apply: ({ snapshot: s }) => (s['headId'] = flipDigit(s['headId'])) },
    { reasons: ['signature'], apply: ({ snapshot: s }) => (s['version'] += 1) },
    { reasons: ['signature'], apply: ({ snapshot: s }) => (s['number'] += 1 + random.below(1000)) },
    { reasons: ['signature'], apply: ({ snapshot: s }) => (s['accumulator'] = flipDigit(s['accumulator'])) },
    { reasons: ['signature'], apply: ({ signatures }) => (signatures[0] = flipDigit(signatures[0]!)) },
    { reasons: ['signature'], apply: ({ signatures }) => void signatures.pop() },
    { reasons: ['party-order'], apply: ({ signatures }) => void signatures.reverse() },
    { reasons: ['parties'], apply: ({ parties }) => (parties[1] = parties[0]!) },
    { reasons: outputs, apply: ({ snapshot: s }) => (anOutput(s)['value'].lovelace += 1 + random.below(1000)) },
    {
      reasons: outputs,
      apply: ({ snapshot: s }) => {
        const set = s[random.pick(filled)]
        delete set[random.pick(Object.keys(set))]
      }
    },
    { reasons: outputs, apply: ({ snapshot: s }) => (anOutput(s)['value'][flipDigit('77'.repeat(28))] = { '': 1 }) },
    {
      reasons: ['signature'],
      apply: ({ snapshot: s }) => (s['utxoToDecommit'] = { [`${'99'.repeat(32)}#7`]: structuredClone(anOutput(s)) })
    }
  ]
  const added: Change = {
    reasons: rule === '2.4' ? ['signature'] : ['signature', 'input'],
    apply: ({ snapshot: s }) => (s['depositTxId'] = flipDigit('ab'.repeat(32)))
  }
  if (typeof snapshot['depositTxId'] !== 'string') return [...changes, added]
  return [
    ...changes,
    { reasons: ['signature'], apply: ({ snapshot: s }) => (s['depositTxId'] = flipDigit(s['depositTxId'])) },
    { reasons: ['signature'], apply: ({ snapshot: s }) => (s['depositTxId'] = null) },
    { reasons: ['signature'], apply: ({ snapshot: s }) => void delete s['depositTxId'] },
    {
      // Outputs that are still to come, as if they could be spent already.
      reasons: ['signature'],
      apply: ({ snapshot: s }) => {
        s['utxo'] = s['utxoToCommit']
        s['utxoToCommit'] = null
      }
    }
  ]
}

/** Every kind of change comes, then random ones. */
const CHANGES = fullRun ? 200 : 40

/** Changes a snapshot in one place, again and again, and looks at the reason of each refusal. */
async function expectRefusals(each: Case, count: number): Promise<void> {
  const kinds = changesOf(each)
  const seen = new Set<string>()
  for (let i = 0; i < count; i++) {
    const change = i < kinds.length ? kinds[i]! : random.pick(kinds)
    const changed = structuredClone({
      snapshot: each.snapshot,
      signatures: [...each.signatures],
      parties: [...each.parties]
    })
    change.apply(changed)
    const verdict = await verifySnapshot({
      ...(changed as any),
      nodeVersion: i % 2 === 0 ? each.nodeVersion : undefined
    })
    expect(verdict).toMatchObject({ ok: false })
    expect(change.reasons).toContain((verdict as { reason: string }).reason)
    seen.add((verdict as { reason: string }).reason)
  }
  expect([...seen]).toEqual(expect.arrayContaining(['signature', 'party-order', 'parties']))
}

it('the snapshot of a real node that every clone has is refused after any of 40 changes, each with its reason', async () => {
  const [own] = homeVectors<Case>('signed_snapshots')
  expect(own).toMatchObject({ id: 'recorded-2.4.1-deposit' })
  await expectRefusals(own!, 40)
})

describeWithShared('snapshots that real nodes have signed', () => {
  it.each(cases().map((each) => [each.name, each] as const))(
    'verify with and without a version, and with and without the stated accumulator: %s',
    async (_, each) => {
      const { snapshot, signatures, parties, rule, nodeVersion } = each
      const holds = { ok: true, rule, accumulatorHash: snapshot['accumulator'], outputs: 'recomputed', unproven: [] }
      const { accumulator: _stated, ...unstated } = snapshot
      const check = (of: Mutable, options: object): Promise<unknown> =>
        verifySnapshot({ snapshot: of as SnapshotToVerify, signatures, parties, ...options })
      expect(await check(snapshot, { nodeVersion })).toEqual(holds)
      expect(await check(snapshot, {})).toEqual(holds)
      expect(await check(snapshot, { rule })).toEqual(holds)
      expect(await check(unstated, { nodeVersion })).toEqual(holds)
      expect(await check(unstated, { rule })).toEqual(holds)
    }
  )

  it.each(cases().map((each) => [each.name, each] as const))(
    `are refused after any of ${CHANGES} changes, each with its reason: %s`,
    async (_, each) => {
      await expectRefusals(each, CHANGES)
    }
  )

  it('are refused by the rule of another version, and a newer version is named instead of a forgery', async () => {
    for (const { snapshot, signatures, parties, rule } of cases()) {
      const check = (options: object): Promise<unknown> =>
        verifySnapshot({ snapshot: snapshot as never, signatures, parties, ...options })
      for (const other of ['2.4', '2.3', '2.2', 'next'] as const)
        if (other !== rule) expect(await check({ rule: other })).toMatchObject({ ok: false })
      expect(await check({ nodeVersion: '9.9.9' })).toMatchObject({
        ok: false,
        reason: 'unknown-rule',
        versions: { node: '9.9.9', newestKnown: '2.4' },
        detail: expect.stringMatching(/update.*9\.9\.9/s)
      })
    }
    const [, plain, older] = cases()
    const as = async ({ snapshot, signatures, parties }: Case, nodeVersion: string): Promise<unknown> =>
      verifySnapshot({ snapshot: snapshot as never, signatures, parties, nodeVersion })
    // Builds between two releases call themselves by the earlier one.
    expect(await as(plain!, '2.3.0-340eb113e')).toMatchObject({ ok: true, rule: '2.4' })
    expect(await as(plain!, '2.4.1-UNKNOWN')).toMatchObject({ ok: true, rule: '2.4' })
    expect(await as(older!, '2.4.1')).toMatchObject({ ok: false, reason: 'signature' })
  })

  it('are signed over the bytes that the published description gives', async () => {
    for (const { snapshot, rule } of cases()) {
      const sha = (...parts: Uint8Array[]): string =>
        parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')
      const bytes = await signedBytes({ snapshot: snapshot as never, rule })
      expect(bytes.slice(0, 60)).toBe(`581c${snapshot['headId']}`)
      const [accumulator, decommit, commit] = bytes
        .slice(-204)
        .match(/5820[0-9a-f]{64}/g)!
        .map((item) => item.slice(4))
      expect(accumulator).toBe(snapshot['accumulator'])
      expect(decommit).toBe(sha())
      if (snapshot['utxoToCommit'] === null) expect(commit).toBe(rule === '2.4' ? sha(hexToBytes(sha())) : sha())
    }
  })
})

describeWithShared('the other recordings of real nodes', () => {
  it('name transactions by the hashes of their bodies, and state the accumulators of their outputs', async () => {
    const transactions: Mutable[] = []
    for (const { snapshot } of cases()) {
      transactions.push(...snapshot['confirmed'])
      const { utxo, utxoToCommit, utxoToDecommit, accumulator } = snapshot as any
      expect((await snapshotAccumulator({ utxo, utxoToCommit, utxoToDecommit })).hash).toBe(accumulator)
    }
    transactions.push(...readRecording('history-2.3-part')['decommitTransactions'])
    const head = readRecording('head-2.3.0')
    transactions.push(...head.contents.coordinatedHeadState.confirmedSnapshot.snapshot.confirmed)
    expect(transactions).toHaveLength(4)
    for (const { txId, cborHex } of transactions) {
      const { bytes, body } = readTransaction(hexToBytes(cborHex))
      expect(bytesToHex(blake2b256(bytes.subarray(body.start, body.end)))).toBe(txId)
    }
  })

  it('agree about the newest snapshot, in GET /head, GET /snapshot and GET /snapshot/last-seen', () => {
    const { confirmedSnapshot, seenSnapshot, version } = readRecording('head-2.3.0').contents.coordinatedHeadState
    const { tag, ...answer } = readRecording('snapshot-2.3.0')
    expect(tag).toBe('ConfirmedSnapshot')
    expect({ snapshot: confirmedSnapshot.snapshot, signatures: confirmedSnapshot.signatures }).toEqual(answer)
    const [before, after] = readRecording('last-seen-2.3.0')
    expect(before).toEqual({ lastSeen: answer.snapshot.number, tag: 'LastSeenSnapshot' })
    expect(seenSnapshot).toEqual(before)
    expect(after).toEqual({ tag: 'NoSeenSnapshot' })
    expect(version).toBe(answer.snapshot.version)
  })

  it('name the parties in the datum of the head, which has seven fields up to 2.3 and eight from 2.4 on', () => {
    const head = readRecording('head-2.3.0')
    const { headId, parameters, chainState } = head.contents
    const [output] = Object.values<any>(chainState.spendableUTxO)
    const parties = parameters.parties.map(({ vkey }: Mutable) => vkey)
    expect(partiesFromDatum({ output, headId })).toEqual(parties)
    expect(parties).toEqual(readRecording<SignedRecording>('signed-snapshots-2.4.1').partyKeys)
    // From 2.4 on the deposit period stands after the contestation period: Constr 0 [milliseconds], twice.
    const [period] = /d8799f1a00035b60ff/.exec(output.inlineDatumRaw)!
    const raw = output.inlineDatumRaw.replace(period, `${period}d8799f1a0036ee80ff`)
    const { inlineDatum: _, inlineDatumhash: __, ...rest } = output
    expect(partiesFromDatum({ output: { ...rest, inlineDatumRaw: raw }, headId })).toEqual(parties)
    const moved = raw.replace(headId, '00'.repeat(28))
    expect(() => partiesFromDatum({ output: { ...rest, inlineDatumRaw: moved }, headId })).toThrow(/head id/)
  })

  it.each([
    ['frame-shape-2.4.1.json', 'cf6e19caf691bbf0a67d4df745b40bc5b34b4fd9da764a8da7fee83f20edb6cb'],
    ['head-2.3.0.json', 'cded164ab800b609a9673cc7566406e1ab295250d9657b9b80920662ec2fa32d'],
    ['history-2.3-part.json', '00e339e282e2787cc07e1ff5ae3f3e2ebd3b00beddd848aacc39c23d6e802157'],
    ['last-seen-2.3.0.json', '855752b859ac90c005f94391e72dc3f2d1054e9f597a2a7d5f429ab53fc92f83'],
    ['protocol-parameters-2.4.json', '16dc7cea9971ba62a10fe0c391fe25f10e495b914b8d7036809e9b29c88eab9e'],
    ['signed-snapshots-2.4.1.json', 'f551c96e7de0d3507bee77d2b3cec34c14fdcc371bc09e406b6cfb2a0b87fc36'],
    ['snapshot-2.3.0.json', '5598cf1a7bcab7154c7028f942032fdfc36835e1f3c628d84fae5f049b9adc8d']
  ])('lie there byte for byte: %s', (name, digest) => {
    expect(
      createHash('sha256')
        .update(readShared(`real/${name}`))
        .digest('hex')
    ).toBe(digest)
  })

  it('have the members of a frame that 2.4.1 sends, and cost models of the lengths of its ledger', () => {
    const [frame] = readRecording('frame-shape-2.4.1').frames
    const { withDeposit, withoutDeposit } = readRecording<SignedRecording>('signed-snapshots-2.4.1')
    for (const { snapshot } of [withDeposit, withoutDeposit])
      expect(Object.keys(snapshot)).toEqual(Object.keys(frame.snapshot))
    const { costModels, maxTxSize, utxoCostPerByte } = readRecording('protocol-parameters-2.4')
    expect([
      costModels.PlutusV1.length,
      costModels.PlutusV2.length,
      costModels.PlutusV3.length,
      maxTxSize,
      utxoCostPerByte
    ]).toEqual([166, 175, 297, 10_250, 4_310])
  })
})
