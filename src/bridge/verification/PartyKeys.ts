import { parseJson } from '../../codec/json.js'
import { startTimer } from '../../net/timers.js'
import type { Hex } from '../../types/utxo.js'
import type { Connector } from '../connection/Connector.js'
import type { BridgeVerification, VerifyModule } from './types.js'

/** Time limit of GET /head. */
const HEAD_TIMEOUT_MS = 10_000

/** The head keys of the parties: those of the options, or those that the server names for each head. */
export class PartyKeys {
  readonly #connector: Connector
  readonly #parties: BridgeVerification['parties']
  readonly #verify: VerifyModule
  readonly #ofHead = new Map<string, readonly Hex[]>()

  constructor(connector: Connector, parties: BridgeVerification['parties'], verify: VerifyModule) {
    this.#connector = connector
    this.#parties = parties
    this.#verify = verify
  }

  /** Returns the keys, the same array for the same head. @throws the errors of the request */
  async of(headId: string): Promise<readonly Hex[]> {
    if (this.#parties !== 'from-head') return this.#parties
    const cachedKeys = this.#ofHead.get(headId)
    if (cachedKeys !== undefined) return cachedKeys
    const abort = new AbortController()
    const stopTimer = startTimer(HEAD_TIMEOUT_MS, () => abort.abort(new Error('GET /head was not answered.')))
    try {
      const { text } = await this.#connector.request({ method: 'GET', path: '/head', signal: abort.signal })
      const named = this.#verify.partiesFromHead(parseJson(text, 'The body of GET /head'))
      this.#ofHead.set(headId, named)
      return named
    } finally {
      stopTimer()
    }
  }
}
