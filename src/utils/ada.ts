import { InvalidArgumentError } from '../errors/input.js'

const LOVELACE_PER_ADA = 1_000_000n

/**
 * Converts an amount in ada to lovelace, exactly.
 *
 * @param text - decimal digits with up to six behind a point, e.g. `'2.5'`. A number is not accepted, because
 * `0.1 + 0.2` is not exact.
 * @returns lovelace.
 * @throws {@link InvalidArgumentError} on anything else.
 * @example
 * ```ts
 * import { ada } from 'layer-sdk/utils'
 * console.log(ada('2.5')) // 2500000n
 * ```
 */
export function ada(text: string): bigint {
  const match = typeof text === 'string' && text.length <= 40 ? /^(\d+)(?:\.(\d{1,6}))?$/.exec(text) : null
  if (match === null)
    throw new InvalidArgumentError('ada', "a decimal text with up to six digits behind the point, e.g. '2.5'", text)
  return BigInt(match[1]!) * LOVELACE_PER_ADA + BigInt((match[2] ?? '').padEnd(6, '0'))
}

/**
 * Formats an amount of lovelace as ada, without trailing zeros.
 *
 * @param lovelace - any whole number, negative too.
 * @throws {@link InvalidArgumentError} on anything but a bigint.
 * @example
 * ```ts
 * import { formatAda } from 'layer-sdk/utils'
 * console.log(formatAda(2_500_000n)) // '2.5'
 * ```
 */
export function formatAda(lovelace: bigint): string {
  if (typeof lovelace !== 'bigint') throw new InvalidArgumentError('lovelace', 'a bigint', lovelace)
  const [sign, amount] = lovelace < 0n ? ['-', -lovelace] : ['', lovelace]
  const fraction = String(amount % LOVELACE_PER_ADA)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${sign}${amount / LOVELACE_PER_ADA}${fraction === '' ? '' : `.${fraction}`}`
}
