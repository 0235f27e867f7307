import { stringifyJson } from '../../codec/json.js'
import type { Entry, RecordingHeader } from './format.js'
import { FORMAT_VERSION } from './format.js'
import { isJsonRecord } from './isRecord.js'

type Json = Record<string, unknown>

/** States of a head, as tags of GET /head. */
const HEAD_TAGS = ['Idle', 'Initial', 'Open', 'Closed', 'Final']
/** Deepest nesting in a document at which messages are searched. */
const MAX_DEPTH = 4

/** Messages and answers of a document, in its order. */
interface Found {
  readonly frames: Json[]
  /** Messages whose values were replaced by `…`, so that only the names of their members are known. */
  readonly shapes: Json[]
  readonly answers: { readonly path: string; readonly body: unknown }[]
}

/**
 * Finds a node's messages and answers in a JSON document, and returns them as a recording; null without any. It finds
 * messages, snapshots with or without their SnapshotConfirmed, decommit transactions, and bodies of GET /head,
 * /snapshot, /snapshot/last-seen and /protocol-parameters.
 */
export function entriesOfDocument(value: unknown): { header: RecordingHeader; entries: Entry[] } | null {
  const found: Found = { frames: [], shapes: [], answers: [] }
  collect(value, found, 0)
  if (Object.values(found).every((list) => list.length === 0)) return null
  const top = isJsonRecord(value) ? value : {}
  const keys = top['partyKeys']
  const header: RecordingHeader = {
    recording: FORMAT_VERSION,
    package: 'document',
    startedAt: '1970-01-01T00:00:00.000Z',
    ...(Array.isArray(keys) && keys.every((key) => typeof key === 'string') ? { partyKeys: keys } : {})
  }
  const place = { line: 1, byte: 0, at: 0 }
  const isGreeted = found.frames.some(({ tag }) => tag === 'Greetings')
  const entries: Entry[] = [
    { ...place, kind: 'open', history: false },
    ...(isGreeted ? [] : [{ ...place, kind: 'made' as const, text: stringifyJson(greetingsOf(top, found)) }]),
    ...found.answers.map(({ path, body }): Entry => ({
      ...place,
      kind: 'answer',
      path,
      status: 200,
      text: stringifyJson(body)
    })),
    ...found.frames.map((frame): Entry => ({ ...place, kind: 'frame', text: stringifyJson(frame) })),
    ...found.shapes.map((shape): Entry => ({ ...place, kind: 'shape', text: stringifyJson(shape) })),
    { ...place, kind: 'end', reason: 'document' }
  ]
  return { header, entries }
}

function collect(value: unknown, found: Found, depth: number): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach((item) => collect(item, found, depth + 1))
  const record = value as Json
  const path = routeOf(record)
  if (path !== null) return void found.answers.push({ path, body: record })
  if (isSnapshot(record['snapshot'])) return void found.frames.push(confirmedOf(record))
  if (isSnapshot(record)) return void found.frames.push(confirmedOf({ snapshot: record }))
  const { decommitTransactions: decommits } = record
  if (Array.isArray(decommits))
    for (const decommitTx of decommits as unknown[])
      found.frames.push({ tag: 'DecommitRequested', headId: UNNAMED, decommitTx, utxoToDecommit: {} })
  // With its values elided a message shows its form alone.
  if (isElided(record)) return void found.shapes.push(record)
  if (typeof record['tag'] === 'string') return void found.frames.push(record)
  for (const inner of Object.values(record)) collect(inner, found, depth + 1)
}

/** Head id for messages of a document that names no head. */
const UNNAMED = '00'.repeat(28)

function routeOf(record: Json): string | null {
  const { tag } = record
  if (tag === 'ConfirmedSnapshot' || tag === 'InitialSnapshot') return '/snapshot'
  if (tag === 'LastSeenSnapshot' || tag === 'NoSeenSnapshot' || tag === 'SeenSnapshot') return '/snapshot/last-seen'
  if (typeof tag === 'string' && HEAD_TAGS.includes(tag) && isJsonRecord(record['contents'])) return '/head'
  return 'txFeePerByte' in record && 'protocolVersion' in record ? '/protocol-parameters' : null
}

const isSnapshot = (value: unknown): value is Json =>
  isJsonRecord(value) && typeof value['number'] === 'number' && Array.isArray(value['confirmed'])

const isElided = (record: Json): boolean => Object.values(record).includes('…')

/** Returns a record with a snapshot as a SnapshotConfirmed message; a missing head id is filled in. */
function confirmedOf(record: Json): Json {
  const snapshot = record['snapshot'] as Json
  const headId = record['headId'] ?? snapshot['headId'] ?? UNNAMED
  return {
    tag: 'SnapshotConfirmed',
    ...record,
    headId,
    snapshot: { headId, ...snapshot },
    signatures: record['signatures'] ?? { multiSignature: [] }
  }
}

/** Returns the Greetings with which a connection to the document's node would begin. */
function greetingsOf(top: Json, { frames, answers }: Found): Json {
  const inFrames = frames.map(({ headId }) => headId).find((id) => typeof id === 'string')
  const version = top['hydraNodeVersion']
  const head = answers.find(({ path }) => path === '/head')?.body as { contents?: Json } | undefined
  const snapshot = answers.find(({ path }) => path === '/snapshot')?.body as { snapshot?: Json } | undefined
  const headId = inFrames ?? head?.contents?.['headId'] ?? snapshot?.snapshot?.['headId']
  return {
    tag: 'Greetings',
    me: { vkey: '00'.repeat(32) },
    headStatus: headId === undefined ? 'Idle' : 'Open',
    ...(headId === undefined ? {} : { hydraHeadId: headId }),
    ...(typeof version === 'string' && /^\d+\.\d+\.\d+/.test(version) ? { hydraNodeVersion: version } : {})
  }
}
