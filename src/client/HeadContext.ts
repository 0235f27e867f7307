import type { LayerBridge } from '../bridge/inner.js'
import type { TxParameters } from '../tx/inner.js'

/** Parameters and slots of the head's ledger, for programs that build transactions themselves. */
export interface HeadRules {
  /**
   * Slots of the head's ledger; null when the node does not report them and the network is not known. `zeroTime` (ms
   * since the Unix epoch) is the start of `zeroSlot`; `slotLength`: ms.
   */
  readonly slotConfig: { readonly zeroTime: number; readonly zeroSlot: number; readonly slotLength: number } | null
  /**
   * Returns the head's own parameters, requested once per head and version of its node. @throws the errors of
   * `bridge.getProtocolParameters()`
   */
  loadParameters(): Promise<TxParameters>
  /** Returns the slot of the head's ledger at a time, ms since the Unix epoch; null where the slots are not known. */
  slotAt(timeMs: number): number | null
}

/**
 * State that the actions of one head client share. It is opaque: actions receive it, and adapters read the bridge and
 * the rules of the ledger.
 *
 * @example
 * ```ts no-run
 * import { getBalance } from 'layer-sdk/client'
 * console.log(getBalance(head.context)?.confirmed.lovelace)
 * ```
 */
export interface HeadContext {
  /** The connection, and the head's confirmed state. */
  readonly bridge: LayerBridge
  /** Parameters and slots of the head's ledger. */
  readonly ledger: HeadRules
}
