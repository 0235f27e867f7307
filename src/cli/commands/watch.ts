import { readFileSync, statSync } from 'node:fs'
import { parseJson } from '../../codec/json.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import type { AlertRule, AlertState, HeadAlert, WatchedHead } from '../../doctor/inner.js'
import { readRules, watchHeadAlerts } from '../../doctor/inner.js'
import { AlertRulesError } from '../../errors/doctor.js'
import { JournalLockedError } from '../../errors/journal.js'
import { acquireLock } from '../../journal/inner.js'
import { sleep } from '../../net/timers.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, ExitWithCode, notOneOf, parseCommand, UsageError } from '../usage.js'
import { readIfThere, replaceFile } from '../watch/durableFile.js'
import { assertWebhookUrl, postJson } from '../watch/postJson.js'
import { runProgram } from '../watch/runProgram.js'
import { WebhookQueue } from '../watch/WebhookQueue.js'
import { providerOfFile } from './doctor.js'
import { DEFAULT_URL } from './headConnection.js'
import { headKeysOf } from './headKeys.js'

const TEXT = { type: 'string' } as const
const OPTIONS = {
  url: { type: 'string', multiple: true },
  rules: TEXT,
  state: TEXT,
  webhook: TEXT,
  'webhook-secret-file': TEXT,
  exec: TEXT,
  until: TEXT,
  'fail-on': TEXT,
  keys: TEXT,
  provider: TEXT,
  fuel: TEXT,
  json: { type: 'boolean' }
} as const
type Values = ReturnType<typeof parseCommand<typeof OPTIONS>>['values']

const MAX_RULES_BYTES = 1_024 * 1_024
const MIN_SECRET_BYTES = 32
const SEVERITIES: readonly HeadAlert['severity'][] = ['info', 'warning', 'critical']
const UNTIL_REACHED = 4
const ALERT_FIRED = 5
/** Interval at which due lines of the webhook queue are sent, ms. */
const QUEUE_MS = 1_000
/** Longest time for sending the queued lines when the watch ends, ms. The others stay in the file for the next run. */
const LAST_DRAIN_MS = 10_000

/** `layer-sdk watch`: prints alerts about heads until the user or an option (`--until`, `--fail-on`) ends it. */
export async function watchCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  if (positionals.length > 0 && values.exec === undefined)
    throw new UsageError(`Unexpected argument '${positionals[0]}'.`)
  const rules = values.rules === undefined ? [] : rulesOf(values.rules)
  const names = namesOf(rules)
  const { until, 'fail-on': failOn } = values
  if (until !== undefined && !names.includes(until))
    throw new UsageError(`--until needs the name of a rule, one of ${names.join(', ')}.`)
  if (failOn !== undefined && !(SEVERITIES as readonly string[]).includes(failOn))
    throw notOneOf('--fail-on', SEVERITIES, failOn)
  const { state: path } = values
  if (path === undefined && (values.webhook !== undefined || values.exec !== undefined))
    throw new UsageError(
      '--webhook and --exec need --state FILE: it records the alerts that were sent and the commands that were started.'
    )
  const secret = values.webhook === undefined ? null : secretOf(values)
  const heads = headsOf(values)
  const release = path === undefined ? null : await lock(path)
  try {
    const queue = path === undefined ? null : queueOf(path, values.webhook ?? '', secret, terminal)
    const exitCode = await run({ heads, rules, path, queue, values, positionals }, terminal)
    if (exitCode !== 0) throw new ExitWithCode(exitCode)
  } finally {
    await release?.()
  }
}

interface Run {
  readonly heads: readonly WatchedHead[]
  readonly rules: readonly AlertRule[]
  readonly path: string | undefined
  readonly queue: WebhookQueue | null
  readonly values: Values
  readonly positionals: readonly string[]
}

async function run({ heads, rules, path, queue, values, positionals }: Run, terminal: Terminal): Promise<number> {
  const over = new AbortController()
  let exitCode = 0
  const end = (code: number): void => {
    exitCode ||= code
    over.abort()
  }
  void terminal.stopped().then(() => end(0))
  const programs = new Set<Promise<void>>()
  const start = (alert: HeadAlert): void => {
    if (values.exec === undefined || alert.state !== 'firing' || queue?.startOnce(alert.id) !== true) return
    const running = runProgram([values.exec, ...positionals], JSON.stringify(alert)).then((reason) => {
      programs.delete(running)
      if (reason !== null) terminal.error(`The program of --exec for ${alert.rule}: ${reason}.`)
    })
    programs.add(running)
  }
  const posting = values.webhook === undefined || queue === null ? null : drain(queue, over.signal)
  posting?.catch(() => over.abort())
  await watchHeadAlerts({
    heads,
    rules,
    ...(path === undefined ? {} : { state: stateOf(path) }),
    signal: over.signal,
    sink: {
      send(alert) {
        // On the disk before it counts as sent; printed twice rather than never.
        if (values.webhook !== undefined) queue?.add(alert)
        terminal.out(JSON.stringify(alert))
        start(alert)
        const isFiring = alert.state === 'firing'
        if (isFiring && alert.rule === values.until) end(UNTIL_REACHED)
        if (isFiring && isAsHeavy(alert, values['fail-on'])) end(ALERT_FIRED)
        return Promise.resolve()
      }
    }
  })
  await posting
  if (posting !== null) await queue?.drain(AbortSignal.timeout(LAST_DRAIN_MS))
  await Promise.all(programs)
  return exitCode
}

