import { stringifyJson } from '../../codec/json.js'
import type { WireRecord } from '../../bridge/protocol/wireRecord.js'
import { Outgoing } from './Outgoing.js'
import { narrowOutputs } from './SnapshotTexts.js'

/** Members that hold outputs of others too. */
const OUTPUTS = ['utxo', 'utxoToCommit', 'utxoToDecommit', 'recoveredUTxO', 'distributedUTxO', 'remainingUTxO', 'finalizedUTxO']

/** A message as a client of mode `address` gets it: without outputs of others, and without the node's state. */
export function narrowMessage(message: WireRecord, addresses: ReadonlySet<string>, whole: Outgoing): Outgoing {
  const found = OUTPUTS.filter((name) => Object.hasOwn(message, name))
  if (found.length === 0 && !Object.hasOwn(message, 'state')) return whole
  const { state: _, ...rest } = message
  const narrowed = Object.fromEntries(found.map((name) => [name, narrowOutputs(message[name], addresses)]))
  return new Outgoing(stringifyJson({ ...rest, ...narrowed }), message['tag'] === 'CommandFailed' ? 'fail' : 'success')
}
