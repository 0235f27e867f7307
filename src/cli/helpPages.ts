/** Pages of the commands that live with a head, in the form of `COMMAND_HELP`. */
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
  npx layer-sdk setup check node.yaml --head head.json --me alice`
}
