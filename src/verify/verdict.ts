import { asVerificationError, isPlainRecord, reading } from '../accumulator/inner.js'
import type { Refutation } from './types.js'

/** Runs a check and turns any error that it throws into a negative verdict, so that no input makes it reject. */
export async function verdictOf<T extends { readonly ok: true }>(check: () => Promise<T>): Promise<T | Refutation> {
  try {
    return await check()
  } catch (error) {
    return refutationOf(error)
  }
}

/** Runs a calculation and converts any error that it throws to a {@link VerificationError}. */
export async function typedRejections<T>(calculate: () => Promise<T>): Promise<T> {
  try {
    return await calculate()
  } catch (error) {
    throw asVerificationError(error, 'input', 'The input')
  }
}

function refutationOf(error: unknown): Refutation {
  try {
    const { reason, message, versions } = asVerificationError(error, 'input', 'The input')
    return { ok: false, reason, detail: message, ...(versions === undefined ? {} : { versions }) }
  } catch {
    // A value that a getter of the input threw may itself throw when it is read.
    return { ok: false, reason: 'input', detail: 'The input cannot be used.' }
  }
}

/**
 * Returns the options of a call as a record of own fields, each read once. The record is empty when the value is not an
 * object.
 */
export function optionsOf(options: unknown): Readonly<Record<string, unknown>> {
  return reading('input', 'The options', () => (isPlainRecord(options) ? { ...options } : {}))
}
