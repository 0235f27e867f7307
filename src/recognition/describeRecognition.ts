import type { Amount, Hex } from '../types/utxo.js'
import { REASON_TEXTS } from './reasonTexts.js'
import type { HeadAmounts, Recognition, RecognisedDeposit, RecognisedSnapshot } from './types.js'

/** Weight of a card: `ok`: money that is proven; `info`: the user has to wait; `warn`: a problem; `plain`: no money. */
export type RecognitionTone = 'ok' | 'info' | 'warn' | 'plain'

/** A sum of a card. Never add it to a balance of the base ledger. */
export interface RecognitionSum {
  /** Sum that it is: `closing` is the amount that the head pays out, `last-verified` is of an earlier snapshot. */
  readonly part: 'available' | 'arriving' | 'leaving' | 'closing' | 'last-verified'
  /** Name of the sum, as text for people. */
  readonly label: string
  /** Amounts; empty where there are none. */
  readonly amount: readonly Amount[]
}

/** A moment that a card counts down to. */
export interface RecognitionMoment {
  /** Event that happens at that time, as text for people. */
  readonly label: string
  /** ms since the Unix epoch. */
  readonly atMs: number
}

/** A deposit on a card. */
export interface RecognitionDepositLine {
  /** Transaction that made the deposit: hex, 64 characters. */
  readonly depositTxId: Hex
  /** State of the deposit, as text for people. */
  readonly label: string
  /** Amounts at the wallet's addresses. */
  readonly amount: readonly Amount[]
  /** True: the wallet can offer to recover the deposit (`head.recover`). */
  readonly isRecoverable: boolean
  /** Next change of the state of the deposit; null once it is recoverable. */
  readonly next: RecognitionMoment | null
}

/** A recognised head as a wallet shows it: texts and amounts, without markup. */
export interface RecognitionCard {
  /** Hex, 56 characters. */
  readonly headId: Hex
  /** Weight of the card, for a colour beside the words. */
  readonly tone: RecognitionTone
  /** State of the head, as text for people. */
  readonly title: string
  /** Sentences that have to stand beside the amounts. */
  readonly flags: readonly string[]
  /** Detail of the first flag; null where there is none. */
  readonly detail: string | null
  /** Snapshot of the amounts, e.g. `as of snapshot 4 (version 1)`; null where there are no amounts of a snapshot. */
  readonly asOf: string | null
  /** Sums in the head; those that are empty are left out, except the first. */
  readonly sums: readonly RecognitionSum[]
  /** Deposits on the base ledger, outside of `sums`. */
  readonly deposits: readonly RecognitionDepositLine[]
  /** Sentence about deposits that are not listed one by one; null where there are none. */
  readonly folded: string | null
  /** End of the contestation period, while it lasts. */
  readonly closing: RecognitionMoment | null
}

const TITLES: Readonly<Record<Recognition['state'], readonly [RecognitionTone, string]>> = {
  VERIFIED_IN_HEAD: ['ok', 'Verified in the head'],
  UNVERIFIABLE: ['warn', 'Not verified'],
  HEAD_CLOSING: ['info', 'The head is closing'],
  NO_HEAD: ['plain', 'No head: never opened, or all is paid out'],
  UNRECOGNISED: ['warn', 'A head that this wallet does not know']
}
const DEPOSIT_LABELS: Readonly<Record<NonNullable<RecognisedDeposit['phase']>, readonly [string, string]>> = {
  waiting: ['Deposit waits for the head', 'The head can claim it'],
  claimable: ['Deposit can enter the head', 'The head stops claiming it'],
  expired: ['Deposit is not claimed any more', 'It can be recovered'],
  recoverable: ['Deposit can be recovered', '']
}

/**
 * Returns the texts and amounts that a wallet shows for a recognised head, for any user interface. Money in the head,
 * deposits on the base ledger and amounts of an earlier snapshot are kept apart. A head that cannot be verified is
 * flagged with its reason, and never hidden.
 *
 * @example
 * ```ts
 * import { describeRecognition, recognise } from 'layer-sdk/recognition'
 * const found = await recognise({
 *   headId: 'd276058a22ad180bc94bfc89d85d6c02c5e5a110dd5ddcd759f213b1',
 *   addresses: [],
 *   headOutputs: [],
 *   answers: [],
 *   asOf: { slot: 132502300, timeMs: 1788185500000 }
 * })
 * console.log(describeRecognition(found).title) // No head: never opened, or all is paid out
 * ```
 */
