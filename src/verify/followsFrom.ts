import { equalBytes } from '../codec/bytes.js'
import { addValue, valueFromAmounts } from '../codec/value.js'
import type { Value } from '../codec/value.js'
import type { SetEntry } from '../accumulator/inner.js'
import { isPlainRecord } from '../accumulator/inner.js'
import { isAuthorized } from './authorized.js'
import type { ReadTx } from './readTx.js'
import { readTx } from './readTx.js'
import { amountsOf, refuseTransition, readTransition } from './transition.js'
import type { TransitionOptions, TransitionSides, TransitionVerdict } from './transition.js'
import { verdictOfTransition } from './transition.js'

type Outputs = Map<string, Uint8Array | undefined>

/** Largest fee accepted for a decommit whose transaction is not known: more than any fee of a transaction; lovelace. */
const MAX_UNREAD_FEE = 5_000_000n

/**
 * Checks that one snapshot of a head follows from the one before it: that its transactions, the deposit that was
 * included, and a decommit that began or was completed explain every difference. Of each transaction it checks the
 * id, the signatures of the owners of its inputs, and that it makes as much as it spends; scripts are not run.
 *
 * Both snapshots must contain their outputs. The transaction of a decommit that begins with `next`
 * (`DecommitRequested.decommitTx`) is in no snapshot: pass it in `options.decommits`, else only the amounts are compared.
 * The signatures of the snapshots are not checked; {@link verifySnapshot} does that.
 *
 * @param previous - the earlier snapshot, as received
 * @param next - the snapshot after it
 * @example
 * ```ts
 * import { followsFrom } from 'layer-sdk/verify'
 * const snapshot = { headId: '11'.repeat(28), version: 0, number: 1, confirmed: [], utxo: {}, utxoToCommit: null, utxoToDecommit: null }
 * console.log(await followsFrom(snapshot, { ...snapshot, number: 2 })) // { ok: true, fees: 0n, unread: [] }
 * console.log(await followsFrom(snapshot, { ...snapshot, number: 4 })) // { ok: false, reason: 'number', ... }
 * ```
 */
export function followsFrom(
  previous: unknown,
  next: unknown,
  options: TransitionOptions = {}
): Promise<TransitionVerdict> {
  return verdictOfTransition(async () => {
    const sides = readTransition(previous, next)
    assertPositions(sides)
    const outputs = startOutputs(sides)
    const amounts = new Map<string, Value>([...amountsOf(sides.previous), ...amountsOf(sides.next)])
    let fees = 0n
    for (const transaction of sides.confirmed)
      fees += await applyTx(readOrRefuse(transaction, 'A transaction'), outputs, amounts)
    const decommit = beginsDecommit(sides) ? decommitOf(sides, options) : null
    if (decommit === 'unread') fees += removeDecommitted(sides, outputs, amounts)
    else if (decommit !== null) fees += await applyDecommit(sides, decommit, outputs, amounts)
    compare('utxo', outputs, sides.next.utxo ?? [])
    return { ok: true, fees, unread: decommit === 'unread' ? [idOfDecommit(sides)] : [] }
  })
}

function assertPositions({ previous, next }: TransitionSides): void {
  if (previous.headId !== next.headId) refuseTransition('head', 'the snapshots are of two heads')
  if (next.number !== previous.number + 1n) refuseTransition('number', `number ${next.number} after ${previous.number}`)
  const step = next.version - previous.version
  const isPending = previous.hasCommit || previous.hasDecommit
  if (step < 0n || step > 1n) refuseTransition('version', `version ${next.version} after ${previous.version}`)
  if (step === 1n && !isPending) refuseTransition('version', 'the version grew, and nothing was pending')
  for (const side of [previous, next]) {
    const isNamed = typeof side.depositTxId === 'string'
    if (side.depositTxId !== undefined && isNamed !== side.hasCommit)
      refuseTransition('deposit', 'depositTxId and utxoToCommit are not there together')
    if (side.hasCommit && side.hasDecommit) refuseTransition('deposit', 'a deposit and a decommit are pending at once')
  }
  if (step === 1n) return
  // The pending step stays the same until the base ledger has done it, or a deposit is given up.
  if (previous.hasDecommit && !next.hasDecommit)
    refuseTransition('decommit', 'the decommit is gone, and the version has not grown')
  if (previous.hasDecommit) compare('decommit', mapOf(previous.toDecommit), next.toDecommit)
  if (previous.hasCommit && next.hasCommit) {
    compare('deposit', mapOf(previous.toCommit), next.toCommit)
    if (previous.depositTxId !== next.depositTxId) refuseTransition('deposit', 'the deposit has another id')
  }
}

/**
 * Returns the head's outputs before the transactions of `next`, including a deposit that the base ledger has moved in.
 */
