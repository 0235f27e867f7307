import { LayerBridge } from '../../src/bridge/index.js'
import type { Wallet } from '../../src/types/wallet.js'
import { createHeadClient } from '../../src/client/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
afterEach(async () => {
  jest.restoreAllMocks()
  jest.useRealTimers()
  await head.stop()
})

const tick = (ms = 20): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

it('hands out copies: what a caller does to them changes no payment', async () => {
  head = await startClientHead({ deposit: 20n * ADA })
  const client = await head.client(0)
  const to = head.wallets[1]!.getAddressBech32()
  head.node.faults.holdSnapshots = true
  await client.pay({ to, amount: ADA, wait: 'valid' })
  for (const view of ['pending', 'confirmed'] as const)
    for (const { input, output } of client.getUtxos({ view })!) {
      Object.assign(input, { txHash: 'ff'.repeat(32), index: 9 })
      Object.assign(output.amount[0]!, { quantity: '1' })
      output.address = to
    }
  expect(client.getBalance()!.pending.lovelace).toBe(19n * ADA)
  head.node.faults.holdSnapshots = false
  await client.pay({ to, amount: 18n * ADA })
  expect(client.getBalance()!.confirmed.lovelace).toBe(ADA)
})

it('takes no broken node for one without anything to recover: the error is told after the other deposits were tried', async () => {
  // From 2.4 on the deadline counts from the activation, which never comes here.
  head = await startClientHead({
    deposit: 0n,
    node: { profile: '2.3', timings: { depositDelayMs: 600_000, depositPeriodMs: 300 } }
  })
  const client = await head.client(0)
  const ids: string[] = []
  for (let n = 0; n < 2; n++) {
    const { depositTxId } = (await client.deposit({ amount: 5n * ADA }).catch((error: unknown) => error)) as {
      depositTxId: string
    }
    ids.push(depositTxId)
  }
  await tick(700)
  const recover = LayerBridge.prototype.recoverDeposit
  const broken = jest.spyOn(client.bridge, 'recoverDeposit').mockImplementationOnce(async function (
    this: LayerBridge,
    id,
    options
  ) {
    Object.assign(head.node.faults, { failRequests: 1, httpFailure: { status: 500, body: '"broken"' } })
    return recover.call(this, id, options)
  })
  await expect(client.recover()).rejects.toMatchObject({ code: 'BRIDGE_REQUEST', status: 500 })
  expect(broken).toHaveBeenCalledTimes(2)
  expect(await client.recover()).toHaveLength(1)
})

it('asks a node that does not tell its parties once in a while, however often the status is read', async () => {
  head = await startClientHead({ deposit: 0n })
  const client = createHeadClient({ url: head.node.url })
  const asked = jest.spyOn(client.bridge, 'headInfo').mockRejectedValue(new Error('HTTP 500'))
  await client.connect()
  for (let n = 0; n < 20; n++) {
    expect(client.status().parties).toBeNull()
    await tick(2)
  }
  expect(asked).toHaveBeenCalledTimes(1)
  const started = performance.now()
  jest.spyOn(performance, 'now').mockImplementation(() => started + 20_000)
  asked.mockRestore()
  // Each look at the status may ask; the answer comes in its own time.
  for (let n = 0; n < 500 && client.status().parties === null; n++) await tick()
  expect(client.status().parties).toHaveLength(1)
  await client.disconnect()
})

it('notices that the user has switched to another account in the wallet: what follows is paid from that one', async () => {
  head = await startClientHead({ deposit: 20n * ADA })
  await (await head.client(0)).pay({ to: head.wallets[1]!.getAddressBech32(), amount: 8n * ADA })
  let account = 0
  const wallet: Wallet = {
    getChangeAddress: async () => head.wallets[account]!.getAddressBech32(),
    getAddresses: async () => [head.wallets[account]!.getAddressBech32()],
    signTx: (tx) => head.wallets[account]!.signTx(tx)
  }
  const client = createHeadClient({ url: head.node.url, wallet })
  await client.connect()
  expect(client.getBalance()!.confirmed.lovelace).toBe(12n * ADA)
  account = 1
  await tick(550)
  const receiver = head.wallets[2]!.getAddressBech32()
  await client.pay({ to: receiver, amount: ADA })
  expect([
    client.getBalance()!.confirmed.lovelace,
    client.getBalance({ address: receiver })!.confirmed.lovelace
  ]).toEqual([7n * ADA, ADA])
  await client.disconnect()
})

it("takes a callback of the type Function for a transaction's sending", async () => {
  head = await startClientHead({ deposit: 20n * ADA })
  const client = await head.client(0)
  const sent: unknown[] = []
  const callback: Function = () => sent.push('sent')
  client.bridge.commands.newTx('84', '', callback)
  expect(sent).toEqual(['sent'])
})
