import { connect } from 'node:net'
import WebSocket from 'ws'
import type { RunningDevNode, StartDevNodeOptions } from '../../../../src/devnode'
import { startDevNode } from '../../../../src/devnode'
import { DevNodePortError } from '../../../../src/errors/devnode'
import { RpcProvider } from '../../../../src/providers'
import type { Message } from '../../harness'
import { utxoJson } from '../../harness'
import { ada, buildTx, envelopeOf, lovelaceOf, signTx } from '../../transactions'

const MIB = 1024 * 1024

it('answers a body that is too large with 413, and keeps none of it', async () => {
  const node = await startDevNode({ port: 0, open: true })
  const begun = process.memoryUsage().rss
  let answer = ''
  let sent = 0
  await new Promise<void>((resolve) => {
    const socket = connect(node.port, '127.0.0.1', () => {
      socket.write(`POST /commit HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${400 * MIB}\r\n\r\n`)
      const chunk = Buffer.alloc(4 * MIB, 120)
      const more = (): void => {
        while (sent < 400 * MIB && !socket.destroyed) {
          sent += chunk.length
          if (!socket.write(chunk)) return void socket.once('drain', more)
        }
      }
      more()
    })
    socket.on('data', (data) => (answer += String(data)))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
  expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/)
  expect(sent).toBeLessThan(100 * MIB)
  expect(process.memoryUsage().rss - begun).toBeLessThan(250 * MIB)
  expect((await fetch(`${node.httpUrl}/snapshot/last-seen`)).status).toBe(200)
  await node.stop()
})

/** A WebSocket whose messages can be awaited. */
class Socket {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  readonly closed: Promise<number>
  pings = 0
  #wake: () => void = () => {}

  constructor(url: string) {
    this.socket = new WebSocket(url)
    this.socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)) as Message)
      this.#wake()
    })
    this.socket.on('ping', () => {
      this.pings++
      this.#wake()
    })
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => this.socket.on('close', resolve))
  }

  async until(found: () => boolean): Promise<void> {
    while (!found()) await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  async next(tag: string): Promise<Message> {
    await this.until(() => this.messages.some((message) => message['tag'] === tag))
    return this.messages.find((message) => message['tag'] === tag)!
  }
}

