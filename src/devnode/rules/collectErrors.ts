import type { PlutusLanguage } from '../../codec/costModels.js'
import type { TxInput } from '../../types/utxo.js'
import * as show from './failures.js'
import type { TxWithScripts } from './resolvedScripts.js'
import { plutusNeeds } from './resolvedScripts.js'
import { entryRefOf } from './utxoSet.js'
import type { LedgerEntry } from './utxoSet.js'
import type { LedgerEnvironment } from './LedgerEnvironment.js'

/**
 * Returns the obstacles to the arguments of scripts: no redeemer, no cost model, or a part of the transaction that the
 * script's language cannot see. As in the ledger, the list is built from its end, and translations are omitted after
 * the first error.
 *
 * @see eras/alonzo/impl/src/Cardano/Ledger/Alonzo/Plutus/Evaluate.hs:141
 */
export function collectErrors(resolved: TxWithScripts, environment: LedgerEnvironment): string[] {
  let errors: string[] = []
  for (const { need, script, key } of plutusNeeds(resolved)) {
    if (!resolved.tx.scripts.redeemers.has(key)) errors = [`NoRedeemer (${show.showPurposeItem(need)})`, ...errors]
    else if (errors.length === 0) {
      const { language } = script
      const hasModel = environment.parameters.costModels[language].length > 0
      const reason = hasModel ? contextError(language, resolved, environment) : null
      if (!hasModel) errors = [`NoCostModel ${language}`]
      else if (reason !== null) errors = [`BadTranslation (${reason})`]
    }
  }
  return errors.length === 0 ? [] : [`UtxosFailure (CollectErrors (${show.showNonEmpty(errors)}))`]
}

/**
 * Returns the obstacle to a script's arguments, in the ledger's words; null without one.
 *
 * @see eras/conway/impl/src/Cardano/Ledger/Conway/TxInfo.hs:415, :459, :506
 */
export function contextError(
  language: PlutusLanguage,
  resolved: TxWithScripts,
  { parameters, utxo }: Pick<LedgerEnvironment, 'parameters' | 'utxo'>
): string | null {
  const { tx, inputs, referenceInputs } = resolved
  if (language !== 'PlutusV3' && tx.treasury !== undefined)
    return `CurrentTreasuryFieldNotSupported (${show.showCoin(tx.treasury)})`
  for (const input of [...inputs, ...referenceInputs]) {
    const entry = utxo.get(entryRefOf(input))
    if (entry === undefined)
      return babbage(`AlonzoContextError (TranslationLogicMissingInput (${show.showTxIn(input)}))`)
    const reason = outputError(language, entry, `TxOutFromInput (${show.showTxIn(input)})`)
    if (reason !== null) return reason
  }
  if (language === 'PlutusV3' && parameters.protocolVersion >= 11) {
    const spent = new Set(inputs.map(entryRefOf))
    const both = referenceInputs.filter((input: TxInput) => spent.has(entryRefOf(input)))
    if (both.length > 0) return `ReferenceInputsNotDisjointFromInputs (${show.showNonEmpty(both.map(show.showTxIn))})`
  }
  for (const [index, entry] of tx.outputs.entries()) {
    const reason = outputError(language, entry, `TxOutFromOutput (TxIx {unTxIx = ${index}})`)
    if (reason !== null) return reason
  }
  // PlutusV1 sees no redeemers.
  return language === 'PlutusV1' ? null : pointerError(resolved)
}

function outputError(language: PlutusLanguage, { output, payment }: LedgerEntry, source: string): string | null {
  if (language === 'PlutusV1' && output.inlineDatum !== undefined)
    return babbage(`InlineDatumsNotSupported (${source})`)
  return payment === null ? babbage(`ByronTxOutInContext (${source})`) : null
}

/** Returns the error of a redeemer that points beyond the end of its list; null without one. */
function pointerError({ tx, inputs, policies, withdrawals }: TxWithScripts): string | null {
  const sizes = {
    spend: inputs.length,
    mint: policies.length,
    cert: 0,
    reward: withdrawals.length,
    vote: 0,
    propose: 0
  }
  for (const redeemer of tx.scripts.redeemers.values()) {
    if (redeemer.index >= sizes[redeemer.tag])
      return babbage(`RedeemerPointerPointsToNothing (${show.showPurposeIndex(redeemer)})`)
  }
  return null
}

const babbage = (reason: string): string => `BabbageContextError (${reason})`
