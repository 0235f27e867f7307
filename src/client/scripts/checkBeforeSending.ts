import { BODY_KEY, decodeTransactionBody } from '../../codec/transactionBody.js'
import { readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import type { ClientContext } from '../ClientContext.js'
import { checkScripts, checkUnits, mostUnits, totalOf } from './checkScripts.js'
import type { HeadParameters } from './headParameters.js'
import { resolveOutputs, transactionSpans } from './resolveTx.js'

/**
 * Checks a transaction with Plutus scripts before it is sent: their witnesses, and the execution units that it
 * declares. Other transactions pass, and so do those that name an output that this client does not know.
 *
 * @throws {@link ScriptInputError}; {@link InvalidArgumentError}, {@link InvalidHexError}, {@link InvalidCborError} on
 * input that is not a transaction
 */
export async function checkBeforeSending(
  context: ClientContext,
  cborHex: string,
  loadParameters: () => Promise<HeadParameters>
): Promise<void> {
  const spans = transactionSpans(cborHex)
  const isAboutScripts =
    decodeTransactionBody(spans).entries.has(BODY_KEY.SCRIPT_DATA_HASH) ||
    readWitnessEntries(spans).has(WITNESS_KEY.REDEEMERS)
  // The outputs of the head are looked through for these alone.
  if (!isAboutScripts) return
  const tx = resolveOutputs(context, spans, [])
  const named = [...tx.inputs, ...tx.referenceInputs]
  if (named.some(({ txHash, index }) => !tx.outputs.has(`${txHash}#${index}`))) return
  const needs = checkScripts(tx)
  checkUnits(totalOf(tx.witnesses.redeemers), mostUnits(await loadParameters()), needs)
}
