// The verified bridge beside the plain one: one text a snapshot, signed by one party, ten outputs changed; processor time
// and the longest standstill of the loop.
import { interleavedMSMUnsafe } from '@noble/curves/abstract/curve.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { LayerBridge } from 'layer-sdk/bridge'
import { signedBytes, snapshotAccumulator } from 'layer-sdk/verify'
import { HEAD_ID, later, makeHead, snapshotText } from './support/head.mjs'
import { median, watchStandstill } from './support/standstill.mjs'

const CHANGES = 10
const SNAPSHOTS = 8
/** Of the rows with a limit: as many as the compiler of the runtime needs, and as many again. */
const WARM_SNAPSHOTS = 24
/** Snapshots of 1,000 outputs that come one behind another, and the time between two, ms. */
const RUSH = { outputs: 1_000, snapshots: 40, everyMs: 200 }
const MAX_LAG_MS = 2_000
const SECRET = new Uint8Array(32).fill(7)
const PARTY = Buffer.from(ed25519.getPublicKey(SECRET)).toString('hex')
const VERSIONS = { '0.20-2.1': '2.1.0', 2.3: '2.3.0', 2.4: '2.4.1' }

async function signedText(number, outputs, rule) {
  const message = JSON.parse(snapshotText(number, outputs))
  const { snapshot } = message
  if (rule === '2.4') snapshot.depositTxId = null
  if (rule !== '0.20-2.1') snapshot.accumulator = (await snapshotAccumulator({ utxo: snapshot.utxo })).hash
  const bytes = Buffer.from(await signedBytes({ snapshot, rule }), 'hex')
  message.signatures.multiSignature = [Buffer.from(ed25519.sign(bytes, SECRET)).toString('hex')]
  return Buffer.from(JSON.stringify(message)).toString()
}

async function textsOf(count, rule, snapshots = SNAPSHOTS) {
  const texts = []
  let head = makeHead(count)
  let lovelace = 500_000_000
  for (let number = 1; number <= snapshots; number++) {
    texts.push(await signedText(number, head.outputs, rule))
    const next = later(head, CHANGES)
    // Of amounts of their own: an output like one that is gone, without the signature of its owner, would be refused.
    for (const [key, output] of next.outputs)
      if (!head.outputs.has(key)) next.outputs.set(key, { ...output, value: { lovelace: lovelace++ } })
    head = next
  }
  return texts
}

const processorMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** A bridge over a connector that hands it texts. */
async function connect(rule, verify) {
  let listener
  const connector = {
    capabilities: { history: false, allRoutes: false, filtered: false },
    open(own) {
      listener = own
      queueMicrotask(() => own.onOpen())
      return { send() {}, async close() {} }
    },
    request: async () => ({ status: 404, text: '' })
  }
  const bridge = new LayerBridge({ connector, ...(verify ? { verify: { parties: [PARTY] } } : {}) })
  bridge.events.on('onUnverified', ({ detail }) => {
    throw new Error(detail)
  })
  const connected = bridge.connect()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const head = { headStatus: 'Open', hydraHeadId: HEAD_ID, hydraNodeVersion: VERSIONS[rule] }
  const greetings = { tag: 'Greetings', me: { vkey: PARTY }, ...head, seq: 0, timestamp: '2026-01-01T00:00:00Z' }
  listener.onMessage(JSON.stringify(greetings))
  await connected
  return { bridge, receive: (text) => listener.onMessage(text) }
}

/** Processor time and standstill of the first snapshot, and the medians of those after it. */
async function measure(texts, rule, verify) {
  const { bridge, receive } = await connect(rule, verify)
  const each = []
  for (const [at, text] of texts.entries()) {
    globalThis.gc?.()
    const stop = watchStandstill()
    const before = processorMs()
    receive(text)
    while (bridge.lastSnapshotNumber !== at + 1) await new Promise((resolve) => setTimeout(resolve, 1))
    each.push({ ms: processorMs() - before, standstill: stop() })
  }
  await bridge.disconnect()
  // The first ones are those that the compiler is at work for.
  const [first] = each
  const rest = each.slice(Math.max(2, each.length - 12))
  return {
    first,
    then: { ms: median(rest.map(({ ms }) => ms)), standstill: median(rest.map((one) => one.standstill)) }
  }
}

