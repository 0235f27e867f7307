import { typedErrors } from '../../codec/typedErrors.js'
import type { Amount } from '../../types/utxo.js'
import type { JournalEntry } from '../../types/journal.js'
import type { CostLimits } from '../costs.js'
import { assertPayment } from '../paymentPlan.js'
import type { PaymentsRequest } from './payments.js'

/** Payments as JSON values. */
interface StoredPayments {
  readonly payments: readonly {
    readonly to: string
    /** Lovelace in decimal, or amounts of several units. */
    readonly amount: string | readonly Amount[]
    readonly datum: string | null
  }[]
  /** CBOR hex by label. */
  readonly metadata: Readonly<Record<string, string>> | null
}

/** The payments as JSON values, for a journal. */
export function storedPayments({ outputs, metadata }: PaymentsRequest): StoredPayments {
  return {
    payments: outputs.map(({ to, amount, extras }) => ({
      to,
      amount: typeof amount === 'bigint' ? String(amount) : amount,
      datum: extras.inlineDatum ?? null
    })),
    metadata:
      metadata === undefined
        ? null
        : typedErrors('metadata', () =>
            Object.fromEntries(Object.entries(metadata).map(([label, value]) => [label, value.toCbor()]))
          )
  }
}

/** The payments of an entry. @throws {@link InvalidArgumentError} when they are none */
export function readPayments({ action, args }: JournalEntry, costs: CostLimits): PaymentsRequest {
  const { payments, metadata } = args as StoredPayments
  return typedErrors('journal', () => ({
    action: action as PaymentsRequest['action'],
    outputs: payments.map(({ to, amount, datum }) =>
      assertPayment({
        to,
        amount: typeof amount === 'string' ? BigInt(amount) : amount,
        ...(datum === null ? {} : { datum })
      })
    ),
    metadata:
      metadata === null
        ? undefined
        : Object.fromEntries(Object.entries(metadata).map(([label, cbor]) => [label, { toCbor: () => cbor }])),
    costs
  }))
}
