/**
 * Permission of a client. `read`: to connect, and to read the head. `submit`: payments, decommits, deposits and their
 * recovery. `admin`: commands for the head itself, such as opening and closing it. None includes another.
 */
export type GatewayScope = 'read' | 'submit' | 'admin'

/**
 * Rules by which tokens (JWT) are verified, with exactly one of `secret`, `publicKey` and `jwksUrl`. A token has to
 * have the claim `exp`. Its claim `scope` holds the scopes, separated by spaces; `sub` is the subject that limits count
 * by; `heads` (paths) and `addresses`, if present, are lists of the only heads and addresses that it grants access to.
 */
export interface GatewayAuth {
  /** Shared secret, at least 32 bytes; for the algorithms HS256, HS384 and HS512, which no other key allows. */
  readonly secret?: string | Uint8Array
  /** Public key: PEM (SPKI). */
  readonly publicKey?: string
  /** URL of a key set (JWKS): `https://`, or `http://` for a loopback host. */
  readonly jwksUrl?: string
  /** Signature algorithms that are accepted, e.g. `ES256`; tokens that name any other are rejected. */
  readonly algorithms: readonly string[]
  /** Required value of the claim `iss` (issuer). */
  readonly issuer?: string
  /** Required value of the claim `aud` (audience). */
  readonly audience?: string
}

/** Access that the token of a client, or its absence, grants. */
export interface Access {
  /** Subject of the token; null without one. */
  readonly subject: string | null
  readonly scopes: ReadonlySet<GatewayScope>
  /** Paths of the heads that the client may use; null: all. */
  readonly heads: readonly string[] | null
  /** The only addresses whose outputs the client may see; null: all. */
  readonly addresses: ReadonlySet<string> | null
  /** When the token ends, tolerance included, s since the Unix epoch; null without a token. */
  readonly expiresAt: number | null
}

/** Reason of a refusal. `unauthorized`: the token is missing or not valid. `forbidden`: a claim of it is malformed. */
export type AccessRefusal = 'unauthorized' | 'forbidden'

/** Verifies the tokens of clients. */
export interface Authenticator {
  /** Returns the access that a token grants, or a refusal without its reason. */
  access(token: string | undefined): Promise<Access | AccessRefusal>
}
