import type { LedgerEnvironment } from './LedgerEnvironment.js'
import { ledgerFailures } from './ledgerRule.js'
import type { PreparedTx } from './preparedTx.js'
import type { TxWithScripts } from './resolvedScripts.js'
import { resolveTx } from './resolvedScripts.js'
import { scriptVerdict } from './scriptVerdict.js'
import { utxoFailures } from './utxoRule.js'
import { utxowFailures } from './utxowRule.js'
import { entryRefOf } from './utxoSet.js'

/** eras/conway/impl/src/Cardano/Ledger/Conway/Rules/Mempool.hs, mempoolTransition. */
const DUPLICATE = 'ConwayMempoolFailure "All inputs are spent. Transaction has probably already been included"'

/**
 * The rules of the Conway ledger, for the base ledger and the head alike. Returns every reason to refuse the
 * transaction in the words of the ledger's `show`, in the ledger's order: failures are stacked, so that LEDGER comes
 * first, then UTXO as its rules stand, then UTXOW backwards. Plutus scripts count only when there is no other reason,
 * and have to have run ({@link runScripts}). None means that the transaction is valid.
 *
 * @see libs/small-steps/src/Control/State/Transition/Extended.hs:703, how failures are stacked
 */
export function validateTx(
  tx: PreparedTx,
  environment: LedgerEnvironment,
  { withoutScripts = false }: { readonly withoutScripts?: boolean } = {}
): string[] {
  const { utxo, duplicateCheck = false } = environment
  // No other rule is checked then; a transaction without inputs is among them.
  if (duplicateCheck && !tx.inputs.some((input) => utxo.get(entryRefOf(input)) !== undefined)) return [DUPLICATE]
  if (tx.unsupported !== null) return [unsupported(tx.unsupported)]
  const resolved = resolveTx(tx, utxo)
  const failures = [
    ...ledgerFailures(resolved, environment),
    ...utxoFailures(resolved, environment),
    ...utxowFailures(resolved, environment)
  ]
  if (failures.length === 0) failures.push(...byronFailures(resolved))
  return failures.length > 0 || withoutScripts ? failures : scriptVerdict(resolved, environment)
}

/** The refusal of something that the local node has no rules for. */
const unsupported = (what: string): string => `DevNodeUnsupported "${what}: the local head node does not run them"`

function byronFailures({ spent, collateral }: TxWithScripts): string[] {
  const byron = [...spent, ...collateral].find(({ payment }) => payment === null)
  return byron === undefined
    ? []
    : [`DevNodeUnsupported "the Byron input ${byron.ref}: the local head node cannot check its witness"`]
}
