import { AppWallet, ChainCliWallet } from '../../src/wallet/index.js'
import { createHeadClient } from '../../src/client/index.js'
import type { HeadClient, PayArgs } from '../../src/client/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
let bob: string
beforeAll(async () => {
  head = await startClientHead({ deposit: 10n * ADA })
  alice = await head.client(0)
  bob = head.wallets[1]!.getAddressBech32()
})
afterAll(() => head.stop())

const phrase = {
  type: 'mnemonic',
  words: 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'.split(' ')
} as const
const mainnet = new AppWallet({ networkId: 1, key: phrase as never }).getPaymentAddress()

const BAD_AMOUNTS: [string, unknown][] = [
  ['a number', 5],
  ['a string', '5'],
  ['zero', 0n],
  ['a negative amount', -1n],
  ['nothing', undefined],
  ['null', null],
  ['an empty list', []],
  ['a list with a number', [{ unit: 'lovelace', quantity: 5 }]],
  ['a list with a negative quantity', [{ unit: 'lovelace', quantity: '-5' }]],
  ['a list with a zero', [{ unit: 'lovelace', quantity: '0' }]],
  ['a fraction', [{ unit: 'lovelace', quantity: '1.5' }]],
  [
    'a unit twice',
    [
      { unit: 'lovelace', quantity: '5' },
      { unit: 'lovelace', quantity: '5' }
    ]
  ],
  ['a list with null', [null]]
]

describe.each(BAD_AMOUNTS)('%s as an amount', (_name, amount) => {
  it.each(['pay', 'payMany', 'deposit', 'withdraw'] as const)(
    'is refused by %s with a typed error before anything is sent',
    async (action) => {
      const inputs = { ...head.node.counters.inputs }
      const args = action === 'payMany' ? { payments: [{ to: bob, amount }] } : { to: bob, amount }
      const error = await (alice[action] as (args: unknown) => Promise<unknown>)(args).catch(
        (reason: unknown) => reason
      )
      expect(error).toMatchObject({ code: 'INPUT_ARGUMENT' })
      expect(head.node.counters.inputs).toEqual(inputs)
      expect(alice.status().pending).toBe(0)
    }
  )
})

it.each(['pay', 'payMany', 'deposit', 'withdraw', 'submit', 'waitForTx'] as const)(
  '%s refuses null as its arguments with a typed error',
  async (action) => {
    await expect((alice[action] as (args: unknown) => Promise<unknown>)(null)).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT'
    })
  }
)

it('takes null for options that are left out', async () => {
  expect(alice.getUtxos(null as never)).toHaveLength(1)
  await expect(alice.open(null as never)).resolves.toMatchObject({ headId: head.node.headId })
  await expect(alice.recover(null as never)).resolves.toEqual([])
  await expect(alice.fanoutHead(null as never)).rejects.toMatchObject({ code: 'BRIDGE_COMMAND_REFUSED' })
})

it('pays what was asked for when the caller changes the list of amounts afterwards', async () => {
  const amount = [{ unit: 'lovelace', quantity: String(ADA) }]
  const paid = alice.pay({ to: bob, amount })
  amount[0]!.quantity = String(3n * ADA)
  const { txId } = await paid
  expect(head.node.headUtxos(bob).find(({ input }) => input.txHash === txId)!.output.amount).toEqual([
    { unit: 'lovelace', quantity: String(ADA) }
  ])
})

it.each([
  ['wait', { wait: 'forever' }],
  ['retries', { retries: -1 }],
  ['retries', { retries: 1.5 }],
  ['timeout', { timeout: 0 }],
  ['timeout', { timeout: '5' }],
  ['signal', { signal: {} }],
  ['onProgress', { onProgress: 'log' }],
  ['onSettled', { onSettled: 1 }],
  ['to', { to: 5 }],
  ['metadata', { metadata: 5 }]
])('refuses a wrong %s', async (_name, wrong) => {
  await expect(alice.pay({ to: bob, amount: ADA, ...wrong } as unknown as PayArgs)).rejects.toMatchObject({
    code: expect.stringMatching(/^(INPUT|TX|WALLET)_/)
  })
  expect(alice.status().pending).toBe(0)
})

