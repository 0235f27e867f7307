import type { LayerPayload } from 'layer-sdk/bridge'
import type { HeadTransaction, UTxO } from 'layer-sdk/client'
import { buildPayment, decodeTransaction, TxBuilder } from 'layer-sdk/tx'
import { Metadatum } from 'layer-sdk/utils'
import type { LedgerSources } from '../../src/dashboard/model/explorer'
import { addressDetails, outputDetails, txDetails, txSummary } from '../../src/dashboard/model/explorer'
import { LifeLog, MAX_PAID_OUT } from '../../src/dashboard/model/LifeLog'
import { namesOf } from '../../src/dashboard/model/names'
import { findPage, linkTo, readRoute, viewOf } from '../../src/dashboard/model/pages'
import { plainMetadata } from '../../src/dashboard/model/text'
import { TxBook } from '../../src/dashboard/model/TxBook'
import { MAX_TX_ROWS, TxLog } from '../../src/dashboard/model/TxLog'
import { FundsLog } from '../../src/doctor/facts/FundsLog'
import { addressOf } from '../support/signedSnapshot'

const HEAD = 'ab'.repeat(28)
const [ALICE, BOB, EVE] = ['a1', 'b0', 'ee'].map((byte) => addressOf(`60${byte.repeat(28)}`)) as [
  string,
  string,
  string
]
const id = (n: number): string => n.toString(16).padStart(64, '0')
const refOf = ({ input }: UTxO): string => `${input.txHash}#${input.index}`
const utxo = (n: number, address: string, lovelace: bigint): UTxO => ({
  input: { txHash: id(n), index: 0 },
  output: { address, amount: [{ unit: 'lovelace', quantity: String(lovelace) }] }
})
const message = (tag: string, members: object): LayerPayload =>
  ({ tag, headId: HEAD, timestamp: '2026-01-01T00:00:00Z', ...members }) as LayerPayload
const json = (utxos: readonly UTxO[]): object =>
  Object.fromEntries(
    utxos.map((each) => [
      refOf(each),
      { address: each.output.address, value: { lovelace: BigInt(each.output.amount[0]!.quantity) } }
    ])
  )

/** The logs of a page that sees these messages. */
function pageOf(utxos: readonly UTxO[] = []): LedgerSources & { see(tag: string, members: object): void } {
  const [txs, book, funds, life] = [new TxLog(), new TxBook(), new FundsLog(), new LifeLog()]
  return {
    txs,
    book,
    funds,
    life,
    utxos,
    isArriving: () => false,
    see(tag, members) {
      for (const log of [txs, book, funds, life]) log.apply(message(tag, members))
      book.index(100)
    }
  }
}
const confirmed = (number: number, ...txs: { txId: string; cborHex?: string }[]): object => ({
  snapshot: { headId: HEAD, number, confirmed: txs, utxoToCommit: null, utxoToDecommit: null }
})
const deposit = utxo(1, ALICE, 10_000_000n)
const payment = buildPayment({ utxos: [deposit], to: BOB, amount: 2_500_000n, changeAddress: ALICE })
const onward = buildPayment({
  utxos: [decodeTransaction(payment.cborHex).outputs[0]!],
  to: EVE,
  amount: 1_000_000n,
  changeAddress: BOB
})

