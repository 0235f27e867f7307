import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stringifyJson } from '../../src/codec/json'
import { hexToBytes } from '../../src/codec/hex'
import type { FundedKey } from '../../src/devnode'
import { recognise, SetMemo } from '../../src/recognition'
import { newTx } from '../devnode/harness'
import { ada, buildTx, envelopeOf, lovelaceOf, pay, signTx } from '../devnode/transactions'
import { readRecording } from '../support/recordings'
import type { SignedRecording } from '../support/recordings'
import { describeWithShared } from '../support/vectors'
import { EMPTY_ACCUMULATOR, headOutput, openDatum } from './headOutputs'
import { LocalHead } from './localHead'
import type { OracleCase, OracleVerdict } from './oracle/oracle'
import { oracle } from './oracle/oracle'

const CASES = process.env['LAYER_SDK_FULL'] === '1' ? 1_000 : 50
const ADA = 1_000_000n
const asOf = { slot: 132501700, timeMs: 1788184900000 }
const anchor = { txHash: 'ab'.repeat(32), index: 0 }
const memo = new SetMemo()

interface Case extends OracleCase {
  readonly outputs: readonly any[]
}

/** Our answer by the letter, in the oracle's terms. */
async function ours({ headId, addresses, outputs, answer }: Case): Promise<OracleVerdict> {
  const answers = [{ endpoint: 'https://head.example', ...answer }]
  const headOutputs = outputs.map((output) => ({ input: anchor, output }))
  const { state, inHead } = await recognise({ headId, addresses, headOutputs, answers, asOf, strict: true, memo })
  const lovelace = (amounts: readonly any[]): bigint =>
    BigInt(amounts.find(({ unit }) => unit === 'lovelace')?.quantity ?? 0)
  if (state !== 'VERIFIED_IN_HEAD') return { state, sums: null }
  return { state, sums: [lovelace(inHead!.available), lovelace(inHead!.arriving), lovelace(inHead!.leaving)] }
}

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) % below
  }
}

async function caseOf(head: LocalHead): Promise<Case> {
  const outputs = (await head.provider().fetcher.fetchAssetUTxOs!(`${head.headId}4879647261486561645632`)).map(
    ({ output }) => output
  )
  const { status, body } = await head.node.request({ method: 'GET', path: '/snapshot', body: '' })
  return {
    headId: head.headId,
    addresses: [head.alice.address],
    outputs,
    datums: outputs.map(({ inlineDatum }) => hexToBytes(inlineDatum!)),
    answer: { status, body: String(body) }
  }
}

async function act(head: LocalHead, pick: (below: number) => number): Promise<void> {
  const owner: FundedKey = [head.alice, head.bob][pick(2)]!
  const [own] = head.node.headUtxos(owner.address)
  const { faults } = head.node
  faults.serveOldSnapshot = pick(6) === 0
  faults.forgeSnapshot = pick(4) === 0 ? FORGERIES[pick(FORGERIES.length)]! : null
  switch (head.node.headUtxos().length === 0 ? 0 : pick(6)) {
    case 0:
      return head.deposit()
    case 1:
    case 2:
    case 3:
    case 4:
      if (own === undefined || lovelaceOf(own.output) < 10n * ADA) return
      return head.client.send(
        newTx(pay(own, owner, [head.alice, head.bob][pick(2)]!.address, BigInt(2 + pick(5)) * ADA))
      )
    default: {
      if (own === undefined) return
      const out = buildTx({ inputs: [own.input], outputs: [ada(owner.address, lovelaceOf(own.output))] })
      return head.client.send({ tag: 'Decommit', decommitTx: envelopeOf(signTx(out, owner)) })
    }
  }
}

const FORGERIES = [
  'amountRaised',
  'outputDropped',
  'otherNumber',
  'otherHead',
  'strangersKey',
  'signatureReused'
] as const

