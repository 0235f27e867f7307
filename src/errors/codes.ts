// Types only: erased at run time.
import type {
  BridgeConnectError,
  BridgeDisconnectedError,
  BridgeNotANodeError,
  BridgeOptionsError,
  BridgeTimeoutError,
  CacheColdError,
  ConnectAbortedError,
  ConnectTimeoutError,
  InsecureUrlError,
  MessageTooLargeError,
  NodeTimeoutError,
  NotConnectedError,
  ProtocolError,
  ReconnectExhaustedError
} from './bridge.js'
import type {
  ClientTimeoutError,
  DepositExpiredError,
  HeadStateError,
  InputReservedError,
  LastCollateralError,
  LedgerError,
  NodeUnsyncedError,
  OutcomeUnknownError,
  HeadProviderMissingError,
  TxExpiredError,
  WalletFragmentedError,
  UnsupportedInHeadError
} from './client.js'
import type {
  AlertRulesError,
  ExportCursorError,
  HeadFactsError,
  WatchStateError,
  WithdrawBlockedError
} from './doctor.js'
import type {
  WalletCapabilityError,
  WalletChangedTxError,
  WalletFailedError,
  WalletMissingError,
  WalletSignedNothingError
} from './clientWallet.js'
import type { DepositInSnapshotError } from './deposits.js'
import type { CostLimitError, DraftMismatchError } from './money.js'
import type { HistoryGapError, InvalidCursorError, PaymentIncompleteError } from './receipts.js'
import type { WalletCip30Error } from './cip30.js'
import type {
  ClockStalledError,
  DevNodeFileError,
  DevNodeForkError,
  DevNodePortError,
  DevNodeStateError
} from './devnode.js'
import type { GatewayFencedError, GatewayLogError, GatewayNotReadyError, GatewayPortError } from './gateway.js'
import type {
  InvalidKeyFileError,
  InvalidMetadatumError,
  InvalidNativeScriptError,
  InvalidPlutusDataError
} from './documents.js'
import type {
  InvalidAddressError,
  InvalidArgumentError,
  InvalidBech32Error,
  InvalidCborError,
  InvalidHexError,
  InvalidJsonError,
  InvalidUtf8Error,
  PackageMissingError,
  RuntimeUnsupportedError
} from './input.js'
import type {
  BridgeRequestError,
  CommandRefusedError,
  SubmitError,
  UnsupportedByConnectorError,
  UnsupportedByNodeError
} from './operation.js'
import type {
  ProviderAuthError,
  ProviderHttpError,
  ProviderNetworkError,
  ProviderResponseError,
  ProviderTimeoutError,
  ProvidersDisagreeError,
  ProvidersExhaustedError,
  ProviderUnsupportedError,
  SubmitOutcomeUnknownError
} from './provider.js'
import type { RenamedError } from './renamed.js'
import type {
  IdReusedError,
  JournalAccessError,
  JournalBrokenError,
  JournalLockedError,
  JournalMismatchError,
  JournalVersionError,
  OpenDepositError
} from './journal.js'
import type { ProviderRpcError, SubmitRejectedError } from './refusal.js'
import type {
  InsufficientFundsError,
  OutputBelowMinimumError,
  TransactionTooLargeError,
  UnspendableInputError
} from './tx.js'
import type { OfferRefusedError } from './offers.js'
import type { EvaluatorFailedError, EvaluatorMissingError, ScriptFailedError, ScriptInputError } from './scripts.js'
import type { HeadFileError } from './setup.js'
import type { VerificationError } from './verification.js'
import type {
  AddressNotOwnError,
  InvalidKeyError,
  InvalidMnemonicError,
  KeyMismatchError,
  MissingSignersError,
  TransactionMismatchError,
  WalletDisposedError,
  WalletProviderMissingError,
  WalletReadOnlyError
} from './wallet.js'

