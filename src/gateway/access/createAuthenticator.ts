import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { byType } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { isLoopback } from '../../net/loopback.js'
import { loadPackage } from '../../net/loadPackage.js'
import type { Access, AccessRefusal, Authenticator, GatewayAuth, GatewayScope } from './types.js'

const SCOPES: readonly string[] = ['read', 'submit', 'admin'] satisfies GatewayScope[]
/** Difference of clocks that is allowed, s. */
const TOLERANCE_S = 30
const MIN_SECRET_BYTES = 32
/** Shortest time between two fetches of a key set, ms. */
const JWKS_COOLDOWN_MS = 30_000
/** Longest token that is verified; longer ones are refused. */
const MAX_TOKEN_CHARACTERS = 8_192

type Jose = typeof import('jose')

/**
 * Creates the authenticator, which verifies tokens with `jose`. Without `auth` every client has the scopes `anonymous`.
 *
 * @throws {@link PackageMissingError} without `jose`. @throws {@link InvalidArgumentError} when keys or algorithms
 * cannot be used
 */
export async function createAuthenticator(
  auth: GatewayAuth | null,
  anonymous: readonly GatewayScope[]
): Promise<Authenticator> {
  const guest: Access = { subject: null, scopes: new Set(anonymous), heads: null, addresses: null, expiresAt: null }
  if (auth === null) return { access: async () => guest }
  const jose = await loadPackage('jose', () => import('jose'))
  const getKey = await keyOf(auth, jose)
  const options = {
    algorithms: [...auth.algorithms],
    clockTolerance: TOLERANCE_S,
    requiredClaims: ['exp'],
    ...(auth.issuer === undefined ? {} : { issuer: auth.issuer }),
    ...(auth.audience === undefined ? {} : { audience: auth.audience })
  }
  return {
    async access(token) {
      if (token === undefined) return anonymous.length > 0 ? guest : 'unauthorized'
      if (token.length > MAX_TOKEN_CHARACTERS) return 'unauthorized'
      try {
        const { payload } = await jose.jwtVerify(token, getKey, options)
        return accessOf(payload)
      } catch {
        // The client never learns the reason.
        return 'unauthorized'
      }
    }
  }
}

async function keyOf(auth: GatewayAuth, jose: Jose): Promise<JWTVerifyGetKey> {
  const { secret, publicKey, jwksUrl, algorithms } = auth
  const keySources = [secret, publicKey, jwksUrl].filter((key) => key !== undefined)
  if (keySources.length !== 1)
    throw new InvalidArgumentError('auth', 'one of secret, publicKey and jwksUrl', keySources.length)
  const isHmac = secret !== undefined
  const isUsable =
    Array.isArray(algorithms) &&
    algorithms.length > 0 &&
    algorithms.every((name) => /^(HS|RS|PS|ES)(256|384|512)$|^EdDSA$|^Ed25519$/.test(name))
  // A public key that serves as a shared secret would let any client sign.
  if (!isUsable || !algorithms.every((name) => name.startsWith('HS') === isHmac))
    throw new InvalidArgumentError(
      'auth.algorithms',
      isHmac ? 'HS256, HS384 or HS512 for a secret' : 'algorithms with public keys, such as ES256',
      algorithms
    )
  if (secret !== undefined) {
    const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret
    if (!(bytes instanceof Uint8Array) || bytes.length < MIN_SECRET_BYTES)
      throw new InvalidArgumentError('auth.secret', `at least ${MIN_SECRET_BYTES} bytes`, byType(secret))
    return async () => bytes
  }
  if (publicKey !== undefined) {
    const [algorithm = ''] = algorithms
    const key = await jose.importSPKI(publicKey, algorithm).catch((cause: unknown) => {
      throw new InvalidArgumentError(
        'auth.publicKey',
        `a public key in PEM (SPKI) for ${algorithm}`,
        byType(publicKey),
        cause
      )
    })
    return async () => key
  }
  return remoteKeys(jwksUrl!, jose)
}

/** Returns the keys of a JWKS URL. While the URL cannot be reached, the keys of its last answer are used. */
function remoteKeys(jwksUrl: string, jose: Jose): JWTVerifyGetKey {
  const url = URL.canParse(jwksUrl) ? new URL(jwksUrl) : null
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    throw new InvalidArgumentError('auth.jwksUrl', 'a URL beginning with https://', byType(jwksUrl))
  const keys = jose.createRemoteJWKSet(url, {
    cooldownDuration: JWKS_COOLDOWN_MS,
    cacheMaxAge: Infinity,
    timeoutDuration: 5_000
  })
  return (header, token) => keys(header, token)
}

function accessOf({ sub, scope, heads, addresses, exp }: JWTPayload): Access | AccessRefusal {
  const scopes =
    typeof scope === 'string' ? scope.split(' ').filter((name): name is GatewayScope => SCOPES.includes(name)) : []
  const isList = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((item) => typeof item === 'string')
  // A claim of another form grants no access: ignored, it would grant access to all heads or addresses.
  if ((heads !== undefined && !isList(heads)) || (addresses !== undefined && !isList(addresses))) return 'forbidden'
  return {
    subject: typeof sub === 'string' ? sub : null,
    scopes: new Set(scopes),
    heads: heads === undefined ? null : (heads as string[]),
    addresses: addresses === undefined ? null : new Set(addresses as string[]),
    expiresAt: exp! + TOLERANCE_S
  }
}
