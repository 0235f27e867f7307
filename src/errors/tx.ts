import { adaText } from './adaText.js'
import { LayerSdkError } from './base.js'

/** The available inputs do not cover the outputs, the fee and the change. Add the amounts in `missing`, or pay less. */
export class InsufficientFundsError extends LayerSdkError<'TX_INSUFFICIENT_FUNDS'> {
  override readonly name = 'InsufficientFundsError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** Missing amounts, by unit, in decimal; empty when no amount is paid and there is no input. */
  readonly missing: Readonly<Record<string, string>>

  /** `available`: total of the spendable inputs; `inputs`: their number; `unspendable`: number of the other inputs. */
  constructor(
    missing: ReadonlyMap<string, bigint>,
    details: {
      purpose: string
      available: ReadonlyMap<string, bigint>
      inputs: number
      unspendable: number
      summary?: string
    }
  ) {
    const { purpose, available, inputs, unspendable, summary } = details
    const needed = new Map([...missing].map(([unit, amount]) => [unit, amount + (available.get(unit) ?? 0n)]))
    const held = new Map([...missing].map(([unit]) => [unit, available.get(unit) ?? 0n]))
    const aside =
      unspendable === 0
        ? []
        : [`${unspendable} inputs at Byron or script addresses were left aside: a key cannot spend them`]
    super(
      'TX_INSUFFICIENT_FUNDS',
      summary ?? (inputs === 0 ? `There are no inputs to pay ${purpose} from.` : `The inputs do not cover ${purpose}.`),
      {
        expected:
          missing.size === 0
            ? 'outputs to spend, through addInputs or spend'
            : `inputs that hold ${amountsText(needed)}`,
        got:
          inputs === 0
            ? 'no inputs'
            : `${inputs} ${inputs === 1 ? 'input that holds' : 'inputs that hold'} ${amountsText(held)}`,
        details: [...(missing.size === 0 ? [] : [`Missing: ${amountsText(missing)}`]), ...aside]
      }
    )
    this.missing = Object.fromEntries([...missing].map(([unit, amount]) => [unit, String(amount)]))
  }
}

/** Maximum number of units in a message. */
const SHOWN_UNITS = 5

function amountsText(value: ReadonlyMap<string, bigint>): string {
  const amounts = [...value]
    .slice(0, SHOWN_UNITS)
    .map(([unit, amount]) => `${amount} ${unit}${unit === 'lovelace' ? ` (${adaText(amount)} ada)` : ''}`)
  return [...amounts, ...(value.size > SHOWN_UNITS ? [`${value.size - SHOWN_UNITS} further units`] : [])].join(', ')
}

/** An output has less lovelace than the ledger requires for its size. Give it at least `minimum`. */
export class OutputBelowMinimumError extends LayerSdkError<'TX_OUTPUT_BELOW_MINIMUM'> {
  override readonly name = 'OutputBelowMinimumError'
  /** Position among the outputs, from 0. */
  readonly index: number
  /** Least lovelace that the output must hold, in decimal. */
  readonly minimum: string

  constructor(index: number, lovelace: bigint, minimum: bigint) {
    super('TX_OUTPUT_BELOW_MINIMUM', `Output ${index} holds too little lovelace.`, {
      expected: `at least ${minimum} lovelace (${adaText(minimum)} ada)`,
      got: `${lovelace} (${adaText(lovelace)} ada)`
    })
    this.index = index
    this.minimum = String(minimum)
  }
}

/**
 * The transaction, or the value of one of its outputs, is larger than the protocol parameters allow. Use fewer inputs
 * and outputs, or smaller tokens and data.
 */
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

/**
 * An input cannot be spent, because it is at a Byron address, or at a script address whose script was not attached.
 * Leave it out, or attach its script and redeemer.
 */
export class UnspendableInputError extends LayerSdkError<'TX_UNSPENDABLE_INPUT'> {
  override readonly name = 'UnspendableInputError'
  /** `txHash#index`. */
  readonly input: string

  constructor(input: string, address: string) {
    super('TX_UNSPENDABLE_INPUT', `Input ${input} cannot be spent.`, {
      expected: 'an address with a payment key, or of an attached native script',
      got: address
    })
    this.input = input
  }
}
