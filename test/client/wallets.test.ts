import { parseAddress } from '../../src/codec/address.js'
import { bytesToHex } from '../../src/codec/hex.js'
import type { Wallet } from '../../src/client/index.js'
import type { HeadClient } from '../../src/client/index.js'
import { walletFromCip30 } from '../../src/wallet/index.js'
import { HELD_MS, holdTimer } from '../support/heldTimer.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let bob: string
beforeAll(async () => {
  head = await startClientHead({ deposit: 20n * ADA })
  bob = head.wallets[1]!.getAddressBech32()
})
afterAll(() => head.stop())

/** Alice's wallet with one method replaced. */
function walletWith(changes: Partial<Wallet>): Wallet {
  const real = head.wallets[0]!
  return {
    getChangeAddress: () => real.getChangeAddress(),
    getAddresses: () => real.getAddresses(),
    signTx: (tx, partial) => real.signTx(tx, partial),
    queryUTxOs: (address) => real.queryUTxOs(address),
    ...changes
  }
}

const sentPayments = (): number => head.node.counters.inputs['NewTx'] ?? 0

async function refusedPayment(client: HeadClient): Promise<unknown> {
  const before = sentPayments()
  const error: unknown = await client.pay({ to: bob, amount: ADA }).then(
    () => 'paid',
    (reason: unknown) => reason
  )
  expect(sentPayments()).toBe(before)
  expect(client.status().pending).toBe(0)
  expect(client.getBalance()!.pending).toEqual(client.getBalance()!.confirmed)
  return error
}

it('sends nothing when the wallet adds no signature', async () => {
  const client = await head.client(0, { wallet: walletWith({ signTx: async (tx) => tx }) })
  expect(await refusedPayment(client)).toMatchObject({ code: 'CLIENT_WALLET_SIGNED_NOTHING' })
  await expect(client.withdraw({ amount: ADA })).rejects.toMatchObject({ code: 'CLIENT_WALLET_SIGNED_NOTHING' })
  await expect(client.deposit({ amount: 2n * ADA })).rejects.toMatchObject({ code: 'CLIENT_WALLET_SIGNED_NOTHING' })
})

it('sends nothing when the wallet signs another transaction', async () => {
  let other: string | undefined
  const real = head.wallets[0]!
  const client = await head.client(0, {
    wallet: walletWith({
      async signTx(tx, partial) {
        const give = other ?? tx
        other ??= tx
        return real.signTx(give, partial)
      }
    })
  })
  await client.pay({ to: bob, amount: ADA })
  expect(await refusedPayment(client)).toMatchObject({ code: 'CLIENT_WALLET_CHANGED_TX' })
})

it.each([
  ['not hex', 'zz'],
  ['nothing', undefined],
  ['not CBOR', 'ff00'],
  ['a witness set alone', 'a0']
])('sends nothing when the wallet answers with %s', async (_name, answer) => {
  const client = await head.client(0, { wallet: walletWith({ signTx: async () => answer as string }) })
  expect(await refusedPayment(client)).toMatchObject({ code: expect.stringMatching(/^[A-Z]+_/) })
})

it('passes the error of a CIP-30 wallet through, code and all', async () => {
  const declined = { code: 2, info: 'user declined to sign' }
  const client = await head.client(0, {
    wallet: walletWith({
      signTx: async () => {
        throw declined as never
      }
    })
  })
  // An object that is no error becomes the cause of one.
  const failure = await refusedPayment(client)
  expect(failure).toMatchObject({ code: 'CLIENT_WALLET_FAILED' })
  expect((failure as Error).cause).toBe(declined)
  const api = {
    ...stubCip30(bytesToHex(parseAddress(head.wallets[0]!.getAddressBech32()).bytes)),
    signTx: async () => {
      throw Object.assign(new Error('user declined'), { code: 2, info: 'user declined' })
    }
  }
  const browser = await head.client(0, { wallet: walletFromCip30(api as never) })
  const error = (await browser.pay({ to: bob, amount: ADA }).catch((reason: unknown) => reason)) as {
    code: unknown
    cause?: { code?: unknown }
    cip30Code?: unknown
  }
  expect([error.code, error.cause?.code, error.cip30Code]).toContain(2)
})

