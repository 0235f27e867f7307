import {
  decodeHeadReply,
  decodeLastSeenReply,
  decodePendingDepositsReply,
  decodeProtocolParametersReply,
  decodeSnapshotReply,
  decodeUtxoReply
} from '../../../bridge/inner.js'
import { isLayerError } from '../../../errors/base.js'

/** Decoders of the answers of the recorded routes. */
const DECODERS: Readonly<Record<string, (status: number, text: string) => { readonly kind: string }>> = {
  '/head': decodeHeadReply,
  '/snapshot': decodeSnapshotReply,
  '/snapshot/utxo': decodeUtxoReply,
  '/snapshot/last-seen': decodeLastSeenReply,
  '/commits': decodePendingDepositsReply,
  '/protocol-parameters': decodeProtocolParametersReply
}

/** Returns the reason why an answer cannot be decoded; null when it can. A refusal by the node is a valid answer. */
export function problemOfAnswer(path: string, status: number, text: string): string | null {
  if (!Object.hasOwn(DECODERS, path)) return 'a route that is not known'
  try {
    DECODERS[path]!(status, text)
    return null
  } catch (error) {
    return oneLine(error)
  }
}

/** Returns an error of a decoder as one line. */
export function oneLine(error: unknown): string {
  if (!isLayerError(error)) return String((error as Error | null)?.message ?? error).slice(0, 300)
  const [summary, ...lines] = error.message.split('\n')
  return [summary!.replace(/\.$/, ''), ...lines.filter((line) => line.startsWith('- '))]
    .map((line) => line.replace(/^- /, ''))
    .join('; ')
    .slice(0, 300)
}
