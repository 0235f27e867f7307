import type { HeadTransaction, ResolvedInput, UTxO } from '../../client/index.js'
import { noteOf } from '../../client/inner.js'
import type { DecommitRow, DepositRow, FundsLog } from '../../doctor/inner.js'
import type { DecodedTransaction } from '../../tx/inner.js'
import type { LifeLog } from './LifeLog.js'
import type { TxBook } from './TxBook.js'
import { effectOf } from './TxBook.js'
import type { TxLog, TxRow } from './TxLog.js'

/** Sources of the pages: the logs of a session, and the head's outputs now. */
export interface LedgerSources {
  readonly txs: TxLog
  readonly book: TxBook
  readonly funds: Pick<FundsLog, 'deposits' | 'decommits'>
  readonly life: Pick<LifeLog, 'ended' | 'paying'>
  /** Outputs of the newest confirmed snapshot. */
  readonly utxos: readonly UTxO[]
  /** True for an output of the pending deposit, `'txHash#index'`. */
  readonly isArriving: (ref: string) => boolean
}

/** A transaction with all that the page knows of it. */
export interface TxDetails {
  readonly txId: string
  /** Null for one that the node has not reported to this page, and for a decommit. */
  readonly row: TxRow | null
  /** State of the transaction; null for one that is known by its bytes alone. */
  readonly state: TxRow['state'] | null
  /** Number of the snapshot that holds it. */
  readonly snapshot: number | null
  readonly reason: string | null
  /** Null where its bytes are not known. */
  readonly decoded: DecodedTransaction | null
  /** True where the node sent bytes that cannot be read, or that are another transaction's. */
  readonly isUnreadable: boolean
  /** Outputs that it spends, as far as they are known. */
  readonly inputs: readonly ResolvedInput[]
  /** Owners of its inputs; null where one of them is not known. */
  readonly from: readonly string[] | null
  /** Text for the receiver (CIP-20). */
  readonly note: string | null
  readonly deposit: DepositRow | null
  readonly decommit: DecommitRow | null
}

/** Summary of a transaction for one line of a table. */
export interface TxSummary {
  /** Owners of its inputs; null where one of them is not known. */
  readonly from: readonly string[] | null
  /** Receivers other than those owners; the owners themselves where there is no other receiver. */
  readonly to: readonly string[]
  /** Lovelace that goes to those receivers; an upper bound of the moved amount where `from` is null. */
  readonly lovelace: bigint
  /** Number of units besides ada that go to them. */
  readonly tokens: number
}

/** State of an output. */
export type OutputState =
  'unspent' | 'arriving' | 'spent' | 'withdrawn' | 'paid-out' | 'unconfirmed' | 'refused' | 'gone' | 'unknown'

/** An output with its maker and its spender. */
export interface OutputDetails {
  readonly state: OutputState
  /** Null where it was not seen. */
  readonly utxo: UTxO | null
  /** Id of the transaction that spends it: a confirmed one, or with `spending` a valid one; null without one. */
  readonly spentBy: string | null
  /** True while the spending transaction is valid but in no snapshot yet. */
  readonly spending: boolean
}

/** Returns all that the logs and the node's history (`found`) know of a transaction; null where neither knows it. */
export function txDetails(sources: LedgerSources, txId: string, found: HeadTransaction | null): TxDetails | null {
  const { txs, book, funds } = sources
  const row = txs.rowOf(txId)
  const deposit = funds.deposits.find(({ id }) => id === txId) ?? null
  const decommit = funds.decommits.find(({ id }) => id === txId) ?? null
  const decoded = book.decode(txId) ?? found?.decoded ?? null
  if (row === null && found === null && decoded === null && deposit === null && decommit === null) return null
  const inputs = decoded === null ? [] : inputsOf(book, decoded, found)
  const foundState =
    found === null ? null : ({ pending: 'valid', confirmed: 'confirmed', refused: 'invalid' } as const)[found.state]
  return {
    txId,
    row,
    state: row?.state ?? foundState,
    snapshot: row?.snapshot ?? found?.snapshotNumber ?? null,
    reason: row?.reason ?? found?.reason ?? decommit?.reason ?? null,
    decoded,
    isUnreadable: decoded === null && book.isUnreadable(txId),
    inputs,
    from: ownersOf(inputs),
    note: decoded === null ? null : noteOf(decoded.metadata),
    deposit,
    decommit
  }
}

