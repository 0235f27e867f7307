import { countRequest } from '../../party/counters.js'
import { submitBaseTx } from '../../deposits/submitBaseTx.js'
import { BaseChain } from '../../chain/BaseChain.js'
import type { Party } from '../../party/Party.js'
import type { BaseRequest, BaseRpcConnection } from './baseApi.js'
import { answerBaseRequest, baseApiOf } from './baseApi.js'
import type { DevNodeReply } from './DevNodeReply.js'

/** The endpoints of the base ledger for clients; their requests are counted. */
export class BaseEndpoints {
  readonly #party: Party
  #chain: BaseChain | null = null

  constructor(party: Party) {
    this.#party = party
  }

  request(request: BaseRequest): Promise<DevNodeReply> {
    countRequest(this.#party.counters, request.method, baseApiOf(request.path))
    return answerBaseRequest(request, this.#shown())
  }

  /** Opens a connection to the JSON-RPC, as a WebSocket is one. */
  async openRpc(): Promise<BaseRpcConnection> {
    const { RpcSession } = await import('../ogmios/RpcSession.js')
    const session = new RpcSession(this.#shown())
    return {
      answer: async (text) => {
        countRequest(this.#party.counters, 'RPC', '/')
        return (await session.answer(text))?.text ?? null
      }
    }
  }

  #shown(): BaseChain {
    const party = this.#party
    return (this.#chain ??= new BaseChain({
      ...party.chain,
      lagBlocks: () => party.faults.faceLagBlocks,
      submit: (tx) => submitBaseTx(tx, party)
    }))
  }
}
