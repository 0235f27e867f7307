// One measurement of the local head node, in a process of its own; prints its result as JSON.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevNode, manualClock, startDevNode } from 'layer-sdk/devnode'
import { TxBuilder } from 'layer-sdk/tx'
import { ChainCliWallet } from 'layer-sdk/wallet'

const parameters = { maxTxSize: 10_000_000 }
const OPTIONS = { protocolParameters: { utxoCostPerByte: 0, maxTxSize: 10_000_000 }, accounts: 0 }
/** Outputs that one transaction of the preparation makes. */
const FAN = 1_000
const BATCH = 100

/** A node whose head holds so many outputs of alice, opened and filled through its API alone. */
async function filledHead(outputs, { profile = '2.0', clock = manualClock() } = {}) {
  const node = new DevNode({
    ...OPTIONS,
    profile,
    clock,
    timings: { blockMs: 1, depositDelayMs: 1, snapshotIntervalMs: 1, snapshotSize: BATCH }
  })
  const [alice] = node.keys
  const wallet = new ChainCliWallet({ networkId: 0, skey: alice.skey })
  const client = node.open('snapshot-utxo=no', { send() {}, close() {} })
  const send = (input) => node.receive(client, JSON.stringify(input))
  send({ tag: 'Init' })
  clock.advance(10)
  const [utxo] = node.fund(alice.address, BigInt(outputs) * 2_000_000n)
  const { input, output } = utxo
  const body = JSON.stringify({
    [`${input.txHash}#${input.index}`]: {
      address: output.address,
      value: { lovelace: Number(output.amount[0].quantity) }
    }
  })
  const draft = JSON.parse((await node.request({ method: 'POST', path: '/commit', body })).body)
  await node.submitBaseTx(await wallet.signTx(draft.cborHex, true))
  clock.advance(1_000)
  let [left] = node.headUtxos(alice.address)
  const pay = async (builder) => {
    const { cborHex, txId } = builder.changeTo(alice.address).build()
    const transaction = { cborHex: await wallet.signTx(cborHex, true), txId, type: 'Tx ConwayEra', description: '' }
    return { transaction, txId }
  }
  for (let made = 1; made < outputs;) {
    const count = Math.min(FAN, outputs - made)
    const builder = new TxBuilder(parameters).spend([left])
    for (let i = 0; i < count; i++) builder.pay(alice.address, 1_000_000n)
    const { transaction, txId } = await pay(builder)
    send({ tag: 'NewTx', transaction })
    const change = BigInt(left.output.amount[0].quantity) - BigInt(count) * 1_000_000n
    left = {
      input: { txHash: txId, index: count },
      output: { address: alice.address, amount: [{ unit: 'lovelace', quantity: String(change) }] }
    }
    made += count
    clock.advance(10)
  }
  return { node, clock, send, pay, alice }
}

/** Payments that spend outputs spread over the head, signed beforehand. */
async function signedPayments({ node, pay, alice }, count) {
  const utxos = node.headUtxos(alice.address).filter(({ output }) => output.amount[0].quantity === '1000000')
  const step = Math.max(1, Math.floor(utxos.length / count))
  const payments = []
  for (let i = 0; i < count; i++) {
    payments.push(
      JSON.stringify({
        tag: 'NewTx',
        transaction: (await pay(new TxBuilder(parameters).spend([utxos[i * step]]))).transaction
      })
    )
  }
  return payments
}

/** Payments a second, in batches of a snapshot each. */
async function paymentsInHead(outputs, profile) {
  // A small head is filled by one transaction: the code of both is as warm as that of the other.
  await batches(await filledHead(2_000, { profile }), 1_000)
  const times = await batches(await filledHead(outputs, { profile }), Math.min(1_000, outputs - 10))
  return { perSecond: 1000 / times[times.length >> 1] }
}

/** Milliseconds for each payment of each batch, the shortest first. */
async function batches(head, count) {
  const { node, clock } = head
  const client = node.open('snapshot-utxo=no', { send() {}, close() {} })
  const payments = await signedPayments(head, count)
  const times = []
  for (let i = 0; i < payments.length; i += BATCH) {
    const startedAt = performance.now()
    for (const text of payments.slice(i, i + BATCH)) node.receive(client, text)
    clock.advance(2)
    times.push((performance.now() - startedAt) / BATCH)
  }
  times.sort((a, b) => a - b)
  await node.stop()
  return times
}

/** Bytes that a node with so many outputs in its head holds. */
async function heapOf(outputs) {
  const { node } = await filledHead(outputs, { profile: '2.3' })
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    global.gc()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { bytes: heapUsed + arrayBuffers, status: node.headStatus }
}

