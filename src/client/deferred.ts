/** A promise that is settled from outside, once. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

/** A promise that is settled from outside. Its rejection is nobody's until somebody awaits it. */
export function deferred<T>(): Deferred<T> {
  let [resolve, reject]: [(value: T) => void, (error: unknown) => void] = [() => undefined, () => undefined]
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle
    reject = fail
  })
  promise.catch(() => undefined)
  return { promise, resolve: (value) => resolve(value), reject: (error) => reject(error) }
}
