import type { LayerPayload } from 'layer-sdk/bridge'
import { FundsLog } from '../../src/doctor/facts/FundsLog'
import { LifeLog } from '../../src/dashboard/model/LifeLog'
import { MAX_MESSAGES, MessageLog, messageText } from '../../src/dashboard/model/MessageLog'
import { MAX_TX_ROWS, TxLog } from '../../src/dashboard/model/TxLog'

const HEAD = 'ab'.repeat(28)
const id = (n: number): string => n.toString(16).padStart(64, '0')
const at = (ms: number): string => new Date(1_800_000_000_000 + ms).toISOString()
const message = (tag: string, members: object, ms = 0): LayerPayload =>
  ({ tag, headId: HEAD, timestamp: at(ms), ...members }) as LayerPayload
const valid = (n: number, ms = 0): LayerPayload =>
  message('TxValid', { transactionId: id(n), transaction: { txId: id(n) } }, ms)
const invalid = (n: number, reason: string): LayerPayload =>
  message('TxInvalid', { transaction: { txId: id(n) }, validationError: { reason } })
const snapshot = (number: number, ids: number[], ms = 0): LayerPayload =>
  message(
    'SnapshotConfirmed',
    {
      snapshot: {
        headId: HEAD,
        number,
        confirmed: ids.map((n) => ({ txId: id(n) })),
        utxoToCommit: null,
        utxoToDecommit: null
      }
    },
    ms
  )
const UNIT = `${'cd'.repeat(28)}${'ef'.repeat(4)}`
const utxo = (n: number, lovelace: number, tokens = 0): object => ({
  [`${id(n)}#0`]: {
    address: 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw',
    value: { lovelace, ...(tokens === 0 ? {} : { ['cd'.repeat(28)]: { ['ef'.repeat(4)]: tokens } }) }
  }
})

describe('the log of transactions', () => {
  it("measures latency by the node's own times, from TxValid to the snapshot", () => {
    const log = new TxLog()
    for (const payload of [valid(1, 0), valid(2, 10), snapshot(7, [1, 2], 60)]) log.apply(payload)
    expect(log.rows.map(({ txId, state, latencyMs, snapshot: number }) => [txId, state, latencyMs, number])).toEqual([
      [id(2), 'confirmed', 50, 7],
      [id(1), 'confirmed', 60, 7]
    ])
    expect([log.confirmed, log.refused, log.unconfirmed]).toEqual([2, 0, 0])
  })

  it('keeps a confirmation against a later refusal of a copy', () => {
    const log = new TxLog()
    for (const payload of [valid(1), snapshot(1, [1]), invalid(1, 'BadInputsUTxO')]) log.apply(payload)
    expect(log.rows[0]).toMatchObject({ state: 'confirmed', reason: null })
    expect(log.refused).toBe(0)
  })

  it('counts a transaction once that is reported twice', () => {
    const log = new TxLog()
    for (const payload of [valid(1), valid(1), snapshot(1, [1]), snapshot(1, [1]), invalid(2, 'x'), invalid(2, 'x')])
      log.apply(payload)
    expect([log.rows.length, log.confirmed, log.refused]).toEqual([2, 1, 1])
  })

  it('keeps the newest rows alone, and forgets what a closing drops', () => {
    const log = new TxLog()
    for (let n = 0; n < MAX_TX_ROWS + 10; n++) log.apply(valid(n))
    expect(log.rows).toHaveLength(MAX_TX_ROWS)
    expect(log.rows[0]!.txId).toBe(id(MAX_TX_ROWS + 9))
    expect(log.unconfirmed).toBe(MAX_TX_ROWS)
    log.apply(message('HeadIsClosed', { snapshotNumber: 0, contestationDeadline: at(0) }))
    expect(log.unconfirmed).toBe(0)
  })
})

