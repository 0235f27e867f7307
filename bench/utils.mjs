// Throughput of what reads ledger data: addresses, PlutusData, outputs. The samples are made here, so every machine
// reads the same.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Serialization } from '@cardano-sdk/core'
import CSL from '@emurgo/cardano-serialization-lib-nodejs'
import * as hydra from '@hydra-sdk/core'
import { build } from 'esbuild'
import * as utils from 'layer-sdk/utils'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const ROUNDS = 5
const ROUND_MS = 250

/** Outputs are read inside the package only, so their decoder is bundled from the sources. */
async function outputCodec() {
  const contents = `export { decodeTxOutput, encodeTxOutput } from './src/codec/txOutput.ts'
    export { CborReader } from './src/codec/cbor/reader.ts'`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}

/** Items a second over one round. */
function round(read, items) {
  let count = 0
  const start = performance.now()
  do {
    for (const item of items) read(item)
    count += items.length
  } while (performance.now() - start < ROUND_MS)
  return (count * 1000) / (performance.now() - start)
}

/** Best round of each; the rounds take turns, so that a slow moment of the machine hits both. */
function compare(items, ours, rival) {
  const best = [0, 0]
  for (let i = 0; i < ROUNDS; i++) {
    best[0] = Math.max(best[0], round(ours, items))
    best[1] = Math.max(best[1], round(rival, items))
  }
  return best
}

const hash = (seed, bytes) =>
  Array.from({ length: bytes }, (_, i) => ((seed * 31 + i * 17 + 7) & 255).toString(16).padStart(2, '0')).join('')

const addresses = Array.from({ length: 100 }, (_, i) => {
  const [payment, stake] = [hash(i, 28), hash(i + 500, 28)]
  return i % 4 === 0 ? utils.buildEnterpriseAddress(i & 1, payment) : utils.buildBaseAddress(i & 1, payment, stake)
})

/** A datum as an order book or a lending pool has it: nested constructors, a map of assets, a list of signers. */
const datums = Array.from({ length: 100 }, (_, i) => {
  const { mkBytes, mkConstr, mkInt, mkList, mkMap, mkOption } = utils
  const assets = Array.from({ length: i % 5 }, (_, j) => [mkBytes(hash(j, 8)), mkInt(10n ** BigInt(j * 4))])
  const owner = utils.mkAddress(addresses[i])
  const signers = mkList(Array.from({ length: i % 3 }, (_, j) => mkBytes(hash(i + j, 28))))
  return mkConstr(i % 9, [
    owner,
    mkMap([[mkBytes(hash(i, 28)), mkMap(assets)]]),
    mkInt(1_000_000n * BigInt(i)),
    mkOption(signers)
  ]).toCbor()
})

export async function run() {
  const codec = await outputCodec()
  const outputs = addresses.map((address, i) => {
    const assets = Array.from({ length: i % 6 }, (_, j) => ({
      unit: hash(i + (j >> 1), 28) + hash(j, 4 + j),
      quantity: String(10n ** BigInt(3 * j))
    }))
    const amount = [{ unit: 'lovelace', quantity: String(2_000_000 + i) }, ...assets]
    return utils.bytesToHex(codec.encodeTxOutput({ address, amount, ...(i % 3 === 0 && { inlineDatum: datums[i] }) }))
  })
  const row = (name, target, rivalName, items, ours, rival) => {
    const [our, their] = compare(items, ours, rival)
    return {
      name,
      unit: 'per s',
      ours: our,
      rival: their,
      rivalName,
      ratio: our / their,
      target: `>= ${target}`,
      pass: our / their >= target
    }
  }
  return [
    row('check an address', 2, '@hydra-sdk/core', addresses, utils.isValidAddress, hydra.ValidatorUtils.isValidAddress),
    row(
      'key hash of an address',
      2,
      '@hydra-sdk/core',
      addresses,
      utils.getPubkeyHashFromAddress,
      hydra.AddressUtils.getPubkeyHashFromAddress
    ),
    row(
      'take an address apart',
      2,
      '@hydra-sdk/core',
      addresses,
      utils.addressInfo,
      hydra.Deserializer.deserializeAddress
    ),
    row('key hash of an address', 2, 'cardano-serialization-lib', addresses, utils.getPubkeyHashFromAddress, (text) => {
      const address = CSL.Address.from_bech32(text)
      const credential = address.payment_cred()
      const hex = credential.to_keyhash().to_hex()
      credential.free()
      address.free()
      return hex
    }),
    row(
      'decode PlutusData',
      5,
      '@cardano-sdk/core',
      datums,
      (cbor) => utils.PlutusData.fromCbor(cbor),
      (cbor) => Serialization.PlutusData.fromCbor(cbor)
    ),
    row(
      'decode an output',
      5,
      '@cardano-sdk/core',
      outputs,
      (cbor) => codec.decodeTxOutput(new codec.CborReader(utils.hexToBytes(cbor))),
      (cbor) => Serialization.TransactionOutput.fromCbor(cbor).toCore()
    )
  ]
}
