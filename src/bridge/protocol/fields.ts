import { commandRow } from './commandTable.js'
import type {
  ConfirmedSnapshot,
  DecommitInvalidReason,
  Host,
  LayerHeadStatus,
  LayerInput,
  MultiSignature,
  NetworkInfo,
  NodeEnvironment,
  Party,
  Snapshot,
  SnapshotDelta,
  TransactionJson,
  UTxOObject
} from './types.js'
import type { WireRecord } from './wireRecord.js'
import { getOwn, isRecord, protocolError } from './wireRecord.js'

/** Kinds of fields that the decoder can check, with their TypeScript types; {@link CHECKS} has the check of each. */
interface CheckedTypes {
  /** A text. */
  string: string
  /** A list of texts. */
  strings: string[]
  /** From 0 to 2^53 - 1. */
  wholeNumber: number
  /** Of any size and sign, with or without a fraction. */
  number: number
  /** Transaction id: hex, 64 characters. */
  txId: string
  /** A transaction, with its id at least. */
  transaction: TransactionJson
  /** A list of transactions. */
  transactions: TransactionJson[]
  /** A map of outputs; they are checked when they are used, not here. */
  utxo: UTxOObject
  /** An object; `decodeSnapshot` checks its members. */
  snapshot: Snapshot
  /** Change of a snapshot, as a gateway states it; its outputs are checked when they are used. */
  delta: SnapshotDelta
  /** A list of parties. */
  parties: Party[]
  /** A state of the head; newer nodes may have others. */
  headStatus: LayerHeadStatus
  /** State of the node: it has caught up with the chain (`InSync`), or has not. */
  syncStatus: 'InSync' | 'CatchingUp'
  /** An input that the node echoes. */
  input: LayerInput
  /** An object whose `reason` is a text. */
  validationError: { reason: string }
}

/** All kinds of fields. Those that are not checked pass on as they came. */
interface FieldTypes extends CheckedTypes {
  /** Anything, null included. */
  unknown: unknown
  /** True or false. */
  boolean: boolean
  /** A list of numbers. */
  numbers: number[]
  /** A list of maps of outputs. */
  utxos: UTxOObject[]
  /** A party. */
  party: Party
  /** An address; a name from nodes up to 0.20. */
  peer: Host | string
  /** Configuration of the node. */
  environment: NodeEnvironment
  /** The node's network of peers. */
  networkInfo: NetworkInfo
  /** The signatures of all parties. */
  multiSignature: MultiSignature
  /** The body of GET /snapshot. */
  confirmedSnapshot: ConfirmedSnapshot
  /** Next step of a fanout: the node posts it by itself, or it waits for a command. */
  fanoutMode: 'AutoFanningOut' | 'AwaitingFanoutSelection'
  /** Reason of a refused decommit. */
  decommitInvalidReason: DecommitInvalidReason
  /** An object of many forms, distinguished by its `tag`; `key` stands for its other members. */
  tagged: { tag: string; [key: string]: unknown }
}

/** A field of the node's JSON. */
export type Field = {
  /**
   * `optional`: it may be absent, and null counts as absent (but for `unknown`). `nullable`: null stays, and an absent
   * field becomes null. Left out: the field is required in the type.
   */
  readonly presence?: 'optional' | 'nullable'
  /** Other name that nodes use for the field, read where the field's own name is absent. */
  readonly formerly?: string
} & (
  | {
      readonly type: keyof CheckedTypes
      /**
       * `essential`: an object that lacks the field, or has it of another type, is refused. `ifPresent`: only another
       * type is refused; null counts as absent.
       */
      readonly check: 'essential' | 'ifPresent'
    }
  | { readonly type: keyof FieldTypes; readonly check?: never }
)

/** Fields of an object by name. */
export type Fields = Readonly<Record<string, Field>>

/** TypeScript type of a field by its `type`; includes null where the field is nullable. */
type TypeOf<F> = F extends { type: infer Kind extends keyof FieldTypes }
  ? FieldTypes[Kind] | (F extends { presence: 'nullable' } ? null : never)
  : never
type Optional = { presence: 'optional' }

/** An object type written as one list of members, as editors show it. */
export type Flat<T> = { [Name in keyof T]: T[Name] }

/** The TypeScript type of an object with these fields. */
export type ObjectOf<F> = Flat<
  { -readonly [Name in keyof F as F[Name] extends Optional ? never : Name]: TypeOf<F[Name]> } & {
    -readonly [Name in keyof F as F[Name] extends Optional ? Name : never]?: TypeOf<F[Name]>
  }
