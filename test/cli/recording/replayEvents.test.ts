import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { stringifyJson } from '../../../src/codec/json'
import { newProfileNode, pay } from '../../doctor/export/devnodeHistory'
import { changeLine, historyOf, logLine, logOf, stored } from '../../doctor/export/support'
import { randomSource } from '../../support/random'
import { readRecording as readReal } from '../../support/recordings'
import { scaled } from '../../support/scale'
import { HEAD_ID, PARTY, snapshotConfirmed } from '../../support/scriptedNode'
import { describeWithShared } from '../../support/vectors'
import { newFolder, replayed, run } from './support'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true }))
const path = (name: string): string => join(folder, name)
const write = (name: string, lines: readonly string[], end = '\n'): string => {
  writeFileSync(path(name), lines.join('\n') + end)
  return path(name)
}

/** Lines of an export that hold these messages. */
const exportOf = (messages: readonly object[]): string[] =>
  messages.map((data: any) =>
    stringifyJson({
      cursor: 'x',
      at: Date.parse(data.timestamp) || null,
      source: 'node',
      headId: null,
      kind: 'node',
      data
    })
  )

describe('replay of a node’s log', () => {
  const snapshot = (number: number): object => (snapshotConfirmed(number) as { snapshot: object }).snapshot
  const confirm = (i: number, number: number): string =>
    changeLine(i, [
      { tag: 'SnapshotRequested', requestedSnapshot: snapshot(number), newLocalTxs: [] },
      { tag: 'SnapshotConfirmed', headId: HEAD_ID, snapshot: null, signatures: { multiSignature: [] } }
    ])
  const log = [
    logLine(0, { tag: 'EnteringMainloop' }),
    changeLine(1, [{ tag: 'HeadOpened', headId: HEAD_ID, parties: [PARTY] }]),
    confirm(2, 1),
    confirm(3, 2),
    changeLine(4, [{ tag: 'PeerDisconnected', peer: { hostname: 'bob', port: 5001 } }]),
    changeLine(64, [{ tag: 'PeerConnected', peer: { hostname: 'bob', port: 5001 } }]),
    changeLine(70, [
      {
        tag: 'DepositRecorded',
        headId: HEAD_ID,
        depositTxId: 'ab'.repeat(32),
        deposited: {},
        deadline: '2026-06-01T01:00:00Z'
      }
    ]),
    logLine(71, {
      tag: 'Node',
      node: {
        tag: 'DroppedFromQueue',
        inputId: 4,
        input: { tag: 'NetworkInput', networkEvent: { tag: 'ReceivedMessage', msg: { tag: 'ReqTx' } } }
      }
    }),
    changeLine(72, [{ tag: 'SomethingNew' }])
  ]

  it('tells heads, deposits, absences, what was dropped, and what is open', async () => {
    const { code, out } = await run(['replay', write('node.log', log)])
    expect(out).toContain(`Head ${HEAD_ID}`)
    expect(out).toContain('2026-06-01T00:00:01.000Z  open')
    expect(out).toContain('the node started')
    expect(out).toContain('peer bob:5001 away for 60.0 s')
    expect(out).toContain('1 times refused, DroppedFromQueue: NetworkInput ReceivedMessage ReqTx')
    expect(out).toContain(`Open at the end: head ${HEAD_ID} (open); deposit ${'ab'.repeat(32)} (recorded).`)
    expect(out).toContain('Transitions: 1 follows.')
    expect(code).toBe(0)
  })

  it('reads one of gzip, and names lines that are cut short', async () => {
    const lines = [...log.slice(0, 3), log[3]!.slice(0, 99), ...log.slice(4)]
    writeFileSync(path('packed.log'), gzipSync(`${lines.join('\n')}\n`))
    const { code, report } = await replayed(path('packed.log'))
    expect([code, report.header.source, report.broken]).toEqual([
      1,
      'log',
      [{ line: 4, byte: expect.any(Number), reason: 'cannot be read' }]
    ])
  })

  it('begins with a banner of other programs', async () => {
    const { report } = await replayed(write('banner.log', ['Starting...', ...log]))
    expect([report.header.source, report.brokenCount, report.frames]).toEqual(['log', 1, 6])
  })

  it('sums payments by minute, each with --all', async () => {
    const tx = { txId: 'cd'.repeat(32), cborHex: '84', type: 'Tx ConwayEra', description: '' }
    const requestedSnapshot = { ...snapshot(1), confirmed: [tx] }
    const lines = [
      ...log.slice(0, 2),
      changeLine(2, [{ tag: 'SnapshotRequested', requestedSnapshot }]),
      changeLine(2, [{ tag: 'SnapshotConfirmed', headId: HEAD_ID, signatures: { multiSignature: [] } }])
    ]
    const file = write('paid.log', lines)
    expect((await run(['replay', file])).out).toContain('2026-06-01T00:00Z  1 payment')
    expect((await run(['replay', file, '--all'])).out).toContain(`2026-06-01T00:00Z  payment ${'cd'.repeat(32)}`)
  })
})