describe('the log of deposits and decommits', () => {
  const open = message('HeadIsOpen', { parties: [] })
  const recorded = (n: number, outputs: object): LayerPayload =>
    message('CommitRecorded', { pendingDeposit: id(n), utxoToCommit: outputs, deadline: at(3_600_000) })

  it('follows a deposit through its steps and counts what entered', () => {
    const log = new FundsLog()
    const outputs = utxo(1, 5_000_000, 30)
    const steps = [
      open,
      recorded(9, outputs),
      message('DepositActivated', { depositTxId: id(9), deadline: at(3_600_000) }),
      message('CommitApproved', { utxoToCommit: outputs })
    ]
    const seen = steps.map((payload) => (log.apply(payload), log.deposits[0]?.step))
    expect(seen).toEqual([undefined, 'recorded', 'activated', 'approved'])
    log.apply(message('CommitFinalized', { depositTxId: id(9) }))
    log.apply(message('CommitFinalized', { depositTxId: id(9) }))
    expect(log.deposits[0]).toMatchObject({ step: 'finalized', deadline: Date.parse(at(3_600_000)) })
    expect([...log.entered]).toEqual([
      ['lovelace', 5_000_000n],
      [UNIT, 30n]
    ])
    expect(log.complete).toBe(true)
  })

  const bringing = (number: number, depositTxId: unknown, utxoToCommit: object | null): LayerPayload =>
    message('SnapshotConfirmed', {
      snapshot: { headId: HEAD, number, confirmed: [], utxoToCommit, utxoToDecommit: null, depositTxId }
    })

  it('names the deposit that the newest snapshot brings, and the first snapshot that did', () => {
    const log = new FundsLog()
    const outputs = utxo(1, 5_000_000)
    for (const payload of [open, recorded(9, outputs), bringing(4, id(9), outputs)]) log.apply(payload)
    expect(log.snapshotDeposit).toEqual({ number: 4, depositTxId: id(9) })
    log.apply(bringing(5, id(9), outputs))
    expect(log.snapshotDeposit).toEqual({ number: 5, depositTxId: id(9) })
    expect(log.deposits[0]).toMatchObject({ id: id(9), step: 'approved', snapshot: 4 })
    log.apply(message('CommitFinalized', { depositTxId: id(9) }))
    log.apply(bringing(6, null, null))
    expect(log.snapshotDeposit).toBeNull()
    expect(log.deposits[0]).toMatchObject({ step: 'finalized', snapshot: 4 })
  })

  it('shows a deposit that only a snapshot names', () => {
    const log = new FundsLog()
    log.apply(bringing(3, id(7), utxo(1, 5_000_000)))
    expect(log.deposits).toMatchObject([{ id: id(7), step: 'approved', snapshot: 3, utxo: [{ output: {} }] }])
    expect(log.pendingIds).toEqual([id(7)])
  })

  it("names the deposit of a gateway's whole snapshot, which may be final: it is not called pending", () => {
    const log = new FundsLog()
    log.apply(message('GatewaySnapshot', { number: 3, depositTxId: id(7), utxoToCommit: utxo(1, 5_000_000), utxo: {} }))
    expect(log.snapshotDeposit).toEqual({ number: 3, depositTxId: id(7) })
    expect(log.pendingIds).toEqual([])
  })

  it.each([[undefined], [5], ['<img src=x>'], [id(1).slice(1)], [{}]])('names no deposit for %p', (depositTxId) => {
    const log = new FundsLog()
    log.apply(bringing(3, depositTxId, utxo(1, 5_000_000)))
    expect([log.snapshotDeposit, log.deposits]).toEqual([null, []])
  })

  it('forgets the deposit of a snapshot when another head opens', () => {
    const log = new FundsLog()
    log.apply(bringing(3, id(7), utxo(1, 5_000_000)))
    log.apply(open)
    expect(log.snapshotDeposit).toBeNull()
  })

  it('takes off what a decommit took out, also where the message names no id', () => {
    const log = new FundsLog()
    const outputs = utxo(1, 5_000_000)
    for (const payload of [
      open,
      recorded(9, outputs),
      message('CommitFinalized', { depositTxId: id(9) }),
      message('DecommitRequested', { decommitTx: { txId: id(8) }, utxoToDecommit: utxo(8, 2_000_000) }),
      message('DecommitApproved', { decommitTxId: id(8), utxoToDecommit: utxo(8, 2_000_000) }),
      message('DecommitFinalized', { distributedUTxO: {} })
    ])
      log.apply(payload)
    expect(log.decommits[0]!.step).toBe('finalized')
    expect(log.entered.get('lovelace')).toBe(3_000_000n)
  })

  it('does not claim to know every token after a gap, or of a deposit that it never saw', () => {
    const log = new FundsLog()
    expect(log.complete).toBe(false)
    log.apply(open)
    log.apply(message('CommitFinalized', { depositTxId: id(1) }))
    expect(log.complete).toBe(false)
  })

  it("ends deposits that the node's list no longer has, but none that came while it answered", () => {
    const log = new FundsLog()
    log.apply(recorded(1, utxo(1, 2_000_000)))
    const before = log.pendingIds
    log.apply(recorded(2, utxo(2, 2_000_000)))
    log.setPending([id(3)], before)
    expect(log.deposits.map(({ id: each, step }) => [each, step])).toEqual([
      [id(3), 'recorded'],
      [id(2), 'recorded'],
      [id(1), 'ended']
    ])
  })

  it('shows outputs that cannot be read as none, and goes on', () => {
    const log = new FundsLog()
    log.apply(recorded(1, { nonsense: { address: 5, value: null } }))
    expect(log.deposits[0]).toMatchObject({ step: 'recorded', utxo: [] })
  })
})

