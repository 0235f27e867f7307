import { evaluateNativeScript } from '../../codec/nativeScript.js'
import { concatBytes } from '../../codec/bytes.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { blake2b256 } from '../../hash/blake2b.js'
import * as show from './failures.js'
import { languageViews } from './languageViews.js'
import type { PlutusScript } from './plutusScript.js'
import { isWellFormedScript } from './plutusScript.js'
import type { TxWithScripts } from './resolvedScripts.js'
import { accountOf, compareInputs, plutusNeeds, plutusOf } from './resolvedScripts.js'
import type { LedgerEntry } from './utxoSet.js'
import type { LedgerEnvironment } from './LedgerEnvironment.js'

/**
 * Returns the failures of the rule UTXOW in reverse order, because the ledger stacks them: the last check comes first.
 *
 * @see eras/babbage/impl/src/Cardano/Ledger/Babbage/Rules/Utxow.hs:343, babbageUtxowTransition
 */
export function utxowFailures(resolved: TxWithScripts, environment: LedgerEnvironment): string[] {
  return [
    ...integrityFailures(resolved, environment),
    ...malformedFailures(resolved, environment),
    ...metadataFailures(resolved, environment),
    ...keyFailures(resolved, environment),
    ...redeemerFailures(resolved),
    ...datumFailures(resolved),
    ...scriptFailures(resolved, environment)
  ].map(show.utxowFailure)
}

/**
 * @see eras/alonzo/impl/src/Cardano/Ledger/Alonzo/Rules/Utxow.hs:278; the failure has another name from protocol
 * version 11 on
 */
function integrityFailures({ tx, languages }: TxWithScripts, { parameters }: LedgerEnvironment): string[] {
  const { redeemersCbor, datumsCbor, integrityHash } = tx.scripts
  const isNeeded = redeemersCbor !== undefined || datumsCbor !== undefined || languages.size > 0
  if (!isNeeded && integrityHash === undefined) return []
  const views = languageViews(languages, parameters.costModels)
  const hashed = concatBytes(hexToBytes(redeemersCbor ?? 'a0'), hexToBytes(datumsCbor ?? ''), hexToBytes(views))
  const expected = isNeeded ? bytesToHex(blake2b256(hashed)) : undefined
  if (expected === integrityHash) return []
  const showHash = (hash: string | undefined): string =>
    hash === undefined ? 'SNothing' : `SJust (SafeHash "${hash}")`
  const mismatch = show.showMismatch(showHash(integrityHash), showHash(expected))
  if (parameters.protocolVersion < 11) return [`PPViewHashesDontMatch ${mismatch}`]
  return [`ScriptIntegrityHashMismatch ${mismatch} ${isNeeded ? `(SJust ${show.showBytes(hashed)})` : 'SNothing'}`]
}

/** @see eras/babbage/impl/src/Cardano/Ledger/Babbage/Rules/Utxow.hs:269 */
function malformedFailures({ tx }: TxWithScripts, { parameters: { protocolVersion } }: LedgerEnvironment): string[] {
  const isMalformed = (script: PlutusScript): boolean => !isWellFormedScript(script, protocolVersion)
  const witnesses = [...tx.scripts.plutus].filter(([, script]) => isMalformed(script)).map(([hash]) => hash)
  const carried = [...tx.outputs, tx.collateralReturn]
    .map((entry) => entry?.script ?? null)
    .filter((script) => script !== null)
  const references = carried
    .filter(({ script }) => 'plutus' in script && isMalformed(script.plutus))
    .map(({ hash }) => hash)
  return [
    ...hashesFailure('MalformedReferenceScripts', references),
    ...hashesFailure('MalformedScriptWitnesses', witnesses)
  ]
}

/** @see eras/shelley/impl/src/Cardano/Ledger/Shelley/Rules/Utxow.hs, validateMetadata */
function metadataFailures(
  { tx: { auxiliaryData } }: TxWithScripts,
  { parameters: { protocolVersion } }: LedgerEnvironment
): string[] {
  const { declared, actual, valid, scripts } = auxiliaryData
  if (declared === undefined)
    return actual === undefined ? [] : [`MissingTxBodyMetadataHash (TxAuxDataHash "${actual}")`]
  if (actual === undefined) return [`MissingTxMetadata (TxAuxDataHash "${declared}")`]
  const isInvalid = !valid || scripts.some((script) => !isWellFormedScript(script, protocolVersion))
  return [
    ...(isInvalid ? ['InvalidMetadata'] : []),
    ...(declared === actual ? [] : [`ConflictingMetadataHash ${show.showMismatch(`"${declared}"`, `"${actual}"`)}`])
  ]
}

