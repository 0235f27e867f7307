import { PendingView, refOf } from '../../src/client/PendingView'
import type { PendingTx } from '../../src/client/PendingView'
import type { UTxO } from 'layer-sdk'

const ALICE = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const BOB = 'addr_test1vpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48'
const idOf = (n: number): string => n.toString(16).padStart(2, '0').repeat(32)
const out = (address: string, lovelace: number): UTxO['output'] => ({
  address,
  amount: [{ unit: 'lovelace', quantity: String(lovelace) }]
})
const utxo = (n: number, index: number, address: string, lovelace: number): UTxO => ({
  input: { txHash: idOf(n), index },
  output: out(address, lovelace)
})

describe('the pending view', () => {
  let confirmed: UTxO[] | null
  let view: PendingView
  let arriving: string[]
  let listed: number
  const lovelace = ({ output }: UTxO): number => Number(output.amount[0]!.quantity)
  beforeEach(() => {
    confirmed = [utxo(1, 0, ALICE, 10), utxo(2, 0, ALICE, 20), utxo(3, 0, BOB, 30)]
    arriving = []
    listed = 0
    view = new PendingView({
      largest(address, _unit, limit) {
        const own = confirmed?.filter(({ output }) => output.address === address)
        const largest = own?.sort((a, b) => lovelace(b) - lovelace(a)).slice(0, limit) ?? null
        listed += largest?.length ?? 0
        return largest
      },
      isArriving: (ref) => arriving.includes(ref),
      utxos: (address) => confirmed?.filter(({ output }) => output.address === address) ?? null,
      isUnspent: (ref) => confirmed?.some((each) => refOf(each) === ref) ?? null
    })
  })

  it('lists the largest outputs that are free, and no more than it needs of an address with very many', () => {
    confirmed = Array.from({ length: 10_000 }, (_, n) => utxo(n, n, ALICE, n + 1))
    const refs = confirmed.map(refOf).reverse()
    view.hold([refs[0]!, refs[2]!], 'held')
    arriving = [refs[4]!]
    expect(largest(4, ALICE)).toEqual({ refs: [refs[1], refs[3], refs[5]], isAll: false })
    expect(listed).toBe(6)
    view.release('held')
    expect(largest(3, ALICE)).toEqual({ refs: refs.slice(0, 3), isAll: false })
  })

  it('says when the largest are all, and that nothing is known before the state is', () => {
    expect(largest(5, ALICE, BOB)).toEqual({ refs: [2, 1, 3].map((n) => `${idOf(n)}#0`), isAll: true })
    expect(largest(2, ALICE)).toMatchObject({ isAll: false })
    confirmed = null
    expect(largest(2, ALICE)).toBeNull()
  })

  /** Reserves transaction `n`. */
  const reserve = (n: number, inputs: UTxO[], ...outputs: UTxO['output'][]): PendingTx =>
    view.reserve({ txId: idOf(n), inputs, outputs })
  /** A snapshot confirms it. */
  function confirm(tx: PendingTx): void {
    confirmed = [
      ...confirmed!.filter((each) => !tx.inputs.some((input) => refOf(input) === refOf(each))),
      ...tx.outputs
    ]
    view.remove(tx)
  }
  const spendable = (...addresses: string[]): unknown =>
    view.spendable(addresses)?.map(({ utxo: each, depth }) => [refOf(each), depth]) ?? null
  const largest = (count: number, ...addresses: string[]): unknown => {
    const found = view.largest(addresses, ['lovelace'], count)
    return found && { refs: found.utxos.map(refOf), isAll: found.isAll }
  }
  const balance = (): bigint => {
    let sum = BigInt((confirmed ?? []).reduce((total, { output }) => total + Number(output.amount[0]!.quantity), 0))
    for (const { utxo: each, sign } of view.changes()) sum += sign * BigInt(each.output.amount[0]!.quantity)
    return sum
  }

  it('ends a hold of unknown outcome for what is spent, and for the rest at its time, without a timer', () => {
    view.hold([refOf(utxo(1, 0, ALICE, 10)), refOf(utxo(2, 0, ALICE, 20))], 'withdraw')
    view.releaseAt('withdraw', Date.now() + 60_000)
    expect([spendable(ALICE), view.isHolding]).toEqual([[], true])
    confirmed = confirmed!.slice(1)
    expect([view.reservedBy(`${idOf(1)}#0`), view.reservedBy(`${idOf(2)}#0`), view.isHolding]).toEqual([
      undefined,
      'withdraw',
      true
    ])
    const now = Date.now()
    jest.spyOn(Date, 'now').mockReturnValue(now + 60_000)
    expect([spendable(ALICE), view.isHolding]).toEqual([[[`${idOf(2)}#0`, 0]], false])
    jest.restoreAllMocks()
  })

  it('is not known before the state is', () => {
    confirmed = null
    expect(spendable(ALICE)).toBeNull()
    expect(spendable()).toEqual([])
  })

  it('offers what a transaction makes in the place of what it spends, to its owner', () => {
    const tx = reserve(10, [utxo(1, 0, ALICE, 10)], out(BOB, 4), out(ALICE, 6))
    expect(spendable(ALICE)).toEqual([
      [`${idOf(2)}#0`, 0],
      [`${idOf(10)}#1`, 1]
    ])
    expect(spendable(BOB)).toEqual([
      [`${idOf(3)}#0`, 0],
      [`${idOf(10)}#0`, 1]
    ])
    expect([view.size, view.get(tx.txId), view.reservedBy(`${idOf(1)}#0`), view.reservedBy(`${idOf(2)}#0`)]).toEqual([
      1,
      tx,
      tx.txId,
      undefined
    ])
    expect(balance()).toBe(60n)
  })

  it('offers an output once that a snapshot shows while its transaction is still pending, as a confirmed one', () => {
    const tx = reserve(10, [utxo(1, 0, ALICE, 10)], out(ALICE, 10))
    confirmed = [utxo(2, 0, ALICE, 20), utxo(3, 0, BOB, 30), ...tx.outputs]
    expect(spendable(ALICE)).toEqual([
      [`${idOf(2)}#0`, 0],
      [`${idOf(10)}#0`, 0]
    ])
    // Counted once: it is in the snapshot, and what it spends is not.
    expect(balance()).toBe(60n)
    view.remove(tx)
    expect(balance()).toBe(60n)
  })

  it('finds the outputs of an id in capital letters', () => {
    const capital = utxo(171, 0, ALICE, 1)
    confirmed = [capital]
    reserve(10, [{ ...capital, input: { txHash: capital.input.txHash.toUpperCase(), index: 0 } }], out(ALICE, 1))
    expect(spendable(ALICE)).toEqual([[`${idOf(10)}#0`, 1]])
    const child = reserve(
      11,
      [{ input: { txHash: idOf(10).toUpperCase(), index: 0 }, output: out(ALICE, 1) }],
      out(ALICE, 1)
    )
    expect(child.parents.map(({ txId }) => txId)).toEqual([idOf(10)])
  })

  it('counts the longest chain of unconfirmed transactions, and begins anew where one is confirmed', () => {
    const first = reserve(10, [utxo(1, 0, ALICE, 10)], out(ALICE, 5), out(ALICE, 5))
    const second = reserve(11, [first.outputs[0]!], out(ALICE, 5))
    const joined = reserve(12, [first.outputs[1]!, second.outputs[0]!], out(ALICE, 10))
    const aside = reserve(13, [utxo(2, 0, ALICE, 20)], out(ALICE, 20))
    expect([first, second, joined, aside].map((tx) => view.depthOf(tx))).toEqual([1, 2, 3, 1])
    // Both outputs of the first, from one parent.
    expect(joined.parents).toEqual([first, second])
    confirm(first)
    expect([second, joined, aside].map((tx) => view.depthOf(tx))).toEqual([1, 2, 1])
    expect(view.depthOf(first)).toBe(0)
    expect(spendable(ALICE)).toEqual([
      [`${idOf(12)}#0`, 2],
      [`${idOf(13)}#0`, 1]
    ])
  })

  it('names all that build on a transaction, and none that do not', () => {
    const first = reserve(10, [utxo(1, 0, ALICE, 10)], out(ALICE, 5), out(ALICE, 5))
    const other = reserve(20, [utxo(2, 0, ALICE, 20)], out(ALICE, 20))
    const second = reserve(11, [first.outputs[0]!], out(ALICE, 5))
    const third = reserve(12, [second.outputs[0]!, other.outputs[0]!], out(ALICE, 25))
    expect(view.descendantsOf(first)).toEqual([second, third])
    expect(view.descendantsOf(other)).toEqual([third])
    expect(view.descendantsOf(third)).toEqual([])
  })

  it('keeps back what a transaction makes that is not offered, and still counts what it spends as gone', () => {
    const tx = reserve(10, [utxo(1, 0, ALICE, 10)], out(ALICE, 10))
    tx.offered = false
    expect(spendable(ALICE)).toEqual([[`${idOf(2)}#0`, 0]])
    expect(balance()).toBe(50n)
  })

  it('frees what a transaction spends when it can never be, and nothing of another one', () => {
    const first = reserve(10, [utxo(1, 0, ALICE, 10), utxo(2, 0, ALICE, 20)], out(ALICE, 30))
    // An equal payment takes its place, with its id.
    const again = reserve(10, [utxo(2, 0, ALICE, 20)], out(ALICE, 20))
    view.remove(first)
    expect(view.get(idOf(10))).toBe(again)
    expect(view.reservedBy(`${idOf(2)}#0`)).toBe(idOf(10))
    view.remove(again)
    expect(view.reservedBy(`${idOf(2)}#0`)).toBeUndefined()
    expect(view.size).toBe(0)
  })

  it('does not free an input that another transaction has taken since', () => {
    const first = reserve(10, [utxo(1, 0, ALICE, 10)], out(ALICE, 10))
    const second = reserve(11, [utxo(1, 0, ALICE, 10)], out(ALICE, 10))
    view.remove(first)
    expect(view.reservedBy(`${idOf(1)}#0`)).toBe(second.txId)
  })

  it('holds outputs back under a label, beside what transactions have reserved, until it is released', () => {
    const tx = reserve(10, [utxo(1, 0, ALICE, 10)], out(ALICE, 10))
    expect(view.isHolding).toBe(false)
    view.hold([`${idOf(1)}#0`, `${idOf(2)}#0`], 'a withdrawal')
    expect(view.isHolding).toBe(true)
    expect([view.reservedBy(`${idOf(1)}#0`), view.reservedBy(`${idOf(2)}#0`)]).toEqual([tx.txId, 'a withdrawal'])
    expect(spendable(ALICE)).toEqual([[`${idOf(10)}#0`, 1]])
    view.release('another one')
    expect(view.isHolding).toBe(true)
    view.release('a withdrawal')
    expect([view.isHolding, view.reservedBy(`${idOf(1)}#0`), view.reservedBy(`${idOf(2)}#0`)]).toEqual([
      false,
      tx.txId,
      undefined
    ])
  })

  it('counts an output that a transaction makes and another one spends not at all, and one that is only held back', () => {
    const first = reserve(10, [utxo(1, 0, ALICE, 10)], out(ALICE, 10))
    view.hold([`${idOf(10)}#0`], 'a withdrawal')
    expect(balance()).toBe(60n)
    view.release('a withdrawal')
    const second = reserve(11, [first.outputs[0]!], out(ALICE, 4), out(BOB, 6))
    expect(balance()).toBe(60n)
    confirm(first)
    expect(balance()).toBe(60n)
    confirm(second)
    expect([balance(), view.size]).toEqual([60n, 0])
  })
})
