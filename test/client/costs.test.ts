import type { HeadClient } from '../../src/client/index.js'
import type { Protocol } from '../../src/bridge/index.js'
import { DevNode } from '../../src/devnode/index.js'
import { TxBuilder } from '../../src/tx/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
afterEach(async () => {
  jest.restoreAllMocks()
  await head.stop()
})

const UNIT = `${'ab'.repeat(28)}01`
const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()
const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error
  )

/**
 * A head with ada and tokens of the first wallet in it, and a client whose node states some protocol parameters of its
 * own.
 */
async function start(stated: Partial<Protocol>, options: object = {}): Promise<HeadClient> {
  const { address } = new DevNode().keys[0]!
  const amount = [
    { unit: 'lovelace', quantity: String(5_000n * ADA) },
    { unit: UNIT, quantity: '9' }
  ]
  head = await startClientHead({ open: false, node: { open: true, inHead: [{ address, amount }] } })
  const alice = await head.client(0, options)
  const honest = await alice.bridge.getProtocolParameters()
  jest.spyOn(alice.bridge, 'getProtocolParameters').mockResolvedValue({ ...honest, ...stated } as never)
  return alice
}

it('pays no fee above maxFee, names figure and limit, and pays it when the caller raises the limit', async () => {
  const alice = await start({ min_fee_b: 400_000_000 } as never)
  const sign = jest.spyOn(head.wallets[0]!, 'signTx')
  const payment = { to: addressOf(1), amount: 2n * ADA }
  const error = await failureOf(alice.pay(payment))
  expect(error).toMatchObject({
    code: 'CLIENT_COST_LIMIT',
    outcome: 'none',
    limit: 'maxFee',
    lovelace: '400000000',
    limitLovelace: '5000000'
  })
  expect(error.message).toMatch(/maxFee[\s\S]*at most 5000000 lovelace[\s\S]*400000000/)
  expect(await failureOf(alice.payMany({ payments: [payment] }))).toMatchObject({ code: 'CLIENT_COST_LIMIT' })
  expect(await failureOf(alice.withdraw({ amount: 2n * ADA }))).toMatchObject({ code: 'CLIENT_COST_LIMIT' })
  expect(await failureOf(alice.withdraw({ utxos: alice.getUtxos()! }))).toMatchObject({ code: 'CLIENT_COST_LIMIT' })
  const { cborHex } = new TxBuilder({ minFeeB: 400_000_000 })
    .addInputs(alice.getUtxos()!)
    .pay(addressOf(1), ADA)
    .changeTo(addressOf(0))
    .build()
  expect(await failureOf(alice.submit(cborHex))).toMatchObject({ code: 'CLIENT_COST_LIMIT' })
  expect(sign).not.toHaveBeenCalled()
  expect(alice.status().pending).toBe(0)
  expect(await failureOf(alice.pay({ ...payment, maxFee: 500n * ADA, wait: 'sent' }))).toMatchObject({
    resolved: { fee: 400_000_000n }
  })
})

it('adds no more lovelace to a payment of tokens than maxMinLovelace, and holds what the caller stated to no limit', async () => {
  const alice = await start({ utxo_cost_per_byte: 2_000_000 } as never)
  const sign = jest.spyOn(head.wallets[0]!, 'signTx')
  const token = [{ unit: UNIT, quantity: '1' }]
  expect(await failureOf(alice.pay({ to: addressOf(1), amount: token }))).toMatchObject({
    code: 'CLIENT_COST_LIMIT',
    limit: 'maxMinLovelace',
    limitLovelace: '10000000'
  })
  expect(await failureOf(alice.withdraw({ amount: token }))).toMatchObject({
    code: 'CLIENT_COST_LIMIT',
    limit: 'maxMinLovelace'
  })
  expect(sign).not.toHaveBeenCalled()
  await alice.pay({ to: addressOf(1), amount: [{ unit: 'lovelace', quantity: String(600n * ADA) }, ...token] })
})

it('takes the limits of the client where an action has none, and tells the fee with the step built', async () => {
  const alice = await start({ min_fee_b: 300_000 } as never, { maxFee: 200_000n })
  const steps: unknown[] = []
  const payment = { to: addressOf(1), amount: 2n * ADA }
  expect(await failureOf(alice.pay(payment))).toMatchObject({
    code: 'CLIENT_COST_LIMIT',
    lovelace: '300000',
    limitLovelace: '200000'
  })
  const { fee } = await alice.pay({
    ...payment,
    maxFee: ADA,
    onProgress: ({ state, fee }) => state === 'built' && steps.push(fee)
  })
  expect([fee, steps]).toEqual([300_000n, [300_000n]])
  expect(await failureOf(alice.pay({ ...payment, maxFee: 5 } as never))).toMatchObject({ code: 'INPUT_ARGUMENT' })
  await expect(head.client(0, { maxMinLovelace: -1n })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
})
