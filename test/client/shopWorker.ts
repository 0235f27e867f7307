import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createHeadClient } from '../../src/client/index.js'
import { isLayerError } from '../../src/errors/base.js'
import { ChainCliWallet } from '../../src/wallet/index.js'

/** What the test wants of this process. */
interface Wanted {
  readonly url?: string
  readonly gateway?: string
  readonly skey: string
  readonly supplier: string
  readonly file: string
}

// A shop that books what comes in, and pays a supplier after each second booking, from the same wallet.
async function run({ url, gateway, skey, supplier, file }: Wanted): Promise<void> {
  const wallet = new ChainCliWallet({ networkId: 0, skey })
  const way = url === undefined ? { gateway: { url: gateway!, mode: 'delta' as const } } : { url }
  const head = createHeadClient({ ...way, wallet, reconnectInterval: 50 } as never)
  await head.connect()
  const booked = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  let count = booked.length
  let after: string | null = booked.at(-1)?.split(' ')[0] ?? null
  for (;;) {
    try {
      for await (const { cursor, txId, index, amount, from } of head.receipts({ after })) {
        appendFileSync(file, `${cursor} ${txId}#${index} ${amount[0]!.quantity} ${String(from)}\n`)
        process.send?.({ booked: ++count })
        if (count % 2 === 0) head.pay({ to: supplier, amount: 1_000_000n }).catch(() => undefined)
      }
    } catch (error) {
      // The log of a gateway begins after the head: before the first booking nothing can be missing.
      if (!isLayerError(error, 'CLIENT_HISTORY_GAP') || error.after !== null) throw error
      after = error.cursor
    }
  }
}

process.once('message', (message) => {
  run(message as Wanted).catch((error: unknown) => process.send?.({ failed: String(error) }))
})
// The test is gone.
process.on('disconnect', () => process.exit())
