import type { ConnectorReply } from '../../../bridge/index.js'
import type { HeadClient } from '../../../client/index.js'
import { createHeadClient } from '../../../client/index.js'
import { now, sleep, startTimer } from '../../../net/timers.js'
import type { BrokenLine, Entry, Place, RecordingHeader } from '../format.js'
import type { RecordingSource } from '../readRecording.js'
import { readRecording } from '../readRecording.js'
import { FrameReader } from './FrameReader.js'
import { problemOfAnswer } from './readAnswer.js'
import { readAhead } from './readAhead.js'
import { ReplayConnector } from './ReplayConnector.js'
import type { FileReport, Problem, ReachedState, ReplayReport } from './report.js'
import { MAX_LISTED } from './report.js'

/** Options of {@link replayRecording}. */
export interface ReplayOptions {
  /** Head keys of all parties in their order, hex; null to use those that the recording names. */
  readonly keys: readonly string[] | null
  /** Longest line that is read, bytes. */
  readonly maxLineBytes?: number | undefined
}

/** Longest wait for the bridge to open a channel, to connect, and to reach the last snapshot, ms. */
const WAIT_MS = 5_000
const POLL_MS = 5
/** Wait of the bridge before it reconnects, ms. */
const RECONNECT_MS = 1

/**
 * Runs a recording through decoder, verification, bridge and client, and reports the results and problems.
 *
 * @throws CommandFailure when the source cannot be read, or is not of a form that can be replayed
 */
export async function replayRecording(
  source: RecordingSource,
  { keys, maxLineBytes }: ReplayOptions
): Promise<ReplayReport> {
  const ahead = await readAhead(source, maxLineBytes)
  const reader = new FrameReader(keys, ahead.keys)
  const bridge = new BridgeRun(keys, ahead.answers)
  const file = new FileState()
  try {
    for await (const part of readRecording(source, maxLineBytes)) {
      if (part.kind === 'header') file.header = part.header
      else if (part.kind === 'broken') file.addBroken(part)
      else {
        file.add(part)
        if (part.kind === 'answer') await answer(part, reader, file)
        if (part.kind === 'frame') await reader.read(part)
        if (part.kind === 'shape') reader.readShape(part)
        if (part.kind === 'note') reader.readNote(part)
        if (part.kind === 'gap') file.addGap(part)
        if (part.kind === 'bytes') file.addProblem({ ...part, reason: 'a message of bytes' })
        await bridge.feed(part)
      }
    }
    const found = reader.report()
    return {
      ...file.report(),
      ...found,
      undecodable: [...found.undecodable, ...file.problems.slice(0, MAX_LISTED)],
      undecodableCount: found.undecodableCount + file.problemCount,
      reached: await bridge.finish(reader.newest)
    }
  } finally {
    await bridge.stop()
  }
}

async function answer(part: Extract<Entry, { kind: 'answer' }>, reader: FrameReader, file: FileState): Promise<void> {
  const problem = problemOfAnswer(part.path, part.status, part.text)
  if (problem !== null) file.addProblem({ ...placeOf(part), reason: `GET ${part.path}: ${problem}` })
  else if (part.path === '/snapshot' && part.status === 200) await reader.readSnapshot(part, part.text)
}

const placeOf = ({ line, byte }: Place): Place => ({ line, byte })

/** Counts the lines of the file, and collects those that cannot be read. */
class FileState {
  header: RecordingHeader | null = null
  /** Answers and messages that cannot be read. */
  readonly problems: Problem[] = []
  problemCount = 0
  readonly #gaps: Problem[] = []
  readonly #broken: BrokenLine[] = []
  #counts = { lines: 1, frames: 0, answers: 0, connections: 0, broken: 0, gapCount: 0 }
  #last: Entry | BrokenLine | null = null

  /** True when the source is not a recording but a log, an export or a node, from whose events the entries are made. */
  get isOfEvents(): boolean {
    return this.header?.source !== undefined
  }

  add(entry: Entry): void {
    // Of other files than recordings the reader makes these entries.
    const isMade = this.isOfEvents && ['open', 'made', 'end'].includes(entry.kind)
    if (!isMade) this.#counts.lines++
    this.#last = entry
    if (entry.kind === 'frame' || entry.kind === 'bytes' || entry.kind === 'shape') this.#counts.frames++
    if (entry.kind === 'answer') this.#counts.answers++
    if (entry.kind === 'open') this.#counts.connections++
  }