/** Returns the summary of a transaction; null where its bytes are not known. */
export function txSummary(book: TxBook, txId: string): TxSummary | null {
  const decoded = book.decode(txId)
  if (decoded === null) return null
  const from = ownersOf(inputsOf(book, decoded, null))
  const { makes } = effectOf(decoded)
  const others = makes.filter(({ output }) => from?.includes(output.address) !== true)
  const moved = others.length === 0 ? makes : others
  const amounts = moved.flatMap(({ output }) => output.amount)
  return {
    from,
    to: [...new Set(moved.map(({ output }) => output.address))],
    lovelace: amounts.reduce((sum, { unit, quantity }) => (unit === 'lovelace' ? sum + BigInt(quantity) : sum), 0n),
    tokens: new Set(amounts.map(({ unit }) => unit)).size - (amounts.some(({ unit }) => unit === 'lovelace') ? 1 : 0)
  }
}

/**
 * Returns the outputs of an address and, newest first, its transactions, among those that the book has decoded so far.
 */
export function addressDetails(
  sources: LedgerSources,
  address: string
): { readonly utxos: readonly UTxO[]; readonly paidOut: readonly UTxO[]; readonly rows: readonly TxRow[] } {
  const { txs, book, life, utxos } = sources
  const isOf = ({ output }: UTxO): boolean => output.address === address
  const concerns = ({ txId }: TxRow): boolean => {
    const decoded = book.indexed(txId)
    if (decoded === null) return false
    return (
      effectOf(decoded).makes.some(isOf) ||
      inputsOf(book, decoded, null).some(({ address: owner }) => owner === address)
    )
  }
  return {
    utxos: utxos.filter(isOf),
    paidOut: (life.ended ?? life.paying)?.utxo.filter(isOf) ?? [],
    rows: txs.rows.filter(concerns)
  }
}

/** Returns an output with its state. `maker`: its transaction as the node's history has it. */
export function outputDetails(
  sources: LedgerSources,
  txHash: string,
  index: number,
  maker: HeadTransaction | null
): OutputDetails {
  const { txs, book, funds, life, utxos } = sources
  const ref = `${txHash}#${index}`
  const isRef = ({ input }: UTxO): boolean => input.txHash === txHash && input.index === index
  const unspent = utxos.find(isRef)
  const paidOut = (life.ended ?? life.paying)?.utxo.find(isRef)
  const withdrawn = funds.decommits.flatMap(({ step, utxo }) => (step === 'finalized' ? utxo : [])).find(isRef)
  const deposited = funds.deposits.flatMap(({ utxo }) => utxo).find(isRef)
  const made = maker?.decoded?.outputs.find(isRef)
  const bookOutput = book.outputOf(txHash, index)
  const utxo =
    unspent ??
    paidOut ??
    withdrawn ??
    (bookOutput === null ? (deposited ?? made ?? null) : { input: { txHash, index }, output: bookOutput })
  const spender = [...book.ids].map((id) => spenderRow(txs, book, id, ref)).find((row) => row !== null) ?? null
  const makerState = txs.rowOf(txHash)?.state ?? null
  const stateOf = (): OutputState => {
    if (unspent !== undefined) return sources.isArriving(ref) ? 'arriving' : 'unspent'
    if (spender?.state === 'confirmed') return 'spent'
    if (withdrawn !== undefined) return 'withdrawn'
    if (paidOut !== undefined) return 'paid-out'
    if (makerState === 'invalid' || maker?.state === 'refused') return 'refused'
    if (makerState === 'valid' || maker?.state === 'pending') return 'unconfirmed'
    return utxo === null ? 'unknown' : 'gone'
  }
  return { state: stateOf(), utxo, spentBy: spender?.txId ?? null, spending: spender?.state === 'valid' }
}

function spenderRow(txs: TxLog, book: TxBook, txId: string, ref: string): TxRow | null {
  const row = txs.rowOf(txId)
  if (row === null || row.state === 'invalid') return null
  const decoded = book.indexed(txId)
  return decoded !== null && effectOf(decoded).spends.includes(ref) ? row : null
}

/** Returns the outputs that a transaction spends: as this page saw them, else as the node's history has them. */
function inputsOf(book: TxBook, decoded: DecodedTransaction, found: HeadTransaction | null): ResolvedInput[] {
  return (decoded.isValid ? decoded.inputs : decoded.collateral).map((input, i) => {
    const output = book.outputOf(input.txHash, input.index)
    if (output !== null) return { input, output, address: output.address }
    return (decoded.isValid ? found?.inputs[i] : undefined) ?? { input, output: null, address: null }
  })
}

function ownersOf(inputs: readonly ResolvedInput[]): readonly string[] | null {
  const addresses = inputs.map(({ address }) => address)
  return inputs.length === 0 || addresses.some((address) => address === null)
    ? null
    : [...new Set(addresses as string[])]
}
