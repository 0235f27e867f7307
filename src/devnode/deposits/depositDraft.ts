import { addressToString, enterpriseAddress } from '../../codec/address.js'
import { bytesToHex } from '../../codec/hex.js'
import { encodeDepositDatum } from '../../codec/depositDatum.js'
import type { NativeScript } from '../../codec/nativeScript.js'
import { readTransaction, transactionHash } from '../../codec/transaction.js'
import { minLovelace } from '../../codec/txOutput.js'
import type { Value } from '../../codec/value.js'
import { addUnit, addValue, LOVELACE, valueToAmounts } from '../../codec/value.js'
import { setVkeyWitnesses } from '../../codec/witnessSet.js'
import { signWithSeed } from '../../crypto/inner.js'
import { blake2b224 } from '../../hash/blake2b.js'
import type { TxInput, TxOutput } from '../../types/utxo.js'
import { deriveId, type DevKey, keyAddress } from '../settings/keys.js'
import { minimumFee } from '../rules/fees.js'
import { prepareTx } from '../rules/preparedTx.js'
import type { ScriptRunner } from '../rules/ScriptRunner.js'
import type { Redeemer } from '../rules/txScripts.js'
import { redeemerKey } from '../rules/txScripts.js'
import type { LedgerEntry, UtxoView } from '../rules/utxoSet.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import type { DraftBlueprint, DraftBody } from './assembleDraft.js'
import { assembleDraft } from './assembleDraft.js'
import type { DraftError } from './draftError.js'
import { failedDraft, notEnoughFuel } from './draftError.js'
import { draftScriptDataHash, estimateUnits, reindexed } from './draftScripts.js'

/** Parts that a deposit is drafted from. */
export interface DraftRequest {
  readonly headId: string
  /**
   * Time from which the deposit can be recovered; null for the commit that opens a head before 2.0, which may be empty.
   */
  readonly deadlineMs: number | null
  /** First slot at which the draft is no longer valid; null keeps the blueprint's interval. */
  readonly ttl: bigint | null
  /** Text of the node's metadata, e.g. `HydraV2/DepositTx`. */
  readonly name: string
  /** The outputs that are spent besides the fuel. */
  readonly spent: readonly LedgerEntry[]
  /** Outputs that the blueprint refers to, as far as the request states them. */
  readonly referenced: readonly LedgerEntry[]
  /** Outputs that go into the head. */
  readonly deposited: UtxoView
  /** True when all stated outputs are deposited, so that there is no change. */
  readonly whole: boolean
  /** Address that receives the part of the spent outputs that is not deposited; null without one. */
  readonly changeAddress: string | null
  /** The user's own transaction; all of it is copied except inputs, outputs, fee, interval and collateral. */
  readonly blueprint: DraftBlueprint | null
  /** True when too little lovelace is refused here; otherwise the base ledger refuses the transaction. */
  readonly rejectsLow: boolean
  /** An output of the node that pays the fee. */
  readonly fuel: LedgerEntry
  readonly nodeKey: DevKey
  readonly networkId: 0 | 1
  readonly parameters: LedgerParameters
}

/** The bytes of a drafted transaction; or the node's own postTxError, when none can be drafted. */
export type DraftResult =
  { readonly cbor: Uint8Array; readonly error?: never } | { readonly cbor?: never; readonly error: DraftError }

/** A draft before its fee and the units of its redeemers are settled. */
interface DraftPlan {
  readonly request: DraftRequest
  /** Inputs in the ledger's order, including the fuel. */
  readonly inputs: readonly TxInput[]
  /** The deposit and the user's change. */
  readonly outputs: readonly TxOutput[]
  /** Redeemers with the units that the blueprint states. */
  readonly redeemers: readonly Redeemer[]
}

/** Bytes of a key witness: `[key of 32 bytes, signature of 64 bytes]`. */
const WITNESS_BYTES = 101
/** Bytes around the key witnesses: key 0, tag 258 and an array head of up to 65,535. */
const WITNESS_SET_BYTES = 7
/** Placeholder for the fee while the fee is computed: five bytes, as any fee up to 4,294 ada needs at most. */
const COSTING_FEE = 10_000_000n

