// A bare realm: the language, and a few web globals that are named here. No Buffer, process, require, fetch or
// WebSocket.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { controlOf } from './control.mjs'
import { offline, online } from './scenario.mjs'

const [text, bundle] = process.argv.slice(2)
const env = JSON.parse(text)
const source = readFileSync(bundle, 'utf8')
const WebSocket = createRequire(createRequire(import.meta.url).resolve('layer-sdk'))('ws')

/** A new realm with these globals; gives what the package exports in it. */
function realm(globals) {
  const context = createContext(globals)
  runInContext(source, context)
  return runInContext('sdk', context)
}

const codecs = { TextEncoder, TextDecoder }
const { URL, URLSearchParams, setTimeout, clearTimeout, AbortController, AbortSignal, performance, queueMicrotask } =
  globalThis
const web = {
  ...codecs,
  crypto,
  URL,
  URLSearchParams,
  setTimeout,
  clearTimeout,
  AbortController,
  AbortSignal,
  performance,
  queueMicrotask
}

const checks = []
async function check(name, step) {
  try {
    await step()
    checks.push({ name, ok: true })
  } catch (error) {
    checks.push({ name, ok: false, error: String(error?.stack ?? error) })
  }
}

/** The action must end with the error that names what is missing and what to pass instead. */
async function unsupported(missing, instead, action) {
  try {
    await action()
  } catch (error) {
    const text = `${error.code} ${error.missing} ${error.message}`
    if (
      error.name === 'RuntimeUnsupportedError' &&
      error.code === 'RUNTIME_UNSUPPORTED' &&
      error.missing === missing &&
      error.message.includes(instead)
    )
      return
    throw new Error(`expected RuntimeUnsupportedError of ${missing} with '${instead}', got ${error.name}: ${text}`)
  }
  throw new Error(`expected RuntimeUnsupportedError of ${missing}, got none`)
}

const bare = realm({ ...codecs, crypto })
const first = await offline(bare)

const noCrypto = realm({ ...codecs })
await check('without getRandomValues: a new phrase is a typed error', () =>
  unsupported('crypto.getRandomValues', 'random', () => noCrypto.wallet.AppWallet.brew())
)
await check('without getRandomValues: a new key is a typed error', () =>
  unsupported('crypto.getRandomValues', 'random', () => noCrypto.utils.chainCliKeygen())
)
await check('without any web crypto: all else is the same', async () => {
  const { checks: steps, values } = await offline(noCrypto)
  const failed = steps.filter(({ ok }) => !ok).map(({ name }) => name)
  if (failed.join() !== 'make random phrases and keys') throw new Error(`failed: ${failed.join(', ')}`)
  if (JSON.stringify(values) !== JSON.stringify(first.values)) throw new Error('other bytes')
})

const noNetwork = realm(web)
await check('without WebSocket: connect is a typed error', () =>
  unsupported('WebSocket', 'webSocketImpl', () => new noNetwork.bridge.LayerBridge({ url: env.nodeUrl }).connect())
)
await check('without fetch: a request is a typed error', () =>
  unsupported('fetch', 'option fetch', () =>
    new noNetwork.bridge.LayerBridge({ url: env.nodeUrl, webSocketImpl: WebSocket }).headInfo()
  )
)
await check('without server sockets: startDevNode is a typed error', () =>
  unsupported('server sockets', 'DevNode', () => noNetwork.devnode.startDevNode({ port: 0 }))
)
await check('without fetch: IndexerProvider is a typed error', () =>
  unsupported('fetch', 'option fetch', () => {
    const { fetcher } = new noNetwork.providers.IndexerProvider({ network: 'preprod', apiKey: 'preprodKey' })
    return fetcher.fetchAddressUTxOs('addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw')
  })
)

const second = await online(realm(web), {
  ...env,
  control: controlOf(env),
  bridgeOptions: { webSocketImpl: WebSocket, fetch: (...args) => fetch(...args) }
})
const result = { checks: [...first.checks, ...checks, ...second.checks], values: { ...first.values, ...second.values } }
console.log(`RESULT ${JSON.stringify(result)}`)
