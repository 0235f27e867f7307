import { assertHex, isPlainRecord, readOutput } from '../accumulator/inner.js'
import { bytesToHex } from '../codec/hex.js'
import type { PlutusData } from '../codec/plutusData.js'
import { addUnit } from '../codec/value.js'
import type { Hex, TxOutput } from '../types/utxo.js'
import type { NodeOutput, VerificationRule } from '../verify/index.js'
import type { ClosedForm, HeadRule, OpenForm } from './rules.js'
import { FORMER_HEAD_TOKEN, HEAD_RULES, HEAD_STATES, HEAD_TOKEN, NEWEST_KNOWN_NODE } from './rules.js'

/** Members that the datum of a head has in every state. */
export interface CommonDatum {
  /** Hex, 56 characters. */
  readonly headId: Hex
  /** Head keys of the parties, in the order of their signatures: hex, 64 characters each. */
  readonly parties: readonly Hex[]
  /** Lovelace in the head's output that belongs to no output in the head. */
  readonly headAdaOverhead: bigint
  /** Rules that the parties may sign by, strictest first. */
  readonly rules: readonly VerificationRule[]
  /** Number of fields of the datum. */
  readonly fields: number
}

/** Datum of an open head. */
export interface OpenHeadDatum extends CommonDatum {
  /** Distinguishes the states. */
  readonly state: 'open'
  /** Output that the policy id of the head, and so its id, was derived from. */
  readonly headSeed: { readonly txHash: Hex; readonly index: number }
  /** Contestation period, ms. */
  readonly contestationPeriodMs: number
  /** Deposit period, ms; null in heads before 2.4. */
  readonly depositPeriodMs: number | null
  /** Number of increments (deposits) and decrements (decommits) so far. */
  readonly version: number
  /** Hash of the accumulator of the outputs as of the last of them: hex, 64 characters. */
  readonly accumulatorHash: Hex
}

/** Datum of a closed head. */
export interface ClosedHeadDatum extends CommonDatum {
  /** Distinguishes the states. */
  readonly state: 'closed'
  /** Contestation period, ms. */
  readonly contestationPeriodMs: number
  /** Deposit period, ms; null in heads before 2.4. */
  readonly depositPeriodMs: number | null
  /** Version of the head when it was closed. */
  readonly version: number
  /** Number of the snapshot that it closes with. */
  readonly snapshotNumber: number
  /** Key hashes of the parties that have contested: hex, 56 characters each. */
  readonly contesters: readonly Hex[]
  /** Contestation deadline: ms since the Unix epoch. */
  readonly deadlineMs: number
  /** Commitment to the outputs that the head pays out: hex, 96 characters. */
  readonly commitment: Hex
}

/** Datum of a head between two steps of its fanout. */
export interface FanoutProgressDatum extends CommonDatum {
  /** Distinguishes the states. */
  readonly state: 'fanout-progress'
  /** Contestation deadline: ms since the Unix epoch. */
  readonly deadlineMs: number
  /** Commitment to the outputs that remain: hex, 96 characters. */
  readonly commitment: Hex
}

/** Datum of a head's output. */
export type HeadDatum = OpenHeadDatum | ClosedHeadDatum | FanoutProgressDatum

/** Content of a head's output on the base ledger. */
export interface ReadHeadOutput {
  /** True: the output is that of a head. */
  readonly ok: true
  /** Datum of the output. */
  readonly datum: HeadDatum
  /** Hash of the script that holds it: hex, 56 characters; null at a key address. */
  readonly scriptHash: Hex | null
  /**
   * Value of the output that can belong to outputs in the head, by unit: without the overhead and without the tokens of
   * the head itself.
   */
  readonly backing: ReadonlyMap<string, bigint>
}

/** Reason why an output is not that of a head. */
export interface HeadDatumProblem {
  /** False: the output is not that of a head. */
  readonly ok: false
  /** Reason; stable across releases. */
  readonly reason: 'anchor' | 'token' | 'datum' | 'newer-version'
  /** Reason as text for people. */
  readonly detail: string
}

const MAX_PARTIES = 256

/**
 * Reads a head's output on the base ledger: its datum, and the value that backs the outputs in the head. Never throws.
 *
 * The result is only as trustworthy as the source of the output and of `headId`: anybody can mint a token of this name
 * under a policy of their own.
 *
 * @param output - the output that holds the token, in this package's form or the node's JSON
 * @param headId - hex, 56 characters
 * @example
 * ```ts
 * import { readHeadDatum } from 'layer-sdk/recognition'
 * const read = readHeadDatum({ address: 'addr_test1...', amount: [] }, 'd276058a22ad180bc94bfc89d85d6c02c5e5a110dd5ddcd759f213b1')
 * console.log(read.ok ? read.datum.state : read.reason) // datum
 * ```
 */
