import { BridgeConnectError } from '../../errors/bridge.js'
import { isLoopback } from '../../net/loopback.js'

/**
 * Advice about a failed attempt, by its known cause: a system code of Node, an HTTP status, or an unknown one, as in
 * browsers.
 */
const ADVICE: readonly (readonly [got: RegExp, advice: string])[] = [
  [/^ECONNREFUSED$/, 'a node that listens there: start it, or correct host and port'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'a host name that can be resolved: correct it, or check the network'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'a host that answers: check the address, the network and firewalls'],
  [/^(EPROTO|ERR_SSL_.*)$/, 'a server that speaks TLS: for one that does not, use ws:// instead of wss://'],
  [/CERT|SELF_SIGNED|VERIFY_LEAF|^ERR_TLS_/, 'a certificate for this host that this runtime trusts'],
  [/^(ECONNRESET|HPE_.*)$/, 'a WebSocket server: for one that speaks TLS, use wss:// instead of ws://'],
  [/^HTTP 40[13]$/, 'credentials that the server takes: check the key or token, and whether it has expired'],
  [/^HTTP 3\d\d$/, 'HTTP 101: redirects are not followed, so give the URL that it leads to'],
  [/^HTTP 404$/, 'a WebSocket at this path: check the path of the URL'],
  [
    /^(close code 1006)?$/,
    "a node that listens there. A browser does not say more: check host and port, that a page of https:// connects to wss://, and that the server accepts this page's origin"
  ]
]

/** No server listens there, according to the runtime. */
const REFUSED = /^(ECONNREFUSED|close code 1006)?$/

/**
 * Returns a connect error with the origin of the other side, and with the next step when an attempt failed; any other
 * error as it is.
 *
 * @param origin - scheme, host and port, e.g. `ws://127.0.0.1:4001`: a path or a query can hold a key. Undefined where
 * it is not known.
 * @param lost - true when an established connection was lost, so that no setting needs a correction.
 */
export function locateError(error: Error, origin: string | undefined, lost: boolean): Error {
  if (!(error instanceof BridgeConnectError) || error.origin !== undefined || origin === undefined) return error
  const advice = ADVICE.find(([got]) => got.test(error.got ?? ''))?.[1]
  const isOff = REFUSED.test(error.got ?? '') && isLoopback(new URL(origin).hostname)
  return error.at(origin, lost ? undefined : isOff ? `${advice} (npx layer-sdk devnode starts a local one)` : advice)
}
