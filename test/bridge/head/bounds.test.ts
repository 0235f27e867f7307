import { LayerBridge } from 'layer-sdk/bridge'
import { Decommits } from '../../../src/bridge/head/Decommits'
import { SeqFilter } from '../../../src/bridge/head/seqFilter'
import { networkOfSlotZero } from '../../../src/bridge/head/slotClock'
import { UtxoIndex } from '../../../src/bridge/head/UtxoIndex'
import { WaitingSnapshots } from '../../../src/bridge/head/WaitingSnapshots'
import type { Snapshot, TransactionJson, TxOutJson } from '../../../src/bridge/protocol/types'
import { FakeConnector } from '../../support/fakeConnector'
import { hashOf, sampleTx } from '../../support/sampleTx'

describe('the filter of repeated messages', () => {
  const GREETINGS = { tag: 'Greetings' }
  const message = (seq: number): { tag: string; seq: number } => ({ tag: 'TxValid', seq })
  const repeated = (filter: SeqFilter, ...messages: { tag: string; seq?: number }[]): boolean[] =>
    messages.map((each) => filter.isRepeated(each))

  it('takes the first message of a node that begins to count at zero', () => {
    expect(repeated(new SeqFilter(), GREETINGS, message(0), message(0), message(1))).toEqual([
      false,
      false,
      true,
      false
    ])
  })

  it('drops what the replay has brought, in whatever order that came', () => {
    expect(repeated(new SeqFilter(), message(5), message(2), GREETINGS, message(3), message(5), message(6))).toEqual([
      false,
      false,
      false,
      true,
      true,
      false
    ])
  })

  it('begins anew with each connection', () => {
    const filter = new SeqFilter()
    repeated(filter, message(5), GREETINGS, message(7))
    filter.reset()
    expect(repeated(filter, message(5), GREETINGS, message(7))).toEqual([false, false, false])
    filter.reset()
    expect(repeated(filter, GREETINGS, message(0))).toEqual([false, false])
  })

  it('recognises the last thousand, and forgets those before', () => {
    const filter = new SeqFilter()
    repeated(filter, GREETINGS)
    for (let seq = 1; seq <= 1_001; seq++) filter.isRepeated(message(seq))
    expect(repeated(filter, message(1_001), message(2), message(1))).toEqual([true, true, false])
  })
})

describe('snapshots that wait for a baseline', () => {
  const lean = (number: number): Snapshot => ({ number }) as Snapshot
  const whole = (number: number): Snapshot => ({ number, utxo: {} }) as Snapshot
  const numbers = (waiting: WaitingSnapshots): number[] => {
    const found: number[] = []
    for (let first = waiting.first; first !== undefined; first = waiting.first) {
      found.push(first.number)
      waiting.shift()
    }
    return found
  }

  it('are a thousand at most, the newest', () => {
    const waiting = new WaitingSnapshots()
    for (let number = 1; number <= 1_001; number++) waiting.push(lean(number), 1)
    const kept = numbers(waiting)
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_000, 2, 1_001])
    waiting.shift()
    expect(waiting.first).toBeUndefined()
  })

  it('weigh eight million characters at most together, and one may weigh more', () => {
    const waiting = new WaitingSnapshots()
    waiting.push(lean(1), 4_000_000)
    waiting.push(lean(2), 4_000_000)
    waiting.push(lean(3), 1)
    waiting.push(lean(4), 3_999_999)
    expect(numbers(waiting)).toEqual([2, 3, 4])
    waiting.push(lean(5), 9_000_000)
    expect(waiting.first?.number).toBe(5)
    waiting.push(lean(6), 1)
    expect(numbers(waiting)).toEqual([6])
    // What was taken off weighs nothing any more.
    waiting.push(lean(7), 8_000_000)
    waiting.clear()
    waiting.push(lean(8), 4_000_000)
    waiting.push(lean(9), 4_000_000)
    expect(numbers(waiting)).toEqual([8, 9])
  })

  it('begin anew with one that has all outputs', () => {
    const waiting = new WaitingSnapshots()
    for (const snapshot of [lean(1), whole(2), lean(3)]) waiting.push(snapshot, 1)
    expect(numbers(waiting)).toEqual([2, 3])
  })
})

