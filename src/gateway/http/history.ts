import type { TransactionJson, WireRecord } from '../../bridge/inner.js'
import { getOwn, txEffect } from '../../bridge/inner.js'
import { stringifyJson } from '../../codec/json.js'
import { tagOf } from '../core/nodeMessage.js'
import { readSnapshotRecord } from '../core/snapshotRecord.js'
import { narrowMessage, TxBodies } from '../edge/narrowMessage.js'
import { UTXO } from '../edge/narrow.js'
import type { GatewayLog } from '../log/GatewayLog.js'
import { readOutRecord } from '../log/readRecords.js'
import type { LoggedOutRecord, SnapshotRecord } from '../records.js'

/** Bounds of one request: records that it reads, records of its page, and their text, bytes. */
const MAX_READ = 5_000
const PAGE_RECORDS = 200
const PAGE_BYTES = 512 * 1024
/** Messages that change the ledger, besides snapshots. */
const TOLD: ReadonlySet<string> = new Set(['HeadIsOpen', 'CommitRecorded', 'CommitApproved', 'CommitFinalized'])

/** Reader of the log. */
export interface HistoryReader {
  /** Addresses whose transactions are wanted; null: all. */
  readonly addresses: ReadonlySet<string> | null
  /** True for a reader who may see addresses of others. */
  readonly seesOthers: boolean
}

/** Part of the log that a page shows. */
export interface HistoryQuery {
  /** Place at which an earlier page ended, as it states; null: none is given. */
  readonly at: string | null
  /** Snapshot from which on entries are wanted, if no place is given; null: from the oldest record on. */
  readonly from: { readonly headId: string; readonly number: number } | null
}

/**
 * Reads a page of the log: `{ entries, place, more }` as JSON text.
 *
 * @throws {@link LayerSdkError} with `GATEWAY_LOG` while the log cannot be read
 */
export async function readHistory(
  log: GatewayLog,
  stream: string,
  { at, from }: HistoryQuery,
  reader: HistoryReader
): Promise<string> {
  const entries: string[] = []
  let after = at
  let [read, bytes] = [0, 0]
  // Ids of another log are not ids of this one.
  let isSought = at === null && from !== null
  let [epoch, more] = ['', false]
  const startPlace = at === null ? null : splitPlace(at)
  after = startPlace?.id ?? null
  for (;;) {
    const part = await log.read(stream, after, PAGE_RECORDS)
    if (epoch === '' && startPlace !== null && startPlace.epoch !== part.epoch) {
      epoch = part.epoch
      after = null
      continue
    }
    epoch = part.epoch
    for (const { id, record } of part.records) {
      after = id
      read++
      const logged = tryRead(record)
      if (logged === null) continue
      if (isSought && isBefore(logged, from!)) continue
      if (positionOf(logged) !== null) isSought = false
      if (isSought) continue
      for (const entry of entriesOf(logged, reader)) {
        entries.push(entry)
        bytes += entry.length
      }
    }
    if (part.records.length < PAGE_RECORDS) break
    more = entries.length >= PAGE_RECORDS || bytes > PAGE_BYTES || read >= MAX_READ
    if (more) break
  }
  const place = `${epoch}.${after ?? ''}`
  return `{"entries":[${entries.join(',')}],"place":${JSON.stringify(place)},"more":${more}}`
}

function splitPlace(place: string): { epoch: string; id: string | null } {
  const at = place.lastIndexOf('.')
  const id = place.slice(at + 1)
  return { epoch: place.slice(0, Math.max(at, 0)), id: /^\d{1,20}(-\d{1,20})?$/.test(id) ? id : null }
}

/** Reads a record; null for one that cannot be read, such as one of a later version. */
function tryRead(record: string): LoggedOutRecord | null {
  try {
    return readOutRecord(record)
  } catch {
    return null
  }
}

function positionOf(record: LoggedOutRecord): { headId: string; number: number } | null {
  if (record.kind === 'snapshot') return record
  return record.kind === 'reset' ? record.position : null
}

function isBefore(record: LoggedOutRecord, from: { headId: string; number: number }): boolean {
  const position = positionOf(record)
  return position !== null && position.headId === from.headId && position.number < from.number
}

