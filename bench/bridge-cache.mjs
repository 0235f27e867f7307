// The bridge's cache: snapshots read, applied and every balance asked for. The texts are made here, so every machine
// reads the same.
import { EventEmitter } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { hex, later, makeHead, snapshotText } from './support/head.mjs'
import { median } from './support/standstill.mjs'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
/** Outputs read in all by each of the works that are compared. */
const OUTPUTS_A_WORK = 1_000_000
const ROUNDS = 7
const RIVAL = '@hydra-sdk/bridge 1.3.1'

/** Runs a generator to its end at once. */
function runToEnd(steps) {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const settle = () => globalThis.gc?.()

/** The parts of the bridge between the socket and the balances, bundled from the sources: they are internal. */
async function ourParts() {
  const contents = `export { decodePayload } from './src/bridge/protocol/decode.ts'
    export { SnapshotCache } from './src/bridge/head/SnapshotCache.ts'
    export { readMessage } from './src/bridge/head/readMessage.ts'
    export { CborWriter } from './src/codec/cbor/writer.ts'
    export { hexToBytes } from './src/codec/hex.ts'
    export { encodeTxOutput } from './src/codec/txOutput.ts'`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    mainFields: ['module', 'main']
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}

/** The rival behind a connector that hands it parsed messages, as its own does. */
async function rivalBridge() {
  try {
    const { HydraBridge } = await import('@hydra-sdk/bridge')
    const eventEmitter = new EventEmitter()
    const connector = {
      eventEmitter,
      connected: () => true,
      connect() {},
      disconnect() {},
      fetcher: {},
      sendCommand() {}
    }
    const bridge = new HydraBridge({ connector })
    return {
      receive: (text) => eventEmitter.emit('onMessage', JSON.parse(text)),
      balance: (address) => bridge.getAddressBalance(address)
    }
  } catch {
    return null
  }
}

/** Reads a text as the bridge does, and applies it. */
function receive(parts, cache, text) {
  const { payload, outputs } = runToEnd(parts.readMessage(cache.texts, text, 0))
  if (cache.apply(payload, text.length, outputs) !== 'applied') throw new Error('the snapshot was not applied')
  return outputs
}

function timed(work) {
  settle()
  const start = performance.now()
  work()
  return performance.now() - start
}

/** Best of several rounds that take turns, so that a slow moment of the machine hits all. */
function bestOf(works, rounds = ROUNDS) {
  const best = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      const ms = work(round)
      best[name] = Math.min(best[name] ?? Infinity, ms)
    }
  }
  return best
}

/**
 * Texts in a circle: from the last one to the first, too, what `changes` says has changed. Numbers grow, so only their
 * digits are new.
 */
function nextSnapshots(parts, count, changes, maxKeptText) {
  const head = makeHead(count)
  const texts = [snapshotText(1_000_001, head.outputs), snapshotText(1_000_002, later(head, changes).outputs)]
  const cache = new parts.SnapshotCache(true, maxKeptText)
  let number = 1_000_000
  const next = () => texts[++number % 2].replace(/"number":\d+/, `"number":${number}`)
  // As it comes from a socket: one piece of memory.
  const flat = () => Buffer.from(next()).toString()
  receive(parts, cache, flat())
  return {
    parse: () => {
      const text = texts[1]
      return timed(() => JSON.parse(text))
    },
    ours: () => {
      const text = flat()
      return timed(() => {
        if (receive(parts, cache, text).change === null) throw new Error('the text was read as a whole')
        for (const address of head.addresses) cache.balance(address)
      })
    }
  }
}

/** Medians of works that take turns. */
function medians(works, rounds) {
  const times = {}
  for (let round = -1; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      const ms = work()
      if (round >= 0) (times[name] ??= []).push(ms)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]))
}

