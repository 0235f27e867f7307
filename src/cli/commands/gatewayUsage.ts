import type { InvalidArgumentError } from '../../errors/input.js'

/** Sentences about flags, with examples, by the `createGateway` option that each flag sets. */
const SENTENCES: Readonly<Record<string, string>> = {
  heads:
    '--head names two heads that clients could not tell apart: give each a path of its own, e.g. --head /games=ws://127.0.0.1:4001 --head /shop=ws://127.0.0.1:4002.',
  'heads.path': '--head needs a path of letters, digits, "-" and "_", e.g. --head /games=ws://127.0.0.1:4001.',
  upstream: '--head needs the WebSocket URL of a node, e.g. --head ws://127.0.0.1:4001.',
  host: '--host needs an address to listen on, e.g. --host 127.0.0.1.',
  role: '--role needs core, edge or both, e.g. --role edge.',
  log: '--role core and --role edge need the Redis where they meet, e.g. --redis redis://127.0.0.1:6379.',
  url: '--redis needs a URL of Redis, e.g. --redis redis://127.0.0.1:6379.',
  auth: '--host of another machine needs tokens: --jwt-secret-file, --jwt-public-key or --jwks, e.g. --jwt-secret-file secret.txt; or --allow-insecure.',
  'auth.secret': '--jwt-secret-file needs a secret of at least 32 bytes, e.g. of: openssl rand -hex 32.',
  'auth.publicKey': '--jwt-public-key needs a public key in PEM, e.g. of: openssl pkey -in key.pem -pubout.',
  'auth.jwksUrl': '--jwks needs the URL of a key set, e.g. --jwks https://login.example/.well-known/jwks.json.',
  anonymous: '--anonymous needs read, submit, or both; admin needs a token, e.g. --anonymous read,submit.',
  hosts: '--public-host needs a name without a port, e.g. --public-host gateway.example.',
  origins: '--origin needs an origin as browsers send it, e.g. --origin https://app.example.'
}

/** Returns the sentence about the flag that sets the option of an error; undefined when no flag sets it. */
export function sentenceOf({ argument }: InvalidArgumentError): string | undefined {
  return Object.hasOwn(SENTENCES, argument) ? SENTENCES[argument] : undefined
}
