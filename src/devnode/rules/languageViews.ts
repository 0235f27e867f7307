import type { PlutusLanguage } from '../../codec/costModels.js'
import { Costmdls } from '../../codec/costModels.js'
import type { LedgerParameters } from './LedgerParameters.js'

/**
 * In the order of their keys' bytes, with a null in the place of the model; the key of PlutusV1 and its value are
 * wrapped in bytes.
 */
const WITHOUT_MODEL: readonly (readonly [PlutusLanguage, string])[] = [
  ['PlutusV2', '01f6'],
  ['PlutusV3', '02f6'],
  ['PlutusV1', '410041f6']
]

/**
 * Part of the cost models that a script integrity hash covers: hex. A language without a model counts as null, so that the
 * missing model is the reason against a transaction, and not the hash.
 *
 * @see eras/alonzo/impl/src/Cardano/Ledger/Alonzo/PParams.hs:566, getLanguageView
 */
export function languageViews(languages: ReadonlySet<PlutusLanguage>, models: LedgerParameters['costModels']): string {
  const costModels = new Costmdls(models)
  const used = WITHOUT_MODEL.filter(([language]) => languages.has(language))
  const views = used.map(([language, none]) =>
    models[language].length > 0 ? costModels.languageViews([language]).slice(2) : none
  )
  return `a${used.length}${views.join('')}`
}
