import type { DepositDraft } from '../../bridge/inner.js'
import { isLayerError } from '../../errors/base.js'
import { DepositExpiredError } from '../../errors/client.js'
import { BridgeRequestError, UnsupportedByNodeError } from '../../errors/operation.js'
import type { JournalTx } from '../../types/journal.js'
import type { UTxO } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import type { CostLimits } from '../costs.js'
import type { Deadline } from '../deadline.js'
import type { EntryRecord } from '../EntryRecord.js'
import { checkDraft } from '../flows/checkDraft.js'
import type { KeepDraft } from '../flows/completeDeposit.js'
import { completeDeposit, submitDraft, untilFinal } from '../flows/completeDeposit.js'
import { depositRequest, supportsBlueprints } from '../flows/depositRequest.js'
import type { DepositReport, DepositRequest, DepositSource } from '../flows/depositRequest.js'
import { watchDeposit } from '../flows/watchDeposit.js'
import { DEFAULT_RETRIES } from '../limits.js'
import { assertReceiverNetwork } from '../paymentPlan.js'
import type { DepositArgs, DepositResult } from '../types.js'
import { toJournalTx } from './journalTx.js'

/**
 * Time after the end of a deposit's validity from which one that the node does not know will never be on the base
 * ledger, ms: blocks come late.
 */
const BOUND_MARGIN_MS = 600_000

/** Arguments of a deposit, without those that concern a single call. */
export type WantedDeposit = Omit<DepositArgs, 'id' | 'onProgress' | 'timeout' | 'signal' | 'expiresAt'>

/** The record of a deposit, and how its steps are reported. */
interface DepositReports {
  readonly record: EntryRecord | null
  readonly report: DepositReport
  readonly costs: CostLimits
}

/** Moves money into the head, or continues the deposit that the record has begun. */
export async function makeDeposit(
  context: ClientContext,
  args: WantedDeposit,
  { record, report: reportStep, costs }: DepositReports,
  deadline: Deadline
): Promise<DepositResult> {
  const wallet = context.account.walletFor('deposit')
  const label = Symbol('deposit')
  const report: DepositReport = (state, txId, fee, times) => {
    reportStep(state, txId, fee, times)
    if (state !== 'drafted' && state !== 'signed' && state !== 'split' && state !== 'confirmed') record?.note(state)
  }
  try {
    await context.connection.ready('deposit', deadline)
    const own = await deadline.race(context.account.load(wallet), "the wallet's addresses")
    const before = record?.entry.parts[0]?.txs.at(-1)
    if (record !== null && before !== undefined) {
      const result = await goOn(context, record, before, { deadline, report })
      if (result !== null) return result
    }
    const { amount, utxos, blueprint, changeAddress = own[0]!, to = own[0]!, datum } = args
    if (args.to !== undefined) assertReceiverNetwork(to, own[0]!)
    const receiver = { to, inlineDatum: typeof datum === 'object' ? datum.toCbor() : datum }
    const bounds = { context, wallet, deadline, report, costs }
    const metadata =
      args.endpointHint === undefined
        ? undefined
        : (await import('../flows/hintMetadata.js')).hintMetadata(context, args.endpointHint)
    const contents = { amount, utxos, blueprint, receiver, changeAddress, metadata }
    const source: DepositSource = { ...bounds, ...contents, own, label }
    return await draftAndComplete(source, args, record)
  } catch (error) {
    if (error instanceof DepositExpiredError) record?.note('expired')
    throw error
  } finally {
    context.account.base.release(label)
  }
}

