import { connect } from 'node:net'
import WebSocket from 'ws'
import type { DevNodeProfile, RunningDevNode } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import { pay } from './transactions'

const ROUTES = [
  '/',
  '/head',
  '/snapshot',
  '/snapshot/utxo',
  '/snapshot/last-seen',
  '/commit',
  '/commits',
  '/commits/%22%00%22',
  '/commits/%ff%fe',
  '/commits/..%2f..',
  '/decommit',
  '/transaction',
  '/cardano-transaction',
  '/protocol-parameters',
  '/config',
  '/head-initialization',
  '/__proto__',
  `/${'x'.repeat(10_000)}`
]
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']
const BODIES: readonly (string | Buffer)[] = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '1e999',
  '{"__proto__":{"tag":"NewTx"},"constructor":1}',
  `{"cborHex":"${'9f'.repeat(5_000)}"}`,
  `{"blueprintTx":{"cborHex":"80"},"utxo":{"${'ab'.repeat(32)}#99999":{"address":"x","value":{"lovelace":-1}}}}`,
  `{"utxoToCommit":{"${'ab'.repeat(32)}#0":{"address":"addr_test1","value":{"lovelace":1e400,"zz":{"q":[]}}}}}`,
  '['.repeat(100_000),
  Buffer.from([0xff, 0xfe, 0x00, 0x80]),
  Buffer.alloc(300_000, 0x9f)
]

/** Sends bytes as they are and resolves with what came back until the other side has had enough, or after a while. */
function raw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const end = (): void => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(300, end)
    socket.on('data', (data) => (text += data.toString('latin1')))
    socket.on('error', end)
    socket.on('close', end)
    socket.write(bytes)
  })
}

/** Whether the head still takes a payment over a socket and confirms it. */
async function confirmsPayment(node: RunningDevNode): Promise<void> {
  const [alice] = node.keys
  const [utxo] = node.headUtxos(alice!.address)
  const transaction = pay(utxo!, alice!, alice!.address, 1_000_000n)
  const socket = new WebSocket(`${node.url}/?history=no`)
  const confirmed = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { tag?: string; snapshot?: { confirmed: { txId: string }[] } }
      if (
        message.tag === 'SnapshotConfirmed' &&
        message.snapshot!.confirmed.some(({ txId }) => txId === transaction.txId)
      )
        resolve()
    })
  })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ tag: 'NewTx', transaction }))
  await confirmed
  socket.terminate()
}

const profiles: DevNodeProfile[] =
  process.env['LAYER_SDK_FULL'] === '1' ? ['0.22', '1.3', '2.0', '2.2', '2.3', '2.4', 'master'] : ['0.22', '2.4']

describe.each(profiles)('a running head of version %s goes on', (profile) => {
  let node: RunningDevNode
  beforeAll(async () => {
    const [alice] = (await startDevNode({ port: 0, rpcPort: null }).then(async (other) => (await other.stop(), other)))
      .keys
    const inHead = Array.from({ length: 3 }, () => ({ address: alice!.address, lovelace: 9_000_000 }))
    node = await startDevNode({
      port: 0,
      rpcPort: null,
      profile,
      open: true,
      inHead,
      timings: { transactionTimeoutMs: 50, invalidRetryMs: 1 }
    })
  })
  afterAll(() => node.stop())

  it('after every method with every body on every route, JSON or CBOR, each of which gets an answer', async () => {
    const statuses = new Map<number, number>()
    const requests = ROUTES.flatMap((path) => METHODS.map((method) => [path, method] as const))
    for (const [n, [path, method]] of requests.entries()) {
      const bodies = method === 'GET' || method === 'HEAD' ? [undefined] : BODIES
      await Promise.all(
        bodies.map(async (body, i) => {
          // Each on a connection of its own: no server closes it, idle, just as the next request goes out.
          const headers: Record<string, string> = {
            connection: 'close',
            ...((n + i) % 2 === 0 ? {} : { accept: 'application/cbor', 'content-type': 'application/cbor' })
          }
          const reply = await fetch(node.httpUrl + path, {
            method,
            headers,
            ...(body === undefined ? {} : { body: body as BodyInit })
          })
          await reply.arrayBuffer()
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        })
      )
    }
    // 202: nobody has said anything of the deposit; 500 is what older nodes answer to a commit without a head, and
    // there is one.
    expect([...statuses.keys()].sort().filter((status) => ![200, 202, 400].includes(status))).toEqual([])
    expect(node.headStatus).toBe('Open')
    await confirmsPayment(node)
  }, 120_000)

  it('after what is no HTTP at all', async () => {
    const head = 'GET / HTTP/1.1\r\nHost: x\r\n'
    const junk: (string | Buffer)[] = [
      'hello\r\n\r\n',
      Buffer.alloc(70_000, 0x41),
      `${head}${'X-A: b\r\n'.repeat(5_000)}\r\n`,
      'POST /commit HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /commit HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nshort',
      'POST /commit HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
      'GET /?%zz HTTP/1.1\r\nHost: x\r\n\r\n',
      `${head}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 1\r\n\r\n`,
      `${head}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n`,
      `${head}Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n`
    ]
    for (const bytes of junk) await raw(node.port, bytes)
    await confirmsPayment(node)
  })

  it('after frames that break the protocol, texts that are none, and clients that come and go', async () => {
    const upgrade =
      'GET /?history=yes HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'
    const frames = [
      '81fe',
      '8100',
      'ff8000000000',
      '0180000000004100',
      '898000000000',
      '888100000000ff',
      '82ffffffffffffffffff00000000',
      '818400000000ffffffff',
      'c18000000000'
    ]
    for (const frame of frames) await raw(node.port, Buffer.concat([Buffer.from(upgrade), Buffer.from(frame, 'hex')]))
    const queries = [
      '',
      '?history=yes',
      '?encoding=cbor',
      '?encoding=cbor&history=yes&snapshot-utxo=no',
      '?address=%00',
      '?history=%ff',
      '?%',
      `?${'a=b&'.repeat(500)}`
    ]
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const socket = new WebSocket(`${node.url}/${queries[i % queries.length]!}`)
        const closed = new Promise((resolve) => {
          socket.on('close', resolve)
          socket.on('error', resolve)
        })
        socket.on('open', () => {
          for (const body of BODIES) socket.send(body)
          for (const tag of [
            'Init',
            'Contest',
            'Fanout',
            'SafeClosed',
            '__proto__',
            'PartialFanout',
            'SideLoadSnapshot',
            'Recover',
            'NewTx'
          ]) {
            socket.send(
              JSON.stringify({ tag, transaction: null, snapshot: {}, recoverTxId: 'x', utxoToFanout: { a: 1 } })
            )
            socket.send(
              Buffer.concat([Buffer.from([0x60 + tag.length]), Buffer.from(tag), Buffer.from([0xbf, 0x9f, 0xff])])
            )
          }
          setTimeout(() => socket.terminate(), 50)
        })
        await closed
      })
    )
    expect(node.headStatus).toBe('Open')
    await confirmsPayment(node)
  }, 60_000)
})
