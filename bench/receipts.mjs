// Receipts at 1,000 payments a second: processor time of a program that follows them, and of one that has the plain
// bridge alone. Set RECEIPTS_SECONDS for a quick look.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const RATE = 1_000
const SECONDS = Number(process.env['RECEIPTS_SECONDS'] ?? 12)
/** Seconds in which the code of both programs is compiled. */
const COLD_SECONDS = Math.floor(SECONDS / 4)
const ROUNDS = 3
const MOST_PERCENT = 10

const start = (file, ...args) =>
  fork(fileURLToPath(new URL(`./support/${file}`, import.meta.url)), args.map(String), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
const next = (child) =>
  new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`${child.spawnargs[2]} ended with ${code}`)))
  })
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

/** One program beside one stream of payments: percent of a core, and how long after the last payment it had it, ms. */
async function measure(server, { url, shop }, kind) {
  const client = start('receiptsClient.mjs', kind, url, shop, RATE * SECONDS, RATE * COLD_SECONDS)
  try {
    await next(client)
    const ended = Promise.all([next(client), next(server)])
    client.send('start')
    server.send('start')
    const [{ cpuMs, count, lastAt }, { endedAt }] = await ended
    return { percent: cpuMs / (SECONDS - COLD_SECONDS) / 10, count, lagMs: lastAt - endedAt }
  } finally {
    client.kill()
  }
}

export async function run() {
  const server = start('receiptsServer.mjs', RATE, SECONDS)
  const found = { bridge: [], receipts: [] }
  try {
    const node = await next(server)
    // In turns, so that what else the machine does meets both.
    for (let round = 0; round < ROUNDS; round++)
      for (const kind of ['bridge', 'receipts']) found[kind].push(await measure(server, node, kind))
  } finally {
    server.kill()
  }
  const [bridge, receipts] = ['bridge', 'receipts'].map((kind) => median(found[kind].map(({ percent }) => percent)))
  const missing = found.receipts.reduce((sum, { count }) => sum + RATE * SECONDS - count, 0)
  const lag = median(found.receipts.map(({ lagMs }) => lagMs))
  return [
    {
      name: 'Receipts of 1,000 payments/s: processor time',
      unit: '% of a core',
      ours: receipts,
      rival: bridge,
      rivalName: 'the plain bridge',
      ratio: receipts / bridge,
      target: `<= ${MOST_PERCENT} % more`,
      pass: receipts - bridge <= MOST_PERCENT
    },
    {
      name: 'Receipts of 1,000 payments/s: from the last snapshot to its receipts',
      unit: 'ms',
      ours: lag,
      rival: null,
      rivalName: missing === 0 ? 'none missing' : `${missing} missing`,
      ratio: null,
      target: '<= 100 ms, none missing',
      pass: missing === 0 && lag <= 100
    }
  ]
}
