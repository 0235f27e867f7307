import { countInput } from './counters.js'
import { consumeFault } from '../settings/faults.js'
import { resolveInput } from './resolveInput.js'
import type { NodeContext } from './NodeContext.js'
import type { ParsedInput } from '../wire/json/clientInput.js'
import type { ClientRef } from '../head/types.js'

/** Where an input came from: the connection, or null for an HTTP route, and the text as it was received. */
export interface InputSource {
  readonly client: ClientRef | null
  readonly text: string
}

/** Feeds a client's input to the head machine. */
export function receiveInput(
  context: Pick<NodeContext, 'features' | 'faults' | 'counters' | 'ledger' | 'runtime'>,
  input: ParsedInput,
  { client, text }: InputSource
): void {
  const { faults, counters, runtime } = context
  countInput(counters, input.tag)
  if (input.tag === 'NewTx' && consumeFault(faults, 'swallowTransactions')) return
  runtime.dispatch({ type: 'Input', input: resolveInput(input, context), echo: input.echo, text, client })
}
