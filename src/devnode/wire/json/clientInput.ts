import { hexToBytes, isHex } from '../../../codec/hex.js'
import { parseJson, stringifyJson } from '../../../codec/json.js'
import { isObject } from '../../json/isObject.js'
import type { JsonValue } from '../../json/jsonText.js'
import { JsonText, toJson } from '../../json/jsonText.js'
import { ParseFailure } from '../../json/ParseFailure.js'
import type { PreparedTx } from '../../rules/preparedTx.js'
import { prepareTx } from '../../rules/preparedTx.js'
import type { ProfileFeatures } from '../../settings/profiles.js'

/** A client's input, parsed; parts that depend on the head's state are still missing. */
export type ParsedInput = { readonly echo: JsonText } & (
  | { readonly tag: 'Init' | 'Abort' | 'Close' | 'SafeClose' | 'Contest' | 'Fanout' }
  | { readonly tag: 'NewTx' | 'Decommit'; readonly tx: PreparedTx }
  | { readonly tag: 'Recover'; readonly depositTxId: string }
  | { readonly tag: 'PartialFanout'; readonly utxo: Readonly<Record<string, unknown>> }
  | { readonly tag: 'SideLoadSnapshot'; readonly snapshot: ParsedSnapshot }
)

/** A ConfirmedSnapshot that a client sends; `null` for the initial one. */
export interface ParsedSnapshot {
  readonly headId: string
  readonly confirmed: {
    readonly number: number
    readonly version: number
    readonly utxo: UtxoJson
    readonly utxoToCommit: UtxoJson
    /** Null where there is none, as in snapshots before 2.4. */
    readonly depositTxId: string | null
    readonly utxoToDecommit: UtxoJson
    readonly signatures: readonly unknown[]
  } | null
}

/** A UTxO as it came; absent and null are the empty one. */
export type UtxoJson = Readonly<Record<string, unknown>>

/** The node's text for input that is not JSON. */
const NOT_JSON = 'Error in $: Failed reading: not a valid json value'

/** Parses JSON. @throws {@link ParseFailure} with the node's text. */
export function parseBody(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new ParseFailure(text.trim() === '' ? 'Error in $: not enough input' : NOT_JSON)
  }
}

/**
 * Parses a client's input.
 *
 * @throws {@link ParseFailure}
 */
export function parseClientInput(text: string, features: ProfileFeatures): ParsedInput {
  const value = parseBody(text)
  if (!isObject(value))
    throw new ParseFailure('Error in $: parsing Hydra.API.ClientInput.ClientInput failed, expected Object')
  const { tag } = value
  switch (tag) {
    case 'Init':
    case 'Close':
    case 'Contest':
    case 'Fanout':
      return { tag, echo: echoOf({ tag }) }
    case 'Abort':
      if (features.initializing) return { tag, echo: echoOf({ tag }) }
      break
    case 'SafeClose':
      if (features.safeClose) return { tag, echo: echoOf({ tag }) }
      break
    case 'NewTx': {
      const tx = parseTransaction(value['transaction'], '$.transaction')
      return { tag, tx, echo: echoOf({ tag, transaction: tx.envelope }) }
    }
    case 'Decommit': {
      const tx = parseTransaction(value['decommitTx'], '$.decommitTx')
      return { tag, tx, echo: echoOf({ tag, decommitTx: tx.envelope }) }
    }
    case 'Recover': {
      const recoverTxId = txIdOfInput(value['recoverTxId'], '$.recoverTxId')
      return { tag, depositTxId: recoverTxId, echo: echoOf({ tag, recoverTxId }) }
    }
    case 'PartialFanout':
      if (features.partialFanout) return { tag, utxo: objectAt(value, 'utxoToFanout'), echo: rawEcho(value) }
      break
    case 'SideLoadSnapshot':
      return { tag, snapshot: parseConfirmedSnapshot(value['snapshot'], features, '$.snapshot'), echo: rawEcho(value) }
    default:
  }
  const tags = knownTags(features)
  const found = typeof tag === 'string' ? `found tag ${JSON.stringify(tag)}` : 'found none'
  const where = 'Error in $.tag: parsing Hydra.API.ClientInput.ClientInput failed'
  throw new ParseFailure(`${where}, expected tag field to be one of ${JSON.stringify(tags)}, but ${found}`)
}

/**
 * Reads a transaction envelope; only `cborHex` and `txId` count.
 *
 * @throws {@link ParseFailure}
 */
