// deno task start [ws://host:port [word ...]]
import { LayerBridge } from 'layer-sdk/bridge'
import { NETWORK_ID } from 'layer-sdk/utils'
import { AppWallet, verifyData } from 'layer-sdk/wallet'

const [url, ...phrase] = Deno.args
const words = phrase.length > 0 ? phrase : AppWallet.brew().split(' ')
const wallet = await AppWallet.create({ networkId: NETWORK_ID.PREPROD, key: { type: 'mnemonic', words } })
const address = wallet.getPaymentAddress()
console.log(`address ${address}`)
console.log(`stake   ${wallet.getRewardAddress()}`)

const signed = await wallet.signData(address, 'hello from Deno')
console.log(
  `signed  ${verifyData({ ...signed, address, payload: 'hello from Deno' }) ? 'and verified' : 'but not verified'}`
)

if (url !== undefined) {
  const bridge = new LayerBridge({ url })
  await bridge.connect()
  console.log(`head    ${bridge.headStatus}`)
  const balance = bridge.getAddressBalance(address)
  console.log(
    balance === null ? 'balance not known: no head is open' : `balance ${balance.get('lovelace') ?? 0n} lovelace`
  )
  await bridge.disconnect()
}
