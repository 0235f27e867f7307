import { encodePlutusTxOut } from '../../codec/depositDatum.js'
import { bytesToHex } from '../../codec/hex.js'
import { plainForm } from '../../codec/depositDatumParts.js'
import { readTransaction, toTransactionBytes, transactionId } from '../../codec/transaction.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import type { TransactionBody } from '../../codec/transactionBody.js'
import type { Value } from '../../codec/value.js'
import { addValue, valueFromAmounts } from '../../codec/value.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { TxOutput, UTxO } from '../../types/utxo.js'
import type { UTxOObject } from '../protocol/types.js'
import { toInputKey, utxoFromJson } from '../protocol/utxoJson.js'
import type { CommitRequest } from '../moves/deposits.js'

/** Expected content of a deposit's draft. */
export interface ExpectedDeposit {
  /** Outputs that it spends besides the node's own, by reference (`txHash#index`). */
  readonly spent: ReadonlyMap<string, TxOutput>
  /** Sum of their amounts. */
  readonly spentValue: Value
  /** References of all outputs that the request states, spent or not. The node's input for the fee is none of them. */
  readonly stated: ReadonlySet<string>
  /** Outputs that enter the head: by reference, each output as Plutus data in a canonical form. */
  readonly deposited: ReadonlyMap<string, string>
  /** Sum of the outputs that enter the head. */
  readonly depositedValue: Value
  /** True when all outputs that the request states go into the head: then there is no change. */
  readonly whole: boolean
  /** Address of the change; null when the request names none. */
  readonly changeAddress: string | null
  /** The caller's own transaction, whose other members the draft must have too; null when the request has none. */
  readonly blueprint: { readonly transaction: TransactionSpans; readonly body: TransactionBody } | null
}

/**
 * Returns the expected content of the draft for a request of `bridge.commit`. @throws {@link InvalidArgumentError},
 * {@link InvalidCborError}, {@link ProtocolError}
 */
export function expectedDeposit(commit: CommitRequest): ExpectedDeposit {
  if (typeof commit !== 'object' || commit === null)
    throw new InvalidArgumentError('request.commit', 'what bridge.commit was given', commit)
  if (Array.isArray(commit)) return whole(commit as readonly UTxO[])
  const {
    cborHex,
    blueprintTx,
    utxo = {},
    changeAddress
  } = commit as { cborHex?: unknown; blueprintTx?: { cborHex?: unknown } } & Partial<BlueprintParts>
  const cbor = typeof cborHex === 'string' ? cborHex : blueprintTx?.cborHex
  if (typeof cbor !== 'string')
    return whole(utxoFromJson((commit as { utxoToCommit?: UTxOObject }).utxoToCommit ?? (commit as UTxOObject)))
  return ofBlueprint(cbor, { utxo, changeAddress })
}

interface BlueprintParts {
  readonly utxo: UTxOObject | readonly UTxO[]
  readonly changeAddress?: string | null | undefined
}

function whole(utxos: readonly UTxO[]): ExpectedDeposit {
  return {
    ...parts(utxos, utxos),
    stated: new Set(utxos.map(draftRefOf)),
    whole: true,
    changeAddress: null,
    blueprint: null
  }
}

function ofBlueprint(cbor: string, { utxo, changeAddress }: BlueprintParts): ExpectedDeposit {
  const transaction = readTransaction(toTransactionBytes(cbor))
  const body = decodeTransactionBody(transaction)
  const stated = new Map(
    (Array.isArray(utxo) ? (utxo as readonly UTxO[]) : utxoFromJson(utxo as UTxOObject)).map((each) => [
      draftRefOf(each),
      each
    ])
  )
  const spent = body.inputs.map((input) => {
    const found = stated.get(toInputKey(input))
    if (found === undefined)
      throw new InvalidArgumentError(
        'request.commit.utxo',
        `the output that the blueprint spends, ${toInputKey(input)}`,
        described('none')
      )
    return found
  })
  const txId = transactionId(transaction)
  const made = body.outputs.map((output, index) => ({ input: { txHash: txId, index }, output }))
  // Hydra.Tx.Deposit, depositTx: without outputs of its own a blueprint deposits all that is stated, referenced outputs
  // too.
  const isWhole = made.length === 0
  return {
    ...parts(spent, isWhole ? [...stated.values()] : made),
    stated: new Set(stated.keys()),
    whole: isWhole,
    changeAddress: changeAddress ?? null,
    blueprint: { transaction, body }
  }
}

function parts(
  spent: readonly UTxO[],
  deposited: readonly UTxO[]
): Pick<ExpectedDeposit, 'spent' | 'spentValue' | 'deposited' | 'depositedValue'> {
  return {
    spent: new Map(spent.map((utxo) => [draftRefOf(utxo), utxo.output])),
    spentValue: valueOf(spent),
    deposited: new Map(deposited.map((utxo) => [draftRefOf(utxo), plainForm(encodePlutusTxOut(utxo.output))])),
    depositedValue: valueOf(deposited)
  }
}

function valueOf(utxos: readonly UTxO[]): Value {
  const value: Value = new Map()
  for (const { output } of utxos) addValue(value, valueFromAmounts(output.amount))
  return value
}

/** Returns the reference of an output: `txHash#index`, lower case. */
export const draftRefOf = ({ input }: Pick<UTxO, 'input'>): string =>
  toInputKey({ ...input, txHash: input.txHash.toLowerCase() })

/** Returns the bytes of a span as hex, for comparisons. */
export const hexOf = (bytes: Uint8Array, { start, end }: { readonly start: number; readonly end: number }): string =>
  bytesToHex(bytes.subarray(start, end))
