import type { HeadClient } from '../client/index.js'
import type { Connector } from '../bridge/inner.js'
import type { Wallet } from '../types/wallet.js'
import type { LifeTracer } from './LifeTracer.js'
import type { LifeStep } from './trace.js'

/** A head on which the life is lived. */
export interface LifeSide {
  readonly connector: Connector
  /** Another node of the same head. */
  readonly second: Connector | null
  /** Pays in the head; with `queryUTxOs` it deposits too. */
  readonly wallet: Wallet | null
  /** Limit of a step, ms. */
  readonly stepLimitMs: number
  /** Steps that cannot be tried, with the reason. */
  readonly without: ReadonlyMap<LifeStep, string>
  /** Called as a step begins. */
  readonly onStep?: ((step: LifeStep) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Waits until a time of the base ledger, ms since the Unix epoch; a local head moves its time on. @default waits */
  readonly waitUntil?: ((timeMs: number) => Promise<unknown>) | undefined
}

/** Tools of a step. */
export interface LifeContext {
  readonly client: HeadClient
  readonly second: HeadClient | null
  readonly tracer: LifeTracer
  /** Of the second node. */
  readonly secondTracer: LifeTracer
  readonly side: LifeSide
  /** Ends with the step's limit. */
  readonly signal: AbortSignal
  /** What earlier steps left behind. */
  readonly notes: Map<string, unknown>
}
