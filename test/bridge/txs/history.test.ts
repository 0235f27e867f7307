import type { Transaction } from 'layer-sdk/bridge'
import { parseJson } from '../../../src/codec/json'
import { replayHistory } from '../../../src/bridge/txs/replayHistory'
import { scanHistory } from '../../../src/bridge/txs/scanHistory'
import type { HistoryScan } from '../../../src/bridge/txs/scanHistory'
import { FakeConnector } from '../../support/fakeConnector'
import { sampleTx } from '../../support/sampleTx'
import { greetings, HEAD_ID, snapshotConfirmed } from '../../support/scriptedNode'

const tx = sampleTx(1)
const other = sampleTx(2)
/** Names `tx` in its bytes. */
const child = sampleTx(3, [tx.txId])

const stored = { headId: HEAD_ID, timestamp: '2026-01-01T00:00:00Z', seq: 1 }
const accepted = ({ txId }: Transaction): unknown => ({ tag: 'TxValid', transactionId: txId, ...stored })
const refused = (transaction: Transaction, reason: string): unknown => ({
  tag: 'TxInvalid',
  transaction,
  utxo: {},
  validationError: { reason },
  ...stored
})
const confirms = (number: number, ...confirmed: Transaction[]): unknown => snapshotConfirmed(number, { confirmed })
const rotated = { tag: 'EventLogRotated', checkpoint: {}, ...stored }

const confirmedBy = (number: number): unknown => ({
  confirmed: expect.objectContaining({ snapshot: expect.objectContaining({ number }) })
})
const limits = { timeoutMs: 30_000, signal: new AbortController().signal }

/** The outcome of transactions according to a node with this past. A string is sent as it is. */
async function scan(past: readonly unknown[], asked: readonly Transaction[] = [tx]): Promise<HistoryScan> {
  const connector = new FakeConnector()
  const scanned = scanHistory(connector, new Set(asked.map(({ txId }) => txId)), limits)
  const { listener } = connector.last.open()
  for (const message of [...past, greetings()])
    listener.onMessage(typeof message === 'string' ? message : JSON.stringify(message))
  return scanned
}

describe('the outcome of a transaction according to the history', () => {
  it.each<[string, unknown[], unknown, boolean]>([
    ['nothing names it', [], null, true],
    ['a snapshot confirms it', [confirms(2), confirms(3, other, tx), confirms(4)], confirmedBy(3), false],
    [
      'it was refused twice: the first refusal counts',
      [refused(tx, 'first'), refused(tx, 'second')],
      { invalid: 'first', cborHex: tx.cborHex },
      false
    ],
    [
      'a copy was refused after a snapshot had confirmed it',
      [confirms(3, tx), refused(tx, 'a copy')],
      confirmedBy(3),
      false
    ],
    [
      'a copy was refused before a snapshot confirmed it',
      [refused(tx, 'a copy'), confirms(3, tx)],
      confirmedBy(3),
      false
    ],
    ['the node took it, and no snapshot holds it', [accepted(tx)], null, false],
    ['the node took it after a refusal', [refused(tx, 'too early'), accepted(tx)], null, false],
    ['a copy was refused after the node took it', [accepted(tx), refused(tx, 'a copy')], null, false],
    ['TxValid comes after the snapshot', [confirms(3, tx), accepted(tx)], confirmedBy(3), false],
    ['what came before a rotation is gone', [rotated], null, false],
    ['it was refused after a rotation: perhaps as a copy', [rotated, refused(tx, 'a copy')], null, false],
    ['a snapshot confirms it after a rotation', [rotated, confirms(9, tx)], confirmedBy(9), false],
    ['the node took another one', [accepted(other), confirms(2, other)], null, true],
    ['one that spends its outputs was refused', [refused(child, 'no parent')], null, true],
    [
      'one that spends its outputs was taken and refused, and itself was refused',
      [accepted(child), refused(tx, 'no')],
      { invalid: 'no', cborHex: tx.cborHex },
      false
    ],
    [
      'a message of an unknown kind names it before a refusal',
      [{ tag: 'TxSeen', transactionId: tx.txId }, refused(tx, 'no')],
      { invalid: 'no', cborHex: tx.cborHex },
      false
    ],
    [
      'messages about it cannot be read',
      [`{"tag":"TxValid","transactionId":{"${tx.txId}":1}}`, `${tx.txId} is no JSON`, refused(tx, 'no')],
      { invalid: 'no', cborHex: tx.cborHex },
      false
    ]
  ])('is right when %s', async (_when, past, verdict, isExcluded) => {
    const { found, excludes } = await scan(past)
    expect([...found]).toEqual(verdict === null ? [] : [[tx.txId, verdict]])
    expect(excludes(tx.txId)).toBe(isExcluded)
  })

  it('is found for several transactions in one pass, each by its own messages', async () => {
    const { found, excludes } = await scan(
      [accepted(tx), refused(other, 'no'), confirms(4, tx, child)],
      [tx, other, child, sampleTx(9)]
    )
    expect(Object.fromEntries(found)).toEqual({
      [tx.txId]: confirmedBy(4),
      [other.txId]: expect.objectContaining({ invalid: 'no' }),
      [child.txId]: confirmedBy(4)
    })
    expect(excludes(sampleTx(9).txId)).toBe(true)
  })

  it('is read from a connector that hands over parsed messages', async () => {
    const connector = new FakeConnector()
    const scanned = scanHistory(connector, new Set([tx.txId]), limits)
    const { listener } = connector.last.open()
    // The first two are no messages.
    listener.onMessage(undefined)
    listener.onMessage(new Uint8Array([1]))
    for (const message of [confirms(3, tx), greetings()]) listener.onMessage(parseJson(JSON.stringify(message)))
    expect([...(await scanned).found]).toEqual([[tx.txId, confirmedBy(3)]])
  })
})

