import type { Accelerator } from '../accumulator/curve.js'
import { accumulateElements } from '../accumulator/accumulate.js'
import { assertHex, fail, getOwn, isRecord } from '../accumulator/record.js'
import { isLayerError } from '../errors/base.js'
import { bytesToHex } from '../codec/hex.js'
import type { Hex } from '../types/utxo.js'
import { assertAccelerator } from './accelerator.js'
import { rulesToTry } from './rule.js'
import { createSignatureCheck, readParties, readSignatures } from './signatures.js'
import type { CheckedSnapshot, PendingHashes } from './snapshotMessage.js'
import { elementsOf, pendingHashesOf, readSnapshot, snapshotMessage } from './snapshotMessage.js'
import type { SnapshotToVerify, SnapshotVerdict, VerificationRule } from './types.js'
import { optionsOf, typedRejections, verdictOf } from './verdict.js'

/** What {@link signedBytes} needs. */
export interface SignedBytesOptions {
  /** The snapshot as it came. */
  readonly snapshot: SnapshotToVerify
  /** Which bytes: {@link verificationRule} gives it for a version. */
  readonly rule: VerificationRule
  /** Hash of the accumulator: hex. @default computed from the outputs; as the snapshot states it where it has no `utxo` */
  readonly accumulator?: Hex | undefined
  /** Computes commitments faster. @default `@noble/curves`, pure JavaScript */
  readonly accelerator?: Accelerator | undefined
}

/** What {@link verifySnapshot} needs. */
export interface VerifySnapshotOptions {
  /** The snapshot as it came. */
  readonly snapshot: SnapshotToVerify
  /** Of all parties, in their order: hex, 128 characters each; or the node's `{ multiSignature }`. */
  readonly signatures: readonly Hex[] | { readonly multiSignature: readonly Hex[] }
  /** Head keys of all parties, in their order: hex, 64 characters each, or `{ vkey }`. */
  readonly parties: readonly (Hex | { readonly vkey: Hex })[]
  /** Which bytes were signed. @default from `nodeVersion`; without it, what the signatures follow */
  readonly rule?: VerificationRule | undefined
  /** `hydraNodeVersion` of the node's Greetings. */
  readonly nodeVersion?: string | undefined
  /**
   * Hash of the accumulator of these very outputs, hex, from a caller who keeps it up to date on its own (`verifyUpdate`): the outputs are then
   * not looked at. Never the one that the snapshot states.
   */
  readonly accumulator?: Hex | undefined
  /** SHA-256 of the pending outputs, hex, for a light client that holds none of them; the snapshot then has none. */
  readonly pendingHashes?: PendingHashes | undefined
  /** Computes commitments faster. @default `@noble/curves`, pure JavaScript */
  readonly accelerator?: Accelerator | undefined
}

/**
 * Whether all parties of a head have signed a snapshot with these outputs.
 *
 * Proves that the parties agreed on this head id, version and number and on these outputs. It does not prove that a newer snapshot does not
 * exist, nor the inputs (`txHash#index`) that the outputs stand under, and under rule `2.2` not which of them are pending; and it is worth as
 * much as the source of the keys.
 *
 * @example
 * ```ts
 * import { verifySnapshot } from 'layer-sdk/verify'
 * const snapshot = { headId: '11'.repeat(28), version: 0, number: 1, utxo: {}, accumulator: null }
 * const verdict = await verifySnapshot({ snapshot, signatures: ['00'.repeat(64)], parties: ['3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'], rule: '2.3' })
 * console.log(verdict.ok ? verdict.rule : verdict.reason) // signature
 * ```
 */
