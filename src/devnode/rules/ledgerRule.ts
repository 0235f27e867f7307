import type { BodyWithdrawal } from '../../codec/transactionBody.js'
import { MAX_REFERENCE_SCRIPT_BYTES } from './fees.js'
import * as show from './failures.js'
import type { TxWithScripts } from './resolvedScripts.js'
import { accountOf } from './resolvedScripts.js'
import type { LedgerEnvironment } from './LedgerEnvironment.js'

/** No ledger of the local node holds a treasury. */
const TREASURY = 0n

/**
 * The rule LEDGER: the treasury, the size of reference scripts, withdrawals. A transaction whose scripts fail makes no
 * withdrawal, so that none of this concerns it.
 *
 * @see eras/conway/impl/src/Cardano/Ledger/Conway/Rules/Ledger.hs:376, conwayLedgerTransitionTRC
 */
export function ledgerFailures(resolved: TxWithScripts, environment: LedgerEnvironment): string[] {
  const { tx, referenceBytes } = resolved
  const failures: string[] = []
  if (!tx.isValid) return failures
  if (tx.treasury !== undefined && tx.treasury !== TREASURY) {
    failures.push(
      `ConwayTreasuryValueMismatch ${show.showMismatch(show.showCoin(tx.treasury), show.showCoin(TREASURY))}`
    )
  }
  if (referenceBytes > MAX_REFERENCE_SCRIPT_BYTES) {
    failures.push(
      `ConwayTxRefScriptsSizeTooBig ${show.showMismatch(String(referenceBytes), String(MAX_REFERENCE_SCRIPT_BYTES))}`
    )
  }
  return [...failures, ...withdrawalFailures(resolved, environment)]
}

function withdrawalFailures(
  { withdrawals }: TxWithScripts,
  { parameters, networkId, zeroAccounts }: LedgerEnvironment
): string[] {
  const failures: string[] = []
  const keys = withdrawals.map(accountOf).filter(({ kind }) => kind === 'key')
  // Ledger.hs:489: no account is delegated to a DRep, neither on the base ledger nor among those that a head makes up.
  if (keys.length > 0 && parameters.protocolVersion >= 10) {
    failures.push(`ConwayWdrlNotDelegatedToDRep (${show.showNonEmpty(keys.map(({ hash }) => show.showKeyHash(hash)))})`)
  }
  // hydra-node Ledger/Cardano.hs:125: a head makes up an empty account for each withdrawal of zero.
  const accounts = new Set(
    zeroAccounts ? withdrawals.filter(({ amount }) => amount === 0n).map((each) => accountOf(each).hash) : []
  )
  const isKnown = (withdrawal: BodyWithdrawal): boolean =>
    (withdrawal.address[0]! & 15) === networkId && accounts.has(accountOf(withdrawal).hash)
  const missing = withdrawals.filter((withdrawal) => !isKnown(withdrawal))
  const incomplete = withdrawals.filter((withdrawal) => isKnown(withdrawal) && withdrawal.amount !== 0n)
  if (parameters.protocolVersion < 11) {
    if (missing.length + incomplete.length > 0) {
      failures.push(
        show.certsFailure(
          `WithdrawalsNotInRewardsCERTS ${show.showWithdrawals(withdrawals.filter((each) => missing.includes(each) || incomplete.includes(each)))}`
        )
      )
    }
    return failures
  }
  if (missing.length > 0) failures.push(`ConwayWithdrawalsMissingAccounts ${show.showWithdrawals(missing)}`)
  if (incomplete.length > 0) {
    const mismatches = incomplete.map(
      (each) =>
        `(${show.showAccount(each)},${show.showMismatch(show.showCoin(each.amount), show.showCoin(0n)).slice(1, -1)})`
    )
    failures.push(`ConwayIncompleteWithdrawals ${show.showSet(mismatches)}`)
  }
  return failures
}