>

const isString = (value: unknown): boolean => typeof value === 'string'
const hasString = (value: unknown, name: string): boolean => isRecord(value) && isString(getOwn(value, name))
const isTransaction = (value: unknown): boolean =>
  hasString(value, 'txId') && ['undefined', 'string'].includes(typeof getOwn(value as WireRecord, 'cborHex'))
const listOf =
  (isItem: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isItem)

/** Returns true when a value is an input; checks its tag, and the members of its argument that the bridge uses. */
export function isInput(value: unknown): value is LayerInput {
  if (!hasString(value, 'tag')) return false
  const input = value as WireRecord
  const fields = commandRow(input['tag'] as string)?.fields ?? {}
  return Object.entries(fields).every(
    ([name, field]) => field.check === undefined || CHECKS[field.type].test(getOwn(input, name))
  )
}

interface Check {
  /** Expected value, in words. */
  readonly expected: string
  test(value: unknown): boolean
}

const STRING: Check = { expected: 'a string', test: isString }
const OBJECT: Check = { expected: 'an object', test: isRecord }
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isDelta = (value: unknown): boolean =>
  isRecord(value) &&
  [value['from'], value['number'], value['count']].every(isWhole) &&
  Array.isArray(value['spent']) &&
  value['spent'].every(isString) &&
  isRecord(value['made'])

const CHECKS: Readonly<Record<keyof CheckedTypes, Check>> = {
  string: STRING,
  strings: { expected: 'a list, each item a string', test: listOf(isString) },
  wholeNumber: { expected: 'a whole number', test: isWhole },
  number: { expected: 'a number', test: (value) => typeof value === 'number' || typeof value === 'bigint' },
  txId: STRING,
  transaction: { expected: 'a transaction with its id', test: isTransaction },
  transactions: { expected: 'a list, each item a transaction with its id', test: listOf(isTransaction) },
  utxo: OBJECT,
  snapshot: OBJECT,
  delta: { expected: 'from, number, count, spent and made', test: isDelta },
  parties: { expected: 'a list, each item a party', test: listOf((value) => hasString(value, 'vkey')) },
  headStatus: STRING,
  syncStatus: STRING,
  input: { expected: 'an input with its tag', test: isInput },
  validationError: { expected: 'an object with a reason', test: (value) => hasString(value, 'reason') }
}

interface Step {
  readonly name: string
  readonly check: Check | undefined
  readonly ifAbsent: 'refuse' | 'remove' | 'null'
}

/** Fields in the form that is fast to check: made once, from the fields of a table. */
export interface Schema {
  readonly renamed: readonly (readonly [formerly: string, name: string])[]
  readonly steps: readonly Step[]
}

function stepOf(name: string, { type, presence, check }: Field): Step | undefined {
  if (check === 'essential') return { name, check: CHECKS[type], ifAbsent: 'refuse' }
  // Null is a value here.
  if (type === 'unknown' || (check === undefined && presence === undefined)) return undefined
  return {
    name,
    check: check === undefined ? undefined : CHECKS[type],
    ifAbsent: presence === 'nullable' ? 'null' : 'remove'
  }
}

/** Returns the schema of an object with these fields. */
export function schemaOf(fields: Fields): Schema {
  const entries = Object.entries(fields)
  return {
    renamed: entries.flatMap(([name, { formerly }]) => (formerly === undefined ? [] : [[formerly, name] as const])),
    steps: entries.flatMap(([name, field]) => stepOf(name, field) ?? [])
  }
}

/**
 * Renames fields that came under their other name (`formerly`), in place; a field under its own name has precedence.
 */
export function renameFields(record: WireRecord, { renamed }: Schema): void {
  for (const [formerly, name] of renamed) {
    if (!Object.hasOwn(record, formerly)) continue
    record[name] ??= record[formerly]
    delete record[formerly]
  }
}

/**
 * Checks the fields of an object, and removes absent ones or sets them to null, in place.
 *
 * @param what - the object, for the error: `The message TxValid`.
 * @throws {@link ProtocolError} when an essential field is absent, or one that is checked has another type.
 */
export function checkFields(record: WireRecord, { steps }: Schema, what: string): void {
  for (const { name, check, ifAbsent } of steps) {
    const value = getOwn(record, name)
    if ((value === undefined || value === null) && ifAbsent !== 'refuse') {
      if (ifAbsent === 'null') record[name] = null
      else delete record[name]
    } else if (check !== undefined && !check.test(value))
      protocolError(`${what}, field ${name},`, check.expected, value)
  }
}
