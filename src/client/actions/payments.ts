import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { JournalAction, JournalEntry, JournalState } from '../../types/journal.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'

/** Arguments of {@link payments}. */
export interface PaymentsArgs {
  /** True lists only those that are neither confirmed nor failed. @default false */
  open?: boolean | undefined
}

/** State of a payment, deposit or withdrawal with an id. */
export interface PaymentRecord {
  /** The id that the caller gave. */
  readonly id: string
  /** The action that was called. */
  readonly action: JournalAction
  /** `open`, `confirmed` or `failed`. */
  readonly state: JournalState
  /**
   * The last step: `new`, `signed`, `confirmed`, `failed`; of a deposit also `submitted`, `recorded`, `activated`,
   * `approved`, `expired`, `recovered`; of a withdrawal also `split`, `submitted`, `approved`.
   */
  readonly step: string
  /**
   * Ids of its transactions, hex, 64 characters each: of each transaction the confirmed attempt, or else the newest
   * one.
   */
  readonly txIds: readonly string[]
  /**
   * Time from which its open transactions can no longer be confirmed, ms since the Unix epoch; null: no bound, or
   * confirmed.
   */
  readonly expiresAt: number | null
  /** Time of the first call, ms since the Unix epoch. */
  readonly createdAt: number
}

const ARGS: OptionNames<PaymentsArgs> = { open: true }

/**
 * Lists payments, deposits and withdrawals that have an id, of earlier processes too, in the order of their first call.
 * Those of a journal are there after `connect()`. Synchronous.
 *
 * @throws {@link InvalidArgumentError}
 * @example
 * ```ts no-run
 * for (const { id, step, txIds } of head.payments({ open: true })) console.log(id, step, txIds)
 * ```
 */
export function payments(head: HeadContext, args: PaymentsArgs = {}): PaymentRecord[] {
  const context = contextParts(head)
  const { open = false } = readOptions(args ?? {}, ARGS, 'args')
  if (typeof open !== 'boolean') throw new InvalidArgumentError('open', 'true or false', open)
  const entries = context.account.records.all()
  return entries.filter(({ state }) => !open || state === 'open').map(recordOf)
}

function recordOf({ id, action, state, step, parts, result, createdAt }: JournalEntry): PaymentRecord {
  const { depositTxId, decommitTxId } = (result ?? {}) as { depositTxId?: string; decommitTxId?: string }
  const ids = parts.flatMap(({ txs, end }) => end?.txId ?? txs.at(-1)?.txId ?? [])
  const done = depositTxId ?? decommitTxId
  const bounds = parts.flatMap(({ txs }) => txs.at(-1)?.expiresAt ?? [])
  return Object.freeze({
    id,
    action,
    state,
    step,
    txIds: Object.freeze(done === undefined || ids.includes(done) ? ids : [...ids, done]),
    expiresAt: bounds.length === 0 ? null : Math.max(...bounds),
    createdAt
  })
}
