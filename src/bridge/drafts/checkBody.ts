import { parseAddress } from '../../codec/address.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { BODY_KEY, decodeTransactionBody } from '../../codec/transactionBody.js'
import type { TransactionBody } from '../../codec/transactionBody.js'
import type { DraftPart } from '../../errors/money.js'
import type { TxInput } from '../../types/utxo.js'
import { toInputKey } from '../protocol/utxoJson.js'
import type { ExpectedDeposit } from './expectedDeposit.js'
import { hexOf } from './expectedDeposit.js'

/** Records one difference between a draft and its request. */
export type Differ = (part: DraftPart, expected: string, got: string) => void

/** Decoded parts of a draft. */
export interface ReadDraft {
  readonly transaction: TransactionSpans
  readonly body: TransactionBody
  /** Hex, 64 characters. */
  readonly txId: string
  /** Inputs that were not requested: the node's own, from which it pays the fee. */
  readonly foreign: readonly string[]
  /** Hashes of the keys whose witnesses it carries. */
  readonly witnessKeys: ReadonlySet<string>
}

/** Facts of the request besides the spent and deposited outputs. */
export interface DraftBounds {
  readonly headId: string
  readonly ownRefs: ReadonlySet<string>
  readonly ownKeys: ReadonlySet<string>
  readonly earliestRecoverableAt: number
  readonly latestRecoverableAt: number
  readonly maxFee: bigint
  readonly latestSlot: number | null
  readonly depositScript: string | null
}

const {
  INPUTS,
  OUTPUTS,
  FEE,
  TTL,
  AUXILIARY_DATA_HASH,
  VALIDITY_START,
  MINT,
  SCRIPT_DATA_HASH,
  COLLATERAL,
  REQUIRED_SIGNERS,
  NETWORK_ID,
  REFERENCE_INPUTS
} = BODY_KEY
/** Members of a body that have a check of their own. Any other must be equal to the blueprint's, or absent. */
const CHECKED_KEYS: ReadonlySet<number> = new Set([
  INPUTS,
  OUTPUTS,
  FEE,
  TTL,
  AUXILIARY_DATA_HASH,
  VALIDITY_START,
  MINT,
  SCRIPT_DATA_HASH,
  COLLATERAL,
  REQUIRED_SIGNERS,
  NETWORK_ID,
  REFERENCE_INPUTS
])
const NAMES = new Map<number, string>(
  Object.entries(BODY_KEY).map(([name, key]) => [key, name.toLowerCase().replaceAll('_', ' ')])
)

/** Compares a draft's body, except its outputs, with the request. */
export function checkBody(draft: ReadDraft, expected: ExpectedDeposit, bounds: DraftBounds, differ: Differ): void {
  checkInputs(draft, expected, bounds, differ)
  checkMembers(draft, expected, differ)
  checkValidity(draft.body, bounds, differ)
  const { fee } = draft.body
  if (fee > bounds.maxFee) differ('fee', `at most ${bounds.maxFee} lovelace`, `${fee}`)
}

function checkInputs(
  { body, foreign }: ReadDraft,
  { spent }: ExpectedDeposit,
  { ownRefs }: DraftBounds,
  differ: Differ
): void {
  const refs = body.inputs.map(toInputKey)
  if (new Set(refs).size !== refs.length) differ('inputs', 'each input once', 'one twice')
  for (const ref of spent.keys()) if (!refs.includes(ref)) differ('inputs', `input ${ref}`, 'a draft without it')
  for (const ref of foreign)
    if (ownRefs.has(ref)) differ('inputs', 'inputs that were asked for, and none of the wallet besides', `input ${ref}`)
  // Hydra.Chain.Direct.Wallet (coverFee_): one output of the node pays the fee.
  if (foreign.length > 1)
    differ(
      'inputs',
      'one input of the node besides those asked for, for the fee',
      `${foreign.length}: ${foreign.join(', ')}`
    )
  // Wallet.hs, coverFee_: the fuel replaces any collateral that the blueprint names.
  const allowed = new Set(foreign.filter((ref) => !ownRefs.has(ref)))
  for (const ref of body.collateral.map(toInputKey)) if (!allowed.has(ref)) differ('collateral', "the node's own", ref)
}

function checkMembers({ transaction, body }: ReadDraft, { blueprint, spent }: ExpectedDeposit, differ: Differ): void {
  const blueprintBody = blueprint?.body
  for (const [key, span] of body.entries) {
    if (CHECKED_KEYS.has(key)) continue
    const stated = blueprintBody?.entries.get(key)
    if (stated === undefined || hexOf(blueprint!.transaction.bytes, stated) !== hexOf(transaction.bytes, span))
      differ('body', `no ${NAMES.get(key) ?? `member ${key}`} but the blueprint's`, 'one')
  }
  if (!isSame(sorted(body.requiredSigners), sorted(blueprintBody?.requiredSigners ?? [])))
    differ('signers', 'the required signers of the blueprint alone', body.requiredSigners.join(', ') || 'fewer')
  if (!isSame(refsOf(body.referenceInputs), refsOf(blueprintBody?.referenceInputs ?? [])))
    differ('body', "the blueprint's reference inputs alone", 'others')
  const minted = (value: TransactionBody['mint'] | undefined): string[] =>
    sorted([...(value ?? [])].map(([unit, quantity]) => `${unit} ${quantity}`))
  if (
    !isSame(minted(body.mint), minted(blueprintBody?.mint)) ||
    body.entries.has(MINT) !== (blueprintBody?.entries.has(MINT) ?? false)
  )
    differ('body', "the blueprint's mint alone", 'another')
  const [address] = [...spent.values()]
  if (
    body.networkId !== undefined &&
    address !== undefined &&
    body.networkId !== parseAddress(address.address).networkId
  )
    differ('body', 'the network of what is spent', `network ${body.networkId}`)
}

function checkValidity({ entries, ttl }: TransactionBody, { latestSlot }: DraftBounds, differ: Differ): void {
  if (entries.has(VALIDITY_START)) differ('validity', 'no lower bound', 'one')
  // Without it heads ignore the deposit (Hydra.Tx.Deposit, observeDepositTx), and a signature would be good for ever.
  if (ttl === undefined) differ('validity', 'an upper bound', 'none')
  else if (latestSlot !== null && ttl > BigInt(latestSlot))
    differ('validity', `an upper bound up to slot ${latestSlot}`, `slot ${ttl}`)
}

const refsOf = (inputs: readonly TxInput[]): string[] => sorted(inputs.map(toInputKey))
const sorted = (texts: readonly string[]): string[] => [...texts].sort()
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index])

/**
 * Returns the body of a transaction, and decodes each part once, so that a broken part is found here. @throws
 * {@link InvalidCborError}
 */
export function decodeWhole(transaction: TransactionSpans): TransactionBody {
  const body = decodeTransactionBody(transaction)
  // Each is decoded on its first use.
  void [
    body.inputs,
    body.outputs,
    body.fee,
    body.ttl,
    body.mint,
    body.collateral,
    body.requiredSigners,
    body.referenceInputs,
    body.networkId,
    body.scriptDataHash
  ]
  return body
}
