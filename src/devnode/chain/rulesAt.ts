import { currentSlot } from './chainTime.js'
import type { NodeContext } from '../party/NodeContext.js'
import type { HeadRules } from '../head/headLedger.js'
import { baseParameters } from '../rules/protocolParameters.js'

/** What the head's ledger validates a transaction by, besides its UTxO. */
export function headRules(
  context: Pick<NodeContext, 'options' | 'features' | 'parameters' | 'scripts' | 'impersonated'>
): HeadRules {
  const { options, features, parameters, scripts, impersonated } = context
  const slot = BigInt(currentSlot(context))
  const keys = impersonated.size === 0 ? undefined : new Set([...impersonated.values()].flat())
  return {
    parameters,
    networkId: options.networkId,
    slot,
    duplicateCheck: features.duplicateCheck,
    zeroAccounts: true,
    scripts,
    ...(keys && { impersonated: keys })
  }
}

/** As {@link headRules}, of the base ledger, whose parameters are those of mainnet and which has no reward accounts. */
export function baseRules(
  context: Pick<NodeContext, 'options' | 'features' | 'parameters' | 'scripts' | 'impersonated'>
): HeadRules {
  return { ...headRules(context), parameters: baseParameters(context.parameters), zeroAccounts: false }
}
