import { describeValue } from '../../errors/base.js'
import { ProtocolError } from '../../errors/bridge.js'

/** An object of the node's JSON whose fields have not been looked at. */
export type WireRecord = Record<string, unknown>

/** Whether a value is an object with fields, not an array. */
export function isRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Own field of an object, so that `constructor` or `__proto__` never come from the prototype. */
export function getOwn(record: WireRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** Text member of a value that may be anything; undefined where there is none. */
export function textIn(value: unknown, name: string): string | undefined {
  const text = isRecord(value) ? getOwn(value, name) : undefined
  return typeof text === 'string' ? text : undefined
}

const isString = (value: unknown): boolean => typeof value === 'string'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const hasString = (value: unknown, name: string): boolean => isRecord(value) && isString(getOwn(value, name))
const isTransaction = (value: unknown): boolean => hasString(value, 'txId') && ['undefined', 'string'].includes(typeof getOwn(value as WireRecord, 'cborHex'))

/** Transaction that an input carries, by the input's tag. */
const INPUT_TRANSACTION: Record<string, string> = { NewTx: 'transaction', Decommit: 'decommitTx' }

function isInput(value: unknown): boolean {
  if (!hasString(value, 'tag')) return false
  const input = value as WireRecord
  const field = getOwn(INPUT_TRANSACTION, input['tag'] as string) as string | undefined
  return (field === undefined || isTransaction(getOwn(input, field))) && (input['tag'] !== 'Recover' || hasString(input, 'recoverTxId'))
}

/** Kinds of fields by a letter each, with what is expected in words. */
const KINDS: Record<string, readonly [expected: string, test: (value: unknown) => boolean]> = {
  s: ['a string', isString],
  n: ['a whole number', isCount],
  d: ['a number', (value) => typeof value === 'number' || typeof value === 'bigint'],
  o: ['an object', isRecord],
  r: ['an object with a reason', (value) => hasString(value, 'reason')],
  p: ['a party', (value) => hasString(value, 'vkey')],
  t: ['a transaction with its id', isTransaction],
  i: ['an input with its tag', isInput],
  x: ['anything', () => true]
}

function isListOf(kind: string, value: unknown): boolean {
  return Array.isArray(value) && value.every(KINDS[kind]![1])
}

/**
 * Checks fields of an object against a list such as `'headId:s parties:[p] seq:n?'`: a letter of {@link KINDS}, in brackets for a list;
 * `?` allows the field to be absent or null (then it is removed), `0` allows null (then it is present as null).
 */
export function checkFields(record: WireRecord, fields: string, what: string): void {
  for (const field of fields === '' ? [] : fields.split(' ')) {
    const [name, type] = field.split(':') as [string, string]
    const value = getOwn(record, name)
    if ((value === undefined || value === null) && /[?0]$/.test(type)) {
      if (type.endsWith('0')) record[name] = null
      else delete record[name]
      continue
    }
    const list = type.startsWith('[')
    const kind = type[list ? 1 : 0]!
    if (list ? isListOf(kind, value) : KINDS[kind]![1](value)) continue
    protocolError(`${what}, field ${name},`, `${list ? 'a list, each item ' : ''}${KINDS[kind]![0]}`, value)
  }
}

/** Throws with what was expected and received; long values are described, not repeated. @throws {@link ProtocolError} always */
export function protocolError(what: string, expected: string, got: unknown): never {
  throw new ProtocolError(what, { expected, got: describeValue(got) })
}