const isAsHeavy = ({ severity }: HeadAlert, least: string | undefined): boolean =>
  least !== undefined && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least as HeadAlert['severity'])

/** Checks the rules and returns their names. @throws UsageError that lists every wrong rule */
function namesOf(rules: readonly AlertRule[]): string[] {
  try {
    return readRules(rules).map(({ name }) => name)
  } catch (error) {
    if (error instanceof AlertRulesError)
      throw new UsageError(`The rules cannot be used: ${error.problems.join('; ')}.`)
    throw error
  }
}

/** Sends the queued lines, again and again, until the watch ends. */
async function drain(queue: WebhookQueue, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await queue.drain(signal)
    await sleep(QUEUE_MS, signal).catch(() => undefined)
  }
}

function headsOf({ url, keys, provider, fuel }: Values): WatchedHead[] {
  const urls = url ?? [process.env['LAYER_URL'] ?? DEFAULT_URL]
  const fetcher = provider === undefined ? undefined : providerOfFile(provider)
  const parties = keys === undefined ? undefined : headKeysOf(keys)
  return urls.map((node, i) => ({
    node,
    ...(parties === undefined ? {} : { parties }),
    // The wallet is that of the own node, which comes first.
    ...(i === 0 && fetcher !== undefined ? { provider: fetcher } : {}),
    ...(i === 0 && fuel !== undefined ? { fuelAddress: fuel } : {})
  }))
}

const stateOf = (path: string): AlertState => ({
  load: () => Promise.resolve(readIfThere(path)),
  save: (text) => Promise.resolve(replaceFile(path, text))
})

/**
 * Locks the state file; resolves with a function that unlocks it.
 *
 * @throws CommandFailure when a process has locked it
 */
async function lock(path: string): Promise<() => Promise<void>> {
  try {
    return await acquireLock(`${path}.lock`, path)
  } catch (error) {
    if (error instanceof JournalLockedError) throw new CommandFailure(`The state ${path} is in use by ${error.holder}.`)
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new CommandFailure(`The file ${path}.lock cannot be written (${code}).`)
  }
}

function queueOf(path: string, url: string, secret: Uint8Array | null, terminal: Terminal): WebhookQueue {
  return new WebhookQueue({
    path: `${path}.queue`,
    url,
    secret: secret ?? new Uint8Array(MIN_SECRET_BYTES),
    now: Date.now,
    post: postJson,
    onLoss: (text) => terminal.error(text)
  })
}

function rulesOf(path: string): AlertRule[] {
  const text = readText(path, MAX_RULES_BYTES)
  try {
    return parseJson(text) as AlertRule[]
  } catch {
    throw new CommandFailure(
      `The file ${path} is not JSON: expected a list of rules, e.g. [{"on": "fuel-low", "for": 60000}].`
    )
  }
}

/** Reads the webhook's secret from a file or a variable, never an argument. No error repeats it. @throws UsageError */
function secretOf({ webhook, 'webhook-secret-file': file }: Values): Uint8Array {
  assertWebhookUrl(webhook!)
  const text = file === undefined ? process.env['LAYER_WEBHOOK_SECRET'] : readText(file, MAX_RULES_BYTES)
  if (text === undefined || text === '')
    throw new UsageError(
      '--webhook-secret-file is missing: a file of at least 32 bytes. LAYER_WEBHOOK_SECRET can hold them instead.'
    )
  const secret = utf8ToBytes(text.trim())
  if (secret.length < MIN_SECRET_BYTES)
    throw new UsageError(`The secret of the webhook needs at least ${MIN_SECRET_BYTES} bytes, not ${secret.length}.`)
  return secret
}

function readText(path: string, maxBytes: number): string {
  try {
    if (statSync(path).size > maxBytes) throw new CommandFailure(`The file ${path} is larger than ${maxBytes} bytes.`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`)
  }
}
