import type { ErrorFacts } from './base.js'
import { LayerSdkError } from './base.js'

export { ProviderRpcError, SubmitRejectedError } from './refusal.js'

/** Which request failed. `url` is origin and path: no query, no credentials, no token. */
export interface ProviderRequestFacts {
  /** `GET`, `POST`, or the name of an RPC method. */
  method: string
  url: string
}

/** A request that failed. */
abstract class ProviderRequestError extends LayerSdkError {
  declare readonly method: string
  declare readonly url: string
  constructor({ method, url }: ProviderRequestFacts, summary: string, facts: ErrorFacts) {
    super(`${method} ${url} ${summary}.`, facts)
    this.method = method
    this.url = url
  }
}

/** A provider answered with an HTTP status that is no answer to the question. */
export class ProviderHttpError extends ProviderRequestError {
  override readonly name = 'ProviderHttpError'
  override readonly code = 'PROVIDER_HTTP'
  declare readonly status: number
  /** How long the provider asks to wait, ms; absent when it did not say. */
  declare readonly retryAfterMs: number | undefined
  constructor(status: number, facts: ProviderRequestFacts, got: string, retryAfterMs?: number) {
    super(facts, `failed with HTTP status ${status}`, { got })
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** A provider refused the key, or asks for one (HTTP 401 and 403). */
export class ProviderAuthError extends ProviderRequestError {
  override readonly name = 'ProviderAuthError'
  override readonly code = 'PROVIDER_AUTH'
  declare readonly status: number
  constructor(status: number, facts: ProviderRequestFacts, got: string) {
    super(facts, 'was refused: the key is missing, wrong, or not for this network', { got })
    this.status = status
  }
}

/** No whole answer came: the connection failed or was lost. */
export class ProviderNetworkError extends ProviderRequestError {
  override readonly name = 'ProviderNetworkError'
  override readonly code = 'PROVIDER_NETWORK'
  /** The system's code, e.g. `ECONNREFUSED`, where the runtime tells. */
  declare readonly reason: string
  constructor(facts: ProviderRequestFacts, reason: string) {
    super(facts, 'got no answer', { got: reason })
    this.reason = reason
  }
}

/** The whole answer did not arrive in time. */
export class ProviderTimeoutError extends ProviderRequestError {
  override readonly name = 'ProviderTimeoutError'
  override readonly code = 'PROVIDER_TIMEOUT'
  declare readonly timeoutMs: number
  constructor(facts: ProviderRequestFacts, timeoutMs: number) {
    super(facts, 'took too long', { expected: `the whole answer within ${timeoutMs} ms (option timeout)` })
    this.timeoutMs = timeoutMs
  }
}

/** A provider's answer is not of the shape that its interface promises. */
export class ProviderResponseError extends LayerSdkError {
  override readonly name = 'ProviderResponseError'
  override readonly code = 'PROVIDER_RESPONSE'
  declare readonly url: string
  /** The field that is missing or wrong, e.g. `amount.quantity`; empty for the answer as a whole. */
  declare readonly field: string
  constructor(url: string, field: string, expected: string, got: string, cause?: unknown) {
    super(`The answer of ${url} cannot be used.`, { expected: field === '' ? expected : `${expected} in the field ${field}`, got, cause })
    this.url = url
    this.field = field
  }
}

/**
 * The answer to a submission was lost and the transaction is not known (yet); or it was refused, perhaps because it is known
 * already, and nobody could be asked. It may still be included: ask for its id
 * later, or submit the same bytes again, which cannot spend twice.
 */
export class SubmitOutcomeUnknownError extends LayerSdkError {
  override readonly name = 'SubmitOutcomeUnknownError'
  override readonly code = 'PROVIDER_SUBMIT_UNKNOWN'
  declare readonly txId: string
  constructor(txId: string, cause: unknown) {
    super(`Transaction ${txId} was sent, but no answer says whether it was accepted.`, {
      expected: 'you to ask for the id later, or to submit the same transaction again: it cannot be included twice',
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
  declare readonly errors: readonly unknown[]
  constructor(errors: readonly unknown[]) {
    super(`All ${errors.length} providers failed.`, {
      got: errors.map((error) => (error instanceof Error ? error.name : 'an unknown failure')).join(', '),
      cause: errors[errors.length - 1]
    })
    this.errors = errors
  }
}
