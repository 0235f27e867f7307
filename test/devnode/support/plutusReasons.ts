import * as show from '../../../src/devnode/rules/failures'
import type { RpcFailure } from '../../../src/devnode/serve/ogmios/failure'
import { parseJson } from '../../../src/codec/json'
import { toJson } from '../../../src/devnode/json/jsonText'
import { assertSubmitFailure } from './rpcCalls'

const ID = 'ab'.repeat(32)
const HASH = 'cd'.repeat(28)
const reference = { transaction: { id: ID }, index: 4 }
const txIn = show.showTxIn({ txHash: ID, index: 4 })
const set = (...hashes: string[]): string => show.showSet(hashes.map((hash) => `SafeHash "${hash}"`))

const CONTEXT_ERROR = show.utxoFailure(
  `UtxosFailure (CollectErrors (BadTranslation (ReferenceInputsNotDisjointFromInputs (${show.showTxIn({ txHash: 'ab'.repeat(32), index: 4 })} :| [])) :| []))`
)
const TRACED = 'Plutus validation failed: \nDebug info: DebugFailure ["BadInputsUTxO NoRedeemer"] (Error evaluated)'

/** Reasons in the ledger's words, and what Ogmios makes of them. */
export const texts: [string, string, number, unknown][] = [
  [
    'missing redeemers',
    show.utxowFailure(
      `MissingRedeemers ((ConwaySpending (AsItem {unAsItem = ${txIn}}),${show.showScriptHash(HASH)}) :| [(ConwayMinting (AsItem {unAsItem = PolicyID {policyID = ${show.showScriptHash(HASH)}}}),${show.showScriptHash(HASH)})])`
    ),
    3109,
    {
      missingRedeemers: [
        { purpose: 'spend', outputReference: reference },
        { purpose: 'mint', policy: HASH }
      ]
    }
  ],
  // Ogmios 435189a, server/src/Ogmios/Data/Ledger/PredicateFailure/Alonzo.hs:155, encodeCollectErrors.
  [
    'a redeemer that is not found when the arguments are collected',
    show.utxoFailure(
      `UtxosFailure (CollectErrors (NoRedeemer (ConwaySpending (AsItem {unAsItem = ${txIn}})) :| [NoRedeemer (ConwayMinting (AsItem {unAsItem = PolicyID {policyID = ${show.showScriptHash(HASH)}}}))]))`
    ),
    3109,
    {
      missingRedeemers: [
        { purpose: 'spend', outputReference: reference },
        { purpose: 'mint', policy: HASH }
      ]
    }
  ],
  [
    'a cost model that is missing, before a redeemer that is',
    show.utxoFailure(
      `UtxosFailure (CollectErrors (NoRedeemer (ConwaySpending (AsItem {unAsItem = ${txIn}})) :| [NoCostModel PlutusV2]))`
    ),
    3115,
    { missingCostModels: ['plutus:v2'] }
  ],
  // The same file and server/src/Ogmios/Data/Json/Ledger/PredicateFailure.hs:1005.
  ['what a language cannot see', CONTEXT_ERROR, 3004, { reason: CONTEXT_ERROR }],
  // The trace of a script is its author's text, and no reason of the ledger's.
  [
    'a failing script that traces the name of another reason',
    TRACED,
    3136,
    { declaredSpending: 'inputs', mismatchReason: TRACED }
  ],
  [
    'an evaluator that fails with the name of a reason',
    'DevNodeEvaluatorFailure "BadInputsUTxO"',
    3997,
    { error: 'DevNodeEvaluatorFailure "BadInputsUTxO"' }
  ],
  [
    'extra redeemers',
    show.utxowFailure('ExtraRedeemers (ConwaySpending (AsIx {unAsIx = 0}) :| [ConwayRewarding (AsIx {unAsIx = 12})])'),
    3110,
    {
      extraneousRedeemers: [
        { purpose: 'spend', index: 0 },
        { purpose: 'withdraw', index: 12 }
      ]
    }
  ],
  [
    'missing datums',
    show.utxowFailure(`MissingRequiredDatums ${set(ID)} ${set('ef'.repeat(32))}`),
    3111,
    { missingDatums: [ID] }
  ],
  [
    'extra datums',
    show.utxowFailure(`NotAllowedSupplementalDatums ${set(ID)} ${set('ef'.repeat(32))}`),
    3112,
    { extraneousDatums: [ID] }
  ],
  [
    'inputs without datums',
    show.utxowFailure(`UnspendableUTxONoDatumHash ${show.showSet([txIn])}`),
    3114,
    { orphanScriptInputs: [reference] }
  ],
  [
    'malformed scripts',
    show.utxowFailure(`MalformedScriptWitnesses ${show.showSet([show.showScriptHash(HASH)])}`),
    3116,
    { malformedScripts: [HASH] }
  ],
  [
    'a collateral of a script',
    show.utxoFailure(`ScriptsNotPaidUTxO ${show.showSet([`(${txIn},(Addr "a",b))`])}`),
    3129,
    { unsuitableCollateralInputs: [reference] }
  ],
  [
    'too many collateral inputs',
    show.utxoFailure(`TooManyCollateralInputs ${show.showMismatch('4', '3')}`),
    3131,
    { maximumCollateralInputs: 3, countedCollateralInputs: 4 }
  ],
  ['no collateral', show.utxoFailure('NoCollateralInputs'), 3132, undefined],
  [
    'a total collateral that is another',
    show.utxoFailure(`IncorrectTotalCollateralField (DeltaCoin ${show.showSigned(-7n)}) (${show.showCoin(5n)})`),
    3135,
    { declaredTotalCollateral: { ada: { lovelace: 5n } }, computedTotalCollateral: { ada: { lovelace: -7n } } }
  ],
  [
    'reference inputs that are spent',
    show.utxoFailure(`BabbageNonDisjointRefInputs (${txIn})`),
    3164,
    { conflictingReferences: [reference] }
  ],
  [
    'reference scripts that are too large',
    `ConwayTxRefScriptsSizeTooBig ${show.showMismatch('204801', '204800')}`,
    3166,
    { measuredReferenceScriptsSize: { bytes: 204801 }, maximumReferenceScriptsSize: { bytes: 204800 } }
  ]
]

/** Holds an error to the published schema. */
export function holdToSchema(code: number, { message, data }: RpcFailure): void {
  // Ogmios' schema has no data for an unexpected error of the mempool.
  if (code === 3997) return
  assertSubmitFailure(code, parseJson(toJson({ code, message, data })))
}
