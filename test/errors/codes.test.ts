import { isLayerError, LayerSdkError } from '../../src/errors/base.js'
import type { LayerErrorCode, LayerErrors } from '../../src/errors/codes.js'
import * as errors from '../../src/errors/index.js'

const request = { method: 'GET', url: 'https://node.example/head' }
const facts = { expected: 'one thing', got: 'another' }

/** One error of every code. A code without an entry does not compile. */
const MADE: { [Code in LayerErrorCode]: () => LayerErrors[Code] } = {
  API_RENAMED: () => new errors.RenamedError('close()', 'closeHead()'),
  BRIDGE_CACHE_COLD: () => new errors.CacheColdError(),
  BRIDGE_COMMAND_REFUSED: () =>
    new errors.CommandRefusedError('Close', { tag: 'CommandFailed', allowedStates: ['Open'], reason: 'no' }),
  BRIDGE_CONNECT: () => new errors.BridgeConnectError('The node could not be reached.'),
  BRIDGE_CONNECT_ABORTED: () => new errors.ConnectAbortedError(),
  BRIDGE_CONNECT_TIMEOUT: () => new errors.ConnectTimeoutError(5),
  BRIDGE_DISCONNECTED: () => new errors.BridgeDisconnectedError('Waiting'),
  BRIDGE_INSECURE_URL: () => new errors.InsecureUrlError('ws://node.example'),
  BRIDGE_MESSAGE_TOO_LARGE: () => new errors.MessageTooLargeError('A message', 5),
  BRIDGE_NODE_TIMEOUT: () => new errors.NodeTimeoutError('DELETE /commits', 'Operation timed out after 300s seconds'),
  BRIDGE_NOT_A_NODE: () => new errors.BridgeNotANodeError('ws://127.0.0.1:1337', 'HTTP 404'),
  BRIDGE_NOT_CONNECTED: () => new errors.NotConnectedError('Close'),
  BRIDGE_OPTIONS: () => new errors.BridgeOptionsError('url', 'a URL', 7),
  BRIDGE_PROTOCOL: () => new errors.ProtocolError('A message', facts),
  BRIDGE_RECONNECT_EXHAUSTED: () => new errors.ReconnectExhaustedError(3, new Error('last')),
  BRIDGE_REQUEST: () => new errors.BridgeRequestError('GET /head', { status: 500, reason: 'down' }),
  BRIDGE_SUBMIT: () => new errors.SubmitError('ab'.repeat(32), 'Timeout', 'no verdict'),
  BRIDGE_TIMEOUT: () => new errors.BridgeTimeoutError('GET /head', 5),
  BRIDGE_UNSUPPORTED_BY_CONNECTOR: () => new errors.UnsupportedByConnectorError('GET /head'),
  BRIDGE_UNSUPPORTED_BY_NODE: () => new errors.UnsupportedByNodeError('GET /head', facts),
  CLIENT_COST_LIMIT: () => new errors.CostLimitError('maxFee', 400_000_000n, 5_000_000n),
  CLIENT_DEPOSIT_EXPIRED: () => new errors.DepositExpiredError('ab'.repeat(32), Date.UTC(2026, 0, 1)),
  CLIENT_CURSOR: () => new errors.InvalidCursorError('a cursor', 'another text'),
  CLIENT_DRAFT_MISMATCH: () => new errors.DraftMismatchError([{ part: 'inputs', expected: 'one input', got: 'two' }]),
  CLIENT_EVALUATOR_FAILED: () => new errors.EvaluatorFailedError('units', new Error('broken')),
  CLIENT_EVALUATOR_MISSING: () => new errors.EvaluatorMissingError([]),
  CLIENT_HEAD_STATE: () => new errors.HeadStateError('pay', 'Closed', ['Open']),
  CLIENT_ID_REUSED: () => new errors.IdReusedError('order-17', 'pay', 'pay'),
  CLIENT_HISTORY_GAP: () =>
    new errors.HistoryGapError({
      cursor: 'x',
      after: null,
      known: { headId: 'ab'.repeat(28), snapshotNumber: 7 },
      unspent: []
    }),
  CLIENT_INPUT_RESERVED: () => new errors.InputReservedError(`${'ab'.repeat(32)}#0`, 'cd'.repeat(32)),
  CLIENT_LAST_COLLATERAL: () => new errors.LastCollateralError(),
  CLIENT_LEDGER: () =>
    new errors.LedgerError({ txId: 'ab'.repeat(32), reason: 'other', summary: 'Refused.', figures: {}, nodeText: 'x' }),
  CLIENT_NODE_UNSYNCED: () => new errors.NodeUnsyncedError('pay'),
  CLIENT_DEPOSIT_IN_SNAPSHOT: () => new errors.DepositInSnapshotError('ab'.repeat(32), 7),
  CLIENT_OPEN_DEPOSIT: () => new errors.OpenDepositError(['ab'.repeat(32)]),
  CLIENT_OFFER: () => new errors.OfferRefusedError('terms', 'The offer gives more.', { expected: '1', got: '2' }),
  CLIENT_OUTCOME_UNKNOWN: () => new errors.OutcomeUnknownError('ab'.repeat(32), null, 'no verdict'),
  CLIENT_PAYMENT_INCOMPLETE: () => new errors.PaymentIncompleteError(5n, 2n, 1),
  CLIENT_PROVIDER_MISSING: () => new errors.HeadProviderMissingError(),
  CLIENT_SCRIPT_FAILED: () => new errors.ScriptFailedError([], 'Error evaluated', ['not yet']),
  CLIENT_SCRIPT_INPUT: () => new errors.ScriptInputError('script-missing', 'No script.', {}, facts),
  CLIENT_TIMEOUT: () => new errors.ClientTimeoutError('pay', 5, 'the connection'),
  CLIENT_TX_EXPIRED: () => new errors.TxExpiredError('ab'.repeat(32)),
  CLIENT_WALLET_FRAGMENTED: () => new errors.WalletFragmentedError(1_000, 500, 1_000_000n),
  CLIENT_UNSUPPORTED_IN_HEAD: () => new errors.UnsupportedInHeadError('fetchBlockInfo', 'a head client'),
  CLIENT_WALLET_CAPABILITY: () => new errors.WalletCapabilityError('deposit', 'a wallet with queryUTxOs'),
  CLIENT_WITHDRAW_BLOCKED: () =>
    new errors.WithdrawBlockedError([{ code: 'decommit-unpostable', what: 'No outputs.', remedy: 'Change it.' }]),
  CLIENT_WALLET_CHANGED_TX: () => new errors.WalletChangedTxError('ab'.repeat(32), 'cd'.repeat(32)),
  CLIENT_WALLET_FAILED: () => new errors.WalletFailedError('signTx', null),
  CLIENT_WALLET_MISSING: () => new errors.WalletMissingError('pay'),
  CLIENT_WALLET_SIGNED_NOTHING: () => new errors.WalletSignedNothingError('ab'.repeat(32)),
  DEVNODE_CLOCK_STALLED: () => new errors.ClockStalledError('no timer is left', 5),
  DEVNODE_FORK: () =>
    new errors.DevNodeForkError('ws://127.0.0.1:4001', 'has no open head', {
      expected: 'a head that is Open',
      got: 'Idle'
    }),
  DEVNODE_FILE: () => new errors.DevNodeFileError('head.state', 'is damaged', { got: 'something else at byte 7' }),
  DEVNODE_STATE: () => new errors.DevNodeStateError('No head is open.', { expected: 'an open head', got: 'Idle' }),
  DEVNODE_PORT: () => new errors.DevNodePortError('127.0.0.1', 4001, 'EADDRINUSE', new Error('busy')),
  DOCTOR_CURSOR: () => new errors.ExportCursorError('a cursor of version 1', 'another text'),
  DOCTOR_FACTS: () => new errors.HeadFactsError('version 1', 'version 2'),
  DOCTOR_RULES: () => new errors.AlertRulesError(['rules[0]: on is missing']),
  DOCTOR_WATCH_STATE: () => new errors.WatchStateError('version 1', 'version 2'),
  GATEWAY_FENCED: () => new errors.GatewayFencedError(3, 'the stream /:out'),
  GATEWAY_LOG: () => new errors.GatewayLogError('The log cannot be reached.', facts),
  GATEWAY_NOT_READY: () =>
    new errors.GatewayNotReadyError(10_000, ['head /: the node cannot be reached (ECONNREFUSED)']),
  GATEWAY_PORT: () => new errors.GatewayPortError('127.0.0.1', 5001, 'EADDRINUSE', new Error('busy')),
  INPUT_ADDRESS: () => new errors.InvalidAddressError('The address cannot be used.', facts),
  INPUT_ARGUMENT: () => new errors.InvalidArgumentError('timeout', 'a number', 'x'),
  INPUT_BECH32: () => new errors.InvalidBech32Error('The address', facts),
  INPUT_CBOR: () => new errors.InvalidCborError('The transaction', 3, 'an array', 'a map'),
  INPUT_HEX: () => new errors.InvalidHexError('The key', 'xx', 1),
  INPUT_JSON: () => new errors.InvalidJsonError('The file', facts),
  INPUT_KEY_FILE: () => new errors.InvalidKeyFileError('The key file', facts),
  INPUT_METADATUM: () => new errors.InvalidMetadatumError('a.b', facts),
  INPUT_NATIVE_SCRIPT: () => new errors.InvalidNativeScriptError('a.b', facts),
  INPUT_PLUTUS_DATA: () => new errors.InvalidPlutusDataError('a.b', facts),
  INPUT_UTF8: () => new errors.InvalidUtf8Error('The text', 'a lone byte'),
  JOURNAL_ACCESS: () => new errors.JournalAccessError('pay.journal', 'written', new Error('full')),
  JOURNAL_BROKEN: () => new errors.JournalBrokenError('pay.journal', 3, facts),
  JOURNAL_LOCKED: () => new errors.JournalLockedError('pay.journal', 'process 7 on host shop'),
  JOURNAL_MISMATCH: () => new errors.JournalMismatchError('head', 'order-17', 'ab', 'cd'),
  JOURNAL_VERSION: () => new errors.JournalVersionError('order-17', 2, 1),
  PACKAGE_MISSING: () => new errors.PackageMissingError('scalus', new Error('none')),
  PROVIDERS_DISAGREE: () => new errors.ProvidersDisagreeError('fetchUTxOs', 'one output and two'),
  PROVIDER_UNSUPPORTED: () => new errors.ProviderUnsupportedError('RpcProvider', 'find outputs', 'an address'),
  PROVIDERS_EXHAUSTED: () => new errors.ProvidersExhaustedError([new Error('one')]),
  PROVIDER_AUTH: () => new errors.ProviderAuthError(403, request, 'no key'),
  PROVIDER_HTTP: () => new errors.ProviderHttpError(500, request, 'down'),
  PROVIDER_NETWORK: () => new errors.ProviderNetworkError(request, 'ECONNREFUSED'),
  PROVIDER_RESPONSE: () => new errors.ProviderResponseError(request.url, 'amount', 'a list', 'a number'),
  PROVIDER_RPC: () => new errors.ProviderRpcError(request, -32601, 'MethodNotFound', 'No.'),
  PROVIDER_SUBMIT_REJECTED: () =>
    new errors.SubmitRejectedError('ab'.repeat(32), 3117, 'UnknownOutputReferences', 'No.'),
  PROVIDER_SUBMIT_UNKNOWN: () => new errors.SubmitOutcomeUnknownError('ab'.repeat(32), new Error('lost')),
  PROVIDER_TIMEOUT: () => new errors.ProviderTimeoutError(request, 5),
  RUNTIME_UNSUPPORTED: () => new errors.RuntimeUnsupportedError('fetch', 'the option fetch'),
  SETUP_HEAD_FILE: () => new errors.HeadFileError('network', 'a network', 'another'),
  TX_INSUFFICIENT_FUNDS: () =>
    new errors.InsufficientFundsError(new Map([['lovelace', 5n]]), {
      purpose: 'the outputs',
      available: new Map(),
      inputs: 1,
      unspendable: 1
    }),
  TX_OUTPUT_BELOW_MINIMUM: () => new errors.OutputBelowMinimumError(0, 1n, 5n),
  TX_TOO_LARGE: () => new errors.TransactionTooLargeError('The transaction', 6, 5),
  TX_UNSPENDABLE_INPUT: () => new errors.UnspendableInputError(`${'ab'.repeat(32)}#0`, 'a script'),
  VERIFICATION: () => new errors.VerificationError('proof', 'x'),
  WALLET_ADDRESS_NOT_OWN: () => new errors.AddressNotOwnError('addr', 'another'),
  WALLET_CIP30: () => new errors.WalletCip30Error('signTx', 'a refusal', 2),
  WALLET_DISPOSED: () => new errors.WalletDisposedError(),
  WALLET_FETCHER_MISSING: () => new errors.WalletProviderMissingError('fetcher'),
  WALLET_KEY: () => new errors.InvalidKeyError('The key', 'one', 'none'),
  WALLET_KEY_MISMATCH: () => new errors.KeyMismatchError('The verification key'),
  WALLET_MNEMONIC_CHECKSUM: () => new errors.InvalidMnemonicError('WALLET_MNEMONIC_CHECKSUM', 'one', 'another'),
  WALLET_MNEMONIC_STRENGTH: () => new errors.InvalidMnemonicError('WALLET_MNEMONIC_STRENGTH', 'one', 'another'),
  WALLET_MNEMONIC_WORD: () => new errors.InvalidMnemonicError('WALLET_MNEMONIC_WORD', 'one', 'another'),
  WALLET_MNEMONIC_WORD_COUNT: () => new errors.InvalidMnemonicError('WALLET_MNEMONIC_WORD_COUNT', 'one', 'another'),
  WALLET_READ_ONLY: () => new errors.WalletReadOnlyError('sign'),
  WALLET_SUBMITTER_MISSING: () => new errors.WalletProviderMissingError('submitter'),
  WALLET_TX_MISMATCH: () => new errors.TransactionMismatchError('ab', 'cd'),
  WALLET_TX_MISSING_SIGNERS: () => new errors.MissingSignersError(['ab'])
}
const all = Object.entries(MADE).map(([code, make]) => [code, make()] as const)

