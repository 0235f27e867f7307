import { createElement, Fragment, useEffect, useId, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type {
  Amount,
  describeRecognition,
  Recognition,
  RecognitionCard,
  RecognitionMoment,
  WatchRecognitionOptions
} from '../recognition/index.js'
import { useRecognition } from './useRecognition.js'

/** Arguments of {@link RecognitionCards}. */
export interface RecognitionCardsProps {
  /** Each head with its own provider and endpoints; a head is shown once. */
  heads: readonly WatchRecognitionOptions[]
  /** Shows an amount. @default ada for lovelace, else the quantity and the unit */
  formatAmount?: ((amount: Amount) => ReactNode) | undefined
  /** Shows a time, ms since the Unix epoch. @default its date and time of day in the user's language */
  formatTime?: ((timeMs: number) => ReactNode) | undefined
  /** Renders an element below each recoverable deposit, such as a button that calls `head.recover`. @default nothing */
  renderRecoverable?: ((deposit: RecoverableDeposit) => ReactNode) | undefined
}

/** Deposit whose owner can recover it. */
export interface RecoverableDeposit {
  /** Id of the head that it was made for: hex, 56 characters. */
  readonly headId: string
  /** Id of its transaction: hex, 64 characters. */
  readonly depositTxId: string
}

interface Formats extends Pick<RecognitionCardsProps, 'renderRecoverable'> {
  readonly formatAmount: (amount: Amount) => ReactNode
  readonly formatTime: (timeMs: number) => ReactNode
}

const SECOND_MS = 1_000
const LOVELACE_DIGITS = 6

/**
 * Shows a wallet's money in heads: one card per head, apart from the balance on the base ledger, each with the snapshot
 * that its amounts are from. A head that cannot be verified stays visible with its reason. It draws plain elements with
 * class names and `data-` attributes, no styles, and no control that spends. It needs no `HeadProvider`.
 *
 * @example
 * ```tsx no-run
 * import { SLOT_CONFIG } from 'layer-sdk'
 * import { KupoProvider } from 'layer-sdk/providers'
 * import { RecognitionCards } from 'layer-sdk/react'
 *
 * const provider = new KupoProvider({ baseUrl: 'http://localhost:1442', network: 'preprod' })
 * const HeadMoney = ({ headId, address }: { headId: string; address: string }) => (
 *   <RecognitionCards
 *     heads={[
 *       {
 *         headId,
 *         provider,
 *         endpoints: ['https://head.example'],
 *         addresses: [address],
 *         slotConfig: SLOT_CONFIG.PREPROD
 *       }
 *     ]}
 *   />
 * )
 * ```
 */
export function RecognitionCards({ heads, ...given }: RecognitionCardsProps): ReactElement {
  const formats = {
    formatAmount: given.formatAmount ?? showAmount,
    formatTime: given.formatTime ?? showTime,
    renderRecoverable: given.renderRecoverable
  }
  const each = new Map(heads.map((head) => [head.headId, head]))
  return createElement(
    'div',
    { className: 'recognition-cards' },
    [...each.values()].map((options) => createElement(HeadCard, { key: options.headId, options, formats }))
  )
}

function HeadCard({
  options,
  formats
}: {
  readonly options: WatchRecognitionOptions
  readonly formats: Formats
}): ReactElement {
  const { data, status } = useRecognition(options)
  const describe = useDescription()
  const heading = useId()
  const card = data === null || describe === null ? null : describe(data)
  const head = (title: string): ReactElement =>
    createElement(
      Fragment,
      null,
      createElement('h3', { id: heading, className: 'recognition-title' }, title),
      createElement('code', { className: 'recognition-head-id' }, options.headId)
    )
  return createElement(
    'article',
    {
      className: 'recognition-card',
      'aria-labelledby': heading,
      'aria-busy': card === null && status !== 'error',
      'data-state': data?.state,
      'data-tone': card?.tone,
      'data-reason': data?.reason ?? undefined
    },
    head(card?.title ?? (status === 'error' ? 'Not known' : 'Reading the base ledger')),
    status === 'error' &&
      line('flag', `The base ledger cannot be read${card === null ? '' : ': this is the last answer'}.`),
    card !== null && createElement(CardBody, { card, found: data!, formats })
  )
}

/** The function that describes an answer; null until it is loaded, with the recognition itself. */
function useDescription(): typeof describeRecognition | null {
  const [describe, setDescribe] = useState<{ readonly call: typeof describeRecognition } | null>(null)
  useEffect(() => {
    let isEnded = false
    import('../recognition/describeRecognition.js').then(
      ({ describeRecognition: call }) => {
        if (!isEnded) setDescribe({ call })
      },
      // The recognition itself could not be loaded either, and says so.
      () => undefined
    )
    return () => {
      isEnded = true
    }
  }, [])
  return describe?.call ?? null
}

function CardBody({
  card,
  found,
  formats
}: {
  readonly card: RecognitionCard
  readonly found: Recognition
  readonly formats: Formats
}): ReactElement {
  const { flags, detail, sums, asOf, closing, deposits, folded } = card
  const moments = [closing, ...deposits.map(({ next }) => next)].filter((each) => each !== null)
  const nowMs = useChainTime(found, moments.length > 0)
  const amounts = (amount: readonly Amount[]): ReactNode =>
    amount.length === 0
      ? 'nothing'
      : amount.map((each, i) =>
          createElement('span', { key: i, className: 'recognition-amount' }, formats.formatAmount(each))
        )
  const moment = (next: RecognitionMoment): ReactElement => showMoment(next, nowMs, formats)
  return createElement(
    Fragment,
    null,
    flags.map((flag) => createElement('p', { key: flag, className: 'recognition-flag' }, flag)),
    detail !== null && line('detail', detail),
    sums.length > 0 &&
      createElement(
        'dl',
        { className: 'recognition-sums' },
        sums.map(({ part, label, amount }) =>
          createElement(
            'div',
            { key: label, 'data-part': part },
            createElement('dt', null, label),
            createElement('dd', null, amounts(amount))
          )
        )
      ),
    asOf !== null && line('as-of', asOf),
    closing !== null && createElement('p', { className: 'recognition-closing' }, moment(closing)),
    deposits.length > 0 &&
      createElement(
        'ul',
        { className: 'recognition-deposits' },
        deposits.map(({ depositTxId, label, amount, next, isRecoverable }) =>
          createElement(
            'li',
            { key: depositTxId, 'data-recoverable': isRecoverable },
            `${label}: `,
            amounts(amount),
            next !== null && createElement('span', { className: 'recognition-next' }, moment(next)),
            isRecoverable && formats.renderRecoverable?.({ headId: card.headId, depositTxId })
          )
        )
      ),
    folded !== null && line('folded', folded)
  )
}

function line(name: string, text: string): ReactElement {
  return createElement('p', { className: `recognition-${name}` }, text)
}

function showMoment({ label, atMs }: RecognitionMoment, nowMs: number, { formatTime }: Formats): ReactElement {
  const left = Math.max(0, Math.ceil((atMs - nowMs) / SECOND_MS))
  return createElement(
    Fragment,
    null,
    `${label}: `,
    createElement('time', { dateTime: new Date(atMs).toISOString() }, formatTime(atMs)),
    ` (in ${showSpan(left)})`
  )
}

/** Returns the chain source's time, advanced by the clock of this device. */
function useChainTime({ asOf }: Recognition, isShown: boolean): number {
  const [offsetMs, setOffset] = useState<number | null>(null)
  const [, tick] = useState(0)
  useEffect(() => setOffset(asOf.timeMs - Date.now()), [asOf])
  useEffect(() => {
    if (!isShown) return undefined
    const timer = setInterval(() => tick((count) => count + 1), SECOND_MS)
    return () => clearInterval(timer)
  }, [isShown])
  return offsetMs === null ? asOf.timeMs : Date.now() + offsetMs
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's']
] as const

/** Formats seconds in their two largest units. */
function showSpan(seconds: number): string {
  const first = UNITS.findIndex(([size]) => seconds >= size)
  if (first < 0) return '0 s'
  const [[size, unit], smaller] = [UNITS[first]!, UNITS[first + 1]]
  const rest = smaller === undefined ? 0 : Math.floor((seconds % size) / smaller[0])
  return `${Math.floor(seconds / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${smaller![1]}`}`
}

function showTime(timeMs: number): string {
  return new Date(timeMs).toLocaleString()
}

function showAmount({ unit, quantity }: Amount): string {
  if (unit !== 'lovelace') return `${quantity} ${unit}`
  const digits = quantity.padStart(LOVELACE_DIGITS + 1, '0')
  const fraction = digits.slice(-LOVELACE_DIGITS).replace(/0+$/, '')
  return `${digits.slice(0, -LOVELACE_DIGITS)}${fraction === '' ? '' : `.${fraction}`} ada`
}
