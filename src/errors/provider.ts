import type { ErrorDetails } from './base.js'
import { LayerSdkError } from './base.js'
import type { LayerErrorCode } from './codes.js'

export { ProviderRpcError, SubmitRejectedError } from './refusal.js'
export type { ProviderRequestError }

/** Which request failed. `url` is origin and path: no query, no credentials, no token. */
export interface ProviderRequestDetails {
  /** `GET`, `POST`, or the name of an RPC method. */
  method: string
  /** Origin and path of the request: no query, no credentials. */
  url: string
}

/** A request that failed. */
abstract class ProviderRequestError<Code extends LayerErrorCode> extends LayerSdkError<Code> {
  /** `GET`, `POST`, or the name of an RPC method. */
  declare readonly method: string
  /** Origin and path of the request: no query, no credentials. */
  declare readonly url: string
  constructor(code: Code, { method, url }: ProviderRequestDetails, summary: string, details: ErrorDetails) {
    super(code, `${method} ${url} ${summary}.`, details)
    this.method = method
    this.url = url
  }
}

/** A provider answered with an HTTP status that is no answer to the question. */
export class ProviderHttpError extends ProviderRequestError<'PROVIDER_HTTP'> {
  override readonly name = 'ProviderHttpError'
  /** HTTP status. */
  declare readonly status: number
  /** Wait that the provider requests, ms; absent when it requested none. */
  declare readonly retryAfterMs: number | undefined
  constructor(status: number, request: ProviderRequestDetails, got: string, retryAfterMs?: number) {
    super('PROVIDER_HTTP', request, `failed with HTTP status ${status}`, { got })
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** A provider refused the key, or requires one (HTTP 401 and 403). */
export class ProviderAuthError extends ProviderRequestError<'PROVIDER_AUTH'> {
  override readonly name = 'ProviderAuthError'
  /** HTTP status: 401 or 403. */
  declare readonly status: number
  constructor(status: number, request: ProviderRequestDetails, got: string) {
    super('PROVIDER_AUTH', request, 'was refused: the key is missing, wrong, or not for this network', { got })
    this.status = status
  }
}

/** No whole answer came: the connection failed or was lost. */
export class ProviderNetworkError extends ProviderRequestError<'PROVIDER_NETWORK'> {
  override readonly name = 'ProviderNetworkError'
  /** The system's code, e.g. `ECONNREFUSED`, where the runtime reports it. */
  declare readonly reason: string
  constructor(request: ProviderRequestDetails, reason: string) {
    super('PROVIDER_NETWORK', request, 'got no answer', { got: reason })
    this.reason = reason
  }
}

/** The whole answer did not arrive in time. */
export class ProviderTimeoutError extends ProviderRequestError<'PROVIDER_TIMEOUT'> {
  override readonly name = 'ProviderTimeoutError'
  /** The limit that ran out, ms. */
  declare readonly timeoutMs: number
  constructor(request: ProviderRequestDetails, timeoutMs: number) {
    super('PROVIDER_TIMEOUT', request, 'took too long', {
      expected: `the whole answer within ${timeoutMs} ms (option timeout)`
    })
    this.timeoutMs = timeoutMs
  }
}

/** A provider's answer is not of the shape that its interface promises. */
export class ProviderResponseError extends LayerSdkError<'PROVIDER_RESPONSE'> {
  override readonly name = 'ProviderResponseError'
  /** Origin and path of the request: no query, no credentials. */
  declare readonly url: string
  /** The field that is missing or wrong, e.g. `amount.quantity`; empty for the answer as a whole. */
  declare readonly field: string
  constructor(url: string, field: string, expected: string, got: string, cause?: unknown) {
    super('PROVIDER_RESPONSE', `The answer of ${url} cannot be used.`, {
      expected: field === '' ? expected : `${expected} in the field ${field}`,
      got,
      cause
    })
    this.url = url
    this.field = field
  }
}

/**
 * The answer to a submission was lost and the transaction is not known (yet); or it was refused, perhaps because it is
 * known already, and its id could not be looked up. It may still be included: look up its id later, or submit the same
 * bytes again, which cannot spend twice.
 */
export class SubmitOutcomeUnknownError extends LayerSdkError<'PROVIDER_SUBMIT_UNKNOWN'> {
  override readonly name = 'SubmitOutcomeUnknownError'
  /** It may still be included. */
  override readonly outcome = 'unknown'
  /** Transaction id: hex, 64 characters. */
  declare readonly txId: string
  constructor(txId: string, cause: unknown) {
    super('PROVIDER_SUBMIT_UNKNOWN', `Transaction ${txId} was sent, but no answer says whether it was accepted.`, {
      expected: 'you to look up the id later, or to submit the same transaction again: it cannot be included twice',
      cause
    })
    this.txId = txId
  }
}

/** A provider cannot answer a kind of question at all: its service has no such request. */
export class ProviderUnsupportedError extends LayerSdkError<'PROVIDER_UNSUPPORTED'> {
  override readonly name = 'ProviderUnsupportedError'
  /** The transaction was not sent. */
  override readonly outcome = 'none'
  /** The provider's class. */
  declare readonly provider: string
  constructor(provider: string, what: string, instead: string) {
    super('PROVIDER_UNSUPPORTED', `A ${provider} cannot ${what}.`, { expected: instead })
    this.provider = provider
  }
}

/** The providers that a {@link FallbackProvider} compares gave different answers. */
export class ProvidersDisagreeError extends LayerSdkError<'PROVIDERS_DISAGREE'> {
  override readonly name = 'ProvidersDisagreeError'
  /** The call, such as `fetchAssetUTxOs`. */
  declare readonly call: string
  constructor(call: string, got: string) {
    super('PROVIDERS_DISAGREE', `The providers give different answers to ${call}.`, {
      expected: 'the same answer of each (option agree), or the same call again once both have the newest block',
      got
    })
    this.call = call
  }
}

/** Every provider of a {@link FallbackProvider} failed. */
export class ProvidersExhaustedError extends LayerSdkError<'PROVIDERS_EXHAUSTED'> {
  override readonly name = 'ProvidersExhaustedError'
  /** Errors of the providers, in the order of the calls. `cause` is the last. */
  declare readonly errors: readonly unknown[]
  constructor(errors: readonly unknown[]) {
    super('PROVIDERS_EXHAUSTED', `All ${errors.length} providers failed.`, {
      got: errors.map((error) => (error instanceof Error ? error.name : 'an unknown failure')).join(', '),
      cause: errors[errors.length - 1]
    })
    this.errors = errors
  }
}