describe('a local head node on a port', () => {
  const running: RunningDevNode[] = []
  const start = async (options: StartDevNodeOptions = {}): Promise<RunningDevNode> => {
    const node = await startDevNode({ port: 0, ...options })
    running.push(node)
    return node
  }
  afterEach(async () => {
    await Promise.all(running.splice(0).map((node) => node.stop()))
  })

  it('greets on any path and takes inputs in text and binary frames', async () => {
    const node = await start()
    const client = new Socket(`${node.url}/any/path?X-Api-Key=1&history=no`)
    expect(await client.next('Greetings')).toMatchObject({ headStatus: 'Idle' })
    client.socket.send(Buffer.from('{"tag":"Init"}'), { binary: true })
    await client.next('HeadIsOpen')
    client.socket.send('{"tag":"Close"}')
    await client.next('HeadIsClosed')
    expect(node.counters).toMatchObject({ connections: 1, inputs: { Init: 1, Close: 1 } })
  })

  it('answers an undecodable input to its sender alone, with the raw text, and keeps the connection', async () => {
    const node = await start()
    const [one, two] = [new Socket(node.url), new Socket(node.url)]
    await Promise.all([one.next('Greetings'), two.next('Greetings')])
    one.socket.send('not json')
    await one.until(() => one.messages.length === 2)
    expect(one.messages[1]).toEqual({ input: 'not json', reason: expect.stringMatching(/^Error in \$/) })
    one.socket.send('{"tag":"Init"}')
    await Promise.all([one.next('HeadIsOpen'), two.next('HeadIsOpen')])
    expect(two.messages).toHaveLength(2)
  })

  it('replays the history in order before Greetings, and only when asked', async () => {
    const node = await start()
    const first = new Socket(node.url)
    await first.next('Greetings')
    first.socket.send('{"tag":"Init"}')
    first.socket.send('{"tag":"Contest"}')
    await first.next('HeadIsOpen')
    const replayed = new Socket(`${node.url}?history=yes`)
    await replayed.next('Greetings')
    expect(replayed.messages.map(({ tag }) => tag)).toEqual(['HeadIsOpen', 'Greetings'])
    expect(replayed.messages[0]).toEqual(first.messages.find(({ tag }) => tag === 'HeadIsOpen'))
    for (const query of ['', '?history=no', '?history=YES', '?history']) {
      const plain = new Socket(node.url + query)
      await plain.next('Greetings')
      expect(plain.messages).toHaveLength(1)
    }
  })

  it('ends connections whose query cannot be decoded up to 2.3.0, and ignores the query after', async () => {
    const [old, young] = [await start({ profile: '2.3' }), await start()]
    expect(await new Socket(`${old.url}?address=%zz`).closed).toBe(1006)
    expect(await new Socket(`${young.url}?address=%zz&history=yes`).next('Greetings')).toMatchObject({
      headStatus: 'Idle'
    })
  })

  it('names no content type before 1.0', async () => {
    const { httpUrl } = await start({ profile: '0.22' })
    const reply = await fetch(`${httpUrl}/nope`)
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      400,
      null,
      'Resource not found'
    ])
  })

  it('answers simple CORS requests, and refuses preflights for other methods and headers as wai-cors does', async () => {
    const { httpUrl } = await start()
    const Origin = 'http://localhost:3000'
    const simple = await fetch(`${httpUrl}/head`, { headers: { Origin } })
    expect([
      simple.status,
      simple.headers.get('access-control-allow-origin'),
      simple.headers.get('content-type')
    ]).toEqual([200, '*', 'application/json'])
    expect((await fetch(`${httpUrl}/head`)).headers.get('access-control-allow-origin')).toBeNull()
    const preflight = async (method: string, headers?: string): Promise<number> => {
      const asked = {
        Origin,
        'Access-Control-Request-Method': method,
        ...(headers === undefined ? {} : { 'Access-Control-Request-Headers': headers })
      }
      return (await fetch(`${httpUrl}/commit`, { method: 'OPTIONS', headers: asked })).status
    }
    expect([
      await preflight('POST'),
      await preflight('DELETE'),
      await preflight('POST', 'content-type'),
      await preflight('GET', 'x-api-key')
    ]).toEqual([200, 400, 400, 400])
  })

  it('rejects with a typed error when the port is in use', async () => {
    const { port } = await start()
    await expect(startDevNode({ port })).rejects.toMatchObject({ code: 'DEVNODE_PORT', port, systemCode: 'EADDRINUSE' })
  })

  it('writes an IPv6 address into its URLs as one has to', async () => {
    const node = await start({ host: '::1' }).catch((error: unknown) => {
      // Not every machine has IPv6.
      if (error instanceof DevNodePortError && error.systemCode !== 'EADDRINUSE') return null
      throw error
    })
    if (node === null) return
    expect([node.url, node.httpUrl, node.rpcUrl]).toEqual([
      `ws://[::1]:${node.port}`,
      `http://[::1]:${node.port}`,
      expect.stringMatching(/^http:\/\/\[::1\]:\d+$/)
    ])
    expect((await fetch(`${node.httpUrl}/head`)).status).toBe(200)
  })

  it('frees its ports when an option cannot be used', async () => {
    await expect(startDevNode({ port: 0, profile: 'nope' as never })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('goes offline and online again on the same port with the same head', async () => {
    const node = await start()
    const client = new Socket(node.url)
    await client.next('Greetings')
    client.socket.send('{"tag":"Init"}')
    await client.next('HeadIsOpen')
    await node.goOffline()
    expect(await client.closed).toBe(1006)
    await expect(fetch(`${node.httpUrl}/head`)).rejects.toThrow()
    await node.goOnline()
    expect(await new Socket(node.url).next('Greetings')).toMatchObject({ headStatus: 'Open', hydraHeadId: node.headId })
  })

  it('pings, drops connections with and without a code, and refuses upgrades on demand', async () => {
    const node = await start({ timings: { pingMs: 20 } })
    const client = new Socket(node.url)
    await client.until(() => client.pings >= 2)
    node.dropConnections(1012)
    expect(await client.closed).toBe(1012)
    const broken = new Socket(node.url)
    await broken.next('Greetings')
    node.dropConnections()
    expect(await broken.closed).toBe(1006)
    node.faults.refuseUpgrades = 401
    const refused = new WebSocket(node.url)
    const status = await new Promise((resolve) => {
      refused.on('unexpected-response', (_, response) => resolve(response.statusCode))
      refused.on('error', () => {})
    })
    expect(status).toBe(401)
  })

  it('answers pings unless it is mute', async () => {
    const node = await start()
    const client = new Socket(node.url)
    await client.next('Greetings')
    const pong = new Promise((resolve) => client.socket.once('pong', (data) => resolve(String(data))))
    client.socket.ping('one')
    expect(await pong).toBe('one')
    node.faults.muteSockets = true
    let pongs = 0
    client.socket.on('pong', () => pongs++)
    client.socket.ping('two')
    // The answer to a request that was sent later shows that the ping has been taken.
    await fetch(`${node.httpUrl}/head`)
    expect(pongs).toBe(0)
  })

  it('fails requests and drops replies on demand, and counts what came', async () => {
    const node = await start({
      faults: {
        failRequests: 1,
        httpFailure: { status: 429, body: 'slow down', headers: { 'Retry-After': '1' } },
        dropReplies: 1
      }
    })
    // The failed request uses up no reply.
    node.faults.dropReplies = 0
    const failed = await fetch(`${node.httpUrl}/head`)
    expect([failed.status, await failed.text(), failed.headers.get('retry-after')]).toEqual([429, 'slow down', '1'])
    node.faults.dropReplies = 1
    await expect(fetch(`${node.httpUrl}/head`)).rejects.toThrow()
    expect((await fetch(`${node.httpUrl}/head`)).status).toBe(200)
    expect(node.counters.requests).toEqual({ 'GET /head': 3 })
  })

  it('does not mind clients that hang up halfway', async () => {
    const node = await start()
    const raw = connect(node.port, '127.0.0.1')
    await new Promise((resolve) => raw.on('connect', resolve))
    raw.write('POST /commit HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
    raw.destroy()
    expect((await fetch(`${node.httpUrl}/head`)).status).toBe(200)
  })

  it('stops with nothing left open', async () => {
    const node = await startDevNode({ port: 0 })
    const client = new Socket(node.url)
    await client.next('Greetings')
    client.socket.send('{"tag":"Init"}')
    await node.stop()
    expect([1001, 1006]).toContain(await client.closed)
    await expect(fetch(`${node.httpUrl}/head`)).rejects.toThrow()
    await expect(fetch(node.rpcUrl!)).rejects.toThrow()
    expect(process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap')).toEqual([])
  })

  it('shows the base ledger to an RpcProvider', async () => {
    const node = await start()
    const { fetcher, submitter } = new RpcProvider({ apiEndpoint: node.rpcUrl!, network: 'preprod' })
    const [alice, bob] = node.keys
    const utxos = await fetcher.fetchAddressUTxOs(alice!.address)
    expect(utxos).toEqual(node.baseUtxos(alice!.address))
    expect(await fetcher.fetchUTxOs([utxos[3]!.input, { txHash: 'ff'.repeat(32), index: 0 }])).toEqual([utxos[3]])
    expect(await fetcher.fetchProtocolParameters()).toMatchObject({
      minFeeA: 44,
      minFeeB: 155381,
      coinsPerUtxoByte: 4310n,
      protocolVersion: { major: 11 }
    })
    expect((await fetcher.fetchTip()).slot).toBeGreaterThanOrEqual(node.slot - 2)
    const outputs = [
      { ...ada(bob!.address, 999_800_000n), scriptRef: { language: 'PlutusV2' as const, cborHex: '46450100002261' } }
    ]
    const paid = envelopeOf(signTx(buildTx({ inputs: [utxos[0]!.input], outputs, fee: 200_000n }), alice!))
    expect(await submitter.submitTx(paid.cborHex)).toBe(paid.txId)
    expect(node.baseUtxos(bob!.address).map(({ output }) => lovelaceOf(output))).toContain(999_800_000n)
    expect(await fetcher.fetchAddressUTxOs(bob!.address)).toEqual(node.baseUtxos(bob!.address))
    const unbalanced = envelopeOf(signTx(buildTx({ inputs: [utxos[1]!.input], outputs, fee: 1n }), alice!))
    await expect(submitter.submitTx(unbalanced.cborHex)).rejects.toMatchObject({ code: 'PROVIDER_SUBMIT_REJECTED' })
  })

  it('takes a deposit over HTTP and tells of it over the socket', async () => {
    const node = await start({ timings: { blockMs: 5, depositDelayMs: 5, snapshotIntervalMs: 5 } })
    const client = new Socket(node.url)
    await client.next('Greetings')
    client.socket.send('{"tag":"Init"}')
    await client.next('HeadIsOpen')
    const [alice] = node.keys
    const post = async (path: string, body: unknown): Promise<any> =>
      (
        await fetch(node.httpUrl + path, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'Content-Type': 'text/plain' }
        })
      ).json()
    const draft = await post('/commit', utxoJson(node.baseUtxos(alice!.address)[0]!))
    const signed = envelopeOf(signTx(Uint8Array.from(Buffer.from(draft.cborHex, 'hex')), alice!))
    expect(await post('/cardano-transaction', signed)).toEqual({ tag: 'TransactionSubmitted' })
    expect(await client.next('CommitFinalized')).toMatchObject({ depositTxId: signed.txId })
  })
})
