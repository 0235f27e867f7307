import { addressToString, parseAddress } from '../../codec/address.js'
import { depositDatumParts } from '../../codec/depositDatumParts.js'
import type { Value } from '../../codec/value.js'
import { addUnit, addValue, LOVELACE, valueFromAmounts } from '../../codec/value.js'
import type { TxOutput } from '../../types/utxo.js'
import type { Differ, DraftBounds, ReadDraft } from './checkBody.js'
import type { ExpectedDeposit } from './expectedDeposit.js'

/**
 * Largest amount to which a node may raise change that is below the ledger's minimum, at its own cost (coverFee_),
 * lovelace.
 */
const LARGEST_TOP_UP = 5_000_000n

/**
 * Compares a draft's outputs with the request. Returns the deposit's deadline, ms since the Unix epoch; null
 * where none can be read.
 */
export function checkOutputs(
  draft: ReadDraft,
  expected: ExpectedDeposit,
  bounds: DraftBounds,
  differ: Differ
): bigint | null {
  const [deposit, ...others] = draft.body.outputs
  if (deposit === undefined) {
    differ('outputs', 'the deposit as the first output', 'no output')
    return null
  }
  const deadline = checkDeposit(deposit, expected, bounds, differ)
  const change = expected.changeAddress === null ? null : canonical(expected.changeAddress)
  const returned = others.filter(({ address }) => address === change)
  checkChange(returned, { draft, expected }, differ)
  checkForeign(
    { others: others.filter(({ address }) => address !== change), networkId: networkOf(expected) },
    draft,
    bounds,
    differ
  )
  return deadline
}

function checkDeposit(
  deposit: TxOutput,
  expected: ExpectedDeposit,
  bounds: DraftBounds,
  differ: Differ
): bigint | null {
  const { type, payment, networkId } = parseAddress(deposit.address)
  const { depositScript, headId } = bounds
  if (type !== 'enterprise' || payment?.kind !== 'script' || (depositScript !== null && payment.hash !== depositScript))
    differ(
      'deposit',
      `the first output at ${depositScript === null ? 'a script' : `script ${depositScript}`}, without a stake part`,
      deposit.address
    )
  const expectedNetwork = networkOf(expected)
  if (expectedNetwork !== null && networkId !== expectedNetwork)
    differ('deposit', 'the network of what is spent', `network ${networkId}`)
  if (deposit.scriptRef !== undefined) differ('deposit', 'no reference script', 'one')
  const value = valueFromAmounts(deposit.amount)
  if (!isEqual(value, expected.depositedValue))
    differ('deposit', `a deposit of ${textOf(expected.depositedValue)}`, textOf(value))
  const datum = deposit.inlineDatum === undefined ? null : depositDatumParts(deposit.inlineDatum)
  if (datum === null) {
    differ('datum', 'the datum of a deposit', 'another, or none')
    return null
  }
  if (datum.headId !== headId) differ('datum', `a deposit for head ${headId}`, `head ${datum.headId}`)
  const stated = new Map(datum.deposited)
  if (stated.size !== datum.deposited.length || stated.size !== expected.deposited.size)
    differ('datum', `${expected.deposited.size} outputs for the head`, `${datum.deposited.length}`)
  for (const [ref, output] of expected.deposited)
    if (stated.get(ref) !== output)
      differ('datum', `output ${ref} for the head as it was asked for`, stated.has(ref) ? 'another output' : 'none')
  const { earliestRecoverableAt, latestRecoverableAt } = bounds
  if (
    datum.deadlineMs < BigInt(Math.floor(earliestRecoverableAt)) ||
    datum.deadlineMs > BigInt(Math.floor(latestRecoverableAt))
  )
    differ(
      'deadline',
      `a deadline from ${timeText(earliestRecoverableAt)} to ${timeText(latestRecoverableAt)}`,
      timeText(Number(datum.deadlineMs))
    )
  return datum.deadlineMs
}