function startOutputs({ previous, next }: TransitionSides): Outputs {
  const isDone = next.version > previous.version
  return mapOf([...(previous.utxo ?? []), ...(isDone ? previous.toCommit : [])])
}

/** Checks a transaction and applies it to the outputs. @returns the fee */
async function applyTx(tx: ReadTx, outputs: Outputs, amounts: Map<string, Value>): Promise<bigint> {
  if (new Set(tx.spent).size !== tx.spent.length) refuseTransition('transaction', `${tx.txId} spends an output twice`)
  const missing = tx.spent.find((key) => !outputs.has(key))
  if (missing !== undefined) refuseTransition('transaction', `${tx.txId} spends ${missing}, which is not there`)
  if (!(await isAuthorized(tx, (key) => outputs.get(key))))
    refuseTransition('witness', `${tx.txId} is not signed by an owner of what it spends`)
  const { fee, mint } = tx.body
  const sum: Value = new Map(mint)
  for (const key of tx.spent) addValue(sum, amounts.get(key) ?? new Map<string, bigint>())
  for (const [index, output] of tx.body.outputs.entries()) {
    const value = valueFromAmounts(output.amount)
    amounts.set(`${tx.txId}#${index}`, value)
    addValue(sum, value, -1n)
  }
  addValue(sum, new Map([['lovelace', fee]]), -1n)
  if (sum.size > 0) refuseTransition('value', `${tx.txId} does not make as much as it spends`)
  for (const key of tx.spent) outputs.delete(key)
  for (const [key, output] of tx.made) outputs.set(key, output)
  return fee
}

function beginsDecommit({ previous, next }: TransitionSides): boolean {
  return next.hasDecommit && !(previous.hasDecommit && next.version === previous.version)
}

const idOfDecommit = ({ next }: TransitionSides): string => next.toDecommit[0]?.key.slice(0, 64) ?? ''

function decommitOf(sides: TransitionSides, { decommits }: TransitionOptions): ReadTx | 'unread' {
  const txId = idOfDecommit(sides)
  const decommitTx = [...(decommits ?? [])].find((each) => isPlainRecord(each) && each['txId'] === txId)
  return decommitTx === undefined ? 'unread' : readOrRefuse(decommitTx, 'The decommit')
}

/**
 * Applies a decommit that begins: its inputs leave the head at once, and its outputs are pending until the base ledger
 * has them. @returns the fee
 */
async function applyDecommit(
  { next }: TransitionSides,
  tx: ReadTx,
  outputs: Outputs,
  amounts: Map<string, Value>
): Promise<bigint> {
  const fee = await applyTx(tx, outputs, amounts)
  for (const key of tx.made.keys()) outputs.delete(key)
  compare('decommit', new Map(tx.made), next.toDecommit)
  return fee
}

/**
 * Checks a decommit whose transaction is not known: the removed outputs must equal the outputs of the decommit in
 * value, except for a fee.
 * @returns the fee
 */
function removeDecommitted({ next }: TransitionSides, outputs: Outputs, amounts: Map<string, Value>): bigint {
  const left: Value = new Map()
  const remainingKeys = new Set((next.utxo ?? []).map(({ key }) => key))
  for (const key of [...outputs.keys()]) {
    if (remainingKeys.has(key)) continue
    addValue(left, amounts.get(key) ?? new Map<string, bigint>())
    outputs.delete(key)
  }
  for (const { key } of next.toDecommit) addValue(left, amounts.get(key) ?? new Map<string, bigint>(), -1n)
  const fee = left.get('lovelace') ?? 0n
  if (left.size > (fee === 0n ? 0 : 1) || fee < 0n || fee > MAX_UNREAD_FEE)
    refuseTransition('decommit', 'what has left the head is not what the decommit takes out')
  return fee
}

function readOrRefuse(transaction: unknown, what: string): ReadTx {
  return (
    readTx(transaction) ?? refuseTransition('transaction', `${what} cannot be read, or its id is not that of its bytes`)
  )
}

const mapOf = (entries: readonly SetEntry[]): Outputs => new Map(entries.map(({ key, data }) => [key, data]))

function compare(reason: 'utxo' | 'deposit' | 'decommit', expected: Outputs, found: readonly SetEntry[]): void {
  for (const { key, data } of found) {
    if (!expected.has(key)) refuseTransition(reason, `${key} has come from nowhere`)
    const expectedData = expected.get(key)
    if (expectedData === undefined ? data !== undefined : data === undefined || !equalBytes(expectedData, data))
      refuseTransition(reason, `${key} is another output than before`)
    expected.delete(key)
  }
  const [gone] = expected.keys()
  if (gone !== undefined) refuseTransition(reason, `${gone} is gone, and nothing has spent it`)
}
