import { InvalidArgumentError } from '../../errors/input.js'

/** Reads the bits of a flat-encoded program (plutus-core specification, appendix C) in order. */
class FlatReader {
  #position = 0
  readonly #bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) {
      const byte = this.#bytes[this.#position >> 3]
      if (byte === undefined) throw notFlat('the end of the program', 'more bits')
      value = value * 2 + ((byte >> (7 - (this.#position & 7))) & 1)
      this.#position++
    }
    return value
  }

  /** Skips the filler before bytes: zeros and then a one, which must end a byte. */
  skipFiller(): void {
    while (this.bits(1) === 0) {
      // Zeros.
    }
    if ((this.#position & 7) !== 0) throw notFlat('a filler that ends a byte', 'one that does not')
  }

  /** Reads the filler at the end of the program, and throws if more bytes follow. */
  finish(): void {
    this.skipFiller()
    if (this.#position !== this.#bytes.length * 8) throw notFlat('the end of the program', 'more bytes')
  }
}

/** Writes the bits of a flat-encoded program in order. */
class FlatWriter {
  readonly #bytes: number[] = []
  #count = 0

  bits(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) {
      if ((this.#count & 7) === 0) this.#bytes.push(0)
      if (((value >> i) & 1) === 1) this.#bytes[this.#bytes.length - 1]! |= 1 << (7 - (this.#count & 7))
      this.#count++
    }
  }

  filler(): void {
    while ((this.#count & 7) !== 7) this.bits(0, 1)
    this.bits(1, 1)
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }
}

function notFlat(expected: string, got: string): InvalidArgumentError {
  return new InvalidArgumentError('compiledCode', `a flat-encoded program: ${expected}`, got)
}

const TERM = {
  VARIABLE: 0,
  DELAY: 1,
  LAMBDA: 2,
  APPLY: 3,
  CONSTANT: 4,
  FORCE: 5,
  ERROR: 6,
  BUILTIN: 7,
  CONSTR: 8,
  CASE: 9
}
const APPLIED_TYPE = 7
const DATA_TYPE = 8
const CHUNK_BYTES = 255

/** Type of a constant: its tag, and its type arguments, e.g. that of a list's items. */
interface FlatType {
  readonly tag: number
  readonly of: readonly FlatType[]
}

/**
 * Applies a program to one argument: `(apply program (con data d))`. Compilers do the same, so the script hash is the
 * one that they compute.
 *
 * @param program - flat-encoded
 * @param data - CBOR of the data
 * @throws {@link InvalidArgumentError} on bytes that are not a program
 */
export function applyToData(program: Uint8Array, data: Uint8Array): Uint8Array {
  const reader = new FlatReader(program)
  const writer = new FlatWriter()
  for (let i = 0; i < 3; i++) copyNatural(reader, writer)
  writer.bits(TERM.APPLY, 4)
  copyTerm(reader, writer)
  reader.finish()
  writer.bits(TERM.CONSTANT, 4)
  writer.bits(1, 1)
  writer.bits(DATA_TYPE, 4)
  writer.bits(0, 1)
  writer.filler()
  for (let at = 0; at < data.length; at += CHUNK_BYTES) {
    const chunk = data.subarray(at, at + CHUNK_BYTES)
    writer.bits(chunk.length, 8)
    for (const byte of chunk) writer.bits(byte, 8)
  }
  writer.bits(0, 8)
  writer.filler()
  return writer.toBytes()
}

/**
 * Copies a term bit by bit. In the copy it begins at another bit, so that the fillers before its bytes change. Programs
 * nest deeply, so it does not recurse.
 */
function copyTerm(reader: FlatReader, writer: FlatWriter): void {
  const tasks: ('term' | 'terms')[] = ['term']
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if (task === 'terms') {
      if (copy(reader, writer, 1) === 1) tasks.push('terms', 'term')
      continue
    }
    const tag = copy(reader, writer, 4)
    if (tag === TERM.VARIABLE) copyNatural(reader, writer)
    else if (tag === TERM.DELAY || tag === TERM.LAMBDA || tag === TERM.FORCE) tasks.push('term')
    else if (tag === TERM.APPLY) tasks.push('term', 'term')
    else if (tag === TERM.CONSTANT) copyConstant(reader, writer)
    else if (tag === TERM.BUILTIN) copy(reader, writer, 7)
    else if (tag === TERM.CONSTR) {
      copyNatural(reader, writer)
      tasks.push('terms')
    } else if (tag === TERM.CASE) tasks.push('terms', 'term')
    else if (tag !== TERM.ERROR) throw notFlat('a term', `tag ${tag}`)
  }
}

function copy(reader: FlatReader, writer: FlatWriter, count: number): number {
  const value = reader.bits(count)
  writer.bits(value, count)
  return value
}

/** Copies a natural number or integer: groups of seven bits, each after a bit that is 1 if a further group follows. */
function copyNatural(reader: FlatReader, writer: FlatWriter): void {
  while (copy(reader, writer, 8) >= 128) {
    // Another group.
  }
}

function copyConstant(reader: FlatReader, writer: FlatWriter): void {
  const tags: number[] = []
  while (copy(reader, writer, 1) === 1) tags.push(copy(reader, writer, 4))
  const type = readType(tags)
  if (tags.length > 0) throw notFlat('a type of a constant', 'more tags')
  copyValue(reader, writer, type)
}

/** Reads a type from its tags, which are in prefix form: `7 5 t` is a list of t, `7 7 6 a b` a pair of a and b. */
function readType(tags: number[]): FlatType {
  const tag = tags.shift()
  if (tag === undefined) throw notFlat('a type of a constant', 'none')
  if (tag !== APPLIED_TYPE) return { tag, of: [] }
  const applied = readType(tags)
  return { tag: applied.tag, of: [...applied.of, readType(tags)] }
}

function copyValue(reader: FlatReader, writer: FlatWriter, { tag, of }: FlatType): void {
  if (tag === 0) copyNatural(reader, writer)
  else if (tag === 1 || tag === 2 || tag === DATA_TYPE) copyBytes(reader, writer)
  else if (tag === 4) copy(reader, writer, 1)
  else if (tag === 5 && of.length === 1) while (copy(reader, writer, 1) === 1) copyValue(reader, writer, of[0]!)
  else if (tag === 6 && of.length === 2) for (const part of of) copyValue(reader, writer, part)
  else if (tag !== 3) throw notFlat('a type of constants that programs can have', `type ${tag}`)
}

function copyBytes(reader: FlatReader, writer: FlatWriter): void {
  reader.skipFiller()
  writer.filler()
  for (let length = copy(reader, writer, 8); length > 0; length = copy(reader, writer, 8))
    for (let i = 0; i < length; i++) copy(reader, writer, 8)
}
