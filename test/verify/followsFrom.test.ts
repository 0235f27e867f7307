import { followsFrom } from '../../src/verify'
import { startClientHead, ADA } from '../client/support.js'
import { randomSource } from '../support/random'
import type { SignedRecording } from '../support/recordings'
import { readRecording } from '../support/recordings'
import { scaled } from '../support/scale'
import { describeWithShared, homeVectors } from '../support/vectors'

type Json = Record<string, any>
interface Step {
  readonly previous: Json
  readonly next: Json
  readonly decommits: readonly Json[]
}

const random = randomSource('forged transitions')
const flip = (hex: string): string => {
  const at = random.below(hex.length)
  return hex.slice(0, at) + ((parseInt(hex[at]!, 16) + 1 + random.below(15)) % 16).toString(16) + hex.slice(at + 1)
}
const check = ({ previous, next, decommits }: Step) => followsFrom(previous, next, { decommits })

function recordedSteps(): Step[] {
  const { snapshots, decommitTransactions: decommits } = readRecording('history-2.3-part')
  const { withDeposit, withoutDeposit } = readRecording<SignedRecording>('signed-snapshots-2.4.1')
  return [
    { previous: snapshots[0], next: snapshots[1], decommits },
    { previous: snapshots[1], next: snapshots[2], decommits },
    { previous: withDeposit.snapshot, next: withoutDeposit.snapshot, decommits: [] }
  ]
}

/** Every snapshot that a local head comes to in a life with a deposit, payments and withdrawals. */
async function localSteps(): Promise<Step[]> {
  const head = await startClientHead({ node: { profile: '2.3', accumulator: 'real' }, deposit: 100n * ADA })
  try {
    const client = await head.client()
    const snapshots: Json[] = []
    const decommits: Json[] = []
    client.bridge.events.on('onMessage', (message) => {
      if (message.tag === 'SnapshotConfirmed') snapshots.push(structuredClone(message.snapshot))
      if (message.tag === 'DecommitRequested') decommits.push(structuredClone(message.decommitTx))
    })
    const [, bob] = head.wallets.map((wallet) => wallet.getAddressBech32()) as [string, string]
    await client.pay({ to: bob, amount: 7n * ADA })
    await client.withdraw({ amount: 5n * ADA })
    await Promise.all([1, 2, 3].map((n) => client.pay({ to: bob, amount: BigInt(n) * ADA })))
    await client.deposit({ amount: 9n * ADA })
    await client.pay({ to: bob, amount: 2n * ADA })
    return snapshots.slice(1).map((next, at) => ({ previous: snapshots[at]!, next, decommits }))
  } finally {
    await head.stop()
  }
}

/** Forges one thing, and names the reasons that may be given. */
function forge(step: Step): { step: Step; reasons: readonly string[] } {
  const forged = structuredClone(step) as { previous: Json; next: Json; decommits: Json[] }
  const { next } = forged
  const anOutput = (): Json => next['utxo'][random.pick(Object.keys(next['utxo']))]
  const kinds: [readonly string[], () => void][] = [
    [['number'], () => (next['number'] += 1 + random.below(9))],
    [['version'], () => (next['version'] += 2 + random.below(9))],
    [['head'], () => (next['headId'] = flip('ab'.repeat(28)))],
    [['utxo'], () => (anOutput()['value'].lovelace = Number(anOutput()['value'].lovelace) + 1 + random.below(1_000))],
    [['utxo', 'decommit'], () => delete next['utxo'][random.pick(Object.keys(next['utxo']))]],
    [['utxo'], () => (next['utxo'][`${flip('99'.repeat(32))}#0`] = structuredClone(anOutput()))],
    [
      ['utxo'],
      () => {
        const key = random.pick(Object.keys(next['utxo']))
        next['utxo'][`${flip('99'.repeat(32))}#0`] = next['utxo'][key]
        delete next['utxo'][key]
      }
    ],
    [['input'], () => delete next['utxo']],
    [['input'], () => (next['confirmed'] = null)]
  ]
  if (next['confirmed'].length > 0) {
    const tx = random.pick(next['confirmed'] as Json[])
    kinds.push(
      [['utxo', 'transaction'], () => (next['confirmed'] = next['confirmed'].filter((each: Json) => each !== tx))],
      [['transaction'], () => (tx['txId'] = flip(tx['txId']))],
      [['transaction'], () => next['confirmed'].push(structuredClone(tx))],
      [['transaction', 'witness'], () => (tx['cborHex'] = flip(tx['cborHex']))],
      [
        ['witness'],
        () =>
          (tx['cborHex'] = tx['cborHex'].replace(
            /(5820[0-9a-f]{64}5840)([0-9a-f]{128})/,
            (_: string, key: string, signature: string) => key + flip(signature)
          ))
      ]
    )
  }
  if (next['utxoToDecommit'] && Object.keys(next['utxoToDecommit']).length > 0)
    kinds.push([
      ['decommit', 'transaction'],
      () => (Object.values<Json>(next['utxoToDecommit'])[0]!['value'].lovelace = 1)
    ])
  const [reasons, apply] = random.pick(kinds)
  apply()
  return { step: forged, reasons }
}

