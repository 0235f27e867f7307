import type { TransactionSpans } from '../../codec/transaction.js'
import { readTransaction } from '../../codec/transaction.js'
import type { TxInput } from '../../types/utxo.js'
import type { UtxoJson } from '../wire/clientInput.js'
import { isObject, ParseFailure, parseBody, parseTransaction } from '../wire/clientInput.js'
import type { LedgerEntry } from '../ledger/utxoSet.js'
import { refOf } from '../ledger/utxoSet.js'

/** Body of POST /commit, in any of its three forms. */
export interface CommitRequest {
  /** What is spent. */
  readonly inputs: readonly TxInput[]
  /** The outputs by reference, as the client states them. */
  readonly stated: UtxoJson
  /** What is deposited; `null`: all that is spent. */
  readonly outputs: readonly LedgerEntry[] | null
  readonly changeAddress: string | null
  readonly blueprint: TransactionSpans | null
  /** What of a blueprint cannot be taken over, or `null`. */
  readonly unsupported: string | null
}

/**
 * Parses the body of POST /commit: a blueprint transaction, `{ utxoToCommit }`, or a bare UTxO.
 *
 * @throws {@link ParseFailure}
 */
export function parseCommitRequest(body: string): CommitRequest {
  const value = parseBody(body)
  if (!isObject(value)) throw new ParseFailure('Error in $: parsing DraftCommitTxRequest failed, expected Object')
  if ('blueprintTx' in value) return fromBlueprint(value)
  const utxo = 'utxoToCommit' in value ? value['utxoToCommit'] : value
  const { inputs, stated } = statedUtxo(utxo)
  return { inputs, stated, outputs: null, changeAddress: null, blueprint: null, unsupported: null }
}

function fromBlueprint(value: Readonly<Record<string, unknown>>): CommitRequest {
  const tx = parseTransaction(value['blueprintTx'], '$.blueprintTx')
  const { inputs, stated } = statedUtxo(value['utxo'])
  const { changeAddress } = value
  return {
    inputs: tx.inputs.length > 0 ? tx.inputs : inputs,
    stated,
    outputs: tx.outputs.length > 0 ? tx.outputs : null,
    changeAddress: typeof changeAddress === 'string' ? changeAddress : null,
    blueprint: readTransaction(tx.bytes),
    unsupported: tx.mint.size > 0 ? 'a mint' : (tx.unsupported ?? (tx.scripts.isUsed ? 'Plutus scripts' : null))
  }
}

/** A UTxO and the references that it is keyed by. Only `address` and `value` of its outputs are required. */
function statedUtxo(utxo: unknown): { inputs: TxInput[]; stated: UtxoJson } {
  if (!isObject(utxo)) throw new ParseFailure('Error in $: parsing UTxO failed, expected Object')
  const stated: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  const inputs = Object.entries(utxo).map(([ref, output]) => {
    const match = /^([0-9a-f]{64})#(\d{1,5})$/i.exec(ref)
    if (match === null) throw new ParseFailure(`Error in $: parsing TxIn failed: ${JSON.stringify(ref)}`)
    if (!isObject(output) || typeof output['address'] !== 'string' || !isObject(output['value'])) {
      throw new ParseFailure(`Error in $['${ref}']: parsing TxOut failed, key "address" or "value" not found`)
    }
    const input = { txHash: match[1]!.toLowerCase(), index: Number(match[2]) }
    stated[refOf(input)] = output
    return input
  })
  return { inputs, stated }
}
