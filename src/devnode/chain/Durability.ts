/** What keeps a node's state on disk, as the parts of the node see it. */
export interface Durability {
  /** Why nothing can be written now; null while all is well. Inputs are refused meanwhile. */
  readonly failure: string | null
  /** Resolves when all that has happened until now is on disk, or when it cannot be written. */
  commit(): Promise<void>
  /** As {@link commit}, at once. */
  flush(): void
}

/** Set once a state file is kept; nothing waits without one. */
export interface DurabilitySlot {
  current: Durability | null
}
