// Apart from the other provider errors: only the modules of submissions and of the Rpc need these.
import { LayerSdkError } from './base.js'
import type { ProviderRequestDetails } from './provider.js'

/** An RPC method of a provider answered with an error; `rpcCode` and `rpcName` describe it. */
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

/**
 * A node of the base ledger refused a submitted transaction, which is not known there. Read `reason`, and correct it.
 */
export class SubmitRejectedError extends LayerSdkError<'PROVIDER_SUBMIT_REJECTED'> {
  override readonly name = 'SubmitRejectedError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** The node's own text. */
  declare readonly reason: string
  /** Error code of the RPC provider, e.g. 3117. The indexer provider has no such codes: its HTTP status. */
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
