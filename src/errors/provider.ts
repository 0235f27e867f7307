import { LayerSdkError } from './base.js'

/** Which request failed. `url` is origin and path: no query, no credentials, no token. */
export interface ProviderRequestFacts {
  /** `GET`, `POST`, or the name of an RPC method. */
  method: string
  url: string
}

/** A provider answered with an HTTP status that is no answer to the question. */
export class ProviderHttpError extends LayerSdkError {
  override readonly name = 'ProviderHttpError'
  override readonly code = 'PROVIDER_HTTP'
  readonly status: number
  readonly method: string
  readonly url: string
  /** How long the provider asks to wait, ms; absent when it did not say. */
  readonly retryAfterMs: number | undefined
  constructor(status: number, { method, url }: ProviderRequestFacts, got: string, retryAfterMs?: number) {
    super(`${method} ${url} failed with HTTP status ${status}.`, { expected: 'a status of success', got })
    this.status = status
    this.method = method
    this.url = url
    this.retryAfterMs = retryAfterMs
  }
}

/** A provider refused the key, or asks for one (HTTP 401 and 403). */
export class ProviderAuthError extends LayerSdkError {
  override readonly name = 'ProviderAuthError'
  override readonly code = 'PROVIDER_AUTH'
  readonly status: number
  readonly method: string
  readonly url: string
  constructor(status: number, { method, url }: ProviderRequestFacts, got: string) {
    super(`${method} ${url} was refused: the key is missing, wrong, or not for this network.`, { expected: 'a key that the provider accepts', got })
    this.status = status
    this.method = method
    this.url = url
  }
}

/** No whole answer came: the connection failed or was lost. */
export class ProviderNetworkError extends LayerSdkError {
  override readonly name = 'ProviderNetworkError'
  override readonly code = 'PROVIDER_NETWORK'
  readonly method: string
  readonly url: string
  /** The system's code, e.g. `ECONNREFUSED`, where the runtime tells. */
  readonly reason: string
  constructor({ method, url }: ProviderRequestFacts, reason: string) {
    super(`${method} ${url} got no answer.`, { expected: 'a connection that lasts until the answer has arrived', got: reason })
    this.method = method
    this.url = url
    this.reason = reason
  }
}

/** The whole answer did not arrive in time. */
export class ProviderTimeoutError extends LayerSdkError {
  override readonly name = 'ProviderTimeoutError'
  override readonly code = 'PROVIDER_TIMEOUT'
  readonly method: string
  readonly url: string
  readonly timeoutMs: number
  constructor({ method, url }: ProviderRequestFacts, timeoutMs: number) {
    super(`${method} ${url} took too long.`, { expected: `the whole answer within ${timeoutMs} ms (option timeout)`, got: 'none' })
    this.method = method
    this.url = url
    this.timeoutMs = timeoutMs
  }
}

/** A provider's answer is not of the shape that its interface promises. */
export class ProviderResponseError extends LayerSdkError {
  override readonly name = 'ProviderResponseError'
  override readonly code = 'PROVIDER_RESPONSE'
  readonly url: string
  /** The field that is missing or wrong, e.g. `amount.quantity`; empty for the answer as a whole. */
  readonly field: string
  constructor(url: string, field: string, expected: string, got: string, cause?: unknown) {
    super(`The answer of ${url} cannot be used.`, { expected: field === '' ? expected : `${expected} in the field ${field}`, got, cause })
    this.url = url
    this.field = field
  }
}

/** An RPC method answered with an error object. */
export class ProviderRpcError extends LayerSdkError {
  override readonly name = 'ProviderRpcError'
  override readonly code = 'PROVIDER_RPC'
  readonly method: string
  readonly url: string
  readonly rpcCode: number
  /** Name of the code, e.g. `MethodNotFound`. */
  readonly rpcName: string
  constructor({ method, url }: ProviderRequestFacts, rpcCode: number, rpcName: string, message: string) {
    super(`${method} at ${url} failed: ${rpcName} (${rpcCode}).`, { got: message })
    this.method = method
    this.url = url
    this.rpcCode = rpcCode
    this.rpcName = rpcName
  }
}

/** The node refused a transaction, and does not know it already. */
export class SubmitRejectedError extends LayerSdkError {
  override readonly name = 'SubmitRejectedError'
  override readonly code = 'PROVIDER_SUBMIT_REJECTED'
  /** The node's own words. */
  readonly reason: string
  /** The Rpc's error code, e.g. 3117; the HTTP status from the Indexer, which has no codes. */
  readonly nodeCode: number
  /** Name of the code, e.g. `UnknownOutputReferences`. */
  readonly nodeCodeName: string
  /** Id of the refused transaction. */
  readonly txId: string
  constructor(txId: string, nodeCode: number, nodeCodeName: string, reason: string) {
    super(`Transaction ${txId} was refused: ${nodeCodeName} (${nodeCode}).`, { got: reason })
    this.txId = txId
    this.nodeCode = nodeCode
    this.nodeCodeName = nodeCodeName
    this.reason = reason
  }
}

/**
 * The answer to a submission was lost and the transaction is not known (yet). It may still be included: ask for its id
 * later, or submit the same bytes again, which cannot spend twice.
 */
export class SubmitOutcomeUnknownError extends LayerSdkError {
  override readonly name = 'SubmitOutcomeUnknownError'
  override readonly code = 'PROVIDER_SUBMIT_UNKNOWN'
  readonly txId: string
  constructor(txId: string, cause: unknown) {
    super(`Transaction ${txId} was sent, but whether it was accepted is unknown.`, {
      expected: 'an answer, or a provider that knows the transaction',
      got: 'neither',
      details: ['Ask for the id later, or submit the same transaction again: it cannot be included twice'],
      cause
    })
    this.txId = txId
  }
}

/** Every provider of a {@link FallbackProvider} failed. */
export class ProvidersExhaustedError extends LayerSdkError {
  override readonly name = 'ProvidersExhaustedError'
  override readonly code = 'PROVIDERS_EXHAUSTED'
  /** What each provider failed with, in the order they were asked. `cause` is the last. */
  readonly errors: readonly unknown[]
  constructor(errors: readonly unknown[]) {
    super(`All ${errors.length} providers failed.`, {
      expected: 'one that answers',
      got: errors.map((error) => (error instanceof Error ? error.name : 'an unknown failure')).join(', '),
      cause: errors[errors.length - 1]
    })
    this.errors = errors
  }
}