export function verifySnapshot(options: VerifySnapshotOptions): Promise<SnapshotVerdict> {
  return verdictOf(async () => {
    const { snapshot: given, signatures, parties, rule, nodeVersion, accumulator, pendingHashes, accelerator } = optionsOf(options)
    const keys = readParties(parties)
    const signed = readSignatures(signatures, keys.length)
    const snapshot = readSnapshot(given)
    if (snapshot.number === 0n) fail('initial', 'The initial snapshot', 'a snapshot from number 1 on, which is signed', 'number 0')
    const rules = rulesToTry(rule, nodeVersion, snapshot.stated !== undefined || accumulator !== undefined)
    const pending = pendingHashes === undefined ? pendingHashesOf(snapshot) : readPendingHashes(pendingHashes, snapshot)
    const checkSignatures = await createSignatureCheck(keys)
    const isOldest = rules[0] === '0.20-2.1'
    const trusted = accumulator === undefined ? undefined : assertHex('input', 'The accumulator', accumulator, 32)
    // Signatures over a stated accumulator are checked before it is recomputed: a forger is to cause no work.
    const claimed = isOldest ? '' : (trusted ?? snapshot.stated ?? (await recompute(snapshot, accelerator)))
    const matched = checkRules(rules, (each) => checkSignatures(snapshotMessage(snapshot, each, claimed, pending), signed))
    const outputs = snapshot.utxo === undefined ? 'absent' : trusted === undefined ? 'recomputed' : 'given'
    if (!isOldest && outputs === 'recomputed' && snapshot.stated !== undefined && (await recompute(snapshot, accelerator)) !== claimed) {
      fail('accumulator', 'The accumulator of the snapshot', 'the accumulator of its outputs', 'another')
    }
    return { ok: true as const, rule: matched, ...(isOldest ? {} : { accumulatorHash: claimed }), outputs, unproven: unprovenOf(snapshot) } as const
  })
}

/**
 * The bytes that each party signs, in hex: CBOR items one after another, without an array around them.
 *
 * @throws {@link VerificationError}
 * @example
 * ```ts
 * import { signedBytes } from 'layer-sdk/verify'
 * const snapshot = { headId: '11'.repeat(28), version: 1, number: 42, utxo: {} }
 * console.log(await signedBytes({ snapshot, rule: '2.2' })) // 581c11…01182a5820 and the accumulator of the empty set
 * ```
 */
export function signedBytes(options: SignedBytesOptions): Promise<Hex> {
  return typedRejections(async () => {
    const { snapshot: given, rule, accumulator, accelerator } = optionsOf(options)
    const snapshot = readSnapshot(given)
    const [known] = rulesToTry(rule ?? fail('rule', 'The rule', 'one of 2.3, 2.2, 0.20-2.1', rule), undefined, false)
    const hash =
      known === '0.20-2.1'
        ? ''
        : accumulator !== undefined
          ? assertHex('input', 'The accumulator', accumulator, 32)
          : await accumulatorOf(snapshot, accelerator)
    return bytesToHex(snapshotMessage(snapshot, known!, hash, pendingHashesOf(snapshot)))
  })
}

function accumulatorOf(snapshot: CheckedSnapshot, accelerator: unknown): Promise<Hex> | Hex {
  return snapshot.utxo === undefined && snapshot.stated !== undefined ? snapshot.stated : recompute(snapshot, accelerator)
}

async function recompute(snapshot: CheckedSnapshot, accelerator: unknown): Promise<Hex> {
  if (snapshot.utxo === undefined) fail('rule', 'A snapshot without utxo', 'its accumulator', undefined)
  return (await accumulateElements(elementsOf(snapshot), assertAccelerator(accelerator))).hash
}

/** The first rule that holds; the failure of the first when none does. */
function checkRules(rules: readonly VerificationRule[], check: (rule: VerificationRule) => void): VerificationRule {
  let first: unknown
  for (const rule of rules) {
    try {
      check(rule)
      return rule
    } catch (error) {
      if (!isLayerError(error)) throw error
      first ??= error
    }
  }
  throw first
}

function readPendingHashes(hashes: unknown, { toCommit, toDecommit }: CheckedSnapshot): PendingHashes {
  const record = isRecord(hashes) ? hashes : fail('input', 'The pendingHashes', '{ toCommit, toDecommit }', hashes)
  if (toCommit.length + toDecommit.length > 0) fail('input', 'The pendingHashes', 'a snapshot without pending outputs beside them', 'both')
  const read = (name: string): string => assertHex('input', `The pendingHashes.${name}`, getOwn(record, name), 32)
  return { toCommit: read('toCommit'), toDecommit: read('toDecommit') }
}

function unprovenOf({ utxo, toCommit, toDecommit }: CheckedSnapshot): string[] {
  return [...(utxo ?? []), ...toCommit, ...toDecommit].filter(({ data }) => data === undefined).map(({ key }) => key)
}
