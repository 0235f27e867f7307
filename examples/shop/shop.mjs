import { randomUUID } from 'node:crypto'
import { createPaymentRequest } from 'layer-sdk/client'
import { ada } from 'layer-sdk/utils'

/** Goods with their prices in lovelace. */
export const GOODS = new Map([
  ['tea', { name: 'A pot of tea', price: ada('2.5') }],
  ['book', { name: 'A used book', price: ada('7') }],
  ['lamp', { name: 'A reading lamp', price: ada('18') }]
])

/** Orders that nobody has paid: strangers cannot fill the disk. */
const MAX_OPEN = 1_000
const OPEN_MS = 15 * 60_000
/** Smaller sums are not sent back: an output has to hold about an ada. */
const LEAST_REFUND = ada('1')
const LABEL_LINE = /^ref:(.*)$/m

/**
 * Sells goods for money in a head. Every payment is booked once and every refund is sent once, wherever the process is
 * killed: the cursor stands beside the booking, and a refund bears the id of its receipt.
 */
export class Shop {
  #head
  #books
  #address
  #over = new AbortController()
  #running = null

  /** `head`: a client with the shop's wallet and a journal; `books`: {@link Books}; `address`: the wallet's. */
  constructor({ head, books, address }) {
    this.#head = head
    this.#books = books
    this.#address = address
  }

  /** Books what came while the shop was closed, and then what comes. Rejects when it can no longer. */
  run() {
    return (this.#running ??= this.#run())
  }

  async #run() {
    for (const ref of this.#books.receipts.keys()) await this.#refund(ref)
    const options = { after: this.#books.cursor, signal: this.#over.signal }
    for await (const receipt of this.#head.receipts(options)) {
      const { cursor, txId, index, from, amount, note } = receipt
      const ref = `${txId}#${index}`
      const orderId = LABEL_LINE.exec(note ?? '')?.[1] ?? null
      this.#books.addReceipt({
        ref,
        cursor,
        orderId,
        from,
        lovelace: amount[0].quantity,
        due: this.#due(orderId, amount)
      })
      await this.#refund(ref)
    }
  }

  async close() {
    this.#over.abort()
    await this.#running?.catch(() => undefined)
  }

  /** A new order with its request for money; null while too many are unpaid. */
  order(item) {
    const { price } = GOODS.get(item)
    const oldest = Date.now() - OPEN_MS
    const open = [...this.#books.orders.values()].filter(({ madeAt, received }) => madeAt > oldest && received === 0n)
    if (open.length >= MAX_OPEN) return null
    const id = randomUUID()
    this.#books.addOrder({ id, item, price: String(price), madeAt: Date.now() })
    return this.look(id)
  }

  /** An order as its customer sees it; null for an unknown one. */
  look(id) {
    const order = this.#books.orders.get(id)
    if (order === undefined) return null
    const { item, received } = order
    const price = BigInt(order.price)
    const { uri } = createPaymentRequest({
      amount: price,
      address: this.#address,
      label: id,
      note: GOODS.get(item).name
    })
    const refunds = [...this.#books.receipts.values()].filter(({ orderId, due }) => orderId === id && due !== '0')
    return {
      id,
      item,
      uri,
      price: String(price),
      received: String(received),
      missing: String(received < price ? price - received : 0n),
      paid: received >= price,
      refunds: refunds.map(({ due, refundTxId }) => ({ lovelace: due, txId: refundTxId }))
    }
  }

  /** The part of a payment that goes back: what is beyond the price, or all of one that names no order. */
  #due(orderId, amount) {
    const lovelace = BigInt(amount[0].quantity)
    const order = this.#books.orders.get(orderId)
    const missing = order === undefined ? 0n : BigInt(order.price) - order.received
    const due = missing <= 0n ? lovelace : lovelace > missing ? lovelace - missing : 0n
    return String(due < LEAST_REFUND ? 0n : due)
  }

  /** The same id sends the same transaction, or none: after a kill the refund is looked up, not paid again. */
  async #refund(ref) {
    const { due, from, refundTxId } = this.#books.receipts.get(ref)
    // Where a payment has several senders, or they are not known, a person decides.
    if (due === '0' || refundTxId !== null || from?.length !== 1) return
    try {
      const { txId } = await this.#head.pay({ id: `refund ${ref}`, to: from[0], amount: BigInt(due) })
      this.#books.addRefund(ref, txId)
    } catch (error) {
      // The shop goes on selling; the next start sends it again, under the same id.
      if (!this.#over.signal.aborted) console.error(`The refund of ${ref} is open: ${error.message}`)
    }
  }
}