async function draftAndComplete(
  source: DepositSource,
  given: WantedDeposit,
  record: EntryRecord | null
): Promise<DepositResult> {
  const { context, deadline } = source
  let request = await requestFor(source, supportsBlueprints(context))
  for (let retriesLeft = given.retries ?? DEFAULT_RETRIES; ;) {
    const askedAt = Date.now()
    let draft: DepositDraft
    try {
      draft = await deadline.race(context.bridge.commit(request.commit), "the node's draft")
    } catch (error) {
      // Gateways draft whole outputs only: one of the exact amount is made first.
      if (!isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR') || !('blueprint' in request)) throw error
      request = await requestFor(source, false)
      continue
    }
    const { txId } = await checkDraft(source, draft, { request, askedAt, given })
    const keep = keeperOf(context, record, request, given)
    const result = await completeDeposit(source, request, { txId, cborHex: draft.cborHex }, keep)
    if (!(result instanceof BridgeRequestError)) {
      await record?.reach('confirmed', result)
      return result
    }
    // Both drafts spend the same outputs, so that only one can ever enter the head.
    if (retriesLeft-- <= 0) throw result
  }
}

/**
 * Returns the request for the node's draft. @throws {@link UnsupportedByNodeError} for a blueprint when only whole
 * outputs can be deposited
 */
async function requestFor(source: DepositSource, supportsBlueprint: boolean): Promise<DepositRequest> {
  if (source.blueprint === undefined) return depositRequest(source, supportsBlueprint)
  if (!supportsBlueprint)
    throw new UnsupportedByNodeError('A deposit of a blueprint', { expected: 'a node from 1.1 on, without a gateway' })
  const { designedDeposit } = await import('../flows/designedDeposit.js')
  return designedDeposit(source, source.blueprint)
}

/**
 * Returns a function that calls the caller's callbacks and then stores a signed deposit in the journal; null when there
 * are neither.
 */
function keeperOf(
  context: ClientContext,
  record: EntryRecord | null,
  { refs, utxos }: DepositRequest,
  { onBeforeSend }: WantedDeposit
): KeepDraft | null {
  const callbacks = [onBeforeSend, context.settings.onBeforeSend].filter((each) => each != null)
  if (record === null && callbacks.length === 0) return null
  return async (signed) => {
    const tx = toJournalTx(context, signed)
    const { txId, cborHex, expiresAt } = tx
    for (const callback of callbacks)
      await callback(Object.freeze({ id: record?.id ?? null, txId, cborHex, expiresAt }))
    if (record === null) return
    record.begin()
    record.setArgs({ inHead: { refs, utxos } })
    await record.keep(0, tx, [])
    record.markSent(txId)
  }
}

/**
 * Continues a deposit that an earlier call or process signed, and perhaps submitted.
 * @returns null when it can never be on the base ledger, or was recovered, so that another one has to be made
 */
async function goOn(
  context: ClientContext,
  record: EntryRecord,
  { txId, cborHex, expirySlot, expiresAt }: JournalTx,
  { deadline, report }: { readonly deadline: Deadline; readonly report: DepositReport }
): Promise<DepositResult | null> {
  const { bridge } = context
  if (record.entry.step === 'recovered') return null
  const { inHead } = record.entry.args as { inHead: { refs: readonly string[]; utxos: readonly UTxO[] } }
  const watch = watchDeposit(context, { depositTxId: txId, cborHex, ...inHead }, report)
  try {
    const pending = await deadline.race(
      bridge.pendingDeposits().catch(() => null),
      "the head's deposits"
    )
    if (pending?.includes(txId) !== true) {
      const isKnown = await watch.catchUp()
      const slot = (await bridge.inFlight().catch(() => null))?.slot ?? null
      const isOver =
        slot === null || expirySlot === null
          ? expiresAt !== null && Date.now() > expiresAt + BOUND_MARGIN_MS
          : slot >= expirySlot
      // Its bound has passed on the base ledger, and the node has never seen it there.
      if (!isKnown && isOver) return null
      // Submitted before, the base ledger refuses it: the watch shows what became of it.
      if (!isKnown)
        await submitDraft(context, context.account.walletFor('deposit'), cborHex, deadline).catch(() => undefined)
    }
    const result = await untilFinal(context, watch, { txId, refs: inHead.refs }, deadline)
    await record.reach('confirmed', result)
    return result
  } finally {
    watch.stop()
  }
}
