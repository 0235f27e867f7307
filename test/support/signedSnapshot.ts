import { ed25519 } from '@noble/curves/ed25519.js'
import { addressToString } from '../../src/codec/address'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { blake2b256 } from '../../src/hash/blake2b'
import type { NodeOutput, SnapshotToVerify, VerificationRule } from '../../src/verify'
import { signedBytes, snapshotAccumulator } from '../../src/verify'

/** A snapshot that may be changed. */
export type MutableSnapshot = { -readonly [Field in keyof SnapshotToVerify]: SnapshotToVerify[Field] }

export const SECRETS = ['alice', 'bob', 'carol'].map((name) => blake2b256(new TextEncoder().encode(name)))
/** Head keys of three parties. */
export const PARTIES = SECRETS.map((secret) => bytesToHex(ed25519.getPublicKey(secret)))

const hashOf = (byte: string): string => byte.repeat(28)
export const addressOf = (hex: string): string => addressToString(hexToBytes(hex))

/** Outputs of every form: base, pointer, enterprise and script addresses, assets, both kinds of datum, scripts. */
export const OUTPUTS: readonly NodeOutput[] = [
  {
    address: addressOf(`00${hashOf('a1')}${hashOf('a2')}`),
    value: {
      lovelace: 2_345_678,
      [hashOf('c1')]: { '': 5, ff: 1, ff00: 2n ** 64n - 1n },
      [hashOf('0c')]: { '2bcf': 3 }
    },
    datumhash: 'dd'.repeat(32)
  },
  { address: addressOf(`40${hashOf('a3')}81020503`), value: { lovelace: 1_000_000 } },
  { address: addressOf(`60${hashOf('a4')}`), value: { lovelace: 9_007_199_254_740_993n }, datumhash: null },
  {
    address: addressOf(`71${hashOf('a5')}`),
    value: { lovelace: 1_500_000 },
    inlineDatumRaw: 'd8799f0142beefff',
    inlineDatum: { constructor: 0, fields: [{ int: 1 }, { bytes: 'beef' }] }
  },
  {
    address: addressOf(`30${hashOf('a6')}${hashOf('a7')}`),
    value: { lovelace: 1_200_000 },
    referenceScript: {
      scriptLanguage: 'SimpleScriptLanguage',
      script: { type: 'SimpleScript', cborHex: `8200581c${hashOf('b1')}` }
    }
  },
  {
    address: addressOf(`20${hashOf('a8')}${hashOf('a9')}`),
    value: { lovelace: 0 },
    referenceScript: {
      scriptLanguage: 'PlutusScriptLanguage PlutusScriptV3',
      script: { type: 'PlutusScriptV3', cborHex: '4746010000222499' }
    }
  }
]

const keyOf = (i: number): string => `${(i + 16).toString(16).repeat(32)}#${i % 3}`

/** A snapshot with outputs of every form: four in the head, one being added, one being taken out. */
export function sampleSnapshot(): MutableSnapshot {
  const entries = OUTPUTS.map((output, i) => [keyOf(i), structuredClone(output)] as const)
  return {
    headId: '5e'.repeat(28),
    version: 3,
    number: 77,
    utxo: Object.fromEntries(entries.slice(0, 4)),
    utxoToCommit: Object.fromEntries(entries.slice(4, 5)),
    utxoToDecommit: Object.fromEntries(entries.slice(5))
  }
}

/** The signatures of all parties over what a rule signs of a snapshot. */
export async function signSnapshot(snapshot: SnapshotToVerify, rule: VerificationRule): Promise<string[]> {
  const message = hexToBytes(await signedBytes({ snapshot, rule }))
  return SECRETS.map((secret) => bytesToHex(ed25519.sign(message, secret)))
}

/** Gives a snapshot what nodes of this rule state beside its outputs. */
export async function stateRule(snapshot: MutableSnapshot, rule: VerificationRule): Promise<void> {
  const { utxo, utxoToCommit, utxoToDecommit } = snapshot
  const hashOfSets = async (sets: Parameters<typeof snapshotAccumulator>[0]): Promise<string> =>
    (await snapshotAccumulator(sets)).hash
  if (rule === '2.4' || rule === 'next') snapshot.depositTxId ??= utxoToCommit ? 'd0'.repeat(32) : null
  if (rule === 'next') {
    snapshot.accumulator = await hashOfSets({ utxo, utxoToDecommit })
    snapshot.appliedAccumulator = await hashOfSets({ utxo, utxoToCommit })
  } else if (rule !== '0.20-2.1') snapshot.accumulator = await hashOfSets({ utxo, utxoToCommit, utxoToDecommit })
}

/** The sample as a node of this rule sends it. */
export async function signedSample(
  rule: VerificationRule
): Promise<{ snapshot: MutableSnapshot; signatures: string[]; parties: string[]; rule: VerificationRule }> {
  const snapshot = sampleSnapshot()
  await stateRule(snapshot, rule)
  return { snapshot, signatures: await signSnapshot(snapshot, rule), parties: [...PARTIES], rule }
}
