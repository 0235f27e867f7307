import type { Draft } from './draft'

export type Judge = 'ours' | 'scalus' | 'cquisitor'

/** Why a judge says something else than the ledger. */
export interface Explanation {
  judge: Judge
  /** Of the cases with these names; absent: of any. */
  cases?: readonly string[]
  says: 'accepts' | 'refuses'
  /** Of those reasons of the judge that match it. */
  reason?: RegExp
  if?: (draft: Draft) => boolean
  why: string
}

/** Every disagreement that is known; scalus 0.17.0, cquisitor-lib 0.1.0-beta.37, cardano-ledger at bbf7722. */
export const EXPLAINED: readonly Explanation[] = [
  {
    judge: 'ours',
    cases: ['a stake key is registered'],
    says: 'refuses',
    reason: /^DevNodeUnsupported "certificates/,
    why: 'The local head node has no rules for certificates, and says so.'
  },
  {
    judge: 'scalus',
    cases: ['an input stands twice'],
    says: 'accepts',
    why: 'It decodes a set into a set; from protocol version 9 on the ledger refuses duplicates (cardano-ledger-binary Decoder.hs:942).'
  },
  {
    judge: 'scalus',
    cases: ['auxiliary data of the tagged form has an unknown key', 'the witness set has an unknown key'],
    says: 'accepts',
    why: 'It skips unknown keys; the ledger calls them invalid fields (Alonzo TxAuxData.hs:300, TxWits.hs:690).'
  },
  {
    judge: 'scalus',
    cases: ['the proposals are an empty set'],
    says: 'accepts',
    why: 'It takes an empty set of proposals; the ledger does not (Conway TxBody.hs:249).'
  },
  {
    judge: 'scalus',
    cases: ['the redeemers declare more units than a transaction may'],
    says: 'accepts',
    why: 'It compares the units that scripts used with the limit of a transaction, and not those declared (Alonzo Rules/Utxo.hs, validateExUnitsTooBigUTxO).'
  },
  {
    judge: 'scalus',
    cases: ['the treasury is stated wrongly'],
    says: 'accepts',
    why: 'The emulator holds no treasury and does not look at the stated one.'
  },
  {
    judge: 'cquisitor',
    says: 'refuses',
    reason: /^FeeTooSmallUTxO/,
    if: ({ ledger, feeOver, referenceScriptBytes }) => ledger === 'base' && feeOver < 44 && referenceScriptBytes < 3,
    why: 'It charges for the byte of the validity flag, 44 lovelace; the ledger does not (Alonzo Tx.hs:432, toCBORForSizeComputation).'
  },
  {
    judge: 'cquisitor',
    says: 'refuses',
    reason: /^ScriptDataHashMismatch/,
    if: ({ datums, tagged }) => datums.length > 0 && !tagged,
    why: 'It writes datums anew, with tag 258, before it hashes them; the ledger hashes what was received.'
  },
  {
    judge: 'cquisitor',
    says: 'refuses',
    reason: /^ReferenceInputsNotAllowedForPlutusV1/,
    if: ({ languages }) => languages.has('PlutusV1'),
    why: 'It has the rule of Babbage; since Conway PlutusV1 runs beside reference inputs and scripts (Conway TxInfo.hs:424).'
  },
  {
    judge: 'cquisitor',
    says: 'refuses',
    reason: /Failed to execute native script: Timelock(Start|Expiry) is None/,
    why: 'It gives up on a native script that asks for a bound which the transaction does not state, needed or not; the ledger runs needed scripts alone.'
  },
  {
    judge: 'cquisitor',
    says: 'refuses',
    reason: /^MachineError/,
    if: ({ isValid }) => !isValid,
    why: 'It wants scripts to pass whatever the validity flag says; the ledger accepts scripts that fail as stated (Babbage Rules/Utxos.hs:192).'
  },
  {
    judge: 'cquisitor',
    cases: ['scripts pass that are said to fail', 'it is said to fail without scripts'],
    says: 'accepts',
    why: 'It does not look at the validity flag (Babbage Rules/Utxos.hs:192).'
  },
  {
    judge: 'cquisitor',
    cases: ['the fee is one lovelace too low'],
    says: 'accepts',
    if: ({ referenceScriptBytes }) => referenceScriptBytes > 0,
    why: 'It charges nothing for reference scripts that an output carries as plain CBOR (Conway Tx.hs:122).'
  },
  {
    judge: 'cquisitor',
    cases: ['an output holds too little'],
    says: 'accepts',
    why: 'It measures each output in the form of an array, two bytes shorter; the ledger measures what was received (Babbage TxOut.hs).'
  },
  {
    judge: 'cquisitor',
    cases: ['its time is over'],
    says: 'accepts',
    why: 'It counts the last slot of the interval in; the ledger does not (Allegra Scripts.hs, inInterval).'
  },
  {
    judge: 'cquisitor',
    cases: ['the collateral is too little'],
    says: 'accepts',
    if: ({ totalCollateral }) => totalCollateral === undefined,
    why: 'It subtracts the return of the collateral only where the total is stated (Babbage Collateral.hs, collAdaBalance).'
  },
  {
    judge: 'cquisitor',
    cases: [
      'the body names the other network',
      'an output is on the other network',
      'the auxiliary data is missing',
      'a script of an output is no program'
    ],
    says: 'accepts',
    why: 'It has no such rule: networks, missing auxiliary data, scripts of outputs that are no programs.'
  },
  {
    judge: 'cquisitor',
    cases: [
      'a script comes along that an output carries too',
      'a native script comes along unneeded',
      'a Plutus script comes along unneeded'
    ],
    says: 'accepts',
    if: ({ referenceScriptBytes }) => referenceScriptBytes > 0,
    why: 'It calls no script extraneous that a reference carries, too; the ledger does (Babbage Rules/Utxow.hs:226).'
  },
  {
    judge: 'cquisitor',
    cases: ['an inline datum is shown to PlutusV1'],
    says: 'accepts',
    why: 'It shows PlutusV1 outputs with inline datums; for the ledger that is a bad translation (Conway TxInfo.hs:332).'
  },
  {
    judge: 'cquisitor',
    cases: [
      'the withdrawals are empty',
      'the mint is empty',
      'the collateral is an empty set',
      'the required signers are an empty set',
      'the reference inputs are an empty set',
      'the certificates are an empty set',
      'the votes are empty',
      'the proposals are an empty set',
      'the native scripts are an empty set',
      'the key witnesses are an empty set'
    ],
    says: 'accepts',
    why: 'It decodes empty sets; the ledger does not (Conway TxBody.hs:192 to 249, Alonzo TxWits.hs:616).'
  },
  {
    judge: 'cquisitor',
    cases: ['an input stands twice', 'an input has an index beyond 65,535'],
    says: 'accepts',
    why: 'It decodes sets with duplicates and indices of 32 bits (cardano-ledger-binary Decoder.hs:942, BaseTypes.hs:918).'
  }
]
