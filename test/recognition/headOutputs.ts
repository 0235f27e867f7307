import { encodeDepositDatum } from '../../src/codec/depositDatum'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { PlutusData } from '../../src/codec/plutusData'
import type { HeadCandidate, UTxO } from '../../src/recognition'
import { HEAD_TOKEN } from '../../src/recognition/rules'

/** Address of a script, as a head's output has it. */
export const SCRIPT_ADDRESS = 'addr_test1wq4erflxvet45fr9hrrldflevr2cwr83x622vlejzhspf3gn6jry8'
export const EMPTY_ACCUMULATOR = '34758143d508cf8e757b5298b216d453759175423c5987685c8c043713bebc31'

const { int, bytes: raw, list, constr } = PlutusData
const bytes = (hex: string): PlutusData => raw(hexToBytes(hex))
const period = (ms: number): PlutusData => constr(0, [int(ms)])
export const plutus = { int, bytes, list, constr, period }

export interface OpenFields {
  readonly headId: string
  readonly parties: readonly string[]
  readonly version: number
  readonly accumulatorHash: string
  readonly overhead?: number
  /** 7: without the deposit period. */
  readonly fields?: 7 | 8
}

/** Datum of an open head as the nodes write it. */
export function openDatum({
  headId,
  parties,
  version,
  accumulatorHash,
  overhead = 2_500_000,
  fields = 8
}: OpenFields): PlutusData {
  return constr(0, [
    constr(0, [
      constr(0, [bytes('ab'.repeat(32)), int(1)]),
      bytes(headId),
      list(parties.map(bytes)),
      period(600_000),
      ...(fields === 8 ? [period(3_600_000)] : []),
      int(version),
      bytes(accumulatorHash),
      int(overhead)
    ])
  ])
}

export interface ClosedFields {
  readonly headId: string
  readonly parties: readonly string[]
  readonly version: number
  readonly number: number
  readonly deadlineMs: number
  readonly commitment: string
  readonly overhead?: number
  readonly fields?: 9 | 10
}

/** Datum of a closed head. */
export function closedDatum(given: ClosedFields): PlutusData {
  const { headId, parties, version, number, deadlineMs, commitment, overhead = 2_500_000, fields = 10 } = given
  return constr(1, [
    constr(0, [
      bytes(headId),
      list(parties.map(bytes)),
      period(600_000),
      ...(fields === 10 ? [period(3_600_000)] : []),
      int(version),
      int(number),
      list([]),
      int(deadlineMs),
      bytes(commitment),
      int(overhead)
    ])
  ])
}

/** Datum between two steps of a fanout. */
export function progressDatum(
  given: Pick<ClosedFields, 'headId' | 'parties' | 'deadlineMs' | 'commitment'>
): PlutusData {
  const { headId, parties, deadlineMs, commitment } = given
  return constr(3, [
    constr(0, [bytes(headId), list(parties.map(bytes)), int(deadlineMs), bytes(commitment), int(2_500_000)])
  ])
}

/** A head's output on the base ledger. */
export function headOutput(
  headId: string,
  lovelace: number | bigint,
  datum: PlutusData,
  extra: readonly { unit: string; quantity: string }[] = []
): HeadCandidate {
  return {
    input: { txHash: 'cd'.repeat(32), index: 0 },
    output: {
      address: SCRIPT_ADDRESS,
      amount: [
        { unit: 'lovelace', quantity: String(lovelace) },
        { unit: headId + HEAD_TOKEN, quantity: '1' },
        { unit: `${headId}${'01'.repeat(28)}`, quantity: '1' },
        ...extra
      ],
      inlineDatum: bytesToHex(datum.toBytes())
    }
  }
}

/** Lovelace of amounts; 0 where there is none. */
export function ada(amounts: readonly { unit: string; quantity: string }[]): number {
  return Number(amounts.find(({ unit }) => unit === 'lovelace')?.quantity ?? 0) / 1_000_000
}

/** A deposit of one output that anybody can have made: its transaction is the number `n`. */
export function depositOutput(given: {
  readonly n: number
  readonly lovelace: bigint
  readonly deadlineMs: number
  readonly headId: string
  readonly to: string
  readonly tokens?: Readonly<Record<string, bigint>>
}): UTxO {
  const { n, deadlineMs, headId, to: address, tokens = {} } = given
  const idOf = (id: number): string => id.toString(16).padStart(64, '0')
  const held = Object.entries({ lovelace: given.lovelace, ...tokens }).filter(([, quantity]) => quantity > 0n)
  const amount = held.map(([unit, quantity]) => ({ unit, quantity: String(quantity) }))
  const deposited = [{ input: { txHash: idOf(n + 1_000_000), index: 0 }, output: { address, amount } }]
  const inlineDatum = bytesToHex(encodeDepositDatum({ headId, deadlineMs, deposited }))
  return { input: { txHash: idOf(n), index: 0 }, output: { address: SCRIPT_ADDRESS, amount, inlineDatum } }
}
