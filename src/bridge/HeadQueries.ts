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
 * The part of a `LayerBridge` that requests what the node knows: it changes neither head nor ledger.
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
   * The head as GET /head describes it. @throws {@link BridgeRequestError} when the node refuses or does not answer,
   * {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async headInfo(options?: RequestBounds): Promise<HeadInfo> {
    return withSignal(this.#context.node, options, headInfo)
  }

  /**
   * The protocol parameters that fees and limits need. @throws {@link BridgeRequestError} when the node refuses or does
   * not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async getProtocolParameters(options?: RequestBounds): Promise<Protocol> {
    return withSignal(this.#context.node, options, protocolParameters)
  }

  /**
   * The node's protocol parameters, unmodified. @throws {@link BridgeRequestError} when the node refuses or does not
   * answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async getRawProtocolParameters(options?: RequestBounds): Promise<RawProtocolParameters> {
    return withSignal(this.#context.node, options, rawProtocolParameters)
  }

  /**
   * Outputs of the current snapshot, requested from the node; they fill the cache. `{}` when there is no head.
   * @throws {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async querySnapshotUtxo(options?: RequestBounds): Promise<UTxOObject> {
    return withSignal(this.#context.node, options, () => this.#context.sync.query())
  }

  /**
   * With the option `verify`: checks the arrived snapshots that wait for a check, which with `noSnapshotUtxo` happens
   * at intervals, and resolves when all of it is verified or refused (`onUnverified`).
   * @returns the number of the newest verified snapshot, as `getSnapshot().verified` shows it; -1 before the first
   * @throws {@link BridgeOptionsError} without the option
   */
  async verifyNow(): Promise<number> {
    const { verifier } = this.#context
    if (verifier === null) throw new BridgeOptionsError('verify', 'the keys of the parties', undefined)
    return verifier.verifyNow()
  }

  /**
   * The newest confirmed snapshot with the signatures of the parties, requested from the node: the input of
   * `sideLoadSnapshot` and of `getProof` of `layer-sdk/verify`. Null where there is no head.
   * @throws {@link UnsupportedByNodeError} before 0.21, {@link BridgeRequestError} when the node refuses or does not
   * answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}; with the option
   * `verify` {@link VerificationError}
   */
  async confirmedSnapshot(options?: RequestBounds): Promise<ConfirmedSnapshot | null> {
    return withSignal(this.#context.node, options, confirmedSnapshot)
  }

  /**
   * Tells beforehand whether the node will refuse a snapshot as `sideLoadSnapshot`: compares it with the node's newest
   * one, by number, version and what is on its way in and out. After a replay a node is often of another version, and
   * refuses every stored snapshot that is newer.
   * @returns the reason, or null where none is seen; signatures are the node's to check
   * @example
   * ```ts no-run
   * const refusal = await bridge.sideLoadRefusal(stored)
   * if (refusal === null) bridge.commands.sideLoadSnapshot(stored)
   * else console.log(refusal.tag, refusal.what)
   * ```
   * @throws as {@link confirmedSnapshot}
   */
  async sideLoadRefusal(snapshot: ConfirmedSnapshot, options?: RequestBounds): Promise<SideLoadRefusal | null> {
    const own = await this.confirmedSnapshot(options)
    const { sideLoadRefusal } = await import('./moves/sideLoadRefusal.js')
    return sideLoadRefusal(snapshot, own)
  }

  /**
   * Finds the outcome of a transaction by its id alone: from the head's outputs, the newest snapshot, or the
   * node's history, which is read once for all lookups of the same time.
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
   * `receipts()` and `getTransaction()` of the head client are made of it.
   * @beta
   * @throws {@link UnsupportedByConnectorError} where there is neither; {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError} when the signal ends it, the errors of the connection and of the receiver
   */
  async readLedger(reading: LedgerReading): Promise<LedgerReadingEnd> {
    const { readLedger } = await import('./history/readLedger.js')
    return readLedger(this.#context.node, reading)
  }

  /**
   * Requests the transactions that no snapshot has confirmed yet, the decommit that is on its way, and the time of its
   * ledger. For questions that state and messages leave open, e.g. whether a transaction that has expired can still be
   * in a snapshot being signed.
   *
   * @throws {@link BridgeRequestError}, {@link UnsupportedByConnectorError}, {@link UnsupportedByNodeError} before
   * 0.22, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}
   */
  async inFlight(options?: RequestBounds): Promise<HeadInFlight> {
    return withSignal(this.#context.node, options, inFlight)
  }

  /**
   * The node's stored messages that name one of these ids (transactions, deposits), oldest first. Reads its whole
   * history once, over a connection of its own; outputs of snapshots are left out.
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
   * Outputs of an address, from the cache, which is seeded first where it is cold. The objects are the caller's.
   *
   * @param options - bounds of the list: an address with very many outputs costs no more than the listed part.
   * @example
   * ```ts no-run
   * const some = await bridge.queryAddressUTxO(address, { atLeast: 5_000_000n, limit: 50 })
   * ```
   * @throws {@link InvalidAddressError} as `getAddressBalance`; {@link InvalidArgumentError} on options of
   * another kind; while the cache is cold, the errors of {@link querySnapshotUtxo}
   */
  async queryAddressUTxO(address: string, options: AddressUTxOOptions & RequestBounds = {}): Promise<UTxO[]> {
    const { signal, ...rest } = options ?? {}
    const bounds = checkBounds(rest)
    const resolved = this.#addresses.resolve(address)
    const held = this.#context.cache.utxos(resolved, bounds)
    if (held !== null) return held
    const outputs = await this.querySnapshotUtxo({ signal })
    const utxos = utxoFromJson(outputs)
    this.#addresses.assertNetwork(resolved, utxos)
    const own = Object.fromEntries(Object.entries(outputs).filter(([, output]) => output.address === resolved))
    return selectOutputs(Object.keys(own), (key) => own[key]!, bounds).flatMap((key) =>
      utxoFromJson({ [key]: own[key]! })
    )
  }

  /**
   * Addresses that hold outputs in the head, from the cache, which is seeded first where it is cold.
   * @throws the errors of {@link querySnapshotUtxo}, while the cache is cold
   */
  async addressesInHead(options?: RequestBounds): Promise<string[]> {
    return (
      this.#context.cache.addresses() ?? [
        ...new Set(Object.values(await this.querySnapshotUtxo(options)).map(({ address }) => address))
      ]
    )
  }

  /**
   * Ids of deposits seen on chain that are neither in the head nor recovered.
   * @throws {@link UnsupportedByNodeError}, {@link BridgeRequestError} when the node refuses or does not answer,
   * {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async pendingDeposits(options?: RequestBounds): Promise<string[]> {
    return withSignal(this.#context.node, options, pendingDeposits)
  }
}
