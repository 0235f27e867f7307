#!/bin/sh
# Run while cardano-node runs: pays alice and bob on the base ledger, publishes the scripts, and writes the head's
# parameters. Needs jq 1.7 or newer.
set -eu
cd "$(dirname "$0")"
. ./.env

cli() {
  docker compose exec -T cardano-node cardano-cli "$@"
}

# pay ADDRESS LOVELACE: one output of the faucet, the rest back to it.
pay() {
  faucet=$(cli conway address build --payment-verification-key-file /devnet/credentials/faucet.vk --testnet-magic 42)
  input=$(cli conway query utxo --address "$faucet" --testnet-magic 42 --out-file /dev/stdout | jq -r 'keys[0]')
  cli conway transaction build --tx-in "$input" --tx-out "$1+$2" --change-address "$faucet" --testnet-magic 42 \
    --out-file /devnet/seed.draft >&2
  cli conway transaction sign --tx-body-file /devnet/seed.draft --signing-key-file /devnet/credentials/faucet.sk \
    --out-file /devnet/seed.signed >&2
  cli conway transaction submit --tx-file /devnet/seed.signed --testnet-magic 42 >&2
  paid="$(cli conway transaction txid --tx-file /devnet/seed.signed | jq -r .txhash)#0"
  tries=0
  until [ "$(cli conway query utxo --tx-in "$paid" --testnet-magic 42 --out-file /dev/stdout | jq length)" = 1 ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || { echo "The payment $paid did not arrive." >&2; exit 1; }
    sleep 1
  done
}

# The largest output without tokens is what a node pays its own transactions with.
for name in alice bob; do
  address=$(npx layer-sdk address --key "keys/$name.cardano.sk")
  pay "$address" 100000000
  pay "$address" 500000000
done

cli query protocol-parameters --testnet-magic 42 --out-file /dev/stdout > devnet/base-parameters.json
[ -e devnet/protocol-parameters.json ] ||
  npx layer-sdk setup parameters --from devnet/base-parameters.json --out devnet/protocol-parameters.json

scripts=$(docker run --rm -v "$PWD/devnet:/devnet" "ghcr.io/cardano-scaling/hydra-node:2.4.1@$HYDRA_NODE_DIGEST" \
  publish-scripts --testnet-magic 42 --node-socket /devnet/node.socket \
  --cardano-signing-key /devnet/credentials/faucet.sk)
grep -v '^HYDRA_SCRIPTS_TX_ID=' .env > .env.new || true
echo "HYDRA_SCRIPTS_TX_ID=$scripts" >> .env.new
mv .env.new .env
