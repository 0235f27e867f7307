/**
 * Returns a function that calls `load` once and then returns the same promise. A promise that fails is dropped, so that
 * the next call tries again.
 */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return () => {
    kept ??= load().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}
