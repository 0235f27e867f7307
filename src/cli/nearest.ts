/** Edits between two words that still count as a misspelling, for each four characters of the word. */
const EDITS_PER_FOUR = 1.5

/** Returns the candidate with the fewest edits to a word; null when none is close. Case does not count. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const lowerWord = word.toLowerCase().slice(0, 80)
  const limit = Math.max(1, Math.floor((lowerWord.length / 4) * EDITS_PER_FOUR))
  let best: { readonly candidate: string; readonly edits: number } | null = null
  for (const candidate of candidates) {
    const edits = editsBetween(lowerWord, candidate.toLowerCase())
    if (edits <= limit && (best === null || edits < best.edits)) best = { candidate, edits }
  }
  return best?.candidate ?? null
}

/**
 * Returns the number of characters that are inserted, removed, replaced, or swapped with their neighbour between two
 * words (optimal string alignment distance).
 */
function editsBetween(a: string, b: string): number {
  let [before, row] = [[0], Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const kept = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      next[j] = isSwap ? Math.min(kept, before[j - 2]! + 1) : kept
    }
    before = row
    row = next
  }
  return row[b.length]!
}
