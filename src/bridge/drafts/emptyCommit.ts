import { BODY_KEY } from '../../codec/transactionBody.js'
import { toInputKey } from '../protocol/utxoJson.js'
import type { Differ, DraftBounds, ReadDraft } from './checkBody.js'

const { CERTIFICATES, WITHDRAWALS, MINT, VOTING_PROCEDURES, PROPOSAL_PROCEDURES, TREASURY, DONATION } = BODY_KEY
/** Members that an empty commit never has (Hydra.Tx.Commit). */
const NEVER: readonly number[] = [
  CERTIFICATES,
  WITHDRAWALS,
  MINT,
  VOTING_PROCEDURES,
  PROPOSAL_PROCEDURES,
  TREASURY,
  DONATION
]

/** Checks an empty commit, which opens a head on nodes before 2.0: only the node may pay and sign it. */
export function checkEmptyCommit(
  { body, witnessKeys }: ReadDraft,
  { ownRefs, ownKeys, maxFee }: DraftBounds,
  differ: Differ
): void {
  for (const ref of [...body.inputs, ...body.collateral].map(toInputKey))
    if (ownRefs.has(ref)) differ('inputs', "inputs of the node's alone", `input ${ref}`)
  for (const key of body.entries.keys())
    if (NEVER.includes(key) || key > DONATION) differ('body', 'inputs and outputs of the node alone', `member ${key}`)
  for (const hash of body.requiredSigners)
    if (ownKeys.has(hash)) differ('signers', "the node's signature alone", `key ${hash}`)
  for (const hash of witnessKeys)
    if (ownKeys.has(hash)) differ('witnesses', "the node's signature alone", `one of key ${hash}`)
  if (witnessKeys.size === 0) differ('witnesses', "the node's signature", 'none')
  if (body.fee > maxFee) differ('fee', `at most ${maxFee} lovelace`, `${body.fee}`)
}
