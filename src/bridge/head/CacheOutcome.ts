/** Effect of a message on the cache. */
export type CacheOutcome =
  /** The cache changed. */
  | 'applied'
  /** The message does not concern the cache, or is older than its content. */
  | 'ignored'
  /** Messages alone are not enough: the cache needs a baseline (all outputs) from GET /snapshot. */
  | 'needsBaseline'
  /** The message does not follow from the content, which was dropped: all outputs have to be sent again. */
  | 'outOfStep'
