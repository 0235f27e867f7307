import { createRequire } from 'node:module'
import { createBlazeProvider } from '../../dist/blaze.js'
import { WORDS } from './head.mjs'

export const name = '@blaze-cardano/sdk 0.2.48'
/** Lovelace: the least that Blaze balances with. */
export const fee = 1n
export const unsupported = ['resolveDatum', 'evaluateTransaction']

export async function connect(head, options) {
  const sdk = createRequire(import.meta.url)('@blaze-cardano/sdk')
  const {
    Address,
    AssetName,
    Bip32PrivateKey,
    CredentialType,
    mnemonicToEntropy,
    NativeScripts,
    PolicyId,
    Script,
    wordlist
  } = sdk.Core
  const provider = createBlazeProvider(head, sdk, options)
  const masterkey = Bip32PrivateKey.fromBip39Entropy(Buffer.from(mnemonicToEntropy(WORDS.join(' '), wordlist)), '')
  const wallet = await sdk.HotWallet.fromMasterkey(masterkey.hex(), provider)
  const blaze = await sdk.Blaze.from(provider, wallet)
  const { hash, type } = wallet.address.getProps().paymentPart
  if (type !== CredentialType.KeyHash) throw new Error('The wallet has no key of its own')
  const script = Script.newNativeScript(NativeScripts.justAddress(wallet.address.toBech32(), 0))
  const assetName = Buffer.from('blaze').toString('hex')

  async function send(tx) {
    tx.setValidUntil(provider.unixToSlot(Math.floor(Date.now() / 1000) * 1000 + 300_000))
    return blaze.submitTransaction(await blaze.signTransaction(await tx.complete()))
  }

  return {
    provider,
    hash,
    address: wallet.address.toBech32(),
    unit: script.hash() + assetName,
    pay: (to, lovelace) => send(blaze.newTransaction().payLovelace(Address.fromBech32(to), lovelace)),
    mint: (quantity) =>
      send(
        blaze
          .newTransaction()
          .addMint(PolicyId(script.hash()), new Map([[AssetName(assetName), BigInt(quantity)]]))
          .provideScript(script)
      )
  }
}
