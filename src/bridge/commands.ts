import { isHex } from '../codec/isHex.js'
import { InvalidHexError } from '../errors/input.js'
import type { BridgeEmitter } from './delivery/events.js'
import type { MoveContext } from './moves/MoveContext.js'
import type { ConfirmedSnapshot, TransactionJson, UTxOObject } from './protocol/types.js'
import { decommit } from './moves/decommit.js'
import type { DecommitPayload, DecommitResult } from './moves/decommit.js'
import { initSync } from './moves/initHead.js'
import type { InitOptions, InitResult } from './moves/initHead.js'
import { buildInput } from './protocol/encode.js'

/**
 * Commands to the head. A command without a result has been sent when its method returns; its effect arrives as
 * messages, a refusal as the event `onCommandRefused`. Without a connection each throws `BRIDGE_NOT_CONNECTED`; no
 * command is ever queued or sent twice.
 */
export interface BridgeCommands {
  /**
   * Opens a head (when there is none).
   * @throws {@link NotConnectedError} without a connection; no command was sent
   */
  init(): void
  /** Aborts a head that is initializing (nodes before 2.0). @throws {@link NotConnectedError} */
  abort(): void
  /**
   * Closes the head (when it is open).
   * @throws {@link NotConnectedError} without a connection; no command was sent
   */
  close(): void
  /**
   * Closes the head if it holds only ada; otherwise the node refuses with the message InvalidInput.
   * @throws {@link NotConnectedError} without a connection; no command was sent
   */
  safeClose(): void
  /**
   * Gives the node a snapshot that all parties have signed, to adopt as its newest one: pass the body of GET /snapshot
   * unchanged. `bridge.sideLoadRefusal` predicts whether the node will refuse it.
   * @throws {@link NotConnectedError} without a connection; no command was sent
   */
  sideLoadSnapshot(snapshot: ConfirmedSnapshot): void
  /**
   * Fans out (pays out on the base ledger) some of a closed head's outputs (nodes newer than 2.3.0). Pass the outputs
   * unchanged, as the node sent them.
   * @throws {@link NotConnectedError} without a connection; no command was sent
   */
  partialFanout(utxo: UTxOObject): void
  /**
   * Fans out a closed head: pays its outputs out on the base ledger. Wait for the message ReadyToFanout first.
   * @throws {@link NotConnectedError} without a connection; no command was sent
   */
  fanout(): void
  /**
   * Contests the closing. Nodes contest by themselves and refuse this command.
   * @throws {@link NotConnectedError} without a connection; no command was sent
   */
  contest(): void
  /**
   * Recovers a deposit by its transaction id; `bridge.recoverDeposit` returns the outcome.
   * @throws {@link NotConnectedError} without a connection; no command was sent
   */
  recover(recoverTxId: string): void
  /**
   * Sends a signed transaction into the head. `callback` is called once the transaction has been sent; its type also
   * accepts callbacks that are declared as `Function`.
   * @throws {@link InvalidHexError} when `cborHex` is not hex, {@link NotConnectedError} without a connection; no
   * command was sent
   */
  newTx(cborHex: string, description: string, callback?: (() => unknown) | Function): void
  /**
   * Withdraws all outputs of a signed transaction from the head, change included; resolves when all parties have
   * approved.
   * @throws {@link InvalidArgumentError}, {@link NotConnectedError}, {@link CommandRefusedError},
   * {@link BridgeTimeoutError} or {@link BridgeDisconnectedError}, as rejections
   */
  decommit(payload: DecommitPayload): Promise<DecommitResult>
  /**
   * Opens a head and waits until the node reports it: at most `retry` attempts (default 3) of `interval` ms each
   * (default 20000). An aborted `signal` ends the wait with its reason, and no further command is sent.
   * @throws {@link InvalidArgumentError}, {@link NotConnectedError}, {@link CommandRefusedError},
   * {@link BridgeTimeoutError} or {@link BridgeDisconnectedError}, as rejections
   */
  initSync(retry?: number, interval?: number, options?: InitOptions): Promise<InitResult>
}

/** The commands of one bridge. */
export function createCommands(context: MoveContext & { readonly emitter: BridgeEmitter }): BridgeCommands {
  return {
    init: () => context.send(buildInput('Init')),
    abort: () => context.send(buildInput('Abort')),
    close: () => context.send(buildInput('Close')),
    safeClose: () => context.send(buildInput('SafeClose')),
    sideLoadSnapshot: (snapshot) => context.send(buildInput('SideLoadSnapshot', snapshot)),
    partialFanout: (utxo) => context.send(buildInput('PartialFanout', utxo)),
    fanout: () => context.send(buildInput('Fanout')),
    contest: () => context.send(buildInput('Contest')),
    recover: (recoverTxId) => context.send(buildInput('Recover', recoverTxId)),
    newTx(cborHex, description, callback) {
      if (typeof cborHex !== 'string' || !isHex(cborHex)) throw new InvalidHexError('cborHex', cborHex)
      // Without txId, which the node works out itself.
      context.send({ tag: 'NewTx', transaction: { type: 'Tx ConwayEra', description, cborHex } as TransactionJson })
      if (callback !== undefined) context.emitter.invokeSafely('newTx', callback as () => unknown)
    },
    decommit: (payload) => decommit(context, payload),
    initSync: (retry = 3, interval = 20_000, options = {}) => initSync(context, retry, interval, options ?? {})
  }
}