describe('replay of an export', () => {
  const opened = stored(0, { tag: 'HeadIsOpen', headId: HEAD_ID, utxo: {}, parties: [PARTY] })

  it('passes unknown frames, and leaves a torn last line out', async () => {
    const lines = exportOf([opened, ...historyOf(200).slice(1)])
    const { code, report } = await replayed(write('torn.ndjson', lines, '\n{"cursor":"1.nod'))
    expect([code, report.cutShort, report.brokenCount, report.frames]).toEqual([0, null, 0, 200])
    expect(report.unknownTags).toEqual([expect.objectContaining({ tag: 'HeadIsDancing', count: 2 })])
  })

  it('reads the line that a run went on writing behind a torn one', async () => {
    const [first, second, third] = exportOf([opened, stored(1, snapshotConfirmed(1)), stored(2, snapshotConfirmed(2))])
    const { code, report } = await replayed(write('joined.ndjson', [first!, second!, third!.slice(0, 50) + third!]))
    expect([code, report.frames, report.transitions.follows]).toEqual([0, 3, 1])
  })

  it('shows gaps, and a missing snapshot as one', async () => {
    const gap = stringifyJson({
      cursor: null,
      at: null,
      source: 'node',
      headId: null,
      kind: 'gap',
      data: { reason: 'rotated', from: { seq: 9, at: 0 }, to: { seq: 20, at: 0 }, proves: { snapshotNumber: 4 } }
    })
    const lines = exportOf([opened, stored(1, snapshotConfirmed(1)), stored(2, snapshotConfirmed(5))])
    const file = write('gap.ndjson', [lines[0]!, lines[1]!, gap, lines[2]!])
    const { code, report } = await replayed(file)
    expect([code, report.transitions.gap, report.gaps]).toEqual([
      0,
      1,
      [{ line: 3, byte: expect.any(Number), reason: expect.stringContaining('after number 9 are not there') }]
    ])
    expect((await run(['replay', file])).out).toContain('the state behind it is snapshot 4')
  })

  it('is the same story as the node’s own, and as that of --url', async () => {
    const node = await newProfileNode({ accumulator: 'real' })
    await pay(node, 5)
    const exported = await run(['export', '--url', node.connector])
    const { report } = await replayed(write('local.ndjson', exported.out.split('\n')))
    const direct = await run(['replay', '--url', node.connector, '--json', '--check'])
    await node.stop()
    expect(report.transitions.follows).toBeGreaterThanOrEqual(4)
    expect([report.firstBroken, report.brokenCount, report.undecodableCount]).toEqual([null, 0, 0])
    const own = JSON.parse(direct.out)
    expect([direct.code, own.heads, own.open]).toEqual([0, report.heads, report.open])
  }, 60_000)

  it('needs a file or a node, and a file that can be read twice', async () => {
    expect((await run(['replay', 'x', '--url', 'ws://127.0.0.1:1'])).code).toBe(2)
    expect((await run(['replay', '-'])).code).toBe(2)
  })
})

it('tells a log of many lines with bounded lists', async () => {
  const { report } = await replayed(write('many.log', logOf(3_000)))
  expect([report.frames, report.undecodableCount]).toEqual([3_000, 0])
}, 60_000)

describeWithShared('histories of real nodes', () => {
  /** Snapshots of the recording 2.3, and of 2.4.1, with the messages that stand between them. */
  const messagesOf = (name: string): any[] => {
    const part = readReal<any>(name)
    const headId = part.headId ?? HEAD_ID
    const decommits = (part.decommitTransactions ?? []).map((decommitTx: unknown) => ({
      tag: 'DecommitRequested',
      headId,
      decommitTx,
      utxoToDecommit: {}
    }))
    const snapshots: any[] = part.snapshots ?? [part.withDeposit.snapshot, part.withoutDeposit.snapshot]
    const frames = snapshots.map((each) => {
      const snapshot = { headId, ...(each.snapshot ?? each) }
      return { tag: 'SnapshotConfirmed', headId, signatures: each.signatures ?? { multiSignature: [] }, snapshot }
    })
    return [...decommits, ...frames].map((message, i) => stored(i, message))
  }
  const NAMES = ['history-2.3-part', 'signed-snapshots-2.4.1']

  it.each(NAMES)('%s as an export: every transition is explained', async (name) => {
    const messages = messagesOf(name)
    const { code, report } = await replayed(write('real.ndjson', exportOf(messages)))
    const pairs = messages.filter(({ tag }) => tag === 'SnapshotConfirmed').length - 1
    expect([code, report.transitions.follows, report.firstBroken]).toEqual([0, pairs, null])
    expect(pairs).toBeGreaterThan(0)
  })

  it.each(NAMES)(
    '%s forged anywhere: the first bad pair is named',
    async (name) => {
      const { below } = randomSource(`forged ${name}`)
      const messages = messagesOf(name)
      const snapshots = messages.filter(({ tag }) => tag === 'SnapshotConfirmed')
      for (let i = 0; i < scaled(100); i++) {
        const forged = structuredClone(messages)
        const at = 1 + below(snapshots.length - 1)
        const target = forged.filter(({ tag }: any) => tag === 'SnapshotConfirmed')[at]
        forge(target.snapshot, below)
        const { code, report } = await replayed(write('forged.ndjson', exportOf(forged)))
        expect(code).toBe(1)
        expect(report.firstBroken).toMatchObject({ from: at, to: at + 1 })
      }
    },
    300_000
  )
})

/** Changes one thing of a snapshot that nothing explains. */
function forge(snapshot: any, below: (n: number) => number): void {
  const keys = Object.keys(snapshot.utxo)
  const key = keys[below(keys.length)]!
  const output = snapshot.utxo[key]
  const ways = [
    () => void (output.value.lovelace = BigInt(output.value.lovelace) + 1n),
    () => void (output.value.lovelace = BigInt(output.value.lovelace) - 1n),
    () => void delete snapshot.utxo[key],
    () => void (snapshot.utxo[`${'ee'.repeat(32)}#0`] = output),
    () => void (snapshot.version = Number(snapshot.version) + 2)
  ]
  ways[below(ways.length)]!()
}