/** The error class of every code. */
export interface LayerErrors {
  API_RENAMED: RenamedError
  BRIDGE_CACHE_COLD: CacheColdError
  BRIDGE_COMMAND_REFUSED: CommandRefusedError
  BRIDGE_CONNECT: BridgeConnectError
  BRIDGE_CONNECT_ABORTED: ConnectAbortedError
  BRIDGE_CONNECT_TIMEOUT: ConnectTimeoutError
  BRIDGE_DISCONNECTED: BridgeDisconnectedError
  BRIDGE_INSECURE_URL: InsecureUrlError
  BRIDGE_MESSAGE_TOO_LARGE: MessageTooLargeError
  BRIDGE_NODE_TIMEOUT: NodeTimeoutError
  BRIDGE_NOT_A_NODE: BridgeNotANodeError
  BRIDGE_NOT_CONNECTED: NotConnectedError
  BRIDGE_OPTIONS: BridgeOptionsError
  BRIDGE_PROTOCOL: ProtocolError
  BRIDGE_RECONNECT_EXHAUSTED: ReconnectExhaustedError
  BRIDGE_REQUEST: BridgeRequestError
  BRIDGE_SUBMIT: SubmitError
  BRIDGE_TIMEOUT: BridgeTimeoutError
  BRIDGE_UNSUPPORTED_BY_CONNECTOR: UnsupportedByConnectorError
  BRIDGE_UNSUPPORTED_BY_NODE: UnsupportedByNodeError
  CLIENT_COST_LIMIT: CostLimitError
  CLIENT_CURSOR: InvalidCursorError
  CLIENT_DEPOSIT_EXPIRED: DepositExpiredError
  CLIENT_DEPOSIT_IN_SNAPSHOT: DepositInSnapshotError
  CLIENT_DRAFT_MISMATCH: DraftMismatchError
  CLIENT_EVALUATOR_FAILED: EvaluatorFailedError
  CLIENT_EVALUATOR_MISSING: EvaluatorMissingError
  CLIENT_HEAD_STATE: HeadStateError
  CLIENT_ID_REUSED: IdReusedError
  CLIENT_HISTORY_GAP: HistoryGapError
  CLIENT_INPUT_RESERVED: InputReservedError
  CLIENT_LAST_COLLATERAL: LastCollateralError
  CLIENT_LEDGER: LedgerError
  CLIENT_NODE_UNSYNCED: NodeUnsyncedError
  CLIENT_OPEN_DEPOSIT: OpenDepositError
  CLIENT_OFFER: OfferRefusedError
  CLIENT_OUTCOME_UNKNOWN: OutcomeUnknownError
  CLIENT_PAYMENT_INCOMPLETE: PaymentIncompleteError
  CLIENT_PROVIDER_MISSING: HeadProviderMissingError
  CLIENT_SCRIPT_FAILED: ScriptFailedError
  CLIENT_SCRIPT_INPUT: ScriptInputError
  CLIENT_TIMEOUT: ClientTimeoutError
  CLIENT_TX_EXPIRED: TxExpiredError
  CLIENT_WALLET_FRAGMENTED: WalletFragmentedError
  CLIENT_UNSUPPORTED_IN_HEAD: UnsupportedInHeadError
  CLIENT_WALLET_CAPABILITY: WalletCapabilityError
  CLIENT_WITHDRAW_BLOCKED: WithdrawBlockedError
  CLIENT_WALLET_CHANGED_TX: WalletChangedTxError
  CLIENT_WALLET_FAILED: WalletFailedError
  CLIENT_WALLET_MISSING: WalletMissingError
  CLIENT_WALLET_SIGNED_NOTHING: WalletSignedNothingError
  DEVNODE_CLOCK_STALLED: ClockStalledError
  DEVNODE_FILE: DevNodeFileError
  DEVNODE_FORK: DevNodeForkError
  DEVNODE_PORT: DevNodePortError
  DEVNODE_STATE: DevNodeStateError
  DOCTOR_CURSOR: ExportCursorError
  DOCTOR_FACTS: HeadFactsError
  DOCTOR_RULES: AlertRulesError
  DOCTOR_WATCH_STATE: WatchStateError
  GATEWAY_FENCED: GatewayFencedError
  GATEWAY_LOG: GatewayLogError
  GATEWAY_NOT_READY: GatewayNotReadyError
  GATEWAY_PORT: GatewayPortError
  INPUT_ADDRESS: InvalidAddressError
  INPUT_ARGUMENT: InvalidArgumentError
  INPUT_BECH32: InvalidBech32Error
  INPUT_CBOR: InvalidCborError
  INPUT_HEX: InvalidHexError
  INPUT_JSON: InvalidJsonError
  INPUT_KEY_FILE: InvalidKeyFileError
  INPUT_METADATUM: InvalidMetadatumError
  INPUT_NATIVE_SCRIPT: InvalidNativeScriptError
  INPUT_PLUTUS_DATA: InvalidPlutusDataError
  INPUT_UTF8: InvalidUtf8Error
  JOURNAL_ACCESS: JournalAccessError
  JOURNAL_BROKEN: JournalBrokenError
  JOURNAL_LOCKED: JournalLockedError
  JOURNAL_MISMATCH: JournalMismatchError
  JOURNAL_VERSION: JournalVersionError
  PACKAGE_MISSING: PackageMissingError
  PROVIDERS_EXHAUSTED: ProvidersExhaustedError
  PROVIDERS_DISAGREE: ProvidersDisagreeError
  PROVIDER_UNSUPPORTED: ProviderUnsupportedError
  PROVIDER_AUTH: ProviderAuthError
  PROVIDER_HTTP: ProviderHttpError
  PROVIDER_NETWORK: ProviderNetworkError
  PROVIDER_RESPONSE: ProviderResponseError
  PROVIDER_RPC: ProviderRpcError
  PROVIDER_SUBMIT_REJECTED: SubmitRejectedError
  PROVIDER_SUBMIT_UNKNOWN: SubmitOutcomeUnknownError
  PROVIDER_TIMEOUT: ProviderTimeoutError
  RUNTIME_UNSUPPORTED: RuntimeUnsupportedError
  SETUP_HEAD_FILE: HeadFileError
  TX_INSUFFICIENT_FUNDS: InsufficientFundsError
  TX_OUTPUT_BELOW_MINIMUM: OutputBelowMinimumError
  TX_TOO_LARGE: TransactionTooLargeError
  TX_UNSPENDABLE_INPUT: UnspendableInputError
  VERIFICATION: VerificationError
  WALLET_ADDRESS_NOT_OWN: AddressNotOwnError
  WALLET_CIP30: WalletCip30Error
  WALLET_DISPOSED: WalletDisposedError
  WALLET_FETCHER_MISSING: WalletProviderMissingError
  WALLET_KEY: InvalidKeyError
  WALLET_KEY_MISMATCH: KeyMismatchError
  WALLET_MNEMONIC_CHECKSUM: InvalidMnemonicError
  WALLET_MNEMONIC_STRENGTH: InvalidMnemonicError
  WALLET_MNEMONIC_WORD: InvalidMnemonicError
  WALLET_MNEMONIC_WORD_COUNT: InvalidMnemonicError
  WALLET_READ_ONLY: WalletReadOnlyError
  WALLET_SUBMITTER_MISSING: WalletProviderMissingError
  WALLET_TX_MISMATCH: TransactionMismatchError
  WALLET_TX_MISSING_SIGNERS: MissingSignersError
}

/** Every code that an error of this package can have. A code is never renamed or reused. */
export type LayerErrorCode = keyof LayerErrors
