import { LayerBridge } from 'layer-sdk/bridge'
import { DevNode } from 'layer-sdk/devnode'
import type { DevNodeProfile } from 'layer-sdk/devnode'
import { buildDeposit, TxBuilder } from 'layer-sdk/tx'
import { ChainCliWallet } from 'layer-sdk/wallet'
import { codeOf } from '../../support/codeOf'

const TIMINGS = { blockMs: 2, depositDelayMs: 2, snapshotIntervalMs: 2 }
let node: DevNode
let bridge: LayerBridge
afterEach(async () => {
  await bridge.disconnect()
  await node.stop()
})

/** A connected bridge, and the first test key's wallet. */
async function start(profile: DevNodeProfile): Promise<{ alice: string; wallet: ChainCliWallet }> {
  node = new DevNode({ profile, timings: TIMINGS })
  bridge = new LayerBridge({ connector: node.connector() })
  await bridge.connect()
  const [{ address, skey }] = node.keys
  return { alice: address, wallet: new ChainCliWallet({ networkId: 0, skey }) }
}

async function submit(wallet: ChainCliWallet, draft: { cborHex: string }): Promise<void> {
  const finalized = bridge.waitFor('CommitFinalized', { timeout: 10_000 })
  await bridge.submitCardanoTransaction({ cborHex: await wallet.signTx(draft.cborHex), description: '' })
  await finalized
}

const onBase = (address: string): bigint =>
  node.baseUtxos(address).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)

describe.each<DevNodeProfile>(['2.0', '2.3', 'master'])('a deposit into a head of node %s', (profile) => {
  it('takes a part of an output: exactly the amount enters, and the rest returns to its owner', async () => {
    const { alice, wallet } = await start(profile)
    await bridge.commands.initSync()
    const before = onBase(alice)
    const blueprint = buildDeposit({
      utxos: node.baseUtxos(alice),
      to: alice,
      amount: 123_456_789n,
      changeAddress: alice
    })
    await submit(wallet, await bridge.commit(blueprint))
    expect(bridge.getAddressBalance(alice)).toEqual(new Map([['lovelace', 123_456_789n]]))
    expect((await bridge.queryAddressUTxO(alice)).map(({ input }) => input)).toEqual([
      { txHash: blueprint.txId, index: 0 }
    ])
    // The node pays the fee.
    expect(onBase(alice)).toBe(before - 123_456_789n)
  })

  it('takes a list of outputs as they are', async () => {
    const { alice, wallet } = await start(profile)
    await bridge.commands.initSync()
    const utxos = node.baseUtxos(alice).slice(0, 2)
    await submit(wallet, await bridge.commit(utxos))
    expect(new Set((await bridge.queryAddressUTxO(alice)).map(({ input }) => input))).toEqual(
      new Set(utxos.map(({ input }) => input))
    )
  })

  it('takes a blueprint without payments whole', async () => {
    const { alice, wallet } = await start(profile)
    await bridge.commands.initSync()
    const utxos = node.baseUtxos(alice).slice(0, 1)
    await submit(wallet, await bridge.commit(new TxBuilder().spend(utxos).blueprint()))
    expect(bridge.getAddressBalance(alice)?.get('lovelace')).toBe(1_000_000_000n)
  })
})

describe('a deposit with change', () => {
  it.each<[DevNodeProfile, string]>([
    ['0.22', 'which balances no blueprint'],
    ['1.3', 'while it initializes, which commits all that is spent']
  ])('is refused on node %s, %s', async (profile) => {
    const { alice } = await start(profile)
    const initializing = bridge.waitFor('HeadIsInitializing', { timeout: 10_000 })
    bridge.commands.init()
    await initializing
    const blueprint = buildDeposit({
      utxos: node.baseUtxos(alice),
      to: alice,
      amount: 5_000_000n,
      changeAddress: alice
    })
    expect(await codeOf(() => bridge.commit(blueprint))).toBe('BRIDGE_UNSUPPORTED_BY_NODE')
    expect(node.counters.requests['POST /commit'] ?? 0).toBe(0)
  })
})

describe('outputs to deposit', () => {
  it.each<[string, unknown]>([
    ['a list of none', [5]],
    ['a blueprint with none', { cborHex: '', description: '', utxo: [null] }],
    ['nothing', null]
  ])('are refused unless they are such: %s', async (_name, junk) => {
    await start('2.3')
    expect(await codeOf(() => bridge.commit(junk as never))).toMatch(/^(INPUT_|BRIDGE_PROTOCOL)/)
    expect(node.counters.requests['POST /commit'] ?? 0).toBe(0)
  })
})
