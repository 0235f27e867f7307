import { createHeadClient } from '../../src/client/index'
import type { HeadClient, Receipt } from '../../src/client/index'
import { Metadatum } from '../../src/utils/index'
import { codeOf } from '../support/codeOf'
import { until } from '../gateway/support'
import { ADA, startClientHead } from './support'
import type { ClientHead } from './support'

jest.setTimeout(60_000)

let head: ClientHead
let payer: HeadClient
let shop: HeadClient
let shopAddress: string
let payerAddress: string

beforeEach(async () => {
  head = await startClientHead()
  payer = await head.client(0)
  shop = await head.client(1)
  shopAddress = head.wallets[1]!.getAddressBech32()
  payerAddress = head.wallets[0]!.getAddressBech32()
})
afterEach(() => head.stop())

/** The next receipts, at most for five seconds each. */
async function take(
  client: HeadClient,
  count: number,
  args: Parameters<HeadClient['receipts']>[0] = {}
): Promise<Receipt[]> {
  const found: Receipt[] = []
  if (count === 0) return found
  const signal = AbortSignal.timeout(15_000)
  for await (const receipt of client.receipts({ ...args, signal })) {
    found.push(receipt)
    if (found.length === count) return found
  }
  throw new Error(`${found.length} of ${count} receipts came`)
}

const lovelace = ({ amount }: Receipt): bigint => BigInt(amount[0]!.quantity)

/** True when nothing more comes within a short time. */
async function isAll(client: HeadClient, after: string): Promise<boolean> {
  for await (const receipt of client.receipts({ after, signal: AbortSignal.timeout(300) })) return receipt === null
  return true
}

