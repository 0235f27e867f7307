// Writes test/vectors/: figures that independent libraries make, the same on every run. With --check, fails when a file
// differs. test/vectors/published.json is not made: its figures stand in the standards that it names.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './entries.mjs'
import { commitments } from './vectors/accumulators.mjs'
import * as keys from './vectors/keys.mjs'
import * as ledger from './vectors/ledger.mjs'
import { nodeMessages, protocolParameters, VERSIONS } from './vectors/nodeMessages.mjs'
import { signedSnapshots } from './vectors/snapshots.mjs'
import * as transactions from './vectors/transactions.mjs'

const folder = join(ROOT, 'test', 'vectors')
const published = JSON.parse(readFileSync(join(folder, 'published.json'), 'utf8'))

const sets = {
  addresses: ledger.addresses,
  auxiliary_data: ledger.auxiliaryData,
  bip32_ed25519_cardano_crypto: keys.extendedSignatures,
  bip39_english: () => keys.badPhrases(published),
  cip14_fingerprints: ledger.fingerprints,
  cip1852_wallets: () => keys.wallets(published),
  cip3_master_keys: () => keys.masterKeys(published),
  cose_verify: keys.coseToVerify,
  cost_models: () => ledger.costModels().figures,
  ed25519: keys.ed25519,
  key_text_envelopes: keys.keyFiles,
  metadatum_json: ledger.metadatumJson,
  native_scripts: ledger.nativeScripts,
  plutus_data: ledger.plutusData,
  plutus_scripts: ledger.plutusScripts,
  protocol_parameters: protocolParameters,
  signdata_deterministic: () => keys.signedData(published),
  signed_snapshots: signedSnapshots,
  slot_time: ledger.slotTimes,
  snapshot_accumulators: commitments,
  tx_conway: transactions.conway,
  tx_conway_unproven: transactions.drafts,
  tx_hydra_generated: transactions.payments,
  tx_older_eras: transactions.oddlyEncoded,
  tx_outputs: ledger.txOutputs,
  tx_sign: () => transactions.toSign(published)
}

/** One entry a line, so that a change shows as the lines that changed. */
const lines = (figures) => {
  const text = (value) =>
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? { $integer: String(inner) } : inner)).replace(
      /\{"\$integer":"(-?\d+)"\}/g,
      '$1'
    )
  if (Array.isArray(figures)) return `[\n${figures.map((each) => `  ${text(each)}`).join(',\n')}\n]\n`
  return `{\n${Object.entries(figures)
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${text(value)}`)
    .join(',\n')}\n}\n`
}

const files = [
  ...Object.entries(sets).map(([name, make]) => [`${name}.json`, () => lines(make())]),
  ...VERSIONS.map((version) => [`node/${version}.json`, () => lines(nodeMessages(version))])
]

const check = process.argv.includes('--check')
for (const [name, make] of files) {
  const path = join(folder, name)
  if (check) {
    let now = ''
    try {
      now = readFileSync(path, 'utf8')
    } catch {
      /* It is not there. */
    }
    if (now !== make()) {
      console.error(
        `test/vectors/${name} is not what scripts/make-vectors.mjs makes: run it, read the difference and commit it.`
      )
      process.exitCode = 1
    }
  } else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, make())
  }
}
