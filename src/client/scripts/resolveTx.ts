import { addressFromBytes, parseAddress } from '../../codec/address.js'
import type { Credential } from '../../codec/address.js'
import { redeemerName } from '../../codec/redeemer.js'
import type { RedeemerTag } from '../../codec/redeemer.js'
import { scriptRefHash } from '../../codec/scriptHash.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import type { TransactionBody, BodyWithdrawal } from '../../codec/transactionBody.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ScriptPosition } from '../../errors/scripts.js'
import type { ScriptRef, TxInput, UTxO } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import { refOf } from '../PendingView.js'
import type { AnyTransaction } from '../types.js'
import type { WitnessScripts } from './txScripts.js'
import { readWitnessScripts } from './txScripts.js'

/** A part of a transaction that a script has to approve: an input, a minting policy or a withdrawal. */
export interface NeededScript extends ScriptPosition {
  readonly redeemer: string
  readonly tag: Extract<RedeemerTag, 'spend' | 'mint' | 'reward'>
  /** Index among those of its tag, in the ledger's order. */
  readonly index: number
  readonly scriptHash: string
  /** The output that it spends. */
  readonly utxo: UTxO | undefined
}

/** A transaction with the outputs that it names. */
export interface TxWithOutputs {
  readonly spans: TransactionSpans
  readonly body: TransactionBody
  readonly witnesses: WitnessScripts
  /** Inputs in the ledger's order. */
  readonly inputs: readonly TxInput[]
  readonly referenceInputs: readonly TxInput[]
  /** Outputs by `txHash#index`, as far as they are known. */
  readonly outputs: ReadonlyMap<string, UTxO>
  /** Parts that scripts have to approve, in the order of the tags. */
  readonly needs: readonly NeededScript[]
  /** Languages of the scripts that the transaction carries or refers to, by hash. */
  readonly scripts: ReadonlyMap<string, ScriptRef['language']>
}

const inputName = ({ txHash, index }: TxInput): string => `${txHash}#${index}`

/** Reads a transaction: CBOR hex, a built one or an envelope. @throws {@link InvalidArgumentError}, codec errors */
export function transactionSpans(transaction: AnyTransaction): TransactionSpans {
  const cborHex: unknown = typeof transaction === 'object' && transaction !== null ? transaction.cborHex : transaction
  if (typeof cborHex !== 'string')
    throw new InvalidArgumentError('transaction', 'CBOR hex, a built transaction, or { cborHex }', transaction)
  return readTransaction(toTransactionBytes(cborHex))
}

/**
 * Looks up the outputs that a transaction names: in this client's transactions in flight, then in the head, then in
 * `more`.
 */
export function resolveOutputs(context: ClientContext, spans: TransactionSpans, more: readonly UTxO[]): TxWithOutputs {
  const body = decodeTransactionBody(spans)
  const witnesses = readWitnessScripts(spans)
  const inputs = [...body.inputs].sort(compareInputs)
  const referenceInputs = [...body.referenceInputs].sort(compareInputs)
  const outputs = findOutputs(context, [...inputs, ...referenceInputs, ...body.collateral], more)
  const scripts = new Map(witnesses.scripts)
  for (const input of [...inputs, ...referenceInputs]) {
    const scriptRef = outputs.get(inputName(input))?.output.scriptRef
    if (scriptRef !== undefined) scripts.set(scriptRefHash(scriptRef), scriptRef.language)
  }
  const needs = [...spendingNeeds(inputs, outputs), ...mintingNeeds(body), ...withdrawingNeeds(body)]
  return { spans, body, witnesses, inputs, referenceInputs, outputs, scripts, needs }
}

function findOutputs(context: ClientContext, inputs: readonly TxInput[], more: readonly UTxO[]): Map<string, UTxO> {
  const found = new Map<string, UTxO>()
  const missing = new Set(inputs.map(inputName))
  for (const { txHash, index } of inputs) {
    const utxo = context.view.get(txHash)?.outputs[index]
    if (utxo !== undefined && missing.delete(`${txHash}#${index}`)) found.set(`${txHash}#${index}`, utxo)
  }
  // One pass over the head's outputs, whatever the number of inputs.
  if (missing.size > 0 && context.bridge.getSnapshot().ready)
    for (const utxo of context.bridge.snapshotUtxoArray()) if (missing.delete(refOf(utxo))) found.set(refOf(utxo), utxo)
  for (const utxo of more) if (missing.delete(refOf(utxo))) found.set(refOf(utxo), utxo)
  return found
}

function spendingNeeds(inputs: readonly TxInput[], outputs: ReadonlyMap<string, UTxO>): NeededScript[] {
  return inputs.flatMap((input, index) => {
    const utxo = outputs.get(inputName(input))
    const payment = utxo === undefined ? undefined : paymentOf(utxo)
    return payment?.kind === 'script' ? [need('spend', index, payment.hash, utxo)] : []
  })
}

function mintingNeeds({ mint }: TransactionBody): NeededScript[] {
  const policies = [...new Set([...mint.keys()].map((unit) => unit.slice(0, 56)))].sort()
  return policies.map((policy, index) => need('mint', index, policy))
}

function withdrawingNeeds({ withdrawals }: TransactionBody): NeededScript[] {
  return [...withdrawals].sort(compareWithdrawals).flatMap((withdrawal, index) => {
    const { kind, hash } = accountOf(withdrawal)
    return kind === 'script' ? [need('reward', index, hash)] : []
  })
}

function need(tag: NeededScript['tag'], index: number, scriptHash: string, utxo?: UTxO): NeededScript {
  const input = utxo === undefined ? null : refOf(utxo)
  return { tag, index, redeemer: redeemerName({ tag, index }), scriptHash, input, utxo }
}

/** Returns the payment credential of an output's address; undefined for Byron addresses, which have none. */
export const paymentOf = ({ output: { address } }: UTxO): Credential | undefined =>
  address.startsWith('addr') ? (parseAddress(address).payment ?? undefined) : undefined

const accountOf = ({ address }: BodyWithdrawal): Credential => addressFromBytes(address).stake!

/** Compares inputs in the ledger's order: transaction ids by their bytes, then indices as numbers. */
function compareInputs(a: TxInput, b: TxInput): number {
  return a.txHash === b.txHash ? a.index - b.index : a.txHash < b.txHash ? -1 : 1
}

/**
 * Compares withdrawals in the ledger's order: network first, then scripts before keys, then hashes (cardano-ledger,
 * Credential.hs:98).
 */
function compareWithdrawals(a: BodyWithdrawal, b: BodyWithdrawal): number {
  const network = (a.address[0]! & 15) - (b.address[0]! & 15)
  const [x, y] = [accountOf(a), accountOf(b)]
  if (network !== 0) return network
  if (x.kind !== y.kind) return x.kind === 'script' ? -1 : 1
  return x.hash === y.hash ? 0 : x.hash < y.hash ? -1 : 1
}
