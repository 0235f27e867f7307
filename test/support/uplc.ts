import { bytesToHex } from '../../src/codec/hex'

// Untyped Plutus Core written as terms and encoded by flat (plutus-core specification, appendix C): the contracts of the
// tests need no compiler.

/** A term: its bits, below so many binders. */
export type Term = (depth: number) => string

/** Number of a builtin in the specification, and how often it is forced. */
const BUILTINS = {
  addInteger: [0, 0],
  lessThanEqualsInteger: [9, 0],
  ifThenElse: [26, 1],
  fstPair: [29, 2],
  sndPair: [30, 2],
  headList: [33, 1],
  tailList: [34, 1],
  nullList: [35, 1],
  iData: [40, 0],
  unConstrData: [42, 0],
  unMapData: [43, 0],
  unListData: [44, 0],
  unIData: [45, 0],
  equalsData: [47, 0],
  equalsInteger: [7, 0]
} as const

const bits = (value: number, width: number): string => value.toString(2).padStart(width, '0')
/** Groups of seven bits, the lowest first, each behind a bit that says that one follows. */
const natural = (value: number): string =>
  value < 128 ? bits(value, 8) : `1${bits(value % 128, 7)}${natural(Math.floor(value / 128))}`

export const lam =
  (body: (variable: Term) => Term): Term =>
  (depth) =>
    `0010${body((at) => `0000${natural(at - depth)}`)(depth + 1)}`
export const apply = (head: Term, ...args: readonly Term[]): Term =>
  args.reduce<Term>((term, arg) => (depth) => `0011${term(depth)}${arg(depth)}`, head)
const delay =
  (term: Term): Term =>
  (depth) =>
    `0001${term(depth)}`
const force =
  (term: Term): Term =>
  (depth) =>
    `0101${term(depth)}`
export const ERROR: Term = () => '0110'
/** Constants: a list of one type tag, then the value. */
export const UNIT: Term = () => '0100100110'
const bool =
  (value: boolean): Term =>
  () =>
    `0100101000${value ? 1 : 0}`
/** A number in the zigzag form. */
export const integer =
  (value: number): Term =>
  () =>
    `0100100000${natural(value < 0 ? -2 * value - 1 : 2 * value)}`

/** Applies a builtin. */
export function call(name: keyof typeof BUILTINS, ...args: readonly Term[]): Term {
  const [number, forces] = BUILTINS[name]
  let head: Term = () => `0111${bits(number, 7)}`
  for (let i = 0; i < forces; i++) head = force(head)
  return apply(head, ...args)
}

export const iff = (condition: Term, then: Term, otherwise: Term): Term =>
  force(call('ifThenElse', condition, delay(then), delay(otherwise)))
/** Succeeds when all conditions hold. */
export const validate = (...conditions: readonly Term[]): Term =>
  conditions.reduceRight<Term>((rest, condition) => iff(condition, rest, ERROR), UNIT)
export const equals = (a: Term, b: Term): Term => call('equalsData', a, b)
/** A field of a constructor. */
export const field = (data: Term, index: number): Term => nth(call('sndPair', call('unConstrData', data)), index)
export const tagOf = (data: Term): Term => call('fstPair', call('unConstrData', data))
export function nth(list: Term, index: number): Term {
  let rest = list
  for (let i = 0; i < index; i++) rest = call('tailList', rest)
  return call('headList', rest)
}

/** True when a list has an element of which this holds: a function that is given itself. */
export function some(list: Term, holds: (element: Term) => Term): Term {
  const loop = lam((self) =>
    lam((rest) =>
      iff(
        call('nullList', rest),
        bool(false),
        iff(holds(call('headList', rest)), bool(true), apply(self, self, call('tailList', rest)))
      )
    )
  )
  return apply(loop, loop, list)
}

/** The code of a script of PlutusV3 as a blueprint has it: CBOR bytes of the flat program, in hex. */
export function compiledCode(term: Term): string {
  const all = [1, 1, 0].map(natural).join('') + term(0)
  const padded = `${all}${'0'.repeat(7 - (all.length % 8))}1`
  const bytes = Uint8Array.from(padded.match(/.{8}/g)!, (octet) => parseInt(octet, 2))
  const length = bytes.length < 24 ? [0x40 + bytes.length] : bytes.length < 256 ? [0x58, bytes.length] : []
  if (length.length === 0) return `59${bytes.length.toString(16).padStart(4, '0')}${bytesToHex(bytes)}`
  return bytesToHex(Uint8Array.from([...length, ...bytes]))
}
