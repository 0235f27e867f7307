import type { LayerSdkError } from '../errors/base.js'
import { isLayerError } from '../errors/base.js'
import { errorUrl } from '../errors/links.js'
import { CommandFailure, inOneSentence, UsageError } from './usage.js'

/** Codes of errors about arguments. */
const USAGE_CODES =
  /^(INPUT_(ARGUMENT|ADDRESS)|CLIENT_CURSOR|DOCTOR_(CURSOR|RULES)|BRIDGE_(OPTIONS|INSECURE_URL)|WALLET_MNEMONIC_\w+)$/

/** True for wrong usage, which another command line mends. */
export function isWrongUsage(error: unknown): boolean {
  return error instanceof UsageError || (isLayerError(error) && USAGE_CODES.test(error.code))
}

/** Returns true where it is not known whether something was done: repeating it may do it twice. */
function isUnknown(error: unknown): boolean {
  return outcomeOf(error) === 'unknown'
}

/** The `outcome` of an error; null where nothing can have happened. */
function outcomeOf(error: unknown): string | null {
  const { outcome } = (codedOf(error) ?? {}) as { outcome?: unknown }
  return typeof outcome === 'string' ? outcome : null
}

/** Exit code of a failure: 1, 2 for wrong usage, 6 where the outcome is unknown. */
export function exitCodeOf(error: unknown): 1 | 2 | 6 {
  return isWrongUsage(error) ? 2 : isUnknown(error) ? 6 : 1
}

/** The error with a code: itself, or the one that a command explains. */
function codedOf(error: unknown): LayerSdkError | null {
  const cause = error instanceof CommandFailure ? error.cause : undefined
  return isLayerError(error) ? error : isLayerError(cause) ? cause : null
}

/** A failure as one JSON object, for `--json`. */
export function failureJson(error: unknown): string {
  const coded = codedOf(error)
  const code = coded?.code ?? (error instanceof UsageError ? 'USAGE' : 'FAILED')
  const { txId } = (coded ?? {}) as { txId?: unknown }
  return JSON.stringify({
    error: {
      code,
      message: inOneSentence(error),
      outcome: outcomeOf(error) ?? 'none',
      ...(typeof txId === 'string' ? { txId } : {}),
      docs: coded === null ? null : errorUrl(coded.code)
    }
  })
}
