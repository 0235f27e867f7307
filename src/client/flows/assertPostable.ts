import { WithdrawBlockedError } from '../../errors/doctor.js'
import type { BuiltTransaction } from '../../tx/inner.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'

/**
 * Checks that the base ledger can accept a decommit out of the head, before it is signed. The check is loaded with the
 * first withdrawal: a page that only pays does not load it.
 *
 * @throws {@link WithdrawBlockedError}
 */
export async function assertPostable(
  { bridge }: ClientContext,
  built: BuiltTransaction,
  deadline: Deadline
): Promise<void> {
  const over = new AbortController()
  try {
    const found = import('../../doctor/gather/decommitFindings.js').then(({ decommitFindings }) =>
      decommitFindings({ bridge, txCbor: built.cborHex, signal: over.signal })
    )
    const blocking = (await deadline.race(found, 'the check of the decommit')).filter(
      ({ severity }) => severity === 'block'
    )
    if (blocking.length > 0)
      throw new WithdrawBlockedError(blocking.map(({ code, what, remedy }) => ({ code, what, remedy })))
  } finally {
    over.abort()
  }
}
