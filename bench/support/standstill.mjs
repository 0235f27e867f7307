/** Watches how long the loop stands still at most, ms: no task, timer or socket gets a turn meanwhile. */
export function watchStandstill() {
  let longest = 0
  let last = performance.now()
  let isOver = false
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  return () => {
    isOver = true
    longest = Math.max(longest, performance.now() - last)
    return longest
  }
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]
