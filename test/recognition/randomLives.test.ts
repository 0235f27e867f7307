import type { Recognition } from '../../src/recognition'
import { createMemoryStore, SetMemo } from '../../src/recognition'
import type { FundedKey } from '../../src/devnode'
import { newTx } from '../devnode/harness'
import { ada, buildTx, envelopeOf, lovelaceOf, pay, signTx } from '../devnode/transactions'
import { lovelaceIn, LocalHead } from './localHead'

const ADA = 1_000_000n
const LIVES = process.env['LAYER_SDK_FULL'] === '1' ? 1_000 : 10
/** Blocks of a life before it is closed. */
const BLOCKS = 12

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) % below
  }
}

/** One head, at random: what its wallets own together never changes, whatever happens between two blocks. */
class RandomLife {
  readonly head: LocalHead
  readonly store = createMemoryStore()
  readonly pick: (below: number) => number
  readonly states = new Set<string>()
  readonly #memo: SetMemo
  /** Looks that proved the amounts. */
  verified = 0
  #total = 0n

  constructor(seed: number, memo: SetMemo) {
    this.pick = random(seed)
    this.#memo = memo
    this.head = new LocalHead(seed % 2 === 0 ? '2.4' : '2.3', { seed: `life ${seed}`, parties: 1 + (seed % 3) })
  }

  get owners(): readonly FundedKey[] {
    return [this.head.alice, this.head.bob]
  }

  base(): bigint {
    const addresses = this.owners.map(({ address }) => address)
    const own = this.head.node.baseUtxos().filter(({ output }) => addresses.includes(output.address))
    return own.reduce((sum, { output }) => sum + lovelaceOf(output), 0n)
  }

  async check(): Promise<Recognition> {
    const found = await this.head.recognise({
      addresses: this.owners.map(({ address }) => address),
      store: this.store,
      memo: this.#memo
    })
    this.states.add(found.closing === null ? found.state : `${found.state} ${found.closing.phase}`)
    // Between two steps of a fanout no whole set is on the chain: nothing is claimed then.
    if (found.closing?.phase === 'paying-out') expect(found.inHead).toBeNull()
    else if (found.reason === 'stale') {
      // A snapshot was signed while the step of the one before was on its way: flagged, with the last verified one.
      expect([found.state, found.inHead]).toEqual(['UNVERIFIABLE', null])
      expect(found.lastVerified).not.toBeNull()
    } else {
      expect([found.state, found.reason]).not.toContain('UNVERIFIABLE')
      this.verified++
      expect(lovelaceIn(found, this.base())).toBe(this.#total)
    }
    return found
  }

  async run(): Promise<void> {
    const { head } = this
    this.#total = this.base()
    expect((await this.check()).state).toBe('NO_HEAD')
    await head.open()
    for (let block = 0; block < BLOCKS; block++) {
      await this.act()
      await head.advance(1_000)
      await this.check()
    }
    head.client.send({ tag: 'Close' })
    await head.advance(3_000)
    expect((await this.check()).state).toBe('HEAD_CLOSING')
    await head.advance(60_000)
    await this.check()
    head.client.send({ tag: 'Fanout' })
    await head.advance(3_000)
    expect((await this.check()).state).toBe('NO_HEAD')
    await head.node.stop()
  }

  async act(): Promise<void> {
    const { head, pick } = this
    const owner = this.owners[pick(2)]!
    const [own] = head.node.headUtxos(owner.address)
    switch (pick(4)) {
      case 0:
        return head.status === 'Open' ? head.deposit() : undefined
      case 1:
        if (own === undefined || lovelaceOf(own.output) < 10n * ADA) return
        return head.client.send(newTx(pay(own, owner, this.owners[pick(2)]!.address, BigInt(2 + pick(5)) * ADA)))
      case 2: {
        if (own === undefined) return
        const out = buildTx({ inputs: [own.input], outputs: [ada(owner.address, lovelaceOf(own.output))] })
        return head.client.send({ tag: 'Decommit', decommitTx: envelopeOf(signTx(out, owner)) })
      }
      default:
        return undefined
    }
  }
}

it(`loses no money and counts none twice, at any block of ${LIVES} random lives`, async () => {
  const memo = new SetMemo()
  const states = new Set<string>()
  let verified = 0
  for (let seed = 1; seed <= LIVES; seed++) {
    const life = new RandomLife(seed, memo)
    await life.run()
    verified += life.verified
    for (const state of life.states) states.add(state)
  }
  expect(verified).toBeGreaterThan(LIVES * BLOCKS * 0.8)
  expect([...states].sort()).toEqual([
    'HEAD_CLOSING contestable',
    'HEAD_CLOSING payable',
    'NO_HEAD',
    'UNVERIFIABLE',
    'VERIFIED_IN_HEAD'
  ])
}, 3_600_000)
