import type { BaseChain } from './BaseChain.js'

/** A request to one face of the base ledger, its path without the prefix. */
export interface FaceRequest {
  readonly method: string
  /** Decoded segments of the path; empty ones at its start are left out, as clients double the slash there. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Empty when there is none. */
  readonly body: Uint8Array
}

/** Its answer. */
export interface FaceReply {
  /** HTTP status. */
  readonly status: number
  /** The body as text. */
  readonly body: string
  /** Headers besides the content type. */
  readonly headers?: Readonly<Record<string, string>>
  /** `null`: the answer names none. @default 'application/json' */
  readonly contentType?: string | null
}

/** A face of the base ledger: it never rejects. */
export type AnswerFace = (request: FaceRequest, chain: BaseChain) => Promise<FaceReply>
