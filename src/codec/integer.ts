/** A number where it is exact, else the bigint: how integers stand in JSON and plain objects. */
export function jsonInteger(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
