// The live bridge under load: 10,000 messages a second with 1,000 transactions pending, and how soon the process ends
// afterwards.
import { fork, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const SECONDS = 6

/** Starts the server of the flood in a process of its own; resolves with its URL. */
async function startServer() {
  const server = fork(join(HERE, 'support', 'floodServer.mjs'), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  const { port } = await new Promise((resolve) => server.once('message', resolve))
  return { url: `ws://127.0.0.1:${port}`, stop: () => server.kill() }
}

/** Runs a client in a process of its own; resolves with what it prints as JSON. */
function runClient(library, url) {
  const client = spawn(process.execPath, [join(HERE, 'support', 'floodClient.mjs'), library, url, String(SECONDS)], {
    cwd: HERE,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let text = ''
  client.stdout.on('data', (chunk) => (text += chunk))
  const limit = setTimeout(() => client.kill('SIGKILL'), (SECONDS + 60) * 1000)
  return new Promise((resolve) =>
    client.once('exit', () => {
      clearTimeout(limit)
      const endedAt = performance.timeOrigin + performance.now()
      const line = text
        .trim()
        .split('\n')
        .find((each) => each.startsWith('{'))
      const result = line === undefined ? null : JSON.parse(line)
      resolve(result && { ...result, exitMs: endedAt - result.disconnectedAt })
    })
  )
}

export async function run() {
  const server = await startServer()
  try {
    const ours = await runClient('layer-sdk/bridge', server.url)
    const rival = await runClient('@hydra-sdk/bridge', server.url)
    const rivalName = rival === null ? 'did not finish' : '@hydra-sdk/bridge'
    return [
      {
        name: 'Lag at p99, 10,000 messages/s, 1,000 pending',
        unit: 'ms',
        ours: ours.p99,
        rival: rival?.p99 ?? null,
        rivalName,
        ratio: rival && ours.p99 / rival.p99,
        target: '<= 10 ms',
        pass: ours.p99 <= 10
      },
      {
        name: 'Messages lost in the flood',
        unit: '',
        ours: ours.lost,
        rival: rival?.lost ?? null,
        rivalName,
        ratio: null,
        target: '0',
        pass: ours.lost === 0
      },
      {
        name: 'Process ends after disconnect() with 1,000 pending',
        unit: 'ms',
        ours: ours.exitMs,
        rival: rival?.exitMs ?? null,
        rivalName,
        ratio: rival && ours.exitMs / rival.exitMs,
        target: '<= 100 ms',
        pass: ours.exitMs <= 100
      }
    ]
  } finally {
    server.stop()
  }
}
