import { exportEvents } from '../../../src/doctor'
import { LogReader } from '../../../src/doctor/inner'
import { decodePayload } from '../../../src/bridge/inner'
import { parseJson, stringifyJson } from '../../../src/codec/json'
import { describeWithHydra, readHydra } from '../../support/hydraSource'
import { HEAD_ID, PARTY, snapshotConfirmed } from '../../support/scriptedNode'
import { changeLine, exported, logLine, logOf, START } from './support'

const snapshotOf = (number: number): unknown => (snapshotConfirmed(number) as { snapshot: unknown }).snapshot
const signatures = { multiSignature: [] }

describe('a node’s log', () => {
  it('is the messages that the node’s API makes of it', async () => {
    const log = [
      logLine(0, { tag: 'NodeOptions', runOptions: {} }),
      logLine(1, { tag: 'EnteringMainloop' }),
      changeLine(2, [{ tag: 'HeadOpened', headId: HEAD_ID, parties: [PARTY], chainState: {}, headSeed: '' }]),
      changeLine(3, [{ tag: 'SnapshotRequested', requestedSnapshot: snapshotOf(1), newLocalTxs: [] }]),
      changeLine(4, [
        { tag: 'PartySignedSnapshot', snapshotNumber: 1 },
        { tag: 'SnapshotConfirmed', headId: HEAD_ID, snapshot: null, signatures },
        { tag: 'PeerDisconnected', peer: { hostname: '10.0.0.2', port: 5001 } }
      ]),
      changeLine(5, [], {
        effects: [
          { tag: 'ClientEffect', clientMessage: { tag: 'CommandFailed', clientInput: { tag: 'Close' } } },
          { tag: 'NetworkEffect', message: { tag: 'AckSn' } }
        ]
      }),
      changeLine(6, [], { tag: 'Error', error: { tag: 'RequireFailed', requirementFailure: { tag: 'X' }, state: {} } }),
      logLine(7, { tag: 'Node', node: { tag: 'DroppedFromQueue', inputId: 4, input: { tag: 'NetworkInput' } } }),
      logLine(8, { tag: 'Node', node: { tag: 'Misconfiguration', misconfigurationErrors: [] } })
    ]
    const events = await exported({ source: { log } })
    expect(events.map(({ kind, at, data }) => [kind, data['tag'], (at! - START) / 1_000])).toEqual([
      ['node', 'EnteringMainloop', 1],
      ['head', 'HeadIsOpen', 2],
      ['snapshot', 'SnapshotConfirmed', 4],
      ['peer', 'PeerDisconnected', 4],
      ['refusal', 'CommandFailed', 5],
      ['refusal', 'LogicError', 6],
      ['refusal', 'DroppedFromQueue', 7],
      ['node', 'Misconfiguration', 8]
    ])
    expect(events[2]!.data).toMatchObject({ headId: HEAD_ID, signatures, snapshot: { number: 1 } })
    expect(events[5]!.data['error']).toEqual({ tag: 'RequireFailed', requirementFailure: { tag: 'X' } })
  })

  it('counts unknown tags, and tells the rest', async () => {
    const log = [
      ...logOf(2),
      logLine(9, { tag: 'Telepathy' }),
      logLine(9, { tag: 'Telepathy' }),
      logLine(9, { tag: 'Node', node: { tag: 'Dreams' } }),
      changeLine(9, [{ tag: 'HeadSleeps' }, { tag: 'NetworkConnected' }])
    ]
    const events = exportEvents({ source: { log } })
    const tags: unknown[] = []
    for await (const { data } of events) tags.push(data['tag'])
    expect(tags).toEqual(['TxValid', 'TxValid', 'NetworkConnected'])
    expect(events.summary()).toEqual({
      events: 3,
      gaps: 0,
      unknownTags: { Telepathy: 2, 'Node.Dreams': 1, 'StateChanged.HeadSleeps': 1 },
      unreadable: { count: 0, lines: [] }
    })
  })

  it('names lines that are cut short or stand in one another by their number, and goes on', async () => {
    const [a, b, c] = [0, 1, 2].map((i) => changeLine(i, [{ tag: 'NetworkConnected' }])) as [string, string, string]
    const log = [a, b.slice(0, 60), '', b.slice(0, 90) + c + b.slice(90), 'Killed', null, '[1]', c]
    const events = exportEvents({ source: { log } })
    const told: unknown[] = []
    for await (const { kind, data } of events) told.push(kind === 'gap' ? (data['to'] as { seq: number }).seq : kind)
    expect(told).toEqual(['peer', 2, 4, 5, 6, 7, 'peer'])
    expect(events.summary().unreadable).toEqual({ count: 5, lines: [2, 4, 5, 6, 7] })
  })

  it('says gap where a snapshot is confirmed whose request is not in the log', async () => {
    const log = [changeLine(0, [{ tag: 'SnapshotConfirmed', headId: HEAD_ID, snapshot: null, signatures }])]
    const [gap] = await exported({ source: { log } })
    expect([gap!.kind, gap!.data['reason']]).toEqual(['gap', 'incomplete'])
  })
})

