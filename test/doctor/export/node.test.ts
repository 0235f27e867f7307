import { exportEvents } from '../../../src/doctor'
import { newProfileNode, pay } from './devnodeHistory'
import { exported, hex, historyOf, ScriptedHistory, START, stored, timeOf } from './support'
import { HEAD_ID, PARTY } from '../../support/scriptedNode'

const cursorsOf = async (node: ScriptedHistory): Promise<string[]> =>
  (await exported({ source: node })).map(({ cursor }) => cursor!)

const checkpoint = (i: number, number: number | null): object =>
  stored(i, {
    tag: 'EventLogRotated',
    checkpoint: {
      tag: 'NodeInSync',
      headState:
        number === null
          ? { tag: 'Idle', contents: {} }
          : {
              tag: 'Open',
              contents: {
                headId: HEAD_ID,
                coordinatedHeadState: { confirmedSnapshot: { snapshot: { number, utxo: { [`${hex(1)}#0`]: {} } } } }
              }
            }
    }
  })

describe('cursors', () => {
  it('continue behind every event of a node, with no event lost and none twice', async () => {
    const node = new ScriptedHistory(historyOf(120))
    const whole = await exported({ source: node })
    expect(whole.map(({ data }) => data['seq'])).toEqual(node.stored.map((each: any) => each.seq))
    for (const i of [0, 1, 60, 118, 119]) {
      const rest = await exported({ source: node, after: whole[i]!.cursor! })
      expect(rest).toEqual(whole.slice(i + 1))
    }
  })

  it('of another node are refused', async () => {
    const [cursor] = await cursorsOf(new ScriptedHistory(historyOf(3)))
    const other = new ScriptedHistory(historyOf(3))
    other.party = { vkey: 'ab'.repeat(32) }
    await expect(exported({ source: other, after: cursor! })).rejects.toMatchObject({
      code: 'DOCTOR_CURSOR',
      message: expect.stringContaining('abab')
    })
  })

  it('that are newer than the node are refused, as after the loss of its state', async () => {
    const cursors = await cursorsOf(new ScriptedHistory(historyOf(9)))
    const emptied = new ScriptedHistory(historyOf(4))
    await expect(exported({ source: emptied, after: cursors[8]! })).rejects.toThrow('which is newer')
    await expect(exported({ source: new ScriptedHistory([]), after: cursors[8]! })).rejects.toThrow('which is empty')
  })

  it('of an event with another content, or of a number that no event has, are refused', async () => {
    const node = new ScriptedHistory(historyOf(9))
    const cursors = await cursorsOf(node)
    const other = new ScriptedHistory([...node.stored])
    other.stored[4] = stored(4, { tag: 'NodeSynced' })
    await expect(exported({ source: other, after: cursors[4]! })).rejects.toThrow('another content')
    await expect(exported({ source: other, after: cursors[3]! })).resolves.toHaveLength(5)
    const between = cursors[4]!.replace(/\.12\./, '.13.')
    await expect(exported({ source: node, after: between })).rejects.toThrow('number 13, which it does not have')
  })

  it.each(['', 'x', '1.node', '2.node.-.-.1.-.' + 'a'.repeat(32), '1.node.-.-.1.-.zz', null, 7])(
    'that are none (%p) are refused before a connection is made',
    (after) => {
      const node = new ScriptedHistory([])
      expect(() => exportEvents({ source: node, after: after as string })).toThrow(
        expect.objectContaining({ code: 'DOCTOR_CURSOR' })
      )
      expect(node.opened).toBe(0)
    }
  )

  it('of a log are refused by a node', async () => {
    const after = `1.log.${PARTY.vkey}.-.1.-.${'a'.repeat(32)}`
    await expect(exported({ source: new ScriptedHistory([]), after })).rejects.toThrow('one of a log')
  })
})