/** Address of the script that holds deposits. Only the node spends from it. */
export function depositAddress(networkId: 0 | 1): string {
  return addressToString(
    enterpriseAddress(networkId, { kind: 'script', hash: deriveId('script', 'deposit', blake2b224) })
  )
}

/** Returns the reference of the output that holds a deposit. */
export function depositOutput(depositTxId: string): TxInput {
  return { txHash: depositTxId, index: 0 }
}

/**
 * Drafts the deposit transaction of a request without redeemers: the node's fuel pays the fee and the node has signed
 * for it; the user's witnesses are still missing.
 */
export function draftDeposit(request: DraftRequest): DraftResult {
  const plan = planDeposit(request)
  return 'error' in plan ? plan : settle(plan, plan.redeemers)
}

/** Drafts the deposit transaction of any request: its scripts are run, and its redeemers state the units they used. */
export async function draftWithScripts(request: DraftRequest, scripts: ScriptRunner | null): Promise<DraftResult> {
  const plan = planDeposit(request)
  if ('error' in plan) return plan
  if (plan.redeemers.length === 0) return settle(plan, [])
  // Wallet.hs, coverFee_: the fuel stands for its own change, so that scripts see as many outputs as in the end.
  const { spent, referenced, fuel, parameters, blueprint } = request
  const cbor = write(plan, plan.redeemers, { change: fuelCoin(request), fee: blueprint!.tx.fee })
  const outputs = [...spent, ...referenced, fuel]
  const estimate = await estimateUnits({ cbor, outputs, parameters, scripts })
  return estimate.error === undefined ? settle(plan, estimate.redeemers) : estimate
}

function planDeposit(request: DraftRequest): DraftPlan | { readonly error: DraftError } {
  const { spent, deposited, parameters, networkId, fuel, blueprint } = request
  const value = sum(deposited.entries)
  const output: TxOutput = {
    address: depositAddress(networkId),
    amount: valueToAmounts(value),
    inlineDatum: depositDatum(request)
  }
  const provided = value.get(LOVELACE) ?? 0n
  const least = minLovelace(output, parameters.coinsPerUtxoByte)
  const empty = request.deadlineMs === null && deposited.size === 0
  if (request.rejectsLow && provided < least)
    return { error: { tag: 'DepositTooLow', providedValue: provided, minimumValue: least } }
  const change = changeOf(request, value)
  if (change === null) return failedDraft('the blueprint transaction is not balanced and there is no changeAddress')
  const inputs = inLedgerOrder([...spent, fuel])
  return {
    request,
    inputs,
    outputs: [...(empty ? [] : [output]), ...change],
    redeemers: blueprint === null ? [] : reindexed(blueprint, inputs)
  }
}

/**
 * Returns the user's change; null where there is some and no address for it. The real node then keeps the change for
 * itself, with its lovelace.
 */
function changeOf(request: DraftRequest, deposited: Value): TxOutput[] | null {
  const { spent, changeAddress, blueprint, whole, parameters } = request
  if (whole) return []
  const change: Value = sum(spent)
  addValue(change, deposited, -1n)
  if (blueprint !== null) {
    addValue(change, blueprint.tx.mint)
    for (const { amount } of blueprint.tx.withdrawals) addUnit(change, LOVELACE, amount)
  }
  if (changeAddress === null) return change.size === 0 ? [] : null
  // Deposit.hs, depositTx: the balance of the blueprint with its own fee, and no amount below zero.
  addUnit(change, LOVELACE, -(blueprint?.tx.fee ?? 0n))
  for (const [unit, quantity] of [...change]) if (quantity < 0n) change.delete(unit)
  const outputOf = (): TxOutput => ({ address: changeAddress, amount: valueToAmounts(change) })
  // Wallet.hs, coverFee_, ensureMinCoinTxOut: more lovelace may need more bytes, which need more again.
  for (;;) {
    const least = minLovelace(outputOf(), parameters.coinsPerUtxoByte)
    if ((change.get(LOVELACE) ?? 0n) >= least) return [outputOf()]
    change.set(LOVELACE, least)
  }
}

