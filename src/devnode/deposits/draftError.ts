import type { PreparedTx } from '../rules/preparedTx.js'

/** Reason why a deposit cannot be drafted: the node's own postTxError. */
export interface DraftError {
  readonly tag: string
  readonly [key: string]: string | bigint
}

/** A refusal, which POST /commit answers in place of a draft. */
export interface DraftRefusal {
  readonly status: number
  /** An object is sent as JSON, a text unchanged. */
  readonly body: DraftError | string
}

/** Returns the node's error for a deposit that cannot be built. */
export function failedDraft(failureReason: string): { error: DraftError } {
  return { error: { tag: 'FailedToConstructDepositTx', failureReason } }
}

/** Returns the error of the node's wallet, which runs the scripts of a blueprint: a redeemer's script failed. */
export function failedInDraft(
  redeemerPtr: string,
  failureReason: string,
  { txId }: Pick<PreparedTx, 'txId'>
): { error: DraftError } {
  return { error: { tag: 'ScriptFailedInWallet', redeemerPtr, failureReason, failingTx: txId } }
}

/** Returns the error of the node's wallet for a draft that its fuel does not cover. */
export function notEnoughFuel({ txId }: Pick<PreparedTx, 'txId'>): { error: DraftError } {
  return { error: { tag: 'NotEnoughFuel', failingTx: txId } }
}

/** Errors that the wallet throws instead of returning them. */
const THROWN: readonly string[] = ['ScriptFailedInWallet', 'NotEnoughFuel']

/**
 * Returns the node's answer to a deposit that it cannot draft. An error of its wallet escapes the handler: the server
 * answers 500 with the exception as Haskell shows it (Handlers.hs, finalizeTx; API/Server.hs, setOnExceptionResponse).
 */
export function draftRefusal(error: DraftError): DraftRefusal {
  const { tag, failingTx, ...details } = error
  if (!THROWN.includes(tag)) return { status: 400, body: error }
  const shown = Object.entries(details).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  // The transaction stands there by its id: its own text is the ledger library's.
  return { status: 500, body: `${tag} {${[...shown, `failingTx = ${String(failingTx)}`].join(', ')}}` }
}
