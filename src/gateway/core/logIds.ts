/** Compares two ids of a stream: numbers, or numbers with a dash as those of Redis. */
export function compareIds(left: string, right: string): number {
  const [a = 0, b = 0] = left.split('-').map(Number)
  const [c = 0, d = 0] = right.split('-').map(Number)
  return a === c ? b - d : a - c
}