describe('receipts of a head client', () => {
  it('tells who paid how much with which note, for what came before and what comes later', async () => {
    const metadata = { 674: Metadatum.from({ msg: ['Order 17', 'thanks'] }) }
    const first = await payer.pay({ to: shopAddress, amount: 2n * ADA, metadata })
    const later = take(shop, 2)
    const second = await payer.pay({ to: shopAddress, amount: 3n * ADA, datum: '182a' })
    const found = await later
    expect(found).toMatchObject([
      {
        kind: 'payment',
        txId: first.txId,
        from: [payerAddress],
        to: shopAddress,
        note: 'Order 17\nthanks',
        datum: null,
        own: false,
        verified: false,
        snapshotNumber: first.snapshotNumber,
        headId: shop.status().headId
      },
      { txId: second.txId, datum: '182a', note: null, snapshotNumber: second.snapshotNumber }
    ])
    expect(found.map(lovelace)).toEqual([2n * ADA, 3n * ADA])
    expect(found[0]!.utxo).toEqual(
      shop.getUtxos({ view: 'confirmed' })!.find(({ input }) => input.txHash === first.txId)
    )
  })

  it('goes on behind a cursor, with nothing lost and nothing twice, at every receipt', async () => {
    await payer.payMany({
      payments: Array.from({ length: 6 }, (_, index) => ({ to: shopAddress, amount: BigInt(index + 1) * ADA }))
    })
    await payer.pay({ to: shopAddress, amount: 7n * ADA })
    const all = await take(shop, 7)
    expect(all.map(lovelace)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n].map((each) => each * ADA))
    for (let at = 0; at < all.length; at++) {
      const rest = await take(shop, all.length - at - 1, { after: all[at]!.cursor })
      expect(rest).toEqual(all.slice(at + 1))
    }
    expect(await isAll(shop, all[6]!.cursor)).toBe(true)
  })

  it('leaves out change and moves within the wallet, which `own: true` shows', async () => {
    await payer.pay({ to: shopAddress, amount: 10n * ADA })
    const paid = await shop.pay({ to: payerAddress, amount: 2n * ADA })
    await shop.pay({ to: shopAddress, amount: 3n * ADA })
    await payer.pay({ to: shopAddress, amount: 1n * ADA })
    expect((await take(shop, 2)).map(lovelace)).toEqual([10n * ADA, 1n * ADA])
    const withOwn = await take(shop, 5, { own: true })
    expect(withOwn.map(({ own }) => own)).toEqual([false, true, true, true, false])
    expect(withOwn[1]).toMatchObject({ txId: paid.txId, from: [shopAddress] })
  })

  it('brings deposits that arrive in the head as receipts of their own kind, once', async () => {
    const { depositTxId } = await shop.deposit({ amount: 25n * ADA })
    await payer.pay({ to: shopAddress, amount: 1n * ADA })
    const [arrived, paid] = await take(shop, 2)
    expect(arrived).toMatchObject({ kind: 'deposit', txId: depositTxId, from: null, own: false })
    expect(lovelace(arrived!)).toBe(25n * ADA)
    expect(await take(shop, 1, { after: arrived!.cursor })).toEqual([paid])
    expect(await isAll(shop, paid!.cursor)).toBe(true)
  })

  it('begins at the present with after: now', async () => {
    await payer.pay({ to: shopAddress, amount: 2n * ADA })
    const controller = new AbortController()
    const found: Receipt[] = []
    const loop = (async () => {
      for await (const receipt of shop.receipts({ after: 'now', signal: controller.signal })) found.push(receipt)
    })()
    // The present is when the history has been read, which takes a moment.
    await until('a receipt', async () => {
      await payer.pay({ to: shopAddress, amount: 5n * ADA })
      return found.length > 0
    })
    controller.abort()
    await loop
    expect(new Set(found.map(lovelace))).toEqual(new Set([5n * ADA]))
  })

  it('ends at the present with follow: false, with all that came, and with none', async () => {
    const listed = async (args: Parameters<HeadClient['receipts']>[0]): Promise<string[]> => {
      const found: string[] = []
      for await (const { txId } of shop.receipts({ ...args, follow: false })) found.push(txId)
      return found
    }
    expect(await listed({})).toEqual([])
    const first = await payer.pay({ to: shopAddress, amount: 2n * ADA })
    const second = await payer.pay({ to: shopAddress, amount: 3n * ADA })
    await until('the second payment', async () => (await listed({})).length === 2)
    expect(await listed({})).toEqual([first.txId, second.txId])
    expect(await listed({ after: 'now' })).toEqual([])
    const [{ cursor }] = (await take(shop, 1)) as [Receipt]
    expect(await listed({ after: cursor })).toEqual([second.txId])
  })

  it('watches without a wallet, and waits over a drop of the connection', async () => {
    const watcher = createHeadClient({ url: head.node.url, reconnectInterval: 20 })
    await watcher.connect()
    const found = take(watcher, 3, { address: shopAddress })
    await payer.pay({ to: shopAddress, amount: 2n * ADA })
    head.node.dropConnections()
    await payer.pay({ to: shopAddress, amount: 3n * ADA })
    await payer.pay({ to: shopAddress, amount: 4n * ADA })
    expect((await found).map(lovelace)).toEqual([2n * ADA, 3n * ADA, 4n * ADA])
    await watcher.disconnect()
  })

  describe('on a node that rotates its history', () => {
    /** Pays until the history no longer reaches back to a receipt; the gap that this tells. */
    async function rotate(after: string): Promise<{ cursor: string; unspent: unknown[] }> {
      for (let count = 0; count < 60; count++) {
        await payer.pay({ to: shopAddress, amount: 2n * ADA })
        const gap: unknown = await take(shop, 1, { after }).catch((error: unknown) => error)
        if (!Array.isArray(gap)) return gap as { cursor: string; unspent: unknown[] }
      }
      throw new Error('the history was not rotated')
    }

    beforeEach(async () => {
      await head.stop()
      head = await startClientHead({ node: { historyLimit: 30 } })
      payer = await head.client(0)
      shop = await head.client(1)
      shopAddress = head.wallets[1]!.getAddressBech32()
      payerAddress = head.wallets[0]!.getAddressBech32()
    })

    it('says so, with the unspent outputs and the cursor to go on at', async () => {
      await payer.pay({ to: shopAddress, amount: 2n * ADA })
      const [first] = await take(shop, 1)
      const gap = await rotate(first!.cursor)
      expect(gap).toMatchObject({
        code: 'CLIENT_HISTORY_GAP',
        after: { headId: first!.headId, snapshotNumber: first!.snapshotNumber },
        known: { headId: first!.headId }
      })
      expect(gap.unspent.length).toBeGreaterThan(1)
      const { txId } = await payer.pay({ to: shopAddress, amount: 4n * ADA })
      const signal = AbortSignal.timeout(15_000)
      for await (const receipt of shop.receipts({ after: gap.cursor, signal })) if (receipt.txId === txId) break
      expect(signal.aborted).toBe(false)
      expect(await codeOf(() => take(shop, 1))).toBe('CLIENT_HISTORY_GAP')
    })

    it('tells change apart whose inputs the history does not have, by their signature', async () => {
      await payer.pay({ to: shopAddress, amount: 20n * ADA })
      const [first] = await take(shop, 1)
      const { cursor } = await rotate(first!.cursor)
      await shop.pay({ to: payerAddress, amount: 15n * ADA })
      const { txId } = await payer.pay({ to: shopAddress, amount: 4n * ADA })
      for await (const receipt of shop.receipts({ after: cursor, signal: AbortSignal.timeout(15_000) })) {
        expect(receipt.own).toBe(false)
        expect([2n * ADA, 4n * ADA]).toContain(lovelace(receipt))
        if (receipt.txId === txId) return
      }
      throw new Error('the receipt did not come')
    })
  })

  it('refuses cursors that are made up, changed, or of another node', async () => {
    await payer.pay({ to: shopAddress, amount: 2n * ADA })
    const [{ cursor }] = (await take(shop, 1)) as [Receipt]
    const other = await startClientHead()
    const elsewhere = await other.client(1)
    await (await other.client(0)).pay({ to: other.wallets[1]!.getAddressBech32(), amount: 3n * ADA })
    const [foreign] = await take(elsewhere, 1)
    await other.stop()
    for (const after of ['', 'lr1_ab', cursor.replace(/_(\d+)_/, '_9$1_'), `${cursor}0`, foreign!.cursor, 7 as never])
      expect([after, await codeOf(() => take(shop, 1, { after }))]).toEqual([
        after,
        expect.stringMatching(/^(CLIENT_CURSOR|INPUT_ARGUMENT|INVALID_ARGUMENT|INPUT_INVALID)/)
      ])
  })

  it.each([
    [{ address: 'nowhere' }, 'INPUT'],
    [{ addresses: [] }, 'INPUT'],
    [{ own: 1 }, 'INPUT'],
    [{ follow: 'no' }, 'INPUT'],
    [{ adress: 'x' }, 'INPUT'],
    [{ signal: {} }, 'INPUT']
  ])('refuses the arguments %p', async (args, code) => {
    expect(await codeOf(() => shop.receipts(args as never).next())).toContain(code)
  })

  it('needs a wallet or an address, and ends with the connection', async () => {
    const watcher = createHeadClient({ url: head.node.url })
    expect(await codeOf(() => watcher.receipts().next())).toBe('CLIENT_WALLET_MISSING')
    expect(await codeOf(() => watcher.receipts({ address: shopAddress }).next())).toBe('BRIDGE_NOT_CONNECTED')
    await watcher.connect()
    const waiting = codeOf(() => watcher.receipts({ address: shopAddress }).next())
    await watcher.disconnect()
    expect(await waiting).toBe('BRIDGE_DISCONNECTED')
  })
})
