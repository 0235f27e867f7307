import type { DevNodeFaults } from '../faults.js'
import type { LedgerParameters } from '../ledger/validateTx.js'
import type { ResolvedOptions } from '../options.js'
import type { SnapshotSigner } from './snapshotSigner.js'
import type { ClientMessage, ClientRef, HeadOutput } from './types.js'

/** Where the messages of the runtime go. */
export interface MessageSink {
  /** Stores a message and sends it to all clients. */
  publish(output: HeadOutput): void
  /** Sends a message to all clients. */
  broadcast(message: ClientMessage): void
  /** Answers one client with InvalidInput. */
  refuse(client: ClientRef | null, reason: string, input: string): void
}

/** What the runtime works with. */
export interface RuntimeContext {
  readonly options: ResolvedOptions
  readonly parameters: LedgerParameters
  readonly signer: SnapshotSigner
  readonly faults: DevNodeFaults
  readonly messages: MessageSink
}
