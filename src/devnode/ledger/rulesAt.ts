import { currentSlot } from '../chainTime.js'
import type { NodeContext } from '../NodeContext.js'
import type { HeadRules } from './headLedger.js'
import { BASE_PARAMETERS } from './protocolParameters.js'

/** What the head's ledger validates a transaction by, besides its UTxO. */
export function headRules(context: Pick<NodeContext, 'options' | 'features' | 'parameters'>): HeadRules {
  const { options, features, parameters } = context
  return { parameters, networkId: options.networkId, slot: BigInt(currentSlot(context)), duplicateCheck: features.duplicateCheck }
}

/** As {@link headRules}, of the base ledger, whose parameters are those of mainnet. */
export function baseRules({ options, features }: Pick<NodeContext, 'options' | 'features'>): HeadRules {
  return headRules({ options, features, parameters: BASE_PARAMETERS })
}
