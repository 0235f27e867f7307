import type { LayerSdkError } from '../errors/base.js'
import { isLayerError } from '../errors/base.js'
import { errorUrl } from '../errors/links.js'
import { CommandFailure, inOneLine, UsageError } from './usage.js'

/** Codes of errors about arguments, which count as wrong usage. */
const USAGE_CODES =
  /^(INPUT_(ARGUMENT|ADDRESS)|CLIENT_CURSOR|DOCTOR_(CURSOR|RULES)|BRIDGE_(OPTIONS|INSECURE_URL)|WALLET_MNEMONIC_\w+)$/

/** Returns true for wrong usage: an error that the user corrects in the command line. */
export function isWrongUsage(error: unknown): boolean {
  return error instanceof UsageError || (isLayerError(error) && USAGE_CODES.test(error.code))
}

/** Returns true when it is unknown if the action had an effect, so that repeating it may have the effect twice. */
function isUnknown(error: unknown): boolean {
  return outcomeOf(error) === 'unknown'
}

/** Returns the `outcome` of an error; null for an error without one. */
function outcomeOf(error: unknown): string | null {
  const { outcome } = (codedOf(error) ?? {}) as { outcome?: unknown }
  return typeof outcome === 'string' ? outcome : null
}

/** Returns the exit code of a failure: 2 for wrong usage, 6 when the outcome is unknown, else 1. */
export function exitCodeOf(error: unknown): 1 | 2 | 6 {
  return isWrongUsage(error) ? 2 : isUnknown(error) ? 6 : 1
}

/** Returns the error of the package: `error` itself, or the cause of a CommandFailure; null without one. */
function codedOf(error: unknown): LayerSdkError | null {
  const cause = error instanceof CommandFailure ? error.cause : undefined
  return isLayerError(error) ? error : isLayerError(cause) ? cause : null
}

/** Returns a failure as the text of one JSON object, for `--json`. */
export function failureJson(error: unknown): string {
  const coded = codedOf(error)
  const code = coded?.code ?? (error instanceof UsageError ? 'USAGE' : 'FAILED')
  const { txId } = (coded ?? {}) as { txId?: unknown }
  return JSON.stringify({
    error: {
      code,
      message: inOneLine(error),
      outcome: outcomeOf(error) ?? 'none',
      ...(typeof txId === 'string' ? { txId } : {}),
      docs: coded === null ? null : errorUrl(coded.code)
    }
  })
}
