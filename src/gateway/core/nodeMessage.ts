import type { TransactionJson, TxOutJson, WireRecord } from '../../bridge/inner.js'
import { getOwn, isRecord, textIn, txEffect } from '../../bridge/inner.js'
import { parseJson } from '../../codec/json.js'

/** Receivers of a message. */
export interface Audience {
  /** Addresses whose followers receive it; null: all clients. */
  readonly addresses: readonly string[] | null
  /** Transactions and deposits that it names, whose senders receive it. */
  readonly txIds: readonly string[]
  /** True: only the sender of a command receives it. */
  readonly toSender: boolean
}

const EVERYBODY: Audience = { addresses: null, txIds: [], toSender: false }
/** Messages about the outputs of a deposit or decommit: for their owners, and for the sender. */
const ABOUT_OUTPUTS: ReadonlySet<string> = new Set([
  ...[
    'CommitRecorded',
    'CommitApproved',
    'CommitFinalized',
    'CommitRecovered',
    'CommitIgnored',
    'DepositActivated',
    'DepositExpired',
    'Committed'
  ],
  ...['DecommitRequested', 'DecommitApproved', 'DecommitFinalized', 'DecommitInvalid', 'TxValid', 'TxInvalid']
])
/** Refusals of a command: for its sender, and for clients that do not follow single addresses. */
const REFUSALS: ReadonlySet<string> = new Set([
  ...['CommandFailed', 'RejectedInputBecauseUnsynced', 'RejectedInputBecauseBroadcastStalled'],
  ...['SideLoadSnapshotRejected', 'PostTxOnChainFailed']
])
const OUTPUTS = ['utxoToCommit', 'utxoToDecommit', 'recoveredUTxO', 'distributedUTxO']
const IDS = [
  'transactionId',
  'depositTxId',
  'theDeposit',
  'pendingDeposit',
  'recoveredTxId',
  'decommitTxId',
  'finalizedDecommitTxId'
]
const TRANSACTIONS = ['transaction', 'decommitTx']
/** Transactions whose addresses are remembered, for messages that name them by id alone. */
const MAX_REMEMBERED = 10_000

/** Determines the receivers of messages. */
export class Audiences {
  readonly #addressesOf = new Map<string, readonly string[]>()

  /**
   * Returns the receivers of a message. `utxo`: the outputs of the head, which show the addresses that a transaction
   * spends from.
   */
  audienceOf(message: WireRecord, utxo: ReadonlyMap<string, TxOutJson>): Audience {
    const tag = tagOf(message)
    if (tag === 'InvalidInput') return { addresses: [], txIds: idsOfInput(echoedInput(message)), toSender: true }
    if (REFUSALS.has(tag)) return { addresses: [], txIds: idsOfInput(message['clientInput']), toSender: false }
    if (!ABOUT_OUTPUTS.has(tag)) return EVERYBODY
    const txIds = new Set(IDS.map((name) => textIn(message, name)).filter((id) => id !== undefined))
    const addresses = new Set<string>(OUTPUTS.flatMap((name) => addressesIn(getOwn(message, name))))
    for (const transaction of TRANSACTIONS.map((name) => getOwn(message, name)).filter(isRecord)) {
      const txId = textIn(transaction, 'txId')
      if (txId === undefined) continue
      txIds.add(txId)
      for (const address of this.#touched({ ...transaction, txId }, utxo)) addresses.add(address)
    }
    for (const id of txIds) for (const address of this.#addressesOf.get(id) ?? []) addresses.add(address)
    for (const id of txIds) this.#remember(id, [...addresses])
    return { addresses: [...addresses], txIds: [...txIds], toSender: false }
  }

  /** Remembers the addresses of a transaction that is sent to the node: later messages may name only its id. */
  note(transaction: TransactionJson, utxo: ReadonlyMap<string, TxOutJson>): void {
    this.#remember(transaction.txId, this.#touched(transaction, utxo))
  }

  /** Remembers the addresses of the deposit that a snapshot names: its outputs are in `utxo`. */
  noteDeposit(id: string, keys: readonly string[], utxo: ReadonlyMap<string, TxOutJson>): void {
    const addresses = keys.map((key) => utxo.get(key)?.address).filter((address) => address !== undefined)
    this.#remember(id, [...new Set(addresses)])
  }

  #touched(transaction: TransactionJson, utxo: ReadonlyMap<string, TxOutJson>): string[] {
    const effect = txEffect(transaction)
    if (effect === null) return []
    const spent = effect.spent.map((key) => utxo.get(key)?.address).filter((address) => address !== undefined)
    return [...new Set([...spent, ...[...effect.made.values()].map(({ address }) => address)])]
  }

  #remember(id: string, addresses: readonly string[]): void {
    this.#addressesOf.delete(id)
    this.#addressesOf.set(id, addresses)
    for (const oldest of this.#addressesOf.keys()) {
      if (this.#addressesOf.size <= MAX_REMEMBERED) break
      this.#addressesOf.delete(oldest)
    }
  }
}

/** Returns the tag of a message; InvalidInput comes without one. */
export function tagOf(message: WireRecord): string {
  const tag = getOwn(message, 'tag')
  if (typeof tag === 'string') return tag
  return typeof getOwn(message, 'reason') === 'string' && typeof getOwn(message, 'input') === 'string'
    ? 'InvalidInput'
    : ''
}

/** Returns the transactions that a message refuses, with the reason; empty for other messages. */
export function refusedBy(message: WireRecord): { txId: string; reason: string }[] {
  const tag = tagOf(message)
  if (tag === 'TxInvalid') {
    const txId = textIn(getOwn(message, 'transaction'), 'txId')
    return txId === undefined
      ? []
      : [{ txId, reason: textIn(getOwn(message, 'validationError'), 'reason') ?? 'no reason given' }]
  }
  const input = tag === 'InvalidInput' ? echoedInput(message) : getOwn(message, 'clientInput')
  if (!isRecord(input) || getOwn(input, 'tag') !== 'NewTx') return []
  return idsOfInput(input).map((txId) => ({
    txId,
    reason: tag === 'InvalidInput' ? (textIn(message, 'reason') ?? tag) : tag
  }))
}

function echoedInput(message: WireRecord): unknown {
  try {
    return parseJson(textIn(message, 'input') ?? '')
  } catch {
    return null
  }
}

function idsOfInput(input: unknown): string[] {
  if (!isRecord(input)) return []
  const ids = [...TRANSACTIONS.map((name) => textIn(getOwn(input, name), 'txId')), textIn(input, 'recoverTxId')]
  return ids.filter((id) => id !== undefined)
}

function addressesIn(utxo: unknown): string[] {
  if (!isRecord(utxo)) return []
  return Object.values(utxo)
    .map((output) => textIn(output, 'address'))
    .filter((address) => address !== undefined)
}
