// app/page.jsx
import { createHeadClient } from 'layer-sdk/client'
import { formatAda } from 'layer-sdk/utils'

const { HEAD_URL: url = 'ws://127.0.0.1:4001', HEAD_ADDRESS: address = '' } = process.env

// With each request. Without it Next renders the page once, when the site is built.
export const dynamic = 'force-dynamic'

export default async function Page() {
  const head = createHeadClient({ url })
  try {
    await head.connect({ timeout: 5_000 })
    return <p>{formatAda(head.getBalance({ address })?.confirmed.lovelace ?? 0n)} ada in the head</p>
  } finally {
    await head.disconnect()
  }
}
