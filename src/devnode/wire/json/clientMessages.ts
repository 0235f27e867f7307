import type { ClientMessage } from '../../head/messages.js'
import { chainTxJson } from './chainTxJson.js'
import { headStateJson } from './headStateJson.js'
import { toJson } from '../../json/jsonText.js'
import { STALL } from './messages.js'
import type { PartyView } from './PartyView.js'

/** A message that is not stored. */
export function clientMessageText(message: ClientMessage, party: PartyView): string {
  switch (message.tag) {
    case 'CommandFailed':
      return toJson({ tag: message.tag, clientInput: message.echo, state: headStateJson(party) })
    case 'RejectedInputBecauseUnsynced':
      return toJson({ tag: message.tag, clientInput: message.echo, drift: message.driftSeconds })
    case 'RejectedInputBecauseBroadcastStalled':
      return toJson({ tag: message.tag, clientInput: message.echo, ...STALL })
    case 'SideLoadSnapshotRejected':
      return toJson({ tag: message.tag, clientInput: message.echo, requirementFailure: message.failure })
    case 'PostTxOnChainFailed':
      return toJson({ tag: message.tag, postChainTx: chainTxJson(message.post, party), postTxError: message.error })
  }
}
