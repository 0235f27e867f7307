// Apart from the other provider errors: only the modules of submissions and of the Rpc need these.
import { LayerSdkError } from './base.js'
import type { ProviderRequestDetails } from './provider.js'

/** An RPC method answered with an error object. */
export class ProviderRpcError extends LayerSdkError<'PROVIDER_RPC'> {
  override readonly name = 'ProviderRpcError'
  /** Name of the RPC method. */
  declare readonly method: string
  /** Origin and path of the server. */
  declare readonly url: string
  /** Code of the JSON-RPC error. */
  declare readonly rpcCode: number
  /** Name of the code, e.g. `MethodNotFound`. */
  declare readonly rpcName: string
  constructor({ method, url }: ProviderRequestDetails, rpcCode: number, rpcName: string, message: string) {
    super('PROVIDER_RPC', `${method} at ${url} failed: ${rpcName} (${rpcCode}).`, { got: message })
    this.method = method
    this.url = url
    this.rpcCode = rpcCode
    this.rpcName = rpcName
  }
}

/** The node refused a transaction, and does not know it already. */
export class SubmitRejectedError extends LayerSdkError<'PROVIDER_SUBMIT_REJECTED'> {
  override readonly name = 'SubmitRejectedError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** The node's own words. */
  declare readonly reason: string
  /** The Rpc's error code, e.g. 3117; the HTTP status from the Indexer, which has no codes. */
  declare readonly nodeCode: number
  /** Name of the code, e.g. `UnknownOutputReferences`. */
  declare readonly nodeCodeName: string
  /** Id of the refused transaction. */
  declare readonly txId: string
  constructor(txId: string, nodeCode: number, nodeCodeName: string, reason: string) {
    super('PROVIDER_SUBMIT_REJECTED', `Transaction ${txId} was refused: ${nodeCodeName} (${nodeCode}).`, {
      got: reason
    })
    this.txId = txId
    this.nodeCode = nodeCode
    this.nodeCodeName = nodeCodeName
    this.reason = reason
  }
}
