import { LedgerError } from '../errors/client.js'
import type { LedgerReason } from '../errors/client.js'
import { scriptFailure, withoutScriptBytes } from './scriptFailure.js'

interface Pattern {
  readonly reason: LedgerReason
  readonly test: RegExp
  /** One sentence for people. */
  readonly summary: string
  /** Patterns of figures by their public names; the first group is the figure. */
  readonly figures?: Readonly<Record<string, RegExp>>
}

// `Mismatch {mismatchSupplied = Coin 1, mismatchExpected = Coin 2}`; newer ledgers print
// `Mismatch (RelGTEQ) {supplied: Coin 1, expected: Coin 2}`.
const SUPPLIED = /supplied ?[=:] ?\(?(?:MaryValue \(?)?(?:Coin )?(\d+)/i
const EXPECTED = /expected ?[=:] ?\(?(?:MaryValue \(?)?(?:Coin )?(\d+)/i

const SCRIPT_FAILED: Pattern = {
  reason: 'script-failed',
  test: /Plutus validation failed|ScriptWitnessNotValidatingUTXOW|ValidationTagMismatch|PlutusFailure/,
  summary: 'A script refused the transaction.'
}

/**
 * True for the text of a failed script. Only its beginning decides, because the traces of a script may contain any
 * words.
 */
const isScriptFailure = (text: string): boolean => /^[^"]{0,200}Plutus validation failed/.test(text)

// Names of the failures: cardano-ledger, Conway rules MEMPOOL, LEDGER, UTXOW, UTXO, UTXOS.
const PATTERNS: readonly Pattern[] = [
  {
    reason: 'inputs-spent',
    test: /BadInputsUTxO|All inputs are spent|AllInputsAreSpent/,
    summary: 'An input is spent already, or was never there.'
  },
  {
    reason: 'output-below-minimum',
    test: /OutputTooSmallUTxO/,
    summary: 'An output holds less lovelace than the ledger demands for its size.',
    figures: { actual: /MaryValue \(Coin (\d+)\)/, minimum: /,Coin (\d+)\)/ }
  },
  {
    reason: 'missing-signature',
    test: /MissingVKeyWitnessesUTXOW|InvalidWitnessesUTXOW|MissingRequiredSigners/,
    summary: 'A signature is missing or wrong.'
  },
  {
    reason: 'fee-too-small',
    test: /FeeTooSmallUTxO/,
    summary: 'The fee is smaller than the ledger demands.',
    figures: { actual: SUPPLIED, minimum: EXPECTED }
  },
  {
    reason: 'outside-validity',
    test: /OutsideValidityIntervalUTxO|OutsideForecast/,
    summary: 'The transaction is not valid at this time.',
    figures: {
      currentSlot: /\(SlotNo (\d+)\)\W*$/,
      validUntil: /invalidHereafter = SJust \(SlotNo (\d+)\)/,
      validFrom: /invalidBefore = SJust \(SlotNo (\d+)\)/
    }
  },
  SCRIPT_FAILED,
  {
    reason: 'too-large',
    test: /MaxTxSizeUTxO|OutputTooBigUTxO|ExUnitsTooBigUTxO|RefScriptsSizeTooBig/,
    summary: 'The transaction or one of its outputs is too large.',
    figures: { actual: SUPPLIED, maximum: EXPECTED }
  },
  {
    reason: 'value-not-conserved',
    test: /ValueNotConservedUTxO/,
    summary: 'Inputs and outputs of the transaction do not add up.',
    figures: { consumed: SUPPLIED, produced: EXPECTED }
  }
]

/**
 * Characters of a node's text that are searched for a failed script: a script has at most 16 KiB, as base64, beside its
 * traces.
 */
const MAX_SCRIPT_TEXT = 100_000

/** Characters of a node's text that are searched, at its beginning and its end: it can be as large as a head. */
const READ_CHARACTERS = 20_000

/**
 * Decodes the text with which the ledger refused a transaction into an error for people and programs. The text changes
 * with ledger versions: use it to explain a refusal, not to decide on one.
 *
 * @param txId - id of the transaction that was refused, or that builds on it: hex, 64 characters.
 * @param nodeText - the node's own words.
 * @param ancestorTxId - the refused transaction, when that is not `txId` itself but one that `txId` builds on.
 * @example
 * ```ts
 * import { decodeLedgerError } from 'layer-sdk/client'
 *
 * const error = decodeLedgerError('ab'.repeat(32), 'FeeTooSmallUTxO (Mismatch {mismatchSupplied = Coin 1, mismatchExpected = Coin 170000})')
 * console.log(error.reason, error.figures.minimum) // fee-too-small 170000n
 * ```
 */
export function decodeLedgerError(txId: string, nodeText: string, ancestorTxId?: string): LedgerError {
  const text =
    nodeText.length <= READ_CHARACTERS
      ? nodeText
      : nodeText.slice(0, READ_CHARACTERS / 2) + nodeText.slice(-READ_CHARACTERS / 2)
  const pattern = isScriptFailure(text) ? SCRIPT_FAILED : PATTERNS.find(({ test }) => test.test(text))
  const figures: Record<string, bigint> = {}
  for (const [name, find] of Object.entries(pattern?.figures ?? {})) {
    const digits = find.exec(text)?.[1]
    if (digits !== undefined && digits.length <= 30) figures[name] = BigInt(digits)
  }
  return new LedgerError({
    txId,
    ancestorTxId,
    nodeText,
    figures,
    reason: pattern?.reason ?? 'other',
    script: pattern === SCRIPT_FAILED ? scriptFailure(nodeText.slice(0, MAX_SCRIPT_TEXT)) : undefined,
    shownText: withoutScriptBytes(nodeText.slice(0, MAX_SCRIPT_TEXT)),
    summary: pattern?.summary ?? 'The transaction was refused.'
  })
}

/**
 * Returns the error of a transaction that can never be confirmed: the head's state shows that another one has spent one
 * of its inputs.
 */
export function inputsSpentError(txId: string): LedgerError {
  return new LedgerError({
    txId,
    nodeText: '',
    figures: {},
    reason: 'inputs-spent',
    summary: 'Another transaction has spent an input.'
  })
}
