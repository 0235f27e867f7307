import { createServer } from 'node:http'

/** An HTTP API whose calls cost money: without credit it answers 402 with what to pay, and where. */
export function createApi({ credits, answerCall }) {
  return createServer(async (request, response) => {
    const { status, body, headers = {} } = await answer(request, { credits, answerCall }).catch(failure)
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers })
      .end(JSON.stringify(body))
  })
}

async function answer({ method, url, headers }, { credits, answerCall }) {
  if (url !== '/number') return { status: 404, body: { error: 'not found' } }
  if (method !== 'GET') return { status: 405, body: { error: 'GET only' }, headers: { Allow: 'GET' } }
  if (!credits.ready) return later('the head cannot be read now')
  const token = /^Bearer (\S{1,100})$/.exec(headers.authorization ?? '')?.[1]
  const callsLeft = await credits.take(token)
  if (callsLeft !== null)
    return { status: 200, body: await answerCall(), headers: { 'X-Calls-Left': String(callsLeft) } }
  const offer = credits.offer(token)
  if (offer === null) return later('too many callers have not paid yet')
  return { status: 402, body: { error: 'pay to the address, then call with the token', ...offer } }
}

const later = (error) => ({ status: 503, body: { error }, headers: { 'Retry-After': '10' } })

function failure(error) {
  console.error(error)
  return { status: 500, body: { error: 'this server failed' } }
}
