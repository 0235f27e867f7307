import { readOptions } from '../../codec/options.js'
import { readTransaction, toTransactionBytes, transactionId } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readVkeyWitnesses } from '../../codec/witnessSet.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { InputReservedError } from '../../errors/client.js'
import { WalletMissingError } from '../../errors/clientWallet.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { TxInput, UTxO } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { assertFee, costLimits } from '../costs.js'
import { withDeadline } from '../deadline.js'
import { followTx } from '../followTx.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import type { OwnTx } from '../ownTx.js'
import { handedOver } from '../OwnTxs.js'
import { progressOf } from '../progress.js'
import { assertSendOptions } from '../sendTx.js'
import { signWith } from '../signWith.js'
import type { AnyTransaction, SendOptions, TxResult } from '../types.js'
import { SEND_OPTIONS } from '../paymentPlan.js'

interface ParsedTx {
  readonly txId: string
  readonly cborHex: string
  readonly fee: bigint
  readonly inputs: readonly TxInput[]
  readonly outputs: UTxO['output'][]
  readonly isSigned: boolean
  readonly ttl: bigint | undefined
}

/**
 * Sends a transaction of your own making. An unsigned one is signed by the wallet. Submitting the same transaction
 * again, at the same time or later, waits for the first: no transaction is sent twice.
 *
 * @throws {@link CostLimitError} when an unsigned one pays a fee above `maxFee`.
 * @throws {@link InvalidArgumentError}, {@link InvalidCborError} on a value that is no transaction;
 * {@link InputReservedError} when another transaction in flight spends one of its inputs; otherwise as {@link pay}. It
 * is never built again.
 * @example
 * ```ts no-run
 * const { snapshotNumber } = await head.submit(signedCborHex)
 * ```
 */
export async function submit(
  head: HeadContext,
  transaction: AnyTransaction,
  given: SendOptions<'submit'> = {}
): Promise<TxResult> {
  const context = contextParts(head)
  const tx = parseTx(transaction)
  const options = readOptions(given ?? {}, SEND_OPTIONS, 'options')
  assertSendOptions(options)
  // A signer has agreed to its fee.
  if (!tx.isSigned) assertFee(tx.fee, costLimits(options, context.settings.costs))
  if (!tx.isSigned && context.account.wallet === null)
    throw new WalletMissingError(
      'submit of an unsigned transaction',
      'a signed transaction, or the option wallet of createHeadClient'
    )
  const { report, end } = progressOf(context, 'submit', options.onProgress)
  return withDeadline('submit', options, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    const known = context.settled.get(tx.txId)
    if (known?.outcome === 'confirmed')
      return {
        txId: tx.txId,
        snapshotNumber: known.snapshotNumber,
        exact: known.exact,
        verified: known.verified,
        fee: tx.fee
      }
    for (;;) {
      const running = context.txs.get(tx.txId)
      // As after ready(): whatever the wallet or the head still owes, disconnect() ends the call.
      if (running !== undefined || context.connection.isReady)
        context.connection.endWith(deadline, () => new BridgeDisconnectedError('submit'))
      if (running === undefined) {
        // In the call's own step where the head is there: a call that comes later finds the inputs reserved.
        if (context.connection.isReady) break
        await context.connection.ready('submit', deadline)
      } else if (await deadline.race(handedOver(running), 'the same transaction, which another call submits')) {
        return followTx(context, running, options, deadline, report)
      }
    }
    const own = reserve(context, tx)
    context.changes.announce()
    try {
      if (context.account.wallet !== null)
        await deadline.race(context.account.load(context.account.wallet), "the wallet's addresses")
      report('built', tx.txId, tx.fee)
      deadline.throwIfOver()
      const signed = tx.isSigned
        ? tx.cborHex
        : await deadline.race(signWith(context.account.wallet!, tx.txId, tx.cborHex, true), "the wallet's signature")
      report('signed', tx.txId)
      // Built on an abandoned transaction: the ledger would not know its inputs.
      if (!(await deadline.race(context.txs.parentsSent(own), 'the transactions that this one builds on'))) {
        throw new InvalidArgumentError(
          'transaction',
          'inputs that exist',
          'an input of a transaction that was never sent'
        )
      }
      deadline.throwIfOver()
      context.txs.send(own, signed)
    } catch (error) {
      context.txs.abandon(own)
      throw error
    }
    report('submitted', tx.txId)
    return followTx(context, own, options, deadline, report)
  }).finally(end)
}

function reserve(context: ClientContext, tx: ParsedTx): OwnTx {
  for (const { txHash, index } of tx.inputs) {
    const ref = `${txHash}#${index}`
    const by = context.view.reservedBy(ref)
    if (by !== undefined) throw new InputReservedError(ref, by)
  }
  // An input that the head does not know: the ledger will say so.
  const inputs = tx.inputs.map((input) => ({ input, output: outputOf(context, input) ?? { address: '', amount: [] } }))
  const slot = tx.ttl === undefined ? null : Number(tx.ttl)
  const now = context.ledger.slotAt(Date.now())
  return context.txs.add(
    { ...tx, inputs },
    slot === null || now === null ? null : { slot, at: Date.now() + (slot - now) * 1000 }
  )
}

function outputOf(context: ClientContext, { txHash, index }: TxInput): UTxO['output'] | undefined {
  const parent = context.view.get(txHash)
  if (parent !== undefined) return parent.outputs[index]?.output
  for (const address of context.account.addresses ?? []) {
    const found = context.bridge
      .getAddressUTxOs(address)
      ?.find(({ input }) => input.txHash === txHash && input.index === index)
    if (found !== undefined) return found.output
  }
  // Another client's: rare, and a scan of every output.
  return context.bridge.snapshotUtxoArray().find(({ input }) => input.txHash === txHash && input.index === index)
    ?.output
}

/** @throws {@link InvalidArgumentError}, {@link InvalidHexError}, {@link InvalidCborError} */
function parseTx(transaction: AnyTransaction): ParsedTx {
  const cborHex: unknown = typeof transaction === 'object' && transaction !== null ? transaction.cborHex : transaction
  if (typeof cborHex !== 'string')
    throw new InvalidArgumentError('transaction', 'CBOR hex, a built transaction, or { cborHex }', transaction)
  const spans = readTransaction(toTransactionBytes(cborHex))
  const body = decodeTransactionBody(spans)
  const txId = transactionId(spans)
  const stated = typeof transaction === 'object' ? transaction.txId : undefined
  if (stated !== undefined && stated.toLowerCase() !== txId)
    throw new InvalidArgumentError('transaction.txId', `the id of the transaction, ${txId}`, stated)
  return {
    txId,
    cborHex: cborHex.toLowerCase(),
    fee: body.fee,
    inputs: body.inputs,
    outputs: body.outputs,
    ttl: body.ttl,
    isSigned: readVkeyWitnesses(spans).length > 0
  }
}