export function parseTransaction(value: unknown, path = '$'): PreparedTx {
  if (!isObject(value)) throw new ParseFailure(`Error in ${path}: parsing Tx failed, expected Object`)
  const { cborHex, txId } = value
  if (typeof cborHex !== 'string') throw new ParseFailure(`Error in ${path}: key "cborHex" not found`)
  if (!isHex(cborHex)) throw new ParseFailure(`Error in ${path}: invalid base16 in cborHex`)
  let tx: PreparedTx
  try {
    tx = prepareTx(hexToBytes(cborHex))
  } catch (error) {
    const detail = (error as Error).message.split('\n').join(' ')
    throw new ParseFailure(
      `Error in ${path}: DecoderErrorDeserialiseFailure "Tx" (DeserialiseFailure 0 ${JSON.stringify(detail)})`
    )
  }
  if (txId !== undefined && txId !== null && txId !== tx.txId)
    throw new ParseFailure(`Error in ${path}: txId not matching`)
  return tx
}

/** Reads the body of GET /snapshot. @throws {@link ParseFailure} */
export function parseConfirmedSnapshot(
  value: unknown,
  features: Pick<ProfileFeatures, 'depositIdInSnapshots'>,
  path = '$'
): ParsedSnapshot {
  const { tag, headId, snapshot, signatures } = isObject(value) ? value : {}
  const fail = (key: string, expected: string): never => {
    throw new ParseFailure(`Error in ${path}${key}: parsing ConfirmedSnapshot failed, expected ${expected}`)
  }
  if (tag === 'InitialSnapshot')
    return typeof headId === 'string' ? { headId, confirmed: null } : fail('.headId', 'String')
  if (tag !== 'ConfirmedSnapshot') return fail('.tag', 'InitialSnapshot or ConfirmedSnapshot')
  if (!isObject(snapshot) || typeof snapshot['headId'] !== 'string') return fail('.snapshot', 'Snapshot')
  const natural = (key: string): number => {
    const number = snapshot[key]
    return Number.isSafeInteger(number) && (number as number) >= 0
      ? (number as number)
      : fail(`.snapshot.${key}`, 'Natural')
  }
  const utxoAt = (key: string, absent?: UtxoJson): UtxoJson => {
    const utxo = snapshot[key] ?? absent
    return isObject(utxo) ? utxo : fail(`.snapshot.${key}`, 'UTxO')
  }
  if (!Array.isArray(snapshot['confirmed'])) return fail('.snapshot.confirmed', 'Array')
  const multiSignature = isObject(signatures) ? signatures['multiSignature'] : undefined
  if (!Array.isArray(multiSignature)) return fail('.signatures.multiSignature', 'Array')
  const confirmed = {
    number: natural('number'),
    version: natural('version'),
    utxo: utxoAt('utxo'),
    utxoToCommit: utxoAt('utxoToCommit', {}),
    depositTxId:
      !features.depositIdInSnapshots || snapshot['depositTxId'] == null
        ? null
        : txIdOfInput(snapshot['depositTxId'], `${path}.snapshot.depositTxId`),
    utxoToDecommit: utxoAt('utxoToDecommit', {}),
    signatures: multiSignature
  }
  return { headId: snapshot['headId'], confirmed }
}

/** Reads a transaction id. @throws {@link ParseFailure} */
export function txIdOfInput(value: unknown, path = '$'): string {
  if (typeof value === 'string' && value.length === 64 && isHex(value)) return value.toLowerCase()
  throw new ParseFailure(
    `Error in ${path}: RawBytesHexErrorBase16DecodeFail ${JSON.stringify(typeof value === 'string' ? value : '')}`
  )
}

function objectAt(value: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const member = value[key]
  if (!isObject(member)) throw new ParseFailure(`Error in $.${key}: expected Object`)
  return member
}

function knownTags(features: ProfileFeatures): string[] {
  return [
    'Init',
    ...(features.initializing ? ['Abort'] : []),
    'NewTx',
    'Recover',
    'Decommit',
    'Close',
    ...(features.safeClose ? ['SafeClose'] : []),
    'Contest',
    'Fanout',
    ...(features.partialFanout ? ['PartialFanout'] : []),
    'SideLoadSnapshot'
  ]
}

// Written when a message repeats the input, which few do.
const echoOf = (input: JsonValue): JsonText => new JsonText(() => toJson(input))
const rawEcho = (value: unknown): JsonText => new JsonText(() => stringifyJson(value))
