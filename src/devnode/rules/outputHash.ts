import { elementOf, readOutputData } from '../../accumulator/inner.js'
import { bytesToHex } from '../../codec/hex.js'
import { createSha256 } from '../../crypto/inner.js'
import type { LedgerEntry, UtxoView } from './utxoSet.js'

const NOTHING = new Uint8Array(0)

/** Orders references as the ledger does: transaction ids by their bytes, then indices as numbers. */
export function compareEntries({ input: a }: LedgerEntry, { input: b }: LedgerEntry): number {
  return a.txHash === b.txHash ? a.index - b.index : a.txHash < b.txHash ? -1 : 1
}

/** An output as a script of PlutusV2 sees it; no bytes for a Byron output, which no script can see. */
export function scriptBytesOf({ output }: LedgerEntry): Uint8Array {
  return readOutputData(output) ?? NOTHING
}

/** SHA-256 over the outputs in the order of their references: hex. @see hydra-tx/src/Hydra/Tx/IsTx.hs, hashUTxO */
export function outputSetHash(view: UtxoView | null): string {
  const hash = createSha256()
  for (const entry of [...(view?.entries ?? [])].sort(compareEntries)) hash.update(scriptBytesOf(entry))
  return bytesToHex(hash.digest())
}

/** The union of these sets, which an accumulator covers. */
export function unionEntries(...views: readonly (UtxoView | null)[]): LedgerEntry[] {
  const union = new Map<string, LedgerEntry>()
  for (const view of views) for (const entry of view ?? []) if (!union.has(entry.ref)) union.set(entry.ref, entry)
  return [...union.values()]
}

/** Element of an output in the accumulator. */
export function accumulatorElement({ output }: LedgerEntry): Uint8Array {
  return elementOf(readOutputData(output))
}
