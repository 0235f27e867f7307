import { SeqFilter } from '../../src/bridge/head/seqFilter'

const message = (seq?: number, tag = 'TxValid'): { tag: string; seq?: number } =>
  seq === undefined ? { tag } : { tag, seq }

describe('the filter of repeated messages', () => {
  it('drops what the replay has brought already, and what is resent', () => {
    const filter = new SeqFilter()
    const repeated = [
      message(1),
      message(2),
      message(5),
      message(undefined, 'Greetings'),
      message(2),
      message(5),
      message(6),
      message(6),
      message(9)
    ].map((each) => filter.isRepeated(each))
    expect(repeated).toEqual([false, false, false, false, true, true, false, true, false])
  })

  it('takes every message of a node that a hub has found again and that counts anew', () => {
    const filter = new SeqFilter()
    for (const each of [message(undefined, 'Greetings'), message(700), message(701), message(undefined, 'Greetings')])
      filter.isRepeated(each)
    expect([message(0), message(1), message(1), message(700)].map((each) => filter.isRepeated(each))).toEqual([
      false,
      false,
      true,
      false
    ])
  })
})
