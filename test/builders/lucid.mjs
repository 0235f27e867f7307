import { createRequire } from 'node:module'
import { createLucidProvider } from '../../dist/lucid.js'
import { WORDS } from './head.mjs'

export const name = '@lucid-evolution/lucid 0.4.30'
/** Lovelace. */
export const fee = 0n
export const unsupported = ['getDelegation', 'getDatum', 'evaluateTx']

export async function connect(head, options) {
  // The ES modules of it do not load on Node 20.
  const { fromText, Lucid, mintingPolicyToId, paymentCredentialOf, scriptFromNative, SLOT_CONFIG_NETWORK } = createRequire(import.meta.url)(
    '@lucid-evolution/lucid'
  )
  const provider = createLucidProvider(head, options)
  SLOT_CONFIG_NETWORK.Custom = provider.getSlotConfig()
  const lucid = await Lucid(provider, 'Custom')
  lucid.selectWallet.fromSeed(WORDS.join(' '))
  const address = await lucid.wallet().address()
  const policy = scriptFromNative({ type: 'sig', keyHash: paymentCredentialOf(address).hash })
  const unit = mintingPolicyToId(policy) + fromText('lucid')

  async function send(tx) {
    const built = await tx.validTo(Date.now() + 300_000).complete()
    return (await built.sign.withWallet().complete()).submit()
  }

  return {
    provider,
    address,
    unit,
    pay: (to, lovelace) => send(lucid.newTx().pay.ToAddress(to, { lovelace })),
    mint: (quantity) =>
      send(
        lucid
          .newTx()
          .mintAssets({ [unit]: BigInt(quantity) })
          .attach.MintingPolicy(policy)
      )
  }
}
