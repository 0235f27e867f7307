import { baseParameters } from '../rules/protocolParameters.js'
import type { ScriptRunner } from '../rules/ScriptRunner.js'
import type { LedgerRules } from '../rules/LedgerEnvironment.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import type { ChainTime } from './chainTime.js'
import { currentSlot } from './chainTime.js'

/** Settings and time of the rules of both ledgers. */
export interface RulesSource extends ChainTime {
  readonly options: ChainTime['options'] & { readonly networkId: 0 | 1 }
  readonly features: { readonly duplicateCheck: boolean }
  readonly parameters: LedgerParameters
  readonly scripts: ScriptRunner | null
  readonly impersonated: ReadonlyMap<string, readonly string[]>
}

/** Returns the rules of the head's ledger at the present time. */
export function headRules(source: RulesSource): LedgerRules {
  const { options, features, parameters, scripts, impersonated } = source
  const slot = BigInt(currentSlot(source))
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

/** Returns the rules of the base ledger as {@link headRules} does, with mainnet's parameters and no reward accounts. */
export function baseRules(source: RulesSource): LedgerRules {
  return { ...headRules(source), parameters: baseParameters(source.parameters), zeroAccounts: false }
}
