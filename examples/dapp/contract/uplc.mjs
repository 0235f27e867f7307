// Untyped Plutus Core as JavaScript: terms are functions of their depth, and `compiledCode` writes them in the flat
// encoding (plutus-core specification, appendix C). A compiler such as Aiken's does the same from a language of its own.

/** Number of a builtin in the specification, and how often it is forced. */
const BUILTINS = {
  addInteger: [0, 0],
  subtractInteger: [1, 0],
  modInteger: [6, 0],
  equalsInteger: [7, 0],
  lessThanEqualsInteger: [9, 0],
  appendByteString: [10, 0],
  consByteString: [11, 0],
  lengthOfByteString: [13, 0],
  equalsByteString: [15, 0],
  sha2_256: [18, 0],
  ifThenElse: [26, 1],
  fstPair: [29, 2],
  sndPair: [30, 2],
  mkCons: [32, 1],
  headList: [33, 1],
  tailList: [34, 1],
  nullList: [35, 1],
  constrData: [37, 0],
  iData: [40, 0],
  bData: [41, 0],
  unConstrData: [42, 0],
  unMapData: [43, 0],
  unListData: [44, 0],
  unIData: [45, 0],
  unBData: [46, 0],
  equalsData: [47, 0],
  mkNilData: [49, 0]
}

const bits = (value, width) => value.toString(2).padStart(width, '0')
/** Seven bits at a time, the lowest first; the bit before each group says that another one follows. */
const natural = (value) =>
  value < 128 ? bits(value, 8) : `1${bits(value % 128, 7)}${natural(Math.floor(value / 128))}`

const delay = (term) => (depth) => `0001${term(depth)}`
const force = (term) => (depth) => `0101${term(depth)}`
const error = () => '0110'
const unit = () => '0100100110'
const boolean = (value) => () => `0100101000${value ? 1 : 0}`
/** A whole number from 0, whose zigzag form is its double. */
export const integer = (value) => () => `0100100000${natural(2 * value)}`

/** A function of one variable. */
export const lam = (body) => (depth) => `0010${body((at) => `0000${natural(at - depth)}`)(depth + 1)}`
export const apply = (head, ...args) => args.reduce((term, arg) => (depth) => `0011${term(depth)}${arg(depth)}`, head)
/** Computes a value once, for all places of the body that use it. */
export const bind = (value, body) => apply(lam(body), value)

/** The builtins by their names: `call.addInteger(a, b)`. */
export const call = Object.fromEntries(
  Object.entries(BUILTINS).map(([name, [number, forces]]) => [
    name,
    (...args) => {
      let head = () => `0111${bits(number, 7)}`
      for (let i = 0; i < forces; i++) head = force(head)
      return apply(head, ...args)
    }
  ])
)

export const iff = (condition, then, otherwise) => force(call.ifThenElse(condition, delay(then), delay(otherwise)))
/** A term behind conditions: an error where one does not hold, and none behind that is computed. */
export const demand = (conditions, then) => conditions.reduceRight((rest, each) => iff(each, rest, error), then)
/** Succeeds when all conditions hold. */
export const validate = (...conditions) => demand(conditions, unit)
export const both = (a, b) => iff(a, b, boolean(false))

export function nth(list, index) {
  let rest = list
  for (let i = 0; i < index; i++) rest = call.tailList(rest)
  return call.headList(rest)
}
export const tag = (data) => call.fstPair(call.unConstrData(data))
export const field = (data, index) => nth(call.sndPair(call.unConstrData(data)), index)
export const isTag = (data, number) => call.equalsInteger(tag(data), integer(number))
export const constr = (number, ...fields) =>
  call.constrData(
    integer(number),
    fields.reduceRight((rest, each) => call.mkCons(each, rest), call.mkNilData(unit))
  )

/** A function that is handed itself: `body(self, list)` calls `self(rest)`. */
const recur = (list, body) => {
  const loop = lam((self) => lam((rest) => body((next) => apply(self, self, next), rest)))
  return apply(loop, loop, list)
}
/** True when a list has an element of which this holds. */
export const some = (list, holds) =>
  recur(list, (self, rest) =>
    iff(call.nullList(rest), boolean(false), iff(holds(call.headList(rest)), boolean(true), self(call.tailList(rest))))
  )
/** The first element of which this holds; an error where there is none. */
export const find = (list, holds) =>
  recur(list, (self, rest) => iff(holds(call.headList(rest)), call.headList(rest), self(call.tailList(rest))))
/** Number of elements of which this holds. */
export const count = (list, holds) =>
  recur(list, (self, rest) =>
    iff(
      call.nullList(rest),
      integer(0),
      call.addInteger(iff(holds(call.headList(rest)), integer(1), integer(0)), self(call.tailList(rest)))
    )
  )

/** A script of Plutus V3 as a blueprint has it: the program in flat, as a byte string of CBOR, in hex. */
export function compiledCode(term) {
  const program = [1, 1, 0].map(natural).join('') + term(0)
  const padded = `${program}${'0'.repeat(7 - (program.length % 8))}1`
  const hex = padded.match(/.{8}/g).map((octet) => parseInt(octet, 2).toString(16).padStart(2, '0'))
  return `59${hex.length.toString(16).padStart(4, '0')}${hex.join('')}`
}