/** Keys of inputs, collateral, withdrawals, and those that the body requires. */
function keyFailures(
  { tx, spent, collateral, withdrawals }: TxWithScripts,
  { impersonated }: LedgerEnvironment
): string[] {
  const keys = new Set(tx.requiredSigners)
  const credentials = [...[...spent, ...collateral].map(({ payment }) => payment), ...withdrawals.map(accountOf)]
  for (const credential of credentials) if (credential?.kind === 'key') keys.add(credential.hash)
  const missing = [...keys].filter((hash) => !tx.signers.has(hash) && impersonated?.has(hash) !== true).sort()
  const failures: string[] = []
  if (missing.length > 0) failures.push(`MissingVKeyWitnessesUTXOW ${show.showSet(missing.map(show.showKeyHash))}`)
  if (tx.wrongSignatures.length > 0)
    failures.push(`InvalidWitnessesUTXOW [${tx.wrongSignatures.map(show.showVKey).join(',')}]`)
  return failures
}

/** @see eras/alonzo/impl/src/Cardano/Ledger/Alonzo/Rules/Utxow.hs:251, hasExactSetOfRedeemers */
function redeemerFailures(resolved: TxWithScripts): string[] {
  const { redeemers } = resolved.tx.scripts
  const needs = plutusNeeds(resolved)
  const needed = new Set(needs.map(({ key }) => key))
  const missing = needs
    .filter(({ key }) => !redeemers.has(key))
    .map(({ need }) => `(${show.showPurposeItem(need)},${show.showScriptHash(need.hash)})`)
  const extra = [...redeemers]
    .filter(([key]) => !needed.has(key))
    .map(([, redeemer]) => show.showPurposeIndex(redeemer))
  return [
    ...(missing.length > 0 ? [`MissingRedeemers (${show.showNonEmpty(missing)})`] : []),
    ...(extra.length > 0 ? [`ExtraRedeemers (${show.showNonEmpty(extra)})`] : [])
  ]
}

/** @see eras/alonzo/impl/src/Cardano/Ledger/Alonzo/Rules/Utxow.hs:222, missingRequiredDatums; UTxO.hs:250 */
function datumFailures({ tx, spent, referenced, provided }: TxWithScripts): string[] {
  const { datums } = tx.scripts
  const required = new Set<string>()
  const unspendable: LedgerEntry[] = []
  for (const entry of spent) {
    const script = entry.payment?.kind === 'script' ? plutusOf(provided.get(entry.payment.hash)) : null
    if (script === null) continue
    const { datumHash, inlineDatum } = entry.output
    if (datumHash !== undefined) required.add(datumHash)
    // CIP-69: PlutusV3 needs none.
    else if (inlineDatum === undefined && script.language !== 'PlutusV3') unspendable.push(entry)
  }
  const outputs = [...tx.outputs, ...(tx.collateralReturn === null ? [] : [tx.collateralReturn]), ...referenced]
  const allowed = new Set(outputs.map(({ output }) => output.datumHash).filter((hash) => hash !== undefined))
  const supplemental = [...datums].filter((hash) => !required.has(hash)).sort()
  const refused = supplemental.filter((hash) => !allowed.has(hash))
  const missing = [...required].filter((hash) => !datums.has(hash)).sort()
  const showHashes = (hashes: readonly string[]): string => show.showSet(hashes.map((hash) => `SafeHash "${hash}"`))
  return [
    ...(refused.length > 0
      ? [
          `NotAllowedSupplementalDatums ${showHashes(refused)} ${showHashes(supplemental.filter((hash) => allowed.has(hash)))}`
        ]
      : []),
    ...(missing.length > 0 ? [`MissingRequiredDatums ${showHashes(missing)} ${showHashes([...datums].sort())}`] : []),
    ...(unspendable.length > 0
      ? [
          `UnspendableUTxONoDatumHash ${show.showSet(
            unspendable
              .map(({ input }) => input)
              .sort(compareInputs)
              .map(show.showTxIn)
          )}`
        ]
      : [])
  ]
}

/** @see eras/babbage/impl/src/Cardano/Ledger/Babbage/Rules/Utxow.hs:208, :226 */
function scriptFailures(
  { tx, needs, provided, references }: TxWithScripts,
  { impersonated }: LedgerEnvironment
): string[] {
  const interval = { start: tx.validityStart, end: tx.ttl }
  const signers = impersonated === undefined ? tx.signers : new Set([...tx.signers, ...impersonated])
  const needed = new Set(needs.map(({ hash }) => hash))
  const received = [...tx.nativeScripts.keys(), ...tx.scripts.plutus.keys()]
  const missing = [...needed].filter((hash) => !provided.has(hash))
  const extraneous = received.filter((hash) => !needed.has(hash) || references.has(hash))
  const failing = [...needed].filter((hash) => {
    const script = provided.get(hash)
    return script !== undefined && 'native' in script && !evaluateNativeScript(script.native, signers, interval)
  })
  return [
    ...hashesFailure('MissingScriptWitnessesUTXOW', missing),
    ...hashesFailure('ExtraneousScriptWitnessesUTXOW', extraneous),
    ...hashesFailure('ScriptWitnessNotValidatingUTXOW', failing)
  ]
}

function hashesFailure(name: string, hashes: readonly string[]): string[] {
  return hashes.length === 0 ? [] : [`${name} ${show.showSet([...new Set(hashes)].sort().map(show.showScriptHash))}`]
}
