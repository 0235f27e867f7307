import { HEAD_COMMAND_HELP } from './helpPages.js'

/** `layer-sdk --help`. */
export const HELP = `layer-sdk: tools for layer-two heads

Usage
  layer-sdk devnode [options]           start a local head node with funded test keys
  layer-sdk gateway --head URL          serve a head to thousands of clients (needs socket.io; jose for tokens)
  layer-sdk status --url URL            show the state of a node and its head
  layer-sdk balance ADDRESS --url URL   show the balance of an address in the head
  layer-sdk receipts ADDRESS --url URL  list what came to an address in the head, with senders and notes
  layer-sdk tx ID --url URL             show a transaction of the head, with what it spends
  layer-sdk pay --url URL --from FILE --to ADDRESS --amount ADA
                                        pay in the head, and wait for the snapshot
  layer-sdk open                        open a head
  layer-sdk deposit AMOUNT              move money from the base ledger into the head
  layer-sdk withdraw AMOUNT|--all       move money from the head to the base ledger
  layer-sdk close                       close the head
  layer-sdk fanout                      pay a closed head's outputs out
  layer-sdk recover [TXID]              bring back deposits that the head did not include
  layer-sdk utxos [ADDRESS]             list outputs of the head
  layer-sdk address --key FILE          print the address of a signing key
  layer-sdk faucet ADDRESS AMOUNT       pay test ada on a local head
  layer-sdk completion SHELL            print completions for bash, zsh or fish
  layer-sdk new STARTER [FOLDER]        make a project of a starter; without a name, list the starters
  layer-sdk keygen [--out FILE]         make a payment key, in a file of cardano-cli
  layer-sdk setup STEP                  make and check the files of a head before it opens
  layer-sdk blueprint FILE [--out FILE] write the TypeScript types of compiled contracts (CIP-57)
  layer-sdk compat --url URL            hold a node's routes and messages against this package's decoders
  layer-sdk conformance --url URL       live a whole life on a node and on a local head, and compare them
  layer-sdk doctor --url URL [options]  check whether a head can be closed and paid out, and what stands in the way
  layer-sdk watch --url URL [options]   print an alert where money in a head needs attention
  layer-sdk export --url URL|--log FILE write the events of a head as JSON lines, with cursors to go on from
  layer-sdk recognise HEADID [options]  show a wallet's money in a head, and by what it is proven
  layer-sdk record --url URL --out FILE write every message and answer of a node, without secrets
  layer-sdk replay FILE|--url URL       tell a recording, an export, a log or a node's history, and check it
  layer-sdk explain [CODE]              print the meaning of an error code and the next step
  layer-sdk --help, --version

layer-sdk COMMAND --help says more. Exit codes: 0, 1 for a failure, 2 for wrong usage, 6 where
the outcome of a transaction is unknown: do not repeat it. LAYER_URL names the node, LAYER_KEY the file of a key.`

