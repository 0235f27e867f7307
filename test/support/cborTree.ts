/**
 * A second, naive CBOR reader for tests: it shares nothing with src/codec, so that a misreading is not shared either.
 */
export interface CborItem {
  major: number
  start: number
  end: number
  /** Argument of the head; -1 for an indefinite length. */
  argument: bigint
  /** Array items, map keys and values in turn, the tagged item, or chunks. */
  children: CborItem[]
}

export function parseCbor(bytes: Uint8Array, start = 0): CborItem {
  let at = start
  const first = bytes[at++]
  if (first === undefined) throw new Error('end of data')
  const [major, info] = [first >> 5, first & 31]
  if (info > 27 && info < 31) throw new Error('reserved')
  let argument = BigInt(info)
  if (info === 31) argument = -1n
  else if (info >= 24) {
    argument = 0n
    for (let i = 0; i < 1 << (info - 24); i++) {
      if (at >= bytes.length) throw new Error('end of data')
      argument = (argument << 8n) | BigInt(bytes[at++]!)
    }
  }
  const children: CborItem[] = []
  const child = () => {
    const item = parseCbor(bytes, at)
    at = item.end
    children.push(item)
  }
  if (major === 2 || major === 3) {
    if (argument >= 0n) at += Number(argument)
    else while (bytes[at] !== 0xff) child()
  } else if (major === 4 || major === 5) {
    const count = major === 5 ? argument * 2n : argument
    if (argument >= 0n) for (let i = 0n; i < count; i++) child()
    else while (bytes[at] !== 0xff) child()
  } else if (major === 6) child()
  if (argument < 0n && major !== 7) at++
  if (at > bytes.length) throw new Error('end of data')
  return { major, start, end: at, argument, children }
}

/** The parts of a transaction: [body, witness set, ...rest]. */
export function transactionParts(bytes: Uint8Array): { body: CborItem; witnessSet: CborItem; rest: CborItem[] } {
  const root = parseCbor(bytes)
  if (root.end !== bytes.length || root.major !== 4) throw new Error('not a transaction')
  const [body, witnessSet, ...rest] = root.children
  return { body: body!, witnessSet: witnessSet!, rest }
}

/** Value of an unsigned key in a map. */
export function mapValue(map: CborItem, key: number): CborItem | undefined {
  for (let i = 0; i < map.children.length; i += 2) {
    const item = map.children[i]!
    if (item.major === 0 && item.argument === BigInt(key)) return map.children[i + 1]
  }
  return undefined
}
