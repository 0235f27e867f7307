import { LedgerEntry, UtxoView } from '../rules/utxoSet.js'
import { deriveId, deriveKey } from '../settings/keys.js'
import { blake2b224 } from '../../hash/blake2b.js'
import type { SnapshotForgery } from '../settings/faults.js'
import type { SnapshotSigner } from './snapshotSigner.js'
import type { SignedLocalSnapshot } from './types.js'

/** The forgery to make, and the keys to make it with. */
interface ForgeryTools {
  readonly forgery: SnapshotForgery | null
  /** Seed of the node's keys and ids. */
  readonly seed: string
  readonly signer: SnapshotSigner
}

const ONE_ADA = 1_000_000n

/**
 * Returns the snapshot as a lying server shows it, if a forgery is set. An empty snapshot has no amount to raise and no
 * output to drop, so those two forgeries leave it as it is.
 */
export function forgeSnapshot(
  signed: SignedLocalSnapshot,
  previous: SignedLocalSnapshot | null,
  { forgery, seed, signer }: ForgeryTools
): SignedLocalSnapshot {
  const { snapshot } = signed
  switch (forgery) {
    case null:
      return signed
    case 'amountRaised':
      return { ...signed, snapshot: { ...snapshot, utxo: withFirst(snapshot.utxo, (entry) => [raised(entry)]) } }
    case 'outputDropped':
      return { ...signed, snapshot: { ...snapshot, utxo: withFirst(snapshot.utxo, () => []) } }
    case 'otherNumber':
      return { ...signed, snapshot: { ...snapshot, number: snapshot.number + 1 } }
    case 'otherHead':
      return { ...signed, snapshot: { ...snapshot, headId: deriveId(seed, 'another head', blake2b224) } }
    case 'strangersKey':
      return signer.signAsStranger(signed, deriveKey(seed, 'stranger'))
    case 'signatureReused': {
      // Before the first there is none: the state signed then is of number 0.
      const earlier = previous ?? signer.sign({ ...snapshot, number: snapshot.number - 1 }, signed.hashes)
      return { ...signed, signatures: earlier.signatures }
    }
  }
}

function withFirst({ entries }: UtxoView, change: (entry: LedgerEntry) => LedgerEntry[]): UtxoView {
  const [first, ...others] = entries
  return new UtxoView(first === undefined ? [] : [...change(first), ...others])
}

function raised({ input, output }: LedgerEntry): LedgerEntry {
  const amount = output.amount.map(({ unit, quantity }) => ({
    unit,
    quantity: unit === 'lovelace' ? String(BigInt(quantity) + ONE_ADA) : quantity
  }))
  return new LedgerEntry(input, { ...output, amount })
}
