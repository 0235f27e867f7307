import { isLayerError } from '../../errors/base.js'
import { OutcomeUnknownError } from '../../errors/client.js'
import type { UTxO } from '../../types/utxo.js'
import type { Deadline } from '../deadline.js'
import { refOf } from '../PendingView.js'
import { signWith } from '../signWith.js'
import type { WithdrawResult } from '../types.js'
import { untilVerified } from '../verified.js'
import { assertPostable } from './assertPostable.js'
import type { Decommit } from './watchDecommit.js'
import { watchDecommit } from './watchDecommit.js'
import { sweep } from './withdrawal.js'
import type { WithdrawReport, Withdrawal } from './withdrawal.js'

/** Function that stores a signed decommit before it is sent; if it rejects, nothing is sent. */
export type KeepDecommit = (signed: string) => Promise<void>

/** A decommit that an earlier call or process has signed. */
export interface SignedDecommit {
  readonly decommit: Decommit
  readonly signed: string
  /** ms since the Unix epoch; null: it carries no bound. */
  readonly expiresAt: number | null
}

/**
 * Moves outputs out of the head: continues the decommit `before`, or builds, signs and sends one, and sends it again
 * when another client's was in flight.
 */
export async function sendDecommit(
  withdrawal: Withdrawal,
  leaving: readonly UTxO[],
  {
    keep,
    before,
    force
  }: { readonly keep: KeepDecommit | null; readonly before: SignedDecommit | null; readonly force: boolean },
  deadline: Deadline,
  report: WithdrawReport
): Promise<WithdrawResult> {
  const { context, wallet } = withdrawal
  if (before !== null) {
    const result = await goOn(withdrawal, before, deadline, report)
    if (result !== null) return result
  }
  for (;;) {
    const built = sweep(withdrawal, leaving)
    const resignAt = Date.now() + context.settings.expiresInMs / 2
    if (!force) await assertPostable(context, built, deadline)
    report('built', built.txId, built.fee)
    deadline.throwIfOver()
    const signed = await deadline.race(signWith(wallet, built.txId, built.cborHex, false), "the wallet's signature")
    report('signed', built.txId)
    if (keep !== null) await deadline.race(keep(signed), 'the journal')
    deadline.throwIfOver()
    // One signature serves again as long as its bound is far.
    do {
      const result = await decommit(withdrawal, built, signed, deadline, report)
      if (result !== 'busy') return result
      await context.ledger.withdrawals.untilFinal(deadline)
      if (leaving.some((utxo) => context.bridge.isUnspent(refOf(utxo)) === false))
        throw new OutcomeUnknownError(
          built.txId,
          null,
          'its inputs are spent, and it was refused while another decommit was in flight'
        )
    } while (Date.now() < resignAt)
  }
}

/**
 * Continues a decommit that an earlier call or process signed, and perhaps sent. @returns null when its outputs are
 * certainly still in the head, so that it can be built again: both decommits spend the same outputs
 */
async function goOn(
  withdrawal: Withdrawal,
  { decommit: built, signed, expiresAt }: SignedDecommit,
  deadline: Deadline,
  report: WithdrawReport
): Promise<WithdrawResult | null> {
  const { bridge } = withdrawal.context
  const { txId } = built
  const node = await deadline.race(
    bridge.inFlight().catch(() => null),
    'the decommit in flight'
  )
  if (node?.decommitTxId !== txId) {
    if (built.inputs.every((utxo) => bridge.isUnspent(refOf(utxo)) === true)) {
      if (expiresAt !== null && Date.now() > expiresAt) return null
      const result = await decommit(withdrawal, built, signed, deadline, report)
      return result === 'busy' ? null : result
    }
    const messages = await deadline.race(
      bridge.messagesAbout([txId]).catch(() => []),
      "the head's history"
    )
    const isApproved = messages.some((each) => each.tag === 'DecommitApproved' && each.decommitTxId === txId)
    if (!isApproved)
      throw new OutcomeUnknownError(txId, null, 'its outputs have left, and the node does not say by what')
    // Approved, and no decommit in flight: it is on the base ledger.
    if (node !== null) return { decommitTxId: txId, utxo: [...built.outputs], verified: false }
  }
  const result = await decommit(withdrawal, built, null, deadline, report)
  return result === 'busy' ? null : result
}

/**
 * Sends a signed decommit, or only follows it when `signed` is null, until it is final. @returns 'busy' when the head
 * refused it because another decommit is in flight: no output leaves, and it can be sent again
 */
async function decommit(
  { context }: Withdrawal,
  built: Decommit,
  signed: string | null,
  deadline: Deadline,
  report: WithdrawReport
): Promise<WithdrawResult | 'busy'> {
  const watch = watchDecommit(context, built)
  const over = new AbortController()
  if (signed !== null)
    context.bridge.commands
      .decommit({ cborHex: signed, txId: built.txId, timeout: Infinity, signal: over.signal })
      .then(watch.onApproved, watch.onRefused)
  report('submitted', built.txId)
  try {
    await deadline.race(watch.approved, 'the approval of all parties')
    report('approved', built.txId)
    const utxo = await deadline.race(watch.final, 'the base ledger')
    const hasLeft = (): boolean => built.inputs.every((input) => context.bridge.isUnspent(refOf(input)) === false)
    const verified = await untilVerified(context, hasLeft, deadline, 'the verified snapshot that holds it no more')
    report('confirmed', built.txId)
    return { decommitTxId: built.txId, utxo, verified }
  } catch (error) {
    if (watch.isBusy() && !watch.isApproved()) return 'busy'
    if (isVerdict(error)) throw error
    const hint = watch.isApproved()
      ? 'approved, but not seen on the base ledger yet'
      : 'not approved yet; a node that noted it during a snapshot needs another transaction in the head'
    throw new OutcomeUnknownError(built.txId, null, hint, error)
  } finally {
    watch.stop()
    over.abort()
  }
}

/**
 * Returns true for an error that decides the decommit: it was refused, never sent, or its outcome is unknown. Any other
 * error has only ended the wait.
 */
function isVerdict(error: unknown): boolean {
  return ['BRIDGE_COMMAND_REFUSED', 'BRIDGE_NOT_CONNECTED', 'CLIENT_LEDGER', 'CLIENT_OUTCOME_UNKNOWN'].some((code) =>
    isLayerError(error, code as never)
  )
}