async function snapshots(parts, count) {
  const head = makeHead(count)
  const first = snapshotText(1, head.outputs)
  const second = snapshotText(2, later(head, count / 100).outputs)
  const take = (text, cache) =>
    timed(() => {
      receive(parts, cache, text)
      for (const address of head.addresses) cache.balance(address)
    })
  const rival = await rivalBridge()
  let number = 2
  const rivalTake = (text) => {
    // The rival skips numbers it has seen; only the digits of the number change.
    const numbered = text.replace(/"number":\d+/, `"number":${++number}`)
    const flat = Buffer.from(numbered).toString()
    return timed(() => {
      rival.receive(flat)
      for (const address of head.addresses) rival.balance(address)
    })
  }
  let cache
  const best = medians(
    {
      parse: () => timed(() => JSON.parse(second)),
      first: () => {
        cache = new parts.SnapshotCache()
        return take(first, cache)
      },
      following: () => take(second, cache),
      ...(rival === null ? {} : { rivalFirst: () => rivalTake(first), rivalFollowing: () => rivalTake(second) })
    },
    Math.min(4 * ROUNDS, Math.max(ROUNDS, OUTPUTS_A_WORK / count))
  )
  const rows = []
  const name = count.toLocaleString('en-US')
  for (const [what, limit, rivalLimit] of [
    ['first', 2.4, 0.6],
    ['following', 0.35, 0.15]
  ]) {
    const title = `Snapshot of ${name} outputs, ${what === 'first' ? 'the first' : '1 % changed'}: read, applied, all balances asked for`
    const row = (against, rivalName, most) => ({
      name: title,
      unit: 'ms',
      ours: best[what],
      rival: against,
      rivalName,
      ratio: best[what] / against,
      target: `<= ${most} x`,
      pass: best[what] <= most * against
    })
    rows.push(row(best.parse, 'JSON.parse of the text', limit))
    const theirs = best[what === 'first' ? 'rivalFirst' : 'rivalFollowing']
    if (theirs !== undefined) rows.push(row(theirs, RIVAL, rivalLimit))
  }
  return rows
}

/** What a change of ten outputs costs, and of one percent without the text before. */
function smallChanges(parts) {
  const row = (name, { ours, parse }, most) => ({
    name,
    unit: 'ms',
    ours,
    rival: parse,
    rivalName: 'JSON.parse of the text',
    ratio: ours / parse,
    target: `<= ${most} x`,
    pass: ours <= most * parse
  })
  const ten = medians(nextSnapshots(parts, 100_000, 10, Infinity), ROUNDS)
  const keys = medians(nextSnapshots(parts, 100_000, 1_000, 0), ROUNDS)
  return [
    row('Snapshot of 100,000 outputs, 10 changed: read, applied, all balances asked for', ten, 0.25),
    row(
      'Snapshot of 100,000 outputs, 1 % changed, with maxKeptText 0: read, applied, all balances asked for',
      keys,
      0.6
    )
  ]
}

/** How the cost of the next snapshot grows with the head: the exponent of its size. */
function growth(parts) {
  const sizes = [1_000, 10_000, 100_000, 300_000]
  const times = sizes.map(
    (size) => medians(nextSnapshots(parts, size, size / 100, Infinity), size > 100_000 ? 5 : ROUNDS).ours
  )
  const rows = sizes.map((size, n) => ({
    name: `Next snapshot of ${size.toLocaleString('en-US')} outputs, 1 % changed`,
    unit: 'ms',
    ours: times[n],
    rival: null,
    rivalName: null,
    ratio: null,
    target: '',
    pass: true
  }))
  // Least squares over the logarithms.
  const points = sizes.map((size, n) => [Math.log(size), Math.log(times[n])])
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const exponent =
    points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
  return [
    ...rows,
    {
      name: 'Growth of the next snapshot from 1,000 to 300,000 outputs: exponent',
      unit: '',
      ours: exponent,
      rival: null,
      rivalName: null,
      ratio: null,
      target: '<= 1.1',
      pass: exponent <= 1.1
    }
  ]
}

function largeIntegers(parts) {
  const head = makeHead(100_000, true)
  const text = snapshotText(1, head.outputs)
  const best = bestOf({
    parse: () => timed(() => JSON.parse(text)),
    ours: () =>
      timed(() => {
        const cache = new parts.SnapshotCache()
        receive(parts, cache, text)
        for (const address of head.addresses) cache.balance(address)
      })
  })
  return [
    {
      name: 'Snapshot of 100,000 outputs, all with integers beyond 2^53',
      unit: 'ms',
      ours: best.ours,
      rival: best.parse,
      rivalName: 'JSON.parse of the text (which rounds them)',
      ratio: best.ours / best.parse,
      target: '<= 5 x',
      pass: best.ours <= 5 * best.parse
    }
  ]
}

