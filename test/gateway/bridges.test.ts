import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import { createGateway } from 'layer-sdk/gateway'
import type { Gateway } from 'layer-sdk/gateway'
import { startHead } from '../support/openHead'
import type { Head } from '../support/openHead'
import { join, ready, until } from './support'

describe('bridges and other clients through a gateway of two heads', () => {
  let games: Head
  let shop: Head
  let gateway: Gateway
  const bridges: LayerBridge[] = []
  beforeAll(async () => {
    games = await startHead()
    shop = await startHead({ node: { seed: 'shop' } })
    const heads = [
      { path: '/games', upstream: games.node.url },
      { path: '/shop', upstream: shop.node.url }
    ]
    gateway = await createGateway({ port: 0, heads, limits: { commandsPerSecond: 1_000, commandBurst: 1_000 } })
    await ready(gateway)
  })
  afterAll(async () => {
    for (const bridge of bridges) await bridge.disconnect()
    await gateway.stop()
    await games.stop()
    await shop.stop()
  })

  const bridgeOf = async (options: object): Promise<LayerBridge> => {
    const bridge = new LayerBridge({
      connector: new GatewayConnector(`${gateway.url}/games`, options),
      autoReconnect: true,
      reconnectInterval: 20
    })
    bridges.push(bridge)
    await bridge.connect()
    return bridge
  }

  it.each([
    ['plain', {}],
    ['delta', { mode: 'delta' }],
    ['full', { mode: 'full' }],
    ['address', { mode: 'address' }],
    ['plain, by polling', { socketIoOptions: { transports: ['polling'] } }]
  ])('pays and has the balance of the head, with a bridge of mode %s', async (_, options) => {
    const address = games.wallets[0]!.getAddressBech32()
    const bridge = await bridgeOf(
      'mode' in options && options.mode === 'address' ? { ...options, addresses: [address] } : options
    )
    for (let i = 0; i < 3; i++) {
      const tx = await games.payment(games.wallets[1]!.getAddressBech32(), 1_000_000n + BigInt(i))
      expect(await bridge.submitTxSync(tx)).toMatchObject({ isConfirmed: true })
      await until('the direct bridge has it too', () => games.bridge.lastSnapshotNumber >= bridge.lastSnapshotNumber)
    }
    const tx = await games.payment(games.wallets[1]!.getAddressBech32(), 1_500_000n)
    expect(await bridge.submitL2Tx(tx)).toMatchObject({ tag: 'SubmitTxConfirmed' })
    await until(
      'the balances are equal',
      () => String([...bridge.getAddressBalance(address)!]) === String([...games.bridge.getAddressBalance(address)!])
    )
  })

  it('keeps the heads apart', async () => {
    const client = await join(`${gateway.url}/shop/hydra`, { mode: 'delta' })
    const other = await join(`${gateway.url}/games/hydra`, { mode: 'delta' })
    expect((await client.tagged('GatewaySnapshot')).headId).toBe((await shop.bridge.headInfo()).headId)
    expect((await other.tagged('GatewaySnapshot')).headId).toBe((await games.bridge.headInfo()).headId)
    await games.bridge.submitTxSync(await games.payment(games.wallets[1]!.getAddressBech32(), 2_000_000n))
    await other.tagged('SnapshotConfirmed')
    expect(client.events.map(({ data }) => data.tag)).toEqual(['Greetings', 'GatewaySnapshot'])
    client.socket.disconnect()
    other.socket.disconnect()
  })

  it('serves the namespace that the other client makes of a path, by polling and without a token, as it emits and reads', async () => {
    const client = await join(`${gateway.url}/gameshydra`, {}, { transports: ['polling', 'websocket'] })
    const greetings = await client.tagged('Greetings')
    expect(greetings).toMatchObject({
      headStatus: 'Open',
      hydraHeadId: expect.any(String),
      snapshotUtxo: expect.any(Object)
    })
    const transaction = await games.payment(games.wallets[1]!.getAddressBech32(), 2_100_000n)
    client.send({ command: 'send_command', data: { tag: 'NewTx', transaction } })
    const message = await client.tagged('SnapshotConfirmed')
    expect(message.snapshot.confirmed.map(({ txId }: { txId: string }) => txId)).toEqual([transaction.txId])
    expect(Object.keys(message.snapshot.utxo)).toContain(`${transaction.txId}#0`)
    expect((await fetch(`${gateway.url}/gameshydra/protocol-parameters`)).status).toBe(200)
    client.socket.disconnect()
  })

  it('refuses heads whose namespaces clash', async () => {
    const upstream = 'ws://127.0.0.1:1'
    const heads = [
      { path: '/a', upstream },
      { path: '/a', upstream }
    ]
    await expect(createGateway({ port: 0, heads })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT', argument: 'heads' })
    for (const path of ['games', '/games/', '/a/../b', '/a%20b', '/a b', '']) {
      await expect(createGateway({ port: 0, heads: [{ path, upstream }] })).rejects.toMatchObject({
        code: 'INPUT_ARGUMENT',
        argument: 'heads.path'
      })
    }
  })
})