describe('a node whose log was rotated', () => {
  it('says gap with both ends and what the state still proves, then goes on', async () => {
    const before = new ScriptedHistory(historyOf(5))
    const after = (await cursorsOf(before)).at(-1)!
    const rotated = new ScriptedHistory([checkpoint(50, 12), stored(51)])
    const [gap, ...rest] = await exported({ source: rotated, after })
    expect(gap).toEqual({
      cursor: after,
      at: START + 50_000,
      source: 'node',
      headId: HEAD_ID,
      kind: 'gap',
      data: {
        reason: 'rotated',
        from: { seq: 12, at: START + 4_000 },
        to: { seq: 150, at: START + 50_000 },
        proves: { headId: HEAD_ID, snapshotNumber: 12, outputs: 1 }
      }
    })
    expect(rest.map(({ kind, data }) => [kind, data['seq']])).toEqual([
      ['node', 150],
      ['tx', 153]
    ])
    expect(await exported({ source: rotated, after: rest[0]!.cursor! })).toEqual(rest.slice(1))
  })

  it('says gap to a reader without a cursor too, and proves no head where there is none', async () => {
    const [gap] = await exported({ source: new ScriptedHistory([checkpoint(50, null)]) })
    expect(gap!.data).toMatchObject({ from: null, to: { seq: 150 }, proves: null })
    expect(gap!.cursor).toBeNull()
  })

  it('says no gap to a reader who is behind the rotation already', async () => {
    const rotated = new ScriptedHistory([checkpoint(50, 12), stored(51), stored(52)])
    const cursors = (await exported({ source: rotated }))
      .filter(({ kind }) => kind !== 'gap')
      .map(({ cursor }) => cursor!)
    const rest = await exported({ source: rotated, after: cursors[1]! })
    expect(rest.map(({ kind }) => kind)).toEqual(['tx'])
  })

  it('says gap on a local head whose log was rotated, and none before', async () => {
    const node = await newProfileNode({ historyLimit: 40 })
    await pay(node, 2)
    const first = await exported({ source: node.connector })
    expect(first.filter(({ kind }) => kind === 'gap')).toEqual([])
    await pay(node, 60)
    const rest = await exported({ source: node.connector, after: first.at(-1)!.cursor! })
    expect(rest[0]).toMatchObject({ kind: 'gap', data: { reason: 'rotated', proves: { headId: node.headId } } })
    const { snapshotNumber } = rest[0]!.data['proves'] as { snapshotNumber: number }
    const numbers = rest.flatMap(({ data }: any) => (data.tag === 'SnapshotConfirmed' ? [data.snapshot.number] : []))
    // Nothing is missing behind the state that the gap proves.
    expect(numbers).toEqual(numbers.map((_, i) => snapshotNumber + 1 + i))
    await node.stop()
  }, 60_000)
})

