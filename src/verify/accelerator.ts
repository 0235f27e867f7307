import type { Accelerator } from '../accumulator/inner.js'
import { fail } from '../accumulator/inner.js'

export type { Accelerator } from '../accumulator/inner.js'

/** Checks that a value is an accelerator (an object with a function `msm`) or undefined. */
export function assertAccelerator(value: unknown): Accelerator | undefined {
  if (value === undefined) return undefined
  const msm = (value as { msm?: unknown } | null)?.msm
  return typeof msm === 'function'
    ? (value as Accelerator)
    : fail('input', 'The accelerator', 'an object with a function msm', value)
}
