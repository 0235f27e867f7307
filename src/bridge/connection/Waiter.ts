/** The promise that `connect()` returned, with the functions that settle it. */
export interface Waiter {
  readonly promise: Promise<boolean>
  resolve(value: boolean): void
  reject(error: Error): void
}

/** Returns a promise and the functions that settle it. */
export function createWaiter(): Waiter {
  let settle!: Pick<Waiter, 'resolve' | 'reject'>
  const promise = new Promise<boolean>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}