it('the life of a head keeps its end, with the sum that was paid out, until the next head opens', () => {
  const log = new LifeLog()
  expect(log.ended).toBeNull()
  const output = {
    address: 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw',
    value: { lovelace: 9_007_199_254_740_993n }
  }
  log.apply(message('HeadIsFinalized', { headId: 'ab', utxo: { [`${id(1)}#0`]: output, [`${id(1)}#1`]: output } }))
  expect(log.ended).toMatchObject({ headId: 'ab', outputs: 2, lovelace: 18_014_398_509_481_986n })
  log.apply(message('HeadIsOpen', { headId: 'cd' }))
  expect(log.ended).toBeNull()
  log.apply(message('HeadIsFinalized', { headId: 'cd', utxo: { nonsense: { value: null } } }))
  expect(log.ended).toMatchObject({ headId: 'cd', outputs: 1, lovelace: null })
})

it('the life of a head keeps how contests moved the deadline', () => {
  const log = new LifeLog()
  log.apply(message('HeadIsClosed', { snapshotNumber: 3, contestationDeadline: '2026-01-01T00:00:00.123456789012Z' }))
  log.apply(message('HeadIsContested', { snapshotNumber: 5, contestationDeadline: '2026-01-01T01:00:00Z' }))
  expect(log.deadlines.map(({ deadline, snapshot: number, by }) => [deadline, number, by])).toEqual([
    [Date.parse('2026-01-01T00:00:00.123Z'), 3, 'close'],
    [Date.parse('2026-01-01T01:00:00Z'), 5, 'contest']
  ])
})

describe('the log of messages', () => {
  it('keeps no whole head, and rounds no number', () => {
    const log = new MessageLog()
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`${id(n)}#0`, { value: { lovelace: 1 } }])
    )
    log.apply(message('HeadIsFinalized', { utxo: many, big: 12345678901234567890n }), 0)
    const text = messageText(log.rows[0]!)
    expect(text.length).toBeLessThan(20_000)
    expect(text).toContain('9950 more')
    expect(text).toContain('12345678901234567890')
  })

  it('keeps a bounded number', () => {
    const log = new MessageLog()
    for (let n = 0; n < 5 * MAX_MESSAGES; n++) log.apply(valid(n), n)
    expect(log.rows.length).toBeLessThanOrEqual(2 * MAX_MESSAGES)
    expect(log.rows[0]!.id).toBe(5 * MAX_MESSAGES)
  })
})
