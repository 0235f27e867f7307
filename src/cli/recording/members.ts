import { messageRow } from '../../bridge/inner.js'
import { isJsonRecord } from './isRecord.js'

/** Known members of every message; `ALSO_SENT` has those that nodes send besides the fields that this package reads. */
const OF_ALL = ['tag', 'seq', 'timestamp', 'headId']
const ALSO_SENT: Readonly<Record<string, readonly string[]>> = {
  SnapshotConfirmed: ['signatures'],
  CommandFailed: ['clientInput', 'state']
}

const TRANSACTION = ['txId', 'cborHex', 'type', 'description']
const SNAPSHOT = [
  'headId',
  'version',
  'number',
  'confirmed',
  'utxo',
  'utxoToCommit',
  'utxoToDecommit',
  'accumulator',
  'appliedAccumulator',
  'depositTxId',
  // Nodes before 0.20.
  'snapshotNumber',
  'confirmedTransactions'
]
const OUTPUT = [
  'address',
  'value',
  'datum',
  'datumhash',
  'datumHash',
  'inlineDatum',
  'inlineDatumhash',
  'inlineDatumRaw',
  'referenceScript'
]
const ENVIRONMENT = [
  'party',
  'otherParties',
  'participants',
  'contestationPeriod',
  'depositPeriod',
  'depositActivation',
  'unsyncedPeriod',
  'configuredPeers',
  'signingKey'
]

/** Known members of objects within messages, by the name of the member that holds the object. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  snapshot: SNAPSHOT,
  transaction: TRANSACTION,
  decommitTx: TRANSACTION,
  confirmed: TRANSACTION,
  confirmedTransactions: TRANSACTION,
  signatures: ['multiSignature'],
  env: ENVIRONMENT,
  networkInfo: ['networkConnected', 'peersInfo'],
  me: ['vkey'],
  party: ['vkey'],
  parties: ['vkey']
}
/** Names of members that hold a map of outputs by their references. */
const UTXO = /^(utxo|snapshotUtxo|finalizedUTxO|distributedUTxO|remainingUTxO|recoveredUTxO|utxoTo(Commit|Decommit))$/
const MAX_PATH = 80

/** Counts members that this version of the package does not know, by their place: `SnapshotConfirmed.snapshot.x`. */
export class UnknownMembers {
  readonly #counts = new Map<string, number>()

  /** Counts by place, the most frequent first. */
  get counts(): readonly (readonly [place: string, count: number])[] {
    return [...this.#counts].sort((a, b) => b[1] - a[1])
  }

  /**
   * Counts the unknown members of a message. A message with an unknown tag is skipped: `FrameReader` counts its tag.
   */
  add(message: Readonly<Record<string, unknown>>, tag: string): void {
    const row = messageRow(tag)
    if (row === undefined) return
    const fields = Object.entries(row.fields).flatMap(([name, { formerly }]) => [name, ...(formerly ? [formerly] : [])])
    this.#object(message, new Set([...OF_ALL, ...fields, ...(ALSO_SENT[tag] ?? [])]), tag)
  }

  #object(value: Readonly<Record<string, unknown>>, memberNames: ReadonlySet<string>, place: string): void {
    for (const [name, inner] of Object.entries(value)) {
      if (memberNames.has(name)) this.#inner(inner, name, `${place}.${name}`)
      else this.#count(`${place}.${name}`)
    }
  }

  #inner(value: unknown, name: string, place: string): void {
    if (UTXO.test(name)) {
      if (!isJsonRecord(value)) return
      for (const output of Object.values(value))
        if (isJsonRecord(output)) this.#object(output, OUTPUT_MEMBERS, `${place}.*`)
      return
    }
    const members = INNER[name]
    if (members === undefined || typeof value !== 'object' || value === null) return
    const memberNames = new Set(members)
    for (const each of Array.isArray(value) ? value : [value])
      if (isJsonRecord(each)) this.#object(each, memberNames, place)
  }

  #count(place: string): void {
    const shown = place.slice(0, MAX_PATH)
    if (this.#counts.has(shown) || this.#counts.size < MAX_PLACES)
      this.#counts.set(shown, (this.#counts.get(shown) ?? 0) + 1)
    else this.#counts.set(REST, (this.#counts.get(REST) ?? 0) + 1)
  }
}

/** Maximum number of places; further places are counted together as `others`. */
const MAX_PLACES = 100
const REST = 'others'
const OUTPUT_MEMBERS = new Set(OUTPUT)