describe('units that are kept', () => {
  const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
  const policyOf = (n: number): string => n.toString(16).padStart(56, '0')

  it('do not decide what an address holds: of 5,000 policies each sums exactly, twice', () => {
    const index = new UtxoIndex()
    const policies = Array.from({ length: 5_000 }, (_, n) => policyOf(n))
    for (const part of [0, 1]) {
      const outputs = policies.map(
        (policy, n) =>
          ({ address: ADDRESS, value: { lovelace: 1, [policy]: { ab: n + 1, '': 2 } } }) as unknown as TxOutJson
      )
      const added = policies.map((_, n) => `${n.toString(16).padStart(64, '0')}#${part}`)
      index.apply({ added, outputs, removed: [] })
    }
    const balance = index.balanceOf(ADDRESS)
    expect(balance.size).toBe(10_001)
    expect(balance.get('lovelace')).toBe(10_000n)
    const wrong = policies.filter(
      (policy, n) => balance.get(`${policy}ab`) !== 2n * BigInt(n + 1) || balance.get(policy) !== 4n
    )
    expect(wrong).toEqual([])
  })
})

describe('announced decommits', () => {
  const tx = sampleTx(1)

  it('name what they spend by their transaction, and nothing where that cannot be read', () => {
    const decommits = new Decommits()
    decommits.note(tx)
    decommits.note({ ...sampleTx(2), cborHex: '84' })
    decommits.note(undefined)
    expect(decommits.spentBy(tx.txId)).toEqual([`${hashOf(1)}#0`])
    expect([decommits.spentBy(sampleTx(2).txId), decommits.spentBy(sampleTx(3).txId)]).toEqual([undefined, undefined])
    decommits.clear()
    expect(decommits.spentBy(tx.txId)).toBeUndefined()
  })

  it('spend nothing more once their outputs are on their way', () => {
    const decommits = new Decommits()
    decommits.note(tx)
    decommits.noteDone({ [`${tx.txId}#0`]: {} as never, [`${hashOf(9)}#3`]: {} as never })
    expect([decommits.spentBy(tx.txId), decommits.spentBy(hashOf(9))]).toEqual([[], []])
    decommits.noteDone(null)
  })

  it('are four at most, the newest, none of which is longer than a ledger allows', () => {
    const decommits = new Decommits()
    const many = [1, 2, 3, 4, 5].map((salt) => sampleTx(salt))
    for (const each of many) decommits.note(each)
    expect(many.map(({ txId }) => decommits.spentBy(txId) !== undefined)).toEqual([false, true, true, true, true])
    const bare = (txId: string, characters: number): TransactionJson => ({
      ...tx,
      txId,
      cborHex: tx.cborHex.padEnd(characters, '0')
    })
    decommits.note(bare('cc'.repeat(33), 10))
    decommits.note(bare('dd'.repeat(32), 1_000_001))
    // Neither took the place of one of the four.
    expect(many.map(({ txId }) => decommits.spentBy(txId) !== undefined)).toEqual([false, true, true, true, true])
    decommits.note(bare('ee'.repeat(32), 1_000_000))
    expect(decommits.spentBy(many[1]!.txId)).toBeUndefined()
  })
})

describe('the network of a head', () => {
  // Slot 0 by the Shelley genesis of each network and its slots of one second.
  it.each([
    ['mainnet', 1_591_566_291_000, 1],
    ['preprod', 1_655_683_200_000, 0],
    ['preview', 1_666_656_000_000, 0],
    ['no named network', 1_700_000_000_000, null]
  ])('is known by its slot 0: %s', (_name, timestamp, networkId) => {
    expect(networkOfSlotZero({ timestamp, exact: true })).toBe(networkId)
    expect(networkOfSlotZero(null)).toBeNull()
  })

  it('refuses an address of another one in an empty head, in place of a false nothing', async () => {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector })
    const connected = bridge.connect()
    connector.last.greet({ headStatus: 'Open', hydraHeadId: 'ab', snapshotUtxo: {} })
    await connected
    connector.last.say({
      tag: 'NodeSynced',
      chainSlot: 100,
      chainTime: new Date(1_591_566_291_000 + 100_000).toISOString(),
      drift: 0,
      seq: 1
    })
    const testnet = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
    expect(() => bridge.getAddressBalance(testnet)).toThrow(expect.objectContaining({ code: 'INPUT_ADDRESS' }))
    await bridge.disconnect()
  })
})
