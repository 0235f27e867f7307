/**
 * Returns the wait that a Retry-After header demands, ms; undefined without a usable one.
 *
 * @param header - seconds or an HTTP date (RFC 9110, 10.2.3)
 * @param date - the Date header of the same response, where the runtime shows it: a date is compared with the server's
 * own clock
 */
export function retryAfterMs(header: string | null | undefined, date?: string | null): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  // Every form of an HTTP date begins with the weekday; Date.parse alone reads '-1' as a year.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined
  const wait = Date.parse(value) - (Date.parse(date ?? '') || Date.now())
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
