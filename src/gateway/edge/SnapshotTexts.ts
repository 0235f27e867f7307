import { stringifyJson } from '../../codec/json.js'
import type { WireRecord } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'
import type { SnapshotRecord } from '../records.js'
import { SNAPSHOT_FIELDS, SNAPSHOT_MESSAGE } from './addressMembers.js'
import type { Viewer } from './narrow.js'
import { ID, narrowOutput, TRANSACTION_MEMBERS, UTXO } from './narrow.js'
import { hashedId } from './narrowMessage.js'
import type { Wanted } from './narrowMessage.js'

/** Members of the delta that a client gets. */
export interface DeltaTexts {
  readonly from: number
  readonly spent: readonly string[]
  readonly made: readonly string[]
  readonly count: number
}

interface Parts {
  /** Members of the message before its snapshot, followed by a comma. */
  readonly rest: string
  /** Members of the snapshot before its list of transactions, followed by a comma. */
  readonly fields: string
  readonly confirmed: readonly string[]
  readonly snapshot: WireRecord
}

/** Viewer for members that cannot contain outputs: they are the same for all clients of mode `address`. */
const ANYBODY: Viewer = { addresses: new Set(), isOwn: false, mayRead: () => false }

/** Texts of one snapshot: each part is written once, however many clients receive it and however it is combined. */
export class SnapshotTexts {
  readonly record: SnapshotRecord
  #parts: Parts | null = null
  #narrowedParts: Parts | null = null
  readonly #made = new Map<string, string>()
  /** By index in the list of transactions: true when the bytes have the id that the record states. */
  readonly #hashed = new Map<number, boolean>()
  #whole: string | null = null

  constructor(record: SnapshotRecord) {
    this.record = record
  }

  /** SnapshotConfirmed with the delta of all outputs. */
  whole(): string {
    return (this.#whole ??= this.compose(null, this.#deltaText(this.fullDelta())))
  }

  /** SnapshotConfirmed up to its outputs, which the caller appends; with the delta for clients that know it. */
  beforeOutputs(reader: Wanted | null, withDelta: boolean): string {
    const delta = withDelta ? `${this.#deltaText(this.fullDelta()).slice(1)},` : ''
    return `{${this.#partsFor(reader).rest}${delta}"snapshot":{${this.#snapshotText(reader)},"utxo":`
  }

  /** SnapshotConfirmed for some addresses, with the given delta. */
  narrowed(reader: Wanted, delta: DeltaTexts): string {
    return this.compose(reader, this.#deltaText(delta, reader.addresses))
  }

  /** SnapshotConfirmed for some addresses, with the part of the delta that concerns them. */
  narrowedFor(reader: Wanted, { from, count }: { readonly from: number; readonly count: number }): string {
    const { spent, made } = this.record
    const { addresses } = reader
    return this.narrowed(reader, {
      from,
      spent: Object.keys(spent).filter((key) => addresses.has(spent[key]!)),
      made: Object.keys(made).filter((key) => addresses.has(made[key]!.address)),
      count
    })
  }

  fullDelta(): DeltaTexts {
    const { from, spent, made, count } = this.record
    return { from, spent: Object.keys(spent), made: Object.keys(made), count }
  }

  /**
   * SnapshotConfirmed without its outputs, with the transactions that the reader may see, and with `deltaText` (empty
   * for a client that asks late for a verdict) at its end.
   */
  compose(reader: Wanted | null, deltaText: string): string {
    return `{${this.#partsFor(reader).rest}"snapshot":{${this.#snapshotText(reader)}}${deltaText}}`
  }

  #partsFor(reader: Wanted | null): Parts {
    return reader === null
      ? (this.#parts ??= this.#write((part) => part))
      : (this.#narrowedParts ??= this.#write(narrowedPart))
  }

  /** Members of the snapshot except its outputs. */
  #snapshotText(reader: Wanted | null): string {
    const { fields, confirmed, snapshot } = this.#partsFor(reader)
    const kept = reader === null ? confirmed : confirmed.filter((_, index) => this.#mayRead(index, reader))
    const outputs = ['utxoToCommit', 'utxoToDecommit']
      .map((name) => outputsMember(snapshot, name, reader?.addresses ?? null))
      .join('')
    return `${fields}"confirmed":[${kept.join(',')}]${outputs}`
  }

  /**
   * Returns true when a reader may see a transaction: it touches the addresses of the reader, or the reader sent these
   * very bytes.
   */
  #mayRead(index: number, { addresses, own }: Wanted): boolean {
    const tx = this.record.txs[index]
    if (tx === undefined) return false
    return (
      touches(tx.spendsFrom, addresses) ||
      touches(tx.pays, addresses) ||
      (own.has(tx.txId) && this.#isHashed(index, tx.txId))
    )
  }

  #isHashed(index: number, txId: string): boolean {
    let found = this.#hashed.get(index)
    if (found === undefined) {
      const { confirmed } = (this.record.message?.['snapshot'] ?? {}) as { confirmed?: readonly unknown[] }
      const transaction = confirmed?.[index]
      // Without bytes there is the id alone, which its sender knows.
      found = !isRecord(transaction) || getOwn(transaction, 'cborHex') === undefined || hashedId(transaction) === txId
      this.#hashed.set(index, found)
    }
    return found
  }

  #write(narrow: (part: unknown, name: PartName) => unknown): Parts {
    const { headId, number, version, depositTxId } = this.record
    const deposit = depositTxId === undefined ? {} : { depositTxId }
    const message: WireRecord = {
      ...(this.record.message ?? {
        tag: 'SnapshotConfirmed',
        headId,
        snapshot: { headId, number, version, confirmed: [], ...deposit }
      })
    }
    const { snapshot, ...rest } = message
    const {
      confirmed,
      utxoToCommit: _commit,
      utxoToDecommit: _decommit,
      utxo: _utxo,
      ...fields
    } = snapshot as WireRecord
    return {
      rest: membersText(narrow(rest, 'message')),
      fields: membersText(narrow(fields, 'snapshot')),
      confirmed: Array.isArray(confirmed)
        ? confirmed.map((transaction) => stringifyJson(narrow(transaction, 'transaction') ?? null))
        : [],
      snapshot: snapshot as WireRecord
    }
  }

  #deltaText({ from, spent, made, count }: DeltaTexts, addresses: ReadonlySet<string> | null = null): string {
    const { number } = this.record
    const members = made.map((key) => this.#madeText(key, addresses))
    return `,"delta":{"from":${from},"number":${number},"spent":${JSON.stringify(spent)},"made":{${members.join(',')}},"count":${count}}`
  }

  #madeText(key: string, addresses: ReadonlySet<string> | null): string {
    const output = this.record.made[key]
    const seen = addresses === null ? output : narrowOutput(output, addresses)
    if (seen !== output) return `${JSON.stringify(key)}:${stringifyJson(seen)}`
    let text = this.#made.get(key)
    if (text === undefined) {
      text = `${JSON.stringify(key)}:${stringifyJson(output)}`
      this.#made.set(key, text)
    }
    return text
  }
}