export function readHeadDatum(output: TxOutput | NodeOutput, headId: Hex): ReadHeadOutput | HeadDatumProblem {
  try {
    const policy = assertHex('input', 'The headId', headId, 28)
    const { address, lovelace, assets, datum } = readOutput(output)
    const tokens = assets.get(policy)
    const quantity = tokens?.get(HEAD_TOKEN) ?? 0n
    if (quantity === 0n && tokens?.has(FORMER_HEAD_TOKEN) === true)
      return problem('token', 'The head is of the generation before: its token is named HydraHeadV1.')
    if (quantity !== 1n) return problem('anchor', `The output holds ${quantity} tokens of the head, not one.`)
    if (datum.kind !== 'inline') return problem('datum', 'The output of the head has no inline datum.')
    const read = readState(datum.data, policy)
    if ('ok' in read) return read
    const backing = new Map([['lovelace', lovelace - read.headAdaOverhead]])
    for (const [id, names] of assets)
      if (id !== policy) for (const [name, each] of names) addUnit(backing, id + name, each)
    const { payment } = address
    return { ok: true, datum: read, scriptHash: payment?.kind === 'script' ? payment.hash : null, backing }
  } catch {
    return problem('datum', isPlainRecord(output) ? 'The output is of no form of a head.' : 'There is no output.')
  }
}

function problem(reason: HeadDatumProblem['reason'], detail: string): HeadDatumProblem {
  return { ok: false, reason, detail }
}

function readState(data: PlutusData, headId: string): HeadDatum | HeadDatumProblem {
  const { index, fields } = data.asConstr()
  const state = HEAD_STATES[String(index)]
  const inner = fields[0]
  if (state === undefined || state === 'final' || inner === undefined || fields.length !== 1)
    return problem('datum', 'The datum is that of no open or closed head.')
  const parts = inner.asConstr()
  const form = HEAD_RULES.find((each) => each.state === state && each.fields === parts.fields.length)
  const idAt = state === 'open' ? 1 : 0
  // All versions so far begin alike; one that does too, and goes on otherwise, is a later one.
  if (parts.index !== 0n || hexOf(parts.fields[idAt], 28) !== headId)
    return problem('datum', 'The datum does not name the head of its token.')
  const parties = partiesOf(parts.fields[idAt + 1])
  if (form === undefined) return newer(`${parts.fields.length} fields`)
  try {
    return readForm(form, parts.fields, { headId, parties, rules: form.rules, fields: form.fields })
  } catch {
    return newer(`${parts.fields.length} fields of other kinds`)
  }
}

function newer(what: string): HeadDatumProblem {
  return problem(
    'newer-version',
    `The head is of a version that this package does not know (${what}; it knows nodes up to ${NEWEST_KNOWN_NODE}): update the package.`
  )
}

type Fields = readonly PlutusData[]

function readForm(form: HeadRule, fields: Fields, common: Omit<CommonDatum, 'headAdaOverhead'>): HeadDatum {
  switch (form.state) {
    case 'open':
      return readOpen(form, fields, common)
    case 'closed':
      return readClosed(form, fields, common)
    case 'fanout-progress':
      return {
        ...common,
        state: 'fanout-progress',
        deadlineMs: countOf(fields[2]),
        commitment: hexOf(fields[3], 48),
        headAdaOverhead: intOf(fields[4])
      }
  }
}

function readOpen(form: OpenForm, fields: Fields, common: Omit<CommonDatum, 'headAdaOverhead'>): OpenHeadDatum {
  const [seedTx, seedIndex] = fields[0]!.asConstr().fields
  return {
    ...common,
    state: 'open',
    headSeed: { txHash: hexOf(seedTx, 32), index: countOf(seedIndex) },
    contestationPeriodMs: periodOf(fields[3]),
    depositPeriodMs: form.depositPeriod === null ? null : periodOf(fields[form.depositPeriod]),
    version: countOf(fields[form.version]),
    accumulatorHash: hexOf(fields[form.version + 1], 32),
    headAdaOverhead: intOf(fields[form.version + 2])
  }
}

function readClosed(form: ClosedForm, fields: Fields, common: Omit<CommonDatum, 'headAdaOverhead'>): ClosedHeadDatum {
  const at = form.version
  return {
    ...common,
    state: 'closed',
    contestationPeriodMs: periodOf(fields[2]),
    depositPeriodMs: form.depositPeriod === null ? null : periodOf(fields[form.depositPeriod]),
    version: countOf(fields[at]),
    snapshotNumber: countOf(fields[at + 1]),
    contesters: fields[at + 2]!.asList().map((each) => hexOf(each, 28)),
    deadlineMs: countOf(fields[at + 3]),
    commitment: hexOf(fields[at + 4], 48),
    headAdaOverhead: intOf(fields[at + 5])
  }
}

function partiesOf(data: PlutusData | undefined): Hex[] {
  const parties = data!.asList()
  if (parties.length === 0 || parties.length > MAX_PARTIES) throw new RangeError('parties')
  return parties.map((party) => hexOf(party, 32))
}

function hexOf(data: PlutusData | undefined, length: number): Hex {
  const bytes = data!.asBytes()
  if (bytes.length !== length) throw new RangeError(`${length} bytes`)
  return bytesToHex(bytes)
}

/** Reads an integer that a JavaScript number can hold exactly, as versions and times of heads are. */
function countOf(data: PlutusData | undefined): number {
  const exact = Number(intOf(data))
  if (!Number.isSafeInteger(exact)) throw new RangeError('a safe integer')
  return exact
}

function intOf(data: PlutusData | undefined): bigint {
  const exact = data!.asInt()
  if (exact < 0n) throw new RangeError('a number from 0 on')
  return exact
}

/** Reads milliseconds: real nodes wrap them as Constr 0, the proposed standard has them bare. */
function periodOf(data: PlutusData | undefined): number {
  if (data!.kind === 'int') return countOf(data)
  const { index, fields } = data!.asConstr()
  if (index !== 0n || fields.length !== 1) throw new RangeError('a period')
  return countOf(fields[0])
}
