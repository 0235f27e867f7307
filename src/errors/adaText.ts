/** Returns lovelace as ada in decimal text, without trailing zeros. */
export function adaText(lovelace: bigint): string {
  const [whole, rest] = [lovelace / 1_000_000n, lovelace % 1_000_000n]
  return rest === 0n ? String(whole) : `${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`
}
