import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import type { GatewayOptions } from 'layer-sdk/gateway'
import { greetings } from '../../support/scriptedNode'
import { ROOT } from '../../support/markdown'
import { until } from '../support'

const OUT = join(ROOT, '.cache', 'gateway-memory')

/** A node that has a head of so many outputs, all of one address, and says nothing more. */
async function largeNode(
  outputs: number,
  address: string
): Promise<{ url: string; snapshotBytes: number; stop(): Promise<void> }> {
  const output = {
    address,
    datum: null,
    datumhash: null,
    inlineDatum: null,
    inlineDatumRaw: null,
    referenceScript: null,
    value: { lovelace: 1_234_567 }
  }
  const utxo = Object.fromEntries(
    Array.from({ length: outputs }, (_, index) => [`${index.toString(16).padStart(64, '0')}#0`, output])
  )
  const snapshot = {
    headId: 'ab'.repeat(28),
    number: 7,
    version: 1,
    confirmed: [],
    utxo,
    utxoToCommit: null,
    utxoToDecommit: null
  }
  const body = JSON.stringify({ tag: 'ConfirmedSnapshot', snapshot, signatures: { multiSignature: [] } })
  const server = createServer((request, response) =>
    response.writeHead(request.url === '/snapshot' ? 200 : 404).end(request.url === '/snapshot' ? body : '')
  )
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) =>
    socket.send(JSON.stringify(greetings({ headStatus: 'Open', hydraHeadId: snapshot.headId })))
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    snapshotBytes: JSON.stringify(utxo).length,
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** A gateway in a process of its own, in front of a head of many outputs. */
export class MeasuredGateway {
  readonly #child: ChildProcess
  readonly #node: { stop(): Promise<void> }
  /** Bytes of the head's outputs as JSON. */
  readonly snapshotBytes: number
  readonly url: string
  readonly port: number

  readonly #metricsUrl: string

  private constructor(
    child: ChildProcess,
    node: { snapshotBytes: number; stop(): Promise<void> },
    { url, metricsUrl }: { url: string; metricsUrl: string }
  ) {
    this.#child = child
    this.#node = node
    this.snapshotBytes = node.snapshotBytes
    this.url = url
    this.#metricsUrl = metricsUrl
    this.port = Number(new URL(url).port)
  }

  static async start(
    outputs: number,
    address: string,
    options: Partial<GatewayOptions> = {}
  ): Promise<MeasuredGateway> {
    const node = await largeNode(outputs, address)
    mkdirSync(OUT, { recursive: true })
    const { build } = await import('esbuild')
    const outfile = join(OUT, `worker-${process.pid}.mjs`)
    const entry = join(ROOT, 'test', 'gateway', 'memory', 'worker.ts')
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error'
    })
    const child = fork(outfile, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: ['--expose-gc'] })
    const urls = await ask<{ url: string; metricsUrl: string }>(child, {
      port: 0,
      metrics: { port: 0 },
      heads: [{ path: '/', upstream: node.url }],
      ...options
    })
    const gateway = new MeasuredGateway(child, node, urls)
    await until('the gateway is ready', async () => (await fetch(`${urls.url}/health/ready`)).status === 200)
    return gateway
  }

  /** Resident memory in snapshots of the head. */
  async resident({ collect = false } = {}): Promise<number> {
    const { rss } = await ask<{ rss: number }>(this.#child, collect ? 'collect' : 'memory')
    return rss / this.snapshotBytes
  }

  /** The most that is resident over a time, ms, in snapshots of the head. */
  async mostResident(ms: number): Promise<number> {
    const ends = Date.now() + ms
    let most = 0
    while (Date.now() < ends) {
      most = Math.max(most, await this.resident())
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return most
  }

  /** A figure of its metrics. */
  async figure(name: string): Promise<number> {
    const text = await (await fetch(this.#metricsUrl)).text()
    return Number(new RegExp(`^layer_gateway_${name} (\\d+)$`, 'm').exec(text)?.[1])
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
    await this.#node.stop()
  }
}

function ask<Answer>(child: ChildProcess, message: object | string): Promise<Answer> {
  return new Promise((resolve) => {
    child.once('message', (answer) => resolve(answer as Answer))
    child.send(message)
  })
}
