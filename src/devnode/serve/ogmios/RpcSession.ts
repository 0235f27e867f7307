import { parseJson, stringifyJson } from '../../../codec/json.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import { isObject } from '../../json/isObject.js'
import type { JsonValue } from '../../json/jsonText.js'
import { JsonText, toJson } from '../../json/jsonText.js'
import { answerEvaluate } from './evaluate.js'
import { invalidRequest, RpcFailure } from './failure.js'
import type { Params } from './Params.js'
import { QUERIES } from './queries.js'
import { answerSubmit } from './submit.js'

/**
 * One connection to the base ledger, as to Ogmios v6: it holds the state that a client acquires. A request over HTTP is
 * a connection of its own.
 */
export class RpcSession {
  readonly #chain: BaseChain
  #hasMempool = false

  constructor(chain: BaseChain) {
    this.#chain = chain
  }

  /** The answer to a request, or `null` where Ogmios stays silent. */
  async answer(text: string): Promise<{ text: string; failed: boolean } | null> {
    let head: { [key: string]: JsonValue } = { jsonrpc: '2.0' }
    let id: JsonValue = null
    try {
      const request = readRequest(text)
      id = request['id'] === undefined ? null : new JsonText(stringifyJson(request['id']))
      const { method } = request
      if (typeof method !== 'string') throw invalidRequest("field 'method' must be present and be a string")
      const params = request['params'] ?? {}
      if (!isObject(params)) throw invalidRequest("field 'params' must be an object")
      const call = this.#call(method, params)
      head = { ...head, method }
      const result = await call
      return result === SILENCE ? null : { text: toJson({ ...head, result, id }), failed: false }
    } catch (error) {
      const { code, message, data } =
        error instanceof RpcFailure ? error : new RpcFailure(-32603, 'The local head node could not answer.')
      return { text: toJson({ ...head, error: { code, message, data }, id }), failed: true }
    }
  }

  async #call(method: string, params: Params): Promise<JsonValue> {
    const query = QUERIES.get(method)
    if (query !== undefined) return query(params, this.#chain)
    switch (method) {
      case 'submitTransaction':
        return answerSubmit(params, this.#chain)
      case 'evaluateTransaction':
        return answerEvaluate(params, this.#chain)
      case 'acquireMempool':
        // The mempool is always empty, and a second snapshot comes only with a change.
        if (this.#hasMempool) return SILENCE
        this.#hasMempool = true
        return { acquired: 'mempool', slot: this.#chain.tip.slot }
      default:
        return this.#callMempool(method, params)
    }
  }

  #callMempool(method: string, { id }: Params): JsonValue {
    if (!MEMPOOL_METHODS.includes(method))
      throw invalidRequest("unknown method in 'method' (beware names are case-sensitive)")
    if (!this.#hasMempool) throw new RpcFailure(4000, 'You must acquire a mempool snapshot prior to accessing it.')
    switch (method) {
      case 'nextTransaction':
        return { transaction: null }
      case 'sizeOfMempool':
        return { maxCapacity: { bytes: 2 * 90_112 }, currentSize: { bytes: 0 }, transactions: { count: 0 } }
      case 'hasTransaction':
        if (typeof id !== 'string' || !/^[0-9a-f]{64}$/.test(id))
          throw invalidRequest("field 'id' must be a transaction id")
        return false
      default:
        this.#hasMempool = false
        return { released: 'mempool' }
    }
  }
}

const MEMPOOL_METHODS = ['nextTransaction', 'sizeOfMempool', 'hasTransaction', 'releaseMempool']
/** Result that marks a request without an answer. */
const SILENCE: JsonText = new JsonText('')

function readRequest(text: string): Params {
  const malformed = invalidRequest('must be a well-formed JSON object')
  let request: unknown
  try {
    request = parseJson(text)
  } catch {
    throw malformed
  }
  if (!isObject(request)) throw malformed
  return request
}
