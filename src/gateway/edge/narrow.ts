import type { WireRecord } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'

/** Reader of a message that is narrowed: reduced to the outputs and members that the reader may see. */
export interface Viewer {
  readonly addresses: ReadonlySet<string>
  /** True when the message names a transaction that this client sent. */
  readonly isOwn: boolean
  /** True when the bytes of a transaction are this client's own, or touch its addresses. */
  mayRead(transaction: WireRecord): boolean
}

/**
 * Rule that returns the part of a value that a viewer may see; undefined leaves the member out. The same object is
 * returned where all of it may be seen.
 */
export type Narrow = (value: unknown, viewer: Viewer) => unknown

const MAX_INTEGER_DIGITS = 40
const MAX_TEXT_CHARACTERS = 16_384
// Bech32 (CIP-5), and Byron addresses of mainnet and of the test networks.
const ADDRESSES = /(?:addr|stake)(?:_test)?1[02-9ac-hj-np-z]{6,}|(?:Ae2|DdzFF|2cWK|37bt)[1-9A-HJ-NP-Za-km-z]{30,}/gi

/** Returns a rule for texts of a form in which no output and no address can occur. */
function textLike(pattern: RegExp): Narrow {
  return (value) => (value === null || (typeof value === 'string' && pattern.test(value)) ? value : undefined)
}

/** Returns a rule for bytes as hex, of at most so many characters. */
export function hex(maxCharacters: number): Narrow {
  return (value) =>
    value === null || (typeof value === 'string' && value.length <= maxCharacters && /^[0-9a-f]*$/i.test(value))
      ? value
      : undefined
}

/** Name of a constructor: a tag, a status, a mode. */
export const WORD: Narrow = textLike(/^[A-Z][A-Za-z0-9]{0,47}$/)
/** ISO 8601. */
export const TIME: Narrow = textLike(/^[\d:.TZ+-]{1,40}$/)
/** Version of a node, e.g. `2.4.1-099f5dd7`. */
export const VERSION: Narrow = textLike(/^\d{1,6}(\.\d{1,6}){1,3}([-+][A-Za-z0-9]{0,48})?$/)
export const ID: Narrow = hex(64)
export const BYTES: Narrow = hex(Infinity)