describe('every error', () => {
  it.each(all)(
    '%s has its code, its class name, and a message that ends with the section of its documentation',
    (code, error) => {
      expect(error.code).toBe(code)
      expect(error.name).toBe(error.constructor.name)
      expect(error.message.split('\n').at(-1)).toBe(
        `See https://repository.invalid/layer-sdk/errors.html#${code.toLowerCase()}`
      )
      expect(error.message.match(/errors\.html/g)).toHaveLength(1)
      expect(error.stack).toContain(error.message)
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code, name: error.name })
    }
  )

  it('keeps its whole message on the way to another thread', () => {
    for (const [, error] of all) expect(structuredClone(error).message).toBe(error.message)
  })

  it('has a class that is exported, and every exported class has a code', () => {
    const exported = Object.values(errors).filter(
      (value) => typeof value === 'function' && value.prototype instanceof LayerSdkError
    )
    expect(new Set(all.map(([, error]) => error.constructor))).toEqual(new Set(exported))
  })
})

/** The effect of the action that ended with the error of this code in {@link MADE}; undefined: it can have none. */
const OUTCOMES: Partial<Record<LayerErrorCode, errors.ErrorOutcome>> = {
  BRIDGE_COMMAND_REFUSED: 'none',
  BRIDGE_DISCONNECTED: 'unknown',
  BRIDGE_NODE_TIMEOUT: 'unknown',
  BRIDGE_NOT_CONNECTED: 'none',
  BRIDGE_REQUEST: 'none',
  BRIDGE_SUBMIT: 'unknown',
  PROVIDER_UNSUPPORTED: 'none',
  BRIDGE_TIMEOUT: 'unknown',
  CLIENT_COST_LIMIT: 'none',
  CLIENT_DEPOSIT_EXPIRED: 'happened',
  CLIENT_DRAFT_MISMATCH: 'none',
  CLIENT_HEAD_STATE: 'none',
  CLIENT_INPUT_RESERVED: 'none',
  CLIENT_DEPOSIT_IN_SNAPSHOT: 'none',
  CLIENT_LAST_COLLATERAL: 'none',
  CLIENT_LEDGER: 'none',
  CLIENT_NODE_UNSYNCED: 'none',
  CLIENT_OFFER: 'none',
  CLIENT_OUTCOME_UNKNOWN: 'unknown',
  CLIENT_SCRIPT_FAILED: 'none',
  CLIENT_SCRIPT_INPUT: 'none',
  CLIENT_TIMEOUT: 'none',
  CLIENT_WITHDRAW_BLOCKED: 'none',
  CLIENT_TX_EXPIRED: 'none',
  CLIENT_WALLET_CAPABILITY: 'none',
  CLIENT_WALLET_CHANGED_TX: 'none',
  CLIENT_WALLET_FAILED: 'none',
  CLIENT_WALLET_FRAGMENTED: 'none',
  CLIENT_WALLET_MISSING: 'none',
  CLIENT_WALLET_SIGNED_NOTHING: 'none',
  GATEWAY_LOG: 'none',
  PROVIDER_SUBMIT_REJECTED: 'none',
  PROVIDER_SUBMIT_UNKNOWN: 'unknown',
  TX_INSUFFICIENT_FUNDS: 'none'
}

