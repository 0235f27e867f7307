import type { PayloadOf } from '../../bridge/inner.js'
import type { CloseArgs } from '../actions/closeHead.js'
import type { OpenArgs, OpenResult } from '../actions/open.js'
import type { HeadClosed, HeadLifeArgs } from '../types.js'

/** The actions of a head client that begin and end a head. */
export interface HeadLife {
  /**
   * Initialises a head unless there is one, and resolves once it is open. See {@link open}.
   * @throws {@link CommandRefusedError}, {@link NotConnectedError}, {@link BridgeTimeoutError},
   * {@link ClientTimeoutError} (300 s)
   * @example
   * ```ts no-run
   * const { headId, parties } = await head.open()
   * ```
   */
  open(args?: OpenArgs): Promise<OpenResult>
  /**
   * Closes the head; its contestation period begins. See {@link closeHead}.
   * @throws {@link CommandRefusedError} with the states that allow it, {@link ClientTimeoutError} (300 s)
   * @example
   * ```ts no-run
   * const { contestationDeadline } = await head.closeHead()
   * ```
   */
  closeHead(args?: CloseArgs): Promise<HeadClosed>
  /**
   * Pays a closed head's outputs out to the base ledger, after the end of the contestation period. Without `timeout`
   * there is no limit. See {@link fanoutHead}.
   * @throws {@link CommandRefusedError} with the states that allow it, {@link BridgeDisconnectedError},
   * {@link ClientTimeoutError}
   * @example
   * ```ts no-run
   * await head.fanoutHead({ onProgress: ({ state }) => console.log(state) })
   * ```
   */
  fanoutHead(args?: HeadLifeArgs<'fanoutHead'>): Promise<PayloadOf<'HeadIsFinalized'>>
  /**
   * Closes the head, waits for the end of the contestation period, and fans it out; continues from the head's present
   * state. See {@link closeAndFanoutHead}.
   * @throws {@link HeadStateError} without a head, {@link CommandRefusedError}, {@link BridgeDisconnectedError},
   * {@link ClientTimeoutError}
   * @example
   * ```ts no-run
   * await head.closeAndFanoutHead()
   * ```
   */
  closeAndFanoutHead(args?: CloseArgs<'closeAndFanoutHead'>): Promise<PayloadOf<'HeadIsFinalized'>>
  /**
   * Contests the closing. Nodes do so by themselves, and no known version accepts the command: it rejects at once. See
   * {@link contest}.
   * @throws {@link CommandRefusedError}, {@link NotConnectedError}
   * @example
   * ```ts no-run
   * await head.contest()
   * ```
   */
  contest(args?: HeadLifeArgs<'contest'>): Promise<PayloadOf<'HeadIsContested'>>
  /**
   * Aborts a head that is not open yet, on nodes before 2.0; committed outputs go back. See {@link abortHead}.
   * @throws {@link UnsupportedByNodeError} on nodes from 2.0 on, {@link CommandRefusedError},
   * {@link ClientTimeoutError} (300 s)
   * @example
   * ```ts no-run
   * if (head.status().headStatus === 'Initializing') await head.abortHead()
   * ```
   */
  abortHead(args?: HeadLifeArgs<'abortHead'>): Promise<PayloadOf<'HeadIsAborted'>>
}
