// Verified heads: what a check costs beside one pairing of the same run, whether it grows with the head, what the hash
// of older rules costs beside JSON.parse, and what a page loads for it.
import { gzipSync } from 'node:zlib'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { build } from 'esbuild'
import { proveMembership, snapshotAccumulator, utxoHash, verifyMembership, verifyUpdate } from 'layer-sdk/verify'

const ROUNDS = 31
const ROUND_MS = 50
const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const PAIRING = 'one pairing, @noble/curves'
const KB = 1024
/** Exchanged outputs, and the time that a check of them may take, ms. */
const UPDATES = [
  [1, 58],
  [10, 124],
  [50, 265]
]

const keyOf = (i) => `${i.toString(16).padStart(64, '0')}#${i % 4}`
const utxoOf = (count) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [keyOf(i), { address: ADDRESS, value: { lovelace: 1_000_000 + i } }])
  )

/** Milliseconds of one call over one round. */
async function round(call) {
  let count = 0
  const start = performance.now()
  do {
    await call()
    count++
  } while (performance.now() - start < ROUND_MS)
  return (performance.now() - start) / count
}

/**
 * Best round of each call, and the median of what the first took beside each in the same round: both were then as slow
 * as the machine was.
 */
async function compare(calls) {
  for (const call of calls) await call()
  const best = calls.map(() => Infinity)
  const ratios = calls.map(() => [])
  for (let i = 0; i < ROUNDS; i++) {
    const taken = []
    for (const call of calls) taken.push(await round(call))
    for (const [at, ms] of taken.entries()) {
      best[at] = Math.min(best[at], ms)
      ratios[at].push(taken[0] / ms)
    }
  }
  return { best, ratios: ratios.map((each) => each.sort((a, b) => a - b)[ROUNDS >> 1]) }
}

async function membershipOf(count) {
  const utxo = utxoOf(count)
  const proof = await proveMembership({ utxo, refs: [keyOf(count >> 1)] })
  const options = { ...proof, outputs: [utxo[keyOf(count >> 1)]] }
  return async () => {
    if (!(await verifyMembership(options)).ok) throw new Error('the proof does not hold')
  }
}

/** Returns a check of a set of 1,000 outputs against the one before, of which `count` outputs were exchanged. */
async function updateOf(count) {
  const utxo = utxoOf(1_000)
  const keys = Object.keys(utxo).slice(0, count)
  const removed = keys.map((key) => utxo[key])
  const added = keys.map((_, i) => ({ address: ADDRESS, value: { lovelace: 9_000_000 + i } }))
  const next = { ...utxo, ...Object.fromEntries(keys.map((key, i) => [key, added[i]])) }
  const [before, after] = [await snapshotAccumulator({ utxo }), await snapshotAccumulator({ utxo: next })]
  const options = { before: before.commitment, after: after.commitment, removed, added }
  return async () => {
    if (!(await verifyUpdate(options)).ok) throw new Error('the update does not hold')
  }
}

/** Milliseconds of the hash of 50,000 outputs, and of JSON.parse of their text: the medians of rounds by turns. */
function hashMs() {
  const utxo = utxoOf(50_000)
  const text = JSON.stringify(utxo)
  const taken = [() => utxoHash(utxo), () => JSON.parse(text)].map((call) => ({ call, times: [] }))
  for (let i = 0; i < 9; i++)
    for (const { call, times } of taken) {
      const start = performance.now()
      call()
      times.push(performance.now() - start)
    }
  return taken.map(({ times }) => times.sort((a, b) => a - b)[times.length >> 1])
}

/** Gzipped bytes of what a page loads, without the setup's points; `lazy`: what comes with import() alone. */
async function sizes(code) {
  const points = {
    name: 'points',
    setup: ({ onResolve }) => onResolve({ filter: /g[12](Points|Tau)/ }, ({ path }) => ({ path, external: true }))
  }
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', write: false }
  const bundle = async (plugins) => {
    const { outputFiles } = await build({
      ...options,
      stdin: { contents: code, resolveDir: import.meta.dirname },
      plugins
    })
    return gzipSync(outputFiles[0].contents, { level: 9 }).length
  }
  const outside = {
    name: 'lazy',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined))
  }
  const [whole, eager] = [await bundle([points]), await bundle([outside])]
  return { whole, lazy: whole - eager }
}

export async function run() {
  const { G1, G2, pairing } = bls12_381
  const [a, b] = [G1.Point.BASE.multiply(123456789n), G2.Point.BASE.multiply(987654321n)]
  const { best, ratios } = await compare([await membershipOf(1_000), await membershipOf(10), () => pairing(a, b)])
  const [largeMs, smallMs, pairingMs] = best
  const thousand = utxoOf(1_000)
  await snapshotAccumulator({ utxo: thousand })
  const recomputeMs = await round(() => snapshotAccumulator({ utxo: thousand }))
  const rows = []
  const row = (name, unit, ours, rival, rivalName, limit, ratio = ours / rival) => {
    const pass = limit === undefined || ratio <= limit
    rows.push({
      name,
      unit,
      ours,
      rival,
      rivalName,
      ratio,
      target: limit === undefined ? 'reported' : `<= ${limit}`,
      pass
    })
  }
  row('membership of one of 1,000 outputs', 'ms', largeMs, pairingMs, PAIRING, 4, ratios[2])
  row('the same, against 10 outputs', 'ms', largeMs, smallMs, 'of 10 outputs', 1.1, ratios[1])
  row('accumulator of 1,000 outputs from scratch', 'ms', recomputeMs, pairingMs, PAIRING)
  for (const [count, limitMs] of UPDATES) {
    const check = await updateOf(count)
    await check()
    const ours = await round(check)
    const name = `update of 1,000 outputs by ${count} exchanged, without the set`
    const against = { rival: recomputeMs, rivalName: 'from scratch', ratio: ours / recomputeMs }
    rows.push({ name, unit: 'ms', ours, ...against, target: `<= ${limitMs} ms`, pass: ours <= limitMs })
  }
  const [hash, parse] = hashMs()
  row('hash of 50,000 outputs, rules to 2.1', 'ms', hash, parse, 'JSON.parse of their text', 2.5)
  const all = "export * from 'layer-sdk/verify'"
  const curves =
    "export { bls12_381 } from '@noble/curves/bls12-381.js'; export { ed25519 } from '@noble/curves/ed25519.js'"
  const [verify, floor] = [await sizes(all), (await sizes(curves)).whole]
  row('layer-sdk/verify, loaded when needed, without points', 'KB gzip', verify.lazy / KB, 35, 'the limit, 35 KB', 1)
  row('the same beside its curves', 'KB gzip', verify.whole / KB, floor / KB, 'both curves of @noble/curves alone')
  return rows
}
