import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { createHeadClient, createPaymentRequest, parsePaymentRequest, paymentMetadata } from '../../src/client/index'
import type { HeadClient, PaymentRequest } from '../../src/client/index'
import { AppWallet } from '../../src/wallet/index'
import { codeOf } from '../support/codeOf'
import { ADA, startClientHead } from './support'
import type { ClientHead } from './support'

jest.setTimeout(60_000)

// "abandon" twelve times over: the account's public key alone, as a shop's server has it.
const words = [...Array<string>(11).fill('abandon'), 'about']
const HARD = 0x80000000
const xpub = CSL.Bip32PrivateKey.from_bip39_entropy(new Uint8Array(16), new Uint8Array())
  .derive(1852 + HARD)
  .derive(1815 + HARD)
  .derive(HARD)
  .to_public()
  .to_bech32()
const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'

describe('createPaymentRequest', () => {
  it('gives each request an address of its own by the public key of an account', () => {
    const full = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words } })
    const watchOnly = new AppWallet({ networkId: 0, key: { type: 'accountXpub', xpub, accountIndex: 0 } })
    const requests = [0, 1, 2].map((index) => createPaymentRequest({ amount: ADA, wallet: watchOnly, index }))
    expect(requests.map((request) => request.address)).toEqual(
      [0, 1, 2].map((index) => full.getPaymentAddress(0, index))
    )
    expect(new Set(requests.map(({ uri }) => uri)).size).toBe(3)
  })

  it('writes a URI of CIP-13, which reads back as the same request', () => {
    const requests = [
      { amount: 2_500_000n, address },
      { amount: 1n, address, note: 'Käse & "Brot" 100% = ?', label: 'order-17_b' },
      { amount: 45_000_000_000_000_000n, address, expiresAt: 1_900_000_000_000 }
    ].map(createPaymentRequest)
    expect(requests[0]!.uri).toBe(`web+cardano:${address}?amount=2.5`)
    for (const request of requests) expect(parsePaymentRequest(request.uri)).toEqual(request)
    expect(parsePaymentRequest(`web+cardano:${address}?amount=3&colour=red`)).toMatchObject({ amount: 3n * ADA })
  })

  it.each([
    [{ address }],
    [{ address, amount: 0n }],
    [{ address, amount: 5 }],
    [{ amount: ADA }],
    [{ amount: ADA, address: 'nowhere' }],
    [{ amount: ADA, address, wallet: {} }],
    [{ amount: ADA, wallet: {} }],
    [{ amount: ADA, address, label: 'a b' }],
    [{ amount: ADA, address, note: '' }],
    [{ amount: ADA, address, note: 'x'.repeat(1_001) }],
    [{ amount: ADA, address, expiresAt: -1 }],
    [{ amount: ADA, address, expires: 1 }]
  ])('refuses %p', async (args) => {
    expect(await codeOf(() => createPaymentRequest(args as never))).toMatch(/^INPUT/)
  })

  it.each([
    '',
    'bitcoin:x?amount=1',
    `web+cardano:${address}`,
    `web+cardano:${address}?amount=-1`,
    'web+cardano:?amount=1',
    7
  ])('refuses the URI %p', async (uri) => {
    expect(await codeOf(() => parsePaymentRequest(uri as string))).toMatch(/^INPUT/)
  })
})

describe('waitForPayment', () => {
  let head: ClientHead
  let payer: HeadClient
  /** A shop without keys. */
  let shop: HeadClient

  beforeAll(async () => {
    head = await startClientHead()
    payer = await head.client(0)
    shop = createHeadClient({ url: head.node.url })
    await shop.connect()
  })
  afterAll(async () => {
    await shop.disconnect()
    await head.stop()
  })

  const pay = (request: PaymentRequest, amount = request.amount) =>
    payer.pay({ to: request.address, amount, metadata: paymentMetadata(parsePaymentRequest(request.uri)) })
  const ownAddress = (index: number): PaymentRequest =>
    createPaymentRequest({
      amount: 5n * ADA,
      wallet: new AppWallet({ networkId: 0, key: { type: 'accountXpub', xpub, accountIndex: 0 } }),
      index,
      note: `Order ${index}`
    })

  it('resolves when a request is paid in full, before the call or after it, in one payment or several', async () => {
    const request = ownAddress(1)
    await pay(request, 2n * ADA)
    const seen: bigint[] = []
    const paid = shop.waitForPayment(request, { onReceipt: (_, received) => seen.push(received) })
    await pay(request, 2n * ADA)
    await pay(request, 2n * ADA)
    expect(await paid).toMatchObject({ received: 6n * ADA, excess: 1n * ADA })
    expect(seen).toEqual([2n * ADA, 4n * ADA, 6n * ADA])
    const again = await shop.waitForPayment(request)
    expect(again.receipts.map(({ note }) => note)).toEqual(['Order 1', 'Order 1', 'Order 1'])
  })

  it('tells requests to one address apart by their labels', async () => {
    const to = head.wallets[2]!.getAddressBech32()
    const [first, second] = ['a', 'b'].map((label) => createPaymentRequest({ amount: 3n * ADA, address: to, label }))
    await payer.pay({ to, amount: 9n * ADA })
    await pay(second!)
    expect(await shop.waitForPayment(second!)).toMatchObject({ received: 3n * ADA, excess: 0n })
    expect(await codeOf(() => shop.waitForPayment(first!, { timeout: 500 }))).toBe('CLIENT_PAYMENT_INCOMPLETE')
  })

  it('says what came and what is missing when time is over', async () => {
    const request = { ...ownAddress(2), expiresAt: Date.now() + 1_500 }
    await pay(request, 2n * ADA)
    const error: unknown = await shop.waitForPayment(request).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'CLIENT_PAYMENT_INCOMPLETE', received: '2000000', missing: '3000000' })
  })

  it('ends with the reason of its signal, and refuses what is no request', async () => {
    const controller = new AbortController()
    const waiting = shop.waitForPayment(ownAddress(3), { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('closed')), 200)
    await expect(waiting).rejects.toThrow('closed')
    expect(await codeOf(() => shop.waitForPayment({} as never))).toMatch(/^INPUT/)
    expect(await codeOf(() => shop.waitForPayment(ownAddress(3), { timeout: -1 }))).toMatch(/^INPUT/)
  })
})
