import { join, serve } from './support'
import type { Served } from './support'

describe('a gateway in one process, with clients as any gateway has them', () => {
  let served: Served
  beforeAll(async () => {
    served = await serve()
  })
  afterAll(() => served.stop())

  it('greets a bridge with the outputs of the head, and the balance is the head’s own', async () => {
    const { head, address } = served
    const bridge = await served.bridge()
    expect(bridge.headStatus).toBe('Open')
    await bridge.querySnapshotUtxo()
    expect(bridge.getAddressBalance(address)).toEqual(head.bridge.getAddressBalance(address))
  })

  it('carries a payment, and its snapshot to everybody', async () => {
    const { head, address } = served
    const [payer, watcher] = [await served.bridge(), await served.bridge()]
    const seen = watcher.waitFor('SnapshotConfirmed', { timeout: 10_000 })
    const tx = await head.payment(head.wallets[1]!.getAddressBech32(), 2_000_000n)
    expect(await payer.submitTxSync(tx)).toMatchObject({ isConfirmed: true })
    expect((await seen).snapshot.confirmed.map(({ txId }) => txId)).toEqual([tx.txId])
    expect(watcher.getAddressBalance(address)).toEqual(head.bridge.getAddressBalance(address))
  })

  it('answers the routes of the head under both spellings of its namespace', async () => {
    const { gateway, head } = served
    for (const path of [
      '/hydra/snapshot/utxo',
      '/hydra/head',
      '/hydra/protocol-parameters',
      '/hydra/snapshot',
      '/hydra/snapshot/last-seen'
    ]) {
      const response = await fetch(gateway.url + path)
      expect([path, response.status]).toEqual([path, 200])
      expect(await response.json()).toMatchObject({ status: 'success', data: expect.anything() })
    }
    const { data } = (await (await fetch(`${gateway.url}/hydra/snapshot/utxo`)).json()) as { data: object }
    expect(Object.keys(data).sort()).toEqual(Object.keys(await head.bridge.querySnapshotUtxo()).sort())
  })

  it('takes a transaction over HTTP and answers with the snapshot that holds it; again: the same answer, and nothing is sent twice', async () => {
    const { gateway, head } = served
    const tx = await head.payment(head.wallets[1]!.getAddressBech32(), 3_000_000n)
    const post = async (): Promise<any> => {
      const body = JSON.stringify({ type: tx.type, description: '', cborHex: tx.cborHex, txId: tx.txId })
      const response = await fetch(`${gateway.url}/hydra/submit-tx`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body
      })
      return { status: response.status, ...((await response.json()) as object) }
    }
    const first = await post()
    expect(first).toMatchObject({ status: 'success', data: { tag: 'SnapshotConfirmed' } })
    expect(first.data.snapshot.confirmed.map((each: { txId: string }) => each.txId)).toContain(tx.txId)
    expect(await post()).toEqual(first)
  })

  it('refuses what closes the head, what it does not know, and an id that is not of the bytes, and sends none of it', async () => {
    const { gateway, head } = served
    const client = await join(`${gateway.url}/hydra`)
    expect(await client.ask({ command: 'send_command', data: { tag: 'Close' } })).toEqual({
      accepted: false,
      reason: 'forbidden'
    })
    expect(await client.ask({ command: 'send_command', data: { tag: 'Nope' } })).toEqual({
      accepted: false,
      reason: 'unknown tag'
    })
    const tx = await head.payment(head.wallets[1]!.getAddressBech32(), 2_000_000n)
    const forged = { tag: 'NewTx', transaction: { ...tx, txId: '00'.repeat(32) } }
    expect(await client.ask({ command: 'send_command', data: forged })).toMatchObject({ accepted: false })
    expect(client.events.filter(({ status }) => status === 'fail')).toHaveLength(3)
    expect(head.bridge.headStatus).toBe('Open')
    client.socket.disconnect()
  })
})
