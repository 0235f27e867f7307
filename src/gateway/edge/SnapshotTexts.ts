import { stringifyJson } from '../../codec/json.js'
import type { WireRecord } from '../../bridge/protocol/wireRecord.js'
import { getOwn, isRecord } from '../../bridge/protocol/wireRecord.js'
import type { SnapshotRecord } from '../records.js'

/** Members of the delta that a client gets. */
export interface DeltaTexts {
  readonly from: number
  readonly spent: readonly string[]
  readonly made: readonly string[]
  readonly count: number
}

interface Parts {
  /** Up to the list of transactions. */
  readonly head: string
  readonly confirmed: readonly string[]
  readonly message: WireRecord
}

/** What a client of mode `address` wants. */
export interface Wanted {
  readonly addresses: ReadonlySet<string>
  /** Transactions that it sent. */
  readonly own: ReadonlySet<string>
}

/**
 * Texts of one snapshot for all clients: each part is written once, whatever the number of clients that get it in whatever composition.
 */
export class SnapshotTexts {
  readonly record: SnapshotRecord
  #parts: Parts | null = null
  readonly #made = new Map<string, string>()
  #whole: string | null = null

  constructor(record: SnapshotRecord) {
    this.record = record
  }

  /** SnapshotConfirmed with the delta of all outputs. */
  whole(): string {
    return (this.#whole ??= this.compose(null, this.#deltaText(this.fullDelta()), ''))
  }

  /** SnapshotConfirmed with all its outputs; `delta` for clients that know it. */
  full(utxoText: string, withDelta: boolean): string {
    return this.compose(null, withDelta ? this.#deltaText(this.fullDelta()) : '', utxoText)
  }

  /** SnapshotConfirmed of some addresses. */
  narrowed(wanted: Wanted, delta: DeltaTexts): string {
    return this.compose(wanted, this.#deltaText(delta), '')
  }

  fullDelta(): DeltaTexts {
    const { from, spent, made, count } = this.record
    return { from, spent: Object.keys(spent), made: Object.keys(made), count }
  }

  /** The message with another list of transactions and other outputs: what a client that asks late for a verdict gets. */
  compose(wanted: Wanted | null, deltaText: string, utxoText: string): string {
    const { head, confirmed, message } = (this.#parts ??= this.#write())
    const { txs } = this.record
    const kept =
      wanted === null
        ? confirmed
        : confirmed.filter((_, index) => {
            const tx = txs[index]
            return tx !== undefined && (wanted.own.has(tx.txId) || touches(tx.spendsFrom, wanted.addresses) || touches(tx.pays, wanted.addresses))
          })
    const snapshot = message['snapshot'] as WireRecord
    const outputs = ['utxoToCommit', 'utxoToDecommit'].map((name) => outputsMember(snapshot, name, wanted?.addresses ?? null)).join('')
    const utxo = utxoText === '' ? '' : `,"utxo":${utxoText}`
    return `${head}"confirmed":[${kept.join(',')}]${outputs}${utxo}}${deltaText}}`
  }

  #write(): Parts {
    const { headId, number, version } = this.record
    const message: WireRecord = { ...(this.record.message ?? { tag: 'SnapshotConfirmed', headId, snapshot: { headId, number, version, confirmed: [] } }) }
    const { snapshot, ...rest } = message
    const { confirmed, utxoToCommit: _commit, utxoToDecommit: _decommit, utxo: _utxo, ...fields } = snapshot as WireRecord
    const restText = stringifyJson(rest)
    const fieldsText = stringifyJson(fields)
    return {
      head: `${restText.slice(0, -1)},"snapshot":${fieldsText.slice(0, -1)},`,
      confirmed: Array.isArray(confirmed) ? confirmed.map((transaction) => stringifyJson(transaction)) : [],
      message
    }
  }

  #deltaText({ from, spent, made, count }: DeltaTexts): string {
    const { number } = this.record
    return `,"delta":{"from":${from},"number":${number},"spent":${JSON.stringify(spent)},"made":{${made.map((key) => this.#madeText(key)).join(',')}},"count":${count}}`
  }

  #madeText(key: string): string {
    let text = this.#made.get(key)
    if (text === undefined) {
      text = `${JSON.stringify(key)}:${stringifyJson(this.record.made[key])}`
      this.#made.set(key, text)
    }
    return text
  }
}

function touches(touched: readonly string[], addresses: ReadonlySet<string>): boolean {
  return touched.some((address) => addresses.has(address))
}

function outputsMember(snapshot: WireRecord, name: string, addresses: ReadonlySet<string> | null): string {
  if (!Object.hasOwn(snapshot, name)) return ''
  const outputs = getOwn(snapshot, name)
  return `,"${name}":${stringifyJson(addresses === null ? outputs : narrowOutputs(outputs, addresses))}`
}

/** The outputs of addresses; what are no outputs as it is. */
export function narrowOutputs(outputs: unknown, addresses: ReadonlySet<string>): unknown {
  if (!isRecord(outputs)) return outputs
  return Object.fromEntries(Object.entries(outputs).filter(([, output]) => isRecord(output) && addresses.has(getOwn(output, 'address') as string)))
}
