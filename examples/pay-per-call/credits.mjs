import { randomUUID } from 'node:crypto'

/**
 * Tokens that nobody has paid for: their number and their age are bounded, so that strangers cannot fill the memory.
 */
const MAX_UNPAID = 1_000
const UNPAID_MS = 15 * 60_000
/** How long a call waits for a payment that its sender has seen confirmed and this server has not yet. */
const ARRIVAL_MS = 3_000

/**
 * Who may call how often. Each token has an address of its own: what a snapshot holds there was paid for that token,
 * and by its owner alone.
 */
export class Credits {
  #head
  #addressOf
  #lovelacePerCall
  #paid = new Map()
  #unpaid = new Map()
  #nextIndex = 0

  /** `addressOf(index)`: a new address; `lovelacePerCall`: bigint. */
  constructor({ head, addressOf, lovelacePerCall }) {
    this.#head = head
    this.#addressOf = addressOf
    this.#lovelacePerCall = lovelacePerCall
  }

  /** Whether the head's balances can be read now. */
  get ready() {
    return this.#head.status().ready
  }

  /**
   * What a caller has to pay, and where; for a token that it has not paid for yet the same as before. Null when nothing
   * can be offered now.
   */
  offer(token) {
    const known = this.#unpaid.get(token)
    if (known !== undefined) return this.#offerOf(known)
    // Its credit is used up.
    this.#paid.delete(token)
    this.#forgetUnpaid()
    if (!this.ready || this.#unpaid.size >= MAX_UNPAID) return null
    const account = { token: randomUUID(), address: this.#emptyAddress(), paid: 0n, used: 0n, madeAt: Date.now() }
    this.#unpaid.set(account.token, account)
    return this.#offerOf(account)
  }

  /**
   * Takes one call off a token's credit. Resolves with the number of calls that are left, or null when there was none.
   */
  async take(token) {
    const account = this.#paid.get(token) ?? this.#unpaid.get(token)
    if (account === undefined) return null
    if (this.#callsLeft(account) < 1n && account.paid === 0n) await this.#payment(account)
    // Read and taken in one step, without an await in between: two calls never take the same credit.
    const left = this.#callsLeft(account)
    if (left < 1n) return null
    account.used++
    return left - 1n
  }

  #callsLeft(account) {
    this.#readPayment(account)
    return account.paid / this.#lovelacePerCall - account.used
  }

  /** Confirmed money alone counts. What was paid once stays paid when the owner of the addresses spends it. */
  #readPayment(account) {
    const paid = this.#confirmed(account.address)
    if (paid > account.paid) account.paid = paid
    if (account.paid > 0n && this.#unpaid.delete(account.token)) this.#paid.set(account.token, account)
  }

  /** An earlier run of this server may have been paid at the first ones. */
  #emptyAddress() {
    for (;;) {
      const address = this.#addressOf(this.#nextIndex++)
      if (this.#confirmed(address) === 0n) return address
    }
  }

  #confirmed(address) {
    return this.#head.getBalance({ address })?.confirmed.lovelace ?? 0n
  }

  #payment({ address }) {
    return new Promise((resolve) => {
      const timer = setTimeout(end, ARRIVAL_MS)
      const stop = this.#head.watchBalance({
        address,
        onChange: (balance) => {
          // It is called at once too, before there is a `stop`.
          if (balance !== null && balance.confirmed.lovelace > 0n) queueMicrotask(end)
        }
      })
      function end() {
        clearTimeout(timer)
        stop()
        resolve()
      }
    })
  }

  #forgetUnpaid() {
    const oldest = Date.now() - UNPAID_MS
    for (const account of this.#unpaid.values()) {
      // The oldest come first.
      if (account.madeAt > oldest) break
      this.#readPayment(account)
      this.#unpaid.delete(account.token)
    }
  }

  #offerOf({ token, address }) {
    return { token, address, lovelacePerCall: String(this.#lovelacePerCall) }
  }
}
