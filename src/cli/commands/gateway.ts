import { readFileSync } from 'node:fs'
import { isLayerError } from '../../errors/base.js'
import { createGateway, redisLog } from '../../gateway/index.js'
import type {
  Gateway,
  GatewayAuth,
  GatewayHead,
  GatewayLog,
  GatewayOptions,
  GatewayScope
} from '../../gateway/index.js'
import { now, sleep } from '../../net/timers.js'
import { sentenceOf } from './gatewayUsage.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseOptions, UsageError, wholeNumberOption } from '../usage.js'

const TEXT = { type: 'string' } as const
const LIST = { type: 'string', multiple: true } as const
const FLAG = { type: 'boolean' } as const
const OPTIONS = {
  head: LIST,
  port: TEXT,
  host: TEXT,
  redis: TEXT,
  role: TEXT,
  'jwt-secret-file': TEXT,
  'jwt-public-key': TEXT,
  jwks: TEXT,
  issuer: TEXT,
  audience: TEXT,
  anonymous: TEXT,
  origin: LIST,
  'public-host': LIST,
  'metrics-port': TEXT,
  'trust-proxy': FLAG,
  'allow-insecure': FLAG,
  proofs: FLAG,
  'exit-after': TEXT
} as const

const MAX_PORT = 65_535
const MAX_SECONDS = 86_400
/** Interval of the readiness check, ms. */
const POLL_MS = 50
/** Variable with the secret of tokens, instead of a file. No option holds it: lists of processes show arguments. */
const SECRET_VARIABLE = 'LAYER_GATEWAY_JWT_SECRET'
/** Variable with the URL of Redis, for a URL with a password. */
const REDIS_VARIABLE = 'LAYER_GATEWAY_REDIS'

type Values = ReturnType<typeof parseOptions<typeof OPTIONS>>

/** `layer-sdk gateway`: runs a gateway until the user stops it, then finishes open requests (drains) and exits. */
export async function gateway(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const exitAfterSeconds = wholeNumberOption('exit-after', values['exit-after'], MAX_SECONDS)
  const options = byFlag(() => gatewayOptions(values, process.env))
  const report = (message: string): void => terminal.out(message)
  const running = await createGateway({ ...options, readyTimeout: 0, logger: { info: report, warn: report } }).catch(
    rethrowByFlag
  )
  const stopped = terminal.stopped()
  try {
    terminal.out(`layer-sdk gateway ${terminal.version}: ${running.url}`)
    for (const { path } of options.heads) terminal.out(`  head ${path}`)
    if (running.metricsUrl !== null) terminal.out(`  metrics ${running.metricsUrl}`)
    const isReady = await waitUntilReady(running, stopped, exitAfterSeconds ?? Infinity)
    if (isReady) terminal.out('Ready.')
    await stopped
    await running.drain()
  } finally {
    await running.stop()
    await options.log?.close()
  }
  terminal.out('Stopped.')
}

/**
 * Waits until the gateway serves every head, and resolves with true; with false when the user stops it before.
 *
 * @throws {@link CommandFailure} when that is not the case after `seconds`
 */
async function waitUntilReady(running: Gateway, stopped: Promise<unknown>, seconds: number): Promise<boolean> {
  let isStopped = false
  const stopNotice = stopped.then(() => void (isStopped = true))
  for (const ends = now() + seconds * 1_000; running.reasons.length > 0;) {
    if (now() >= ends)
      throw new CommandFailure(`The gateway is not ready after ${seconds} s: ${running.reasons.join('; ')}.`)
    const over = new AbortController()
    await Promise.race([stopNotice, sleep(POLL_MS, over.signal)])
    over.abort()
    if (isStopped) return false
  }
  return true
}

/** Runs `read`, which checks options; an error about an option is rethrown with the name of its flag. */
function byFlag<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return rethrowByFlag(error)
  }
}

function rethrowByFlag(error: unknown): never {
  const sentence = isLayerError(error, 'INPUT_ARGUMENT') ? sentenceOf(error) : undefined
  throw sentence === undefined ? error : new UsageError(sentence)
}

