/** Steps of the life that both heads live, in their order. */
export const LIFE_STEPS = [
  'open',
  'deposit',
  'pay',
  'refused-pay',
  'chain',
  'withdraw',
  'second-withdraw',
  'withdraw-final',
  'late-deposit',
  'close',
  'contest',
  'fanout',
  'recover'
] as const

/** A step of the life. */
export type LifeStep = (typeof LIFE_STEPS)[number]

/** How a step ended. */
export type StepEnd =
  | { readonly outcome: 'done' }
  /** It was tried and failed; `reason` is a code of this package, or one sentence. */
  | { readonly outcome: 'failed'; readonly reason: string }
  | { readonly outcome: 'not tried'; readonly reason: string }

/** A message of a node, parsed: integers beyond 2^53 are bigint. */
export interface TracedMessage {
  readonly step: LifeStep | 'connect'
  readonly tag: string
  readonly message: Readonly<Record<string, unknown>>
}

/** An answer of a route. */
export interface TracedAnswer {
  readonly step: LifeStep | 'connect'
  /** Method and path, an id in it as `{id}`. */
  readonly route: string
  readonly status: number
  /** Parsed body; null where it is not JSON. */
  readonly body: unknown
  /** When the request left, ms since the Unix epoch. */
  readonly sentAt: number
}

/** A life as a node lived it. */
export interface LifeTrace {
  readonly nodeVersion: string | null
  readonly steps: ReadonlyMap<LifeStep, StepEnd>
  readonly messages: readonly TracedMessage[]
  readonly answers: readonly TracedAnswer[]
  /** Whether all parties signed each snapshot, and by which rule: `2.4`, or the reason why not. */
  readonly signed: readonly {
    readonly step: LifeStep | 'connect'
    readonly verdict: string
    readonly at: TracedMessage
  }[]
}

/** A finding of one life: what it is about, and how it came out. */
export interface LifeFact {
  readonly step: LifeStep | 'connect'
  readonly name: string
  readonly value: string
  readonly at: TracedMessage | null
}

/** Returns a message or body as an object; null for any other value. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null
}
