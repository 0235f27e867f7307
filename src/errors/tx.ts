import { LayerSdkError } from './base.js'

/** The inputs at hand do not pay for the outputs, the fee and the change. */
export class InsufficientFundsError extends LayerSdkError<'TX_INSUFFICIENT_FUNDS'> {
  override readonly name = 'InsufficientFundsError'
  /** What is missing, by unit, in decimal. */
  readonly missing: Readonly<Record<string, string>>

  constructor(missing: ReadonlyMap<string, bigint>, facts: { purpose: string; unspendable: number }) {
    const amounts = [...missing].map(([unit, amount]) => `${amount} ${unit}`)
    super('TX_INSUFFICIENT_FUNDS', `The inputs do not cover ${facts.purpose}.`, {
      expected: `${amounts.join(', ')} more`,
      got: 'no further input that holds any',
      details: facts.unspendable === 0 ? [] : [`${facts.unspendable} inputs at Byron or script addresses were left aside: a key cannot spend them`]
    })
    this.missing = Object.fromEntries([...missing].map(([unit, amount]) => [unit, String(amount)]))
  }
}

/** An output holds less lovelace than the ledger demands for its size. */
export class OutputBelowMinimumError extends LayerSdkError<'TX_OUTPUT_BELOW_MINIMUM'> {
  override readonly name = 'OutputBelowMinimumError'
  /** Position among the outputs, from 0. */
  readonly index: number
  /** Lovelace, in decimal. */
  readonly minimum: string

  constructor(index: number, lovelace: bigint, minimum: bigint) {
    super('TX_OUTPUT_BELOW_MINIMUM', `Output ${index} holds too little lovelace.`, { expected: `at least ${minimum} lovelace`, got: `${lovelace}` })
    this.index = index
    this.minimum = String(minimum)
  }
}

/** The transaction, or the value of one of its outputs, is larger than the protocol parameters allow. */
export class TransactionTooLargeError extends LayerSdkError<'TX_TOO_LARGE'> {
  override readonly name = 'TransactionTooLargeError'
  /** Size, bytes. */
  readonly sizeBytes: number
  /** Limit, bytes. */
  readonly limitBytes: number

  constructor(what: string, sizeBytes: number, limitBytes: number) {
    super('TX_TOO_LARGE', `${what} is too large.`, { expected: `at most ${limitBytes} bytes`, got: `${sizeBytes}` })
    this.sizeBytes = sizeBytes
    this.limitBytes = limitBytes
  }
}

/** An input cannot be spent with a key: it is at a Byron address, or at a script address whose script was not attached. */
export class UnspendableInputError extends LayerSdkError<'TX_UNSPENDABLE_INPUT'> {
  override readonly name = 'UnspendableInputError'
  /** `txHash#index`. */
  readonly input: string

  constructor(input: string, address: string) {
    super('TX_UNSPENDABLE_INPUT', `Input ${input} cannot be spent.`, { expected: 'an address with a payment key, or of an attached native script', got: address })
    this.input = input
  }
}
