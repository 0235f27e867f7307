import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import type { TxBuilder } from '../../tx/inner.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { ActionOptions } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import { getUtxos } from './read.js'

const OPTIONS: OptionNames<ActionOptions> = { timeout: true, signal: true }

/**
 * Starts a transaction of your own: a `TxBuilder` with the head's parameters, the wallet's outputs to choose inputs
 * from, those of its transactions in flight included, its address for the change, and an upper bound of validity after
 * `expiresIn`. Its `build({})` runs Plutus scripts with the client's `evaluator` and the head's slots. Its inputs are
 * not reserved before {@link submit}. Without a wallet it has no inputs.
 *
 * @throws {@link HeadStateError}, {@link NotConnectedError}, {@link ClientTimeoutError} (30 s), the errors of the
 * wallet
 * @example
 * ```ts no-run
 * const builder = await head.newTx()
 * const tx = await builder.spendScript(locked, { redeemer: '182a', script }).build({})
 * await head.submit(tx)
 * ```
 */
export async function newTx(head: HeadContext, options: ActionOptions = {}): Promise<TxBuilder> {
  const context = contextParts(head)
  const checked = readOptions(options ?? {}, OPTIONS, 'options')
  return withDeadline('newTx', checked, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    await context.connection.ready('newTx', deadline)
    const { wallet } = context.account
    const addresses =
      wallet === null ? null : await deadline.race(context.account.load(wallet), "the wallet's addresses")
    const parameters = await deadline.race(context.ledger.loadParameters(), "the head's parameters")
    // Programs that only pay never load it.
    const [{ TxBuilder }, { builderParameters, loadHeadParameters }] = await Promise.all([
      import('../../tx/TxBuilder.js'),
      import('../scripts/headParameters.js')
    ])
    const headParameters = await deadline.race(loadHeadParameters(context), "the head's parameters")
    const { evaluator, expiresInMs } = context.settings
    const slots = context.ledger.slotConfig ?? undefined
    const builder = new TxBuilder(builderParameters(parameters, headParameters), {
      evaluator: evaluator ?? undefined,
      slots
    })
    const until = context.ledger.slotAt(Date.now() + expiresInMs)
    if (until !== null && until >= 0) builder.validUntil(until)
    if (addresses === null) return builder
    return builder.addInputs(getUtxos(context) ?? []).changeTo(addresses[0]!)
  })
}
