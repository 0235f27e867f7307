import { stringifyJson } from '../../codec/json.js'
import type { ExportSummary } from '../../doctor/inner.js'
import { exportEvents } from '../../doctor/inner.js'
import { isLayerError } from '../../errors/base.js'
import { isWrongUsage } from '../failure.js'
import { MAX_LINE_BYTES } from '../recording/format.js'
import { STANDARD_INPUT } from '../recording/readBytes.js'
import { logLines } from '../recording/readEvents.js'
import { readLines } from '../recording/readLines.js'
import { withoutSecrets } from '../recording/withoutSecrets.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, ExitWithCode, inOneLine, parseOptions, UsageError } from '../usage.js'
import { DEFAULT_URL } from './headConnection.js'

const OPTIONS = {
  url: { type: 'string' },
  log: { type: 'string' },
  after: { type: 'string' },
  heads: { type: 'string', multiple: true },
  follow: { type: 'boolean' },
  'no-gaps': { type: 'boolean' },
  json: { type: 'boolean' }
} as const

/** Exit code of an export that a gap ended. */
const GAP = 3

/** `layer-sdk export`: writes the events of a head, one a line, each with a cursor from which an export can resume. */
export async function exportCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const { log, after, follow = false } = values
  if (log !== undefined && values.url !== undefined) throw new UsageError('--url and --log exclude each other.')
  if (log !== undefined && follow)
    throw new UsageError('--follow is for a node; a log is followed by: tail -n +1 -F FILE | layer-sdk export --log -')
  const stop = new AbortController()
  void terminal.stopped().then(() => stop.abort())
  const notes = { isTorn: false }
  const url = values.url ?? process.env['LAYER_URL'] ?? DEFAULT_URL
  const lines = log === undefined ? null : logLines(readLines(log, MAX_LINE_BYTES), () => void (notes.isTorn = true))
  const events = exportEvents({
    source: lines === null ? url : { log: lines },
    signal: stop.signal,
    follow,
    ...(after === undefined ? {} : { after }),
    ...(values.heads === undefined ? {} : { heads: headsOf(values.heads) })
  })
  let hasGap = false
  try {
    for await (const event of events) {
      // Without secrets that a node repeats, such as those of a configuration.
      terminal.out(withoutSecrets(stringifyJson(event)))
      hasGap = event.kind === 'gap'
      if (hasGap && values['no-gaps'] === true) break
    }
  } catch (error) {
    if (error !== stop.signal.reason)
      throw explained(error, log, values.url === undefined && log === undefined ? url : null)
  }
  const summary = events.summary()
  if (values.json === true) terminal.error(JSON.stringify({ summary: { ...summary, torn: notes.isTorn } }))
  else for (const line of summaryLines(summary, notes.isTorn)) terminal.error(line)
  if (hasGap && values['no-gaps'] === true) throw new ExitWithCode(GAP)
}

function headsOf(texts: readonly string[]): string[] {
  const heads = texts.flatMap((text) => text.split(',')).map((each) => each.trim())
  const wrong = heads.find((each) => !/^[\da-f]{2,128}$/i.test(each))
  if (wrong !== undefined)
    throw new UsageError(`--heads needs ids of heads in hex, with commas between, not "${wrong}".`)
  return heads
}

/**
 * Returns the error to report: one sentence when the file `log` cannot be read or the default node (`defaultUrl`)
 * failed, else the error unchanged.
 */
function explained(error: unknown, log: string | undefined, defaultUrl: string | null): unknown {
  const { code } = (error ?? {}) as { code?: unknown }
  if (log !== undefined && typeof code === 'string' && !isLayerError(error)) {
    const name = log === STANDARD_INPUT ? 'standard input' : `file ${log}`
    if (code.startsWith('Z_')) return new CommandFailure(`The ${name} was packed by gzip and is cut short or damaged.`)
    if (/^E[A-Z]+$/.test(code)) return new CommandFailure(`The ${name} cannot be read (${code}).`)
  }
  if (defaultUrl === null || isWrongUsage(error) || process.env['LAYER_URL'] !== undefined) return error
  return new CommandFailure(
    `${inOneLine(error)} The node was ${defaultUrl}, the default: name the node with --url or LAYER_URL.`,
    error
  )
}

/** Returns a line for each kind of problem of an export: gaps, unknown tags, unreadable lines, a cut last line. */
function summaryLines({ events, gaps, unknownTags, unreadable }: ExportSummary, isTorn: boolean): string[] {
  const tags = Object.entries(unknownTags).map(([tag, count]) => `${tag} ${count} times`)
  const { count, lines } = unreadable
  const more = count > lines.length ? ` and ${count - lines.length} more` : ''
  return [
    ...(gaps === 0 ? [] : [`${gaps} of ${events} lines ${gaps === 1 ? 'is a gap' : 'are gaps'}.`]),
    ...(tags.length === 0 ? [] : [`Unknown tags: ${tags.join(', ')}.`]),
    ...(count === 0 ? [] : [`Lines that cannot be read: ${lines.join(', ')}${more}.`]),
    ...(isTorn ? ['The last line is cut short and was left out.'] : [])
  ]
}
