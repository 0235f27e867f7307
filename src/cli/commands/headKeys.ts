import { readFileSync } from 'node:fs'
import { isJsonRecord } from '../recording/isRecord.js'
import { UsageError } from '../usage.js'

/** Head keys in hex with commas between, or files of hydra-node (`.vk`), in the order of the parties. */
export function headKeysOf(text: string): string[] {
  return text.split(',').map((each) => {
    const part = each.trim()
    if (/^[\da-f]{64}$/i.test(part)) return part.toLowerCase()
    const key = keyOfFile(part)
    if (key === null)
      throw new UsageError(
        '--keys needs head keys with commas between, 64 hexadecimal digits each, or files of hydra-node with public keys.'
      )
    return key
  })
}

/** Key of a text envelope; null where the file is none, or holds a secret one. */
function keyOfFile(path: string): string | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isJsonRecord(value) || !/VerificationKey/.test(String(value['type']))) return null
    return /^5820([\da-f]{64})$/.exec(String(value['cborHex']))?.[1] ?? null
  } catch {
    return null
  }
}
