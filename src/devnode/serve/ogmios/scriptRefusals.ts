import type { Value } from '../../../codec/value.js'
import { addValue } from '../../../codec/value.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { PreparedTx } from '../../rules/preparedTx.js'
import { entryRefOf } from '../../rules/utxoSet.js'
import type { JsonValue } from '../../json/jsonText.js'
import { lovelaceJson, ogmiosValue } from './outputJson.js'
import { deltaCoin, references, type RefusalRule, scriptHashes } from './refusalRule.js'

/**
 * Reasons about Plutus scripts. The text of a failing script comes first: the trace of the script may hold any word. Of
 * the errors of CollectErrors, the first here is answered, as Ogmios does (Data/Ledger/PredicateFailure/Alonzo.hs:155,
 * encodeCollectErrors).
 */
export const SCRIPT_REFUSALS: readonly RefusalRule[] = [
  {
    name: 'Plutus validation failed',
    code: 3136,
    priority: 20,
    message: 'A script fails.',
    data: (reason) => ({ declaredSpending: 'inputs', mismatchReason: reason })
  },
  {
    name: 'ValidationTagMismatch',
    code: 3136,
    priority: 20,
    message: 'The scripts of the transaction do not end as it says.',
    data: (reason) => ({
      declaredSpending: /IsValid False/.test(reason) ? 'collaterals' : 'inputs',
      mismatchReason: reason
    })
  },
  {
    name: 'NoCostModel',
    code: 3115,
    priority: 9,
    message: 'The parameters have no cost model of a language.',
    data: (reason) => ({ missingCostModels: languages(reason) })
  },
  {
    name: 'NoRedeemer',
    code: 3109,
    priority: 10,
    message: 'Some redeemers are missing.',
    data: (reason) => ({ missingRedeemers: purposes(reason) })
  },
  {
    name: 'BadTranslation',
    code: 3004,
    priority: 11,
    message: 'A script of that language cannot be shown the transaction.',
    data: (reason) => ({ reason })
  },
  {
    name: 'MissingRedeemers',
    code: 3109,
    priority: 10,
    message: 'Some redeemers are missing.',
    data: (reason) => ({ missingRedeemers: purposes(reason) })
  },
  {
    name: 'ExtraRedeemers',
    code: 3110,
    priority: 13,
    message: 'Some redeemers are not needed.',
    data: (reason) => ({ extraneousRedeemers: pointers(reason) })
  },
  {
    name: 'CollateralContainsNonADA',
    code: 3133,
    priority: 14,
    message: 'The collateral holds assets.',
    data: (_reason, tx, chain) => ({ unsuitableCollateralValue: ogmiosValue(collateralOf(tx, chain)) })
  },
  {
    name: 'IncorrectTotalCollateralField',
    code: 3135,
    priority: 16,
    message: 'The total collateral is another one.',
    data: (reason, tx) => ({
      declaredTotalCollateral: lovelaceJson(tx.totalCollateral ?? 0n),
      computedTotalCollateral: lovelaceJson(deltaCoin(reason))
    })
  },
  {
    name: 'ExUnitsTooBigUTxO',
    code: 3134,
    priority: 18,
    message: 'The scripts may take too many units.',
    data: executionUnits
  }
]

const PURPOSES: Readonly<Record<string, string>> = {
  Spending: 'spend',
  Minting: 'mint',
  Certifying: 'publish',
  Rewarding: 'withdraw',
  Voting: 'vote',
  Proposing: 'propose'
}

/** Purposes of missing redeemers, by the thing itself. */
function purposes(reason: string): JsonValue {
  return reason.split(/(?=Conway(?:Spending|Minting|Rewarding) \(AsItem)/).flatMap((part): JsonValue[] => {
    const purpose = PURPOSES[/^Conway(\w+) \(AsItem/.exec(part)?.[1] ?? '']
    if (purpose === 'spend') return [{ purpose, outputReference: (references(part) as JsonValue[])[0]! }]
    if (purpose === 'mint') return [{ purpose, policy: scriptHashes(part)[0]! }]
    return purpose === undefined ? [] : [{ purpose, rewardAccount: /"(stake[0-9a-z_]+)"/.exec(part)?.[1] ?? '' }]
  })
}

/** Purposes of redeemers, by position. */
function pointers(reason: string): JsonValue {
  const found = [...reason.matchAll(/Conway(\w+) \(AsIx \{unAsIx = (\d+)\}\)/g)]
  return found.map(([, name, index]) => ({ purpose: PURPOSES[name!] ?? name!, index: Number(index) }))
}

/** `plutus:v1`, ... of languages without a cost model. */
function languages(reason: string): JsonValue {
  return [...new Set([...reason.matchAll(/NoCostModel PlutusV(\d)/g)].map(([, version]) => `plutus:v${version}`))]
}

function executionUnits(reason: string): JsonValue {
  const [provided = null, maximum = null] = [...reason.matchAll(/exUnitsMem' = (\d+), exUnitsSteps' = (\d+)/g)].map(
    ([, memory, cpu]) => {
      return { memory: BigInt(memory!), cpu: BigInt(cpu!) }
    }
  )
  return { providedExecutionUnits: provided, maximumExecutionUnits: maximum }
}

function collateralOf(tx: PreparedTx, chain: BaseChain): Value {
  const total: Value = new Map()
  for (const input of tx.collateral) addValue(total, chain.get(entryRefOf(input))?.value ?? new Map())
  return total
}
