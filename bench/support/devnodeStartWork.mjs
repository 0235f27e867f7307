// One start of the local head node, in a process of its own; prints its result as JSON.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

const OUTPUTS = 100_000
const ROUNDS = 3

async function timed(task) {
  const startedAt = performance.now()
  const result = await task()
  return { ms: performance.now() - startedAt, result }
}
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]

/** From the start of the process to its first line, which says where it listens. */
async function commandLine() {
  const folder = join(process.cwd(), 'node_modules', 'layer-sdk')
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(folder, bin['layer-sdk']), 'devnode', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', () => reject(new Error('it ended before it listened')))
  })
  const ms = performance.now() - startedAt
  child.kill('SIGKILL')
  return { ms }
}

async function importing() {
  const { ms } = await timed(() => import('layer-sdk/devnode'))
  return { ms }
}

/** Outputs as the node writes them. */
function utxoText(address) {
  const plain = {
    address,
    datum: null,
    datumhash: null,
    inlineDatum: null,
    inlineDatumRaw: null,
    referenceScript: null
  }
  const output = (i) => ({ ...plain, value: { lovelace: 2_000_000 + i } })
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: OUTPUTS }, (_, i) => [`${i.toString(16).padStart(64, '0')}#0`, output(i)]))
  )
}

const OPTIONS = { port: 0, rpcPort: null, accounts: 0 }

/** Starts a node again and again, and parses the text of its outputs beside it. */
async function startAgain(options, text) {
  const { startDevNode } = await import('layer-sdk/devnode')
  const starts = []
  const parses = []
  for (let round = 0; round < ROUNDS; round++) {
    parses.push((await timed(() => JSON.parse(text))).ms)
    const { ms, result } = await timed(() => startDevNode({ ...OPTIONS, ...options }))
    starts.push(ms)
    await result.stop()
  }
  return { ms: median(starts), parse: median(parses) }
}

async function fromState() {
  const { DevNode, startDevNode } = await import('layer-sdk/devnode')
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-bench-'))
  const state = join(folder, 'head.state')
  try {
    const text = utxoText(new DevNode({ accounts: 0 }).keys[0].address)
    await (await startDevNode({ ...OPTIONS, state, genesis: [JSON.parse(text)] })).stop()
    return await startAgain({ state }, text)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Serves the API of a running head with `text` as its outputs, and tells its port. */
const OTHER_HEAD = `
  import { createServer } from 'node:http'
  import { parentPort, workerData } from 'node:worker_threads'
  import { WebSocketServer } from 'ws'
  const server = createServer((request, response) =>
    response.end(request.url.startsWith('/snapshot/utxo') ? workerData.utxo : '{}')
  )
  new WebSocketServer({ server }).on('connection', (socket) => socket.send(workerData.greetings))
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

/** The head is one of another make, in a thread of its own: what it takes to answer is not ours. */
async function fromFork() {
  const { DevNode } = await import('layer-sdk/devnode')
  const text = utxoText(new DevNode({ accounts: 0 }).keys[0].address)
  const greetings = {
    tag: 'Greetings',
    headStatus: 'Open',
    hydraHeadId: 'ab'.repeat(28),
    hydraNodeVersion: '2.3.0',
    currentSlot: 1,
    env: {}
  }
  const workerData = { utxo: Buffer.from(text), greetings: JSON.stringify(greetings) }
  const head = new Worker(OTHER_HEAD, { eval: true, execArgv: ['--input-type=module'], workerData })
  const port = await new Promise((resolve) => head.once('message', resolve))
  const result = await startAgain({ fork: `ws://127.0.0.1:${port}` }, text)
  await head.terminate()
  return result
}

const WORKS = { cli: commandLine, import: importing, state: fromState, fork: fromFork }
console.log(JSON.stringify(await WORKS[process.argv[2]]()))
process.exit(0)
