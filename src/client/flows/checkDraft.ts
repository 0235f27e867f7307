import type { CheckedDraft, DepositDraft } from '../../bridge/inner.js'
import { assertDepositDraft } from '../../bridge/inner.js'
import { parseAddress } from '../../codec/address.js'
import { NETWORK_ID } from '../../constants.js'
import { HeadStateError } from '../../errors/client.js'
import { WalletCapabilityError } from '../../errors/clientWallet.js'
import { listOutputs } from '../BaseOutputs.js'
import type { DepositArgs } from '../types.js'
import type { DepositRequest, DepositSource } from './depositRequest.js'

/** Tolerance for clocks that differ, and for the time between a request and its draft, ms. */
const CLOCK_MARGIN_MS = 600_000
/** Longest accepted time until a deposit can be recovered, when a node states no periods, or longer ones, ms. */
const LONGEST_LOCK_MS = 30 * 86_400_000
/**
 * Longest accepted validity of a draft, ms: nodes let a draft be signed for 200 seconds, and no honest one requests
 * longer.
 */
const LONGEST_VALIDITY_MS = 3_600_000

/** Checks the node's draft against the request. @throws {@link DraftMismatchError} */
export async function checkDraft(
  { context, wallet, own, deadline, costs }: DepositSource,
  draft: DepositDraft,
  {
    request,
    askedAt,
    given
  }: { request: DepositRequest; askedAt: number; given: Pick<DepositArgs, 'maxLock' | 'depositScript' | 'utxos'> }
): Promise<CheckedDraft> {
  const { headId, headStatus, depositSpan } = context.bridge.getSnapshot()
  if (headId === null) throw new HeadStateError('deposit', headStatus, ['Open'])
  // Requested after the draft: no output that the wallet holds by now passes for the node's own.
  const listed = await deadline.race(listOutputs(wallet, own), "the wallet's outputs on the base ledger")
  if (listed === null && own.some((address) => parseAddress(address).networkId === NETWORK_ID.MAINNET))
    throw new WalletCapabilityError(
      'deposit on mainnet',
      'a wallet that lists its outputs (queryUTxOs, or the option fetcher): without the list, a draft could spend others of them for the fee'
    )
  const lockMs = given.maxLock ?? Math.min(depositSpan ?? LONGEST_LOCK_MS, LONGEST_LOCK_MS) + CLOCK_MARGIN_MS
  const latestRecoverableAt = Date.now() + lockMs
  const slot =
    context.bridge.slotZeroTimestamp === null
      ? null
      : context.ledger.slotAt(Math.min(latestRecoverableAt, Date.now() + LONGEST_VALIDITY_MS))
  return assertDepositDraft(draft, {
    commit: request.commit,
    headId,
    ownUtxos: [...(listed ?? []), ...(given.utxos ?? [])],
    ownAddresses: own,
    earliestRecoverableAt: askedAt,
    latestRecoverableAt,
    latestSlot: slot ?? undefined,
    maxFee: costs.maxFee,
    depositScript: given.depositScript
  })
}
