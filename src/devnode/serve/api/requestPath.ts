import { utf8ToBytes } from '../../../codec/utf8.js'

/** Returns the segments of a request's path as wai splits it: each percent-decoded, malformed ones as they are. */
export function pathSegments(path: string): string[] {
  const [plain = ''] = path.split('?')
  return plain === '/' ? [] : plain.slice(1).split('/').map(decodeSegment)
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  const bytes: number[] = []
  for (let i = 0; i < segment.length; i++) {
    const escape = /^%([0-9a-f]{2})/i.exec(segment.slice(i, i + 3))
    if (escape === null) bytes.push(...utf8ToBytes(segment[i]!))
    else {
      bytes.push(parseInt(escape[1]!, 16))
      i += 2
    }
  }
  return new TextDecoder().decode(Uint8Array.from(bytes))
}
