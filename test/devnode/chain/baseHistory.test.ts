import type { BaseTransaction } from '../../../src/devnode/chain/baseHistory'
import { BaseHistory } from '../../../src/devnode/chain/baseHistory'
import { LedgerEntry } from '../../../src/devnode/rules/utxoSet'
import { ada } from '../transactions'
import { setUp } from '../harness'

const id = (n: number): string => n.toString(16).padStart(64, '0')
const { alice } = setUp({ accounts: 0 })
const entry = (n: number, index = 0): LedgerEntry =>
  new LedgerEntry({ txHash: id(n), index }, ada(alice.address, 1_000_000n))
const transaction = (n: number, more: Partial<BaseTransaction> = {}): Omit<BaseTransaction, 'index'> => {
  return {
    txId: id(n),
    slot: n,
    spent: [],
    collateral: [],
    referred: [],
    outputs: [entry(n)],
    valid: true,
    submitted: null,
    ...more
  }
}

describe('the history of the base ledger', () => {
  it('keeps the newest transactions, and what they have spent', () => {
    const history = new BaseHistory(3)
    for (let n = 1; n <= 5; n++) history.add(transaction(n, { spent: [entry(n - 1)] }))
    expect([...history.transactions()].map(({ txId }) => txId)).toEqual([id(3), id(4), id(5)])
    expect(history.get(id(2))).toBeUndefined()
    expect(history.spending(entry(1).ref)).toBeUndefined()
    expect(history.spending(entry(4).ref)).toMatchObject({ tx: { txId: id(5) }, inputIndex: 0 })
  })

  it('goes on forgetting the oldest after it was restored', () => {
    const history = new BaseHistory(2)
    for (let n = 1; n <= 3; n++) history.add(transaction(n))
    history.restore([...history.transactions()])
    for (let n = 4; n <= 5; n++) history.add(transaction(n))
    expect([...history.transactions()].map(({ txId }) => txId)).toEqual([id(4), id(5)])
  })

  it('keeps one transaction that is larger than all of its bound', () => {
    const history = new BaseHistory()
    const submitted = {
      bytes: new Uint8Array(40 * 1024 * 1024),
      fee: 0n,
      ttl: undefined,
      validityStart: undefined,
      mint: new Map(),
      withdrawals: 0
    }
    for (let n = 1; n <= 2; n++)
      history.add(transaction(n, { submitted: { ...submitted, scripts: new Map(), datums: new Map(), redeemers: 0 } }))
    expect([...history.transactions()].map(({ txId }) => txId)).toEqual([id(2)])
  })

  it('bounds the bytes that it keeps', () => {
    const history = new BaseHistory()
    const submitted = {
      bytes: new Uint8Array(10 * 1024 * 1024),
      fee: 0n,
      ttl: undefined,
      validityStart: undefined,
      mint: new Map(),
      withdrawals: 0
    }
    for (let n = 1; n <= 5; n++)
      history.add(transaction(n, { submitted: { ...submitted, scripts: new Map(), datums: new Map(), redeemers: 0 } }))
    expect([...history.transactions()].map(({ txId }) => txId)).toEqual([id(3), id(4), id(5)])
  })

  it('counts positions within a block, and joins outputs that are placed one by one', () => {
    const history = new BaseHistory()
    for (const [n, slot] of [
      [1, 7],
      [2, 7],
      [3, 8]
    ] as const)
      history.add(transaction(n, { slot }))
    history.add(transaction(2, { slot: 9, outputs: [entry(2, 1)] }))
    expect([...history.transactions()].map(({ index, slot, outputs }) => [slot, index, outputs.length])).toEqual([
      [7, 0, 1],
      [7, 1, 2],
      [8, 0, 1]
    ])
  })
})