/** Longest time that the newest snapshot waits until it is verified, while snapshots come faster than sums are made. */
async function longestLag() {
  const { outputs, snapshots, everyMs } = RUSH
  const texts = await textsOf(outputs, '2.4', snapshots)
  const { bridge, receive } = await connect('2.4', true)
  const given = []
  let longest = 0
  const timer = setInterval(() => {
    // Between snapshots: the oldest one that is newer than what the bridge shows.
    const waiting = given[bridge.lastSnapshotNumber < 1 ? 0 : bridge.lastSnapshotNumber]
    if (waiting !== undefined) longest = Math.max(longest, performance.now() - waiting)
  }, 10)
  for (const text of texts) {
    given.push(performance.now())
    receive(text)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  while (bridge.lastSnapshotNumber !== snapshots) await new Promise((resolve) => setTimeout(resolve, 5))
  clearInterval(timer)
  await bridge.disconnect()
  return longest
}

function parseMs(text) {
  const times = Array.from({ length: 5 }, () => {
    const before = processorMs()
    JSON.parse(text)
    return processorMs() - before
  })
  return median(times)
}

/** Processor time of noble's sum of the products of as many points as 100 outputs need, by tables that are kept. */
function sumMs() {
  const { Point, Fn } = { Point: bls12_381.G1.Point, Fn: bls12_381.fields.Fr }
  const parts = [64, 37].map((count, part) => {
    const points = Array.from({ length: count }, (_, i) => Point.BASE.multiply(BigInt(1 + i + 64 * part)))
    const scalars = points.map((_, i) => Fn.inv(BigInt(2 + i + 64 * part)))
    return { sum: interleavedMSMUnsafe(Point, points, 8), scalars }
  })
  const times = Array.from({ length: 15 }, () => {
    const before = processorMs()
    for (const { sum, scalars } of parts) sum(scalars)
    return processorMs() - before
  })
  return median(times)
}

export async function run() {
  const rows = []
  const add = (name, unit, ours, rival, rivalName, target, pass) =>
    rows.push({ name, unit, ours, rival, rivalName, ratio: rival === null ? null : ours / rival, target, pass })
  const oldTexts = await textsOf(50_000, '0.20-2.1', WARM_SNAPSHOTS)
  const parse = parseMs(oldTexts[1])
  const plainOld = await measure(oldTexts, '0.20-2.1', false)
  const old = await measure(oldTexts, '0.20-2.1', true)
  const name = 'verified, rules to 2.1, 50,000 outputs'
  const first = `${name}: first snapshot`
  add(first, 'processor ms', old.first.ms, parse, 'JSON.parse', 'reported', true)
  add(
    first,
    'processor ms',
    old.first.ms,
    plainOld.first.ms,
    'the plain bridge',
    '<= 2 x',
    old.first.ms <= 2 * plainOld.first.ms
  )
  add(`${name}: 10 changed`, 'processor ms', old.then.ms, parse, 'JSON.parse', '<= 0.5', old.then.ms <= parse / 2)
  add(`${name}: 10 changed`, 'processor ms', old.then.ms, plainOld.then.ms, 'the plain bridge', 'reported', true)
  for (const [what, { standstill }] of [
    ['first snapshot', old.first],
    ['10 changed', old.then]
  ])
    add(
      `${name}: standstill, ${what}`,
      'ms',
      standstill,
      plainOld.then.standstill,
      'plain',
      '<= 60 ms',
      standstill <= 60
    )
  const sum = sumMs()
  for (const [rule, count] of [
    ['2.3', 100],
    ['2.4', 100],
    ['2.4', 1_000],
    ['2.4', 3_000]
  ]) {
    const texts = await textsOf(count, rule, count === 100 ? WARM_SNAPSHOTS : SNAPSHOTS)
    const plain = await measure(texts, rule, false)
    const { then } = await measure(texts, rule, true)
    const row = `verified, rule ${rule}, ${count} outputs`
    const [target, limit] = count === 100 ? ['<= 40 ms', 40] : ['reported: grows with the outputs', Infinity]
    add(row, 'processor ms', then.ms, plain.then.ms, 'plain', target, then.ms <= limit)
    if (count === 100) add(row, 'processor ms', then.ms, sum, 'the sum of its points by noble', 'reported', true)
    add(`the same: standstill`, 'ms', then.standstill, plain.then.standstill, 'plain', 'reported', true)
  }
  const lag = await longestLag()
  add(
    `verified, rule 2.4, 1,000 outputs, 5 snapshots a second: the longest wait of a snapshot`,
    'ms',
    lag,
    null,
    null,
    `<= ${MAX_LAG_MS} ms`,
    lag <= MAX_LAG_MS
  )
  return rows
}
