import { WebsocketConnector } from '../../bridge/index.js'
import { FORMAT_VERSION } from '../recording/format.js'
import { Recorder } from '../recording/Recorder.js'
import { RecordingFile } from '../recording/RecordingFile.js'
import type { Terminal } from '../terminal.js'
import { parseOptions, UsageError, wholeNumberOption } from '../usage.js'
import { NODE_OPTIONS, timeoutOf } from './headConnection.js'

const OPTIONS = {
  ...NODE_OPTIONS,
  out: { type: 'string' },
  seconds: { type: 'string' },
  until: { type: 'string' },
  history: { type: 'boolean' }
} as const

const MAX_SECONDS = 2_000_000

/** `layer-sdk record`: writes a node's messages and its answers to requests into a file, without secrets. */
export async function record(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const { url, out, until = null } = values
  if (url === undefined) throw new UsageError('--url is missing: the address of the node, e.g. ws://127.0.0.1:4001.')
  if (out === undefined) throw new UsageError('--out is missing: the file to write, e.g. head.recording.')
  if (until !== null && !/^\w{1,64}$/.test(until))
    throw new UsageError('--until needs the tag of a message, e.g. HeadIsFinalized.')
  const seconds = wholeNumberOption('seconds', values.seconds, MAX_SECONDS)
  if (seconds === 0) throw new UsageError('--seconds needs at least 1.')
  const connectTimeoutMs = timeoutOf(values)
  const connector = new WebsocketConnector({ websocketUrl: url, connectTimeout: connectTimeoutMs })
  const file = new RecordingFile(out)
  const header = { recording: FORMAT_VERSION, package: terminal.version, startedAt: new Date().toISOString() }
  const history = values.history === true
  const recorder = new Recorder({ connector, history, until, connectTimeoutMs, write: (line) => file.write(line) })
  file.write(JSON.stringify(header))
  const timer = seconds === undefined ? undefined : setTimeout(() => recorder.end('time'), seconds * 1_000)
  void terminal.stopped().then(() => recorder.end('stopped'))
  try {
    const reason = await recorder.run()
    file.close()
    const found = { file: out, ...recorder.counts, bytes: file.bytes, reason }
    if (values.json === true) terminal.out(JSON.stringify(found))
    else
      terminal.out(
        `${out}: ${recorder.counts.frames} messages, ${recorder.counts.answers} answers, ${file.bytes} bytes.`
      )
  } catch (error) {
    if (recorder.counts.frames === 0) file.discard()
    else file.close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
