import { readFileSync } from 'node:fs'
import { isJsonRecord } from '../recording/isRecord.js'
import { UsageError } from '../usage.js'

/**
 * Parses `--keys`: the public Hydra keys of the parties in their order, separated by commas, each as hex or as a `.vk`
 * file of hydra-node. Returns them as hex. @throws UsageError
 */
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

/** Returns the public key in a text envelope file as hex; null when the file has none. */
function keyOfFile(path: string): string | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isJsonRecord(value) || !/VerificationKey/.test(String(value['type']))) return null
    return /^5820([\da-f]{64})$/.exec(String(value['cborHex']))?.[1] ?? null
  } catch {
    return null
  }
}
