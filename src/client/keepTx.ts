import { InvalidArgumentError } from '../errors/input.js'
import type { BeforeSend, OnceOptions } from './beforeSend.js'
import { assertId } from './journalEntry.js'
import type { OwnTx } from './ownTx.js'

/**
 * Function that stores a signed transaction before it is sent; if it rejects, nothing is sent. `attempts`: earlier ones
 * that were sent.
 */
export type KeepTx = (ownTx: OwnTx, signed: string, attempts: readonly OwnTx[]) => Promise<void>

/** Checks the options `id` and `onBeforeSend`. @throws {@link InvalidArgumentError} */
export function assertOnceOptions({ id, onBeforeSend }: OnceOptions): void {
  assertId(id)
  if (onBeforeSend != null && typeof onBeforeSend !== 'function')
    throw new InvalidArgumentError('onBeforeSend', 'a function', onBeforeSend)
}

/**
 * Returns a function that calls the callbacks of the call and of the client, one after another, and then `keep`; null
 * when there are none.
 */
export function keepers(
  id: string | undefined,
  callbacks: readonly (BeforeSend | null | undefined)[],
  keep: KeepTx | null
): KeepTx | null {
  const given = callbacks.filter((each) => each != null)
  if (given.length === 0) return keep
  return async (ownTx, cborHex, attempts) => {
    const { txId } = ownTx.pending
    for (const onBeforeSend of given)
      await onBeforeSend(Object.freeze({ id: id ?? null, txId, cborHex, expiresAt: ownTx.expiresAt }))
    await keep?.(ownTx, cborHex, attempts)
  }
}
