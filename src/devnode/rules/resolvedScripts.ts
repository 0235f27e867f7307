import type { Credential } from '../../codec/address.js'
import { addressFromBytes } from '../../codec/address.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import type { BodyWithdrawal } from '../../codec/transactionBody.js'
import type { TxInput } from '../../types/utxo.js'
import type { PreparedTx } from './preparedTx.js'
import type { PlutusScript } from './plutusScript.js'
import type { RedeemerTag } from '../../codec/redeemer.js'
import type { CarriedScript } from './txScripts.js'
import { redeemerKey } from './txScripts.js'
import type { LedgerEntry, UtxoSet } from './utxoSet.js'
import { entryRefOf } from './utxoSet.js'

/** A part of a transaction that a script decides on: an input, a minting policy or a withdrawal. */
export interface ScriptNeed {
  readonly tag: Extract<RedeemerTag, 'spend' | 'mint' | 'reward'>
  /** Position in the ledger's order. */
  readonly index: number
  readonly hash: string
  /** The input, policy or account that the script guards. */
  readonly item: { readonly input: TxInput } | { readonly policy: string } | { readonly withdrawal: BodyWithdrawal }
}

/** A transaction, with the outputs and scripts that it names looked up. */
export interface TxWithScripts {
  readonly tx: PreparedTx
  /** Outputs of the inputs, in the ledger's order, as far as they exist. */
  readonly spent: readonly LedgerEntry[]
  readonly collateral: readonly LedgerEntry[]
  readonly referenced: readonly LedgerEntry[]
  /** Inputs in the ledger's order. */
  readonly inputs: readonly TxInput[]
  readonly referenceInputs: readonly TxInput[]
  readonly policies: readonly string[]
  /** In the ledger's order. */
  readonly withdrawals: readonly BodyWithdrawal[]
  /** In the order in which the ledger collects them: spending, withdrawing, minting. */
  readonly needs: readonly ScriptNeed[]
  /** Scripts of the witness set and of outputs that are spent or referred to, by hash. */
  readonly provided: ReadonlyMap<string, CarriedScript['script']>
  /** Hashes of scripts that outputs carry. */
  readonly references: ReadonlySet<string>
  /** Bytes of the scripts that outputs carry; one that two outputs carry counts twice. */
  readonly referenceBytes: number
  /** Languages of the Plutus scripts that are needed and available. */
  readonly languages: ReadonlySet<PlutusLanguage>
}

/** Orders inputs as the ledger does: transaction ids by their bytes, then indices as numbers. */
export function compareInputs(a: TxInput, b: TxInput): number {
  return a.txHash === b.txHash ? a.index - b.index : a.txHash < b.txHash ? -1 : 1
}

/**
 * Looks up the outputs that a transaction names, and the scripts that decide on it (eras/conway/.../UTxO.hs:62,
 * getConwayScriptsNeeded).
 */
export function resolveTx(tx: PreparedTx, utxo: Pick<UtxoSet, 'get'>): TxWithScripts {
  const inputs = [...tx.inputs].sort(compareInputs)
  const referenceInputs = [...tx.referenceInputs].sort(compareInputs)
  const entriesOf = (names: readonly TxInput[]): LedgerEntry[] =>
    names.map((input) => utxo.get(entryRefOf(input))).filter((entry) => entry !== undefined)
  const spent = entriesOf(inputs)
  const referenced = entriesOf(referenceInputs)
  const policies = [...new Set([...tx.mint.keys()].map((unit) => unit.slice(0, 56)))].sort()
  const withdrawals = [...tx.withdrawals].sort(compareWithdrawals)
  const needs = neededScripts({ inputs, policies, withdrawals }, utxo)
  const { provided, references, referenceBytes } = providedScripts(tx, new Set([...referenced, ...spent]))
  const languages = new Set(
    needs.map(({ hash }) => plutusOf(provided.get(hash))?.language).filter((language) => language !== undefined)
  )
  const collateral = entriesOf(tx.collateral)
  return {
    tx,
    spent,
    collateral,
    referenced,
    inputs,
    referenceInputs,
    policies,
    withdrawals,
    needs,
    provided,
    references,
    referenceBytes,
    languages
  }
}

/** Returns the stake credential of a withdrawal. */
export function accountOf({ address }: BodyWithdrawal): Credential {
  return addressFromBytes(address).stake!
}

/** Returns the Plutus script; null for a native or missing one. */
export function plutusOf(script: CarriedScript['script'] | undefined): PlutusScript | null {
  return script !== undefined && 'plutus' in script ? script.plutus : null
}

/** Returns the needs that a Plutus script meets, each with its script; each of them requires a redeemer. */
export function plutusNeeds({
  needs,
  provided
}: TxWithScripts): { need: ScriptNeed; script: PlutusScript; key: string }[] {
  return needs.flatMap((need) => {
    const script = plutusOf(provided.get(need.hash))
    return script === null ? [] : [{ need, script, key: redeemerKey(need) }]
  })
}

function neededScripts(
  { inputs, policies, withdrawals }: Pick<TxWithScripts, 'inputs' | 'policies' | 'withdrawals'>,
  utxo: Pick<UtxoSet, 'get'>
): ScriptNeed[] {
  const needs: ScriptNeed[] = []
  inputs.forEach((input, index) => {
    const payment = utxo.get(entryRefOf(input))?.payment
    if (payment?.kind === 'script') needs.push({ tag: 'spend', index, hash: payment.hash, item: { input } })
  })
  withdrawals.forEach((withdrawal, index) => {
    const { kind, hash } = accountOf(withdrawal)
    if (kind === 'script') needs.push({ tag: 'reward', index, hash, item: { withdrawal } })
  })
  policies.forEach((policy, index) => needs.push({ tag: 'mint', index, hash: policy, item: { policy } }))
  return needs
}

function providedScripts(
  tx: PreparedTx,
  carriers: ReadonlySet<LedgerEntry>
): Pick<TxWithScripts, 'provided' | 'references' | 'referenceBytes'> {
  const provided = new Map<string, CarriedScript['script']>()
  for (const [hash, native] of tx.nativeScripts) provided.set(hash, { native })
  for (const [hash, plutus] of tx.scripts.plutus) provided.set(hash, { plutus })
  const references = new Set<string>()
  let referenceBytes = 0
  for (const { script: carried } of carriers) {
    if (carried === null) continue
    provided.set(carried.hash, carried.script)
    references.add(carried.hash)
    referenceBytes += carried.sizeBytes
  }
  return { provided, references, referenceBytes }
}

/** Network first, then scripts before keys, then hashes (Credential.hs:98). */
function compareWithdrawals(a: BodyWithdrawal, b: BodyWithdrawal): number {
  const network = (a.address[0]! & 15) - (b.address[0]! & 15)
  const [x, y] = [accountOf(a), accountOf(b)]
  if (network !== 0) return network
  if (x.kind !== y.kind) return x.kind === 'script' ? -1 : 1
  return x.hash === y.hash ? 0 : x.hash < y.hash ? -1 : 1
}
