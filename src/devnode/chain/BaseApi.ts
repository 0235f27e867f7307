import type { BaseChain } from './BaseChain.js'

/** A request to one interface (face) of the base ledger, such as Kupo's; its path is without the prefix. */
export interface BaseApiRequest {
  readonly method: string
  /** Decoded segments of the path; empty ones at its start are left out, as clients double the slash there. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Empty when there is none. */
  readonly body: Uint8Array
}

/** The answer to a {@link BaseApiRequest}. */
export interface BaseApiReply {
  /** HTTP status. */
  readonly status: number
  /** The body as text. */
  readonly body: string
  /** Headers besides the content type. */
  readonly headers?: Readonly<Record<string, string>>
  /** Content type; `null` sends none. @default 'application/json' */
  readonly contentType?: string | null
}

/** Answers the requests to one interface of the base ledger; never rejects. */
export type BaseApi = (request: BaseApiRequest, chain: BaseChain) => Promise<BaseApiReply>
