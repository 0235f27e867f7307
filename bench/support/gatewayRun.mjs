// What a load of the gateway's benches is made of: node, gateway, Redis and clients, each a process of its own.
import { fork, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quantile } from './gatewayLoad.mjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const SECONDS = Number(process.env.BENCH_GATEWAY_SECONDS ?? 5)
/** What is under way when the node stops may still arrive. */
const GRACE_MS = 1_000
const STARTS_WITHIN_MS = 60_000
/** More of them in one process would measure the clients. */
const CLIENTS_OF_A_PROCESS = 5_000
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** A process that answers messages. */
function launch(file) {
  const child = fork(join(HERE, file), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const answer = (wanted) =>
    new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`${file} does not answer`)), STARTS_WITHIN_MS)
      const take = (message) => {
        if (!(wanted in message)) return
        clearTimeout(limit)
        child.off('message', take)
        resolve(message)
      }
      child.on('message', take)
      child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
    })
  const ask = (message, wanted) => {
    const answered = answer(wanted)
    child.send(message)
    return answered
  }
  return { child, answer, ask, stop: () => child.kill('SIGKILL') }
}

export async function startRedis() {
  if (spawnSync('redis-server', ['--version']).error !== undefined) return null
  const free = createServer()
  await new Promise((resolve) => free.listen(0, '127.0.0.1', resolve))
  const { port } = free.address()
  await new Promise((resolve) => free.close(resolve))
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-bench-redis-'))
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes', '--dir', folder]
  const child = spawn('redis-server', options, { stdio: 'ignore' })
  const isUp = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true) || socket.destroy()).on('error', () =>
        resolve(false)
      )
    })
  while (!(await isUp())) await sleep(20)
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function untilReady(url) {
  while ((await fetch(`${url}/health/ready`)).status !== 200) await sleep(20)
}

/**
 * One load: so many clients of a mode, behind so many edges (0: at the node itself). `memory`: bytes of all gateway
 * processes for each client; `cpu`: share of one core that each of them took; `bytesPerSecond`: to all clients.
 */
export async function measure({ mode, count, edges, redis }) {
  // Each load has a log of its own: the lease of a core that was killed holds for ten seconds.
  const prefix = `bench-${randomUUID()}`
  const started = []
  const start = (file) => started[started.push(launch(file)) - 1]
  try {
    const node = start('gatewayNode.mjs')
    const { port, addresses } = await node.answer('port')
    const upstream = `ws://127.0.0.1:${port}`
    const gateway = async (role) => {
      const process = start('gatewayProcess.mjs')
      return { process, url: (await process.ask({ role, upstream, redis, prefix }, 'url')).url }
    }
    if (redis !== undefined) await gateway('core')
    const serving = await Promise.all(
      Array.from({ length: edges }, () => gateway(redis === undefined ? 'both' : 'edge'))
    )
    for (const { url } of serving) await untilReady(url)
    const usage = () => Promise.all(serving.map(({ process }) => process.ask('measure', 'rss')))
    const sum = (each, name) => each.reduce((total, { [name]: value }) => total + value, 0)
    const before = await usage()

    const urls = edges === 0 ? [upstream] : serving.map(({ url }) => url)
    const loads = []
    for (let first = 0; first < count; first += CLIENTS_OF_A_PROCESS) {
      const load = start('gatewayClients.mjs')
      const share = Math.min(CLIENTS_OF_A_PROCESS, count - first) / urls.length
      for (const [i, url] of urls.entries())
        await load.ask({ url, mode, count: share, first: first + i * share, addresses }, 'opened')
      loads.push(load)
    }
    const opened = await usage()

    let last = 0
    let size = 0
    node.child.on('message', ({ number, bytes }) => ([last, size] = [number, bytes]))
    node.child.send('start')
    await sleep(SECONDS * 1_000)
    node.child.send('stop')
    await sleep(GRACE_MS)
    const after = await usage()
    // The first snapshot after the one that everybody began with.
    const each = await Promise.all(loads.map((load) => load.ask({ from: 2, to: last, mode }, 'lags')))
    const lags = each.flatMap((load) => load.lags)
    const [bytes, missed, repeated] = ['bytes', 'missed', 'repeated'].map((name) => sum(each, name))
    return {
      p50: quantile(lags, 0.5),
      p99: quantile(lags, 0.99),
      delivered: lags.length / (lags.length + missed),
      repeated,
      snapshotBytes: size,
      bytesPerSecond: bytes / SECONDS,
      bytesPerMessage: bytes / lags.length,
      memory: (sum(opened, 'rss') - sum(before, 'rss')) / count,
      cpu: (sum(after, 'cpuMs') - sum(opened, 'cpuMs')) / (SECONDS * 1_000) / Math.max(1, edges)
    }
  } finally {
    for (const each of started) each.stop()
  }
}
