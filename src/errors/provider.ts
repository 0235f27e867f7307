import type { ErrorDetails } from './base.js'
import { LayerSdkError } from './base.js'
import type { LayerErrorCode } from './codes.js'

export { ProviderRpcError, SubmitRejectedError } from './refusal.js'
export type { ProviderRequestError }

/** The failed request. `url` is origin and path, without query, credentials and token. */
export interface ProviderRequestDetails {
  /** `GET`, `POST`, or the name of an RPC method. */
  method: string
  /** Origin and path of the request: no query, no credentials. */
  url: string
}

/** Base class of errors about a failed request to a provider. */
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

/** A provider answered with an HTTP status that means a failure. Call again after `retryAfterMs`, if given. */
export class ProviderHttpError extends ProviderRequestError<'PROVIDER_HTTP'> {
  override readonly name = 'ProviderHttpError'
  /** HTTP status. */
  declare readonly status: number
  /** Time after which the provider asks to repeat the request, ms; undefined when it states none. */
  declare readonly retryAfterMs: number | undefined
  constructor(status: number, request: ProviderRequestDetails, got: string, retryAfterMs?: number) {
    super('PROVIDER_HTTP', request, `failed with HTTP status ${status}`, { got })
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** A provider refused the API key, or requires one (HTTP 401 and 403). Check the key and its network. */
export class ProviderAuthError extends ProviderRequestError<'PROVIDER_AUTH'> {
  override readonly name = 'ProviderAuthError'
  /** HTTP status: 401 or 403. */
  declare readonly status: number
  constructor(status: number, request: ProviderRequestDetails, got: string) {
    super('PROVIDER_AUTH', request, 'was refused: the key is missing, wrong, or not for this network', { got })
    this.status = status
  }
}

/** The connection to a provider failed, or was lost before the whole answer came. Check its address, and call again. */
export class ProviderNetworkError extends ProviderRequestError<'PROVIDER_NETWORK'> {
  override readonly name = 'ProviderNetworkError'
  /** The system's code, e.g. `ECONNREFUSED`, where the runtime reports it. */
  declare readonly reason: string
  constructor(request: ProviderRequestDetails, reason: string) {
    super('PROVIDER_NETWORK', request, 'got no answer', { got: reason })
    this.reason = reason
  }
}

/** The whole answer of a provider did not arrive in time. Call again, with a longer `timeout` if it is slow. */
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

/** A provider's answer does not have the expected form. Check that the URL belongs to a provider of this kind. */
export class ProviderResponseError extends LayerSdkError<'PROVIDER_RESPONSE'> {
  override readonly name = 'ProviderResponseError'
  /** Origin and path of the request: no query, no credentials. */
  declare readonly url: string
  /** Name of the missing or wrong field, e.g. `amount.quantity`; empty when the whole answer is wrong. */
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
 * It is unknown if a submitted transaction was accepted. Either the answer was lost and the transaction is not found
 * (yet), or it was refused, perhaps because it is known already, and its id could not be looked up. It may still be
 * included: look up its id later, or submit the same bytes again, which cannot spend twice.
 */
export class SubmitOutcomeUnknownError extends LayerSdkError<'PROVIDER_SUBMIT_UNKNOWN'> {
  override readonly name = 'SubmitOutcomeUnknownError'
  /** Always `'unknown'`: the transaction may still be included. */
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

/** A provider's service does not have such a request. Use the provider or option that the message names. */
export class ProviderUnsupportedError extends LayerSdkError<'PROVIDER_UNSUPPORTED'> {
  override readonly name = 'ProviderUnsupportedError'
  /** The transaction was not sent. */
  override readonly outcome = 'none'
  /** Name of the provider's class. */
  declare readonly provider: string
  constructor(provider: string, what: string, instead: string) {
    super('PROVIDER_UNSUPPORTED', `A ${provider} cannot ${what}.`, { expected: instead })
    this.provider = provider
  }
}

/** Providers of a {@link FallbackProvider} gave different answers. Call again when all have the newest block. */
export class ProvidersDisagreeError extends LayerSdkError<'PROVIDERS_DISAGREE'> {
  override readonly name = 'ProvidersDisagreeError'
  /** Name of the call, such as `fetchAssetUTxOs`. */
  declare readonly call: string
  constructor(call: string, got: string) {
    super('PROVIDERS_DISAGREE', `The providers give different answers to ${call}.`, {
      expected: 'the same answer of each (option agree), or the same call again once both have the newest block',
      got
    })
    this.call = call
  }
}

/** All providers of a {@link FallbackProvider} failed; `errors` has the failure of each. */
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
