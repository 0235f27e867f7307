/** Effect of a message on the cache. */
export type CacheOutcome =
  /** The cache changed. */
  | 'applied'
  /** It is not about the cache, or older than its content. */
  | 'ignored'
  /** Messages alone are not enough: the cache needs a baseline from GET /snapshot. */
  | 'needsBaseline'
  /** The message does not follow from the content, which was dropped: all outputs have to be sent again. */
  | 'outOfStep'
