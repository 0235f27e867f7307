import '../../src/verify/ed25519'
import fc from 'fast-check'
import { contextParts } from '../../src/client/ClientContext.js'
import type { HeadClient, Offer, OfferEnd } from '../../src/client/index.js'
import { TxBuilder } from '../../src/tx/index.js'
import { scaled } from '../support/scale'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
let bob: HeadClient
const confirmed = new Set<string>()

beforeAll(async () => {
  head = await startClientHead({ deposit: 100n * ADA })
  ;[alice, bob] = [await head.client(0), await head.client(1)]
  await bob.deposit({ amount: 100n * ADA })
  const watcher = await head.client(2)
  watcher.bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
    for (const { txId } of snapshot.confirmed) confirmed.add(txId)
  })
  for (const [client, index] of [
    [alice, 0],
    [bob, 1]
  ] as const)
    for (let n = 0; n < 8; n++)
      await client.pay({ to: head.wallets[index]!.getAddressBech32(), amount: (5n + BigInt(n)) * ADA })
})
afterAll(() => head.stop())

const STEPS = ['offer', 'accept', 'acceptTwice', 'withdraw', 'spendHis', 'pay', 'wait', 'reconnect'] as const
type Step = readonly [kind: (typeof STEPS)[number], pick: number]

interface Made {
  readonly offer: Offer
  readonly ended: Promise<OfferEnd>
}

/** Alice offers one of her outputs for one of Bob's, for a bound of one to three seconds. */
async function makeOffer(pick: number): Promise<Made | null> {
  const [mine, his] = [alice.getUtxos()!, bob.getUtxos({ view: 'confirmed' })!]
  if (mine.length === 0 || his.length === 0) return null
  const [first, second] = [mine[pick % mine.length]!, his[(pick >> 3) % his.length]!]
  const slot = contextParts(alice.context).ledger.slotAt(Date.now() + 1_000 * (1 + (pick % 3)))! + 1
  const tx = new TxBuilder()
    .spend([first, second])
    .pay(second.output.address, ADA + BigInt(pick))
    .changeTo(first.output.address)
    .validTo(slot)
    .build()
  const offer = await alice.offer(tx).catch(() => null)
  if (offer === null) return null
  return { offer, ended: settledOf(offer) }
}

/** The end of an offer, over the ends of connections. */
async function settledOf(offer: Offer): Promise<OfferEnd> {
  for (;;) {
    try {
      return await offer.settled({ timeout: 20_000 })
    } catch (error) {
      if (!/^BRIDGE_/.test((error as { code: string }).code)) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

async function run(steps: readonly Step[]): Promise<void> {
  const all: Made[] = []
  const running: Promise<unknown>[] = []
  const withdrawn = new Map<string, OfferEnd>()
  const accepted = new Set<string>()
  const start = (promise: Promise<unknown>): void => void running.push(promise.catch(() => undefined))
  for (const [kind, pick] of steps) {
    const made = all.length === 0 ? undefined : all[pick % all.length]
    if (kind === 'offer') {
      const next = await makeOffer(pick)
      if (next !== null) all.push(next)
    } else if (kind === 'pay')
      start(alice.pay({ to: head.wallets[0]!.getAddressBech32(), amount: ADA, timeout: 5_000 }))
    else if (kind === 'wait') await new Promise((resolve) => setTimeout(resolve, pick * 20))
    else if (kind === 'reconnect') {
      await alice.disconnect()
      await alice.connect()
    } else if (kind === 'spendHis')
      start(bob.pay({ to: head.wallets[1]!.getAddressBech32(), amount: 3n * ADA, timeout: 5_000 }))
    else if (made !== undefined && kind === 'withdraw')
      start(made.offer.withdraw({ timeout: 5_000 }).then((end) => withdrawn.set(made.offer.txId, end)))
    else if (made !== undefined)
      for (let n = kind === 'accept' ? 1 : 2; n > 0; n--)
        start(
          bob.acceptOffer(made.offer.text, { gives: 200n * ADA, timeout: 5_000 }).then(({ txId }) => accepted.add(txId))
        )
  }
  await Promise.all(running)
  const ends = await Promise.all(all.map(({ ended }) => ended))
  // What was decided stays so: a late confirmation would show here.
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const [index, end] of ends.entries()) {
    const { offer } = all[index]!
    expect([end.state, confirmed.has(offer.txId)]).toEqual([end.state, end.state === 'accepted'])
    expect(offer.isHeld).toBe(false)
    if (accepted.has(offer.txId)) expect(end.state).toBe('accepted')
    const late = withdrawn.get(offer.txId)
    if (late !== undefined) expect([late.state, end.state]).toEqual([end.state, late.state])
  }
  const refs = (client: HeadClient, view: 'confirmed' | 'pending'): string[] =>
    client
      .getUtxos({ view })!
      .map(({ input }) => `${input.txHash}#${input.index}`)
      .sort()
  for (const client of [alice, bob]) {
    expect(contextParts(client.context).txs.size).toBe(0)
    expect(refs(client, 'pending')).toEqual(refs(client, 'confirmed'))
  }
}

it('reports each end as the head has it, and keeps no output back after the end of an offer', async () => {
  const step = fc.tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('offer' as const) },
      { weight: 8, arbitrary: fc.constantFrom(...STEPS) }
    ),
    fc.nat(50)
  )
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), run), {
    numRuns: scaled(60),
    seed: 30,
    endOnFailure: true
  })
}, 600_000)
