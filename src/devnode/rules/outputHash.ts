import { elementOf, OutputEncoder } from '../../accumulator/inner.js'
import { bytesToHex } from '../../codec/hex.js'
import { createSha256 } from '../../crypto/inner.js'
import type { LedgerEntry, UtxoView } from './utxoSet.js'

/** Orders references as the ledger does: transaction ids by their bytes, then indices as numbers. */
export function compareEntries({ input: a }: LedgerEntry, { input: b }: LedgerEntry): number {
  return a.txHash === b.txHash ? a.index - b.index : a.txHash < b.txHash ? -1 : 1
}

/** The bytes of outputs as a script of PlutusV2 sees them, one after another, and the length of each. */
export interface ScriptBytes {
  readonly bytes: Uint8Array
  /** 0 for a Byron output, which no script can see. */
  readonly lengths: number[]
}

/**
 * Returns the bytes of outputs as PlutusV2 sees them. @param encoder - keeps the addresses that it has seen, so that
 * one encoder for many outputs is faster than one for each
 */
export function scriptBytesOf(entries: readonly LedgerEntry[], encoder: OutputEncoder): ScriptBytes {
  encoder.begin()
  const lengths = entries.map(({ output }) => {
    const start = encoder.length
    encoder.append(output)
    return encoder.length - start
  })
  return { bytes: encoder.finish(), lengths }
}

/** SHA-256 over the outputs in the order of their references: hex. @see hydra-tx/src/Hydra/Tx/IsTx.hs, hashUTxO */
export function outputSetHash(view: UtxoView | null): string {
  const hash = createSha256()
  const sorted = [...(view?.entries ?? [])].sort(compareEntries)
  hash.update(scriptBytesOf(sorted, new OutputEncoder()).bytes)
  return bytesToHex(hash.digest())
}

/** Returns the union of these sets of outputs, each reference once, as an accumulator covers it. */
export function unionEntries(...views: readonly (UtxoView | null)[]): LedgerEntry[] {
  const union = new Map<string, LedgerEntry>()
  for (const view of views) for (const entry of view ?? []) if (!union.has(entry.ref)) union.set(entry.ref, entry)
  return [...union.values()]
}

/** Returns the element that stands for an output in the accumulator. @param encoder - as for {@link scriptBytesOf} */
export function accumulatorElement({ output }: LedgerEntry, encoder: OutputEncoder): Uint8Array {
  return elementOf(encoder.encode(output))
}
