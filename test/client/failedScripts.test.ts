import { createHeadClient } from '../../src/client/index'
import type { Receipt } from '../../src/client/index'
import type { Connector } from '../../src/bridge/index'
import { CborWriter } from '../../src/codec/cbor/writer'
import { bytesToHex } from '../../src/codec/hex'
import { parseAddress } from '../../src/codec/address'
import { transactionId, readTransaction } from '../../src/codec/transaction'
import { WatchedLedger } from '../../src/client/WatchedLedger'
import { ChainCliWallet } from '../../src/wallet/index'

const HEAD_ID = 'ab'.repeat(28)
const address = (byte: number): string =>
  new ChainCliWallet({
    networkId: 0,
    skey: {
      type: 'PaymentSigningKeyShelley_ed25519',
      description: '',
      cborHex: `5820${byte.toString(16).padStart(2, '0').repeat(32)}`
    }
  }).getAddressBech32()
const [shop, payer] = [address(1), address(2)]
const SPENT = '11'.repeat(32)
const COLLATERAL = '22'.repeat(32)

const input = (writer: CborWriter, txHash: string): CborWriter =>
  writer.array(1).array(2).bytes(Buffer.from(txHash, 'hex')).uint(0)
const output = (writer: CborWriter, to: string, lovelace: number): CborWriter =>
  writer.array(2).bytes(parseAddress(to).bytes).uint(lovelace)

/** A transaction that promises the shop 500 ada; with `isValid` false its collateral alone is spent, with this change. */
function txOf(isValid: boolean, changeTo: string | null): { txId: string; cborHex: string } {
  const body = input(new CborWriter().map(changeTo === null ? 4 : 5).uint(0), SPENT)
  output(body.uint(1).array(1), shop, 500_000_000)
  input(body.uint(2).uint(0).uint(13), COLLATERAL)
  if (changeTo !== null) output(body.uint(16), changeTo, 3_000_000)
  const end = Uint8Array.of(isValid ? 0xf5 : 0xf4, 0xf6)
  const bytes = new CborWriter().array(4).raw(body.toBytes()).map(0).raw(end).toBytes()
  return { txId: transactionId(readTransaction(bytes)), cborHex: bytesToHex(bytes) }
}

/** A node whose history has one snapshot with these transactions. */
function nodeWith(confirmed: readonly object[]): Connector {
  const utxo = Object.fromEntries(
    [SPENT, COLLATERAL].map((txHash) => [`${txHash}#0`, { address: payer, value: { lovelace: 600_000_000 } }])
  )
  const snapshot = { headId: HEAD_ID, version: 0, number: 1, confirmed, utxoToCommit: null, utxoToDecommit: null }
  return {
    capabilities: { history: true, allRoutes: false, partial: false },
    request: async () => ({ status: 404, text: '' }),
    open(listener, { history }) {
      queueMicrotask(() => {
        const say = (message: object): void => listener.onMessage(JSON.stringify(message))
        listener.onOpen({ replay: history === true })
        if (history === true) {
          say({ tag: 'HeadIsOpen', headId: HEAD_ID, utxo, parties: [] })
          say({ tag: 'SnapshotConfirmed', headId: HEAD_ID, snapshot })
        }
        say({
          tag: 'Greetings',
          me: { vkey: '00' },
          headStatus: 'Open',
          hydraHeadId: HEAD_ID,
          hydraNodeVersion: '2.3.0',
          snapshotUtxo: {}
        })
      })
      return { send: () => undefined, close: async () => undefined }
    }
  }
}

const lovelace = (quantity: number): object[] => [{ unit: 'lovelace', quantity: String(quantity) }]

async function receiptsOf(confirmed: readonly object[]): Promise<Receipt[]> {
  const head = createHeadClient({ connector: nodeWith(confirmed) })
  await head.connect()
  const found: Receipt[] = []
  for await (const receipt of head.receipts({ address: shop, signal: AbortSignal.timeout(500) })) found.push(receipt)
  await head.disconnect()
  return found
}

describe('a transaction whose scripts fail', () => {
  it('is no receipt of what it would have paid', async () => {
    expect(await receiptsOf([txOf(true, null)])).toMatchObject([
      { to: shop, index: 0, amount: [{ unit: 'lovelace', quantity: '500000000' }], from: [payer] }
    ])
    expect(await receiptsOf([txOf(false, null)])).toEqual([])
    expect(await receiptsOf([txOf(false, payer)])).toEqual([])
  })

  it('is a receipt of the change of its collateral, behind the outputs that it would have made', async () => {
    expect(await receiptsOf([txOf(false, shop)])).toMatchObject([
      { to: shop, index: 1, amount: [{ unit: 'lovelace', quantity: '3000000' }], from: [payer], own: false }
    ])
  })

  it('is shown with what it spends', async () => {
    const tx = txOf(false, payer)
    const head = createHeadClient({ connector: nodeWith([tx]) })
    await head.connect()
    expect(await head.getTransaction(tx.txId)).toMatchObject({
      state: 'confirmed',
      inputs: [{ input: { txHash: COLLATERAL, index: 0 }, address: payer }],
      from: [payer]
    })
    await head.disconnect()
  })

  it('is watched with what it moves', () => {
    const amount = lovelace(600_000_000)
    const utxos = [SPENT, COLLATERAL].map((txHash) => ({
      input: { txHash, index: 0 },
      output: { address: payer, amount }
    }))
    const bridge = { getSnapshot: () => ({ ready: true }), snapshotUtxoArray: () => utxos }
    const watched = new WatchedLedger(bridge as never)
    const [failed, other] = [txOf(false, payer), txOf(true, null)]
    expect(watched.amountsOf(failed.txId, failed.cborHex, true)).toEqual({
      sent: { [payer]: lovelace(600_000_000) },
      received: { [payer]: lovelace(3_000_000) }
    })
    // What it lists as its input is still there.
    expect(watched.amountsOf(other.txId, other.cborHex, true)).toEqual({
      sent: { [payer]: lovelace(600_000_000) },
      received: { [shop]: lovelace(500_000_000) }
    })
  })
})
