import { readTransaction } from '../../codec/transaction.js'
import type { TxInput } from '../../types/utxo.js'
import { isObject } from '../json/isObject.js'
import { ParseFailure } from '../json/ParseFailure.js'
import { parseBody, parseTransaction } from '../wire/json/clientInput.js'
import type { LedgerEntry } from '../rules/utxoSet.js'
import type { DraftBlueprint } from './assembleDraft.js'
import { parsePaymentAddress, parseStatedUtxo } from '../wire/json/statedUtxo.js'

/** Body of POST /commit, in any of its three forms. */
export interface StatedCommit {
  /** Outputs to spend. */
  readonly inputs: readonly TxInput[]
  /** The outputs by reference, as the client states them. */
  readonly stated: ReadonlyMap<string, LedgerEntry>
  /** Outputs to deposit; `null`: all that are spent. */
  readonly outputs: readonly LedgerEntry[] | null
  readonly changeAddress: string | null
  readonly blueprint: DraftBlueprint | null
}

/**
 * Parses the body of POST /commit: a blueprint transaction, `{ utxoToCommit }`, or a bare UTxO.
 *
 * @throws {@link ParseFailure}
 */
export function parseCommitRequest(body: string): StatedCommit {
  const value = parseBody(body)
  if (!isObject(value)) throw new ParseFailure('Error in $: parsing DraftCommitTxRequest failed, expected Object')
  if ('blueprintTx' in value) return fromBlueprint(value)
  const stated = 'utxoToCommit' in value ? statedUtxo(value['utxoToCommit'], '$.utxoToCommit') : statedUtxo(value, '$')
  return { inputs: inputsOf(stated), stated, outputs: null, changeAddress: null, blueprint: null }
}

function fromBlueprint(value: Readonly<Record<string, unknown>>): StatedCommit {
  const tx = parseTransaction(value['blueprintTx'], '$.blueprintTx')
  const stated = statedUtxo(value['utxo'], '$.utxo')
  const { changeAddress } = value
  return {
    inputs: tx.inputs.length > 0 ? tx.inputs : inputsOf(stated),
    stated,
    outputs: tx.outputs.length > 0 ? tx.outputs : null,
    changeAddress: changeAddress == null ? null : parsePaymentAddress(changeAddress, '$.changeAddress'),
    blueprint: { spans: readTransaction(tx.bytes), tx }
  }
}

const statedUtxo = (utxo: unknown, path: string): ReadonlyMap<string, LedgerEntry> =>
  new Map(parseStatedUtxo(utxo, path).map((entry) => [entry.ref, entry]))
const inputsOf = (stated: ReadonlyMap<string, LedgerEntry>): TxInput[] => [...stated.values()].map(({ input }) => input)
