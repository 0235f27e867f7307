import { contextParts } from '../../src/client/ClientContext.js'
import { createHeadContext } from '../../src/client/index.js'
import type { SettledTx, StoreOverrun } from '../../src/client/index.js'
import { SettledEnds } from '../../src/client/SettledEnds.js'

const endOf = (index: number): SettledTx => ({ txId: index.toString(16).padStart(64, '0'), outcome: 'unknown' })

it('keeps the newest 1,000 of 10,251 ends, and reports each thousand that it drops', () => {
  const overruns: StoreOverrun[] = []
  const ends = new SettledEnds((overrun) => overruns.push(overrun))
  for (let index = 0; index < 1_000; index++) ends.remember(endOf(index))
  expect(overruns).toEqual([])
  for (let index = 1_000; index < 10_251; index++) ends.remember(endOf(index))
  expect(overruns.map(({ dropped }) => dropped)).toEqual(Array.from({ length: 10 }, (_, round) => round * 1_000 + 1))
  expect(overruns[0]).toEqual({ store: 'settled', limit: 1_000, dropped: 1 })
  expect(ends.has(endOf(9_250).txId)).toBe(false)
  expect(ends.get(endOf(9_251).txId)).toEqual(endOf(9_251))
})

it('counts an end that is replaced or forgotten once', () => {
  const overruns: StoreOverrun[] = []
  const ends = new SettledEnds((overrun) => overruns.push(overrun), 2)
  for (const index of [1, 1, 2, 1]) ends.remember(endOf(index))
  ends.forget(endOf(2).txId)
  ends.remember(endOf(3))
  expect(overruns).toEqual([])
  ends.remember(endOf(4))
  expect(overruns).toEqual([{ store: 'settled', limit: 2, dropped: 1 }])
})

describe('a client whose store of settled transactions overruns', () => {
  const overrun = (options: object): void => {
    const { settled } = contextParts(createHeadContext({ url: 'ws://127.0.0.1:1', ...options }))
    for (let index = 0; index <= 1_000; index++) settled.remember(endOf(index))
  }

  it('calls onOverrun, and gives what that throws to onHandlerError', () => {
    const errors: unknown[] = []
    const failure = new Error('full')
    const calls: StoreOverrun[] = []
    overrun({ onOverrun: (each: StoreOverrun) => calls.push(each) })
    expect(calls).toEqual([{ store: 'settled', limit: 1_000, dropped: 1 }])
    overrun({
      onOverrun() {
        throw failure
      },
      onHandlerError: (error: unknown, callback: string) => errors.push([error, callback])
    })
    expect(errors).toEqual([[failure, 'onOverrun']])
  })

  it('warns through its logger, and prints nothing without one', () => {
    const lines: string[] = []
    overrun({ logger: { debug: () => undefined, warn: (line: string) => lines.push(line) } })
    expect(lines).toEqual([expect.stringMatching(/"settled" keeps 1000 entries.*onOverrun/)])
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    overrun({})
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  it('refuses an onOverrun that is no function', () => {
    expect(() => createHeadContext({ url: 'ws://127.0.0.1:1', onOverrun: true as never })).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT' })
    )
  })
})
