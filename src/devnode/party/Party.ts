import type { Agenda } from '../chain/Agenda.js'
import type { Chain } from '../chain/Chain.js'
import type { HeadLedger } from '../head/headLedger.js'
import type { DevNodeFaults } from '../settings/faults.js'
import type { ListeningAddress } from '../settings/options.js'
import type { AgendaTask } from './AgendaTask.js'
import type { ClientHub } from './clientHub.js'
import type { Counters } from './counters.js'
import type { Head } from './Head.js'
import type { HeadRuntime } from './HeadRuntime.js'

/** A party of the head: a node with a history, a local ledger and clients of its own. */
export interface Party {
  /** Place among the parties, from 0: its key is `head.keys[index]`. */
  readonly index: number
  readonly chain: Chain
  readonly head: Head
  /** Faults to commit; they change at any time. */
  readonly faults: DevNodeFaults
  readonly counters: Counters
  /** Tasks to come. */
  readonly agenda: Agenda<AgendaTask>
  readonly ledger: HeadLedger
  readonly hub: ClientHub
  readonly runtime: HeadRuntime
  /** Address of the API, as GET /config shows it. */
  listensOn(): ListeningAddress
}

/** A local head: the base ledger, the head and its parties. */
export interface LocalHead {
  readonly chain: Chain
  readonly head: Head
  /** The party that is the node itself. */
  readonly node: Party
  readonly parties: readonly Party[]
}
