/**
 * Wallets, utility functions, providers, the bridge and the head client in one import, with all error classes. Each
 * part has a subpath of its own, from which a page loads less. The head node is hydra-node, the ledger Cardano.
 *
 * @see docs/guides/client.md
 * @packageDocumentation
 */

// Made by scripts/root-entry.mjs from the rooms' own index files; change those, not this.

export * as ProviderUtils from './providers/ProviderUtils.js'
export {
  AppWallet, browserWallets, ChainCliWallet, Cip30ApiError, Cip30PaginateError, EmbeddedWallet, mergeWitnesses,
  requiredSigners, txIdOf, verifyData, walletFromCip30, witnessesOf
} from './wallet/index.js'
export type {
  Account, AccountXpubKey, AddressesKey, AppWalletOptions, Bip32Key, BrowserWallet, ChainCliWalletOptions, Cip30Api,
  Cip30FullApi, Cip30Paginate, Cip30Request, Cip30Wallet, Cip30WalletOptions, DataSignature, EmbeddedWalletOptions,
  MnemonicKey, PrivateKeySource, RootHexKey, RootKey, ToCip30Options, TransactionWitness, VerifyDataOptions, WalletKey,
  WalletProviderOptions
} from './wallet/index.js'
export {
  ada, addressInfo, assetFingerprint, auxiliaryDataHash, buildAuxiliaryData, buildBaseAddress, buildCostModels,
  buildEnterpriseAddress, buildLayerSlotConfig, buildMintingPolicyScriptFromAddress,
  buildMintingPolicyScriptFromKeyHash, buildPolicyScriptFromPubkey, buildRewardAddress, bytesToHex, chainCliKeygen,
  chunkMetadataText, Costmdls, decodeAssetLabel, decodeAuxiliaryData, decodeGovernanceActionId, decodeGovernanceId,
  encodeAssetLabel, encodeGovernanceActionId, encodeGovernanceId, formatAda, fromUTF8, genVkey,
  getPubkeyHashFromAddress, hexToBytes, hexToString, isValidAddress, isValidTxOutput, layerCliKeygen,
  metadataObjToMetadatum, Metadatum, metadatumToObj, mkAddress, mkBool, mkBytes, mkConstr, mkInt, mkList, mkMap,
  mkOption, mkOutputReference, nativeScriptFromJson, nativeScriptToJson, NETWORK_ID, PlutusData, plutusScriptHash,
  policyIdFromNativeScript, resolveEpochNo, resolveSlotNo, scriptAddress, scriptDataHash, SLOT_CONFIG,
  slotToBeginUnixTime, slotToEpochNo, stringToHex, toBytes, toUTF8, unixTimeToEnclosingSlot
} from './utils/index.js'
export type {
  AddressInfo, Amount, AuxiliaryData, ChainCliSkey, ChainCliVkey, Credential, CredentialInput, GovernanceId,
  GovernanceRole, Hex, LayerCliSkey, LayerCliVkey, MetadataByLabel, MetadatumInput, MetadatumJson, MetadatumObject,
  NativeScriptJson, NetworkId, NetworkName, PlutusDataJson, PlutusDataKind, PlutusLanguage, ScriptDataParts,
  ScriptLanguage, ScriptRef, SlotConfig, StakePointer, TextEnvelope, TxInput, TxOutput, UTxO
} from './utils/index.js'
export {
  FallbackProvider, IndexerProvider, KupoProvider, RpcProvider
} from './providers/index.js'
export type {
  FallbackProviderOptions, Fetcher, FetchLike, IndexerProviderOptions, KupoProviderOptions, ProtocolParameters,
  Provider, RateLimit, RequestOptions, RetryOptions, RpcProviderOptions, Submitter, Tip, TransportOptions,
  WebSocketConstructor, WebSocketLike
} from './providers/index.js'
export {
  assertDepositDraft, GatewayConnector, isKnownPayload, LayerBridge, LayerHeadStatus, LayerHeadTag, LedgerDecoder,
  parseJson, stringifyJson, utxoFromJson, utxoToJson, WebsocketConnector
} from './bridge/index.js'
export type {
  Accelerator, AddressUTxOOptions, BridgeCommands, BridgeEventMap, BridgeEvents, BridgeSnapshot, BridgeVerification,
  CachedHead, CardanoSubmission, CheckedDraft, CommandFailedPayload, CommitData, CommitRequest, CommonBridgeOptions,
  ConfirmedSnapshot, ConnectionState, Connector, ConnectorBridgeOptions, ConnectorCapabilities, ConnectorChannel,
  ConnectorListener, ConnectorOpenOptions, ConnectorReply, ConnectorRequest, DecommitInvalidReason, DecommitPayload,
  DecommitResult, DepositDraft, DepositDraftRequest, DirectBridgeOptions, DraftDifference, DraftPart, DraftToCheck,
  EventDetails, EventHandler, FoundTransaction, GatewayConnectorOptions, GatewayExtensionOptions, GreetingsPayload,
  HeadInFlight, HeadInfo, HeadIsClosedPayload, HeadIsFinalizedPayload, HeadIsOpenPayload, HeadQueries, HeadState, Host,
  InitLayerBridgeOptions, InitOptions, InitResult, InvalidInputPayload, LateConfirmation, LayerInput, LayerPayload,
  LedgerEvent, LedgerPosition, LedgerReading, LedgerReadingEnd, LifecycleEvents, Logger, MessageEventMap, MessageEvents,
  MessageObserver, MultiSignature, NetworkInfo, NodeEnvironment, Party, PayloadOf, PostTxOnChainFailedPayload, Protocol,
  RawProtocolParameters, RecoverOptions, RejectedInputBecauseBroadcastStalledPayload,
  RejectedInputBecauseUnsyncedPayload, RequestBounds, SideLoadRefusal, Snapshot, SnapshotConfirmedPayload,
  SnapshotDelta, SnapshotPosition, SubmitCallback, SubmitL2TxOptions, SubmitL2TxResponse, SubmitOptions,
  SubmittableTransaction, SubmitTxResult, SyncPayload, TrackedTx, Transaction, TransactionData, TransactionJson,
  TxInvalidPayload, TxOutJson, TxProgress, TxState, TxValidPayload, UnverifiedSnapshot, UTxOObject, ValueJson,
  VerificationLag, VerificationReason, WaitOptions, WebsocketConnectorOptions, WireInteger
} from './bridge/index.js'
export {
  createHeadClient
} from './client/index.js'
export type {
  HeadClient, HeadClientOptions
} from './client/index.js'
export {
  AddressNotOwnError, AlertRulesError, BridgeConnectError, BridgeDisconnectedError, BridgeNotANodeError,
  BridgeOptionsError, BridgeRequestError, BridgeTimeoutError, CacheColdError, ClientTimeoutError, ClockStalledError,
  CommandRefusedError, ConnectAbortedError, ConnectTimeoutError, CostLimitError, DepositExpiredError,
  DepositInSnapshotError, DevNodeFileError, DevNodeForkError, DevNodePortError, DevNodeStateError, DraftMismatchError,
  EvaluatorFailedError, EvaluatorMissingError, ExportCursorError, GatewayFencedError, GatewayLogError,
  GatewayNotReadyError, GatewayPortError, HeadFactsError, HeadFileError, HeadProviderMissingError, HeadStateError,
  HistoryGapError, IdReusedError, InputReservedError, InsecureUrlError, InsufficientFundsError, InvalidAddressError,
  InvalidArgumentError, InvalidBech32Error, InvalidCborError, InvalidCursorError, InvalidHexError, InvalidJsonError,
  InvalidKeyError, InvalidKeyFileError, InvalidMetadatumError, InvalidMnemonicError, InvalidNativeScriptError,
  InvalidPlutusDataError, InvalidUtf8Error, isLayerError, JournalAccessError, JournalBrokenError, JournalLockedError,
  JournalMismatchError, JournalVersionError, KeyMismatchError, LastCollateralError, LayerSdkError, LedgerError,
  MessageTooLargeError, MissingSignersError, NodeTimeoutError, NodeUnsyncedError, NotConnectedError, OfferRefusedError,
  OpenDepositError, OutcomeUnknownError, OutputBelowMinimumError, PackageMissingError, PaymentIncompleteError,
  ProtocolError, ProviderAuthError, ProviderHttpError, ProviderNetworkError, ProviderResponseError, ProviderRpcError,
  ProvidersDisagreeError, ProvidersExhaustedError, ProviderTimeoutError, ProviderUnsupportedError,
  ReconnectExhaustedError, RenamedError, RuntimeUnsupportedError, ScriptFailedError, ScriptInputError, SubmitError,
  SubmitOutcomeUnknownError, SubmitRejectedError, TransactionMismatchError, TransactionTooLargeError, TxExpiredError,
  unknownRuleError, UnspendableInputError, UnsupportedByConnectorError, UnsupportedByNodeError, UnsupportedInHeadError,
  VerificationError, WalletCapabilityError, WalletChangedTxError, WalletCip30Error, WalletDisposedError,
  WalletFailedError, WalletFragmentedError, WalletMissingError, WalletProviderMissingError, WalletReadOnlyError,
  WalletSignedNothingError, WatchStateError, WithdrawBlockedError
} from './errors/index.js'
export type {
  BlockingFinding, ConnectionFailure, ErrorDetails, ErrorOutcome, InvalidPartError, LayerErrorCode, LayerErrors,
  LedgerReason, OfferRefusal, ProviderRequestDetails, ProviderRequestError, RuleVersions, ScriptFailure,
  ScriptInputReason, ScriptPosition, SubmitErrorTag
} from './errors/index.js'
