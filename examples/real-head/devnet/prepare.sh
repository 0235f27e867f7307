#!/bin/sh
# Makes the keys of alice and bob, and the files of a base ledger with one block producer. Overwrites no key.
set -eu
cd "$(dirname "$0")"

for name in alice bob; do
  [ -e "keys/$name.hydra.sk" ] || npx layer-sdk setup keys --out keys --name "$name"
done

# Genesis files and the keys of the block producer come with hydra's source.
[ -d .hydra ] || git clone --depth 1 --branch 2.4.1 https://github.com/cardano-scaling/hydra .hydra
BASEDIR="$PWD/.hydra" TARGETDIR="$PWD/devnet" bash .hydra/demo/prepare-devnet.sh
[ -e .env ] || cp .env.example .env
