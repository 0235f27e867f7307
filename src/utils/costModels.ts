import { Costmdls } from '../codec/costModels.js'
import { COST_MODELS_PV11 } from '../codec/costModelsPv11.js'

/**
 * Cost models. Without argument the built-in ones of protocol version 11 (332, 332 and 350 parameters), which mainnet,
 * preprod and preview have in force; a change of parameters on chain is unknown to them. Where a node or provider is at
 * hand, pass its own: `buildCostModels((await bridge.getRawProtocolParameters()).costModels)`.
 *
 * @param raw - arrays of integers keyed `PlutusV1`, `PlutusV2`, `PlutusV3`.
 * @throws {@link InvalidArgumentError} on a model that is not an array of whole numbers.
 * @example
 * ```ts
 * import { buildCostModels } from 'layer-sdk/utils'
 * console.log(buildCostModels().languageViews(['PlutusV3']).slice(0, 4)) // a102
 * ```
 */
export function buildCostModels(raw: Readonly<Record<string, unknown>> = COST_MODELS_PV11): Costmdls {
  return new Costmdls(raw)
}