it('refuses a wrong number of retries of a deposit', async () => {
  await expect(alice.deposit({ amount: 2n * ADA, retries: -1 })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
})

it('refuses a receiver on another network, in a payment, in many and in a withdrawal', async () => {
  await expect(alice.pay({ to: mainnet, amount: ADA })).rejects.toMatchObject({ code: 'INPUT_ADDRESS' })
  await expect(
    alice.payMany({
      payments: [
        { to: bob, amount: ADA },
        { to: mainnet, amount: ADA }
      ]
    })
  ).rejects.toMatchObject({ code: 'INPUT_ADDRESS' })
  await expect(alice.withdraw({ amount: ADA, to: mainnet })).rejects.toMatchObject({ code: 'INPUT_ADDRESS' })
  expect(alice.status().pending).toBe(0)
})

it('refuses a wallet that is on another network than the head', async () => {
  const wallet = new AppWallet({ networkId: 1, key: phrase as never })
  const client = await head.client(0, { wallet })
  await expect(client.pay({ to: mainnet, amount: ADA })).rejects.toMatchObject({ code: 'INPUT_ADDRESS' })
})

it('says what is there and what is needed when funds do not suffice', async () => {
  const error = (await alice.pay({ to: bob, amount: 5_000n * ADA }).catch((reason: Error) => reason)) as Error
  expect(error).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
  expect(error.message).toContain('5000000000 lovelace')
  expect(error.message).toMatch(/input that holds \d+ lovelace/)
  expect(alice.status().pending).toBe(0)
})

it('says that there is nothing to pay from when the wallet holds nothing in the head', async () => {
  const carol = await head.client(2)
  await expect(carol.pay({ to: bob, amount: ADA })).rejects.toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
})

it('refuses an asset that the wallet does not hold', async () => {
  const unit = 'ab'.repeat(28) + '01'
  await expect(alice.pay({ to: bob, amount: [{ unit, quantity: '7' }] })).rejects.toMatchObject({
    code: 'TX_INSUFFICIENT_FUNDS',
    missing: { [unit]: '7' }
  })
})

it('refuses options with no way or two ways to reach a head, and a wallet that is none', () => {
  expect(() => createHeadClient({} as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  expect(() => createHeadClient({ url: 'ws://127.0.0.1:1', bridge: alice.bridge } as never)).toThrow(
    expect.objectContaining({ code: 'INPUT_ARGUMENT' })
  )
  expect(() => createHeadClient({ url: 'ws://127.0.0.1:1', wallet: { signTx() {} } } as never)).toThrow(
    /getChangeAddress, getAddresses/
  )
  expect(() => createHeadClient({ url: 'ws://127.0.0.1:1', retrys: 1 } as never)).toThrow(
    expect.objectContaining({ code: expect.any(String) })
  )
  expect(() => createHeadClient({ bridge: alice.bridge, autoReconnect: true } as never)).toThrow(
    expect.objectContaining({ code: 'INPUT_ARGUMENT' })
  )
  expect(() => createHeadClient({ url: 'ws://127.0.0.1:1', expiresIn: '5' } as never)).toThrow(
    expect.objectContaining({ code: 'INPUT_ARGUMENT' })
  )
})

it('refuses an address of another network where balances and outputs are read, in place of a false nothing', () => {
  expect(() => alice.getBalance({ address: mainnet })).toThrow(expect.objectContaining({ code: 'INPUT_ADDRESS' }))
  expect(() => alice.getUtxos({ address: mainnet })).toThrow(expect.objectContaining({ code: 'INPUT_ADDRESS' }))
  expect(() => alice.getUtxos({ address: bob, view: 'all' as never })).toThrow(
    expect.objectContaining({ code: 'INPUT_ARGUMENT' })
  )
})

it('keeps keys out of what a client shows', () => {
  expect(JSON.stringify(alice.status())).not.toContain('skey')
  expect(head.wallets[0]).toBeInstanceOf(ChainCliWallet)
})