describe('cursors of a log', () => {
  it('continue behind every event, with no event lost and none twice', async () => {
    const log = logOf(40)
    const whole = await exported({ source: { log } })
    expect(whole).toHaveLength(40)
    for (const i of [0, 17, 39])
      expect(await exported({ source: { log }, after: whole[i]!.cursor! })).toEqual(whole.slice(i + 1))
  })

  it('say gap in a log that begins later, as after a rotation of its file', async () => {
    const log = logOf(40)
    const whole = await exported({ source: { log } })
    const later = await exported({ source: { log: log.slice(60) }, after: whole[9]!.cursor! })
    expect(later[0]).toMatchObject({ kind: 'gap', data: { reason: 'rotated', from: { seq: 29 }, proves: null } })
    expect(later.slice(1).map(({ data }) => data)).toEqual(whole.slice(20).map(({ data }) => data))
  })

  it('go on in the next file where the cursor’s event is its first line', async () => {
    const log = logOf(40)
    const whole = await exported({ source: { log } })
    const next = await exported({ source: { log: log.slice(27) }, after: whole[9]!.cursor! })
    expect(next.map(({ kind }) => kind)).toEqual(Array.from({ length: 30 }, () => 'tx'))
  })

  it('that are newer than the log, or of another node, are refused', async () => {
    const whole = await exported({ source: { log: logOf(40) } })
    await expect(exported({ source: { log: logOf(20) }, after: whole[30]!.cursor! })).rejects.toThrow(
      'which it does not have'
    )
    const other = logOf(40).map((line) => line.replaceAll(PARTY.vkey, 'cd'.repeat(32)))
    await expect(exported({ source: { log: other }, after: whole[3]!.cursor! })).rejects.toThrow('cdcd')
    const after = `1.node.${PARTY.vkey}.-.1.-.${'a'.repeat(32)}`
    await expect(exported({ source: { log: [] }, after })).rejects.toThrow('one of a node')
  })
})

it('reads 60,000 lines in flat memory', async () => {
  const line = logOf(1)
  const lines = function* (): Generator<string> {
    for (let i = 0; i < 20_000; i++) yield* line
  }
  const { gc = () => undefined } = globalThis as { gc?: () => void }
  gc()
  const before = process.memoryUsage().heapUsed
  let count = 0
  for await (const event of exportEvents({ source: { log: lines() } })) count += event.kind === 'tx' ? 1 : 0
  expect(count).toBe(20_000)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000)
}, 60_000)

describeWithHydra('the node’s own samples of its changes', () => {
  const messageOf = (name: string): any[] => {
    const { samples } = parseJson(readHydra(`hydra-node/golden/StateChanged/${name}.json`)) as { samples: object[] }
    const reader = new LogReader()
    return samples.flatMap((change) => {
      const outcome = { tag: 'Continue', stateChanges: [change], effects: [] }
      const message = { tag: 'Node', node: { tag: 'LogicOutcome', by: PARTY, outcome } }
      const line = reader.read(
        stringifyJson({ timestamp: '2026-01-01T00:00:00Z', threadId: 1, namespace: '', message })
      )
      if ('unreadable' in line || line.unknown.length > 0) throw new Error(`${name} is not known`)
      return line.messages
    })
  }
  const silent =
    /^(HeadFanoutInitiated|HeadPartialFanoutSelected|HeadFanoutReverted|TransactionReceived|SnapshotRequest\w+|PartySignedSnapshot|ChainRolledBack|TickObserved|SnapshotConfirmed)$/
  const told: Readonly<Record<string, string>> = {
    HeadOpened: 'HeadIsOpen',
    HeadClosed: 'HeadIsClosed',
    HeadContested: 'HeadIsContested',
    HeadFannedOut: 'HeadIsFinalized',
    HeadPartialFannedOut: 'HeadPartiallyFannedOut',
    HeadIsReadyToFanout: 'ReadyToFanout',
    TransactionAppliedToLocalUTxO: 'TxValid',
    DecommitRecorded: 'DecommitRequested',
    DepositRecorded: 'CommitRecorded',
    DepositRecovered: 'CommitRecovered',
    LocalStateCleared: 'SnapshotSideLoaded',
    Checkpoint: 'EventLogRotated'
  }
  const names = [
    ...Object.keys(told),
    ...['CommitApproved', 'CommitFinalized', 'DecommitApproved', 'DecommitFinalized', 'DecommitInvalid'],
    ...[
      'DepositActivated',
      'DepositExpired',
      'IgnoredHeadInitializing',
      'NetworkClusterIDMismatch',
      'NetworkConnected'
    ],
    ...['NetworkVersionMismatch', 'NodeSynced', 'NodeUnsynced', 'PeerConnected', 'PeerDisconnected', 'TxInvalid'],
    ...['TickObserved', 'ChainRolledBack', 'PartySignedSnapshot', 'SnapshotRequested', 'TransactionReceived']
  ]

  it.each(names)('%s becomes a message with the members of the node’s own', (name) => {
    const messages = messageOf(name)
    if (silent.test(name)) return expect(messages).toEqual([])
    const tag = told[name] ?? name
    const own = parseJson(readHydra(`hydra-node/golden/ServerOutput/${tag}.json`)) as { samples: { tag: string }[] }
    const members = (message: object): string[] =>
      Object.keys(message)
        .filter((key) => key !== 'timestamp' && key !== 'seq')
        .sort()
    expect(messages.length).toBeGreaterThan(0)
    for (const message of messages) {
      expect(members(message)).toEqual(members(own.samples[0]!))
      expect((decodePayload(stringifyJson(message), 0) as { tag: string }).tag).toBe(tag)
    }
  })

  it('knows every change of the source', () => {
    const source = readHydra('hydra-node/src/Hydra/HeadLogic/Outcome.hs')
    const data = /data StateChanged tx([\s\S]*?)deriving/.exec(source)![1]!
    const changes = [...data.matchAll(/^ {2,4}[=|](?: --[^\n]*\n(?: *--[^\n]*\n)*)?\s*([A-Z]\w+)/gm)].map(
      ([, name]) => name!
    )
    expect(changes.length).toBeGreaterThan(30)
    const reader = new LogReader()
    const unknown = changes.filter((tag) => {
      const line = reader.read(changeLine(0, [{ tag }]))
      return 'unreadable' in line || line.unknown.length > 0
    })
    expect(unknown).toEqual([])
  })
})