/** Returns the members of an object as JSON, each followed by a comma. */
function membersText(record: unknown): string {
  const text = stringifyJson(record).slice(1, -1)
  return text === '' ? '' : `${text},`
}

type PartName = 'message' | 'snapshot' | 'transaction'

/** Returns a part of the message, with known members only. */
function narrowedPart(part: unknown, name: PartName): unknown {
  if (name === 'message') return SNAPSHOT_MESSAGE(part, ANYBODY)
  if (name === 'snapshot') return SNAPSHOT_FIELDS(part, ANYBODY)
  return typeof part === 'string' ? ID(part, ANYBODY) : TRANSACTION_MEMBERS(part, ANYBODY)
}

function touches(touched: readonly string[], addresses: ReadonlySet<string>): boolean {
  return touched.some((address) => addresses.has(address))
}

function outputsMember(snapshot: WireRecord, name: string, addresses: ReadonlySet<string> | null): string {
  if (!Object.hasOwn(snapshot, name)) return ''
  const outputs = getOwn(snapshot, name)
  if (addresses === null) return `,"${name}":${stringifyJson(outputs)}`
  const seen = UTXO(outputs, { ...ANYBODY, addresses })
  return seen === undefined ? '' : `,"${name}":${stringifyJson(seen)}`
}

/** Returns the outputs of the deposit that a snapshot names; empty without one. */
export function toCommitOf({ message }: SnapshotRecord): object {
  const { utxoToCommit } = (message?.['snapshot'] ?? {}) as { utxoToCommit?: object | null }
  return utxoToCommit ?? {}
}

/** Returns the message of the newest snapshot with the confirmed transactions of an earlier one. */
export function withConfirmed(newest: SnapshotRecord, { message }: SnapshotRecord): Record<string, unknown> {
  const { confirmed } = (message?.['snapshot'] ?? {}) as { confirmed?: unknown }
  return { ...newest.message, snapshot: { ...(newest.message?.['snapshot'] as object), confirmed } }
}
