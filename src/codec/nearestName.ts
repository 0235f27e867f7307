/** Longest name that is compared, characters. */
const MAX_LENGTH = 40

/**
 * Returns the known name that a misspelt name most likely means: it differs only in letter case, or by at most two
 * characters that are added, left out, replaced or swapped.
 *
 * @returns null when no known name is that close
 */
export function nearestName(name: string, knownNames: readonly string[]): string | null {
  if (name.length > MAX_LENGTH) return null
  const lowerName = name.toLowerCase()
  // Two of three characters are another word.
  const most = Math.min(2, Math.floor(name.length / 3))
  let nearest: { readonly name: string; readonly distance: number } | null = null
  for (const each of knownNames) {
    const distance = editDistance(lowerName, each.toLowerCase())
    if (distance <= most && distance < (nearest?.distance ?? Infinity)) nearest = { name: each, distance }
  }
  return nearest?.name ?? null
}

/** Returns the number of edits between two texts; swapped neighbours count as one (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const cells = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let best = Math.min(
        rows[row - 1]![column]! + 1,
        cells[column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1)
      )
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) best = Math.min(best, rows[row - 2]![column - 2]! + 1)
      cells.push(best)
    }
    rows.push(cells)
  }
  return rows[a.length]![b.length]!
}
