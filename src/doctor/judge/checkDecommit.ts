import { parseAddress } from '../../codec/address.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { hexToBytes } from '../../codec/hex.js'
import { readTransaction } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { encodeTxOutput, minLovelace } from '../../codec/txOutput.js'
import { encodeValue, LOVELACE, valueFromAmounts } from '../../codec/value.js'
import type { TxOutput } from '../../types/utxo.js'
import type { HeadFacts, NodeFacts, ParametersFacts, SnapshotFacts } from '../facts/HeadFacts.js'
import { valueOrNull } from '../facts/HeadFacts.js'
import { readHeadFacts } from '../facts/readHeadFacts.js'
import { FANOUT_ENVELOPE_BYTES } from '../limits.js'
import type { Finding, FindingEvidence } from '../types.js'
import { judgeDecommits } from './decommits.js'
import { finding, unknowns } from './finding.js'
import { judgeCollateral } from './outputs.js'
import { measureOutputs } from './measureOutputs.js'

/** Bytes that each party adds to a decrement: a signature, a key, and a token in the output of the head. */
const BYTES_PER_PARTY = 140

/** Arguments of {@link checkDecommit}. */
export interface CheckDecommitArgs {
  /** Facts of the head, as `checkHead` gathers them. */
  facts: HeadFacts
  /** The decommit: CBOR hex; signed or not. */
  txCbor: string
}

/**
 * Checks, before a decommit is sent, if the base ledger would accept the transaction that brings its outputs out of the
 * head. A decommit that the parties have approved and the base ledger refuses cannot be withdrawn, and blocks every
 * later one.
 *
 * @throws {@link HeadFactsError}; {@link InvalidHexError}, {@link InvalidCborError} on bytes that are no transaction
 * @example
 * ```ts no-run
 * import { checkDecommit, checkHead } from 'layer-sdk/doctor'
 * const { facts } = await checkHead({ head: 'ws://127.0.0.1:4001', patience: 0 })
 * const blocking = (await checkDecommit({ facts, txCbor })).filter(({ severity }) => severity === 'block')
 * ```
 */
export async function checkDecommit({ facts, txCbor }: CheckDecommitArgs): Promise<Finding[]> {
  const { nodes, ...rest } = readHeadFacts(facts)
  const ownNode = nodes[0]!
  const snapshot = valueOrNull(ownNode.snapshot)
  const body = decodeTransactionBody(readTransaction(hexToBytes(txCbor, 'txCbor')))
  const spent = new Set(body.inputs.map(({ txHash, index }) => `${txHash}#${index}`))
  const found = [
    ...judgeForm(body.outputs, valueOrNull(ownNode.head)?.parties.length ?? 1, rest),
    ...judgeLeaving(body.outputs, { nodes, ...rest }, ownNode, snapshot),
    ...besideDeposit(ownNode, snapshot),
    ...judgeDecommits({ nodes, ...rest }, ownNode, snapshot, 'decommit').filter(({ severity }) => severity !== 'ok'),
    ...judgeRest(snapshot, spent)
  ]
  if (!found.some(({ code }) => code === 'decommit-unpostable'))
    found.push(finding('decommit-unpostable', 'ok', 'The base ledger can take this decommit.'))
  return found
}

const blocked = (
  what: string,
  evidence: Readonly<Record<string, FindingEvidence>>,
  refs: readonly string[] = []
): Finding => finding('decommit-unpostable', 'block', what, { evidence, refs })

/** Judges number, kinds and sizes of the outputs. */
function judgeForm(
  outputs: readonly TxOutput[],
  parties: number,
  { base }: Pick<HeadFacts, 'base'>
): readonly Finding[] {
  if (outputs.length === 0) return [blocked('A decommit without outputs.', { outputs: 0 })]
  // A script of the base ledger cannot be shown an output at a Byron address: its transaction is refused.
  const byron = outputs.filter(({ address }) => isByron(address)).map(({ address }) => address)
  const found = byron.length === 0 ? [] : [blocked('An output at a Byron address.', { byron: byron.length }, byron)]
  if ('unread' in base) return [...found, ...unknowns(['decommit-unpostable'], base.unread)]
  return [...found, ...judgeSizes(outputs, parties, base.value)]
}

