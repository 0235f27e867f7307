import { Costmdls } from '../codec/costModels.js'
import { COST_MODELS_PV11 } from '../codec/costModelsPv11.js'

/**
 * Builds cost models from raw parameters. Without an argument it returns the built-in ones of protocol version 11 (332,
 * 332 and 350 parameters), which are in force on mainnet, preprod and preview but do not follow changes on chain. If
 * you have a node or a provider, pass its parameters:
 * `buildCostModels((await bridge.getRawProtocolParameters()).costModels)`.
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
