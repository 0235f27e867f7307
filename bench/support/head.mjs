// Texts of a head's snapshots, made here, so that every machine reads the same.
import { randomBytes } from 'node:crypto'

export const HEAD_ID = 'aa'.repeat(28)
const OUTPUTS_PER_ADDRESS = 20
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

export const hex = (bytes) => randomBytes(bytes).toString('hex')

/** A base address of a test network: 57 bytes in bech32, with its checksum. */
function address() {
  const bytes = [0x00, ...randomBytes(56)]
  const words = []
  let [bits, value] = [0, 0]
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) words.push((value >> (bits - 5)) & 31)
    value &= 255
  }
  if (bits > 0) words.push((value << (5 - bits)) & 31)
  const prefix = 'addr_test'
  const polymod = (values) =>
    values.reduce((sum, each) => {
      const top = sum >>> 25
      const next = ((sum & 0x1ffffff) << 5) ^ each
      return [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].reduce(
        (all, generator, bit) => ((top >> bit) & 1 ? all ^ generator : all),
        next
      )
    }, 1)
  const expanded = [...[...prefix].map((c) => c.charCodeAt(0) >> 5), 0, ...[...prefix].map((c) => c.charCodeAt(0) & 31)]
  const checksum = polymod([...expanded, ...words, 0, 0, 0, 0, 0, 0]) ^ 1
  for (let i = 0; i < 6; i++) words.push((checksum >> (5 * (5 - i))) & 31)
  return `${prefix}1${words.map((word) => BECH32[word]).join('')}`
}

/** Outputs of a head: twenty to an address, every other with one of 200 tokens. */
export function makeHead(count, large = false) {
  const addresses = Array.from({ length: Math.max(1, count / OUTPUTS_PER_ADDRESS) }, address)
  const tokens = Array.from({ length: 200 }, () => [hex(28), hex(6)])
  const lovelace = (i) => (large ? 9_007_199_254_740_993n + BigInt(i) : 1_000_000 + i)
  const output = (i) => ({
    address: addresses[i % addresses.length],
    datum: null,
    datumhash: null,
    inlineDatum: null,
    inlineDatumRaw: null,
    referenceScript: null,
    value:
      i % 2
        ? { lovelace: lovelace(i) }
        : { lovelace: lovelace(i), [tokens[i % 200][0]]: { [tokens[i % 200][1]]: 1 + i } }
  })
  const outputs = new Map()
  for (let i = 0; i < count; i++) outputs.set(`${hex(32)}#${i % 3}`, output(i))
  return { addresses, outputs, output }
}

/** A message of the node; it lists outputs in order of their keys. */
export function snapshotText(number, outputs, confirmed = []) {
  const utxo = outputs && Object.fromEntries([...outputs].sort(([a], [b]) => (a < b ? -1 : 1)))
  const snapshot = { headId: HEAD_ID, version: 1, number, confirmed, utxo, utxoToCommit: null, utxoToDecommit: null }
  const message = {
    tag: 'SnapshotConfirmed',
    headId: HEAD_ID,
    seq: number,
    timestamp: '2026-01-01T00:00:00Z',
    signatures: { multiSignature: [] },
    snapshot
  }
  const text = JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? `@${value}@` : value)).replace(
    /"@(\d+)@"/g,
    '$1'
  )
  return Buffer.from(text).toString()
}

/** The head after so many of its outputs were spent and as many were made. */
export function later({ addresses, outputs, output }, changes) {
  const next = new Map(outputs)
  const keys = [...outputs.keys()]
  for (let i = 0; i < changes; i++) {
    next.delete(keys[Math.floor((i * keys.length) / changes)])
    next.set(`${hex(32)}#0`, output(i * 97))
  }
  return { addresses, outputs: next, output }
}
