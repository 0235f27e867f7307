import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { createHeadClient } from '../../../src/client'
import type { StartDevNodeOptions } from '../../../src/devnode'
import { startDevNode } from '../../../src/devnode'
import { CliProgram } from '../../support/cliProgram'
import { greetings, HEAD_ID, ScriptedNode, snapshotConfirmed } from '../../support/scriptedNode'
import { fullRun } from '../../support/scale'
import { ADA, startClientHead } from '../../client/support'
import { linesOf, newFolder, replayed, run } from './support'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true }))
let made = 0
const newPath = (): string => join(folder, `recording-${++made}`)

/** A recording that ends when `stop` is called. */
function startRecord(
  url: string,
  ...more: string[]
): { file: string; stop: () => Promise<{ code: number; out: string; errors: string }> } {
  const file = newPath()
  let end = (): void => undefined
  const stopped = new Promise<void>((resolve) => (end = resolve))
  const result = run(['record', '--url', url, '--out', file, '--json', ...more], stopped)
  return {
    file,
    stop: () => {
      end()
      return result
    }
  }
}
const framesOf = (file: string): any[] => linesOf(file).flatMap(({ frame }) => (frame === undefined ? [] : [frame]))

/** Resolves once a file holds a text. */
async function holds(file: string, text: string): Promise<void> {
  while (!existsSync(file) || !readFileSync(file, 'utf8').includes(text))
    await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('layer-sdk record against a scripted node', () => {
  let node: ScriptedNode
  beforeEach(async () => void (node = await new ScriptedNode().start()))
  afterEach(() => node.stop())

  const SECRET = 'Zq8vK3nB7tYw2LxPfD5s'

  it('sends nothing but GET requests, whatever the node says', async () => {
    node.onConnection = (socket) => {
      for (const message of [
        greetings(),
        snapshotConfirmed(1),
        { tag: 'HeadIsClosed', headId: HEAD_ID },
        { tag: 'CommandFailed' },
        7
      ])
        socket.send(JSON.stringify(message))
    }
    const { file, stop } = startRecord(node.url)
    await holds(file, '"get":"/protocol-parameters"')
    const { code, out } = await stop()
    expect([code, JSON.parse(out)]).toMatchObject([0, { frames: 5, reason: 'stopped' }])
    expect(node.inputs).toEqual([])
    expect(new Set(node.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(node.requests.every(({ body }) => body === '')).toBe(true)
  })

  it('leaves out secrets in the URL, the headers, the answers and the messages', async () => {
    const planted = {
      url: `wss://u:${SECRET}@hub.example/?k=${SECRET}`,
      headers: { authorization: `Bearer ${SECRET}` },
      note: `see https://hub.example/x?token=${SECRET}`
    }
    node.onConnection = (socket) => {
      socket.send(JSON.stringify(greetings({ env: { signingKey: SECRET, party: { vkey: 'ab' } }, ...planted })))
      socket.send(`plain text with https://${SECRET}@hub.example/?q=${SECRET}`)
    }
    for (const route of ['/head', '/snapshot', '/snapshot/utxo', '/snapshot/last-seen', '/commits'])
      node.routes[`GET ${route}`] = {
        status: 500,
        body: planted,
        headers: { 'set-cookie': `sid=${SECRET}`, 'x-token': SECRET }
      }
    node.routes['GET /protocol-parameters'] = { status: 502, text: `<a href="/?key=${SECRET}">` }
    const { file, stop } = startRecord(`${node.url.replace('ws://', `ws://alice:${SECRET}@`)}/?token=${SECRET}`)
    await holds(file, '"get":"/protocol-parameters"')
    const { code, out, errors } = await stop()
    expect(code).toBe(0)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain('127.0.0.1')
    expect(text).not.toContain('alice')
    expect(`${out}${errors}`).not.toContain(SECRET)
    expect(framesOf(file)[0].env).toEqual({ signingKey: '[removed]', party: { vkey: 'ab' } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('keeps messages byte for byte, and text, bytes and line ends as what they are', async () => {
    const odd = '{ "tag":"Greetings",  "headStatus":"Idle","big":45000000000000001,"e":1e3,"s":"\\u00e4"}'
    node.onConnection = (socket) => {
      socket.send(odd)
      socket.send('{"tag":\n"NetworkConnected"}')
      socket.send('not json')
      socket.send(new Uint8Array([1, 2, 3]))
    }
    const { file, stop } = startRecord(node.url)
    await holds(file, '"bytes"')
    await stop()
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(`"frame":${odd}}\n`)
    const lines = linesOf(file)
    expect(lines.map(({ frameText }) => frameText).filter(Boolean)).toEqual([
      '{"tag":\n"NetworkConnected"}',
      'not json'
    ])
    expect(lines.find(({ event }) => event === 'bytes')).toMatchObject({ length: 3 })
  })

  it('ends with the first message of --until, which is in the file', async () => {
    node.onConnection = (socket) => {
      for (const message of [
        greetings(),
        { tag: 'Other', note: '"tag":"HeadIsFinalized"' },
        { tag: 'HeadIsFinalized', headId: HEAD_ID, utxo: {} }
      ])
        socket.send(JSON.stringify(message))
    }
    const file = newPath()
    const { code, out } = await run([
      'record',
      '--url',
      node.url,
      '--out',
      file,
      '--until',
      'HeadIsFinalized',
      '--json'
    ])
    expect([code, JSON.parse(out).reason]).toEqual([0, 'until'])
    expect(framesOf(file).at(-1)).toMatchObject({ tag: 'HeadIsFinalized' })
    expect(linesOf(file).at(-1)).toMatchObject({ event: 'end', reason: 'until' })
  })

  it('ends after --seconds', async () => {
    const { code, out } = await run(['record', '--url', node.url, '--out', newPath(), '--seconds', '1', '--json'])
    expect([code, JSON.parse(out)]).toMatchObject([0, { reason: 'time', frames: 1 }])
  })

  it('notes a lost connection and goes on with the next one', async () => {
    const { file, stop } = startRecord(node.url)
    await holds(file, '"get":"/protocol-parameters"')
    node.cut()
    await node.until(() => node.queries.length === 2)
    node.send(snapshotConfirmed(1))
    await holds(file, '"SnapshotConfirmed"')
    const { out } = await stop()
    expect(JSON.parse(out)).toMatchObject({ frames: 3, reconnects: 1 })
    expect(linesOf(file).flatMap(({ event }) => event ?? [])).toEqual(['open', 'close', 'open', 'end'])
    const { code, report } = await replayed(file)
    expect([code, report.connections, report.reached.snapshotNumber]).toEqual([0, 2, 1])
  })

  it('asks for the history when it is told to, and not again after a reconnect', async () => {
    const { file, stop } = startRecord(node.url, '--history')
    await holds(file, '"frame"')
    node.cut()
    await node.until(() => node.queries.length === 2)
    await stop()
    expect(node.queries.map((query) => /history=yes/.test(query))).toEqual([true, false])
  })
})

describe('layer-sdk record without a recording', () => {
  it('never writes over a file', async () => {
    const file = newPath()
    writeFileSync(file, 'mine')
    const { code, errors } = await run(['record', '--url', 'ws://127.0.0.1:9', '--out', file])
    expect([code, readFileSync(file, 'utf8')]).toEqual([1, 'mine'])
    expect(errors).toContain('exists')
  })

  it('leaves no file behind where the node cannot be reached, and repeats no secret', async () => {
    const file = newPath()
    const { code, errors } = await run(['record', '--url', 'ws://u:hidden@127.0.0.1:9/?k=hidden', '--out', file])
    expect([code, existsSync(file)]).toEqual([1, false])
    expect(errors).not.toContain('hidden')
  })

  it.each([
    [['--out', 'x']],
    [['--url', 'ws://127.0.0.1:9']],
    [['--url', 'ws://127.0.0.1:9', '--out', 'x', '--seconds', '0']],
    [['--url', 'ws://127.0.0.1:9', '--out', 'x', '--until', 'no tag']]
  ])('refuses %j as wrong usage', async (args) => {
    expect((await run(['record', ...args])).code).toBe(2)
    expect(existsSync('x')).toBe(false)
  })
})

const PROFILES = ['0.22', '1.3', '2.0', '2.2', '2.3', '2.4'] as const

it.each(PROFILES)(
  'a life of a head of profile %s records and replays equal',
  async (profile) => {
    const head = await startClientHead({ node: { profile, accumulator: 'real' } as StartDevNodeOptions, open: false })
    try {
      const { file, stop } = startRecord(head.node.url)
      await holds(file, '"get":"/protocol-parameters"')
      const alice = await head.client()
      const bob = head.wallets[1]!.getAddressBech32()
      await alice.open()
      await alice.deposit({ amount: 50n * ADA })
      await alice.pay({ to: bob, amount: 3n * ADA })
      await alice.withdraw({ amount: 5n * ADA })
      await alice.pay({ to: bob, amount: 2n * ADA })
      const { headId, snapshotNumber, headStatus } = alice.status()
      const outputs = alice.bridge.snapshotUtxoArray().length
      await holds(file, `"number":${snapshotNumber}`)
      await stop()
      const { code, report } = await replayed(file)
      expect(report).toMatchObject({
        understood: true,
        reached: { headId, snapshotNumber, headStatus, outputs, protocolErrors: 0 }
      })
      expect(code).toBe(0)
      expect(report.transitions.broken).toBeUndefined()
      expect(report.snapshots.refused).toBeUndefined()
      expect(report.heads[0].passages.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
        'deposit',
        'withdrawal'
      ])
      expect(report.open.passages).toEqual([])
    } finally {
      await head.stop()
    }
  },
  60_000
)

/** In groups of 50. */
const PAYMENTS = fullRun ? 500 : 150

it(`loses no message beside ${PAYMENTS} payments`, async () => {
  const head = await startClientHead({ deposit: 5_000n * ADA })
  try {
    const { file, stop } = startRecord(head.node.url)
    await holds(file, '"get":"/protocol-parameters"')
    const heard: string[] = []
    const socket = new WebSocket(head.node.url)
    socket.on('message', (data) => void heard.push(String(data)))
    await new Promise((resolve) => socket.once('message', resolve))
    const alice = await head.client()
    const bob = head.wallets[1]!.getAddressBech32()
    for (let i = 0; i < PAYMENTS / 50; i++)
      await Promise.all(
        Array.from({ length: 50 }, (_, n) => alice.pay({ to: bob, amount: 1_000_000n + BigInt(50 * i + n) }))
      )
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.close()
    const { out } = await stop()
    const recorded = framesOf(file).map(({ seq }) => seq)
    const sequence = heard.map((text) => JSON.parse(text).seq as number)
    expect(sequence.length).toBeGreaterThan(PAYMENTS)
    // The first of each is its own Greetings.
    expect(recorded.filter((seq) => seq >= sequence[1]!)).toEqual(sequence.slice(1))
    expect(JSON.parse(out).frames).toBe(recorded.length)
    const confirmed = framesOf(file).flatMap(({ snapshot }) => snapshot?.confirmed ?? [])
    expect(new Set(confirmed.map(({ txId }) => txId)).size).toBe(PAYMENTS)
  } finally {
    await head.stop()
  }
}, 120_000)

it('ends on SIGINT as a process, with its end mark', async () => {
  const program = new CliProgram()
  await program.build()
  const node = await startDevNode({ port: 0, open: true })
  try {
    const file = newPath()
    const process = program.launch('record', '--url', node.url, '--out', file)
    await holds(file, '"get":"/protocol-parameters"')
    process.kill('SIGINT')
    expect([await process.exit, process.errors()]).toEqual([0, ''])
    expect(linesOf(file).at(-1)).toMatchObject({ event: 'end', reason: 'stopped' })
    const client = createHeadClient({ url: node.url })
    await client.connect()
    await client.disconnect()
  } finally {
    await node.stop()
    program.remove()
  }
}, 60_000)