function entriesOf(record: LoggedOutRecord, reader: HistoryReader): string[] {
  if (record.kind === 'reset') {
    const { position } = record
    return position === null ? [] : [stringifyJson({ headId: position.headId, number: position.number })]
  }
  if (record.kind === 'snapshot') return snapshotEntries(record, reader)
  if (record.kind !== 'message' || !TOLD.has(tagOf(record.message))) return []
  return messageEntries(record.message, reader.addresses)
}

function messageEntries(message: WireRecord, addresses: ReadonlySet<string> | null): string[] {
  if (addresses === null) return [stringifyJson({ message })]
  const narrowed = narrowMessage(message, { addresses, own: new Set() }, false, new TxBodies(new Map()))
  return narrowed === null ? [] : [stringifyJson({ message: narrowed })]
}

function snapshotEntries(record: SnapshotRecord, reader: HistoryReader): string[] {
  const { headId, from, number, message, missed } = record
  if (from === number - 1 && message !== null) return snapshotEntry(message, from, record.spent, reader)
  if (missed === undefined) return [stringifyJson({ headId, from, number })]
  // Outputs that came and went in between are in the transactions alone.
  const spent = { ...record.spent }
  return missed.flatMap((each) => {
    const snapshot = tagOf(each) === 'SnapshotConfirmed' ? readSnapshotRecord(getOwn(each, 'snapshot')) : null
    if (snapshot === null) return messageEntries(each, reader.addresses)
    const entries = snapshotEntry(each, snapshot.number - 1, spent, reader)
    for (const tx of snapshot.confirmed) for (const [key, { address }] of txEffect(tx)?.made ?? []) spent[key] = address
    return entries
  })
}

/**
 * Returns the entry of a snapshot: the transactions that the reader may see, and the owners of the outputs that they
 * spend.
 */
function snapshotEntry(
  message: WireRecord,
  from: number,
  owners: Readonly<Record<string, string>>,
  { addresses, seesOthers }: HistoryReader
): string[] {
  const snapshot = readSnapshotRecord(getOwn(message, 'snapshot'))
  if (snapshot === null) return []
  const { headId, number, version, confirmed, utxoToCommit, depositTxId } = snapshot
  const viewer = { addresses: addresses ?? new Set<string>(), isOwn: false, mayRead: () => false }
  const within: Record<string, string> = {}
  const spent: Record<string, string> = {}
  const seen = confirmed.filter((tx) => {
    const effect = txEffect(tx)
    if (effect === null) return addresses === null
    const keys = effect.spent.map((key) => [key, owners[key] ?? within[key]] as const)
    for (const [key, { address }] of effect.made) within[key] = address
    const paid = [...effect.made.values()].map(({ address }) => address)
    const knownInputs = keys.filter(([, address]) => address !== undefined)
    const owned = knownInputs.filter(([, address]) => addresses?.has(address!) ?? true)
    const isSeen = addresses === null || owned.length > 0 || paid.some((address) => addresses.has(address))
    if (isSeen) for (const [key, address] of seesOthers ? knownInputs : owned) spent[key] = address!
    return isSeen
  })
  const shown = {
    tag: 'SnapshotConfirmed',
    headId,
    snapshot: {
      headId,
      number,
      version,
      confirmed: seen.map(bytesOf),
      utxoToCommit: addresses === null ? utxoToCommit : (UTXO(utxoToCommit, viewer) ?? null),
      utxoToDecommit: null,
      ...(depositTxId === undefined ? {} : { depositTxId })
    },
    signatures: { multiSignature: [] }
  }
  return [stringifyJson({ message: shown, from, spent })]
}

const bytesOf = ({ txId, cborHex }: TransactionJson): object => (cborHex === undefined ? { txId } : { txId, cborHex })

/** Reads the query of a request; returns a text that states the fault of a query that cannot be used. */
export function readHistoryQuery(query: URLSearchParams): HistoryQuery | string {
  const [at, headId, number] = ['at', 'head', 'number'].map((name) => query.get(name))
  if (at != null) return at.length <= 200 ? { at, from: null } : 'expected a place of this gateway'
  if (headId == null && number == null) return { at: null, from: null }
  if (headId == null || number == null || !/^[0-9a-f]{1,128}$/.test(headId) || !/^\d{1,15}$/.test(number))
    return 'expected head (hex) and number'
  return { at: null, from: { headId, number: Number(number) } }
}
