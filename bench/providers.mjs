// Reading the UTxOs of an address from a Blockfrost server on loopback, in a process of its own so that it shares no
// core's time.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { IndexerProvider } from 'layer-sdk/providers'

const ADDRESS = 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg'
const POLICY = 'b0d07d45fe9514f80213f4020e5a61241458be626841cde717cb38a7'
const KEY = 'preprodBench'
const COUNT = 1_000
const ROUNDS = 50
const WARM_UP = 250
/** A Plutus V2 script with one wrapping, and its hash (blake2b-224 of 0x02 and the bytes). */
const SCRIPT = { hash: '03d9bf874aa50cb845f4dcf011a223ed4b1ccd51b485990baa79d676', cbor: '450100002261' }

/** Starts the server; `requests()` asks it how many requests came since the last time. */
async function startServer(delayMs) {
  const child = fork(
    fileURLToPath(new URL('./support/blockfrost.mjs', import.meta.url)),
    [JSON.stringify({ ADDRESS, POLICY, COUNT, SCRIPT, delayMs })],
    {
      // Not the flags of this process: it may have been started with --eval.
      execArgv: []
    }
  )
  const message = () => new Promise((resolve) => child.once('message', resolve))
  const { port } = await message()
  const requests = async () => {
    child.send('count')
    return (await message()).count
  }
  return { baseUrl: `http://127.0.0.1:${port}/api/v0`, requests, stop: () => child.kill() }
}

/**
 * Median milliseconds, once the engine has compiled both; they take turns, so that neither gets the quieter machine.
 */
async function measure(ours, rival, rounds, warmUp) {
  const times = [[], []]
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, run] of [ours, rival].entries()) {
      const start = performance.now()
      const utxos = await run()
      if (utxos.length !== COUNT) throw new Error(`${utxos.length} UTxOs instead of ${COUNT}`)
      if (round >= 0) times[i].push(performance.now() - start)
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[list.length >> 1])
}

async function compare(name, delayMs, rounds, warmUp, most = 0.5) {
  const { ProviderUtils } = await import('@hydra-sdk/core')
  const server = await startServer(delayMs)
  try {
    const options = { apiKey: KEY, network: 'preprod' }
    const ours = () =>
      new IndexerProvider({ ...options, baseUrl: server.baseUrl, rateLimit: false }).fetcher.fetchAddressUTxOs(ADDRESS)
    const theirs = () =>
      new ProviderUtils.BlockfrostProvider({ ...options, baseURL: server.baseUrl }).fetcher.fetchAddressUTxOs(ADDRESS)
    await ours()
    const requests = await server.requests()
    const [oursMs, rivalMs] = await measure(ours, theirs, rounds, warmUp)
    const ratio = oursMs / rivalMs
    return {
      requests,
      row: {
        name,
        unit: 'ms',
        ours: oursMs,
        rival: rivalMs,
        rivalName: '@hydra-sdk/core BlockfrostProvider',
        ratio,
        target: most === null ? 'reported' : `<= ${most}`,
        pass: most === null || ratio <= most
      }
    }
  } finally {
    server.stop()
  }
}

export async function run() {
  const loopback = await compare(`${COUNT} UTxOs over loopback`, 0, ROUNDS, WARM_UP, null)
  const distant = await compare(`${COUNT} UTxOs, server 20 ms away`, 20, 10, 3)
  // Ten full pages, the short one that ends the list, and one distinct script.
  const most = COUNT / 100 + 1 + 1
  const { requests } = loopback
  return [
    loopback.row,
    distant.row,
    {
      name: `requests for ${COUNT} UTxOs with one script`,
      unit: 'requests',
      ours: requests,
      rival: null,
      rivalName: 'pages + distinct scripts',
      ratio: requests / most,
      target: '<= 1',
      pass: requests <= most
    }
  ]
}