describe('an export of a node', () => {
  it('gives each event its kind, its head and its time, and keeps integers exact', async () => {
    const tags = [
      ['HeadIsOpen', 'head'],
      ['CommitRecorded', 'deposit'],
      ['DepositExpired', 'deposit'],
      ['DecommitApproved', 'withdrawal'],
      ['DecommitInvalid', 'refusal'],
      ['TxValid', 'tx'],
      ['TxInvalid', 'refusal'],
      ['SnapshotConfirmed', 'snapshot'],
      ['PeerDisconnected', 'peer'],
      ['NetworkVersionMismatch', 'peer'],
      ['NodeUnsynced', 'node'],
      ['HeadIsFinalized', 'head'],
      ['SomethingNew', 'node']
    ] as const
    const node = new ScriptedHistory(tags.map(([tag], i) => stored(i, { tag, headId: HEAD_ID, big: 1 })))
    const text = (await exported({ source: node })).map(({ kind, headId, at }, i) => [kind, headId, at! - i * 1_000])
    expect(text).toEqual(tags.map(([, kind]) => [kind, HEAD_ID, START]))
    const big = new ScriptedHistory([])
    big.open = (listener, options) => {
      queueMicrotask(() => {
        if (options.history === true)
          listener.onMessage(`{"tag":"New","seq":1,"timestamp":"${timeOf(1)}","n":9007199254740993}`)
        listener.onMessage(JSON.stringify({ tag: 'Greetings', me: PARTY, headStatus: 'Idle' }))
      })
      return { send: () => undefined, close: async () => undefined }
    }
    expect((await exported({ source: big }))[0]!.data['n']).toBe(9007199254740993n)
  })

  it('leaves out events of other heads, and never a gap', async () => {
    const node = new ScriptedHistory([
      checkpoint(1, 3),
      stored(2),
      stored(3, { tag: 'TxValid', headId: 'ee' }),
      stored(4, { tag: 'NodeSynced' })
    ])
    const events = await exported({ source: node, heads: ['EE'] })
    expect(events.map(({ kind }) => kind)).toEqual(['gap', 'tx'])
  })

  it('follows over lost connections without losing or repeating one event', async () => {
    const node = new ScriptedHistory(historyOf(30))
    // Stored while the history was replayed: it comes live too.
    node.live = [node.stored[29]!, stored(30), { tag: 'CommandFailed', clientInput: { tag: 'Close' } }]
    node.breakAfter = 20
    const stop = new AbortController()
    const seen: unknown[] = []
    const reading = (async () => {
      for await (const { data } of exportEvents({ source: node, follow: true, signal: stop.signal })) {
        seen.push(data['seq'] ?? data['tag'])
        if (seen.length === 20) node.breakAfter = null
        if (data['tag'] === 'CommandFailed') stop.abort()
      }
    })()
    expect(await reading.catch((error: unknown) => error)).toBe(stop.signal.reason)
    expect(stop.signal.aborted).toBe(true)
    expect(seen).toEqual([...Array.from({ length: 31 }, (_, i) => 3 * i), 'CommandFailed'])
    expect(node.opened).toBe(4)
  }, 20_000)

  it('rejects with the error of the connection where it does not follow', async () => {
    const node = new ScriptedHistory(historyOf(30))
    node.breakAfter = 20
    await expect(exported({ source: node })).rejects.toThrow('the connection broke')
  })

  it('passes frames that cannot be read', async () => {
    const node = new ScriptedHistory([stored(1)])
    node.open = (listener, options) => {
      queueMicrotask(() => {
        if (options.history === true)
          for (const text of [JSON.stringify(stored(1)), '{"tag":', '[]', '{}', '{"seq":-4}']) listener.onMessage(text)
        listener.onMessage(JSON.stringify({ tag: 'Greetings', me: PARTY, headStatus: 'Idle' }))
      })
      return { send: () => undefined, close: async () => undefined }
    }
    const events = await exported({ source: node })
    expect(events.map(({ kind, cursor }) => [kind, cursor === events[0]!.cursor])).toEqual([
      ['tx', true],
      ...Array.from({ length: 4 }, () => ['node', true])
    ])
  })

  it('pauses the node while the reader is busy, and holds a bounded part of it', async () => {
    const [pauses, resumes] = [jest.fn(() => true), jest.fn()]
    const node = new ScriptedHistory([])
    const filler = 'x'.repeat(1_000_000)
    node.open = (listener, options) => {
      let next = 0
      const tell = (): void => {
        while (options.history === true && next < 20 && pauses.mock.calls.length === resumes.mock.calls.length)
          listener.onMessage(JSON.stringify(stored(next++, { tag: 'New', filler })))
        if (next === 20 || options.history !== true)
          listener.onMessage(JSON.stringify({ tag: 'Greetings', me: PARTY, headStatus: 'Idle' }))
      }
      resumes.mockImplementation(() => queueMicrotask(tell))
      queueMicrotask(tell)
      return { send: () => undefined, close: async () => undefined, pause: pauses, resume: resumes }
    }
    expect((await exported({ source: node })).map(({ data }) => data['seq'])).toEqual(
      Array.from({ length: 20 }, (_, i) => 3 * i)
    )
    expect(pauses.mock.calls.length).toBe(1)
  })

  it('reconnects where the runtime cannot pause, and goes on in the middle', async () => {
    const filler = 'x'.repeat(1_000_000)
    const node = new ScriptedHistory(Array.from({ length: 20 }, (_, i) => stored(i, { tag: 'New', filler })))
    const events = await exported({ source: node })
    expect(events.map(({ data }) => data['seq'])).toEqual(node.stored.map((each: any) => each.seq))
    expect(node.opened).toBeGreaterThan(2)
  })

  it.each([
    [{ source: 7 }, 'source'],
    [{ source: new ScriptedHistory([]), heads: [] }, 'heads'],
    [{ source: new ScriptedHistory([]), heads: ['xyz'] }, 'heads'],
    [{ source: new ScriptedHistory([]), follow: 1 }, 'follow'],
    [{ source: { log: 'text' } }, 'source.log'],
    [{ source: new ScriptedHistory([]), folow: true }, 'folow']
  ])('refuses wrong arguments by name: %#', (options, name) => {
    expect(() => exportEvents(options as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
    expect(() => exportEvents(options as never)).toThrow(name)
  })

  it('refuses a connector without history', () => {
    const source = Object.assign(new ScriptedHistory([]), {
      capabilities: { history: false, allRoutes: true, partial: true }
    })
    expect(() => exportEvents({ source })).toThrow(expect.objectContaining({ code: 'BRIDGE_UNSUPPORTED_BY_CONNECTOR' }))
  })
})
