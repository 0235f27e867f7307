import { blake2b256 } from '../../src/hash/blake2b.js'
import type { UTxO } from '../../src/types/utxo.js'
import { at, bytes, decodeValue, encodeValue, int, list, map, put } from '../support/cborValue.js'
import type { CborValue } from '../support/cborValue.js'

type List = Extract<CborValue, { kind: 'list' }>

/** A draft that differs in one way from an honest one. */
export interface Mutant {
  readonly name: string
  readonly cborHex: string
}

/** What a liar knows of his victim. */
export interface Victim {
  /** An output of the wallet that was not asked for. */
  readonly other: UTxO
  /** Bytes of the wallet's address: hex. */
  readonly address: string
  /** Hash and bytes of the wallet's key: hex. */
  readonly keyHash: string
  readonly publicKey: string
  /** References that were asked for. */
  readonly asked: readonly string[]
}

const STRANGER = `60${'5a'.repeat(28)}`
const HASH = 'ab'.repeat(28)
const ADA = 1_000_000n

interface Parts {
  readonly body: CborValue
  readonly witnesses: CborValue
  readonly whole: List
  readonly inputs: List
  readonly outputs: List
  readonly datum: List
  readonly deposited: List
  /** Writes the datum into the deposit again. */
  readonly writeDatum: () => void
}

function take(cborHex: string): Parts {
  const whole = decodeValue(Buffer.from(cborHex, 'hex')) as List
  const [body, witnesses] = whole.items as [CborValue, CborValue]
  const set = at(body, 0)!
  const inputs = (set.kind === 'tag' ? set.items[0]! : set) as List
  const outputs = at(body, 1) as List
  const leaf = datumBytes(outputs.items[0]!)
  const constr = decodeValue(Buffer.from(leaf.hex, 'hex')) as Extract<CborValue, { kind: 'tag' }>
  const datum = constr.items[0] as List
  const writeDatum = (): void => void (leaf.hex = encodeValue(constr))
  return { body, witnesses, whole, inputs, outputs, datum, deposited: datum.items[2] as List, writeDatum }
}

const datumBytes = (output: CborValue): Extract<CborValue, { kind: 'bytes' }> => {
  const tagged = (at(output, 2) as List).items[1] as Extract<CborValue, { kind: 'tag' }>
  return tagged.items[0] as Extract<CborValue, { kind: 'bytes' }>
}
/** Lovelace of an output, to be read and changed. */
function coinOf(output: CborValue): Extract<CborValue, { kind: 'int' }> {
  const value = at(output, 1)!
  return (value.kind === 'list' ? value.items[0]! : value) as Extract<CborValue, { kind: 'int' }>
}

const inputOf = ({ input }: Pick<UTxO, 'input'>): CborValue => list(bytes(input.txHash), int(input.index))
const outputOf = (address: string, lovelace: bigint): CborValue => map(int(0), bytes(address), int(1), int(lovelace))
const nativeScript = (keyHash: string): CborValue => list(int(0), bytes(keyHash))

/** Every draft that differs from an honest one in one way that the request does not allow. */
export function mutantsOf(honest: string, victim: Victim): Mutant[] {
  const mutants: Mutant[] = []
  const add = (name: string, change: (parts: Parts) => void, { keepAux = false } = {}): void => {
    const parts = take(honest)
    change(parts)
    parts.writeDatum()
    const aux = parts.whole.items[3]!
    if (!keepAux && aux.kind !== 'simple')
      put(parts.body, 7, bytes(Buffer.from(blake2b256(Buffer.from(encodeValue(aux), 'hex'))).toString('hex')))
    const cborHex = encodeValue(parts.whole)
    if (cborHex === encodeValue(take(honest).whole)) throw new Error(`${name} changes nothing`)
    mutants.push({ name, cborHex })
  }
  inputs(add, victim)
  outputs(add, victim, take(honest))
  datum(add, take(honest))
  members(add, victim)
  witnesses(add, victim)
  return mutants
}

type Add = (name: string, change: (parts: Parts) => void, options?: { keepAux?: boolean }) => void

