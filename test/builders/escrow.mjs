// The escrow of docs/guides/dapps.md as it is printed there, with each builder, in a head and on the base ledger.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { createBlazeProvider } from '../../dist/blaze.js'
import { createHeadClient } from '../../dist/client.js'
import { startDevNode } from '../../dist/devnode.js'
import { createLucidProvider } from '../../dist/lucid.js'
import { createMeshProvider } from '../../dist/mesh.js'
import { scalusEvaluator } from '../../dist/scalus.js'
import { loadBlueprint } from '../../dist/tx.js'
import { getPubkeyHashFromAddress } from '../../dist/utils.js'
import { AppWallet } from '../../dist/wallet.js'
import { onChain } from './base.mjs'
import { setAside } from './contracts/contractTests.mjs'
import { ADA, WORDS } from './head.mjs'

const require = createRequire(import.meta.url)
const GUIDE = readFileSync(new URL('../../docs/guides/dapps.md', import.meta.url), 'utf8')
const OUT = fileURLToPath(new URL('.cache', import.meta.url))

const BUILDERS = [
  ['Mesh', ({ node, head }) => providerOfMesh(node, head)],
  ['Lucid Evolution', ({ node, head }) => providerOfLucid(node, head)],
  ['Blaze', ({ node, head }) => providerOfBlaze(node, head)]
]

export async function escrowTests(test) {
  const code = /compiledCode:\s+'([0-9a-f]+)'/.exec(GUIDE.split('\n## An escrow on both ledgers\n')[1])[1]
  const evaluator = scalusEvaluator()
  for (const [name, providerOf] of BUILDERS) {
    const escrow = await programOf(name)
    for (const where of ['in a head', 'on the base ledger'])
      await test(`${name}, the guide's escrow`, `${where}: both open it, and one alone does not`, async () => {
        const node = await startDevNode({
          port: 0,
          open: true,
          scriptEvaluator: evaluator,
          evaluatorTimeoutMs: 60_000,
          timings: { blockMs: 20, snapshotIntervalMs: 5 }
        })
        const words = [node.phrase.trim().split(' '), WORDS]
        const wallets = words.map((each) => new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: each } }))
        const [buyer, seller] = wallets.map((each) => each.getAccount(0).baseAddressBech32)
        for (let n = 0; n < 2; n++) await node.fundHead(buyer, 50n * ADA)
        await setAside(node, { wallet: wallets[0], address: buyer })
        const head = createHeadClient({ url: node.url, evaluator })
        await head.connect()
        try {
          const isHead = where === 'in a head'
          const provider = await providerOf({ node, head: isHead ? head : null })
          const wait = isHead ? (txId) => head.waitForTx(txId) : (txId) => onChain(node, txId)
          const address = addressOf(code)
          const held = () => (isHead ? node.headUtxos(address) : node.baseUtxos(address)).length
          const keyHashes = [buyer, seller].map(getPubkeyHashFromAddress).sort()
          // Keys in another order than the ledger's: the script refuses, and the money stays.
          await assert.rejects(escrow(provider, words, [...keyHashes].reverse(), code, wait))
          assert.equal(held(), 1)
          await escrow(provider, words, keyHashes, code, wait)
          assert.equal(held(), 1)
        } finally {
          await head.disconnect()
          await node.stop()
        }
      })
  }
}

/** The program below a heading of the guide, without its types. */
async function programOf(name) {
  const block = GUIDE.split(`\n### With ${name}\n`)[1].split('```ts no-run\n')[1].split('```')[0]
  const { code } = await transform(block, { loader: 'ts', format: 'esm' })
  mkdirSync(OUT, { recursive: true })
  const path = join(OUT, `escrow-${name.replace(/\W/g, '-')}.mjs`)
  writeFileSync(path, code)
  return (await import(path)).escrow
}

const addressOf = (compiledCode) =>
  loadBlueprint({
    preamble: { title: 'escrow', plutusVersion: 'v3' },
    validators: [{ title: 'escrow', redeemer: { schema: {} }, compiledCode }]
  })
    .get('escrow')
    .address(0)

function providerOfMesh(node, head) {
  const { BlockfrostProvider } = require('@meshsdk/core')
  return head === null ? new BlockfrostProvider(node.indexerUrl) : createMeshProvider(head)
}

function providerOfLucid(node, head) {
  const { Blockfrost, SLOT_CONFIG_NETWORK } = require('@lucid-evolution/lucid')
  if (head === null) return new Blockfrost(node.indexerUrl, 'none')
  const provider = createLucidProvider(head)
  SLOT_CONFIG_NETWORK.Custom = provider.getSlotConfig()
  return provider
}

function providerOfBlaze(node, head) {
  const sdk = require('@blaze-cardano/sdk')
  if (head !== null) return createBlazeProvider(head, sdk)
  const provider = new sdk.Blockfrost({ network: 'cardano-preprod', projectId: 'local' })
  // The one way to a Blockfrost of one's own that the class leaves.
  provider.url = `${node.indexerUrl}/`
  return provider
}
