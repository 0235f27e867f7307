import type { PreparedTx } from './preparedTx.js'
import { plutusNeeds, resolveTx } from './resolvedScripts.js'
import type { LedgerEnvironment } from './LedgerEnvironment.js'
import { validateTx } from './validateTx.js'

/**
 * Runs the scripts of a transaction, so that {@link validateTx} can then use their outcome. Undefined when no run is
 * needed: there are no scripts, a rule before them refuses the transaction, or a run over the same outputs came before.
 */
export function runScripts(tx: PreparedTx, environment: () => LedgerEnvironment): Promise<void> | undefined {
  const first = startRun(tx, environment())
  return first && settle(first)

  // The outputs that the transaction names may have changed meanwhile, e.g. by a deposit.
  async function settle(run: Promise<void>): Promise<void> {
    for (let next: Promise<void> | undefined = run; next !== undefined; next = startRun(tx, environment())) await next
  }
}

function startRun(tx: PreparedTx, environment: LedgerEnvironment): Promise<void> | undefined {
  const { scripts = null, utxo, parameters } = environment
  if (scripts === null || !tx.scripts.isUsed) return undefined
  const resolved = resolveTx(tx, utxo)
  if (plutusNeeds(resolved).length === 0 || scripts.outcomeOf(resolved) !== undefined) return undefined
  return validateTx(tx, environment, { withoutScripts: true }).length > 0
    ? undefined
    : scripts.run(resolved, parameters)
}