describe('a search', () => {
  it.each([
    [`  ${id(7).toUpperCase()} `, { kind: 'transaction', txId: id(7) }],
    [`${id(7).toUpperCase()}#65535`, { kind: 'output', txHash: id(7), index: 65_535 }],
    [ALICE, { kind: 'address', address: ALICE }],
    [ALICE.toUpperCase(), { kind: 'address', address: ALICE }],
    [
      'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi',
      { kind: 'address', address: 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi' }
    ]
  ])('finds the page of %s', (query, page) => expect(findPage(query)).toEqual(page))

  it.each([
    ['', 'empty', /Enter the id/],
    ['   ', 'empty', /Enter the id/],
    [id(7).slice(1), 'id-length', /64 hexadecimal digits; this text has 63/],
    [`${id(7)}#65536`, 'reference', /up to 65535/],
    [`${id(7)}#-1`, 'reference', /number/],
    ['#', 'reference', /number/],
    [ALICE.slice(0, -2), 'address', /checksum|address/i],
    ['stake_test1ur4l6cznhgft8q5gk2mdt4xyvxxk4r89n4g9sr5udacy4agpu0rzh', 'reward-address', /reward/],
    ['bob', 'unknown', /no id of a transaction, no address/],
    ['<img src=x onerror=alert(1)>', 'unknown', /no id/],
    ['pay \u202eecila\u001b[2J', 'unknown', /pay \\u202eecila\\u001b\[2J/],
    ['x'.repeat(501), 'unknown', /shorter than these 501 characters/]
  ])('says what is wrong with %j', (query, problem, text) => {
    const page = findPage(query)
    expect(page).toMatchObject({ kind: 'problem', problem })
    expect((page as { message: string }).message).toMatch(text)
    expect((page as { message: string }).message.length).toBeLessThan(400)
  })
})

describe('the fragment of a URL', () => {
  it.each([
    { kind: 'transaction', txId: id(9) } as const,
    { kind: 'address', address: ALICE } as const,
    { kind: 'output', txHash: id(9), index: 3 } as const
  ])('leads back to its page: $kind', (page) => expect(readRoute(linkTo(page))).toEqual(page))

  it('of a link that others wrote holds no markup', () => {
    const link = linkTo({ kind: 'address', address: '"><img src=x>' })
    expect(link).not.toMatch(/["<> ]/)
    expect(readRoute(link)).toMatchObject({ kind: 'problem', problem: 'unknown' })
  })

  it.each([
    ['', 'overview'],
    ['#/transactions', 'transactions'],
    ['#main', 'overview'],
    ['#/constructor', 'overview'],
    ['#/__proto__/x', 'overview']
  ])('%j is a view', (hash, view) => expect(viewOf(readRoute(hash))).toBe(view))

  it.each([`#/transaction/${ALICE}`, `#/output/${id(1)}`, '#/address/%E0%A4%A', '#/address/', `#/address/${id(1)}`])(
    '%s names no page',
    (hash) => expect(readRoute(hash)).toMatchObject({ kind: 'problem' })
  )
})

describe('a transaction', () => {
  it('is shown with its senders, receivers and amounts, once a snapshot holds it', () => {
    const page = pageOf()
    page.see('CommitRecorded', {
      pendingDeposit: id(1),
      deadline: '2026-01-01T00:00:00Z',
      utxoToCommit: json([deposit])
    })
    page.see('TxValid', { transactionId: payment.txId, transaction: { txId: payment.txId } })
    page.see('SnapshotConfirmed', confirmed(4, payment))
    expect(txDetails(page, payment.txId, null)).toMatchObject({
      state: 'confirmed',
      snapshot: 4,
      from: [ALICE],
      inputs: [{ input: deposit.input, output: deposit.output, address: ALICE }],
      decoded: { fee: 0n },
      note: null
    })
    expect(txSummary(page.book, payment.txId)).toEqual({ from: [ALICE], to: [BOB], lovelace: 2_500_000n, tokens: 0 })
  })

  it('finds what it spends among the outputs of transactions before it, which no snapshot has shown', () => {
    const page = pageOf()
    page.see('SnapshotConfirmed', confirmed(4, payment, onward))
    expect(txDetails(page, onward.txId, null)).toMatchObject({ from: [BOB] })
    expect(txSummary(page.book, onward.txId)).toMatchObject({ from: [BOB], to: [EVE], lovelace: 1_000_000n })
  })

  it('with unknown inputs has no senders, and moves at most the sum of its outputs', () => {
    const page = pageOf()
    page.see('SnapshotConfirmed', confirmed(4, payment))
    expect(txDetails(page, payment.txId, null)).toMatchObject({ from: null, inputs: [{ output: null, address: null }] })
    expect(txSummary(page.book, payment.txId)).toMatchObject({ from: null, lovelace: 10_000_000n })
  })

  it('takes its inputs, and its bytes, from the history where the page has not seen them', () => {
    const page = pageOf()
    const found: HeadTransaction = {
      txId: payment.txId,
      state: 'confirmed',
      headId: HEAD,
      snapshotNumber: 2,
      decoded: decodeTransaction(payment.cborHex),
      inputs: [{ ...deposit, address: ALICE }],
      from: [ALICE],
      own: false,
      reason: null
    }
    expect(txDetails(page, payment.txId, null)).toBeNull()
    expect(txDetails(page, payment.txId, found)).toMatchObject({ state: 'confirmed', snapshot: 2, from: [ALICE] })
  })

  it('carries its note and its metadata', () => {
    const noted = new TxBuilder()
      .addInputs([deposit])
      .pay(BOB, 2_000_000n)
      .metadata({ 674: Metadatum.from({ msg: ['Order 17', 'thanks'] }) })
      .changeTo(ALICE)
      .build()
    const page = pageOf()
    page.see('SnapshotConfirmed', confirmed(1, noted))
    expect(txDetails(page, noted.txId, null)?.note).toBe('Order 17\nthanks')
  })

  it('that a node sends under the id of another is not shown as that one', () => {
    const page = pageOf()
    page.see('SnapshotConfirmed', confirmed(4, { txId: id(5), cborHex: payment.cborHex }))
    expect(txDetails(page, id(5), null)).toMatchObject({ decoded: null, isUnreadable: true, inputs: [] })
    expect(txSummary(page.book, id(5))).toBeNull()
    expect(outputDetails(page, id(5), 0, null).utxo).toBeNull()
  })

  it.each(['zz', '84', 'ff'.repeat(2_000), payment.cborHex.slice(0, -2)])(
    'with bytes that are none is shown by its id alone: %#',
    (cborHex) => {
      const page = pageOf()
      page.see('TxInvalid', { transaction: { txId: id(6), cborHex }, validationError: { reason: 'no' } })
      expect(txDetails(page, id(6), null)).toMatchObject({
        state: 'invalid',
        reason: 'no',
        decoded: null,
        isUnreadable: true
      })
    }
  )

  it('is decoded step by step, the newest first', () => {
    const book = new TxBook()
    book.apply(message('SnapshotConfirmed', confirmed(4, payment, onward)))
    expect(book.indexed(onward.txId)).toBeNull()
    expect([book.index(1), book.indexed(onward.txId)?.txId, book.indexed(payment.txId)]).toEqual([
      false,
      onward.txId,
      null
    ])
    expect([book.index(1), book.indexed(payment.txId)?.txId]).toEqual([true, payment.txId])
  })

  it('is kept within bounds of number and of memory', () => {
    const book = new TxBook()
    for (let n = 0; n < MAX_TX_ROWS + 10; n++)
      book.apply(message('SnapshotConfirmed', confirmed(n, { txId: id(n), cborHex: '00' })))
    expect([...book.ids]).toHaveLength(MAX_TX_ROWS)
    for (let n = 0; n < 30; n++)
      book.apply(message('SnapshotConfirmed', confirmed(n, { txId: id(n + 1e6), cborHex: '00'.repeat(1_000_000) })))
    expect([...book.ids]).toHaveLength(12)
  })
})

describe('an output', () => {
  const change = decodeTransaction(payment.cborHex).outputs[1]!
  const page = pageOf([change])
  page.see('HeadIsOpen', { utxo: json([deposit]) })
  page.see('SnapshotConfirmed', confirmed(4, payment))
  page.see('TxValid', { transactionId: onward.txId, transaction: onward })

  it('is unspent while the head holds it', () =>
    expect(outputDetails(page, payment.txId, 1, null)).toMatchObject({ state: 'unspent', utxo: change, spentBy: null }))

  it('is spent by a confirmed transaction, and not by a valid one', () => {
    expect(outputDetails(page, deposit.input.txHash, 0, null)).toMatchObject({ state: 'spent', spentBy: payment.txId })
    const spending = pageOf([...decodeTransaction(payment.cborHex).outputs])
    spending.see('SnapshotConfirmed', confirmed(4, payment))
    spending.see('TxValid', { transactionId: onward.txId, transaction: onward })
    expect(outputDetails(spending, payment.txId, 0, null)).toMatchObject({
      state: 'unspent',
      spentBy: onward.txId,
      spending: true
    })
  })

  it('of a refused transaction was never made, and spends nothing', () => {
    const refused = pageOf([deposit])
    refused.see('TxInvalid', { transaction: payment, validationError: { reason: 'no' } })
    expect(outputDetails(refused, payment.txId, 0, null)).toMatchObject({ state: 'refused', spentBy: null })
    expect(outputDetails(refused, deposit.input.txHash, 0, null)).toMatchObject({ state: 'unspent', spentBy: null })
  })

  it('is unconfirmed while its transaction is in no snapshot', () =>
    expect(outputDetails(page, onward.txId, 0, null).state).toBe('unconfirmed'))

  it('is arriving with its deposit, and unknown where it was never seen', () => {
    expect(outputDetails({ ...page, isArriving: () => true }, payment.txId, 1, null).state).toBe('arriving')
    expect(outputDetails(page, id(99), 0, null)).toEqual({
      state: 'unknown',
      utxo: null,
      spentBy: null,
      spending: false
    })
  })

  it('is paid out once its head is', () => {
    const ended = pageOf()
    ended.see('HeadIsFinalized', { utxo: json([utxo(3, BOB, 4_000_000n)]) })
    expect(outputDetails(ended, id(3), 0, null)).toMatchObject({ state: 'paid-out' })
    expect(addressDetails(ended, BOB)).toMatchObject({ utxos: [], paidOut: [utxo(3, BOB, 4_000_000n)] })
  })
})

it('an address has its outputs, and the transactions that it takes part in', () => {
  const page = pageOf([decodeTransaction(payment.cborHex).outputs[1]!, utxo(8, EVE, 1_000_000n)])
  page.see('HeadIsOpen', { utxo: json([deposit]) })
  page.see('SnapshotConfirmed', confirmed(4, payment, onward))
  const idsAt = (address: string): string[] => addressDetails(page, address).rows.map(({ txId }) => txId)
  expect([idsAt(ALICE), idsAt(BOB), idsAt(EVE)]).toEqual([[payment.txId], [onward.txId, payment.txId], [onward.txId]])
  expect(addressDetails(page, ALICE).utxos.map(refOf)).toEqual([`${payment.txId}#1`])
})

describe('a head that was paid out', () => {
  it('keeps its outputs, within a bound, until the next head opens', () => {
    const log = new LifeLog()
    log.apply(
      message('HeadIsFinalized', { utxo: json(Array.from({ length: 1_200 }, (_, n) => utxo(n, BOB, 1_000_000n))) })
    )
    expect(log.ended).toMatchObject({ outputs: 1_200, lovelace: 1_200_000_000n })
    expect(log.ended!.utxo).toHaveLength(MAX_PAID_OUT)
    log.apply(message('HeadIsOpen', {}))
    expect(log.ended).toBeNull()
  })

  it('in steps adds them up, and the last message has them all', () => {
    const log = new LifeLog()
    const [first, second, third] = [utxo(1, BOB, 1n), utxo(2, BOB, 2n), utxo(3, EVE, 4n)]
    for (const step of [first, second])
      log.apply(message('HeadPartiallyFannedOut', { distributedUTxO: json([step!]), remainingUTxO: {} }))
    expect(log.paying).toMatchObject({ outputs: 2, lovelace: 3n, utxo: [first, second] })
    log.apply(message('HeadIsFinalized', { utxo: json([first!, second!, third!]) }))
    expect([log.paying, log.ended!.lovelace]).toEqual([null, 7n])
  })
})

it.each([
  [{ msg: ['a', 1] }, { msg: ['a', 1] }],
  [
    new Map<unknown, unknown>([
      [1, 'one'],
      ['x', new Uint8Array([255])]
    ]),
    [
      [1, 'one'],
      ['x', '0xff']
    ]
  ],
  [{ __proto__x: '<b>' }, { __proto__x: '<b>' }],
  [new Map([['__proto__', 'plain']]), JSON.parse('{"__proto__":"plain"}')],
  [2n ** 63n, 2n ** 63n]
])('metadata is shown as plain values: %#', (value, plain) =>
  expect(plainMetadata(Metadatum.from(value).toJson())).toEqual(plain)
)

it('names are those of the local head and of the open wallet', () => {
  const local = { accounts: [{ index: 0, address: ALICE }], keys: [{ name: 'bob', address: BOB }] }
  expect([...namesOf(local as never, BOB)]).toEqual([
    [ALICE, 'account 0'],
    [BOB, 'you (bob)']
  ])
  expect([...namesOf(null, EVE)]).toEqual([[EVE, 'you']])
})
