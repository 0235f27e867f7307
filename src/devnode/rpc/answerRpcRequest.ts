import type { FaceReply, FaceRequest } from '../baseFace.js'
import type { BaseChain } from '../ledger/BaseChain.js'
import { answerRpc } from './answerRpc.js'

/** Answers over HTTP as Ogmios does: one call is one POST. */
export async function answerRpcRequest({ body }: FaceRequest, chain: BaseChain): Promise<FaceReply> {
  return { status: 200, body: await answerRpc(new TextDecoder().decode(body), chain) }
}