function inputs(add: Add, { other, asked }: Victim): void {
  const isAsked = (item: CborValue): boolean => {
    const [hash, index] = (item as List).items as unknown as [{ hex: string }, { value: bigint }]
    return asked.includes(`${hash.hex}#${index.value}`)
  }
  add('spends another output of the wallet', ({ inputs: { items } }) => items.push(inputOf(other)))
  add(
    'spends another output of the wallet and pays a stranger from it',
    ({ inputs: { items }, outputs: { items: made } }) => {
      items.push(inputOf(other))
      made.push(outputOf(STRANGER, 1_000n * ADA))
    }
  )
  add("spends another output of the wallet in place of the node's", ({ inputs: { items } }) =>
    items.splice(
      items.findIndex((each) => !isAsked(each)),
      1,
      inputOf(other)
    )
  )
  add('spends an unknown output besides', ({ inputs: { items } }) => items.push(list(bytes('cd'.repeat(32)), int(0))))
  add("spends nothing of the node's", ({ inputs: { items } }) =>
    items.splice(
      items.findIndex((each) => !isAsked(each)),
      1
    )
  )
  add('spends nothing that was asked for', ({ inputs: { items } }) =>
    items.splice(0, items.length, ...items.filter((each) => !isAsked(each)))
  )
  add('spends another output in place of one that was asked for', ({ inputs: { items } }) =>
    items.splice(items.findIndex(isAsked), 1, inputOf(other))
  )
  add('names an input twice', ({ inputs: { items } }) => items.push(items.find(isAsked)!))
  add('has no input', ({ inputs: { items } }) => items.splice(0))
}

function outputs(add: Add, { address }: Victim, honest: Parts): void {
  const { items: made } = honest.outputs
  const last = made.length - 1
  for (const [index] of made.entries()) {
    const isFuel = index === last
    const name = index === 0 ? 'the deposit' : isFuel ? "the node's change" : 'the change'
    add(`leaves ${name} out`, ({ outputs: { items } }) => items.splice(index, 1))
    add(`makes ${name} twice`, ({ outputs: { items } }) => items.splice(index, 0, items[index]!))
    add(`pays ${name} to a stranger`, ({ outputs: { items } }) => put(items[index]!, 0, bytes(STRANGER)))
    add(`pays ${name} to a strange script`, ({ outputs: { items } }) =>
      put(items[index]!, 0, bytes(index === 0 ? `60${HASH}` : `70${HASH}`))
    )
    add(`pays ${name} to another network`, ({ outputs: { items } }) => {
      const own = at(items[index]!, 0) as { hex: string }
      put(items[index]!, 0, bytes(`${own.hex[0]}1${own.hex.slice(2)}`))
    })
    add(`adds a stake part to the address of ${name}`, ({ outputs: { items } }) => {
      const own = at(items[index]!, 0) as { hex: string }
      put(items[index]!, 0, bytes(`${own.hex[0] === '7' ? '1' : '0'}${own.hex.slice(1)}${HASH}`))
    })
    add(`states the address of ${name} twice`, ({ outputs: { items } }) =>
      (items[index] as { items: CborValue[] }).items.push(int(0), bytes(STRANGER))
    )
    if (isFuel) continue
    for (const lovelace of [1n, ADA, 500n * ADA]) {
      add(
        `takes ${lovelace} lovelace from ${name}`,
        ({ outputs: { items } }) => (coinOf(items[index]!).value -= lovelace)
      )
      add(`moves ${lovelace} lovelace from ${name} to the node`, ({ outputs: { items } }) => {
        coinOf(items[index]!).value -= lovelace
        coinOf(items[last]!).value += lovelace
      })
    }
    add(`puts a token into ${name}`, ({ outputs: { items } }) =>
      put(items[index]!, 1, list(int(coinOf(items[index]!).value), map(bytes(HASH), map(bytes('01'), int(7)))))
    )
    add(`puts a reference script into ${name}`, ({ outputs: { items } }) =>
      put(items[index]!, 3, { kind: 'tag', number: 24n, items: [bytes(encodeValue(list(int(0), nativeScript(HASH))))] })
    )
  }
  add('puts the deposit second', ({ outputs: { items } }) => items.push(items.shift()!))
  add('adds an output to a stranger', ({ outputs: { items } }) => items.push(outputOf(STRANGER, ADA)))
  add('adds an output to a script', ({ outputs: { items } }) => items.push(outputOf(`70${HASH}`, ADA)))
  add('adds a second deposit', ({ outputs: { items } }) => items.push(structuredClone(items[0]!)))
  add('has no output', ({ outputs: { items } }) => items.splice(0))
  add('puts a datum into the change', ({ outputs: { items } }) => {
    const change = items.find((each) => (at(each, 0) as { hex: string }).hex === address)
    if (change === undefined) items.push(outputOf(address, ADA))
    else put(change, 2, list(int(1), { kind: 'tag', number: 24n, items: [bytes('01')] }))
  })
}

