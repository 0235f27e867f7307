import { createHeadClient } from '../../src/client'
import { startDevNode } from '../../src/devnode'
import type { AlertRule, HeadAlert } from '../../src/doctor'
import { ALERT_RULES, watchHeadAlerts } from '../../src/doctor'
import { readRules } from '../../src/doctor/inner'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'
import { HEAD_ID } from '../support/scriptedNode'
import { ADDRESS } from './factsSupport'
import { memoryState, PERIOD_MS, ScriptedHead, START, TestTime, watching } from './watchSupport'

const OLDER = 'closed-with-older-snapshot'

describe('rules', () => {
  const refused: readonly [string, unknown, readonly string[]][] = [
    ['no list', {}, ['no list']],
    ['an unknown code', [{ on: 'fuel-lo' }], ['rules[0]: fuel-lo is no built-in rule']],
    ['members of another language', [{ on: 'fuel-low', when: 'x > 1' }], ['unknown member when']],
    ['a severity that is none', [{ on: 'fuel-low', severity: 'loud' }], ['severity: critical, warning, info']],
    ['a time with a unit', [{ on: 'fuel-low', for: '60s' }], ['for: whole ms']],
    ['a negative threshold', [{ on: 'fuel-low', threshold: -1 }], ['threshold']],
    ['a name with a bar', [{ on: 'fuel-low', name: 'a|b' }], ['name: 1 to 64']],
    ['the same name twice', [{ on: 'TxInvalid' }, { on: 'TxInvalid' }], ['two rules are named TxInvalid']],
    ['a member of objects', [{ on: 'toString' }], ['toString is no built-in rule']],
    ['null', [null], ['rules[0]: no object']],
    ['too many', Array(201).fill({ on: 'fuel-low' }), ['no list of at most 200']]
  ]
  it.each(refused)('are refused before anything is read: %s', (_, rules, named) => {
    try {
      readRules(rules)
      throw new Error('not refused')
    } catch (error) {
      expect(error).toMatchObject({ code: 'DOCTOR_RULES' })
      for (const each of named) expect((error as Error).message).toContain(each)
    }
  })

  it('that are wrong are all listed', () => {
    const rules = [{ on: 'nope' }, { on: 'fuel-low' }, { on: 'neither', severity: 'loud' }]
    expect(() => readRules(rules)).toThrow(
      expect.objectContaining({
        problems: [
          expect.stringContaining('rules[0]: nope'),
          expect.stringContaining('rules[2]: neither'),
          expect.stringContaining('rules[2]: severity')
        ]
      })
    )
  })

  it('change a built-in rule, switch it off, and add codes and events', () => {
    const rules = readRules([
      { on: 'fuel-low', severity: 'critical', for: 5 },
      { on: 'closed-by-other', off: true },
      { on: 'outputs-limit' },
      { name: 'refused', on: 'TxInvalid', threshold: 3 }
    ])
    expect(rules).toHaveLength(Object.keys(ALERT_RULES).length - 1 + 2)
    expect(rules.find(({ on }) => on === 'fuel-low')).toMatchObject({
      severity: 'critical',
      forMs: 5,
      code: 'fuel-low'
    })
    expect(rules.find(({ name }) => name === 'refused')).toMatchObject({ kind: 'event', threshold: 3 })
  })

  it.each([
    ['no heads', { heads: [] }],
    ['no sink', { sink: {} }],
    ['an unknown option', { webhook: 'https://x' }],
    ['an interval of 0', { interval: 0 }],
    ['a state without save', { state: { load: () => null } }]
  ])('arguments are refused by a typed error: %s', async (_, wrong) => {
    const right = { heads: [{ node: 'ws://127.0.0.1:1' }], sink: { send: () => Promise.resolve() } }
    await expect(watchHeadAlerts({ ...right, ...wrong } as never)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })
})

describe('the state of a watch', () => {
  it.each([
    ['no JSON', '{"kind":'],
    ['another document', '{"kind":"order"}'],
    ['a newer version', '{"kind":"layer-sdk/watch-state","version":2}'],
    ['members that are none', '{"kind":"layer-sdk/watch-state","version":1,"newest":{"a":"b"}}'],
    [
      'an alert that is none',
      '{"kind":"layer-sdk/watch-state","version":1,"newest":{},"readUpTo":{},"firing":{"a":1},"outbox":[],"ended":[]}'
    ]
  ])('is refused and left as it is: %s', async (_, text) => {
    const state = memoryState(text)
    const { ended } = watching(new TestTime(), [new ScriptedHead(new TestTime())], { state })
    await expect(ended).rejects.toMatchObject({ code: 'DOCTOR_WATCH_STATE' })
    expect(state.text).toBe(text)
  })

  it('that cannot be written ends the watch with its error', async () => {
    const time = new TestTime()
    const full = { load: () => Promise.resolve(null), save: () => Promise.reject(new Error('ENOSPC')) }
    const run = watching(time, [new ScriptedHead(time)], { state: full })
    await expect(Promise.all([run.ended, time.advance(5_000)])).rejects.toThrow('ENOSPC')
  })
})

describe('a close with an older snapshot', () => {
  it('is told at once, with one period after the close as the last moment, not the deadline', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    const run = watching(time, [head])
    await time.advance(2_000)
    for (const number of [1, 2, 3]) head.snapshot(number)
    head.close(2)
    await time.advance(0)
    const alarm = run.lines.find(({ rule }) => rule === OLDER)!
    expect(alarm).toMatchObject({
      severity: 'critical',
      state: 'firing',
      headId: HEAD_ID,
      at: START + 2_000,
      deadline: START + 2_000 + PERIOD_MS,
      evidence: { snapshotNumber: 2, newest: 3, contestationDeadline: START + 2_000 + 2 * PERIOD_MS }
    })
    expect(alarm.what).toContain(new Date(START + 2_000 + PERIOD_MS).toISOString())
    expect(alarm.remedy).toContain('Start your node')
    await run.stop()
  })

  it('states the right last moment whatever the period, live and after an absence', async () => {
    const random = randomSource('last moments')
    for (let i = 0; i < scaled(100) * 2; i++) {
      const time = new TestTime()
      const head = new ScriptedHead(time)
      head.periodMs = 60_000 * (1 + random.below(1_000))
      const state = memoryState()
      const newest = 2 + random.below(50)
      const first = watching(time, [head], { state })
      await time.advance(1_500)
      head.snapshot(newest)
      await time.advance(1_500)
      const isAway = i % 2 === 1
      if (isAway) await first.stop()
      await time.advance(random.below(50) * 1_000)
      const closedAt = time.now()
      head.close(random.below(newest), !isAway)
      await time.advance(isAway ? random.below(head.periodMs) : 0)
      const run = isAway ? watching(time, [head], { state }) : first
      const before = time.now()
      await time.advance(1_000)
      const alarm = run.lines.find(({ rule }) => rule === OLDER)!
      expect([alarm.deadline, alarm.state]).toEqual([closedAt + head.periodMs, 'firing'])
      expect(alarm.at - before).toBeLessThanOrEqual(1_000)
      await run.stop()
    }
  })

  it('is told where the node was rolled back, by the number that the state remembers', async () => {
    const time = new TestTime()
    const state = memoryState()
    const head = new ScriptedHead(time)
    const first = watching(time, [head], { state })
    await time.advance(1_000)
    head.snapshot(9)
    await time.advance(2_000)
    await first.stop()
    // The persistence of an old backup: snapshot 9 is in no history of this node.
    const old = new ScriptedHead(time)
    old.snapshot(4, false)
    old.close(4, false)
    const run = watching(time, [old], { state })
    await time.advance(1_000)
    expect(run.lines.find(({ rule }) => rule === OLDER)).toMatchObject({ evidence: { snapshotNumber: 4, newest: 9 } })
    await run.stop()
  })

  it('is told by one node where the newer snapshot was seen at another', async () => {
    const time = new TestTime()
    const [a, b] = [new ScriptedHead(time), new ScriptedHead(time, 'ws://127.0.0.1:4002')]
    const run = watching(time, [a, b])
    await time.advance(1_000)
    b.snapshot(5)
    a.snapshot(3)
    b.down()
    a.close(3)
    await time.advance(0)
    expect(run.told()).toContain(`${OLDER} firing`)
    await run.stop()
  })

  it('resolves with the contest, and the windows with it', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    const run = watching(time, [head], { rules: [{ on: 'closed-by-other', off: true }] })
    await time.advance(1_000)
    head.snapshot(3)
    head.close(1)
    await time.advance(PERIOD_MS / 2 - 1)
    expect(run.told()).toEqual([`${OLDER} firing`])
    await time.advance(2_000)
    expect(run.told()).toEqual([`${OLDER} firing`, 'contest-window firing'])
    await time.advance(PERIOD_MS / 2 - 600_000)
    expect(run.told().filter((each) => each === 'contest-window firing')).toHaveLength(2)
    head.say({
      tag: 'HeadIsContested',
      headId: HEAD_ID,
      snapshotNumber: 3,
      contestationDeadline: new Date(time.now()).toISOString()
    })
    await time.advance(0)
    expect(run.told().slice(3)).toEqual([`${OLDER} resolved`, 'contest-window resolved', 'contest-window resolved'])
    expect(new Set(run.lines.map(({ id }) => id)).size).toBe(3)
    await run.stop()
  })

  it.each([
    ['with the newest snapshot', 3],
    ['with a newer one than was seen', 4]
  ])('is none %s', async (_, number) => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    const run = watching(time, [head])
    await time.advance(1_000)
    head.snapshot(3)
    head.close(number)
    await time.advance(PERIOD_MS)
    expect(run.told()).toEqual(['closed-by-other firing'])
    await run.stop()
  })

  it('is told once where the head was paid out while the watch was down, and never again', async () => {
    const time = new TestTime()
    const state = memoryState()
    const head = new ScriptedHead(time)
    const first = watching(time, [head], { state })
    await time.advance(1_000)
    head.snapshot(7)
    await time.advance(2_000)
    await first.stop()
    head.close(6, false)
    head.note({ tag: 'HeadIsFinalized', headId: HEAD_ID, utxo: {} })
    head.status = 'Idle'
    const run = watching(time, [head], { state })
    await time.advance(2_000)
    expect(run.told()).toEqual([`${OLDER} firing`, `${OLDER} resolved`])
    expect(run.lines[0]!.what).toContain('was paid out with snapshot 6, and snapshot 7 was seen')
    await run.stop()
    const again = watching(time, [head], { state })
    await time.advance(5_000)
    expect(again.told()).toEqual([])
    await again.stop()
  })

  it('by a node whose clock is ahead names no later moment than the true one', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    let base = 0
    const run = watching(time, [{ node: head, baseTime: () => Promise.resolve(time.now() + base) }], {
      intervalMs: 1_000
    })
    base = -30_000
    await time.advance(5_000)
    head.snapshot(2)
    head.close(1, true, { timestamp: new Date(time.now() + 7_200_000).toISOString() })
    await time.advance(0)
    expect(run.lines.find(({ rule }) => rule === OLDER)!.deadline).toBe(time.now() - 30_000 + PERIOD_MS)
    await run.stop()
  })

  it('of the local head fires within a second, and resolves when the other party contests', async () => {
    const node = await startDevNode({
      port: 0,
      parties: 2,
      open: true,
      timings: { blockMs: 400 },
      inHead: [{ address: ADDRESS, lovelace: 9_000_000 }]
    })
    const over = new AbortController()
    const lines: [string, number][] = []
    const done = watchHeadAlerts({
      heads: [{ node: node.url }],
      rules: [
        { on: 'closed-by-other', off: true },
        { on: 'contest-window', off: true }
      ],
      sink: {
        send({ rule, state }) {
          lines.push([`${rule} ${state}`, Date.now()])
          return Promise.resolve()
        }
      },
      signal: over.signal
    })
    const client = createHeadClient({ url: node.parties[1]!.url })
    try {
      await client.connect()
      node.parties[1]!.set({ closeWithOld: true })
      await new Promise((resolve) => setTimeout(resolve, 300))
      await client.closeHead()
      const closedMs = Date.now()
      for (let i = 0; i < 100 && lines.length < 2; i++) await new Promise((resolve) => setTimeout(resolve, 50))
      expect(lines.map(([line]) => line)).toEqual([`${OLDER} firing`, `${OLDER} resolved`])
      expect(lines[0]![1] - closedMs).toBeLessThan(1_000)
    } finally {
      over.abort()
      await done
      await client.disconnect()
      await node.stop()
    }
  })
})

