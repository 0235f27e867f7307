import { existsSync, readFileSync, writeFileSync, renameSync } from 'node:fs'
import { createHeadClient } from '../../src/client/index.js'
import type { HeadClient } from '../../src/client/index.js'
import { buildSweep } from '../../src/tx/index.js'
import { ChainCliWallet } from '../../src/wallet/index.js'

/** What the test wants of this process: `bot` is the guide's function as JavaScript. */
interface Wanted {
  readonly url: string
  readonly skey: string
  readonly file: string
  readonly bot: string
}

type Refund = (
  head: HeadClient,
  read: () => Promise<string | null>,
  write: (cursor: string) => Promise<void>
) => Promise<void>

async function run({ url, skey, file, bot }: Wanted): Promise<void> {
  const refund = new Function('buildSweep', `${bot}\nreturn refund`)(buildSweep) as Refund
  const head = createHeadClient({ url, wallet: new ChainCliWallet({ networkId: 0, skey }), reconnectInterval: 50 })
  await head.connect()
  let count = 0
  await refund(
    head,
    async () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    async (cursor) => {
      writeFileSync(`${file}.new`, cursor)
      renameSync(`${file}.new`, file)
      process.send?.({ booked: ++count })
    }
  )
}

process.once('message', (message) => {
  run(message as Wanted).catch((error: unknown) => process.send?.({ failed: String(error) }))
})
// The test is gone.
process.on('disconnect', () => process.exit())
