import { BridgeOptionsError } from '../errors/bridge.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { UTxO } from '../types/utxo.js'
import type { BridgeContext } from './BridgeContext.js'
import { CachedHead } from './CachedHead.js'
import { type RequestBounds, withSignal } from './connection/withSignal.js'
import type { HeadAddresses } from './head/HeadAddresses.js'
import { type AddressUTxOOptions, checkBounds, selectOutputs } from './head/selectOutputs.js'
import type { LedgerReading, LedgerReadingEnd } from './history/LedgerReading.js'
import {
  confirmedSnapshot,
  headInfo,
  pendingDeposits,
  protocolParameters,
  rawProtocolParameters
} from './moves/nodeQueries.js'
import type { SideLoadRefusal } from './moves/sideLoadRefusal.js'
import type { LayerPayload } from './protocol/messages.js'
import type { ConfirmedSnapshot, HeadInfo, Protocol, RawProtocolParameters, UTxOObject } from './protocol/types.js'
import { utxoFromJson } from './protocol/utxoJson.js'
import { createTxFinder, type FoundTransaction } from './txs/findTransaction.js'
import { type HeadInFlight, inFlight, messagesAbout } from './txs/inFlight.js'

/**
 * The part of a `LayerBridge` with the read-only requests to the node: none of them changes the head or its ledger.
 *
 * @example
 * ```ts no-run
 * const { minFeeA } = await bridge.getProtocolParameters()
 * console.log(minFeeA, await bridge.addressesInHead())
 * ```
 */
export class HeadQueries extends CachedHead {
  readonly #context: BridgeContext
  readonly #addresses: HeadAddresses
  readonly #findTransaction: (txId: string) => Promise<FoundTransaction>

  /** @internal */
  protected constructor(context: BridgeContext, addresses: HeadAddresses) {
    super(context, addresses)
    this.#context = context
    this.#addresses = addresses
    this.#findTransaction = createTxFinder({ ...context.node, cache: context.cache })
  }

  /**
   * Requests the head's id, state and parties (GET /head). @throws {@link BridgeRequestError} when the node refuses or
   * does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async headInfo(options?: RequestBounds): Promise<HeadInfo> {
    return withSignal(this.#context.node, options, headInfo)
  }

  /**
   * Requests the protocol parameters of the head's ledger, as fee and size calculations need them; without cost models.
   * @throws {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async getProtocolParameters(options?: RequestBounds): Promise<Protocol> {
    return withSignal(this.#context.node, options, protocolParameters)
  }

  /**
   * Requests the node's protocol parameters and returns them unmodified. @throws {@link BridgeRequestError} when the
   * node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async getRawProtocolParameters(options?: RequestBounds): Promise<RawProtocolParameters> {
    return withSignal(this.#context.node, options, rawProtocolParameters)
  }

  /**
   * Requests the outputs of the current snapshot from the node, and stores them in the cache. Returns `{}` when there
   * is no head.
   * @throws {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async querySnapshotUtxo(options?: RequestBounds): Promise<UTxOObject> {
    return withSignal(this.#context.node, options, () => this.#context.sync.query())
  }

  /**
   * With the option `verify`: checks at once the snapshots that have arrived and still wait for their check (with
   * `noSnapshotUtxo`, checks otherwise run at intervals). Resolves when each of them is verified or refused
   * (`onUnverified`).
   * @returns the number of the newest verified snapshot, as `getSnapshot().verified` shows it; -1 before the first
   * @throws {@link BridgeOptionsError} without the option
   */
  async verifyNow(): Promise<number> {
    const { verifier } = this.#context
    if (verifier === null) throw new BridgeOptionsError('verify', 'the keys of the parties', undefined)
    return verifier.verifyNow()
  }