function checkChange(
  returned: readonly TxOutput[],
  { draft, expected }: { draft: ReadDraft; expected: ExpectedDeposit },
  differ: Differ
): void {
  for (const { inlineDatum, datumHash, scriptRef } of returned)
    if (inlineDatum !== undefined || datumHash !== undefined || scriptRef !== undefined)
      differ('change', 'change without a datum and script', 'one with')
  const left: Value = new Map(expected.spentValue)
  for (const [unit, quantity] of draft.body.mint) addUnit(left, unit, quantity)
  for (const { amount } of draft.body.withdrawals) addUnit(left, LOVELACE, amount)
  addValue(left, expected.depositedValue, -1n)
  // Without an input of the node the fee is paid from the requested outputs; else the blueprint's own fee goes to the
  // node (Hydra.Tx.Deposit, depositTx).
  const { blueprint, whole, changeAddress } = expected
  if (draft.foreign.length === 0) addUnit(left, LOVELACE, -draft.body.fee)
  else if (!whole && changeAddress !== null) addUnit(left, LOVELACE, -(blueprint?.body.fee ?? 0n))
  // The node adds the amounts that go into the head beyond the spent ones.
  for (const [unit, quantity] of [...left]) if (quantity < 0n) left.delete(unit)
  const got: Value = new Map()
  for (const { amount } of returned) addValue(got, valueFromAmounts(amount))
  const [wanted, lovelace] = [left.get(LOVELACE) ?? 0n, got.get(LOVELACE) ?? 0n]
  // In the caller's favour, and as much as an output needs at most.
  if (lovelace > wanted && wanted >= 0n && lovelace <= LARGEST_TOP_UP) left.set(LOVELACE, lovelace)
  if (!isEqual(left, got))
    differ('change', `${textOf(left)} back to ${expected.changeAddress ?? 'no address'}`, textOf(got))
}

/**
 * Checks the outputs that are neither deposit nor change: only the node's own change is allowed, where the node has
 * paid the fee and signed for it.
 */
function checkForeign(
  { others, networkId }: { readonly others: readonly TxOutput[]; readonly networkId: number | null },
  { foreign, witnessKeys }: ReadDraft,
  { ownKeys }: DraftBounds,
  differ: Differ
): void {
  // coverFee_ always makes it, at the enterprise address that the fee was paid from.
  if (others.length !== foreign.length)
    differ(
      'outputs',
      `${foreign.length === 0 ? 'no further output' : "one further output, the node's own change"}`,
      `${others.length}`
    )
  if (foreign.length > 0 && ![...witnessKeys].some((hash) => !ownKeys.has(hash)))
    differ('witnesses', "the node's signature for its own input", 'none')
  for (const { address } of others) {
    const parsed = parseAddress(address)
    const isNode =
      parsed.type === 'enterprise' && parsed.payment?.kind === 'key' && witnessKeys.has(parsed.payment.hash)
    if (!isNode || (networkId !== null && parsed.networkId !== networkId))
      differ('outputs', 'outputs for the deposit, the change and the node that has signed', address)
  }
}

/** Returns the network of the spent outputs; null when there are none. */
function networkOf({ spent }: ExpectedDeposit): number | null {
  const [output] = spent.values()
  return output === undefined ? null : parseAddress(output.address).networkId
}

function isEqual(a: Value, b: Value): boolean {
  return a.size === b.size && [...a].every(([unit, quantity]) => b.get(unit) === quantity)
}

/** Maximum number of units that an error message names. */
const SHOWN_UNITS = 4

function textOf(value: Value): string {
  const shown = [...value].slice(0, SHOWN_UNITS).map(([unit, quantity]) => `${quantity} ${unit}`)
  return (
    [...shown, ...(value.size > SHOWN_UNITS ? [`${value.size - SHOWN_UNITS} further units`] : [])].join(', ') ||
    'nothing'
  )
}

/** Returns a time as text: ISO 8601, or ms where it is beyond 8.64e15 ms, the latest Date. */
const timeText = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `${ms} ms`)

/** Returns the address in the form in which the decoder of outputs writes it. */
const canonical = (address: string): string => addressToString(parseAddress(address, 'changeAddress').bytes)
