import type { LayerBridge } from '../bridge/inner.js'
import { parseAddress } from '../codec/address.js'
import { NETWORK_ID, SLOT_CONFIG } from '../constants.js'
import type { NetworkName } from '../constants.js'
import { isLayerError } from '../errors/base.js'
import { now } from '../net/timers.js'
import type { TxParameters } from '../tx/inner.js'
import { txParametersFromProtocol } from '../tx/inner.js'
import { PartyWatch } from './PartyWatch.js'
import { WithdrawTurns } from './WithdrawTurns.js'
import type { WithdrawPause } from './WithdrawTurns.js'

/** Minimum wait between a failure of GET /head and the next request for the parties, ms. */
const PARTIES_RETRY_MS = 10_000

/** Dependencies of the {@link HeadLedger}. */
export interface LedgerDependencies {
  /** Connection to the head's node. */
  readonly bridge: LayerBridge
  /** Network of the base ledger; null: not known. */
  readonly network: NetworkName | null
  /** Pause, or comparison with the other parties' nodes, between a final decommit and the next one. */
  readonly withdrawPause: WithdrawPause
  /** Addresses of the wallet; null until known. */
  readonly addresses: () => readonly string[] | null
  /** Called when the parties are known. */
  readonly onChange: () => void
}

/**
 * Facts about the head that its node reports (parameters, slots, parties), and the order of this client's decommits.
 */
export class HeadLedger {
  /** Queue of this client's withdrawals. */
  readonly withdrawals: WithdrawTurns
  /** Late snapshots, the node's peers, and contests of the closing. */
  readonly partyWatch: PartyWatch
  readonly #dependencies: LedgerDependencies
  #parameters: { readonly key: string; readonly value: Promise<TxParameters> } | null = null
  #parties: { readonly headId: string | null; readonly vkeys: readonly string[] } | null = null
  #partiesRequest: { readonly headId: string | null; readonly vkeys: Promise<string[]> } | null = null
  /** The last failed request of the parties: reading the status does not repeat it at once. */
  #partiesFailure: { readonly headId: string | null; readonly at: number } | null = null

  constructor(dependencies: LedgerDependencies) {
    this.#dependencies = dependencies
    const { bridge, withdrawPause, onChange } = dependencies
    this.partyWatch = new PartyWatch({ bridge, onChange, loadParties: () => this.loadParties() })
    this.withdrawals = new WithdrawTurns(bridge, () => this.loadParties(), withdrawPause)
  }

  /**
   * Returns the head's own parameters, requested once per head and version of its node. @throws the errors of
   * `bridge.getProtocolParameters()`
   */
  loadParameters(): Promise<TxParameters> {
    const { bridge } = this.#dependencies
    const { headId, nodeVersion } = bridge.getSnapshot()
    const key = `${headId}|${nodeVersion}`
    if (this.#parameters?.key !== key) {
      const value = bridge.getProtocolParameters().then(txParametersFromProtocol)
      const entry = (this.#parameters = { key, value })
      value.catch(() => {
        if (this.#parameters === entry) this.#parameters = null
      })
    }
    return this.#parameters!.value
  }

  /** Keys of the head's parties; null until known. */
  get parties(): readonly string[] | null {
    const { headId, state } = this.#dependencies.bridge.getSnapshot()
    if (this.#parties !== null && this.#parties.headId === headId) return this.#parties.vkeys
    const isDue = this.#partiesFailure?.headId !== headId || now() - this.#partiesFailure.at >= PARTIES_RETRY_MS
    if (headId !== null && state === 'connected' && isDue) void this.loadParties().catch(() => undefined)
    return null
  }

  /**
   * Requests the head's parties from the node, once per head. Hydra verification keys: hex. @throws the errors of
   * `bridge.headInfo()`
   */
  async loadParties(): Promise<string[]> {
    const { bridge, onChange } = this.#dependencies
    const { headId } = bridge.getSnapshot()
    if (this.#parties?.headId !== headId) {
      if (this.#partiesRequest?.headId !== headId)
        this.#partiesRequest = { headId, vkeys: this.#requestParties(headId) }
      const vkeys = await this.#partiesRequest.vkeys
      this.#parties = { headId, vkeys: Object.freeze(vkeys) }
      onChange()
    }
    return [...this.#parties!.vkeys]
  }

  async #requestParties(headId: string | null): Promise<string[]> {
    try {
      const { parties } = await this.#dependencies.bridge.headInfo()
      return parties.map(({ vkey }) => vkey)
    } catch (error) {
      // Nodes and gateways without the route.
      if (isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR') || isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_NODE'))
        return []
      this.#partiesRequest = null
      this.#partiesFailure = { headId, at: now() }
      throw error
    }
  }

  /**
   * Slots of the head's ledger; null when the node does not report them and the network is not known. `zeroTime` (ms
   * since the Unix epoch) is the start of `zeroSlot`; `slotLength`: ms.
   */
  get slotConfig(): { readonly zeroTime: number; readonly zeroSlot: number; readonly slotLength: number } | null {
    const zeroTime = this.#dependencies.bridge.slotZeroTimestamp
    // The slots of a head are those of the base ledger: one second each.
    if (zeroTime !== null) return { zeroTime, zeroSlot: 0, slotLength: 1_000 }
    const network = this.#dependencies.network ?? this.#networkOfAddresses()
    return network === null ? null : SLOT_CONFIG[network.toUpperCase() as keyof typeof SLOT_CONFIG]
  }

  /**
   * Returns the slot of the head's ledger at a time; null when the node does not report its slots and the network is
   * not known. `timeMs`: ms since the Unix epoch.
   */
  slotAt(timeMs: number): number | null {
    const config = this.slotConfig
    return config === null ? null : config.zeroSlot + Math.floor((timeMs - config.zeroTime) / config.slotLength)
  }

  #networkOfAddresses(): NetworkName | null {
    const [address] = this.#dependencies.addresses() ?? []
    // A test address may be of preprod, preview or a local network.
    return address !== undefined && parseAddress(address).networkId === NETWORK_ID.MAINNET ? 'mainnet' : null
  }
}
