import { DevNodeStateError } from '../../errors/devnode.js'

/** Stores a node's state on disk. */
export interface Durability {
  /** Reason why no state can be written now; null while it can. Inputs are refused meanwhile. */
  readonly failure: string | null
  /** Resolves when all changes up to now are on disk, or when they cannot be written. */
  commit(): Promise<void>
  /** Does the same as {@link commit}, synchronously. */
  flush(): void
}

/** Holds the durability of a node: null without a state file, and then no step waits. */
export interface DurabilitySlot {
  current: Durability | null
}

/**
 * Resolves when all changes up to now are on disk; at once if the state is not kept there.
 *
 * @throws {@link DevNodeStateError} (as a rejection)
 */
export async function assertDurable(slot: DurabilitySlot): Promise<void> {
  await slot.current?.commit()
  const failure = slot.current?.failure
  if (failure != null) throw new DevNodeStateError('The state file cannot be written.', { got: failure })
}
