import { currentSlot } from '../chainTime.js'
import type { NodeContext } from '../NodeContext.js'
import type { HeadRules } from './headLedger.js'
import { baseParameters } from './protocolParameters.js'

/** What the head's ledger validates a transaction by, besides its UTxO. */
export function headRules(context: Pick<NodeContext, 'options' | 'features' | 'parameters' | 'scripts'>): HeadRules {
  const { options, features, parameters, scripts } = context
  const slot = BigInt(currentSlot(context))
  return { parameters, networkId: options.networkId, slot, duplicateCheck: features.duplicateCheck, zeroAccounts: true, scripts }
}

/** As {@link headRules}, of the base ledger, whose parameters are those of mainnet and which has no reward accounts. */
export function baseRules(context: Pick<NodeContext, 'options' | 'features' | 'parameters' | 'scripts'>): HeadRules {
  return { ...headRules(context), parameters: baseParameters(context.parameters), zeroAccounts: false }
}
