import type { Agenda } from '../chain/Agenda.js'
import type { HeadLedger } from '../head/headLedger.js'
import type { HeadMessage } from '../head/messages.js'
import type { HeadEvent, NodeState } from '../head/types.js'
import type { DevNodeFaults } from '../settings/faults.js'
import type { AgendaTask } from './AgendaTask.js'
import type { PartyMessage } from './PartyMessage.js'

/** Interface of a party for the network, the signing and the transactions of the head. */
export interface HeadMember {
  /** Place among the parties, from 0. */
  readonly index: number
  readonly faults: DevNodeFaults
  readonly agenda: Agenda<AgendaTask>
  readonly ledger: HeadLedger
  readonly hub: { publish(output: HeadMessage): void }
  readonly runtime: {
    readonly state: NodeState
    /** Time at which the last head began, ms since Unix epoch. */
    initializedMs: number | null
    dispatch(event: HeadEvent): void
    receive(message: PartyMessage): void
  }
}
