import { CborWriter } from '../../codec/cbor/writer.js'
import { bytesToHex } from '../../codec/hex.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import type { Value } from '../../codec/value.js'
import { addUnit, addValue, encodeValue } from '../../codec/value.js'
import type { DraftError } from './draftError.js'
import { deriveKey } from '../settings/keys.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import type { UtxoView } from '../rules/utxoSet.js'

/** Bytes that are added to the estimate, as in Handlers.hs, incrementTxBalancingMargin. */
const MARGIN_BYTES = 512
/**
 * Bytes of an increment (the transaction that moves a deposit into the head) without the value of its output: inputs,
 * redeemers with the parties' signature, interval and the head's datum.
 */
const INCREMENT_BYTES = 1_000
const SIGNATURE_BYTES = 64

/** Outputs that a deposit would be merged with. */
export interface IncrementRequest {
  readonly headId: string
  /** Number of the head's parties; each has a token in its output. */
  readonly parties: number
  /** Seed of the parties' keys. */
  readonly seed: string
  readonly inHead: UtxoView
  readonly deposited: UtxoView
  readonly parameters: LedgerParameters
}

/**
 * Returns the error DepositTooLarge where the increment that includes a deposit could never be valid, because the
 * head's output then holds all outputs of the head, the deposit, and the head's own tokens; null otherwise. Newer nodes
 * than 2.3.0 refuse to draft such a deposit.
 *
 * @see Hydra.Chain.Direct.Handlers, rejectOversizedDeposit
 */
export function tooLargeForHead({
  headId,
  parties,
  seed,
  inHead,
  deposited,
  parameters
}: IncrementRequest): DraftError | null {
  const value: Value = new Map()
  for (const { entries } of [inHead, deposited]) for (const entry of entries) addValue(value, entry.value)
  addUnit(value, headId + bytesToHex(utf8ToBytes('HydraHeadV2')), 1n)
  for (let party = 1; party <= parties; party++) addUnit(value, headId + deriveKey(seed, `party ${party}`).keyHash, 1n)
  const writer = new CborWriter()
  encodeValue(writer, value)
  const estimatedValueSize = writer.length
  const estimatedTxSize = estimatedValueSize + INCREMENT_BYTES + SIGNATURE_BYTES * parties + MARGIN_BYTES
  const { maxTxSize, maxValueSize } = parameters
  if (estimatedTxSize <= maxTxSize && estimatedValueSize <= maxValueSize) return null
  const sizes = { estimatedTxSize, maximumTxSize: maxTxSize, estimatedValueSize, maximumValueSize: maxValueSize }
  return {
    tag: 'DepositTooLarge',
    ...Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, BigInt(size)]))
  }
}
