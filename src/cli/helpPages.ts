/** Help pages of the commands that set up, watch and operate a head, by command; part of `COMMAND_HELP`. */
export const HEAD_COMMAND_HELP: Readonly<Record<string, string>> = {
  setup: `layer-sdk setup STEP [options]: the files of a head before it opens; starts nothing

Steps
  keys --out DIR              both key pairs of a party, and its address on the base ledger
  head --from DIR             a head file of the public keys in a folder
  merge FILE FILE ...         one head file of several invitations
  parameters --from FILE      protocol parameters of a head, from those of cardano-cli or Blockfrost
  arguments FILE --me NAME    the options of a party's node
  check FILE, check -- ARGS   what a node would refuse of a configuration, compose file or command line
  preflight FILE FILE         two head files, or one and the node of --url: equal, or what differs

Files
  --out FILE                  where to write; never over a file that exists
  --from FILE                 folder of keys, or file of parameters, to start from
  --name NAME                 name of the party (party)
  --network-id 0|1            network of the printed address (0)

The head file
  --network NAME              mainnet, preprod, preview or a magic number (preprod)
  --node-version VERSION      version of hydra-node (2.4.1)
  --scripts IDS               transactions that published the scripts, with commas between
  --contestation-period TIME  e.g. 43200s
  --deposit-period TIME       e.g. 3600s
  --deposit-activation TIME   e.g. 3600s; from 2.4 on
  --parameters FILE           parameters of the head, whose hash goes into the file; of a node, its path
  --peer NAME=HOST:PORT       where the others reach a party; may be repeated

A node
  --me NAME                   your party in the head file
  --form FORM                 arguments, config (YAML) or compose (arguments)
  --keys DIR                  folder of the key files (keys)
  --persistence DIR           folder of the node's state (persistence)
  --socket FILE               socket of the cardano-node (node.socket)
  --blockfrost FILE           file of a Blockfrost project, in place of a cardano-node
  --api-port N                port of the API (4001)
  --image NAME                image of the compose service
  --head FILE                 head file to check against; needs --me
  --strict                    warnings end with code 1 too

  --url URL                   node of the preflight
  --timeout MS                limit for its answers (10000)
  --json                      one JSON object

Examples
  npx layer-sdk setup keys --out keys --name alice
  npx layer-sdk setup check node.yaml --head head.json --me alice`,

  conformance: `layer-sdk conformance [options]: lives a whole life on a node and on a local head of its version, and compares them

Opens, deposits, pays, withdraws, closes, fans out and recovers, with at most 40 test ada of the key, on test networks
alone. What cannot be tried is named. Exit codes: 0 no difference, 1 a difference or a failure, 2 wrong usage.

  --url URL         the node (LAYER_URL, else ws://127.0.0.1:4001); no head, or an open one of the key alone
  --second URL      another node of the same head, which is asked to contest
  --key FILE        signing key of cardano-cli (LAYER_KEY), with at most 1000 test ada; without it no payment is tried
  --provider WHERE  base ledger of the key, as for deposit; without it no deposit is tried
  --testnet         you know that the node is on a test network; nodes before 2.3 do not name theirs
  --out FILE        write what a bug report needs, without keys, hosts and paths; never over a file that exists
  --show            print that file; no program sends it anywhere
  --timeout MS      limit of a step (600000)
  --json            one JSON object

Examples
  npx layer-sdk conformance --url ws://127.0.0.1:4001 --key alice.sk --provider http://127.0.0.1:1337
  npx layer-sdk conformance --url ws://127.0.0.1:4001 --second ws://127.0.0.1:4002 --key alice.sk --out life.json --show`,

  recognise: `layer-sdk recognise HEADID [options]: shows a wallet's money in a head, and by what it is proven

  --provider URL|FILE       the base ledger: Blockfrost's interface without a key, or a file as for doctor
  --kupo URL                the base ledger: a Kupo, in place of --provider
  --endpoint URL            HTTP address of one of the head's nodes; may be repeated
  --address ADDRESS         address of the wallet; may be repeated
  --deposit-address ADDRESS address of the script that holds deposits: lists those of the wallet
  --network NAME            preprod, preview or mainnet (that of the addresses; preprod)
  --watch                   print each change until Ctrl-C
  --interval MS             time between two looks of --watch (20000)
  --strict                  follow the letter of the proposed standard
  --json                    one JSON object an answer

Exit codes: 0 for VERIFIED_IN_HEAD, HEAD_CLOSING and NO_HEAD, 1 for what cannot be verified or read, 2 for wrong usage.

Examples
  npx layer-sdk recognise d276058a... --kupo http://localhost:1442 --endpoint https://head.example --address addr_test1...
  npx layer-sdk recognise d276058a... --provider provider.json --endpoint https://head.example --address addr1... --watch`,

  watch: `layer-sdk watch [options]: prints an alert where money in a head needs attention; reads only, and never contests

A JSON line for each alert: it fires once, resolves once, and comes again every hour while it is critical.
Exit codes: 0 told to stop, 1 failed, 2 wrong usage, 4 the rule of --until fired, 5 an alert as heavy as --fail-on.

  --url URL                   a node of the head (LAYER_URL, else ws://127.0.0.1:4001); may be repeated
  --rules FILE                rules besides the built-in ones, and changes of them: a JSON list
  --state FILE                memory over restarts: the newest snapshots, and the alerts
  --webhook URL               post each line there, signed; needs --state, and https for other machines
  --webhook-secret-file FILE  its secret, at least 32 bytes; or the variable LAYER_WEBHOOK_SECRET
  --exec PROGRAM              start a program for each alert that fires, the line on its input, for at most 30 s; its
                              arguments stand behind --; needs --state
  --until RULE                end when this rule fires
  --fail-on SEVERITY          end when an alert fires that is as heavy: critical, warning or info
  --keys KEYS                 head keys of all parties in their order, as for replay: signatures of snapshots are checked
  --provider FILE             base ledger, as for doctor
  --fuel ADDRESS              address of the node's own wallet on the base ledger
  --json                      failures as JSON; the lines always are

Examples
  npx layer-sdk watch --url ws://127.0.0.1:4001 --url ws://10.0.0.2:4001 --state watch.json
  npx layer-sdk watch --state watch.json --exec systemctl -- start mirror`,

  open: `layer-sdk open [options]: opens a head, and waits until it is open

  --url URL         the node (LAYER_URL, else ws://127.0.0.1:4001)
  --timeout MS      limit for the opening (300000)
  --json            one JSON object

Examples
  npx layer-sdk open
  npx layer-sdk open --url ws://127.0.0.1:4001 --json`,

  deposit: `layer-sdk deposit AMOUNT [options]: moves an amount from the base ledger into the head

  --key FILE        signing key of cardano-cli (LAYER_KEY)
  --provider NAME   base ledger: a URL of Blockfrost's API, or a file with a project id
  --network-id 0|1  network of the key's addresses (0)
  --url URL         the node (LAYER_URL, else ws://127.0.0.1:4001)
  --timeout MS      limit for the whole deposit (300000)
  --json            one JSON object

Examples
  npx layer-sdk deposit 30 --key alice.sk --provider http://127.0.0.1:1337/api/v0
  npx layer-sdk deposit 2500000lovelace --key alice.sk --provider blockfrost.txt`,

  withdraw: `layer-sdk withdraw AMOUNT|--all [options]: moves an amount, or all, from the head to the base ledger

  --key FILE        signing key of cardano-cli (LAYER_KEY)
  --to ADDRESS      receiver on the base ledger (the key's address)
  --all             all outputs of the key
  --yes             do not ask; needed without a terminal
  --peer-url URL    node of another party, once for each: waits until all show one version of the head
  --network-id 0|1  network of the key's addresses (0)
  --url URL         the node (LAYER_URL, else ws://127.0.0.1:4001)
  --timeout MS      limit for the whole withdrawal (300000)
  --json            one JSON object

Examples
  npx layer-sdk withdraw 12.5ada --key alice.sk
  npx layer-sdk withdraw --all --yes --key alice.sk`,

  close: `layer-sdk close [options]: closes the head; its contestation period begins

  --force           also over findings of the doctor that block, and deposits that are not in the head yet
  --yes             do not ask; needed without a terminal
  --url URL         the node (LAYER_URL, else ws://127.0.0.1:4001)
  --timeout MS      limit for the closing (300000)
  --json            one JSON object

Examples
  npx layer-sdk close
  npx layer-sdk close --yes --json`,

  fanout: `layer-sdk fanout [options]: waits for the end of the contestation period, and pays the outputs out

  --yes             do not ask; needed without a terminal
  --url URL         the node (LAYER_URL, else ws://127.0.0.1:4001)
  --timeout MS      limit for the wait and the fanout (300000)
  --json            one JSON object

Examples
  npx layer-sdk fanout
  npx layer-sdk fanout --yes --timeout 3600000`,

  recover: `layer-sdk recover [TXID] [options]: brings back deposits that the head did not include in time

  --url URL         the node (LAYER_URL, else ws://127.0.0.1:4001)
  --timeout MS      limit for the recovery (300000)
  --json            one JSON object

Examples
  npx layer-sdk recover
  npx layer-sdk recover --json`,

  utxos: `layer-sdk utxos [ADDRESS] [options]: lists the outputs of the head, or of an address in it

  --url URL         the node (LAYER_URL, else ws://127.0.0.1:4001)
  --timeout MS      limit for the answer (10000)
  --json            one JSON object

Examples
  npx layer-sdk utxos
  npx layer-sdk utxos --json`,

  address: `layer-sdk address [options]: prints the address of a signing key

  --key FILE        signing key of cardano-cli (LAYER_KEY)
  --network-id 0|1  network of the key's addresses (0)
  --json            one JSON object

Examples
  npx layer-sdk address --key alice.sk
  npx layer-sdk address --key alice.sk --network-id 1`,

  faucet: `layer-sdk faucet ADDRESS AMOUNT [options]: pays test ada out of nothing, on a local head alone

  --control URL     control of the local head (http://127.0.0.1:1337/devnode)
  --in base|head    where (base)
  --timeout MS      limit for the answer (10000)
  --json            one JSON object

Examples
  npx layer-sdk faucet addr_test1... 100
  npx layer-sdk faucet addr_test1... 2.5ada --in head`,

  completion: `layer-sdk completion bash|zsh|fish: prints the script with which a shell completes commands and options

  --json            one JSON object

Examples
  npx layer-sdk completion bash > ~/.local/share/bash-completion/completions/layer-sdk
  npx layer-sdk completion zsh > ~/.zfunc/_layer-sdk`
}