/** Computes the fee with the whole fuel as change, so that the final draft is not longer than the measured one. */
function settle(plan: DraftPlan, redeemers: readonly Redeemer[]): DraftResult {
  const { request } = plan
  const { spent, referenced, fuel, nodeKey, parameters } = request
  const costing = write(plan, redeemers, { change: fuelCoin(request), fee: COSTING_FEE })
  const sizeBytes = costing.length + WITNESS_SET_BYTES + WITNESS_BYTES * signersOf(request).size
  const byKey = new Map(redeemers.map((redeemer) => [redeemerKey(redeemer), redeemer]))
  const referenceBytes = [...new Set([...spent, ...referenced])].reduce(
    (bytes, { script }) => bytes + (script?.sizeBytes ?? 0),
    0
  )
  const fee = minimumFee({ sizeBytes, scripts: { redeemers: byKey } }, referenceBytes, parameters)
  const coinOf = (output: TxOutput): bigint =>
    BigInt(output.amount.find(({ unit }) => unit === LOVELACE)?.quantity ?? 0n)
  const paidOut = plan.outputs.reduce((coins, output) => coins + coinOf(output), fee)
  const inputCoins = [...spent, fuel].reduce((coins, { value }) => coins + (value.get(LOVELACE) ?? 0n), 0n)
  if (inputCoins <= paidOut) return notEnoughFuel(prepareTx(costing, { verified: true }))
  return { cbor: signedByNode(write(plan, redeemers, { change: inputCoins - paidOut, fee }), nodeKey) }
}

function write(
  { request, inputs, outputs }: DraftPlan,
  redeemers: readonly Redeemer[],
  { change, fee }: { readonly change: bigint; readonly fee: bigint }
): Uint8Array {
  const { blueprint, fuel, nodeKey, networkId, name, ttl } = request
  const fuelChange = {
    address: keyAddress(nodeKey, networkId),
    amount: [{ unit: LOVELACE, quantity: String(change) }]
  }
  const draft: DraftBody = {
    blueprint,
    inputs,
    outputs: [...outputs, fuelChange],
    collateral: fuel.input,
    fee,
    ttl,
    redeemers,
    scriptDataHash: blueprint === null ? null : draftScriptDataHash(blueprint, redeemers, request),
    name
  }
  return assembleDraft(draft)
}

const fuelCoin = ({ fuel }: DraftRequest): bigint => fuel.value.get(LOVELACE) ?? 0n

/**
 * Returns the hashes of all keys that may sign: of inputs, and those that the blueprint or its native scripts require.
 */
function signersOf({ spent, nodeKey, blueprint }: DraftRequest): Set<string> {
  const signers = new Set([nodeKey.keyHash])
  for (const { payment } of spent) if (payment?.kind === 'key') signers.add(payment.hash)
  if (blueprint === null) return signers
  for (const hash of blueprint.tx.requiredSigners) signers.add(hash)
  for (const script of blueprint.tx.nativeScripts.values()) collectKeys(script, signers)
  return signers
}

function collectKeys(script: NativeScript, hashes: Set<string>): void {
  if (script.type === 'sig') hashes.add(script.keyHash)
  else if ('scripts' in script) for (const each of script.scripts) collectKeys(each, hashes)
}

function sum(entries: readonly LedgerEntry[]): Value {
  const value: Value = new Map()
  for (const entry of entries) addValue(value, entry.value)
  return value
}

function depositDatum({ headId, deadlineMs, deposited }: DraftRequest): string {
  return bytesToHex(
    encodeDepositDatum({
      headId,
      deadlineMs: deadlineMs ?? 0,
      deposited: deposited.entries.filter(({ payment }) => payment !== null)
    })
  )
}

function inLedgerOrder(entries: readonly LedgerEntry[]): TxInput[] {
  // Ids have one length and indexes are padded, so texts sort as the ledger does; the start of a node may bring in
  // outputs by the 100,000.
  const keyed = entries.map(({ input }) => ({ input, key: input.txHash + String(input.index).padStart(5, '0') }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ input }) => input)
}

function signedByNode(cbor: Uint8Array, { seed, publicKey }: DevKey): Uint8Array {
  const spans = readTransaction(cbor)
  return setVkeyWitnesses(spans, [
    { vkey: publicKey, signature: signWithSeed(transactionHash(spans), seed, publicKey) }
  ])
}
