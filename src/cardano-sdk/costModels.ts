import type { Cardano } from '@cardano-sdk/core'
import { Costmdls, type PlutusLanguage } from '../codec/costModels.js'
import { typedConversion } from './typedConversion.js'

// core's enum PlutusLanguageVersion counts from 0.
const LANGUAGES: readonly PlutusLanguage[] = ['PlutusV1', 'PlutusV2', 'PlutusV3']

/**
 * Converts cost models to `Cardano.CostModels` of `@cardano-sdk/core`; `Serialization.Costmdls.fromCore` accepts them.
 *
 * @example
 * ```ts
 * import { toCoreCostModels } from 'layer-sdk/cardano-sdk'
 * import { buildCostModels } from 'layer-sdk/utils'
 * console.log(toCoreCostModels(buildCostModels()).size) // 3
 * ```
 */
export function toCoreCostModels(models: Costmdls): Cardano.CostModels {
  return typedConversion(
    'models',
    'cost models',
    models,
    () => new Map(models.languages.map((language) => [LANGUAGES.indexOf(language), models.get(language)!.map(Number)]))
  )
}

/**
 * Converts `Cardano.CostModels`, or a `Serialization.Costmdls` (by its `toCore()`), to this package's cost models.
 * Languages after PlutusV3 are left out.
 *
 * @throws {@link InvalidArgumentError} on a parameter that is not a whole number, and on another object.
 * @example
 * ```ts
 * import { fromCoreCostModels, toCoreCostModels } from 'layer-sdk/cardano-sdk'
 * import { buildCostModels } from 'layer-sdk/utils'
 * console.log(fromCoreCostModels(toCoreCostModels(buildCostModels())).languages)
 * ```
 */
export function fromCoreCostModels(models: Cardano.CostModels | { toCore(): Cardano.CostModels }): Costmdls {
  return typedConversion('models', 'cost models of @cardano-sdk/core', models, () => {
    const core = 'toCore' in models ? models.toCore() : models
    const byName = [...core].map(([version, model]) => [LANGUAGES[version] ?? `version ${version}`, model])
    return new Costmdls(Object.fromEntries(byName))
  })
}