/** Payments a second over a WebSocket, from the first NewTx to the last SnapshotConfirmed. */
async function paymentsOverSocket(options = {}) {
  const { WebSocket } = await import('ws')
  const node = await startDevNode({
    ...OPTIONS,
    port: 0,
    rpcPort: null,
    testKeys: ['alice'],
    timings: { blockMs: 1, depositDelayMs: 1, snapshotIntervalMs: 1 },
    ...options
  })
  const head = await openForSockets(node)
  const payments = await signedPayments(head, 1_000)
  const socket = new WebSocket(`${node.url}/?history=no&snapshot-utxo=no`)
  await new Promise((resolve) => socket.once('open', resolve))
  let confirmed = 0
  const startedAt = performance.now()
  const done = new Promise((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(data)
      if (message.tag === 'SnapshotConfirmed') confirmed += message.snapshot.confirmed.length
      if (confirmed >= payments.length) resolve()
    })
  })
  for (const text of payments) socket.send(text)
  await done
  const perSecond = payments.length / ((performance.now() - startedAt) / 1000)
  socket.terminate()
  await node.stop()
  return { perSecond }
}

/** The same with all of it kept in a file. */
async function paymentsWithState() {
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-bench-'))
  try {
    return await paymentsOverSocket({ state: join(folder, 'head.state') })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The same head on the system's clock. */
async function openForSockets(node) {
  const [alice] = node.keys
  const wallet = new ChainCliWallet({ networkId: 0, skey: alice.skey })
  const client = node.open('snapshot-utxo=no', { send() {}, close() {} })
  const send = (input) => node.receive(client, JSON.stringify(input))
  const until = async (holds) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  send({ tag: 'Init' })
  await until(() => node.headStatus === 'Open')
  const [{ input, output }] = node.fund(alice.address, 4_000_000_000n)
  const body = JSON.stringify({
    [`${input.txHash}#${input.index}`]: { address: output.address, value: { lovelace: 4_000_000_000 } }
  })
  const draft = JSON.parse((await node.request({ method: 'POST', path: '/commit', body })).body)
  await node.submitBaseTx(await wallet.signTx(draft.cborHex, true))
  await until(() => node.headUtxos(alice.address).length === 1)
  const pay = async (builder) => {
    const { cborHex, txId } = builder.changeTo(alice.address).build()
    return {
      transaction: { cborHex: await wallet.signTx(cborHex, true), txId, type: 'Tx ConwayEra', description: '' },
      txId
    }
  }
  const builder = new TxBuilder(parameters).spend(node.headUtxos(alice.address))
  for (let i = 0; i < 1_100; i++) builder.pay(alice.address, 1_000_000n)
  send({ tag: 'NewTx', transaction: (await pay(builder)).transaction })
  await until(() => node.headUtxos(alice.address).length > 1_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  return { node, pay, alice }
}

/** Messages a second to 500 clients in the same process. */
async function messagesToClients() {
  const head = await filledHead(1_000, { profile: '2.3' })
  const { node, clock } = head
  let received = 0
  for (let i = 0; i < 500; i++) node.open('history=no', { send: () => received++, close() {} })
  const client = node.open('snapshot-utxo=no', { send() {}, close() {} })
  const payments = await signedPayments(head, 600)
  const times = []
  for (let i = 0; i < payments.length; i += BATCH) {
    const before = received
    const startedAt = performance.now()
    for (const text of payments.slice(i, i + BATCH)) node.receive(client, text)
    clock.advance(2)
    times.push((performance.now() - startedAt) / (received - before))
  }
  times.sort((a, b) => a - b)
  return { perSecond: 1000 / times[times.length >> 1] }
}

/** How long a node takes to start with 100,000 outputs, and JSON.parse with their text. */
async function load() {
  const address = new DevNode({ clock: manualClock(), accounts: 0 }).keys[0].address
  const output = (i) => ({
    address,
    datum: null,
    datumhash: null,
    inlineDatum: null,
    inlineDatumRaw: null,
    referenceScript: null,
    value: { lovelace: 2_000_000 + i }
  })
  const text = JSON.stringify(
    Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`${i.toString(16).padStart(64, '0')}#0`, output(i)]))
  )
  const timed = (work) => {
    const startedAt = performance.now()
    const result = work()
    return { ms: performance.now() - startedAt, result }
  }
  const rounds = []
  for (let round = 0; round < 5; round++) {
    const parse = timed(() => JSON.parse(text)).ms
    const { ms, result } = timed(() => new DevNode({ clock: manualClock(), accounts: 0, genesis: [JSON.parse(text)] }))
    await result.stop()
    rounds.push({ parse, ms })
  }
  const median = (key) => rounds.map((round) => round[key]).sort((a, b) => a - b)[rounds.length >> 1]
  return { ms: median('ms'), parse: median('parse') }
}

const WORKS = {
  load,
  small: () => paymentsInHead(1_000, '2.0'),
  large: () => paymentsInHead(100_000, '2.0'),
  process: () => paymentsInHead(1_100, '2.3'),
  socket: () => paymentsOverSocket(),
  state: paymentsWithState,
  heap: () => heapOf(Number(process.argv[3])),
  clients: messagesToClients
}
const result = await WORKS[process.argv[2]]()
console.log(JSON.stringify(result))
process.exit(0)
