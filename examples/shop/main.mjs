// node main.mjs [--port N] [--head URL --key FILE [--network-id 0|1]] [--data FOLDER] [--once]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createHeadClient, parsePaymentRequest, paymentMetadata } from 'layer-sdk/client'
import { startDevNode } from 'layer-sdk/devnode'
import { fileJournal } from 'layer-sdk/journal'
import { ada, formatAda } from 'layer-sdk/utils'
import { ChainCliWallet } from 'layer-sdk/wallet'
import { Books } from './books.mjs'
import { createShopServer } from './server.mjs'
import { Shop } from './shop.mjs'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8403' },
    head: { type: 'string' },
    key: { type: 'string' },
    'network-id': { type: 'string', default: '0' },
    data: { type: 'string', default: 'data' },
    once: { type: 'boolean', default: false }
  }
})
if ((values.head === undefined) !== (values.key === undefined) || (values.once && values.head !== undefined)) {
  console.error('--head and --key go together; --once needs the local head.')
  process.exit(2)
}

// The local head ends with this process, so its books do too.
const node = values.head === undefined ? await startDevNode({ port: 0, open: true, control: true }) : null
const data = node === null ? values.data : mkdtempSync(join(tmpdir(), 'layer-sdk-shop-'))
const [alice, bob] = node?.keys ?? []
const skey = node === null ? JSON.parse(readFileSync(values.key, 'utf8')) : bob.skey
const wallet = new ChainCliWallet({ networkId: Number(values['network-id']), skey })
const url = values.head ?? node.url
const head = createHeadClient({ url, wallet, journal: fileJournal(join(data, 'refunds.journal')) })
const books = new Books(join(data, 'books.jsonl'))
const shop = new Shop({ head, books, address: wallet.getChangeAddress() })

await head.connect() // resumes the refunds that an earlier process left open
const customer = node === null ? null : await createCustomer()
const payLocally =
  customer &&
  ((uri, extra = 0n) => {
    const request = parsePaymentRequest(uri)
    return customer.pay({ to: request.address, amount: request.amount + extra, metadata: paymentMetadata(request) })
  })
let page
const server = createShopServer({
  shop,
  payLocally,
  hosts: () => [new URL(page).host, `localhost:${new URL(page).port}`]
})
await new Promise((resolve, reject) => server.once('error', reject).listen(Number(values.port), '127.0.0.1', resolve))
page = `http://127.0.0.1:${server.address().port}/`
console.log(`Shop       ${page}\nHead       ${url}\nBooks      ${data}`)
if (node !== null) console.log(`Dashboard  ${node.dashboardUrl}`)

const selling = shop.run()
const stopped = new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
try {
  if (values.once) await Promise.race([sellOnce(), selling])
  else await Promise.race([stopped, selling])
} finally {
  server.close()
  server.closeAllConnections()
  await shop.close()
  await customer?.disconnect()
  await head.disconnect()
  books.close()
  await node?.stop()
  if (node !== null) rmSync(data, { recursive: true })
}

/** A customer with play money. */
async function createCustomer() {
  await node.fundHead(alice.address, ada('1000'))
  const client = createHeadClient({ url, wallet: new ChainCliWallet({ networkId: 0, skey: alice.skey }) })
  await client.connect()
  return client
}

/** Sells a pot of tea to a customer who pays 3 ada too much. */
async function sellOnce() {
  const { id, uri, price } = shop.order('tea')
  console.log(`ordered    ${id} for ${formatAda(BigInt(price))} ada`)
  await payLocally(uri, ada('3'))
  for (;;) {
    const { paid, received, refunds } = shop.look(id)
    if (paid && refunds[0]?.txId) {
      console.log(`paid       ${formatAda(BigInt(received))} ada`)
      console.log(`refunded   ${formatAda(BigInt(refunds[0].lovelace))} ada in ${refunds[0].txId}`)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
