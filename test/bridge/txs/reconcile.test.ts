import { isUnconfirmed, reconcile } from '../../../src/bridge/txs/reconcile'
import type { HeadEvidence, Reconciled } from '../../../src/bridge/txs/reconcile'
import type { TxEntry } from '../../../src/bridge/txs/TxEntry'

const ID = 'ab'.repeat(32)
const INPUT = `${'cd'.repeat(32)}#0`
const OWN = `${ID}#1`
const HEAD = 'h'

function entryOf(fields: Partial<TxEntry> = {}): TxEntry {
  return {
    refs: { txId: ID, inputs: [INPUT], outputCount: 2 },
    headId: HEAD,
    unconfirmedAtStart: false,
    listeners: new Set(),
    cborHex: null,
    copyRefused: false,
    watchUntil: 0,
    current: { state: 'sent' },
    uncertain: false,
    refusal: { tag: 'TxInvalid', reason: 'any words' },
    callerNotified: false,
    lastListenerLeftAt: 0,
    ...fields
  }
}

function verdictOn(
  entry: TxEntry,
  state: Partial<HeadEvidence> & { unspent?: string[] },
  lastNumber: number | null = 5
): Reconciled {
  const { unspent = [], ...rest } = state
  const evidence: HeadEvidence = {
    available: true,
    hasHead: true,
    headId: HEAD,
    number: 5,
    confirmed: new Set(),
    pending: null,
    refused: new Set([entry]),
    record: null,
    isUnspent: (ref) => unspent.includes(ref),
    ...rest
  }
  return reconcile(entry, evidence, { lastNumber, find: () => undefined })
}

describe('a refused transaction, by the state of the head', () => {
  it.each<[Reconciled, string, Partial<TxEntry>, Parameters<typeof verdictOn>[1], number?]>([
    ['confirmed', 'one of its outputs is there', {}, { unspent: [OWN] }],
    ['confirmed', 'the newest snapshot names it', {}, { confirmed: new Set([ID]) }],
    ['valid', "the node holds it, as another client's", {}, { unspent: [INPUT], pending: new Set([ID]) }],
    ['refused', 'its inputs are unspent', {}, { unspent: [INPUT] }],
    [
      'refused',
      'its inputs are unspent and the node does not hold it, though messages were missed',
      { uncertain: true },
      { unspent: [INPUT], pending: new Set() }
    ],
    [
      'waiting',
      'its inputs are unspent, messages were missed and the node does not say what it holds',
      { uncertain: true },
      { unspent: [INPUT] }
    ],
    ['undecided', 'its inputs are gone', {}, {}],
    [
      'refused',
      'its inputs are gone, were there when it was sent, and nothing was missed',
      { unconfirmedAtStart: true },
      {}
    ],
    [
      'undecided',
      'its inputs were there when it was sent, but messages were missed',
      { unconfirmedAtStart: true, uncertain: true },
      {}
    ],
    [
      'undecided',
      'its inputs were there when it was sent, but the state is ahead of the messages',
      { unconfirmedAtStart: true },
      {},
      4
    ],
    [
      'undecided',
      'its inputs are those of another head',
      { unconfirmedAtStart: true },
      { headId: 'another', unspent: [INPUT] }
    ],
    ['undecided', 'nobody serves a state', {}, { available: false, hasHead: false, headId: null, number: null }],
    [
      'waiting',
      'nobody refused it, and its inputs are unspent',
      { refusal: null, uncertain: true },
      { unspent: [INPUT] }
    ],
    [
      'undecided',
      'nobody refused it, and the head is another',
      { refusal: null, uncertain: true },
      { headId: 'another', unspent: [INPUT] }
    ],
    [
      'waiting',
      'nobody refused it, and the source does not name the head',
      { refusal: null, uncertain: true },
      { headId: null, unspent: [INPUT] }
    ],
    ['waiting', 'the state was requested before the refusal came', {}, { unspent: [INPUT], refused: new Set() }]
  ])('is %s when %s', (expected, _when, fields, state, lastNumber = 5) => {
    expect(verdictOn(entryOf(fields), state, lastNumber)).toBe(expected)
  })

  it('has its own CBOR unread: only the history decides it', () => {
    expect(verdictOn(entryOf({ refs: { txId: ID, inputs: [], outputCount: 0 } }), { unspent: [INPUT] })).toBe(
      'undecided'
    )
  })
})

describe('a transaction that is sent', () => {
  const shape = { txId: ID, inputs: [INPUT], outputCount: 2 }

  it('is in no snapshot while its inputs are unspent, or are made by another for which that holds', () => {
    const find = (parent: TxEntry | undefined) => (): TxEntry | undefined => parent
    expect(isUnconfirmed(shape, (ref) => ref === INPUT, find(undefined))).toBe(true)
    expect(isUnconfirmed(shape, () => false, find(undefined))).toBe(false)
    expect(isUnconfirmed(shape, () => false, find(entryOf({ unconfirmedAtStart: true })))).toBe(true)
    expect(isUnconfirmed(shape, () => false, find(entryOf({ unconfirmedAtStart: true, uncertain: true })))).toBe(false)
    expect(isUnconfirmed(shape, () => false, find(entryOf()))).toBe(false)
    expect(isUnconfirmed({ ...shape, inputs: [] }, () => true, find(undefined))).toBe(false)
  })
})
