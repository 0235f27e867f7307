// The bridge in a process that goes on with its work: how long the loop stands still, given a text and over a socket.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundles, load } from './support/bundle.mjs'
import { HEAD_ID, later, makeHead, snapshotText } from './support/head.mjs'
import { median, watchStandstill } from './support/standstill.mjs'

const OUTPUTS = 100_000
const ROUNDS = 7
const settle = () => globalThis.gc?.()
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A bridge whose messages are handed over as text, without a socket. */
async function withoutSocket(Bridge) {
  let listener
  const connector = {
    capabilities: { history: false, allRoutes: true, filtered: false },
    open(given) {
      listener = given
      queueMicrotask(() => {
        given.onOpen()
        given.onMessage(
          JSON.stringify({
            tag: 'Greetings',
            me: { vkey: '00' },
            headStatus: 'Open',
            hydraHeadId: HEAD_ID,
            hydraNodeVersion: '2.3.0'
          })
        )
      })
      return { send() {}, async close() {} }
    },
    request: async () => ({ status: 404, text: '""' })
  }
  const bridge = new Bridge({ connector })
  await bridge.connect()
  return { bridge, say: (text) => listener.onMessage(text) }
}

/** Longest standstill from handing over a message to its balances, ms. */
async function standstill(bridge, number, addresses, send) {
  settle()
  await turn()
  const applied = new Promise((resolve) => {
    const off = bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
      if (snapshot.number !== number) return
      for (const address of addresses) bridge.getAddressBalance(address)
      off?.()
      resolve()
    })
  })
  const stop = watchStandstill()
  await turn()
  send()
  await applied
  await turn()
  return stop()
}

/** Texts of one head: the first snapshot, one with 1 % changed, one with ten changes. */
function threeTexts() {
  const head = makeHead(OUTPUTS)
  const second = later(head, OUTPUTS / 100)
  const texts = [
    snapshotText(1, head.outputs),
    snapshotText(2, second.outputs),
    snapshotText(3, later(second, 10).outputs)
  ]
  return { addresses: head.addresses, texts }
}

async function startServer() {
  const server = fork(fileURLToPath(new URL('./support/liveServer.mjs', import.meta.url)), { execArgv: [] })
  const { port } = await new Promise((resolve) => server.once('message', resolve))
  return { url: `ws://127.0.0.1:${port}`, send: (file) => server.send(file), stop: () => server.kill() }
}

export async function run() {
  const { addresses, texts } = threeTexts()
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-live-'))
  const files = texts.map((text, n) => {
    const file = join(folder, `${n}.json`)
    writeFileSync(file, text)
    return file
  })
  const built = await bundles()
  const server = await startServer()
  const { LayerBridge } = await load(built.ours, 'bridge')
  const first = built.first === null ? null : (await load(built.first, 'bridge')).LayerBridge
  const times = { parse: [], text: [[], [], []], socket: [[], [], []], oldSocket: [[], [], []] }
  try {
    for (let round = -1; round < ROUNDS; round++) {
      settle()
      const start = performance.now()
      JSON.parse(texts[1])
      const parse = performance.now() - start
      const given = await withoutSocket(LayerBridge)
      const rounds = { parse, text: [], socket: [], oldSocket: [] }
      for (const [n, text] of texts.entries())
        rounds.text.push(await standstill(given.bridge, n + 1, addresses, () => given.say(text)))
      await given.bridge.disconnect()
      for (const [name, Bridge] of [['socket', LayerBridge], ...(first === null ? [] : [['oldSocket', first]])]) {
        const bridge = new Bridge({ url: server.url })
        await bridge.connect()
        for (const [n, file] of files.entries())
          rounds[name].push(await standstill(bridge, n + 1, addresses, () => server.send(file)))
        await bridge.disconnect()
      }
      if (round < 0) continue
      times.parse.push(rounds.parse)
      for (const name of ['text', 'socket', 'oldSocket']) rounds[name].forEach((ms, n) => times[name][n].push(ms))
    }
  } finally {
    server.stop()
    built.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  const parse = median(times.parse)
  const row = (name, list, most) => {
    const ours = median(list)
    return {
      name,
      unit: 'ms',
      ours,
      rival: parse,
      rivalName: 'JSON.parse of the text',
      ratio: ours / parse,
      target: `<= ${most} x`,
      pass: ours <= most * parse
    }
  }
  /** One frame of a page at 60 a second. */
  const frame = (name, list) => ({ ...row(name, list, 0), target: '<= 16 ms', pass: median(list) <= 16 })
  const old = (name, n) => {
    const [ours, rival] = [median(times.socket[n]), median(times.oldSocket[n])]
    return {
      name,
      unit: 'ms',
      ours,
      rival,
      rivalName: 'layer-sdk 0.1.0',
      ratio: ours / rival,
      target: '<= 1 x',
      pass: ours <= rival
    }
  }
  return [
    frame('Longest standstill, first snapshot of 100,000 outputs, given its text', times.text[0]),
    row('Longest standstill, first snapshot of 100,000 outputs, over a socket', times.socket[0], 0.4),
    row('Longest standstill, 1 % of 100,000 outputs changed, given the text', times.text[1], 0.35),
    row('Longest standstill, 1 % of 100,000 outputs changed, over a socket', times.socket[1], 0.6),
    row('Longest standstill, 10 of 100,000 outputs changed, over a socket', times.socket[2], 0.5),
    ...(first === null
      ? []
      : [
          old('The first snapshot over a socket', 0),
          old('1 % changed, over a socket', 1),
          old('10 outputs changed, over a socket', 2)
        ])
  ]
}
