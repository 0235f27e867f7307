import type { DevNodeFaults } from '../settings/faults.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import type { ChainTx, ClientMessage, HeadAction, HeadOutput } from './types.js'

/** What a step depends on besides the state. */
export interface StepSettings {
  /** How the node's version behaves. */
  readonly features: ProfileFeatures
  /** The faults that change the course of a head. */
  readonly faults: Pick<DevNodeFaults, 'repeatApprovals' | 'stuckDecommit' | 'broadcastStalled'>
}

/**
 * What the functions of one step of the head machine share: what it depends on, and the actions it has asked for so
 * far.
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
  publish(output: HeadOutput): void {
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