/** `layer-sdk COMMAND --help`. */
export const COMMAND_HELP: Readonly<Record<string, string>> = {
  ...HEAD_COMMAND_HELP,

  devnode: `layer-sdk devnode [options]: a local head node on a simulated base ledger

Endpoints
  --port N                    port of the WebSocket and HTTP API; 0 takes a free one (4001)
  --host HOST                 address to listen on (127.0.0.1)
  --rpc-port N                port of the base ledger's endpoints; 0 takes a free one (1337; with --port 0 a free one)

Node version
  --profile VERSION           node version: 0.22, 1.3, 2.0, 2.2, 2.3, 2.4, master (2.4)
  --network-id 0|1            network of all addresses (0)
  --accumulator real|off      true accumulator in snapshots from 2.2 on; at most 4,095 outputs (off)
  --parties N                 parties of the head, each on a port of its own: --port, the one behind it, ... (1)
  --seed TEXT                 other ids and keys, reproducible

Initial state
  --accounts N                funded accounts of the phrase (10)
  --balance ADA               what each account holds (10000)
  --phrase WORDS              recovery phrase of the accounts (23 x test, sauce)
  --fund ADDRESS=LOVELACE     put an output on the base ledger; may be repeated
  --genesis FILE              put the outputs of a JSON file on the base ledger: a UTxO map of a node, or a list
  --open                      open a head at once
  --fork URL                  start from the open head of a running node: its outputs, parameters, version and slot
  --in-head ADDRESS=LOVELACE  bring an output into that head; may be repeated

Behaviour
  --block-time MS             time until the base ledger includes a transaction (50)
  --deposit-delay MS          time until a deposit is activated (100)
  --deposit-activation MS     the same by the node's name, from profile 2.4 on (that of --deposit-delay)
  --snapshot-interval MS      time until a snapshot is signed (20)
  --contestation-period MS    time between close and fanout (2000)
  --check-deposits            refuse deposits of outputs that the base ledger does not have, instead of drafting them
  --fault NAME[=VALUE]        a fault from the start; may be repeated
  --scalus                    run Plutus scripts with the package scalus
  --state FILE                keep the state in a file: a kill loses no confirmed payment
  --no-control                no control of the running node: on a loopback --host it is below /devnode of the --rpc-port

Output
  --verbose                   the messages to its clients too
  --quiet                     failures only
  --json                      one JSON object a line

Examples
  npx layer-sdk devnode --open
  npx layer-sdk devnode --profile 2.3 --parties 2 --state head.json`,

  gateway: `layer-sdk gateway --head [PATH=]URL [options]: serves heads to thousands of clients

Needs the package socket.io, and jose for tokens: npx -p layer-sdk -p socket.io -p jose layer-sdk gateway --head ws://127.0.0.1:4001

  --head [PATH=]URL       head to serve and the WebSocket URL of its node; may be repeated (path /)
  --port N                port to listen on; 0 takes a free one (5001)
  --host HOST             address to listen on (127.0.0.1)
  --redis URL             Redis 7, where processes meet (needs the package redis); with a password the variable LAYER_GATEWAY_REDIS
  --role ROLE             with Redis: core (the node), edge (the clients) or both (both)
  --jwt-secret-file FILE  secret of tokens, at least 32 bytes; or the variable LAYER_GATEWAY_JWT_SECRET
  --jwt-public-key FILE   public key of tokens, PEM
  --jwks URL              key set of tokens
  --issuer TEXT           required issuer of tokens
  --audience TEXT         required audience of tokens
  --anonymous SCOPES      scopes of clients without a token: read, submit
  --origin URL            origin of browser clients, which must be listed; may be repeated
  --public-host NAME      name under which clients reach it without tokens, beside IP addresses and this machine; may be repeated
  --metrics-port N        port of this machine for Prometheus; 0 takes a free one
  --trust-proxy           read the addresses of clients from X-Forwarded-For
  --allow-insecure        serve other hosts than this machine without tokens
  --proofs                prove single outputs to clients: GET /hydra/proof?ref=
  --exit-after SECONDS    exit with code 1 when it is not ready after this time (retries without end)

Examples
  npx layer-sdk gateway --head ws://127.0.0.1:4001
  npx layer-sdk gateway --head /a=ws://10.0.0.2:4001 --jwt-secret-file secret --redis redis://127.0.0.1:6379`,

  status: `layer-sdk status --url URL [--json]: shows the state of a node and its head

  --url URL         the node: ws://, wss://, http:// or https://
  --timeout MS      limit for the answer (10000)
  --json            one JSON object

Examples
  npx layer-sdk status
  npx layer-sdk status --url ws://127.0.0.1:4001 --json`,

  balance: `layer-sdk balance ADDRESS --url URL [--json]: shows the balance of an address in the head

  --url URL         the node: ws://, wss://, http:// or https://
  --timeout MS      limit for the answer (10000)
  --json            one JSON object; lovelace and quantities are strings

Examples
  npx layer-sdk balance addr_test1...
  npx layer-sdk balance addr_test1... --url ws://127.0.0.1:4001 --json`,

  receipts: `layer-sdk receipts ADDRESS --url URL [--json]: lists what came to an address in the head, with senders and notes

  --url URL         the node: ws://, wss://, http:// or https://
  --after CURSOR    only what came behind this receipt; each line ends with its cursor
  --timeout MS      limit for the connection (10000), and for the history (60000)
  --json            one JSON object a line; lovelace and quantities are strings

Examples
  npx layer-sdk receipts addr_test1...
  npx layer-sdk receipts addr_test1... --after CURSOR --json`,

  tx: `layer-sdk tx ID --url URL [--json]: shows a transaction of the head, with what it spends

  --url URL         the node: ws://, wss://, http:// or https://
  --timeout MS      limit for the answer (30000)
  --json            one JSON object; lovelace and quantities are strings

Examples
  npx layer-sdk tx 5ed3b4...
  npx layer-sdk tx 5ed3b4... --url ws://127.0.0.1:4001 --json`,

  pay: `layer-sdk pay --url URL --from FILE --to ADDRESS --amount ADA [--json]: pays in the head, and waits for the snapshot

  --url URL         the node: ws://, wss://, http:// or https://
  --from FILE       signing key of cardano-cli; all its addresses in the head pay
  --to ADDRESS      receiver
  --amount ADA      decimal, with up to six digits behind the point
  --id TEXT         pay once under this id: the same command again, after a kill too, is the same payment
  --journal FILE    file that remembers the ids; one process at a time
  --timeout MS      limit for the whole payment (30000)
  --json            one JSON object

Examples
  npx layer-sdk pay --from alice.sk --to addr_test1... --amount 2.5
  npx layer-sdk pay --from alice.sk --to addr_test1... --amount 2.5 --id order-17 --journal payments.journal`,

  new: `layer-sdk new [STARTER [FOLDER]] [--json]: makes a project of a starter, and runs npm install in it

  --sdk SPEC        where the project gets layer-sdk from, as npm writes it (this version, from the registry)
  --no-install      do not run npm install
  --json            one JSON object

Without STARTER it lists the starters. FOLDER is new or empty (./STARTER).

Examples
  npx layer-sdk new pay-per-call && cd pay-per-call && npm start
  npx layer-sdk new vite-react my-app --no-install`,

  keygen: `layer-sdk keygen [--out FILE] [--json]: makes a payment key, in a file of cardano-cli

  --out FILE        write the signing key there, readable by its owner alone; never over a file that is there
  --test-key NAME   no new key, but a public one of devnode: alice, bob, carol, or the number of an account
  --network-id 0|1  network of the addresses that are printed (0)
  --show            print the signing key
  --json            one JSON object

Examples
  npx layer-sdk keygen --out alice.sk
  npx layer-sdk keygen --test-key alice --out alice.sk`,

  blueprint: `layer-sdk blueprint FILE [--out FILE] [--json]: writes the TypeScript types of compiled contracts (CIP-57)

  --out FILE        write them there, and print the hash of each contract; only over a file that the command wrote
  --json            hashes and parameters as one JSON object

Examples
  npx layer-sdk blueprint plutus.json
  npx layer-sdk blueprint plutus.json --out contracts.ts`,

  compat: `layer-sdk compat --url URL [--json]: holds a node's routes and messages against this package's decoders; reads only

  --url URL         the node: ws://, wss://, http:// or https://
  --pay FILE        pay from that signing key to itself too, in an open head
  --expect FILE     fail unless the node has the version, scripts and hash of parameters of that head file
  --timeout MS      limit for each answer (10000)
  --json            one JSON object a line

Examples
  npx layer-sdk compat --url ws://127.0.0.1:4001
  npx layer-sdk compat --url ws://127.0.0.1:4001 --pay alice.sk --json`,

  doctor: `layer-sdk doctor [options]: checks whether a head can be closed and paid out, and what stands in the way; reads only

Exit codes: 0 ok or warn, 1 a finding blocks or the own node cannot be read, 2 wrong usage, 3 incomplete: a source could not be read.

  --url URL         the own node: ws://, wss://, http:// or https://; repeated for the other nodes of the head, at most 20
  --provider FILE   base ledger, JSON: {"kind": "indexer", "url", "apiKey", "network"} or {"kind": "rpc", "url", "network"}
  --fuel ADDRESS    address of the node's own wallet on the base ledger
  --metrics URL     Prometheus metrics of the node
  --before STEP     the next step: close, or decommit with the FILE of its transaction: --before decommit tx.json
  --facts FILE      judge saved facts instead of reading a node
  --save FILE       save the facts, readable by its owner alone; never over a file that exists
  --strict          exit with 1 for warnings too
  --json            one JSON object

Examples
  npx layer-sdk doctor --url ws://127.0.0.1:4001 --before close
  npx layer-sdk doctor --url ws://127.0.0.1:4001 --url ws://10.0.0.2:4001 --provider base.json --fuel addr_test1...`,

  explain: `layer-sdk explain [CODE] [--json]: prints the meaning of an error code and the next step; without CODE the list

  --json            one JSON object a line

Examples
  npx layer-sdk explain BRIDGE_CONNECT
  npx layer-sdk explain CLIENT_OUTCOME_UNKNOWN --json`,

  record: `layer-sdk record --url URL --out FILE [options]: writes every message and answer of a node into a file, without secrets

Reads only. Ctrl-C ends it; a lost connection is made again.

  --url URL         the node: ws://, wss://, http:// or https://
  --out FILE        file to write, readable by its owner alone; never over a file that exists
  --seconds N       end after that time
  --until TAG       end with the first message of this tag, e.g. HeadIsFinalized
  --history         request the stored messages of the node first
  --timeout MS      limit for the connection (10000)
  --json            the summary as one JSON object

Examples
  npx layer-sdk record --url ws://127.0.0.1:4001 --out head.recording
  npx layer-sdk record --url ws://127.0.0.1:4001 --out head.recording --history --until HeadIsFinalized`,

  export: `layer-sdk export [--url URL | --log FILE] [options]: writes the events of a head as JSON lines; reads only

A line is { cursor, at, source, headId, kind, data }. Exit codes: 0, 1 failed, 2 wrong usage, 3 a gap with --no-gaps.

  --url URL         a node, whose stored history is read (LAYER_URL, else ws://127.0.0.1:4001)
  --log FILE        a node's log, plain or packed by gzip; - is the standard input
  --after CURSOR    go on behind the event with this cursor, the one of the last whole line
  --follow          go on with live events, over lost connections, until Ctrl-C
  --heads IDS       events of these heads alone, with commas between; gaps come always
  --no-gaps         end with code 3 at the first gap
  --json            findings besides the events as one JSON object on the error output

Examples
  npx layer-sdk export --url ws://127.0.0.1:4001 > head.ndjson
  npx layer-sdk export --log hydra-node.log.gz --no-gaps`,

  replay: `layer-sdk replay FILE [options], layer-sdk replay --url URL: tells the events head by head, and checks them

FILE is a recording, an export, or a node's log, plain or packed by gzip. Exit codes: 0 all of it holds, 1 a part does
not or was not understood, 2 wrong usage. In logs and exports, tags that are not known count for nothing.

  --url URL         the stored history of a node instead of a FILE
  --keys KEYS       head keys of all parties in their order, hex, with commas between, or files of hydra-node (.vk)
  --check           each snapshot's verdict and each transition, not only those that do not hold
  --all             each payment, not only sums by minute
  --json            one JSON object

Examples
  npx layer-sdk replay head.recording
  npx layer-sdk replay head.ndjson --keys alice.vk,bob.vk --check`
}
