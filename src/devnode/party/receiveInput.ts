import { countInput } from './counters.js'
import { consumeFault } from '../settings/faults.js'
import { resolveInput } from './resolveInput.js'
import type { HeadLedger } from '../head/headLedger.js'
import type { DevNodeFaults } from '../settings/faults.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import type { Counters } from './counters.js'
import type { ParsedInput } from '../wire/json/clientInput.js'
import type { ClientRef, HeadEvent, NodeState } from '../head/types.js'

/** Source of an input: the connection, or null for an HTTP route, and the text as it was received. */
export interface InputSource {
  readonly client: ClientRef | null
  readonly text: string
}

/** A party that receives an input. */
interface ReceivingParty {
  readonly chain: { readonly features: ProfileFeatures }
  readonly faults: DevNodeFaults
  readonly counters: Counters
  readonly ledger: HeadLedger
  readonly runtime: { readonly state: NodeState; dispatch(event: HeadEvent): void }
}

/** Feeds a client's input to the head's state machine. */
export function receiveInput(party: ReceivingParty, input: ParsedInput, { client, text }: InputSource): void {
  const { chain, faults, counters, ledger, runtime } = party
  countInput(counters, input.tag)
  if (input.tag === 'NewTx' && consumeFault(faults, 'swallowTransactions')) return
  const resolved = resolveInput(input, { features: chain.features, ledger, state: runtime.state })
  runtime.dispatch({ type: 'Input', input: resolved, echo: input.echo, text, client })
}
