import { STANDARD_INPUT } from '../recording/readBytes.js'
import { replayRecording as replayFile } from '../recording/replay/replay.js'
import { notUnderstood } from '../recording/replay/report.js'
import { jsonReport, plainReport } from '../recording/replay/reportText.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseCommand, UsageError } from '../usage.js'
import { headKeysOf } from './headKeys.js'

const FLAG = { type: 'boolean' } as const
const OPTIONS = { url: { type: 'string' }, keys: { type: 'string' }, all: FLAG, check: FLAG, json: FLAG } as const

/**
 * `layer-sdk replay`: runs the messages of a recording, an export, a log or a node's history through decoder,
 * verification and bridge, and reports those that were not understood or do not verify.
 */
export async function replay(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const [path, ...more] = positionals
  if ((path === undefined) === (values.url === undefined) || more.length > 0)
    throw new UsageError('replay needs one FILE, or --url of a node.')
  if (path === STANDARD_INPUT) throw new UsageError('replay reads its FILE twice: the standard input cannot be one.')
  const stop = new AbortController()
  void terminal.stopped().then(() => stop.abort(new CommandFailure('The replay was ended.')))
  const source = path ?? { url: values.url!, signal: stop.signal }
  const report = await replayFile(source, { keys: values.keys === undefined ? null : headKeysOf(values.keys) })
  const shown = { all: values.all === true, check: values.check === true }
  terminal.out(values.json === true ? JSON.stringify(jsonReport(report, shown)) : plainReport(report, shown))
  const count = notUnderstood(report)
  if (count > 0)
    throw new CommandFailure(
      `${count} ${count === 1 ? 'thing was' : 'things were'} not understood or ${count === 1 ? 'does' : 'do'} not hold.`
    )
}
