import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { LOVELACE } from '../../codec/value.js'
import { isLayerError } from '../../errors/base.js'
import type { TxParameters } from '../../tx/inner.js'
import { PaymentBuilder, resolveTxParameters } from '../../tx/inner.js'
import type { UTxO } from '../../types/utxo.js'
import { keepers } from '../keepTx.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import { refOf } from '../PendingView.js'
import { progressOf } from '../progress.js'
import type { ReservationPlan } from '../reserveTxs.js'
import { reserveFirst } from '../reserveTxs.js'
import { inputsWithin, isPlain } from '../selection.js'
import { assertSendOptions, completeTx } from '../sendTx.js'
import type { ConsolidateArgs, TxResult } from '../types.js'
import { withValidity } from '../validity.js'
import { SEND_OPTIONS } from '../paymentPlan.js'

const ARGS: OptionNames<ConsolidateArgs> = SEND_OPTIONS
/**
 * Number of outputs that one transaction merges: about half as many as 16 KB hold, and at most this share of the inputs
 * that fit.
 */
const INPUTS_PER_TX = 200
const INPUTS_SHARE = 0.8
/** Share of its inputs with which a transaction that is too large, because of its tokens, is built again. */
const SHRINK = 0.5

/**
 * Merges the wallet's confirmed outputs in the head at its change address, up to 200 in a transaction or as many as the
 * head's parameters allow. It serves a wallet whose money is spread over more outputs than one payment can spend.
 * Outputs with a datum or a script stay as they are.
 *
 * @returns one result for each transaction; none when there are no outputs to merge
 * @throws the errors of {@link pay}: the first failure. Transactions that were sent before it go on.
 * @example
 * ```ts no-run
 * const results = await head.consolidate()
 * console.log(`${results.length} transactions, ${head.getUtxos()?.length} outputs are left`)
 * ```
 */
export async function consolidate(head: HeadContext, args: ConsolidateArgs = {}): Promise<TxResult[]> {
  const context = contextParts(head)
  const wallet = context.account.walletFor('consolidate')
  const options = readOptions(args ?? {}, ARGS, 'args')
  assertSendOptions(options)
  const keep = keepers(undefined, [options.onBeforeSend, context.settings.onBeforeSend], null)
  const { report, end } = progressOf(context, 'consolidate', options.onProgress)
  return withDeadline('consolidate', options, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    await context.connection.ready('consolidate', deadline)
    const parameters = await deadline.race(context.ledger.loadParameters(), "the head's protocol parameters")
    const addresses = await deadline.race(context.account.load(wallet), "the wallet's addresses")
    context.account.assertHeadNetwork(addresses)
    const { maxTxSize } = resolveTxParameters(parameters)
    const most = Math.max(2, Math.floor(inputsWithin(maxTxSize) * INPUTS_SHARE))
    for (let perTx = Math.min(INPUTS_PER_TX, most); ; perTx = Math.floor(perTx * SHRINK)) {
      const parts = partsOf(plainOutputs(context, addresses), perTx)
      if (parts.length === 0) return []
      const plans = parts.map((part): ReservationPlan => ({
        action: 'consolidate',
        wallet,
        addresses,
        units: [],
        isSweep: true,
        build: sweep(parameters, addresses[0]!, part)
      }))
      const reserved = await reserveFirst(context, plans, deadline).catch((error: unknown) => {
        if (!isLayerError(error, 'TX_TOO_LARGE') || perTx <= 2) throw error
        return null
      })
      if (reserved !== null)
        return Promise.all(
          plans.map((plan, index) =>
            completeTx(context, plan, { own: reserved[index]! }, { ...options, keep }, deadline, report)
          )
        )
    }
  }).finally(end)
}

/** Selects confirmed outputs that no transaction in flight spends, without datum and script, the smallest first. */
function plainOutputs({ view }: ClientContext, addresses: readonly string[]): UTxO[] {
  const free = (view.spendable(addresses) ?? []).filter(({ depth }) => depth === 0).map(({ utxo }) => utxo)
  const lovelaceOf = ({ output }: UTxO): bigint =>
    BigInt(output.amount.find(({ unit }) => unit === LOVELACE)?.quantity ?? 0)
  return free
    .filter(isPlain)
    .sort((a, b) => Number(lovelaceOf(a) > lovelaceOf(b)) - Number(lovelaceOf(a) < lovelaceOf(b)))
}

/**
 * Splits outputs into groups of at most `size`; a single output is left out, because there is no other to merge it
 * with.
 */
function partsOf(utxos: readonly UTxO[], size: number): UTxO[][] {
  const parts: UTxO[][] = []
  for (let start = 0; start < utxos.length; start += size) parts.push(utxos.slice(start, start + size))
  return parts.filter(({ length }) => length > 1)
}

/**
 * Returns a function that spends those outputs of `part` that still exist, and makes as few outputs as their tokens
 * allow.
 */
function sweep(parameters: TxParameters, to: string, part: readonly UTxO[]): ReservationPlan['build'] {
  const refs = new Set(part.map(refOf))
  return (pool, required, validity) => {
    const chosen = new Map(
      [...pool.filter((utxo) => refs.has(refOf(utxo))), ...required].map((utxo) => [refOf(utxo), utxo])
    )
    return withValidity(new PaymentBuilder(parameters).spend([...chosen.values()]).changeTo(to), validity).build()
  }
}