function datum(add: Add, honest: Parts): void {
  add('has a deposit without a datum', ({ outputs: { items } }) => put(items[0]!, 2, undefined))
  add('has a deposit with a datum hash', ({ outputs: { items } }) =>
    put(items[0]!, 2, list(int(0), bytes('ab'.repeat(32))))
  )
  add('has a deposit with another datum', ({ outputs: { items } }) =>
    put(items[0]!, 2, list(int(1), { kind: 'tag', number: 24n, items: [bytes('d87980')] }))
  )
  add('names another head', ({ datum: { items } }) => (items[0] = bytes('cd'.repeat(28))))
  add('names no head', ({ datum: { items } }) => (items[0] = bytes('')))
  const now = BigInt(Date.now())
  for (const [name, time] of [
    ['at 0', 0n],
    ['an hour ago', now - 3_600_000n],
    ['in a day', now + 86_400_000n],
    ['in a year', now + 31_536_000_000n],
    ['in ages', 2n ** 62n],
    ['before the epoch', -1n]
  ] as const)
    add(`has a deadline ${name}`, ({ datum: { items } }) => (items[1] = int(time)))
  add('has a further field in the datum', ({ datum: { items } }) => items.push(int(0)))
  add('lacks a field of the datum', ({ datum: { items } }) => items.pop())
  add('puts nothing into the head', ({ deposited: { items } }) => items.splice(0))
  for (const [index] of honest.deposited.items.entries()) {
    const fields = (parts: Parts): CborValue[] =>
      ((parts.deposited.items[index] as { items: CborValue[] }).items[0] as List).items
    const ref = (parts: Parts): CborValue[] => ((fields(parts)[0] as { items: CborValue[] }).items[0] as List).items
    add(`leaves output ${index} out of the head`, ({ deposited: { items } }) => items.splice(index, 1))
    add(`puts output ${index} into the head twice`, ({ deposited: { items } }) => items.push(items[index]!))
    add(`gives output ${index} another id in the head`, (parts) => (ref(parts)[0] = bytes('cd'.repeat(32))))
    add(`gives output ${index} another index in the head`, (parts) => (ref(parts)[1] = int(9)))
    eachLeaf(decodeValue(Buffer.from((fields(honest)[1] as { hex: string }).hex, 'hex')), (path, name) =>
      add(`changes ${name} of output ${index} in the head`, (parts) => {
        const output = fields(parts)[1] as { hex: string }
        const tree = decodeValue(Buffer.from(output.hex, 'hex'))
        changeLeaf(leafAt(tree, path))
        output.hex = encodeValue(tree)
      })
    )
  }
}

const TAG_SET = (...items: CborValue[]): CborValue => ({ kind: 'tag', number: 258n, items: [list(...items)] })

function members(add: Add, { other, keyHash }: Victim): void {
  const account = bytes(`e0${keyHash}`)
  const anchor = list({ kind: 'text', hex: '61' }, bytes('ab'.repeat(32)))
  const credential = list(int(0), bytes(keyHash))
  const foreign: [number, string, CborValue][] = [
    [4, 'a delegation of the wallet', TAG_SET(list(int(2), credential, bytes(HASH)))],
    [4, 'a deregistration of the wallet', TAG_SET(list(int(8), credential, int(2_000_000)))],
    [4, 'a delegation of votes', TAG_SET(list(int(9), credential, list(int(2))))],
    [4, 'an empty set of certificates', TAG_SET()],
    [5, 'a withdrawal of the wallet', map(account, int(5n * ADA))],
    [5, 'a withdrawal of nothing', map(account, int(0))],
    [8, 'a lower bound', int(1)],
    [9, 'a mint', map(bytes(HASH), map(bytes('01'), int(7)))],
    [9, 'a burning', map(bytes(HASH), map(bytes('01'), int(-7)))],
    [9, 'an empty mint', map()],
    [11, 'a script data hash', bytes('ab'.repeat(32))],
    [13, 'an output of the wallet as collateral', TAG_SET(inputOf(other))],
    [13, 'an unknown collateral', TAG_SET(list(bytes('cd'.repeat(32)), int(0)))],
    [14, "a required signature of the wallet's", TAG_SET(bytes(keyHash))],
    [14, "a required signature of a stranger's", TAG_SET(bytes(HASH))],
    [15, 'another network', int(1)],
    [16, 'a return of collateral', outputOf(STRANGER, ADA)],
    [17, 'a total collateral', int(5n * ADA)],
    [18, 'a reference input', TAG_SET(list(bytes('cd'.repeat(32)), int(0)))],
    [18, 'an output of the wallet as reference input', TAG_SET(inputOf(other))],
    [
      19,
      'a vote',
      map(
        list(int(2), bytes(keyHash)),
        map(list(bytes('ab'.repeat(32)), int(0)), list(int(1), { kind: 'simple', value: 22n }))
      )
    ],
    [20, 'a proposal', TAG_SET(list(int(100_000n * ADA), account, list(int(6)), anchor))],
    [21, 'a treasury value', int(1)],
    [22, 'a donation', int(ADA)],
    [6, 'an update of old eras', int(0)],
    [23, 'an unknown member', int(0)],
    [99, 'an unknown member of a later era', int(0)]
  ]
  for (const [key, name, value] of foreign) add(`has ${name}`, ({ body }) => put(body, key, value))
  for (const fee of [5_000_001n, 400n * ADA]) add(`pays a fee of ${fee}`, ({ body }) => put(body, 2, int(fee)))
  add('has no upper bound', ({ body }) => put(body, 3, undefined))
  for (const slot of [2n ** 32n, 2n ** 63n]) add(`has the upper bound ${slot}`, ({ body }) => put(body, 3, int(slot)))
  for (const key of [0, 1]) add(`lacks member ${key} of the body`, ({ body }) => put(body, key, undefined))
  add('states the inputs twice', ({ body }) =>
    (body as { items: CborValue[] }).items.push(int(0), TAG_SET(inputOf(other)))
  )
  add('states the outputs twice', ({ body }) =>
    (body as { items: CborValue[] }).items.push(int(1), list(outputOf(STRANGER, ADA)))
  )
}

