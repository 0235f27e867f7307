import type { DevNodeFaults } from '../settings/faults.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import type { HeadAction } from './HeadAction.js'
import type { ClientMessage, HeadMessage } from './messages.js'
import type { ChainTx } from './types.js'

/** Settings that a step depends on, besides the state. */
export interface StepSettings {
  /** Behaviour of the node's version. */
  readonly features: ProfileFeatures
  /** The faults that change the course of a head. */
  readonly faults: Pick<DevNodeFaults, 'repeatApprovals' | 'stuckDecommit' | 'racingDecommit' | 'broadcastStalled'>
}

/**
 * Shared by the functions of one step of the head machine: the settings that it depends on, and its actions so far.
 */
export class StepContext implements StepSettings {
  readonly features: ProfileFeatures
  readonly faults: StepSettings['faults']
  readonly actions: HeadAction[] = []

  constructor({ features, faults }: StepSettings) {
    this.features = features
    this.faults = faults
  }

  /** Stores a message and sends it to all clients. */
  publish(output: HeadMessage): void {
    this.actions.push({ do: 'publish', output })
  }

  /** Sends a message that is not stored to all clients. */
  broadcast(message: ClientMessage): void {
    this.actions.push({ do: 'broadcast', message })
  }

  /** Posts a transaction of the head to the base ledger. */
  post(post: ChainTx): void {
    this.actions.push({ do: 'post', post })
  }
}