  addBroken(line: BrokenLine): void {
    this.#counts.lines++
    this.#last = line
    // A torn last line is the place where the recording was cut short.
    if (line.torn) return
    this.#counts.broken++
    if (this.#broken.length < MAX_LISTED) this.#broken.push(line)
  }

  addProblem({ line, byte, reason }: Problem): void {
    this.problemCount++
    if (this.problems.length < MAX_LISTED) this.problems.push({ line, byte, reason })
  }

  addGap({ line, byte, reason }: Problem): void {
    this.#counts.gapCount++
    if (this.#gaps.length < MAX_LISTED) this.#gaps.push({ line, byte, reason })
  }

  report(): Omit<FileReport, 'undecodable' | 'undecodableCount'> {
    const { broken: brokenCount, ...counts } = this.#counts
    const lists = { broken: this.#broken, gaps: this.#gaps }
    // The header of a recording is a line.
    const lines = this.isOfEvents ? counts.lines - 1 : counts.lines
    return { header: this.header!, ...counts, lines, ...lists, brokenCount, cutShort: this.#cutShort() }
  }

  #cutShort(): Problem | null {
    const last = this.#last
    if (last === null) return { line: 1, byte: 0, reason: 'nothing after the header' }
    if (last.kind === 'broken') return last.torn ? { ...placeOf(last), reason: last.reason } : noEnd(last)
    return last.kind === 'end' ? null : noEnd(last)
  }
}

const noEnd = (last: Place): Problem => ({ ...placeOf(last), reason: 'the last line is no end mark' })

/** Feeds a recording to a bridge and a client, and reports the state that they reach. */
class BridgeRun {
  readonly #connector: ReplayConnector
  readonly #client: HeadClient
  #connecting: Promise<void> | null = null
  #connection: string | null = null
  #protocolErrors = 0
  #unverified = 0

  constructor(keys: readonly string[] | null, answers: ReadonlyMap<string, ConnectorReply>) {
    this.#connector = new ReplayConnector(answers)
    this.#client = createHeadClient({
      connector: this.#connector,
      autoReconnect: true,
      reconnectInterval: RECONNECT_MS,
      livenessTimeout: 2_147_483_647,
      logger: { debug() {}, info() {}, warn() {}, error() {} } as never,
      onConnectError: false,
      ...(keys === null ? {} : { verify: { parties: [...keys] } })
    })
    this.#client.bridge.events.on('onProtocolError', () => void this.#protocolErrors++)
    this.#client.bridge.events.on('onUnverified', () => void this.#unverified++)
  }

  /** Passes an entry to the connector, and lets the bridge process it. */
  async feed(part: Entry): Promise<void> {
    if (part.kind === 'open') return this.#open(part.history)
    if (part.kind === 'answer') this.#connector.answer(part.path, { status: part.status, text: part.text })
    if (part.kind === 'close') this.#connector.closed(part.reason)
    if (part.kind === 'frame' || part.kind === 'made') this.#connector.message(part.text)
    await nextTurn()
  }

  /** Waits until the bridge has read the newest snapshot, and returns the result. */
  async finish(newest: number): Promise<ReachedState> {
    await this.#settled(() => (this.#client.status().snapshotNumber ?? -1) >= newest || this.#unverified > 0)
    const { headStatus, headId, snapshotNumber, ready } = this.#client.status()
    return {
      headStatus,
      headId,
      snapshotNumber,
      outputs: ready && headId !== null ? this.#client.bridge.snapshotUtxoArray().length : null,
      protocolErrors: this.#protocolErrors,
      unverified: this.#unverified,
      connection: this.#connection
    }
  }

  async stop(): Promise<void> {
    await this.#client.disconnect()
    await this.#connecting
  }

  async #open(history: boolean): Promise<void> {
    this.#connecting ??= this.#client.connect({ timeout: WAIT_MS }).then(
      () => undefined,
      (error: unknown) => void (this.#connection = String((error as Error).message).split('\n')[0]!)
    )
    await within(this.#connector.opened(history), WAIT_MS)
  }

  /** Resolves when `holds` returns true, at the latest after {@link WAIT_MS}. */
  async #settled(holds: () => boolean): Promise<void> {
    for (const endMs = now() + WAIT_MS; !holds() && now() < endMs;) await sleep(POLL_MS)
  }
}

/** Resolves when `work` does, at the latest after `ms`. */
function within(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = startTimer(ms, resolve)
    void work.then(() => {
      stop()
      resolve()
    })
  })
}

/** Lets timers and tasks of the bridge run. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