export function describeRecognition(found: Recognition): RecognitionCard {
  const { headId, state, closing, foldedDeposits: folded } = found
  const [tone, title] = TITLES[state]
  const shown = found.snapshot ?? found.lastVerified?.snapshot ?? null
  return {
    headId,
    tone,
    title: closing === null ? title : `${title}: ${CLOSING_TITLES[closing.phase]}`,
    flags: flagsOf(found),
    detail: found.detail,
    asOf: shown === null ? null : asOfText(shown),
    sums: sumsOf(found),
    // One that is arriving stands in the head's sums already.
    deposits: found.deposits.filter(({ inSnapshot }) => !inSnapshot).map(depositLine),
    folded: folded === null ? null : `${folded.count} small or further deposits are not listed.`,
    closing:
      closing?.phase === 'contestable' ? { label: 'The contestation period ends', atMs: closing.deadlineMs } : null
  }
}

const CLOSING_TITLES = {
  contestable: 'it can still be contested',
  payable: 'it can be paid out',
  'paying-out': 'a part is paid out'
} as const

function asOfText({ number, version }: RecognisedSnapshot): string {
  return `as of snapshot ${number} (version ${version})`
}

function flagsOf({ state, reason, inHead, joined, lastVerified, evidence }: Recognition): string[] {
  const isStrange = !joined && evidence.anchor?.script === 'unknown'
  return [
    ...(reason === null ? [] : [REASON_TEXTS[reason]]),
    ...(state === 'HEAD_CLOSING' && inHead === null && lastVerified === null
      ? ['No snapshot of it could be verified.']
      : []),
    ...(state === 'HEAD_CLOSING' ? ['Its money cannot be spent until it is paid out.'] : []),
    ...(joined ? [] : ['You did not join this head.']),
    ...(isStrange ? ['Its script is unknown: its outputs are listed and not summed.'] : []),
    ...((inHead?.mintedInside.length ?? 0) > 0 ? ['Tokens that exist in this head alone are not summed.'] : [])
  ]
}

const isSome = ({ amount }: RecognitionSum): boolean => amount.length > 0

function sumsOf({ state, inHead, lastVerified }: Recognition): RecognitionSum[] {
  if (inHead !== null && state === 'HEAD_CLOSING')
    return [{ part: 'closing', label: 'The head pays out', amount: allOf(inHead) }]
  if (inHead !== null) {
    const [available, ...moving]: RecognitionSum[] = [
      { part: 'available', label: 'In the head', amount: inHead.available },
      { part: 'arriving', label: 'Arriving in the head', amount: inHead.arriving },
      { part: 'leaving', label: 'Leaving the head', amount: inHead.leaving }
    ]
    return [available!, ...moving.filter(isSome)]
  }
  if (lastVerified === null) return []
  // Its arriving money is a deposit still: the base ledger says so, or it is in the head unseen.
  const last = lastVerified.inHead
  const leaving: RecognitionSum = { part: 'last-verified', label: 'Last verified as leaving', amount: last.leaving }
  return [
    { part: 'last-verified', label: 'Last verified in the head', amount: last.available },
    ...[leaving].filter(isSome)
  ]
}

/** Adds up the amounts that a closed head pays out; a deposit that was not claimed is not among them. */
function allOf({ available, leaving }: HeadAmounts): Amount[] {
  const sum = new Map<string, bigint>()
  for (const { unit, quantity } of [...available, ...leaving]) sum.set(unit, (sum.get(unit) ?? 0n) + BigInt(quantity))
  return [...sum].map(([unit, quantity]) => ({ unit, quantity: String(quantity) }))
}

function depositLine({ depositTxId, amount, state, phase, nextMs }: RecognisedDeposit): RecognitionDepositLine {
  const [label, event] = phase === null ? ['Deposit on its way', 'It can be recovered'] : DEPOSIT_LABELS[phase]
  const next = nextMs === null ? null : { label: event, atMs: nextMs }
  return { depositTxId, label, amount, isRecoverable: state === 'RECOVERABLE', next }
}
