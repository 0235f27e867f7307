import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { GOODS } from './shop.mjs'

const PAGE = {
  '/': ['text/html', readFileSync(new URL('page.html', import.meta.url))],
  '/page.js': ['text/javascript', readFileSync(new URL('page.js', import.meta.url))]
}
const POLICY = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:"
const MAX_BODY = 1_000

/** The shop's page, and its orders as JSON. `payLocally(uri)`: pays as a customer; null without a local head. */
export function createShopServer({ shop, payLocally, hosts }) {
  return createServer(async (request, response) => {
    // A name that another page has pointed here is not this shop's.
    const {
      status,
      type = 'application/json',
      body
    } = hosts().includes(request.headers.host)
      ? await answer(request, { shop, payLocally }).catch(failure)
      : { status: 403, body: { error: 'unknown host' } }
    response
      .writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', 'Content-Security-Policy': POLICY })
      .end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
}

async function answer(request, { shop, payLocally }) {
  const { method, url } = request
  const page = Object.hasOwn(PAGE, url) && method === 'GET' ? PAGE[url] : null
  if (page !== null) return { status: 200, type: page[0], body: page[1] }
  if (method === 'GET' && url === '/goods') {
    const goods = [...GOODS].map(([id, { name, price }]) => ({ id, name, price: String(price) }))
    return { status: 200, body: { goods, local: payLocally !== null } }
  }
  const [, id, pay] = /^\/orders\/([\w-]{36})(\/pay)?$/.exec(url) ?? []
  if (method === 'GET' && id !== undefined && pay === undefined) return found(shop.look(id))
  if (method !== 'POST') return { status: 404, body: { error: 'not found' } }
  // Pages of others can send text, and nothing that calls itself JSON.
  if (request.headers['content-type'] !== 'application/json') return { status: 415, body: { error: 'JSON only' } }
  const body = await readBody(request)
  if (url === '/orders') {
    if (typeof body?.item !== 'string' || !GOODS.has(body.item)) return { status: 400, body: { error: 'no such item' } }
    const order = shop.order(body.item)
    return order === null
      ? { status: 503, body: { error: 'too many orders are unpaid' } }
      : { status: 201, body: order }
  }
  const order = pay === undefined || payLocally === null ? null : shop.look(id)
  if (order === null) return { status: 404, body: { error: 'not found' } }
  await payLocally(order.uri)
  return found(shop.look(id))
}

const found = (order) =>
  order === null ? { status: 404, body: { error: 'no such order' } } : { status: 200, body: order }

async function readBody(request) {
  let text = ''
  for await (const chunk of request) if ((text += chunk).length > MAX_BODY) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function failure(error) {
  console.error(error)
  return { status: 500, body: { error: 'this server failed' } }
}
