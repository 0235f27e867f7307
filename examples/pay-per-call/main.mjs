// node main.mjs [--port N] [--head URL --xpub XPUB [--network-id 0|1]] [--once]
import { parseArgs } from 'node:util'
import { createHeadClient } from 'layer-sdk/client'
import { startDevNode } from 'layer-sdk/devnode'
import { ada, formatAda } from 'layer-sdk/utils'
import { ChainCliWallet, EmbeddedWallet } from 'layer-sdk/wallet'
import { createCaller } from './caller.mjs'
import { Credits } from './credits.mjs'
import { createApi } from './server.mjs'

/** Public key of account 9 of the development phrase. It makes addresses and cannot spend. */
const LOCAL_XPUB =
  'xpub14avhqe977ts9lqr3072az3n8rgus5ag5yh9c0gqlt352c63zjeq9ns382kj6k037l5rqscsksf8chnguckva2y4qpmtadcxqqf62c2c3klgdp'
const LOVELACE_PER_CALL = 10_000n

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8402' },
    head: { type: 'string' },
    xpub: { type: 'string' },
    'network-id': { type: 'string', default: '0' },
    once: { type: 'boolean', default: false }
  }
})
if ((values.head === undefined) !== (values.xpub === undefined) || (values.once && values.head !== undefined)) {
  console.error('--head and --xpub go together; --once needs the local head.')
  process.exit(2)
}

const node = values.head === undefined ? await startDevNode({ port: 0, open: true, control: true }) : null
// Somebody who can pay: `npx layer-sdk keygen --test-key alice`.
await node?.fundHead(node.keys[0].address, ada('20'))
// The server watches the head. It holds no key.
const wallet = new EmbeddedWallet({
  networkId: Number(values['network-id']),
  key: { type: 'accountXpub', xpub: values.xpub ?? LOCAL_XPUB }
})
const head = createHeadClient({ url: values.head ?? node.url })
await head.connect()
const credits = new Credits({
  head,
  addressOf: (index) => wallet.getEnterpriseAddress(0, index),
  lovelacePerCall: LOVELACE_PER_CALL
})
const api = createApi({ credits, answerCall: () => ({ number: Math.random() }) })
await new Promise((resolve, reject) => api.once('error', reject).listen(Number(values.port), '127.0.0.1', resolve))
const url = `http://127.0.0.1:${api.address().port}/number`
console.log(`API    ${url}\nHead   ${values.head ?? node.url}\nPrice  ${formatAda(LOVELACE_PER_CALL)} ada a call`)

if (values.once) await callThreeTimes()
else await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
api.close()
api.closeAllConnections()
credits.close()
await head.disconnect()
await node?.stop()

/** A program that pays for what it calls: it buys credit with its first call. */
async function callThreeTimes() {
  const [alice] = node.keys
  const payer = createHeadClient({ url: node.url, wallet: new ChainCliWallet({ networkId: 0, skey: alice.skey }) })
  await payer.connect()
  const call = createCaller({ url, head: payer, maxLovelacePerCall: LOVELACE_PER_CALL, credit: ada('1') })
  for (let i = 0; i < 3; i++) {
    const { result, callsLeft } = await call()
    console.log(`number ${result.number}, ${callsLeft} calls left`)
  }
  await payer.disconnect()
}
