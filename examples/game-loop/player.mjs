import { createHeadClient } from 'layer-sdk/client'
import { ChainCliWallet } from 'layer-sdk/wallet'

/** A player with a key and a connection of its own, as if it ran on another machine. */
export async function joinHead({ url, key: { name, address, skey } }) {
  const head = createHeadClient({ url, wallet: new ChainCliWallet({ networkId: 0, skey }) })
  await head.connect()
  return {
    name,
    address,
    /** Each payment spends the change of the one before it, which need not be confirmed yet. */
    pay: (to, amount) => head.pay({ to, amount }),
    /** Lovelace that snapshots have confirmed. */
    balance: () => head.getBalance({ address }).confirmed.lovelace,
    /** Resolves once this player's connection has brought a snapshot. */
    hasSeen: (snapshot) =>
      new Promise((resolve) => {
        const stop = head.watchHead({
          onChange: (status) => {
            if (status.snapshotNumber < snapshot) return
            // It is called at once too, before there is a `stop`.
            queueMicrotask(() => stop())
            resolve()
          }
        })
      }),
    leave: () => head.disconnect()
  }
}
