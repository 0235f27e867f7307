import type { Amount } from '../../../types/utxo.js'
import type { DevNodeState } from '../../saved/document.js'
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

  /** Returns versions, endpoints, head, accounts, faults and counters of the node. */
  async status(): Promise<DevNodeStatus> {
    return (await this.control()).status()
  }

  /**
   * Brings outputs with these amounts into the open head: they are funded on the base ledger and deposited as their
   * owner would do it. Resolves when the deposit is final.
   *
   * @example
   * ```ts
   * import { DevNode } from 'layer-sdk/devnode'
   * const node = new DevNode({ open: true })
   * const { utxos } = await node.fundHead(node.keys[0]!.address, 5_000_000n)
   * console.log(utxos.length) // 1
   * await node.stop()
   * ```
   * @throws {@link InvalidAddressError} @throws {@link InvalidArgumentError} when the head accepts no such output.
   * @throws {@link DevNodeStateError} when no head is open, or the deposit does not get into it (as rejections).
   */
  async fundHead(address: string, ...outputs: readonly (bigint | readonly Amount[])[]): Promise<FundedInHead> {
    return (await this.control()).fundHead(address, outputs)
  }

  /**
   * Moves the node's time forward: all that falls due meanwhile happens, in order and at its own time. Resolves with
   * the new time.
   *
   * @param ms - how far, ms, from 0; not beyond the year 9998.
   * @throws {@link InvalidArgumentError} (as a rejection)
   */
  async advanceTime(ms: number): Promise<DevNodeTime> {
    return (await this.control()).advanceTime(ms)
  }

  /**
   * Keeps a snapshot of the whole state of the node and of its other parties (ledgers, head, deposits, messages,
   * faults, impersonations, time) in memory, and resolves with its id. The last 100 are kept.
   */
  async snapshotState(): Promise<string> {
    return (await this.control()).snapshotState()
  }

  /**
   * Restores a state that {@link snapshotState} has kept, as often as needed. All connections end with close code 1012,
   * as in a restart; counters are not reset.
   *
   * @throws {@link DevNodeStateError} when there is no such snapshot (as a rejection).
   */
  async revertState(id: string): Promise<void> {
    return (await this.control()).revertState(id)
  }

  /**
   * Resolves with the whole state of the node as one JSON document, for {@link loadState} of this node, or of one with
   * the same profile, network, seed, parties and parameters.
   */
  async dumpState(): Promise<DevNodeState> {
    return (await this.control()).dumpState()
  }

  /**
   * Replaces the node's state by a document of {@link dumpState}. Connections end as in {@link revertState}. Resolves
   * with the time afterwards.
   *
   * @throws {@link InvalidArgumentError} on a value that is not a state, or a damaged one. @throws
   * {@link DevNodeStateError} on the state of a node with another profile, network, seed, other parties or parameters,
   * or of another fork (as rejections).
   */
  async loadState(state: DevNodeState): Promise<DevNodeTime> {
    return (await this.control()).loadState(state)
  }

  /**
   * Stops requiring signatures of an address's keys, on both ledgers, so that transactions can be made in the name of
   * an owner whose keys are elsewhere. Resolves with all such addresses.
   *
   * @throws {@link InvalidAddressError} @throws {@link InvalidArgumentError} on an address of another network, or
   * without a key (as rejections).
   */
  async impersonate(address: string): Promise<readonly string[]> {
    return (await this.control()).impersonate(address)
  }

  /** Stops the node. */
  abstract stop(): Promise<void>

  /** Stops the node as {@link DevNode.stop} does, by the name that clients and bridges use. */
  async disconnect(): Promise<void> {
    await this.stop()
  }

  /** Stops the node as {@link DevNode.stop} does, at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}
