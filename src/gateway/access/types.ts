/** Scope of a client: read, pay, or command the head. */
export type GatewayScope = 'read' | 'submit' | 'admin'

/** How tokens (JWT) are checked: one of `secret`, `publicKey` and `jwksUrl`. */
export interface GatewayAuth {
  /** Shared secret of HS256, HS384 and HS512, at least 32 bytes. */
  readonly secret?: string | Uint8Array
  /** Public key: PEM (SPKI). */
  readonly publicKey?: string
  /** URL of a key set (JWKS): `https://`, or this machine. */
  readonly jwksUrl?: string
  /** Algorithms that a token may name; all others are rejected. */
  readonly algorithms: readonly string[]
  /** `iss` that a token has to have. */
  readonly issuer?: string
  /** `aud` that a token has to have. */
  readonly audience?: string
}

/** Access that the token of a client, or its absence, grants. */
export interface Access {
  /** Subject of the token; null without one. */
  readonly subject: string | null
  readonly scopes: ReadonlySet<GatewayScope>
  /** Paths of the heads; null: all. */
  readonly heads: readonly string[] | null
  /** The only addresses; null: all. */
  readonly addresses: ReadonlySet<string> | null
  /** When the token ends, tolerance included, s since the Unix epoch; null without a token. */
  readonly expiresAt: number | null
}

/** Why access is refused. */
export type AccessRefusal = 'unauthorized' | 'forbidden'

/** Reads tokens. */
export interface Authenticator {
  /** Returns the access that a token grants, or a refusal without its reason. */
  access(token: string | undefined): Promise<Access | AccessRefusal>
}