/** A number, an integer of any size, a truth value, or null. */
export const NUMBER: Narrow = (value) => {
  if (typeof value === 'bigint') return value.toString().length <= MAX_INTEGER_DIGITS ? value : undefined
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

/** Free text: left out when it holds an address of others. */
export const TEXT: Narrow = (value, { addresses }) => {
  if (value === null) return value
  if (typeof value !== 'string' || value.length > MAX_TEXT_CHARACTERS) return undefined
  return (value.match(ADDRESSES) ?? []).every((address) => addresses.has(address)) ? value : undefined
}

/** Returns a rule for objects that keeps these members and the tag. */
export function members(list: Readonly<Record<string, Narrow>>): Narrow {
  const narrows = new Map<string, Narrow>([['tag', WORD], ...Object.entries(list)])
  return (value, viewer) =>
    value === null ? null : isRecord(value) ? narrowed(value, viewer, (name) => narrows.get(name)) : undefined
}

/** Returns a rule for objects that keeps the members whose names have a form. */
export function narrowMap(name: RegExp, each: Narrow): Narrow {
  return (value, viewer) =>
    isRecord(value) ? narrowed(value, viewer, (key) => (name.test(key) ? each : undefined)) : undefined
}

/** Returns a rule for lists that leaves out entries that may not be seen. */
export function narrowList(each: Narrow): Narrow {
  return (value, viewer) => {
    if (value === null) return null
    if (!Array.isArray(value)) return undefined
    const kept = value.map((entry: unknown) => each(entry, viewer))
    return kept.every((entry, index) => entry === (value as unknown[])[index])
      ? value
      : kept.filter((entry) => entry !== undefined)
  }
}

/** Returns a rule that applies the first of several rules that fits. */
export function narrowOneOf(...forms: readonly Narrow[]): Narrow {
  return (value, viewer) => {
    for (const form of forms) {
      const seen = form(value, viewer)
      if (seen !== undefined) return seen
    }
    return undefined
  }
}

/** Returns a rule that lets only the sender of the transaction that the message names see the value. */
export function ownOnly(narrow: Narrow): Narrow {
  return (value, viewer) => (viewer.isOwn ? narrow(value, viewer) : undefined)
}

function narrowed(record: WireRecord, viewer: Viewer, narrowOf: (name: string) => Narrow | undefined): WireRecord {
  let unchanged = true
  const kept: [string, unknown][] = []
  for (const name of Object.keys(record)) {
    const value = record[name]
    const seen = narrowOf(name)?.(value, viewer)
    if (seen !== value) unchanged = false
    if (seen !== undefined) kept.push([name, seen])
  }
  return unchanged ? record : Object.fromEntries(kept)
}

/** Plutus data as the node writes it: one member decides the form. */
const DATUM: Narrow = (value, viewer) =>
  value === null ? null : isRecord(value) ? DATUM_FORM(value, viewer) : undefined
const DATUM_FORM: Narrow = (value, viewer) => {
  const data = PLUTUS(value, viewer)
  // A part of a datum is another datum.
  return data === value ? value : undefined
}
const PLUTUS: Narrow = members({
  int: NUMBER,
  bytes: BYTES,
  list: (value, viewer) => narrowList(DATUM)(value, viewer),
  map: (value, viewer) => narrowList(members({ k: DATUM, v: DATUM }))(value, viewer),
  constructor: NUMBER,
  fields: (value, viewer) => narrowList(DATUM)(value, viewer)
})

const VALUE: Narrow = narrowMap(
  /^(lovelace|[0-9a-f]{0,64})$/i,
  narrowOneOf(NUMBER, narrowMap(/^[0-9a-f]{0,64}$/i, NUMBER))
)

/** Rule for one output, which is known to be at an address of the viewer. */
const OUTPUT: Narrow = members({
  address: (value) => (typeof value === 'string' ? value : undefined),
  value: VALUE,
  datum: DATUM,
  datumhash: ID,
  inlineDatum: DATUM,
  inlineDatumRaw: BYTES,
  inlineDatumhash: ID,
  referenceScript: members({ script: members({ cborHex: BYTES, description: TEXT, type: TEXT }), scriptLanguage: TEXT })
})

const REFERENCE = /^[0-9a-f]{64}#\d{1,5}$/i

/**
 * Returns the part of an output that may be seen if it is at one of the addresses; the same object where all of it may
 * be seen.
 */
export function narrowOutput(output: unknown, addresses: ReadonlySet<string>): unknown {
  const address = isRecord(output) ? getOwn(output, 'address') : undefined
  return typeof address === 'string' && addresses.has(address)
    ? OUTPUT(output, { addresses, isOwn: false, mayRead: () => false })
    : undefined
}

/** Rule for outputs by reference: keeps those at addresses of the viewer. */
export const UTXO: Narrow = (value, viewer) => {
  if (value === null) return null
  return narrowMap(REFERENCE, (output) => narrowOutput(output, viewer.addresses))(value, viewer)
}

/** The members of a transaction, its bytes among them. */
export const TRANSACTION_MEMBERS: Narrow = members({ txId: ID, type: TEXT, description: TEXT, cborHex: BYTES })

/**
 * Rule for a transaction, or its id: its bytes are shown only to its sender, and to viewers whose addresses it touches.
 */
export const TRANSACTION: Narrow = (value, viewer) => {
  if (!isRecord(value)) return ID(value, viewer)
  if (viewer.mayRead(value)) return TRANSACTION_MEMBERS(value, viewer)
  const txId = ID(getOwn(value, 'txId'), viewer)
  return typeof txId === 'string' ? { txId } : undefined
}
