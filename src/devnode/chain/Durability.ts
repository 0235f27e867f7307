import { DevNodeStateError } from '../../errors/devnode.js'

/** Keeps a node's state on disk. */
export interface Durability {
  /** Reason why no state can be written now; null while it can. Inputs are refused meanwhile. */
  readonly failure: string | null
  /** Resolves when all that has happened until now is on disk, or when it cannot be written. */
  commit(): Promise<void>
  /** As {@link commit}, at once. */
  flush(): void
}

/** Set once a state file is kept; no step waits without one. */
export interface DurabilitySlot {
  current: Durability | null
}

/**
 * Resolves when all that has happened until now is on disk, if the state is kept there.
 *
 * @throws {@link DevNodeStateError} (as a rejection)
 */
export async function assertDurable(slot: DurabilitySlot): Promise<void> {
  await slot.current?.commit()
  const failure = slot.current?.failure
  if (failure != null) throw new DevNodeStateError('The state file cannot be written.', { got: failure })
}
