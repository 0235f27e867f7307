import type {
  Connector,
  DirectBridgeOptions,
  GatewayConnectorOptions,
  InitLayerBridgeOptions,
  LayerBridge
} from '../bridge/inner.js'
import type { NetworkName } from '../constants.js'
import type { ScriptEvaluator } from '../types/scriptEvaluator.js'
import type { Journal } from '../types/journal.js'
import type { Wallet } from '../types/wallet.js'
import type { BeforeSend } from './beforeSend.js'
import type { CostOptions } from './costs.js'
import type { SettledTx } from './types.js'

/** Options of every head client. */
export interface CommonClientOptions extends CostOptions {
  /** The wallet: signs, and names its addresses. A client without one only watches. */
  wallet?: Wallet | undefined
  /**
   * Runs Plutus scripts for `evaluate()` and the adapters: `scalusEvaluator()` of `layer-sdk/scalus`. @default none
   */
  evaluator?: ScriptEvaluator | undefined
  /**
   * How long a payment can be confirmed after it was built, ms: it carries an upper bound of validity. @default 300000
   */
  expiresIn?: number | undefined
  /**
   * Wait after a decommit is final before the client requests the next one, ms: the other parties see the base ledger
   * later, and when one of them has not seen the last decommit yet, the next one leaves a head that can only be closed.
   * Heads of one party need none. @default 45000
   */
  withdrawPause?: number | undefined
  /**
   * URLs of the nodes of the other parties, `ws://` or `wss://`: the next withdrawal waits until they report the same
   * version of the head's outputs as the client's own node, however long that lasts. `withdrawPause` is then used only
   * when one of them does not answer. @default none
   */
  peerUrls?: readonly string[] | undefined
  /**
   * Network of the base ledger, for slots where the node reports none (before 1.3). @default mainnet for mainnet
   * addresses, otherwise not known
   */
  network?: NetworkName | undefined
  /**
   * Gets the first failure of a `connect()` that goes on trying, e.g. {@link BridgeConnectError} with advice. False:
   * not reported.
   * @default a warning, to the option `logger` or the console
   */
  onConnectError?: ((error: Error) => void) | false | undefined
  /**
   * Called when a bounded store of the client drops its oldest entries, e.g. after 1,000 settled transactions.
   * @default a warning to the option `logger`, if there is one
   */
  onOverrun?: ((overrun: StoreOverrun) => void) | undefined
  /**
   * Keeps payments, deposits and withdrawals that have an `id` beyond the process: `fileJournal(path)`,
   * `indexedDbJournal(name)` or `redisJournal(url)` of `layer-sdk/journal`, or one of your own. `connect()` resumes
   * those that an earlier process left open; `disconnect()` closes the journal. @default none: ids are known for the
   * life of the client
   */
  journal?: Journal | undefined
  /**
   * Called with each signed transaction of this client before it is sent, and awaited, as the option of the actions.
   * @default not called
   */
  onBeforeSend?: BeforeSend | undefined
  /**
   * Called with the end of a payment that has an `id` and that no call waits for, because it is of an earlier process,
   * or its call has ended. @default not called
   */
  onSettled?: ((settled: SettledTx & { readonly id: string }) => void) | undefined
  /** Gets the error of a callback of yours that threw, with the callback's name. @default the errors are dropped */
  onHandlerError?: ((error: unknown, callback: string) => void) | undefined
}

/** A bounded store of the client that has dropped its oldest entries. */
export interface StoreOverrun {
  /**
   * `settled`: how recent transactions ended. `waitForTx` and `submit` look an older one up in the head's state and
   * history.
   */
  readonly store: 'settled'
  /** Number of entries that the store keeps. */
  readonly limit: number
  /** Number of entries dropped so far. */
  readonly dropped: number
}

/** A gateway's address and token. */
export interface GatewayAddress extends Omit<GatewayConnectorOptions, 'socketIoOptions'> {
  /** URL of the gateway: `https://...`. */
  url: string
  /** Bearer token. */
  token?: string | undefined
  /** Options of socket.io-client, passed on as they are; the token is added to `auth`. */
  socketIoOptions?: GatewayConnectorOptions['socketIoOptions'] | undefined
}

/** Connection of the client to the head: exactly one of `url`, `connector`, `gateway` and `bridge`. */
export type HeadClientOptions = CommonClientOptions &
  (
    | (DirectBridgeOptions & {
        /** Excluded by `url` or `connector`. */
        gateway?: never
        /** Excluded by `url` or `connector`. */
        bridge?: never
      })
    | (Omit<InitLayerBridgeOptions, 'url' | 'connector'> & {
        /** Transport to a node, e.g. `DevNode.connector()`. */
        connector: Connector
        /** Excluded by `connector`. */
        url?: never
        /** Excluded by `connector`. */
        gateway?: never
        /** Excluded by `connector`. */
        bridge?: never
      })
    | (Omit<InitLayerBridgeOptions, 'url' | 'connector'> & {
        /** Address and token of a gateway. */
        gateway: GatewayAddress
        /** Excluded by `gateway`. */
        url?: never
        /** Excluded by `gateway`. */
        connector?: never
        /** Excluded by `gateway`. */
        bridge?: never
      })
    | {
        /** Bridge of the caller, which keeps its own options. */
        bridge: LayerBridge
        /** Excluded by `bridge`. */
        url?: never
        /** Excluded by `bridge`. */
        connector?: never
        /** Excluded by `bridge`. */
        gateway?: never
      }
  )
