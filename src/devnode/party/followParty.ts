import type { BaseListener } from '../chain/baseLedger.js'
import type { HubListener } from './clientHub.js'
import type { Party } from './Party.js'

/** Follows the messages of a party and the transactions of its base ledger; the returned function ends it. */
export function followParty({ hub, chain }: Party, onMessage: HubListener, onBaseTx: BaseListener): () => void {
  const { listeners } = chain.base
  const unsubscribe = hub.subscribe(onMessage)
  listeners.add(onBaseTx)
  return () => {
    unsubscribe()
    listeners.delete(onBaseTx)
  }
}
