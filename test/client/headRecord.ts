import { LayerBridge } from '../../src/bridge/index.js'
import { readTransaction, toTransactionBytes } from '../../src/codec/transaction.js'
import { decodeTransactionBody } from '../../src/codec/transactionBody.js'
import type { UTxO } from '../../src/types/utxo.js'

/** A payment as its output shows it: receiver, lovelace, datum. */
export const markOf = (to: string, lovelace: bigint, datum: string | undefined): string =>
  `${to} ${lovelace} ${datum ?? ''}`

/** What a node's history says of a head: a record beside what the clients report. */
export interface HeadRecord {
  /** Confirmed transactions: what they spend, and how often each payment stands in their outputs. */
  readonly confirmed: ReadonlyMap<
    string,
    { readonly inputs: readonly string[]; readonly paid: ReadonlyMap<string, number> }
  >
  /** Deposits that entered the head, by id: lovelace. */
  readonly deposits: ReadonlyMap<string, bigint>
  /** Approved decommits, by id: what they spend. */
  readonly decommits: ReadonlyMap<string, readonly string[]>
  /** Lovelace that has left the head. */
  readonly left: bigint
}

const lovelaceIn = (utxo: Record<string, { value: { lovelace?: unknown } }>): bigint =>
  Object.values(utxo).reduce((sum, { value }) => sum + BigInt(String(value.lovelace ?? 0)), 0n)
const inputsOf = (cborHex: string): string[] =>
  decodeTransactionBody(readTransaction(toTransactionBytes(cborHex))).inputs.map(
    ({ txHash, index }) => `${txHash}#${index}`
  )

/** Reads the history over a connection of its own. */
export async function readRecord(url: string): Promise<HeadRecord> {
  const bridge = new LayerBridge({ url, history: true })
  const confirmed = new Map<string, { inputs: string[]; paid: Map<string, number> }>()
  const recorded = new Map<string, bigint>()
  const deposits = new Map<string, bigint>()
  const requested = new Map<string, string[]>()
  const decommits = new Map<string, readonly string[]>()
  let left = 0n
  // connect() waits a second for Greetings, which ends the history, and no longer.
  const end = new Promise<void>((resolve) => bridge.events.on('Greetings', () => resolve()))
  bridge.events.on('onMessage', (message) => {
    if (message.tag === 'SnapshotConfirmed')
      for (const { txId, cborHex } of message.snapshot.confirmed) {
        const { outputs } = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex!)))
        const paid = new Map<string, number>()
        for (const { address, amount, inlineDatum } of outputs) {
          const mark = markOf(address, BigInt(amount[0]!.quantity), inlineDatum)
          paid.set(mark, (paid.get(mark) ?? 0) + 1)
        }
        confirmed.set(txId, { inputs: inputsOf(cborHex!), paid })
      }
    else if (message.tag === 'CommitRecorded')
      recorded.set(message.pendingDeposit, lovelaceIn(message.utxoToCommit as never))
    else if (message.tag === 'CommitFinalized') deposits.set(message.depositTxId, recorded.get(message.depositTxId)!)
    else if (message.tag === 'DecommitRequested')
      requested.set(message.decommitTx.txId, inputsOf(message.decommitTx.cborHex!))
    else if (message.tag === 'DecommitApproved')
      decommits.set(message.decommitTxId, requested.get(message.decommitTxId)!)
    else if (message.tag === 'DecommitFinalized') left += lovelaceIn(message.distributedUTxO as never)
  })
  await bridge.connect()
  await end
  await bridge.disconnect()
  return { confirmed, deposits, decommits, left }
}

export const sumOf = (utxos: readonly UTxO[]): bigint =>
  utxos.reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
