import { isLayerError } from 'layer-sdk'
import { NETWORK_ID } from 'layer-sdk/utils'
import { EmbeddedWallet, verifyData } from 'layer-sdk/wallet'

export default {
  async fetch(request) {
    const url = new URL(request.url)
    try {
      if (url.pathname === '/verify' && request.method === 'POST')
        return Response.json({ valid: verifyData(await request.json()) })
      if (url.pathname === '/address') return Response.json({ address: addressOf(url.searchParams) })
      return Response.json({ error: 'not found' }, { status: 404 })
    } catch (error) {
      // The request's fault: the error says what was expected, and never repeats a key.
      if (isLayerError(error)) return Response.json({ error: error.message, code: error.code }, { status: 400 })
      if (error instanceof SyntaxError) return Response.json({ error: 'the body is not JSON' }, { status: 400 })
      throw error
    }
  }
}

/** The address of one key index; the account's private key stays where it is. */
function addressOf(query) {
  const wallet = new EmbeddedWallet({
    networkId: NETWORK_ID.PREPROD,
    key: { type: 'accountXpub', xpub: query.get('xpub') ?? '' }
  })
  return wallet.getPaymentAddress(0, Number(query.get('index') ?? 0))
}
