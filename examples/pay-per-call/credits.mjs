import { randomUUID } from 'node:crypto'
import { createPaymentRequest } from 'layer-sdk/client'

/**
 * Tokens that nobody has paid for: their number and their age are bounded, so that strangers cannot fill the memory.
 */
const MAX_UNPAID = 1_000
const UNPAID_MS = 15 * 60_000
/** How long a call waits for a payment that its sender has seen confirmed and this server has not yet. */
const ARRIVAL_MS = 3_000
/** Addresses that one loop of receipts follows. */
const ADDRESSES = 50

/**
 * Credit of the callers. Each token has a request for money with an address of its own: what comes there from others
 * was paid for that token, and is counted once, receipt by receipt.
 */
export class Credits {
  #head
  #addressOf
  #lovelacePerCall
  #paid = new Map()
  #unpaid = new Map()
  #byAddress = new Map()
  #fresh = []
  #nextIndex = 0
  #over = new AbortController()
  #failed = false

  /** `addressOf(index)`: a new address; `lovelacePerCall`: bigint. */
  constructor({ head, addressOf, lovelacePerCall }) {
    this.#head = head
    this.#addressOf = addressOf
    this.#lovelacePerCall = lovelacePerCall
  }

  /** True while the payments that come can be seen. */
  get ready() {
    return this.#head.status().ready && !this.#failed
  }

  /** Ends the loops. */
  close() {
    this.#over.abort()
  }

  /**
   * What a caller has to pay, and where; for a token that it has not paid for yet the same as before. Null when nothing
   * can be offered now.
   */
  offer(token) {
    const known = this.#unpaid.get(token)
    if (known !== undefined) return this.#offerOf(known)
    this.#forgetUnpaid()
    if (!this.ready || this.#unpaid.size >= MAX_UNPAID) return null
    const request = createPaymentRequest({ amount: this.#lovelacePerCall, address: this.#emptyAddress() })
    const account = { token: randomUUID(), request, paid: 0n, used: 0n, madeAt: Date.now(), onPaid: new Set() }
    this.#unpaid.set(account.token, account)
    this.#byAddress.set(request.address, account)
    return this.#offerOf(account)
  }

  /**
   * Takes one call off a token's credit. Resolves with the number of calls that are left, or null when there was none.
   */
  async take(token) {
    const account = this.#paid.get(token) ?? this.#unpaid.get(token)
    if (account === undefined) return null
    if (account.paid === 0n) await this.#payment(account)
    // Read and taken in one step, without an await in between: two calls never take the same credit.
    const left = account.paid / this.#lovelacePerCall - account.used
    if (left < 1n) return null
    account.used++
    return left - 1n
  }

  /** Books what comes to some addresses, from the beginning of the head's history and from then on. */
  async #follow(addresses) {
    try {
      for await (const { to, amount } of this.#head.receipts({ addresses, signal: this.#over.signal })) {
        const account = this.#byAddress.get(to)
        // An earlier run of this server offered that address: its token is gone.
        if (account === undefined) continue
        account.paid += BigInt(amount[0]?.quantity ?? 0)
        if (this.#unpaid.delete(account.token)) this.#paid.set(account.token, account)
        for (const end of account.onPaid) end()
      }
    } catch (error) {
      // Without the loop a payment would not be seen: nothing is offered any more.
      if (!this.#over.signal.aborted) console.error(error)
      this.#failed = true
    }
  }

  /** An earlier run of this server may have been paid at the first ones. */
  #emptyAddress() {
    for (;;) {
      if (this.#fresh.length === 0) {
        this.#fresh = Array.from({ length: ADDRESSES }, () => this.#addressOf(this.#nextIndex++))
        void this.#follow(this.#fresh.slice())
      }
      const address = this.#fresh.shift()
      if ((this.#head.getUtxos({ address }) ?? []).length === 0) return address
    }
  }

  #payment({ onPaid }) {
    return new Promise((resolve) => {
      const timer = setTimeout(end, ARRIVAL_MS)
      onPaid.add(end)
      function end() {
        clearTimeout(timer)
        onPaid.delete(end)
        resolve()
      }
    })
  }

  #forgetUnpaid() {
    const oldest = Date.now() - UNPAID_MS
    for (const account of this.#unpaid.values()) {
      // The oldest come first.
      if (account.madeAt > oldest) break
      this.#unpaid.delete(account.token)
      this.#byAddress.delete(account.request.address)
    }
  }

  #offerOf({ token, request: { address, uri } }) {
    return { token, address, uri, lovelacePerCall: String(this.#lovelacePerCall) }
  }
}