describe('outcome', () => {
  it.each(all)('of %s says whether the action took effect', (code, error) => {
    expect((error as LayerSdkError).outcome).toBe(OUTCOMES[code as LayerErrorCode])
  })

  it.each([
    ['POST /commit', 0, 'unknown'],
    ['POST /transaction', 502, 'unknown'],
    ['DELETE /commits/x', 504, 'unknown'],
    ['POST /commit', 400, 'none'],
    ['GET /head', 0, 'none'],
    ['GET /head', 504, 'none']
  ])('of %s with status %i is %s', (what, status, outcome) => {
    expect(new errors.BridgeRequestError(what, { status, reason: 'no answer' }).outcome).toBe(outcome)
  })

  it("of a wallet's submitTx that fails without an error is unknown", () => {
    expect(new errors.WalletFailedError('submitTx', null).outcome).toBe('unknown')
  })

  it('of a submission is unknown where it may still be confirmed', () => {
    const outcomeOf = (tag: errors.SubmitErrorTag): string => new errors.SubmitError('ab'.repeat(32), tag, '').outcome
    expect((['Timeout', 'Aborted', 'Disconnected', 'NotConnected', 'TxInvalid'] as const).map(outcomeOf)).toEqual([
      'unknown',
      'unknown',
      'unknown',
      'none',
      'none'
    ])
  })
})

