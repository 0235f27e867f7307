import { createRequire } from 'node:module'
import { createLucidProvider } from '../../dist/lucid.js'
import { onChain } from './base.mjs'
import { WORDS } from './head.mjs'

const require = createRequire(import.meta.url)
const OPTIONS = { fee: 0n, unsupported: ['getDelegation'] }

/** The oldest and the newest version of the peer range; the ES modules of neither load on Node 20. */
export const LUCIDS = [
  ['@lucid-evolution/lucid 0.4.30', '@lucid-evolution/lucid'],
  ['@lucid-evolution/lucid 0.4.34', 'lucid-newest']
].map(([name, specifier]) => ({
  name,
  ...OPTIONS,
  connect: (head, options) => connectHead(require(specifier), head, options),
  bases: [true, false].flatMap((localUPLCEval) => [
    [
      localUPLCEval ? 'Blockfrost' : 'Blockfrost, which evaluates',
      (node) => connectBlockfrost(require(specifier), node, localUPLCEval)
    ],
    [
      localUPLCEval ? 'Kupo and Ogmios' : 'Kupo and Ogmios, which evaluate',
      (node) => connectKupmios(require(specifier), node, localUPLCEval)
    ]
  ])
}))

/** Lucid with a head as its provider. */
async function connectHead(lucidModule, head, options) {
  const provider = createLucidProvider(head, options)
  lucidModule.SLOT_CONFIG_NETWORK.Custom = provider.getSlotConfig()
  const using = (localUPLCEval) =>
    open(lucidModule, {
      provider,
      network: 'Custom',
      words: WORDS,
      awaitTx: (txId) => head.waitForTx(txId),
      localUPLCEval
    })
  const [opened, evaluated] = [await using(true), await using(false)]
  return {
    provider,
    ...opened,
    // Outputs of transactions that no snapshot holds yet can be spent.
    scripts: { ...opened.scripts, chains: true },
    /** With the head's evaluator in place of Lucid's own. */
    evaluated: { ...evaluated.scripts, chains: true }
  }
}

/** Lucid over Blockfrost's API, on the base ledger of a local head. */
function connectBlockfrost(lucidModule, node, localUPLCEval) {
  return openBase(lucidModule, node, new lucidModule.Blockfrost(node.indexerUrl, 'none'), localUPLCEval)
}

function connectKupmios(lucidModule, node, localUPLCEval) {
  return openBase(lucidModule, node, new lucidModule.Kupmios(node.kupoUrl, node.rpcUrl), localUPLCEval)
}

function openBase(lucidModule, node, provider, localUPLCEval) {
  return open(lucidModule, {
    provider,
    network: 'Preprod',
    words: node.phrase.trim().split(' '),
    awaitTx: (txId) => onChain(node, txId),
    localUPLCEval
  })
}

async function open(lucidModule, { provider, network, words, awaitTx, localUPLCEval }) {
  const { fromText, Lucid, mintingPolicyToId, paymentCredentialOf, scriptFromNative } = lucidModule
  const lucid = await Lucid(provider, network)
  lucid.selectWallet.fromSeed(words.join(' '))
  const address = await lucid.wallet().address()
  const policy = scriptFromNative({ type: 'sig', keyHash: paymentCredentialOf(address).hash })
  const unit = mintingPolicyToId(policy) + fromText('lucid')

  async function send(tx) {
    const built = await tx.validTo(Date.now() + 300_000).complete({ localUPLCEval })
    return (await built.sign.withWallet().complete()).submit()
  }

  return {
    address,
    unit,
    pay: (to, lovelace) => send(lucid.newTx().pay.ToAddress(to, { lovelace })),
    mint: (quantity) =>
      send(
        lucid
          .newTx()
          .mintAssets({ [unit]: BigInt(quantity) })
          .attach.MintingPolicy(policy)
      ),
    scripts: scriptsOf(lucidModule, { lucid, network, send, awaitTx, address })
  }
}

/** The steps that scripts.mjs takes with each builder. */
function scriptsOf(
  { applyDoubleCborEncoding, Data, fromText, mintingPolicyToId, validatorToAddress },
  { lucid, network, send, awaitTx, address }
) {
  const scriptOf = (script) => ({ type: 'PlutusV2', script: applyDoubleCborEncoding(script) })
  const addressOf = (script) => validatorToAddress(network, scriptOf(script))
  return {
    awaitTx,
    /** Pays to a script with an inline datum; with `reference` an output of our own carries the script. */
    async lock(script, datum, lovelace, { reference = false } = {}) {
      const tx = lucid
        .newTx()
        .pay.ToContract(addressOf(script), { kind: 'inline', value: Data.to(datum) }, { lovelace })
      if (reference) tx.pay.ToAddressWithData(address, undefined, { lovelace: 3_000_000n }, scriptOf(script))
      return send(tx)
    },
    async unlock(txId, script, redeemer, { reference = false } = {}) {
      const [locked] = await lucid.utxosByOutRef([{ txHash: txId, outputIndex: 0 }])
      const tx = lucid.newTx().collectFrom([locked], Data.to(redeemer))
      if (reference) tx.readFrom(await lucid.utxosByOutRef([{ txHash: txId, outputIndex: 1 }]))
      else tx.attach.SpendingValidator(scriptOf(script))
      return send(tx)
    },
    unitOf: (script) => mintingPolicyToId(scriptOf(script)) + fromText('plutus'),
    mintPlutus(script, quantity) {
      const unit = mintingPolicyToId(scriptOf(script)) + fromText('plutus')
      return send(
        lucid
          .newTx()
          .mintAssets({ [unit]: quantity }, Data.void())
          .attach.MintingPolicy(scriptOf(script))
      )
    },
    lovelaceAt: async (script) =>
      (await lucid.utxosAt(addressOf(script))).reduce((sum, { assets }) => sum + assets.lovelace, 0n),
    assetsOf: async (unit) =>
      (await lucid.wallet().getUtxos()).reduce((sum, { assets }) => sum + (assets[unit] ?? 0n), 0n)
  }
}
