import { readFileSync } from 'node:fs'
import { assertDepositDraft, LayerBridge } from 'layer-sdk/bridge'
import { startDevNode } from 'layer-sdk/devnode'
import { RpcProvider } from 'layer-sdk/providers'
import { buildSweep, TxBuilder, txParametersFromProtocol } from 'layer-sdk/tx'
import { NETWORK_ID } from 'layer-sdk/utils'
import { AppWallet, ChainCliWallet } from 'layer-sdk/wallet'
import { makePayments } from './payments.mjs'
import { formatAda, shorten } from './terminal.mjs'

const ADA = 1_000_000n
const GENESIS = { alice: 5_000n * ADA, bob: 3_000n * ADA + 7n }
const STEP_TIMEOUT = 60_000

/**
 * Plays the whole story; every door it goes through is a public subpath of the package.
 * @param {object} options
 */
export async function runStory(options) {
  const { teller, signal } = options
  const cleanup = []
  try {
    const cast = options.url === undefined ? await castLocal(options, cleanup) : await castRemote(options)
    const bridge = new LayerBridge({ url: cast.url, autoReconnect: true })
    cleanup.push(() => bridge.disconnect())
    const timeline = watch(bridge)
    const stopped = new Promise((_, reject) => {
      const stop = () => reject(signal.reason)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
    stopped.catch(() => {})
    await Promise.race([play({ ...options, ...cast, bridge, timeline }), stopped])
  } finally {
    for (const undo of cleanup.reverse()) await undo()
  }
}

/** Two new wallets and a local head node whose simulated base ledger funds them. */
async function castLocal({ teller, port }, cleanup) {
  teller.title('layer-sdk demo: a payment channel on this machine, from phrase to fanout')
  const people = {}
  for (const name of ['alice', 'bob']) {
    const words = AppWallet.brew().split(' ')
    const wallet = await AppWallet.create({ networkId: NETWORK_ID.PREPROD, key: { type: 'mnemonic', words } })
    people[name] = { name, address: wallet.getPaymentAddress(), wallet }
    teller.step(`Wallet of ${name}`, `${words.length} words -> ${shorten(people[name].address)}`, {
      address: people[name].address
    })
  }
  const genesis = Object.entries(GENESIS).map(([name, lovelace]) => ({ address: people[name].address, lovelace }))
  const node = await startDevNode({ port, genesis, timings: { contestationPeriodMs: 1000 } })
  cleanup.push(() => node.stop())
  teller.step('Local head node', `${node.url} with a simulated base ledger`, { url: node.url })
  const { fetcher } = new RpcProvider({ apiEndpoint: node.rpcUrl, network: 'preprod' })
  return { url: node.url, people: Object.values(people), fetcher, closes: true, isLocal: true }
}

/** The owner of a key file, paying themselves in a head that somebody runs. */
async function castRemote({ teller, url, skey, rpc, close }) {
  teller.title(`layer-sdk demo: payments through the head node at ${new URL(url).host}`)
  const wallet = new ChainCliWallet({ networkId: NETWORK_ID.PREPROD, skey: readFileSync(skey, 'utf8') })
  const address = wallet.getAddressBech32()
  teller.step('Wallet', shorten(address), { address })
  const fetcher = rpc === undefined ? undefined : new RpcProvider({ apiEndpoint: rpc, network: 'preprod' }).fetcher
  return { url, people: [{ name: 'owner', address, wallet }], fetcher, closes: close, isLocal: false }
}

/** Remembers when the head said what. */
function watch(bridge) {
  const started = performance.now()
  const milestones = [
    'Greetings',
    'HeadIsOpen',
    'CommitRecorded',
    'CommitFinalized',
    'DecommitApproved',
    'DecommitFinalized',
    'HeadIsClosed',
    'ReadyToFanout',
    'HeadIsFinalized'
  ]
  const timeline = []
  for (const tag of milestones) bridge.events.on(tag, () => timeline.push({ tag, atMs: performance.now() - started }))
  return timeline
}

async function play(scene) {
  const { teller, bridge, people, fetcher } = scene
  await bridge.connect()
  const { headStatus } = await bridge.headInfo()
  teller.step('Connected', `the head is ${headStatus}`, { headStatus })
  const before = fetcher && (await onBaseLedger(fetcher, people))

  await openHead(scene, headStatus)
  const parameters = txParametersFromProtocol(await bridge.getProtocolParameters())
  for (const person of people) await bringFundsIn(scene, person)

  const paid = await makePayments({ ...scene, parameters })
  teller.step(
    `${paid.count} payments`,
    `${paid.perSecond.toFixed(0)} a second; from submit to snapshot ${paid.medianMs.toFixed(0)} ms in the middle, ${paid.p95Ms.toFixed(0)} ms at p95`,
    paid
  )
  const inHead = Object.fromEntries(
    people.map(({ name, address }) => [name, bridge.getAddressBalance(address)?.get('lovelace') ?? 0n])
  )

  if (!scene.closes) {
    teller.table(
      ['', 'in the head'],
      people.map(({ name }) => [name, `${formatAda(inHead[name])} ada`])
    )
    return teller.say('The head stays open; --close closes it.')
  }
  if (people.length > 1) await takeOut(scene, people[1], parameters)
  await closeHead(scene)
  if (fetcher === undefined)
    return teller.say('Closed and fanned out. Pass --rpc to compare the balances on the base ledger.')
  report({ ...scene, before, inHead, after: await onBaseLedger(fetcher, people) })
}

async function openHead({ teller, bridge }, headStatus) {
  if (headStatus !== 'Open') {
    if (headStatus !== 'Idle')
      throw new Error(`The head is ${headStatus}; this demo opens a head that is Idle or pays in one that is Open.`)
    await bridge.commands.initSync()
  }
  const { headId } = await bridge.headInfo()
  teller.step('Head open', shorten(String(headId)), { headId })
}

/** Deposits the largest output of the base ledger, unless the head holds funds of this address already. */
async function bringFundsIn({ teller, bridge, fetcher }, { name, address, wallet }) {
  if ((await bridge.queryAddressUTxO(address)).length > 0) return
  if (fetcher === undefined)
    throw new Error(`The head holds nothing of ${address}. Deposit first, or pass --rpc URL so that the demo can.`)
  const utxos = await fetcher.fetchAddressUTxOs(address)
  const amountOf = ({ output }) => BigInt(output.amount[0].quantity)
  const [largest] = utxos.sort((a, b) => (amountOf(a) < amountOf(b) ? 1 : -1))
  if (largest === undefined) throw new Error(`${address} holds nothing on the base ledger.`)
  const commit = { [`${largest.input.txHash}#${largest.input.index}`]: toNodeOutput(largest.output) }
  const draft = await bridge.commit(commit)
  assertDepositDraft(draft, { commit, headId: bridge.getSnapshot().headId, ownUtxos: utxos })
  const cborHex = await wallet.signTx(draft.cborHex, true)
  const finalized = bridge.waitFor('CommitFinalized', { timeout: STEP_TIMEOUT })
  await bridge.submitCardanoTransaction({ cborHex, description: '' })
  await finalized
  teller.step('Brought in', `${formatAda(amountOf(largest))} ada of ${name}`, {
    owner: name,
    lovelace: amountOf(largest)
  })
}

/** A plain output in the node's form. */
const toNodeOutput = ({ address, amount }) => ({ address, value: { lovelace: BigInt(amount[0].quantity) } })

/** One output leaves the head while it goes on. */
async function takeOut({ teller, bridge }, { name, address, wallet }, parameters) {
  const [utxo] = await bridge.queryAddressUTxO(address)
  const { cborHex, txId } = buildSweep({ utxos: [utxo], to: address, parameters })
  const finalized = bridge.waitFor('DecommitFinalized', { timeout: STEP_TIMEOUT })
  await bridge.commands.decommit({ cborHex: await wallet.signTx(cborHex), txId })
  await finalized
  const lovelace = BigInt(utxo.output.amount[0].quantity)
  teller.step('Taken out', `${formatAda(lovelace)} ada of ${name}, the head still open`, { owner: name, lovelace })
}

async function closeHead({ teller, bridge }) {
  const closed = bridge.waitFor('HeadIsClosed', { timeout: STEP_TIMEOUT })
  const ready = bridge.waitFor('ReadyToFanout')
  bridge.commands.close()
  const { snapshotNumber } = await closed
  teller.step('Closed', `with snapshot ${snapshotNumber}`, { snapshotNumber })
  await ready
  const finalized = bridge.waitFor('HeadIsFinalized', { timeout: STEP_TIMEOUT })
  bridge.commands.fanout()
  const { utxo } = await finalized
  teller.step('Fanned out', `${Object.keys(utxo).length} outputs back on the base ledger`, {
    outputs: Object.keys(utxo).length
  })
}

async function onBaseLedger(fetcher, people) {
  const balances = {}
  for (const { name, address } of people) {
    const utxos = await fetcher.fetchAddressUTxOs(address)
    balances[name] = utxos.reduce((sum, { output }) => sum + BigInt(output.amount[0].quantity), 0n)
  }
  return balances
}

/** The three balances, whether they add up, and what happened when. */
function report({ teller, people, before, inHead, after, timeline }) {
  const names = people.map(({ name }) => name)
  const total = (balances) => names.reduce((sum, name) => sum + balances[name], 0n)
  const row = (name, ...amounts) => [name, ...amounts.map((amount) => `${formatAda(amount)} ada`)]
  teller.table(
    ['', 'before', 'in the head', 'after'],
    [
      ...names.map((name) => row(name, before[name], inHead[name], after[name])),
      row('together', total(before), total(inHead), total(after))
    ]
  )
  if (total(before) !== total(after))
    throw new Error(`The balances do not add up: ${total(before)} lovelace before, ${total(after)} after.`)
  teller.say(`The balances add up to the last lovelace: ${total(after)} before and after.`, { lovelace: total(after) })
  teller.table(
    ['timeline', 'seconds'],
    timeline.map(({ tag, atMs }) => [tag, (atMs / 1000).toFixed(2)])
  )
  teller.say('Where to go next: docs/getting-started.md, or npx layer-sdk devnode for a local head node of your own.')
}