describe('isLayerError', () => {
  it('tells errors of the package and their codes apart', () => {
    const error: unknown = MADE.INPUT_HEX()
    expect([isLayerError(error), isLayerError(error, 'INPUT_HEX'), isLayerError(error, 'INPUT_UTF8')]).toEqual([
      true,
      true,
      false
    ])
    for (const other of [
      new Error('x'),
      null,
      undefined,
      'INPUT_HEX',
      { code: 'INPUT_HEX', name: 'InvalidHexError' }
    ]) {
      expect([isLayerError(other), isLayerError(other, 'INPUT_HEX')]).toEqual([false, false])
    }
  })

  // The types themselves are checked by `npm run typecheck`, which compiles this file.
  it('narrows to the class of the code, and refuses to compile a code that does not exist', () => {
    const thrown: unknown = MADE.BRIDGE_SUBMIT()
    if (!isLayerError(thrown, 'BRIDGE_SUBMIT')) throw thrown
    const submit: errors.SubmitError = thrown
    const outcome: 'none' | 'unknown' = submit.outcome
    expect(outcome).toBe('unknown')
    // @ts-expect-error: a misspelt code
    expect(isLayerError(thrown, 'BRIDGE_SUBMITT')).toBe(false)
    // @ts-expect-error: a field of another class
    expect(thrown.position).toBeUndefined()
  })

  it('narrows to the union of all classes without a code, which a switch takes apart', () => {
    const thrown: unknown = MADE.INPUT_CBOR()
    if (!isLayerError(thrown)) throw thrown
    const describe = (error: LayerErrors[LayerErrorCode]): number | string => {
      switch (error.code) {
        case 'INPUT_CBOR':
          return error.offset
        case 'WALLET_MNEMONIC_WORD':
          return error.name
        // @ts-expect-error: no error has this code
        case 'INPUT_NOTHING':
          return 0
        default:
          return error.message
      }
    }
    expect(describe(thrown)).toBe(3)
  })

  it('maps every code to a class that can have it', () => {
    type Wrong = { [Code in LayerErrorCode]: Code extends LayerErrors[Code]['code'] ? never : Code }[LayerErrorCode]
    const wrong: Wrong[] = []
    expect(wrong).toEqual([])
    const single: 'BRIDGE_TIMEOUT' = MADE.BRIDGE_TIMEOUT().code
    expect(single).toBe('BRIDGE_TIMEOUT')
  })
})
