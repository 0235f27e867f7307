/** Steps of a life, the conformance scenario that is run on a local head and on a node, in their order. */
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

/** A node's answer to an HTTP request. */
export interface TracedAnswer {
  readonly step: LifeStep | 'connect'
  /** Method and path, an id in it as `{id}`. */
  readonly route: string
  readonly status: number
  /** Parsed body; null where it is not JSON. */
  readonly body: unknown
  /** Time at which the request was sent, ms since the Unix epoch. */
  readonly sentAt: number
}

/** The record of a life on one head: the end of each step, and the node's messages and answers. */
export interface LifeTrace {
  readonly nodeVersion: string | null
  readonly steps: ReadonlyMap<LifeStep, StepEnd>
  readonly messages: readonly TracedMessage[]
  readonly answers: readonly TracedAnswer[]
  /**
   * The verdict on the signatures of each snapshot: `rule 2.4` names the rule of valid ones; else `refused: ` and the
   * reason.
   */
  readonly signed: readonly {
    readonly step: LifeStep | 'connect'
    readonly verdict: string
    readonly at: TracedMessage
  }[]
}

/** A fact of one life that is compared by name and step: its value, and the message that shows it. */
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
