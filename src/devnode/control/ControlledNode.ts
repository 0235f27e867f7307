import type { Amount } from '../../types/utxo.js'
import type { FundedInHead } from './fundHead.js'
import type { NodeControl } from './NodeControl.js'
import type { DevNodeStatus, DevNodeTime } from './status.js'

/**
 * Control of a running node, in process; `startDevNode({ control: true })` serves the same over HTTP.
 *
 * @example
 * ```ts
 * import { DevNode } from 'layer-sdk/devnode'
 * const node = new DevNode({ open: true })
 * await node.advanceTime(86_400_000)
 * console.log((await node.status()).head.status) // Open
 * await node.stop()
 * ```
 */
export abstract class ControlledNode {
  /** @internal Loaded when it is first used. */
  protected abstract control(): Promise<NodeControl>

  /** What the node says of itself: versions, endpoints, head, accounts, faults and counters. */
  async status(): Promise<DevNodeStatus> {
    return (await this.control()).status()
  }

  /**
   * Brings outputs with so much lovelace, or such amounts, into the open head: funded on the base ledger and deposited as their owner would. Resolves
   * when the deposit is final.
   *
   * @example
   * ```ts
   * import { DevNode } from 'layer-sdk/devnode'
   * const node = new DevNode({ open: true })
   * const { utxos } = await node.fundHead(node.keys[0]!.address, 5_000_000n)
   * console.log(utxos.length) // 1
   * await node.stop()
   * ```
   * @throws {@link InvalidAddressError} @throws {@link InvalidArgumentError} when the head takes no such output. @throws {@link DevNodeStateError}
   * when no head is open, or the deposit does not get into it (as rejections).
   */
  async fundHead(address: string, ...outputs: readonly (bigint | readonly Amount[])[]): Promise<FundedInHead> {
    return (await this.control()).fundHead(address, outputs)
  }

  /**
   * Moves the node's time on: everything that falls due on the way happens, in order and at its own time. Resolves with the time
   * afterwards.
   *
   * @param ms - how far, ms, from 0; not beyond the year 9998.
   * @throws {@link InvalidArgumentError} (as a rejection)
   */
  async advanceTime(ms: number): Promise<DevNodeTime> {
    return (await this.control()).advanceTime(ms)
  }

  /**
   * Asks for no signature of an address's keys any more, on both ledgers: for transactions in the name of somebody whose keys are elsewhere. Resolves
   * with all such addresses.
   *
   * @throws {@link InvalidAddressError} @throws {@link InvalidArgumentError} on an address of another network, or without a key (as rejections).
   */
  async impersonate(address: string): Promise<readonly string[]> {
    return (await this.control()).impersonate(address)
  }
}
