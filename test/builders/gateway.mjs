// Another client of gateways, unmodified, through ours: it joins, reads, pays, deposits, takes money out, and comes
// back after the gateway was gone.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { utxoToJson } from '../../dist/bridge.js'
import { createGateway } from '../../dist/gateway.js'
import { buildPayment, TxBuilder } from '../../dist/tx.js'
import { ensureInstalled } from '../../scripts/ensure-installed.mjs'
import { ROOT } from '../../scripts/entries.mjs'
import { ADA, openHead } from './head.mjs'

// The version that the benchmarks compare with.
const BENCH = join(ROOT, 'bench')
ensureInstalled(BENCH)
const { HexcoreConnector, HydraBridge } = createRequire(join(BENCH, 'package.json'))('@hydra-sdk/bridge')

const CLIENT = '@hydra-sdk/bridge 1.3.1'
const WITHIN_MS = 60_000
const TYPE = 'Witnessed Tx ConwayEra'

async function until(what, check) {
  for (const ends = Date.now() + WITHIN_MS; !(await check());) {
    assert.ok(Date.now() < ends, `not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function gatewayTests(test) {
  const head = await openHead({ snapshotIntervalMs: 20 })
  // It sends no token over HTTP, so the operator lets everybody read and pay.
  const start = async (port) => {
    const gateway = await createGateway({
      port,
      heads: ['/', '/games'].map((path) => ({ path, upstream: head.node.url })),
      auth: { secret: 'a secret of at least thirty-two bytes', algorithms: ['HS256'] },
      anonymous: ['read', 'submit'],
      limits: { commandsPerSecond: 1_000, commandBurst: 1_000 }
    })
    await until('the gateway is ready', async () => (await fetch(`${gateway.url}/health/ready`)).status === 200)
    return gateway
  }
  let gateway = await start(0)
  const restart = async () => {
    const port = Number(new URL(gateway.url).port)
    await gateway.stop()
    gateway = await start(port)
  }
  try {
    for (const path of ['/', '/games'])
      await flow({ test: (what, run) => test(CLIENT, `${path}: ${what}`, run), url: gateway.url + path, head, restart })
  } finally {
    await gateway.stop()
    await head.stop()
  }
}

async function flow({ test, url, head, restart }) {
  const { client, bob, alice, node, wallet } = head
  const bridge = new HydraBridge({ connector: new HexcoreConnector(url) })
  const messages = []
  bridge.events.on('onMessage', (payload) => messages.push(payload))
  const came = (what, matches) => until(what, () => messages.some(matches))
  const balance = (address) => bridge.getAddressBalance(address)?.get('lovelace') ?? 0n
  const agrees = () =>
    until('its balances are those of the node', () =>
      [alice, bob].every((address) => balance(address) === (client.getBalance({ address })?.confirmed.lovelace ?? 0n))
    )
  const sign = async ({ cborHex, txId }) => ({
    type: TYPE,
    description: '',
    cborHex: await wallet.signTx(cborHex),
    txId
  })
  const payment = (lovelace) =>
    sign(buildPayment({ utxos: client.bridge.getAddressUTxOs(alice), to: bob, amount: lovelace, changeAddress: alice }))

  await test('joins, is greeted, and has the balances of the head', async () => {
    assert.equal(await bridge.connect(), true)
    await came('Greetings', ({ tag, headStatus }) => tag === 'Greetings' && headStatus === 'Open')
    await agrees()
    assert.ok(balance(alice) > 0n)
    assert.ok(Number.isFinite(bridge.slotZeroTimestamp))
  })
  await test('reads the status, the parameters and the outputs', async () => {
    const { headId, headStatus } = await bridge.headInfo()
    assert.deepEqual([headId, headStatus], [client.status().headId, 'Open'])
    assert.ok((await bridge.getProtocolParameters()).maxTxSize > 0)
    assert.ok((await bridge.addressesInHead()).includes(alice))
    const keys = (await bridge.queryAddressUTxO(alice)).map(({ input }) => input.txHash)
    assert.deepEqual(
      keys.sort(),
      client.bridge
        .getAddressUTxOs(alice)
        .map(({ input }) => input.txHash)
        .sort()
    )
    assert.equal(Object.keys(await bridge.querySnapshotUtxo()).length, client.bridge.snapshotUtxoArray().length)
  })
  let spent
  await test('submits over HTTP, and gets the snapshot that holds it', async () => {
    spent = await payment(2n * ADA)
    const { isConfirmed, result } = await bridge.submitTxSync(spent)
    assert.equal(isConfirmed, true)
    assert.deepEqual(
      result.snapshot.confirmed.map(({ txId }) => txId),
      [spent.txId]
    )
    await agrees()
  })
  await test('submits over its socket, and hears of the verdict and of the snapshot', async () => {
    const { cborHex, txId } = await payment(3n * ADA)
    bridge.commands.newTx(cborHex)
    await came('TxValid', (payload) => payload.tag === 'TxValid' && payload.transactionId === txId)
    await came(
      'the snapshot',
      ({ tag, snapshot }) => tag === 'SnapshotConfirmed' && snapshot.confirmed.some((each) => each.txId === txId)
    )
    await agrees()
  })
  await test('is refused what spends an output twice, and what its tokens do not allow', async () => {
    const [{ input, output }] = client.bridge.getAddressUTxOs(alice)
    const gone = { input: { txHash: 'ab'.repeat(32), index: input.index }, output }
    const wrong = await sign(new TxBuilder().spend([gone]).changeTo(alice).build())
    await assert.rejects(bridge.submitTxSync(wrong), /409/)
    const refused = await new Promise((resolve) => bridge.submitTx(wrong, (error) => resolve(error)))
    assert.equal(refused.txId, wrong.txId)
    const before = messages.length
    bridge.commands.close()
    await until('the refusal', () =>
      messages.slice(before).some(({ tag, reason }) => tag === 'InvalidInput' && reason === 'forbidden')
    )
    assert.equal(client.status().headStatus, 'Open')
  })
  await test('deposits what it drafts through the gateway', async () => {
    const before = balance(alice)
    const [utxo] = node.baseUtxos(alice)
    const lovelace = BigInt(utxo.output.amount.find(({ unit }) => unit === 'lovelace').quantity)
    const draft = await bridge.commit(utxoToJson([utxo]))
    const cborHex = await wallet.signTx(draft.cborHex)
    assert.equal(
      (await bridge.submitCardanoTransaction({ type: TYPE, description: '', cborHex })).tag,
      'TransactionSubmitted'
    )
    await came('CommitFinalized', ({ tag }) => tag === 'CommitFinalized')
    // Of a snapshot it reads the confirmed outputs alone, among which the deposit is from the next one on.
    await bridge.submitTxSync(await payment(ADA))
    await until('the deposit is in its balance', () => balance(alice) === before + lovelace - ADA)
    await agrees()
  })
  await test('takes an output out of the head', async () => {
    // All but one of its outputs stay, so that there is something left to pay with.
    const { cborHex, txId } = await sign(
      new TxBuilder().spend(client.bridge.getAddressUTxOs(alice).slice(0, 1)).changeTo(alice).build()
    )
    assert.equal((await bridge.commands.decommit({ cborHex, txId })).decommitTxId, txId)
    await came('DecommitFinalized', ({ tag }) => tag === 'DecommitFinalized')
    await agrees()
  })
  await test('comes back by itself when the gateway does, with the balances of then', async () => {
    const before = messages.length
    await restart()
    await until('it is greeted again', () => messages.slice(before).some(({ tag }) => tag === 'Greetings'))
    const tx = await payment(1n * ADA)
    const { txId } = tx
    assert.equal((await bridge.submitTxSync(tx)).isConfirmed, true)
    await came(
      'the snapshot',
      ({ tag, snapshot }) => tag === 'SnapshotConfirmed' && snapshot.confirmed.some((each) => each.txId === txId)
    )
    await agrees()
  })
  await test('sees each snapshot once, in their order', () => {
    const numbers = messages.filter(({ tag }) => tag === 'SnapshotConfirmed').map(({ snapshot }) => snapshot.number)
    assert.ok(numbers.length >= 4)
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b)
    )
  })
  await bridge.disconnect()
}
