import { createRequire } from 'node:module'
import { createMeshProvider } from '../../dist/mesh.js'
import { WORDS } from './head.mjs'

export const name = '@meshsdk/core 1.9.1'
/** Lovelace. */
export const fee = 0n
export const unsupported = [
  'fetchAccountInfo',
  'fetchAddressTxs',
  'fetchAssetAddresses',
  'fetchAssetMetadata',
  'fetchBlockInfo',
  'fetchCollectionAssets',
  'fetchTxInfo',
  'fetchGovernanceProposal',
  'get'
]

export async function connect(head, options) {
  // The ES modules of it do not load on Node 20.
  const { ForgeScript, MeshTxBuilder, MeshWallet, resolveScriptHash, stringToHex } = createRequire(import.meta.url)(
    '@meshsdk/core'
  )
  const provider = createMeshProvider(head, options)
  const wallet = new MeshWallet({
    networkId: 0,
    fetcher: provider,
    submitter: provider,
    key: { type: 'mnemonic', words: WORDS }
  })
  await wallet.init()
  const address = await wallet.getChangeAddress()
  const script = ForgeScript.withOneSignature(address)
  const policyId = resolveScriptHash(script)

  async function send(extend) {
    const params = await provider.fetchProtocolParameters()
    const builder = new MeshTxBuilder({ fetcher: provider, submitter: provider, params, isHydra: true })
    builder.protocolParams(params)
    extend(builder)
    const { zeroTime, slotLength } = provider.getSlotConfig()
    builder.invalidHereafter(Math.floor((Date.now() + 300_000 - zeroTime) / slotLength))
    await builder
      .changeAddress(address)
      .selectUtxosFrom(await provider.fetchAddressUTxOs(address))
      .complete()
    return provider.submitTx(await wallet.signTx(builder.txHex))
  }

  return {
    provider,
    address,
    unit: policyId + stringToHex('mesh'),
    pay: (to, lovelace) => send((builder) => builder.txOut(to, [{ unit: 'lovelace', quantity: String(lovelace) }])),
    mint: (quantity) =>
      send((builder) =>
        builder
          .mint(String(quantity), policyId, stringToHex('mesh'))
          .mintingScript(script)
          .txOut(address, [
            { unit: 'lovelace', quantity: '2000000' },
            { unit: policyId + stringToHex('mesh'), quantity: String(quantity) }
          ])
      )
  }
}
