import { hexToBytes } from '../../codec/hex.js'
import { PlutusData } from '../../codec/plutusData.js'
import { bytesToHex } from '../../codec/hex.js'
import type { HeadIdentity } from '../head/types.js'
import type { HeadDatumForm } from '../settings/profiles.js'

/** Facts of a head that no step changes, as its datums have them. */
export interface HeadTerms {
  readonly head: HeadIdentity
  readonly form: HeadDatumForm
  readonly contestationPeriodMs: number
  readonly depositPeriodMs: number
  /** Lovelace of the head's output that belong to no output in the head. */
  readonly overhead: bigint
  /** True adds a field that no known version has. */
  readonly isUnknown: boolean
}

/** Content of the datum of a closed head. */
export interface ClosedContent {
  readonly version: number
  readonly number: number
  /** Key hashes of the parties that have contested: hex. */
  readonly contesters: readonly string[]
  readonly deadlineMs: number
  /** Commitment to the outputs: hex, 96 characters. */
  readonly commitment: string
}

const { constr, int, list } = PlutusData
const bytes = (hex: string): PlutusData => PlutusData.bytes(hexToBytes(hex))
const time = (ms: number): PlutusData => int(Math.round(ms))
/** Encodes a period, wrapped in a constructor as real nodes write it. */
const period = (ms: number): PlutusData => constr(0, [time(ms)])

/**
 * Datum of an open head: CBOR hex.
 *
 * @see cardano-scaling/hydra, hydra-plutus/src/Hydra/Contract/HeadState.hs, OpenDatum
 */
export function openDatum(terms: HeadTerms, version: number, accumulatorHash: string): string {
  const { head, overhead } = terms
  return datumOf(terms, 0, [
    constr(0, [bytes(head.headSeed), int(0)]),
    bytes(head.headId),
    partiesOf(terms),
    ...periodsOf(terms),
    int(version),
    bytes(accumulatorHash),
    int(overhead)
  ])
}

/** Datum of a closed head: CBOR hex. */
export function closedDatum(terms: HeadTerms, content: ClosedContent): string {
  const { version, number, contesters, deadlineMs, commitment } = content
  return datumOf(terms, 1, [
    bytes(terms.head.headId),
    partiesOf(terms),
    ...periodsOf(terms),
    int(version),
    int(number),
    list(contesters.map(bytes)),
    time(deadlineMs),
    bytes(commitment),
    int(terms.overhead)
  ])
}

/** Datum of a head between two steps of its fanout: CBOR hex. */
export function progressDatum(terms: HeadTerms, deadlineMs: number, commitment: string): string {
  return datumOf(terms, 3, [
    bytes(terms.head.headId),
    partiesOf(terms),
    time(deadlineMs),
    bytes(commitment),
    int(terms.overhead)
  ])
}

/** Key hashes of the parties that have contested a closed head. */
export function contestersOf(inlineDatum: string, form: HeadDatumForm): readonly string[] {
  const { fields } = PlutusData.fromCbor(inlineDatum).asConstr().fields[0]!.asConstr()
  return fields[form === 'sevenFields' ? 5 : 6]!.asList().map((each) => bytesToHex(each.asBytes()))
}

function datumOf({ isUnknown }: HeadTerms, index: number, fields: readonly PlutusData[]): string {
  return constr(index, [constr(0, isUnknown ? [...fields, list([])] : fields)]).toCbor()
}

function partiesOf({ head }: HeadTerms): PlutusData {
  return list(head.parties.map(bytes))
}

function periodsOf({ form, contestationPeriodMs, depositPeriodMs }: HeadTerms): PlutusData[] {
  return [period(contestationPeriodMs), ...(form === 'eightFields' ? [period(depositPeriodMs)] : [])]
}