it(`a second reading of the text agrees with ours in ${CASES} cases of local heads`, async () => {
  const seen = new Map<string, number>()
  for (let seed = 1, count = 0; count < CASES; seed++) {
    const pick = random(seed)
    const head = new LocalHead(seed % 2 === 0 ? '2.4' : '2.3', { seed: `oracle ${seed}`, parties: 1 + (seed % 3) })
    const compare = async (): Promise<void> => {
      const each = await caseOf(head)
      const expected = oracle(each)
      expect([seed, await ours(each)]).toEqual([seed, expected])
      const key = `${expected.state}${(expected.sums ?? []).map((sum) => (sum > 0n ? ' +' : ' 0')).join('')}`
      seen.set(key, (seen.get(key) ?? 0) + 1)
      count++
    }
    await compare()
    await head.open()
    for (let step = 0; step < 14; step++) {
      await compare()
      await act(head, pick)
      await head.advance(500 + pick(2_000))
    }
    head.client.send({ tag: 'Close' })
    await head.advance(3_000)
    await compare()
    await head.node.stop()
  }
  // The cases reach all states, money that waits, arrives and leaves among them.
  for (const key of ['NO_HEAD', 'UNVERIFIABLE', 'HEAD_CLOSING', 'VERIFIED_IN_HEAD + 0 0', 'VERIFIED_IN_HEAD 0 + 0'])
    expect([...seen.keys()]).toContain(key)
}, 3_600_000)

it('the second reading imports nothing of ours', () => {
  const folder = join(__dirname, 'oracle')
  for (const name of readdirSync(folder))
    for (const [, from] of readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g))
      expect(from).toMatch(/^(\.\/|node:|@noble\/|@scure\/)/)
})

describeWithShared('the recording of a real head', () => {
  const made = (change: (snapshot: any) => void = () => undefined): Case => {
    const { contents } = readRecording('head-2.3.0')
    const [output] = Object.values<any>(contents.chainState.spendableUTxO)
    const bundle = JSON.parse(stringifyJson(readRecording('snapshot-2.3.0')))
    change(bundle.snapshot)
    return {
      headId: contents.headId,
      addresses: Object.values<any>(bundle.snapshot.utxo)
        .slice(0, 1)
        .map(({ address }) => address),
      outputs: [output],
      datums: [hexToBytes(output.inlineDatumRaw)],
      answer: { status: 200, body: JSON.stringify(bundle) }
    }
  }

  it('is verified by both, with the same sum', async () => {
    const verdict = oracle(made())
    expect(verdict.state).toBe('VERIFIED_IN_HEAD')
    expect(verdict.sums![0]).toBeGreaterThan(0n)
    expect(await ours(made())).toEqual(verdict)
  })

  it.each<[string, (snapshot: any) => void]>([
    ['another number', (snapshot) => snapshot.number++],
    ['another version', (snapshot) => snapshot.version++],
    ['an output less', ({ utxo }) => delete utxo[Object.keys(utxo)[0]!]],
    ['a lovelace more', ({ utxo }) => Object.values<any>(utxo)[0]!.value.lovelace++],
    ['another head', (snapshot) => (snapshot.headId = 'ab'.repeat(28))]
  ])('with %s is refused by both', async (_name, change) => {
    expect(oracle(made(change)).state).toBe('UNVERIFIABLE')
    expect((await ours(made(change))).state).toBe('UNVERIFIABLE')
  })
})

describeWithShared('the recordings of 2.4.1, beside datums of their keys', () => {
  const { headId, partyKeys, withDeposit, withoutDeposit } = recorded()
  const address = (body: any): string =>
    Object.values<any>({ ...body.snapshot.utxo, ...(body.snapshot.utxoToCommit ?? {}) })[0].address

  it.each<[string, number, () => any]>([
    ['with a deposit, before the increment', 0, () => withDeposit],
    ['with a deposit, after it', 1, () => withDeposit],
    ['without a deposit', 1, () => withoutDeposit],
    ['without a deposit, at another version', 2, () => withoutDeposit]
  ])('%s: both say the same', async (_name, version, bodyOf) => {
    const body = bodyOf()
    const datum = openDatum({ headId, parties: partyKeys, version, accumulatorHash: EMPTY_ACCUMULATOR })
    const each: Case = {
      headId,
      addresses: [address(body)],
      outputs: [headOutput(headId, 900_000_000, datum).output],
      datums: [hexToBytes(datum.toCbor())],
      answer: { status: 200, body: stringifyJson(body) }
    }
    const verdict = oracle(each)
    expect(verdict.state).toBe(body.snapshot.version === version ? 'VERIFIED_IN_HEAD' : 'UNVERIFIABLE')
    expect(await ours(each)).toEqual(verdict)
  })
})

function recorded(): SignedRecording {
  try {
    return readRecording<SignedRecording>('signed-snapshots-2.4.1')
  } catch {
    return { headId: '', partyKeys: [] } as never
  }
}