describe('alerts', () => {
  it('of a quiet head of 8 hours: none, in flat memory', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    const state = memoryState()
    const run = watching(time, [head], { state, intervalMs: 60_000 })
    await time.advance(1_000)
    head.snapshot(1)
    await time.advance(600_000)
    const length = state.text!.length
    for (let i = 2; i < 50; i++) {
      head.snapshot(i)
      await time.advance((8 * 3_600_000) / 48)
    }
    expect(run.told()).toEqual([])
    expect(state.text!.length).toBeLessThan(length + 50)
    expect(head.opened).toBeLessThan(1_000)
    await run.stop()
  }, 60_000)

  it('that are critical come again every hour under one id, over restarts and jumps of the clock', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    head.periodMs = 50 * PERIOD_MS
    const state = memoryState()
    const rules: AlertRule[] = [
      { on: 'closed-by-other', off: true },
      { on: 'contest-window', off: true }
    ]
    let run = watching(time, [head], { state, rules, intervalMs: 600_000 })
    await time.advance(1_000)
    head.snapshot(2)
    head.close(1)
    await time.advance(3_600_000)
    expect(run.lines).toHaveLength(2)
    await run.stop()
    const [{ id }] = run.lines as [HeadAlert]
    run = watching(time, [head], { state, rules, intervalMs: 600_000 })
    await time.advance(1_800_000)
    expect(run.lines).toHaveLength(0)
    await time.advance(1_900_000)
    expect(run.lines.map((line) => line.id)).toEqual([id])
    time.jump(-7_200_000)
    await time.advance(3_700_000)
    expect(run.lines.map((line) => line.id)).toEqual([id, id])
    await run.stop()
  }, 60_000)

  it('a clock that jumps fires no alert that has to hold for a time', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    const run = watching(time, [head])
    await time.advance(1_000)
    head.down()
    await time.advance(5_000)
    time.jump(3_600_000)
    await time.advance(5_000)
    expect(run.told()).toEqual([])
    await time.advance(25_000)
    expect(run.told()).toEqual(['connection-lost firing'])
    head.isDown = false
    await time.advance(3_000)
    expect(run.told()).toEqual(['connection-lost firing', 'connection-lost resolved'])
    await run.stop()
  })

  it('a node that is not there from the start is lost, and nothing else is claimed of it', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    head.isDown = true
    const run = watching(time, [head])
    await time.advance(120_000)
    expect(run.told()).toEqual(['connection-lost firing'])
    await run.stop()
  })

  it('a failed post is told unless it is an increment, or its result follows', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    const failed = (tag: string): object => ({
      tag: 'PostTxOnChainFailed',
      postChainTx: { tag },
      postTxError: { tag: 'NoFuelUTXOFound' }
    })
    const run = watching(time, [head], { rules: [{ on: 'closed-by-other', off: true }] })
    await time.advance(1_000)
    head.say(failed('IncrementTx'))
    await time.advance(5_000)
    expect(run.told()).toEqual([])
    head.say(failed('CloseTx'))
    await time.advance(0)
    expect(run.told()).toEqual(['post-failed firing'])
    expect(run.lines[0]!.evidence['kind']).toBe('CloseTx')
    head.close(0)
    await time.advance(0)
    expect(run.told()).toEqual(['post-failed firing', 'post-failed resolved'])
    await run.stop()
  })

  it('nodes that fall behind, known holes, waiting transactions and a stuck withdrawal are told', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    head.snapshot(1, false)
    head.greeting = { chainSyncedStatus: 'CatchingUp', hydraNodeVersion: '2.3.0-abc' }
    head.unconfirmed = ['aa'.repeat(32)]
    head.note({
      tag: 'DecommitRequested',
      headId: HEAD_ID,
      decommitTx: { txId: 'de'.repeat(32), cborHex: '80', type: 'Tx ConwayEra', description: '' },
      utxoToDecommit: {}
    })
    const run = watching(time, [head])
    await time.advance(30_000)
    expect(run.told()).toEqual(['version-vulnerable firing'])
    await time.advance(60_000)
    expect(run.told().slice(1).sort()).toEqual(['node-unsynced firing', 'snapshot-stalled firing'])
    await time.advance(600_000)
    expect(run.told()).toContain('withdrawal-stuck firing')
    head.greeting = {}
    head.unconfirmed = []
    head.say({ tag: 'DecommitFinalized', headId: HEAD_ID, decommitTxId: 'de'.repeat(32) })
    await time.advance(30_000)
    expect(run.told().filter((each) => each.endsWith('resolved'))).toHaveLength(4)
    await run.stop()
  })

  it('events are counted in their time; stored ones of the first run are the past, later ones are not', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    const invalid = {
      tag: 'TxInvalid',
      headId: HEAD_ID,
      utxo: {},
      transaction: { txId: 'aa'.repeat(32), cborHex: '80', type: '', description: '' },
      validationError: { reason: 'no' }
    }
    const rules: AlertRule[] = [{ name: 'refused', on: 'TxInvalid', threshold: 2, for: 60_000 }]
    head.note(invalid)
    head.note(invalid)
    const state = memoryState()
    const first = watching(time, [head], { rules, state })
    await time.advance(5_000)
    expect(first.told()).toEqual([])
    head.say(invalid)
    await time.advance(1_000)
    expect(first.told()).toEqual([])
    head.say(invalid)
    await time.advance(1_000)
    expect(first.told()).toEqual(['refused firing'])
    await time.advance(70_000)
    expect(first.told()).toEqual(['refused firing', 'refused resolved'])
    await first.stop()
    await time.advance(10_000)
    head.note(invalid)
    head.note(invalid)
    await time.advance(10_000)
    const second = watching(time, [head], { rules, state })
    await time.advance(2_000)
    expect(second.told()).toEqual(['refused firing'])
    await second.stop()
  })
})

