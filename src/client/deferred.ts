/** A promise that is settled from outside, once. */
export interface Deferred<T> {
  /** Settles with the first call of `resolve` or `reject`. */
  readonly promise: Promise<T>
  /** Fulfils the promise. */
  resolve(value: T): void
  /** Rejects the promise. */
  reject(error: unknown): void
}

/** A promise that is settled from outside. Its rejection is handled, also before a caller awaits it. */
export function deferred<T>(): Deferred<T> {
  let [resolve, reject]: [(value: T) => void, (error: unknown) => void] = [() => undefined, () => undefined]
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle
    reject = fail
  })
  promise.catch(() => undefined)
  return { promise, resolve: (value) => resolve(value), reject: (error) => reject(error) }
}