async function nameForgeries(steps: readonly Step[], count: number): Promise<void> {
  const usable = steps.filter(({ next }) => Object.keys(next['utxo']).length > 0)
  for (let i = 0; i < count; i++) {
    const { step, reasons } = forge(random.pick(usable))
    const verdict = await check(step)
    if (verdict.ok)
      throw new Error(
        `taken: ${JSON.stringify(step.next, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`
      )
    expect(reasons).toContain(verdict.reason)
    expect(verdict.detail).not.toBe('')
  }
}

describeWithShared('the recorded history of real heads', () => {
  it('is explained step by step: deposits, payments, and a decommit with a fee of its own', async () => {
    const verdicts = await Promise.all(recordedSteps().map(check))
    expect(verdicts).toEqual([
      { ok: true, fees: 0n, unread: [] },
      { ok: true, fees: 170_121n, unread: [] },
      { ok: true, fees: 0n, unread: [] }
    ])
  })

  it('is explained by its sums where the transaction of a decommit is not known, and says so', async () => {
    const { previous, next, decommits } = recordedSteps()[1]!
    expect(await followsFrom(previous, next)).toEqual({ ok: true, fees: 170_121n, unread: [decommits[0]!['txId']] })
    const more = structuredClone(next)
    Object.values<Json>(more['utxoToDecommit'])[0]!['value'].lovelace = 5_000_001
    expect(await followsFrom(previous, more)).toMatchObject({ ok: false, reason: 'decommit' })
  })

  it('names each of 1,000 forged transitions', async () => {
    await nameForgeries(recordedSteps(), scaled(1_000))
  }, 300_000)

  it('holds what is pending to what is said of it', async () => {
    const { previous, next } = recordedSteps()[2]!
    const changed = (side: Json, change: Json): Json => ({ ...side, ...change })
    expect(await followsFrom(changed(previous, { depositTxId: null }), next)).toMatchObject({
      ok: false,
      reason: 'deposit'
    })
    expect(await followsFrom(previous, changed(next, { depositTxId: 'ab'.repeat(32) }))).toMatchObject({
      ok: false,
      reason: 'deposit'
    })
    expect(await followsFrom(previous, changed(next, { version: 0 }))).toMatchObject({
      ok: false,
      reason: 'transaction'
    })
    expect(await followsFrom(changed(previous, { utxoToCommit: null, depositTxId: null }), next)).toMatchObject({
      ok: false,
      reason: 'version'
    })
  })
})

describe('the history of a local head', () => {
  it('is explained step by step, and each of 1,000 forged transitions of it is named', async () => {
    const steps = await localSteps()
    expect(steps.length).toBeGreaterThan(5)
    for (const step of steps) expect(await check(step)).toMatchObject({ ok: true, unread: [] })
    await nameForgeries(steps, scaled(1_000))
  }, 300_000)
})

describe('what is no pair of snapshots', () => {
  it.each([null, 7, 'text', [], {}, { utxo: 7 }])(
    'is answered with a verdict, never an exception: %p',
    async (value) => {
      const [{ snapshot }] = homeVectors<Json>('signed_snapshots') as [Json]
      expect(await followsFrom(value, snapshot)).toMatchObject({ ok: false, reason: 'input' })
      expect(await followsFrom(snapshot, value)).toMatchObject({ ok: false, reason: 'input' })
    }
  )
})