describe('a watch that is killed', () => {
  it('loses no alert and tells none under two ids', async () => {
    const random = randomSource('killed watches')
    for (let i = 0; i < 20; i++) {
      const time = new TestTime()
      const head = new ScriptedHead(time)
      // What survives a kill: the state as it was at that moment, and what the receiver has received.
      let kept: string | null = null
      const received: HeadAlert[] = []
      const rules: AlertRule[] = [{ on: 'closed-by-other', off: true }]
      let saves = random.below(9)
      const killed = watching(time, [head], {
        rules,
        state: {
          load: () => Promise.resolve(null),
          save: (text) => {
            if (saves-- <= 0) return new Promise(() => undefined)
            kept = text
            return Promise.resolve()
          }
        },
        send: (alert) => {
          received.push(alert)
          // Between the receipt and its note, too.
          return random.below(3) === 0 ? new Promise(() => undefined) : Promise.resolve()
        }
      })
      await time.advance(1_000)
      head.snapshot(5)
      await time.advance(1_000)
      head.close(3)
      await time.advance(random.below(3_000))
      void killed
      const state = memoryState(kept)
      const run = watching(time, [head], { rules, state, send: (alert) => Promise.resolve(void received.push(alert)) })
      await time.advance(3_000)
      const older = received.filter(({ rule }) => rule === OLDER)
      expect(older.length).toBeGreaterThan(0)
      expect([...new Set(older.map(({ id }) => id))]).toHaveLength(1)
      await run.stop()
    }
  })

  it('sends a line again that the sink refused, in the order of all', async () => {
    const time = new TestTime()
    const head = new ScriptedHead(time)
    let refusals = 7
    const run = watching(time, [head], {
      send: () => (refusals-- > 0 ? Promise.reject(new Error('full')) : Promise.resolve())
    })
    await time.advance(1_000)
    head.snapshot(2)
    head.close(1)
    await time.advance(20_000)
    expect(run.told()).toEqual(['closed-by-other firing', `${OLDER} firing`])
    await run.stop()
  })
})