describe('reading the history', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  /** A reading under way. `ended`: how it ended; null while it has not. */
  function read(connector = new FakeConnector(), signal = limits.signal) {
    const texts: string[] = []
    const reading = { connector, texts, ended: null as { error?: unknown } | null }
    replayHistory(connector, true, (text) => texts.push(text), { timeoutMs: 30_000, signal }).then(
      () => (reading.ended = {}),
      (error: unknown) => (reading.ended = { error })
    )
    return reading
  }
  const settle = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms)

  it('takes a connection of its own, whole and without outputs, and ends it with Greetings', async () => {
    const reading = read()
    const { last } = reading.connector
    expect(last.options).toEqual({ history: true, noSnapshotUtxo: true, unfiltered: true })
    last.open().say(accepted(tx))
    await settle(29_000)
    expect([reading.ended, last.closed]).toEqual([null, null])
    last.say(greetings())
    await settle()
    expect([reading.ended, last.closed, reading.texts.length]).toEqual([{}, 'graceful', 2])
  })

  it('ends with a timeout when the node does not come to an end, and not sooner', async () => {
    const reading = read()
    reading.connector.last.open().say(accepted(tx))
    await settle(29_999)
    expect([reading.ended, reading.connector.last.closed]).toEqual([null, null])
    await settle(1)
    expect(reading.ended).toMatchObject({ error: { code: 'BRIDGE_TIMEOUT', timeoutMs: 30_000 } })
    expect(reading.connector.last.closed).toBe('graceful')
  })

  it('ends with the error of its connection', async () => {
    const broken = new Error('reset')
    const reading = read()
    reading.connector.last.open().fail(broken)
    await settle()
    expect(reading.ended).toEqual({ error: broken })
  })

  it('ends with the error of a connector that cannot open one', async () => {
    const broken = new Error('no socket')
    const connector = new FakeConnector()
    connector.open = () => {
      throw broken
    }
    const reading = read(connector)
    await settle()
    expect(reading.ended).toEqual({ error: broken })
    expect(jest.getTimerCount()).toBe(0)
  })

  it('is cut off by its signal, as a typed error, and closes its connection', async () => {
    const life = new AbortController()
    const reading = read(new FakeConnector(), life.signal)
    reading.connector.last.open()
    life.abort()
    await settle()
    expect(reading.ended).toMatchObject({ error: { code: 'BRIDGE_DISCONNECTED', outcome: 'unknown' } })
    expect(reading.connector.last.closed).toBe('graceful')
    expect(jest.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind, and takes no notice of its signal afterwards', async () => {
    const life = new AbortController()
    const reading = read(new FakeConnector(), life.signal)
    reading.connector.last.open().say(greetings())
    await settle()
    expect(jest.getTimerCount()).toBe(0)
    reading.connector.last.closed = null
    life.abort()
    await settle()
    expect([reading.ended, reading.connector.last.closed]).toEqual([{}, null])
  })
})
