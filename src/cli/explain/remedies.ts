import type { LayerErrorCode } from '../../errors/codes.js'

/**
 * The next step for each code, in one or two sentences. A code without a remedy does not compile.
 * scripts/error-index.mjs reads the table for docs/errors.md.
 */
export const REMEDIES: Readonly<Record<LayerErrorCode, string>> = {
  API_RENAMED: 'Call it by the name in `newName`; `CHANGELOG.md` has the table of old and new names.',
  BRIDGE_CACHE_COLD: 'Await `connect()`, or call `querySnapshotUtxo()`, before you read balances and outputs.',
  BRIDGE_COMMAND_REFUSED:
    'Compare `headState` with `allowedStates`, bring the head into one of those states, and send the command again.',
  BRIDGE_CONNECT:
    'Check that the node runs, that host and port are those of its option `--api-port`, and that no firewall is between. `npx layer-sdk devnode` starts a local node.',
  BRIDGE_CONNECT_ABORTED: 'Call `connect()` again if the connection is still needed.',
  BRIDGE_CONNECT_TIMEOUT: 'Check host, port and firewall; for a slow network raise the option `connectTimeout`.',
  BRIDGE_DISCONNECTED:
    'Connect again and read the state of the head before you repeat the request: it may have been executed.',
  BRIDGE_INSECURE_URL: 'Use `wss://` or `https://`. On a network that you trust, pass `allowInsecure: true`.',
  BRIDGE_MESSAGE_TOO_LARGE:
    'Raise the option `maxMessageBytes`, or leave the outputs out of the messages with `noSnapshotUtxo: true`.',
  BRIDGE_NODE_TIMEOUT:
    'Read the state of the head before you repeat the request: it may have been executed. Operators can raise `--api-transaction-timeout`.',
  BRIDGE_NOT_A_NODE:
    'Check host and port: the URL must lead to the API of a head node, not to Ogmios, Kupo or another server.',
  BRIDGE_NOT_CONNECTED: 'Await `connect()` first, or set `autoReconnect: true` and wait for the connection.',
  BRIDGE_OPTIONS: 'Correct the option that the message names.',
  BRIDGE_PROTOCOL:
    'Check that the URL leads to a head node and that `npx layer-sdk compat` knows its version; if it does, send us a recording (`npx layer-sdk record`).',
  BRIDGE_RECONNECT_EXHAUSTED: 'Bring the node back, then call `connect()` again. `cause` is the last failure.',
  BRIDGE_REQUEST: 'Read `status` and `reason`: they are the answer of the node.',
  BRIDGE_SUBMIT:
    "With `outcome: 'none'` correct the transaction and send a new one. With `'unknown'` do not send it again before its outcome is known.",
  BRIDGE_TIMEOUT:
    'Read the state of the head before you repeat a request that changes it; raise the limit if the node is slow.',
  BRIDGE_UNSUPPORTED_BY_CONNECTOR: 'Connect to the node itself, or enable the route at the gateway.',
  BRIDGE_UNSUPPORTED_BY_NODE:
    'Check the version with `npx layer-sdk status`; use a node that has the route, or the call that the message names.',
  CLIENT_COST_LIMIT:
    'Check the costs; if they are acceptable, raise the limit (`maxFee`, `maxMinLovelace`) and call again.',
  CLIENT_CURSOR:
    'Pass the cursor of a receipt of this very node or head, as it was stored beside the booking; without one, begin anew.',
  CLIENT_EVALUATOR_FAILED: 'Read `cause`: the evaluator itself failed, no script refused. Then evaluate again.',
  CLIENT_EVALUATOR_MISSING:
    'Pass `evaluator: scalusEvaluator()` of `layer-sdk/scalus` to the call or to `createHeadClient`.',
  CLIENT_SCRIPT_FAILED:
    'Read the redeemer, the reason and the traces; correct the redeemer, the datum or the transaction.',
  CLIENT_SCRIPT_INPUT:
    'Add the script, datum or redeemer that the message names, or remove the redeemer that no script needs.',
  CLIENT_DEPOSIT_EXPIRED:
    'Call `recover({ depositTxId })` after the deadline: the money returns to its owner on the base ledger.',
  CLIENT_DEPOSIT_IN_SNAPSHOT:
    'Wait for CommitFinalized: the deposit is in the head then. Where it does not come, close the head first; `recover()` works afterwards.',
  CLIENT_DRAFT_MISMATCH:
    'Do not sign the draft. `differences` names the parts that differ; ask the operator of the node.',
  CLIENT_HEAD_STATE: 'Wait until the head is in one of `allowedStates`, or bring it there.',
  CLIENT_ID_REUSED: 'Give each order an id of its own; the same id with the same arguments returns the first result.',
  CLIENT_HISTORY_GAP:
    'Compare the outputs in `unspent` with your bookings, then go on with `receipts({ after: error.cursor })`. Nodes keep more with a larger `--persistence-rotate-after`, gateways with a larger log.',
  CLIENT_INPUT_RESERVED:
    'Wait for the transaction `txId`, or build from the outputs of `getUtxos()`, which leaves reserved ones out.',
  CLIENT_LAST_COLLATERAL: 'Withdraw less, or pass `all: true` if no script has to run in the head any more.',
  CLIENT_LEDGER: 'Read `reason` and `figures`, build the transaction again from the current outputs, and send it.',
  CLIENT_NODE_UNSYNCED: 'Wait until `status().synced` is true; no transaction was sent.',
  CLIENT_OPEN_DEPOSIT:
    'Wait until `payments({ open: true })` lists no deposit, or pass `force: true` and `recover()` the deposit later.',
  CLIENT_OFFER:
    'Do not sign the offer as it is. `reason` says why: with `terms` compare what `inspectOffer` shows with what you agreed to, with the others ask its maker for another one.',
  CLIENT_OUTCOME_UNKNOWN: 'Do not pay again. `waitForTx(txId)` resolves or rejects once the outcome is known.',
  CLIENT_PAYMENT_INCOMPLETE:
    'Read `received` and `missing`: ask for the rest, or return what came. A late payment still comes through `receipts()`.',
  CLIENT_PROVIDER_MISSING: 'Put `<HeadProvider client={head}>` around the component.',
  CLIENT_TIMEOUT:
    "With `outcome: 'none'` nothing was sent: call again, with a longer `timeout` if the node is slow. With `'unknown'` read `status()` first: the command may still take effect.",
  CLIENT_TX_EXPIRED: 'Send a new transaction: this one can never be confirmed, and its inputs are free.',
  CLIENT_UNSUPPORTED_IN_HEAD: 'Use a provider of the base ledger for this method.',
  CLIENT_WALLET_CAPABILITY: 'Use a wallet that has the member that the message names.',
  CLIENT_WITHDRAW_BLOCKED:
    'Read `findings`: each names its remedy. With `force: true` the withdrawal is sent all the same; once approved it cannot be withdrawn.',
  CLIENT_WALLET_CHANGED_TX: 'Do not trust the signed copy. Use a wallet that signs transactions as they are.',
  CLIENT_WALLET_FAILED:
    "Read `cause`: it is the value that the wallet rejected with. With `outcome: 'unknown'` (`submitTx`) the transaction may have been sent: look it up before you send another.",
  CLIENT_WALLET_FRAGMENTED: 'Call `consolidate()`, then repeat the payment.',
  CLIENT_WALLET_MISSING: 'Pass the option `wallet` to `createHeadClient`.',
  CLIENT_WALLET_SIGNED_NOTHING: 'Check that the wallet holds the keys of the addresses that it names.',
  DEVNODE_CLOCK_STALLED: 'Check that the promise depends on a timer of the node, or raise the limit.',
  DEVNODE_FILE: 'Start with another file, or with the options that the file was written with.',
  DEVNODE_FORK: 'Fork from a node whose head is open, and give its WebSocket URL.',
  DEVNODE_PORT: 'Choose another port, or 0 for a free one.',
  DEVNODE_STATE: 'Bring the node into the state that the message names, then call again.',
  DOCTOR_CURSOR:
    'Pass the cursor of the last whole line of an export of this very node or log with `--after`; without one, the export begins anew.',
  DOCTOR_FACTS:
    'Gather the facts again with `checkHead()` or `layer-sdk doctor --save FILE`; update layer-sdk where they are newer.',
  DOCTOR_RULES:
    'Correct the rules that the message lists; the guide on watching has the built-in ones, the guide on the doctor the codes.',
  DOCTOR_WATCH_STATE:
    'Update layer-sdk where the state is newer; else name another file with `--state`, which forgets what was seen and told.',
  GATEWAY_FENCED: 'No action is needed: another process is the core of the head now.',
  GATEWAY_LOG: 'Check that Redis runs and is reachable, and that it keeps its data (`appendonly yes`).',
  GATEWAY_NOT_READY: 'Read `reasons`, bring the nodes or Redis back, or raise `readyTimeout`.',
  GATEWAY_PORT: 'Choose another port, or 0 for a free one.',
  INPUT_ADDRESS: 'Pass a bech32 address of the network that is used, without spaces and not shortened.',
  INPUT_ARGUMENT: 'Pass a value of the type and range that the message names.',
  INPUT_BECH32: 'Copy the text again, whole: its checksum or its prefix does not fit.',
  INPUT_CBOR: 'Pass the whole CBOR of the kind that the message names; `offset` is the byte that could not be read.',
  INPUT_HEX: 'Pass an even number of hexadecimal digits, without `0x`; `position` is the first wrong character.',
  INPUT_JSON: 'Correct the JSON; `position` is the place in the text.',
  INPUT_KEY_FILE: 'Pass a key file as cardano-cli or this package writes it.',
  INPUT_METADATUM: 'Pass integers, bytes and texts of at most 64 bytes, lists and maps of those.',
  INPUT_NATIVE_SCRIPT: 'Write the script as `cardano-cli` reads it: `sig`, `all`, `any`, `atLeast`, `after`, `before`.',
  INPUT_PLUTUS_DATA: 'Pass data of integers, bytes, lists, maps and constructors.',
  INPUT_UTF8: 'Encode the text as UTF-8.',
  JOURNAL_ACCESS:
    'Make room on the disk, or make the journal writable, and call again with the same id: no transaction was sent.',
  JOURNAL_BROKEN:
    'Keep a copy of the file, compare the line with your bookings, and remove it once its payment is settled by hand.',
  JOURNAL_LOCKED:
    'Stop the other process or close the other tab, or give each of them a journal and a wallet of its own.',
  JOURNAL_MISMATCH: 'Open the journal with the wallet and the head that wrote it, or use another journal for this one.',
  JOURNAL_VERSION: 'Update layer-sdk to the version that wrote the journal, or a newer one.',
  PACKAGE_MISSING: 'Install the package that the message names beside this one.',
  PROVIDERS_DISAGREE: 'Call again when both providers have the newest block; if they still differ, trust neither.',
  PROVIDERS_EXHAUSTED: 'Read `errors`: they name the failure of each provider.',
  PROVIDER_AUTH: 'Check the key of the provider, and that it belongs to this network.',
  PROVIDER_HTTP: 'Wait for `retryAfterMs` where it is given, then call again; `status` is the answer of the provider.',
  PROVIDER_NETWORK: 'Check address and network of the provider, then call again.',
  PROVIDER_RESPONSE:
    'Check that the URL leads to a provider of this kind and version; `field` names the part that differs.',
  PROVIDER_UNSUPPORTED: 'Use the provider or the option that the message names.',
  PROVIDER_RPC: 'Read `rpcCode` and `rpcName`: they are the answer of the server.',
  PROVIDER_SUBMIT_REJECTED: 'Read `reason`, correct the transaction, and submit a new one.',
  PROVIDER_SUBMIT_UNKNOWN: 'Look the id up later, or submit the same bytes again, which cannot spend twice.',
  PROVIDER_TIMEOUT: 'Call again, with a longer `timeout` if the provider is slow.',
  RUNTIME_UNSUPPORTED: 'Pass the missing part as the option that the message names.',
  SETUP_HEAD_FILE:
    'Correct the member that `path` names, or make the file again with `layer-sdk setup head`; public keys alone belong in it.',
  TX_INSUFFICIENT_FUNDS:
    'Bring in what `missing` names: deposit into the head, wait for a payment in flight, or pay less.',
  TX_OUTPUT_BELOW_MINIMUM: 'Give the output at least `minimum` lovelace.',
  TX_TOO_LARGE: 'Use fewer inputs and outputs, or smaller tokens and data, in one transaction.',
  TX_UNSPENDABLE_INPUT: 'Leave the input out, or attach its script and redeemer.',
  VERIFICATION: 'Compare `reason` with the table of the guide on trust. Do not rely on data that failed a check.',
  WALLET_ADDRESS_NOT_OWN: 'Sign with an address of this wallet.',
  WALLET_CIP30: 'Read `cip30Code`: with 2 the user declined; otherwise connect the wallet again.',
  WALLET_DISPOSED: 'Create the wallet again from its phrase or key.',
  WALLET_FETCHER_MISSING: 'Create the wallet with the option `fetcher`.',
  WALLET_KEY: 'Pass a key of the form that the message names.',
  WALLET_KEY_MISMATCH: 'Use the verification key of this signing key, or leave it out.',
  WALLET_MNEMONIC_CHECKSUM: 'Check the words and their order: all of them are known words, and one of them is wrong.',
  WALLET_MNEMONIC_STRENGTH: 'Use a strength of 128, 160, 192, 224 or 256 bits.',
  WALLET_MNEMONIC_WORD: 'Check the spelling: one word is not in the English list of BIP-39.',
  WALLET_MNEMONIC_WORD_COUNT: 'Use 12, 15, 18, 21 or 24 words.',
  WALLET_READ_ONLY: 'Create the wallet from a phrase or key to sign.',
  WALLET_SUBMITTER_MISSING: 'Create the wallet with the option `submitter`.',
  WALLET_TX_MISMATCH: 'Merge signatures of one transaction only: sign the same bytes at each party.',
  WALLET_TX_MISSING_SIGNERS: 'Let the owners of the keys in `missing` sign too, or pass `partialSign` and merge later.'
}
