import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createHeadClient } from '../../src/client/index'
import type { Connector } from '../../src/bridge/index'
import { CborWriter } from '../../src/codec/cbor/writer'
import { bytesToHex } from '../../src/codec/hex'
import { parseAddress } from '../../src/codec/address'
import { transactionId, readTransaction } from '../../src/codec/transaction'
import { ChainCliWallet } from '../../src/wallet/index'
import { until } from '../gateway/support'
import { fullRun, scaled } from '../support/scale'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const RECORDS = scaled(1_000_000)
const HEAD_ID = 'ab'.repeat(28)
jest.setTimeout(fullRun ? 3_600_000 : 300_000)

const address = (byte: number): string =>
  new ChainCliWallet({
    networkId: 0,
    skey: {
      type: 'PaymentSigningKeyShelley_ed25519',
      description: '',
      cborHex: `5820${byte.toString(16).padStart(2, '0').repeat(32)}`
    }
  }).getAddressBech32()
const [shop, others] = [address(1), address(2)]

/** Payments after which the shop empties its till: a head holds few outputs, however long its history is. */
const TILL = 1_000

interface Tx {
  readonly txId: string
  readonly cborHex: string
}

/** A transaction that spends outputs, `[txId, index]`, and makes one for each receiver. */
function txOf(inputs: readonly (readonly [string, number])[], receivers: readonly string[]): Tx {
  const body = new CborWriter().map(3).uint(0).array(inputs.length)
  for (const [txId, index] of inputs) body.array(2).bytes(Buffer.from(txId, 'hex')).uint(index)
  body.uint(1).array(receivers.length)
  for (const to of receivers) body.array(2).bytes(parseAddress(to).bytes).uint(2_000_000)
  body.uint(2).uint(0)
  const bytes = new CborWriter().array(4).raw(body.toBytes()).map(0).raw(Uint8Array.of(0xf5, 0xf6)).toBytes()
  return { txId: transactionId(readTransaction(bytes)), cborHex: bytesToHex(bytes) }
}

/** Counts the connections for the history, and those that were closed. */
type CountingNode = Connector & { opened: number; closed: number }

/** A node whose history has so many snapshots, each with a payment to the shop; it sends them as fast as the client reads. */
function nodeWith(records: number): CountingNode {
  const greetings = JSON.stringify({
    tag: 'Greetings',
    me: { vkey: '00' },
    headStatus: 'Open',
    hydraHeadId: HEAD_ID,
    hydraNodeVersion: '2.3.0',
    snapshotUtxo: {}
  })
  const node: CountingNode = {
    opened: 0,
    closed: 0,
    capabilities: { history: true, allRoutes: false, partial: false },
    async request() {
      return { status: 404, text: '' }
    },
    open(listener, { history }) {
      let [isOver, isPaused, number] = [false, false, 0]
      let previous = '00'.repeat(32)
      const till: [string, number][] = []
      let resume = (): void => undefined
      const send = async (): Promise<void> => {
        listener.onOpen({ replay: history === true })
        if (history === true) {
          node.opened++
          listener.onMessage(JSON.stringify({ tag: 'HeadIsOpen', headId: HEAD_ID, parties: [] }))
          while (number < records && !isOver) {
            if (isPaused) await new Promise<void>((resolve) => (resume = resolve))
            number++
            const tx = txOf([[previous, 1]], [shop, others])
            previous = tx.txId
            till.push([tx.txId, 0])
            const confirmed = till.length < TILL ? [tx] : [tx, txOf(till.splice(0), [others])]
            const snapshot = {
              headId: HEAD_ID,
              version: 0,
              number,
              confirmed,
              utxoToCommit: null,
              utxoToDecommit: null
            }
            listener.onMessage(JSON.stringify({ tag: 'SnapshotConfirmed', headId: HEAD_ID, snapshot }))
            if (number % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
          }
        }
        if (!isOver) listener.onMessage(greetings)
      }
      queueMicrotask(() => void send())
      return {
        send: () => undefined,
        pause: () => (isPaused = true),
        resume() {
          isPaused = false
          resume()
        },
        async close() {
          isOver = true
          if (history === true) node.closed++
          resume()
        }
      }
    }
  }
  return node
}

it('reads a long history within bounded memory, once and in its order', async () => {
  const node = nodeWith(RECORDS)
  const head = createHeadClient({ connector: node })
  await head.connect()
  let [count, last] = [0, 0]
  let [first, most] = [0, 0]
  for await (const { snapshotNumber, from } of head.receipts({ address: shop })) {
    if (snapshotNumber !== ++last) throw new Error(`${snapshotNumber} came in the place of ${last}`)
    if (count > 0 && from?.[0] !== others) throw new Error(`the sender of ${snapshotNumber} is ${String(from)}`)
    if (++count % Math.ceil(RECORDS / 20) === 0) {
      collect()
      // A reader that is slow for a moment: the node waits.
      await new Promise((resolve) => setTimeout(resolve, 20))
      const used = process.memoryUsage().heapUsed
      if (first === 0) first = used
      most = Math.max(most, used)
    }
    if (count === RECORDS) break
  }
  await head.disconnect()
  expect(count).toBe(RECORDS)
  expect(node.opened).toBe(1)
  expect(most - first).toBeLessThan(20 * 1024 * 1024)
})

it('reads on where the runtime cannot make the node wait, without losing one', async () => {
  const node = nodeWith(scaled(100_000))
  const { open } = node
  node.open = (...args) => {
    const { send, close } = open.apply(node, args)
    return { send, close }
  }
  const head = createHeadClient({ connector: node })
  await head.connect()
  let count = 0
  for await (const { snapshotNumber } of head.receipts({ address: shop })) {
    if (snapshotNumber !== ++count) throw new Error(`${snapshotNumber} came in the place of ${count}`)
    // The reader is slow once: more has come by then than waits for it.
    if (count === 1) await until('the node was cut off', () => node.closed > 0, 60_000)
    if (count === scaled(100_000)) break
  }
  await head.disconnect()
  expect(node.opened).toBeGreaterThan(1)
})