function judgeSizes(
  outputs: readonly TxOutput[],
  parties: number,
  { coinsPerByte, maxTxSize, maxValueSize }: ParametersFacts
): readonly Finding[] {
  const found: Finding[] = []
  let sizeBytes = 0
  for (const [i, output] of outputs.entries()) {
    const lovelace = BigInt(output.amount.find(({ unit }) => unit === LOVELACE)?.quantity ?? 0)
    const least = minLovelace(output, BigInt(coinsPerByte))
    if (lovelace < least) found.push(blocked(`Output ${i} is below the least ada.`, { output: i, lovelace, least }))
    const value = new CborWriter()
    encodeValue(value, valueFromAmounts(output.amount))
    const valueBytes = value.toBytes().length
    if (valueBytes > maxValueSize)
      found.push(blocked(`The value of output ${i} is too large.`, { output: i, valueBytes, maxValueSize }))
    sizeBytes += encodeTxOutput(output).length
  }
  const estimate = sizeBytes + FANOUT_ENVELOPE_BYTES + parties * BYTES_PER_PARTY
  if (estimate > maxTxSize)
    found.push(
      blocked('The outputs are too large for one transaction.', {
        estimatedBytes: estimate,
        maxTxSize,
        outputs: outputs.length
      })
    )
  return found
}

function isByron(address: string): boolean {
  try {
    return parseAddress(address).type === 'byron'
  } catch {
    return false
  }
}

/** Checks that the tokens that leave are in the output of the head on the base ledger. */
function judgeLeaving(
  outputs: readonly TxOutput[],
  { history }: HeadFacts,
  ownNode: NodeFacts,
  snapshot: SnapshotFacts | null
): readonly Finding[] {
  const leaving = new Map<string, bigint>()
  for (const { amount } of outputs)
    for (const { unit, quantity } of amount)
      if (unit !== LOVELACE) leaving.set(unit, (leaving.get(unit) ?? 0n) + BigInt(quantity))
  if (leaving.size === 0) return []
  const past = valueOrNull(history)
  const headValue = valueOrNull(ownNode.head)?.onChain ?? (past?.complete === true ? past.entered : null)
  if (headValue === null) {
    const reason = 'unread' in history ? history.unread : 'the history does not go back to the opening of the head'
    return unknowns(['decommit-unpostable'], `whether the tokens entered the head: ${reason}`)
  }
  // A deposit that is on its way brings tokens that the head's output does not have yet.
  const missing = [...leaving].filter(([unit, quantity]) => quantity > BigInt(headValue[unit] ?? 0))
  if (missing.length === 0) return []
  return [
    blocked(
      "Tokens that are not in the head's output on the base ledger.",
      {
        quantities: missing.map(([unit, quantity]) => `${quantity - BigInt(headValue[unit] ?? 0)} ${unit}`),
        snapshot: snapshot?.number ?? null
      },
      missing.map(([unit]) => unit)
    )
  ]
}

/**
 * Judges a decommit beside a deposit. A head settles one step at a time, so such a decommit would be approved and could
 * never be posted.
 */
function besideDeposit(ownNode: NodeFacts, snapshot: SnapshotFacts | null): readonly Finding[] {
  const version = valueOrNull(ownNode.head)?.version ?? null
  const isApplied = version !== null && snapshot?.version != null && version > snapshot.version
  const arriving = isApplied ? 0 : (snapshot?.toCommit.length ?? 0)
  if (arriving === 0) return []
  return [
    blocked('A signed snapshot brings a deposit into the head, which has to be final first.', {
      depositTxId: snapshot?.depositTxId ?? null,
      outputs: arriving
    })
  ]
}

/** Judges the outputs that stay in the head: they need collateral for its scripts. */
function judgeRest(snapshot: SnapshotFacts | null, spent: ReadonlySet<string>): readonly Finding[] {
  if (snapshot === null) return []
  const staying = snapshot.utxo.filter(({ input }) => !spent.has(`${input.txHash}#${input.index}`))
  const steps = measureOutputs(staying, null)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  const collateral = judgeCollateral(step.value.outputs)
  return collateral.severity === 'ok' ? [] : [collateral]
}
