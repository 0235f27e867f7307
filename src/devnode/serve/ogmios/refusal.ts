import type { BaseChain } from '../../chain/BaseChain.js'
import type { PreparedTx } from '../../rules/preparedTx.js'
import { RpcFailure } from './failure.js'
import { lovelaceJson, outputJson } from './outputJson.js'
import type { RefusalRule } from './refusalRule.js'
import { coins, dataHashes, deltaCoin, keyHashes, numbers, references, scriptHashes } from './refusalRule.js'
import { SCRIPT_REFUSALS } from './scriptRefusals.js'
import { integrityHashes, networkMismatch, smallOutputs, validityInterval, values, withdrawals } from './refusalData.js'

const RULES: readonly RefusalRule[] = [
  ...SCRIPT_REFUSALS,
  {
    name: 'BabbageNonDisjointRefInputs',
    code: 3164,
    priority: 0,
    message: 'Some inputs are spent and referred to.',
    data: (reason) => ({ conflictingReferences: references(reason) })
  },
  { name: 'InputSetEmptyUTxO', code: 3121, priority: 2, message: 'The transaction has no input.' },
  {
    name: 'OutsideForecast',
    code: 3130,
    priority: 2,
    message: 'A bound of the validity interval lies too far in the future.',
    data: (reason) => ({ unforeseeableSlot: Number(/SlotNo (\d+)/.exec(reason)?.[1] ?? 0) })
  },
  {
    name: 'WrongNetwork',
    code: 3124,
    priority: 2,
    message: 'Parts of the transaction are of another network.',
    data: networkMismatch
  },
  {
    name: 'OutsideValidityIntervalUTxO',
    code: 3118,
    priority: 2,
    message: 'The transaction is outside of its validity interval.',
    data: validityInterval
  },
  {
    name: 'OutputTooBigUTxO',
    code: 3120,
    priority: 2,
    message: 'Some values of outputs are too large.',
    data: (_reason, tx, chain) => ({
      excessivelyLargeOutputs: tx.outputs
        .filter((_, i) => tx.outputSizes[i]!.value > (chain.parameters['maxValueSize'] as number))
        .map(outputJson)
    })
  },
  {
    name: 'ConwayTxRefScriptsSizeTooBig',
    code: 3166,
    priority: 3,
    message: 'The reference scripts are too large together.',
    data: (reason) => ({
      measuredReferenceScriptsSize: { bytes: numbers(reason)[0] ?? 0 },
      maximumReferenceScriptsSize: { bytes: numbers(reason)[1] ?? 0 }
    })
  },
  {
    name: 'BadInputsUTxO',
    code: 3117,
    priority: 4,
    message: 'The transaction refers to outputs that are not there, or spent already.',
    data: (reason) => ({ unknownOutputReferences: references(reason) })
  },
  {
    name: 'UnspendableUTxONoDatumHash',
    code: 3114,
    priority: 4,
    message: 'Inputs that are locked by scripts have no datum.',
    data: (reason) => ({ orphanScriptInputs: references(reason) })
  },
  {
    name: 'ScriptsNotPaidUTxO',
    code: 3129,
    priority: 4,
    message: 'The collateral is locked by a script.',
    data: (reason) => ({ unsuitableCollateralInputs: references(reason) })
  },
  {
    name: 'PPViewHashesDontMatch',
    code: 3113,
    priority: 5,
    message: 'The script integrity hash is not the computed one.',
    data: integrityHashes
  },
  {
    name: 'ScriptIntegrityHashMismatch',
    code: 3113,
    priority: 5,
    message: 'The script integrity hash is not the computed one.',
    data: integrityHashes
  },
  { name: 'InvalidMetadata', code: 3108, priority: 6, message: 'A metadatum is longer than 64 bytes.' },
  {
    name: 'MissingTxMetadata',
    code: 3106,
    priority: 7,
    message: 'The metadata of the declared hash are missing.',
    data: (_reason, tx) => ({ metadata: { hash: tx.auxiliaryData.declared ?? '' } })
  },
  {
    name: 'MissingTxBodyMetadataHash',
    code: 3105,
    priority: 7,
    message: 'The body has no hash of the metadata.',
    data: (_reason, tx) => ({ metadata: { hash: tx.auxiliaryData.actual ?? '' } })
  },
  {
    name: 'ConflictingMetadataHash',
    code: 3107,
    priority: 8,
    message: 'The hash of the metadata is another one.',
    data: (_reason, { auxiliaryData }) => ({
      provided: { hash: auxiliaryData.declared ?? '' },
      computed: { hash: auxiliaryData.actual ?? '' }
    })
  },
  {
    name: 'MalformedScriptWitnesses',
    code: 3116,
    priority: 9,
    message: 'Some Plutus scripts are not well-formed.',
    data: (reason) => ({ malformedScripts: scriptHashes(reason) })
  },
  {
    name: 'MalformedReferenceScripts',
    code: 3116,
    priority: 9,
    message: 'Some Plutus scripts are not well-formed.',
    data: (reason) => ({ malformedScripts: scriptHashes(reason) })
  },
  {
    name: 'InvalidWitnessesUTXOW',
    code: 3100,
    priority: 9,
    message: 'Some signatures are invalid.',
    data: (_reason, tx) => ({ invalidSignatories: tx.wrongSignatures })
  },
  {
    name: 'MissingVKeyWitnessesUTXOW',
    code: 3101,
    priority: 9,
    message: 'Some signatures are missing.',
    data: (reason) => ({ missingSignatories: keyHashes(reason) })
  },
  {
    name: 'MissingRequiredDatums',
    code: 3111,
    priority: 10,
    message: 'Some datums are missing.',
    data: (reason) => ({ missingDatums: dataHashes(reason) })
  },
  {
    name: 'MissingScriptWitnessesUTXOW',
    code: 3102,
    priority: 10,
    message: 'Some scripts are missing.',
    data: (reason) => ({ missingScripts: scriptHashes(reason) })
  },
  {
    name: 'ScriptWitnessNotValidatingUTXOW',
    code: 3103,
    priority: 12,
    message: 'Some native scripts fail.',
    data: (reason) => ({ failingNativeScripts: scriptHashes(reason) })
  },
  {
    name: 'ExtraneousScriptWitnessesUTXOW',
    code: 3104,
    priority: 13,
    message: 'Some scripts are not needed.',
    data: (reason) => ({ extraneousScripts: scriptHashes(reason) })
  },
  {
    name: 'NotAllowedSupplementalDatums',
    code: 3112,
    priority: 13,
    message: 'Some datums are not needed.',
    data: (reason) => ({ extraneousDatums: dataHashes(reason) })
  },
  { name: 'NoCollateralInputs', code: 3132, priority: 14, message: 'The transaction has no collateral.' },
  {
    name: 'TooManyCollateralInputs',
    code: 3131,
    priority: 14,
    message: 'The transaction has too many collateral inputs.',
    data: (reason, tx) => ({
      maximumCollateralInputs: numbers(reason)[1] ?? 3,
      countedCollateralInputs: tx.collateral.length
    })
  },
  {
    name: 'WithdrawalsNotInRewardsCERTS',
    code: 3141,
    priority: 15,
    message: 'Some withdrawals are not of all rewards.',
    data: withdrawals
  },
  {
    name: 'ConwayWithdrawalsMissingAccounts',
    code: 3141,
    priority: 15,
    message: 'Some withdrawals are of accounts that are not there.',
    data: withdrawals
  },
  {
    name: 'ConwayIncompleteWithdrawals',
    code: 3141,
    priority: 15,
    message: 'Some withdrawals are not of all rewards.',
    data: withdrawals
  },
  {
    name: 'ConwayWdrlNotDelegatedToDRep',
    code: 3150,
    priority: 15,
    message: 'Some withdrawals are of accounts that do not take part in governance.',
    data: (reason) => ({ marginalizedCredentials: keyHashes(reason) })
  },
  {
    name: 'InsufficientCollateral',
    code: 3128,
    priority: 17,
    message: 'The collateral is too small.',
    data: (reason) => ({
      providedCollateral: lovelaceJson(deltaCoin(reason)),
      minimumRequiredCollateral: lovelaceJson(coins(reason).at(-1) ?? 0)
    })
  },
  {
    name: 'BabbageOutputTooSmallUTxO',
    code: 3125,
    priority: 17,
    message: 'Some outputs hold too few lovelace.',
    data: smallOutputs
  },
  {
    name: 'MaxTxSizeUTxO',
    code: 3119,
    priority: 18,
    message: 'The transaction is too large.',
    data: (_reason, tx, chain) => ({
      measuredTransactionSize: { bytes: tx.sizeBytes },
      maximumTransactionSize: { bytes: chain.parameters['maxTxSize'] as number }
    })
  },
  {
    name: 'FeeTooSmallUTxO',
    code: 3122,
    priority: 19,
    message: 'The fee is too small.',
    data: (reason, tx) => ({
      minimumRequiredFee: lovelaceJson(coins(reason)[1] ?? 0),
      providedFee: lovelaceJson(tx.fee)
    })
  },
  {
    name: 'ValueNotConservedUTxO',
    code: 3123,
    priority: 20,
    message: 'The transaction does not balance.',
    data: values
  }
]
const UNEXPECTED_MEMPOOL_ERROR = 3997
const UNEXPECTED_PRIORITY = 1

/** The error of a refused transaction: the reason that Ogmios would pick, with its data. */
export function refusalOf(reasons: readonly string[], tx: PreparedTx, chain: BaseChain): RpcFailure {
  const found = reasons.map((reason) => ({ reason, rule: ruleOf(reason) }))
  const priority = (rule: RefusalRule | undefined): number => rule?.priority ?? UNEXPECTED_PRIORITY
  const { reason, rule } = found.reduce((best, each) => (priority(each.rule) < priority(best.rule) ? each : best))
  // The words of the ledger come along: they say more than the code.
  if (rule === undefined)
    return new RpcFailure(UNEXPECTED_MEMPOOL_ERROR, `The transaction was refused. ${reason}`, { error: reason })
  return new RpcFailure(rule.code, `${rule.message} ${reason}`, rule.data?.(reason, tx, chain))
}

/** Returns the rule for a reason; the local node's own reasons have none, because they may quote any text. */
function ruleOf(reason: string): RefusalRule | undefined {
  return reason.startsWith('DevNode') ? undefined : RULES.find(({ name }) => new RegExp(`\\b${name}`).test(reason))
}