function witnesses(add: Add, { keyHash, publicKey }: Victim): void {
  const fake = list(bytes(publicKey), bytes('00'.repeat(64)))
  add("lacks the node's signature", ({ witnesses: set }) => put(set, 0, undefined))
  add("has a stranger's signature in place of the node's", ({ witnesses: set }) =>
    put(set, 0, TAG_SET(list(bytes('5a'.repeat(32)), bytes('00'.repeat(64)))))
  )
  add('has a signature of the wallet already', ({ witnesses: set }) => {
    const own = at(set, 0)!
    ;((own.kind === 'tag' ? own.items[0]! : own) as List).items.push(fake)
  })
  const added: [number, string, CborValue][] = [
    [1, "a native script of the wallet's key", TAG_SET(nativeScript(keyHash))],
    [2, 'a Byron signature', TAG_SET(list(bytes('5a'.repeat(32)), bytes('00'.repeat(64)), bytes('00'), bytes('a0')))],
    [3, 'a Plutus V1 script', TAG_SET(bytes('4e'))],
    [4, 'a datum', TAG_SET(int(1))],
    [5, 'a redeemer', map(list(int(0), int(0)), list(int(1), list(int(1), int(1))))],
    [6, 'a Plutus V2 script', TAG_SET(bytes('4e'))],
    [7, 'a Plutus V3 script', TAG_SET(bytes('4e'))],
    [8, 'an unknown witness', int(0)]
  ]
  for (const [key, name, value] of added) add(`carries ${name}`, ({ witnesses: set }) => put(set, key, value))
  add('is marked as invalid', ({ whole: { items } }) => (items[2] = { kind: 'simple', value: 20n }))
  add('has metadata of another hash', ({ body }) => put(body, 7, bytes('ab'.repeat(32))), { keepAux: true })
  add('has a hash and no metadata', ({ whole: { items } }) => (items[3] = { kind: 'simple', value: 22n }), {
    keepAux: true
  })
  add('has metadata and no hash', ({ body }) => put(body, 7, undefined), { keepAux: true })
  const labels = (parts: Parts): CborValue[] => {
    const aux = parts.whole.items[3] as { items: CborValue[] }
    return (at(aux.items[0]!, 0) as { items: CborValue[] }).items
  }
  add('has metadata of another label', (parts) => labels(parts).push(int(61_284), map(int(1), bytes('00'))))
  add('has another text in its metadata', (parts) =>
    labels(parts).splice(1, 1, { kind: 'text', hex: Buffer.from('I owe you').toString('hex') })
  )
  add('has a script in its metadata', (parts) =>
    put((parts.whole.items[3] as { items: CborValue[] }).items[0]!, 1, list(nativeScript(keyHash)))
  )
}

/** Calls `each` with the path of every integer, text, tag and byte string below a value, in words too. */
function eachLeaf(value: CborValue, each: (path: number[], name: string) => void, path: number[] = []): void {
  if ('items' in value) {
    value.items.forEach((item, index) => eachLeaf(item, each, [...path, index]))
    if (value.kind === 'tag') each([...path], `the constructor at ${path.join('.')}`)
  } else each([...path], `the ${value.kind} at ${path.join('.')}`)
}

const leafAt = (value: CborValue, path: readonly number[]): CborValue =>
  path.reduce((each, index) => (each as { items: CborValue[] }).items[index]!, value)

function changeLeaf(leaf: CborValue): void {
  if (leaf.kind === 'int') leaf.value += 1n
  else if (leaf.kind === 'tag') leaf.number = leaf.number === 121n ? 122n : 121n
  else if (leaf.kind === 'bytes')
    leaf.hex = leaf.hex === '' ? '00' : (leaf.hex[0] === '0' ? '1' : '0') + leaf.hex.slice(1)
}
