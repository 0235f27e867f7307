import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Orders, receipts and refunds, one line of JSON each, in a file that is only ever appended to. A line is on the disk
 * before its method returns; the torn last line of a kill is dropped. A database does the same with one row each.
 */
export class Books {
  orders = new Map()
  /** Receipts by their reference. */
  receipts = new Map()
  /** Place in the ledger behind the last booked receipt; null before the first. */
  cursor = null
  #file

  constructor(path) {
    mkdirSync(dirname(path), { recursive: true })
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    for (const line of whole.split('\n')) if (line !== '') this.#apply(JSON.parse(line))
    this.#file = openSync(path, 'a')
    ftruncateSync(this.#file, Buffer.byteLength(whole))
  }

  addOrder(order) {
    this.#write({ kind: 'order', ...order })
  }

  /** The cursor and the booking stand in one line: both are kept, or none. */
  addReceipt(receipt) {
    this.#write({ kind: 'receipt', ...receipt })
  }

  addRefund(ref, txId) {
    this.#write({ kind: 'refund', ref, txId })
  }

  close() {
    closeSync(this.#file)
  }

  #write(row) {
    writeSync(this.#file, `${JSON.stringify(row)}\n`)
    fsyncSync(this.#file)
    this.#apply(row)
  }

  #apply({ kind, ...row }) {
    if (kind === 'order') this.orders.set(row.id, { ...row, received: 0n })
    if (kind === 'refund') this.receipts.get(row.ref).refundTxId = row.txId
    if (kind !== 'receipt') return
    this.receipts.set(row.ref, { ...row, refundTxId: null })
    this.cursor = row.cursor
    const order = this.orders.get(row.orderId)
    if (order !== undefined) order.received += BigInt(row.lovelace)
  }
}
