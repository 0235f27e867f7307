import { parsePaymentRequest, paymentMetadata } from 'layer-sdk/client'

/**
 * A function that calls a paid API, and buys `credit` (lovelace) where it has none.
 *
 * A server may ask for anything: nothing is paid above `maxLovelacePerCall`, and never twice for one call.
 */
export function createCaller({ url, head, maxLovelacePerCall, credit }) {
  let token
  const request = () => fetch(url, { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } })
  const buy = async (response) => {
    const offer = await response.json()
    const price = BigInt(offer.lovelacePerCall)
    if (price < 1n || price > maxLovelacePerCall)
      throw new Error(`The API asks for ${price} lovelace a call, at most ${maxLovelacePerCall} are allowed.`)
    // Resolves once a snapshot holds the payment: it is final then.
    const request = parsePaymentRequest(offer.uri)
    await head.pay({ to: request.address, amount: credit, metadata: paymentMetadata(request) })
    token = offer.token
  }
  return async function call() {
    let response = await request()
    if (response.status === 402) {
      await buy(response)
      response = await request()
    }
    if (!response.ok) throw new Error(`The API answered with HTTP ${response.status}: ${await response.text()}`)
    return { result: await response.json(), callsLeft: Number(response.headers.get('X-Calls-Left')) }
  }
}
