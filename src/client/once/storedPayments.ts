import { typedErrors } from '../../codec/typedErrors.js'
import type { Blueprint } from '../../tx/inner.js'
import type { Amount, UTxO } from '../../types/utxo.js'
import type { JournalEntry } from '../../types/journal.js'
import type { ClientContext } from '../ClientContext.js'
import type { CostLimits } from '../costs.js'
import { assertPayment } from '../paymentPlan.js'
import type { WantedDeposit } from './makeDeposit.js'
import type { WantedWithdrawal } from './makeWithdrawal.js'
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

/** Converts payments to JSON values, for a journal. */
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

/** Reads the payments of an entry. @throws {@link InvalidArgumentError} when its arguments are not payments */
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

type StoredAmount = string | readonly Amount[] | null

const amountOf = (stored: StoredAmount): bigint | readonly Amount[] | undefined =>
  typeof stored === 'string' ? BigInt(stored) : (stored ?? undefined)

/** Reads the deposit of an entry. @throws {@link InvalidArgumentError} when its arguments are not a deposit */
export function readDeposit({ args }: JournalEntry): WantedDeposit {
  return typedErrors('journal', () => {
    const { amount, utxos, blueprint, to, datum, changeAddress, maxLock, depositScript, endpointHint } = args as {
      amount: StoredAmount
      utxos: readonly UTxO[] | null
      blueprint: Blueprint | null
      to: string | null
      datum: string | null
      changeAddress: string | null
      maxLock: number | null
      depositScript: string | null
      /** Absent in entries of earlier releases. */
      endpointHint?: { readonly label: string; readonly endpoints: readonly string[] }
    }
    return {
      amount: amountOf(amount),
      utxos: utxos ?? undefined,
      blueprint: blueprint ?? undefined,
      to: to ?? undefined,
      datum: datum ?? undefined,
      changeAddress: changeAddress ?? undefined,
      maxLock: maxLock ?? undefined,
      depositScript: depositScript ?? undefined,
      ...(endpointHint === undefined
        ? {}
        : { endpointHint: { label: BigInt(endpointHint.label), endpoints: endpointHint.endpoints } })
    }
  })
}

/** Reads the withdrawal of an entry. @throws {@link InvalidArgumentError} when its arguments are not a withdrawal */
export function readWithdrawal({ settings }: ClientContext, { args }: JournalEntry): WantedWithdrawal {
  return typedErrors('journal', () => {
    const { amount, all, to, force } = args as {
      amount: StoredAmount
      all: boolean
      to: string | null
      force: boolean
    }
    // Whole outputs stand in the decommit, which was signed before the entry was first written.
    const base = { utxos: undefined, costs: settings.costs, onBeforeSend: undefined }
    return { ...base, amount: amountOf(amount), all, force, receiver: to ?? undefined }
  })
}