/** A transaction that spends one output and makes two, as the node shows it. */
function transaction(parts, spent, addresses, salt) {
  const [hash, index] = spent.split('#')
  const output = (i) =>
    parts.encodeTxOutput({
      address: addresses[(salt + i) % addresses.length],
      amount: [{ unit: 'lovelace', quantity: String(1_000_000 + salt) }]
    })
  const cborHex = new parts.CborWriter()
    .array(4)
    .map(3)
    .uint(0)
    .tag(258)
    .array(1)
    .array(2)
    .bytes(parts.hexToBytes(hash))
    .uint(Number(index))
    .uint(1)
    .array(2)
    .raw(output(1))
    .raw(output(2))
    .uint(2)
    .uint(salt)
    .map(0)
    .bool(true)
    .null()
    .toHex()
  return { type: 'Tx ConwayEra', description: '', cborHex, txId: hex(32) }
}

/** Milliseconds for a snapshot of ten transactions without outputs, on a head of so many. */
function deltaMs(parts, count) {
  const head = makeHead(count)
  const cache = new parts.SnapshotCache()
  cache.apply(parts.decodePayload(snapshotText(1, head.outputs), 0))
  const unspent = [...head.outputs.keys()]
  const times = []
  for (let number = 2; number < 300; number++) {
    const transactions = Array.from({ length: 10 }, (_, i) =>
      transaction(parts, unspent.pop(), head.addresses, number * 10 + i)
    )
    for (const { txId } of transactions) unspent.unshift(`${txId}#0`, `${txId}#1`)
    const text = snapshotText(number, undefined, transactions)
    const start = performance.now()
    if (cache.apply(parts.decodePayload(text, 0)) !== 'applied') throw new Error('the snapshot was not applied')
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[times.length >> 1]
}

function delta(parts) {
  const small = deltaMs(parts, 1_000)
  const large = deltaMs(parts, 100_000)
  return [
    {
      name: 'Snapshot of 10 transactions without outputs, head of 100,000',
      unit: 'ms',
      ours: large,
      rival: null,
      rivalName: null,
      ratio: null,
      target: '<= 1 ms',
      pass: large <= 1
    },
    {
      name: 'The same against a head of 1,000',
      unit: 'ms',
      ours: large,
      rival: small,
      rivalName: 'head of 1,000',
      ratio: large / small,
      target: '<= 2 x',
      pass: large <= 2 * small
    }
  ]
}

function reading(parts) {
  const head = makeHead(100_000)
  let text = snapshotText(1, head.outputs)
  settle()
  const before = process.memoryUsage().heapUsed
  const cache = new parts.SnapshotCache()
  receive(parts, cache, text)
  settle()
  // The text was there before the cache, and stays because of it.
  const bytes = (process.memoryUsage().heapUsed - before + text.length) / 100_000
  text = ''
  const reads = 500_000
  let best = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    for (let i = 0; i < reads; i++) cache.balance(head.addresses[i % head.addresses.length])
    best = Math.min(best, ((performance.now() - start) * 1000) / reads)
  }
  return [
    {
      name: 'getAddressBalance, head of 100,000',
      unit: 'us',
      ours: best,
      rival: null,
      rivalName: null,
      ratio: null,
      target: '<= 1 us',
      pass: best <= 1
    },
    {
      name: 'Memory of the cache for each output, with the text that the next one is compared with',
      unit: 'B',
      ours: bytes,
      rival: null,
      rivalName: null,
      ratio: null,
      target: '<= 700 B',
      pass: bytes <= 700
    }
  ]
}

/** One address with all outputs of a head, of which somebody wants fifty. */
function bounded(parts) {
  const head = makeHead(100_000)
  const [address] = head.addresses
  for (const output of head.outputs.values()) output.address = address
  const cache = new parts.SnapshotCache()
  receive(parts, cache, snapshotText(1, head.outputs))
  const times = []
  for (let round = 0; round < 50; round++) {
    const start = performance.now()
    if (cache.utxos(address, { limit: 50 }).length !== 50) throw new Error('not fifty outputs')
    times.push(performance.now() - start)
  }
  const ours = median(times)
  const name = 'getAddressUTxOs with limit 50, an address with 100,000 outputs'
  return [{ name, unit: 'ms', ours, rival: null, rivalName: null, ratio: null, target: '<= 1 ms', pass: ours <= 1 }]
}

/** All figures of the cache. */
export async function run() {
  const parts = await ourParts()
  return [
    ...(await snapshots(parts, 10_000)),
    ...(await snapshots(parts, 100_000)),
    ...smallChanges(parts),
    ...growth(parts),
    ...largeIntegers(parts),
    ...delta(parts),
    ...reading(parts),
    ...bounded(parts)
  ]
}
