import type { HeadClient } from '../client/index.js'
import type { Connector } from '../bridge/inner.js'
import type { Wallet } from '../types/wallet.js'
import type { LifeTracer } from './LifeTracer.js'
import type { LifeStep } from './trace.js'

/** A head on which a life (the fixed sequence of conformance steps) is run, and the means to run it. */
export interface LifeSide {
  readonly connector: Connector
  /** Connector to a second node of the same head; null when there is none: the step `contest` is then not tried. */
  readonly second: Connector | null
  /** Wallet that pays in the head, and deposits if it has `queryUTxOs`; null: no step that requires a key is tried. */
  readonly wallet: Wallet | null
  /** Time limit of each step, ms. */
  readonly stepLimitMs: number
  /** Steps that cannot be tried, with the reason. */
  readonly without: ReadonlyMap<LifeStep, string>
  /** Called as a step begins. */
  readonly onStep?: ((step: LifeStep) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Resolves at a time of the base ledger, ms since the Unix epoch; a local head advances its clock to it. @default
   * waits
   */
  readonly waitUntil?: ((timeMs: number) => Promise<unknown>) | undefined
}

/** The clients, tracers and settings that the action of a step receives. */
export interface LifeContext {
  readonly client: HeadClient
  readonly second: HeadClient | null
  readonly tracer: LifeTracer
  /** Tracer of the second node. */
  readonly secondTracer: LifeTracer
  readonly side: LifeSide
  /** Aborted at the time limit of the step, or by the caller's own signal. */
  readonly signal: AbortSignal
  /** Values that a step keeps for later steps, by name, e.g. a transaction that the next step submits. */
  readonly notes: Map<string, unknown>
}