it('ends with the time limit when the wallet never answers, and keeps nothing reserved', async () => {
  const signTx = jest.fn(() => new Promise<never>(() => undefined))
  const client = await head.client(0, { wallet: walletWith({ signTx }) })
  const before = sentPayments()
  const limit = holdTimer()
  const failure = client.pay({ to: bob, amount: ADA, timeout: HELD_MS }).catch((error: unknown) => error)
  while (signTx.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  limit.fire()
  expect(await failure).toMatchObject({
    code: 'CLIENT_TIMEOUT',
    message: expect.stringContaining("the wallet's signature")
  })
  expect(sentPayments()).toBe(before)
  expect(client.getBalance()!.pending).toEqual(client.getBalance()!.confirmed)
})

it('rejects at connect when the wallet names no address, or what is none', async () => {
  for (const changes of [
    { getChangeAddress: () => undefined as never },
    { getAddresses: () => ['addr_nonsense'] },
    { getAddresses: () => undefined as never }
  ]) {
    await expect(head.client(0, { wallet: walletWith(changes) })).rejects.toMatchObject({
      code: expect.stringMatching(/^(INPUT|CLIENT)_/)
    })
  }
})

it('asks a wallet for its addresses again after it has failed once', async () => {
  let calls = 0
  const wallet = walletWith({
    getAddresses() {
      if (calls++ === 0) throw new Error('locked')
      return head.wallets[0]!.getAddresses()
    }
  })
  await expect(head.client(0, { wallet })).rejects.toThrow('locked')
  const client = await head.client(0, { wallet })
  expect(client.getBalance()).not.toBeNull()
})

it('pays from every address of the wallet', async () => {
  const [alice, carol] = [head.wallets[0]!, head.wallets[2]!]
  const both = walletWith({
    getAddresses: () => [alice.getAddressBech32(), carol.getAddressBech32()],
    signTx: async (tx) => carol.signTx(await alice.signTx(tx, true), true)
  })
  const client = await head.client(0, { wallet: both })
  await client.pay({ to: carol.getAddressBech32(), amount: 9n * ADA })
  const held = client.getBalance()!.confirmed.lovelace
  await client.pay({ to: bob, amount: held - ADA })
  expect(client.getBalance()!.confirmed.lovelace).toBe(ADA)
  await (await head.client(1)).pay({ to: alice.getAddressBech32(), amount: 10n * ADA })
})

it('names the wallet in every action of a client that only watches', async () => {
  const watcher = await head.client(0, { wallet: undefined })
  for (const action of ['pay', 'payMany', 'deposit', 'withdraw'] as const) {
    await expect(
      (watcher[action] as (args: unknown) => Promise<unknown>)({ to: bob, amount: ADA, payments: [] })
    ).rejects.toMatchObject({
      code: 'CLIENT_WALLET_MISSING'
    })
  }
  expect(() => watcher.getBalance()).toThrow(expect.objectContaining({ code: 'CLIENT_WALLET_MISSING' }))
  expect(() => watcher.getUtxos()).toThrow(expect.objectContaining({ code: 'CLIENT_WALLET_MISSING' }))
  expect(() => watcher.watchBalance({ onChange: () => undefined })).toThrow(
    expect.objectContaining({ code: 'CLIENT_WALLET_MISSING' })
  )
  expect(watcher.getBalance({ address: bob })!.confirmed.lovelace).toBeGreaterThan(0n)
  expect(watcher.getUtxos({ address: bob })!.length).toBeGreaterThan(0)
})

function stubCip30(address: string): Record<string, unknown> {
  return {
    getNetworkId: async () => 0,
    getUsedAddresses: async () => [address],
    getUnusedAddresses: async () => [],
    getChangeAddress: async () => address,
    getRewardAddresses: async () => [],
    getUtxos: async () => [],
    getBalance: async () => '00',
    getCollateral: async () => [],
    getExtensions: async () => [],
    signData: async () => {
      throw new Error('not here')
    },
    submitTx: async () => {
      throw new Error('not here')
    }
  }
}