  /**
   * Requests the newest confirmed snapshot with the signatures of the parties. It is the argument of
   * `sideLoadSnapshot`, and of `getProof` of `layer-sdk/verify`. Null where there is no head.
   * @throws {@link UnsupportedByNodeError} before 0.21, {@link BridgeRequestError} when the node refuses or does not
   * answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}; with the option
   * `verify` {@link VerificationError}
   */
  async confirmedSnapshot(options?: RequestBounds): Promise<ConfirmedSnapshot | null> {
    return withSignal(this.#context.node, options, confirmedSnapshot)
  }

  /**
   * Predicts whether the node would refuse a snapshot given to `sideLoadSnapshot`, without sending it: compares its
   * number, version, pending deposit and pending withdrawal with those of the node's newest snapshot. A node that has
   * replayed the chain often has a different version, and then refuses every stored snapshot that is newer than its
   * own.
   * @returns the reason for a refusal, or null where none was found. The signatures are not checked: only the node does
   * that
   * @example
   * ```ts no-run
   * const refusal = await bridge.sideLoadRefusal(stored)
   * if (refusal === null) bridge.commands.sideLoadSnapshot(stored)
   * else console.log(refusal.tag, refusal.what)
   * ```
   * @throws as {@link confirmedSnapshot}
   */
  async sideLoadRefusal(snapshot: ConfirmedSnapshot, options?: RequestBounds): Promise<SideLoadRefusal | null> {
    const nodeSnapshot = await this.confirmedSnapshot(options)
    const { sideLoadRefusal } = await import('./moves/sideLoadRefusal.js')
    return sideLoadRefusal(snapshot, nodeSnapshot)
  }

  /**
   * Finds the outcome of a transaction by its id alone: from the head's outputs, the newest snapshot, or the node's
   * history, which is read once for all lookups that run at the same time.
   *
   * @throws {@link NotConnectedError}, {@link BridgeRequestError}, {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError} when the connection is lost meanwhile
   */
  async findTransaction(txId: string, options?: RequestBounds): Promise<FoundTransaction> {
    // Lookups share a reading of the history: the signal ends this wait for it.
    return withSignal(this.#context.node, options, () => this.#findTransaction(txId))
  }

  /**
   * Reads the changes of the ledger up to now, in their order: from the node's history, or from the log of a gateway.
   * `receipts()` and `getTransaction()` of the head client are built on it.
   * @beta
   * @throws {@link UnsupportedByConnectorError} where the connector offers neither; {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError} when the signal ends it, the errors of the connection and of the receiver
   */
  async readLedger(reading: LedgerReading): Promise<LedgerReadingEnd> {
    const { readLedger } = await import('./history/readLedger.js')
    return readLedger(this.#context.node, reading)
  }

  /**
   * Requests the work that the node has not finished: the transactions that no snapshot has confirmed yet, the pending
   * decommit, and the slot that its ledger has reached. Use it for questions that the bridge's state and messages leave
   * open, e.g. whether an expired transaction can still be in a snapshot that is being signed.
   *
   * @throws {@link BridgeRequestError}, {@link UnsupportedByConnectorError}, {@link UnsupportedByNodeError} before
   * 0.22, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}
   */
  async inFlight(options?: RequestBounds): Promise<HeadInFlight> {
    return withSignal(this.#context.node, options, inFlight)
  }

  /**
   * Returns the node's stored messages that contain one of these ids (of transactions or deposits), oldest first. Reads
   * the node's whole history once, over a separate connection; snapshots come without their outputs.
   *
   * @throws {@link UnsupportedByConnectorError}, {@link BridgeTimeoutError} after 30 s, {@link BridgeDisconnectedError}
   * when the bridge's connection is lost meanwhile, or the error of the connection
   */
  async messagesAbout(ids: readonly string[], options?: RequestBounds): Promise<LayerPayload[]> {
    if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string' || id === ''))
      throw new InvalidArgumentError('ids', 'a list of ids: hex', ids)
    return withSignal(this.#context.node, options, (node) => messagesAbout(node, ids))
  }

  /**
   * Returns the outputs of an address from the cache; where that has no outputs yet, requests them from the node first.
   * The objects are copies that the caller may change.
   *
   * @param options - limits of the list. Of an address with very many outputs, only the listed ones are copied.
   * @example
   * ```ts no-run
   * const some = await bridge.queryAddressUTxO(address, { atLeast: 5_000_000n, limit: 50 })
   * ```
   * @throws {@link InvalidAddressError} as `getAddressBalance`; {@link InvalidArgumentError} on invalid options; while
   * the cache has no outputs, the errors of {@link querySnapshotUtxo}
   */
  async queryAddressUTxO(address: string, options: AddressUTxOOptions & RequestBounds = {}): Promise<UTxO[]> {
    const { signal, ...rest } = options ?? {}
    const bounds = checkBounds(rest)
    const resolved = this.#addresses.resolve(address)
    const cachedUtxos = this.#context.cache.utxos(resolved, bounds)
    if (cachedUtxos !== null) return cachedUtxos
    const outputs = await this.querySnapshotUtxo({ signal })
    const utxos = utxoFromJson(outputs)
    this.#addresses.assertNetwork(resolved, utxos)
    const addressOutputs = Object.fromEntries(
      Object.entries(outputs).filter(([, output]) => output.address === resolved)
    )
    return selectOutputs(Object.keys(addressOutputs), (key) => addressOutputs[key]!, bounds).flatMap((key) =>
      utxoFromJson({ [key]: addressOutputs[key]! })
    )
  }

  /**
   * Returns the addresses that hold outputs in the head, from the cache; where that has no outputs yet, requests them
   * from the node first.
   * @throws the errors of {@link querySnapshotUtxo}, while the cache has no outputs
   */
  async addressesInHead(options?: RequestBounds): Promise<string[]> {
    return (
      this.#context.cache.addresses() ?? [
        ...new Set(Object.values(await this.querySnapshotUtxo(options)).map(({ address }) => address))
      ]
    )
  }

  /**
   * Requests the ids of deposits that were seen on chain and are neither in the head nor recovered.
   * @throws {@link UnsupportedByNodeError}, {@link BridgeRequestError} when the node refuses or does not answer,
   * {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async pendingDeposits(options?: RequestBounds): Promise<string[]> {
    return withSignal(this.#context.node, options, pendingDeposits)
  }
}
