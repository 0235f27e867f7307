import { createHeadClient } from '../../../src/client'
import { startDevNode } from '../../../src/devnode'
import type { RunningDevNode } from '../../../src/devnode'
import { LayerBridge } from '../../../src/bridge'

const ADA = 1_000_000n
/** A script's address, at which no local head funds anything. */
const WALLET = 'addr_test1wq4erflxvet45fr9hrrldflevr2cwr83x622vlejzhspf3gn6jry8'
const TOKEN = 'cd'.repeat(28)

let node: RunningDevNode
let bridge: LayerBridge

beforeEach(async () => {
  node = await startDevNode({ port: 0, rpcPort: null, open: true, faults: { fuelAddress: null } })
  bridge = new LayerBridge({ url: node.url })
  await bridge.connect()
})

afterEach(async () => {
  await bridge.disconnect()
  await node.stop()
})

/** Error of a close that the node cannot pay for. */
async function refusal(): Promise<Record<string, unknown>> {
  const failed = bridge.waitFor('PostTxOnChainFailed', { timeout: 20_000 })
  bridge.commands.close()
  const { postTxError } = await failed
  expect(node.headStatus).toBe('Open')
  return postTxError as Record<string, unknown>
}

it('a node without fuel, with too little of it or with a token in it posts nothing; with fuel it closes', async () => {
  node.faults.fuelAddress = WALLET
  expect(await refusal()).toMatchObject({ tag: 'NoFuelUTXOFound', failingTx: { cborHex: expect.any(String) } })
  node.fund(WALLET, 2n * ADA)
  expect(await refusal()).toMatchObject({ tag: 'NotEnoughFuel', failingTx: { cborHex: expect.any(String) } })
  // The node takes its largest output, whatever else is there.
  node.fund(WALLET, 20n * ADA, [
    { unit: 'lovelace', quantity: String(20n * ADA) },
    { unit: TOKEN, quantity: '1' }
  ])
  node.fund(WALLET, 10n * ADA)
  expect(await refusal()).toMatchObject({
    tag: 'FailedToPostTx',
    failureReason: expect.stringContaining('CollateralContainsNonADA')
  })
  node.fund(WALLET, 30n * ADA)
  const client = createHeadClient({ url: node.url })
  await client.connect()
  await client.closeAndFanoutHead({ force: true })
  expect(node.headStatus).toBe('Idle')
  await client.disconnect()
})

it.each([['addr_test1nothing'], [7], [{}]])('refuses %j as an address', async (fuelAddress) => {
  await expect(startDevNode({ port: 0, rpcPort: null, faults: { fuelAddress } as never })).rejects.toMatchObject({
    code: 'INPUT_ARGUMENT',
    argument: 'faults.fuelAddress'
  })
})
