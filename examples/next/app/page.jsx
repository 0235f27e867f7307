// app/page.jsx
import { createHeadClient } from 'layer-sdk/client'
import { formatAda } from 'layer-sdk/utils'

const url = process.env.HEAD_URL
const address = process.env.HEAD_ADDRESS

// With each request. Without it Next renders the page once, when the site is built.
export const dynamic = 'force-dynamic'

export default async function Page() {
  const head = createHeadClient({ url })
  try {
    await head.connect({ timeout: 5_000 })
    return <p>{formatAda(head.getBalance(address)?.confirmed.lovelace ?? 0n)} ada in the head</p>
  } finally {
    await head.disconnect()
  }
}