/** Converts the flags of the program to options of `createGateway`. @throws {@link UsageError} */
function gatewayOptions(values: Values, env: Readonly<Record<string, string | undefined>>): GatewayOptions {
  if (values.head === undefined)
    throw new UsageError('--head is missing: the head to serve and its node, e.g. --head ws://127.0.0.1:4001.')
  const auth = authOf(values, env)
  const metricsPort = wholeNumberOption('metrics-port', values['metrics-port'], MAX_PORT)
  const port = wholeNumberOption('port', values.port, MAX_PORT)
  const log = logOf(values, env)
  return {
    ...(log === undefined ? {} : { log }),
    ...(values.role === undefined ? {} : { role: values.role as 'core' | 'edge' | 'both' }),
    heads: values.head.map(headOf),
    ...(port === undefined ? {} : { port }),
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(auth === undefined ? {} : { auth }),
    ...(values.anonymous === undefined
      ? {}
      : { anonymous: values.anonymous.split(/[ ,]+/).filter((scope) => scope !== '') as GatewayScope[] }),
    ...(values.origin === undefined ? {} : { origins: values.origin }),
    ...(values['public-host'] === undefined ? {} : { hosts: values['public-host'] }),
    ...(metricsPort === undefined ? {} : { metrics: { port: metricsPort } }),
    trustProxy: values['trust-proxy'] === true,
    allowInsecure: values['allow-insecure'] === true,
    proofs: values.proofs === true
  }
}

function logOf({ redis }: Values, env: Readonly<Record<string, string | undefined>>): GatewayLog | undefined {
  if (redis !== undefined && /^[^/]*\/\/[^/]*@/.test(redis))
    throw new UsageError(
      `--redis takes no password, for arguments show in lists of processes: put the URL into ${REDIS_VARIABLE}.`
    )
  const url = redis ?? env[REDIS_VARIABLE]
  return url === undefined ? undefined : redisLog({ url })
}

/** Parses `--head`: `PATH=URL`, or a URL alone, which is served at `/`. */
function headOf(text: string): GatewayHead {
  const parts = /^(\/[^=]*)=(.+)$/s.exec(text)
  return parts === null ? { path: '/', upstream: text } : { path: parts[1]!, upstream: parts[2]! }
}

function authOf(values: Values, env: Readonly<Record<string, string | undefined>>): GatewayAuth | undefined {
  const { issuer, audience, jwks } = values
  const secretFile = values['jwt-secret-file']
  const keyFile = values['jwt-public-key']
  const secret = secretFile === undefined ? env[SECRET_VARIABLE] : readSecret('jwt-secret-file', secretFile)
  const claims = { ...(issuer === undefined ? {} : { issuer }), ...(audience === undefined ? {} : { audience }) }
  const keySources = [secret, keyFile, jwks].filter((key) => key !== undefined)
  if (keySources.length > 1)
    throw new UsageError(`Give one of --jwt-secret-file (or ${SECRET_VARIABLE}), --jwt-public-key and --jwks.`)
  if (secret !== undefined) return { secret, algorithms: ['HS256', 'HS384', 'HS512'], ...claims }
  if (jwks !== undefined) return { jwksUrl: jwks, algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'], ...claims }
  if (keyFile === undefined) return undefined
  const publicKey = readSecret('jwt-public-key', keyFile)
  return { publicKey, algorithms: [algorithmOf(publicKey)], ...claims }
}

/** Returns the JWT algorithm for a public key in PEM, by the object identifier that it contains. */
function algorithmOf(pem: string): string {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64').toString('hex')
  if (der.includes('06032b6570')) return 'EdDSA'
  if (der.includes('06082a8648ce3d030107')) return 'ES256'
  if (der.includes('06092a864886f70d010101')) return 'RS256'
  throw new UsageError('--jwt-public-key needs a public key of Ed25519, P-256 or RSA in PEM.')
}

function readSecret(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(
      `--${option}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`
    )
  }
}
