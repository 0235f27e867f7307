// A foreign client of the node's API, @hydra-sdk/bridge unmodified, lives a head's life on every profile of the local
// head node.
import assert from 'node:assert/strict'
import { HydraBridge } from '@hydra-sdk/bridge'
import { WebSocket } from 'ws'
import { startDevNode } from '../../dist/devnode.js'
import { buildPayment, buildSweep } from '../../dist/tx.js'
import { ChainCliWallet } from '../../dist/wallet.js'

// It uses the runtime's own, which Node.js has from 22 on.
globalThis.WebSocket ??= WebSocket

const ADA = 1_000_000n
const PROFILES = ['0.22', '1.3', '2.0', '2.2', '2.3', '2.4', 'master']
const LIMIT_MS = 30_000
const timings = { blockMs: 5, depositDelayMs: 5, snapshotIntervalMs: 5, contestationPeriodMs: 500 }

/** UTxO as the node's API takes it. */
function utxoJson({ input, output }) {
  const lovelace = Number(output.amount[0].quantity)
  return { [`${input.txHash}#${input.index}`]: { address: output.address, value: { lovelace } } }
}

/** All that the client was told, and a wait for a message among it. */
function listen(bridge) {
  const told = []
  const waiting = new Set()
  bridge.events.on('onMessage', (message) => {
    told.push(message.tag)
    for (const look of [...waiting]) look()
  })
  const until = (tag) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${tag} among ${told.join(' ')}`)), LIMIT_MS)
      const look = () => {
        if (!told.includes(tag)) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  return { told, until }
}

async function live(profile) {
  const node = await startDevNode({ port: 0, rpcPort: null, profile, timings })
  const bridge = new HydraBridge({ url: node.url })
  try {
    const { told, until } = listen(bridge)
    await bridge.connect()
    await until('Greetings')
    assert.equal((await bridge.headInfo()).headStatus, 'Idle')
    const [alice, bob] = node.keys
    const wallet = new ChainCliWallet({ networkId: 0, skey: alice.skey })
    const sign = async (tx) => ({
      type: 'Witnessed Tx ConwayEra',
      description: '',
      cborHex: await wallet.signTx(tx.cborHex, true),
      txId: tx.txId
    })

    // Opens; before 2.0 by a commit, from then on a deposit brings money in.
    bridge.commands.init()
    const before = ['0.22', '1.3'].includes(profile)
    await until(before ? 'HeadIsInitializing' : 'HeadIsOpen')
    const draft = await bridge.commit(utxoJson(node.baseUtxos(alice.address)[0]))
    const submitted = await bridge.submitCardanoTransaction(await sign(draft))
    assert.equal(submitted.tag, 'TransactionSubmitted')
    await until(before ? 'HeadIsOpen' : 'CommitFinalized')
    assert.equal((await bridge.headInfo()).headStatus, 'Open')

    // Pays, and is refused the second time.
    const [utxo] = node.headUtxos(alice.address)
    const payment = await sign(
      buildPayment({ utxos: [utxo], to: bob.address, amount: 3n * ADA, changeAddress: alice.address })
    )
    assert.equal((await bridge.submitTxSync(payment)).isConfirmed, true)
    await assert.rejects(bridge.submitTxSync(payment), ({ tag }) => tag === 'TxInvalid')
    const shown = await bridge.querySnapshotUtxo()
    assert.deepEqual(
      Object.values(shown)
        .map(({ value }) => value.lovelace)
        .sort(),
      [3_000_000, 997_000_000]
    )
    assert.deepEqual((await bridge.addressesInHead()).sort(), [alice.address, bob.address].sort())

    // Takes everything of alice's out, closes, and fans the rest out.
    const leaving = await sign(buildSweep({ utxos: node.headUtxos(alice.address), to: alice.address }))
    await bridge.commands.decommit(leaving)
    await until('DecommitFinalized')
    bridge.commands.close()
    await until('ReadyToFanout')
    bridge.commands.fanout()
    await until('HeadIsFinalized')
    assert.equal(node.headStatus, 'Idle')
    const held = node.baseUtxos().reduce((sum, { output }) => sum + BigInt(output.amount[0].quantity), 0n)
    assert.ok(held > 0n && told.includes('HeadIsClosed'))
    assert.ok(node.baseUtxos(bob.address).some(({ output }) => output.amount[0].quantity === '3000000'))
  } finally {
    await bridge.disconnect()
    await node.stop()
  }
}

export async function headLifeTests(test) {
  for (const profile of PROFILES)
    await test('@hydra-sdk/bridge', `lives a head's life on profile ${profile}`, () => live(profile))
}
