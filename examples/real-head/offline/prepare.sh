#!/bin/sh
# Makes the keys of alice and bob, the parameters of the head, and its first outputs. Overwrites no key.
set -eu
cd "$(dirname "$0")"
port=${PREPARE_PORT:-14001}

for name in alice bob; do
  [ -e "keys/$name.hydra.sk" ] || npx layer-sdk setup keys --out keys --name "$name"
done

# The local head node of this package answers with parameters of a head of that version.
npx layer-sdk devnode --quiet --port "$port" --rpc-port 0 &
node=$!
trap 'kill "$node" 2>/dev/null || true' EXIT
tries=0
until curl -fs "http://127.0.0.1:$port/protocol-parameters" > protocol-parameters.json; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || { echo "The local head node does not answer on port $port." >&2; exit 1; }
  sleep 0.5
done

alice=$(npx layer-sdk address --key keys/alice.cardano.sk)
bob=$(npx layer-sdk address --key keys/bob.cardano.sk)
id=$(printf '%064d' 0)
printf '{"%s#0":{"address":"%s","value":{"lovelace":100000000}},"%s#1":{"address":"%s","value":{"lovelace":100000000}}}\n' \
  "$id" "$alice" "$id" "$bob" > utxo.json
[ -e .env ] || cp .env.example .env
