import { isLayerError } from '../../src/errors/base.js'

/**
 * Code of the typed error that a call throws or rejects with; another error is thrown on. Undefined when there is none.
 */
export async function codeOf(call: () => unknown): Promise<string | undefined> {
  try {
    await call()
  } catch (error) {
    if (isLayerError(error)) return error.code
    throw error
  }
  return undefined
}
