import type { LayerPayload } from '../protocol/messages.js'
import type { LayerHeadStatus, NodeEnvironment } from '../protocol/types.js'
import { parseNodeTime } from './slotClock.js'

/** State of the head and its node. A new object for every change. */
export interface HeadState {
  /** Null until known. */
  readonly headStatus: LayerHeadStatus | null
  /** Id of the head: hex; null while there is none. */
  readonly headId: string | null
  /** True when the node has caught up with the chain; null until it says so (nodes before 1.3 never do). */
  readonly synced: boolean | null
  /** End of the contestation period, ms since the Unix epoch; null until known. */
  readonly contestationDeadline: number | null
  /** E.g. `'2.3.0-ca8d19b'`; null until known. */
  readonly nodeVersion: string | null
  /**
   * Time from a deposit's draft until it can be recovered, ms, computed from the periods that the node states; null
   * until known (nodes before 1.0 state none).
   */
  readonly depositSpan: number | null
  /**
   * Time before a deposit becomes recoverable during which the head no longer accepts it, ms: the deposit period that
   * the node states; null until known (nodes before 1.0 state none).
   */
  readonly depositPeriod: number | null
}

/** State before the first message. */
export const INITIAL_HEAD_STATE: HeadState = {
  headStatus: null,
  headId: null,
  synced: null,
  contestationDeadline: null,
  nodeVersion: null,
  depositSpan: null,
  depositPeriod: null
}

/** States in which a head has a contestation deadline. */
const CLOSED: readonly string[] = ['Closed', 'FanoutPossible', 'FanningOut']

function change(state: HeadState, to: Partial<HeadState>): HeadState {
  const changed = (Object.keys(to) as (keyof HeadState)[]).some((key) => state[key] !== to[key])
  return changed ? { ...state, ...to } : state
}

/**
 * Returns the time from a deposit's draft to its deadline, as Hydra.API.HTTPServer computes it: three deposit periods,
 * or, where the node states an activation period (after 2.3), that period and two deposit periods.
 */
function depositSpan(env: NodeEnvironment | undefined): number | null {
  const { depositPeriod, depositActivation = depositPeriod } = env ?? {}
  const span = 1_000 * ((depositActivation ?? NaN) + 2 * (depositPeriod ?? NaN))
  return span >= 0 ? span : null
}

function depositPeriod(env: NodeEnvironment | undefined): number | null {
  const period = 1_000 * (env?.depositPeriod ?? NaN)
  return period >= 0 ? period : null
}

/** Returns the state after a message; the same object when it is unchanged. */
export function reduceHead(state: HeadState, payload: LayerPayload): HeadState {
  switch (payload.tag) {
    case 'Greetings': {
      const { headStatus, layerHeadId = null, chainSyncedStatus } = payload
      return change(state, {
        headStatus,
        headId: layerHeadId,
        synced: chainSyncedStatus === undefined ? null : chainSyncedStatus === 'InSync',
        contestationDeadline:
          CLOSED.includes(headStatus) && layerHeadId === state.headId ? state.contestationDeadline : null,
        nodeVersion: payload.layerNodeVersion ?? null,
        depositSpan: depositSpan(payload.env),
        depositPeriod: depositPeriod(payload.env)
      })
    }
    case 'HeadIsInitializing':
      return change(state, { headStatus: 'Initializing', headId: payload.headId, contestationDeadline: null })
    case 'HeadIsOpen':
      return change(state, { headStatus: 'Open', headId: payload.headId, contestationDeadline: null })
    case 'HeadIsClosed':
    case 'HeadIsContested':
      return change(state, {
        headStatus: 'Closed',
        headId: payload.headId,
        contestationDeadline: parseNodeTime(payload.contestationDeadline)
      })
    case 'ReadyToFanout':
      return change(state, { headStatus: 'FanoutPossible', headId: payload.headId })
    case 'HeadPartiallyFannedOut':
      return change(state, { headStatus: 'FanningOut', headId: payload.headId })
    case 'HeadIsFinalized':
    case 'HeadIsAborted':
      return change(state, { headStatus: 'Idle', headId: null, contestationDeadline: null })
    case 'NodeSynced':
      return change(state, { synced: true })
    case 'NodeUnsynced':
    case 'RejectedInputBecauseUnsynced':
      return change(state, { synced: false })
    case 'SyncedStatusReport':
      return change(state, { synced: payload.synced === 'InSync' })
    default:
      return state
  }
}
