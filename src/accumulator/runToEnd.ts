/** Runs steps without a pause, and returns their result. */
export function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
