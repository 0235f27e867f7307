'use client'
// Rendered on the server first: the same text there and in the browser's first render, or React reports an error.
import { createHeadClient } from 'layer-sdk/client'
import { HeadProvider, useBalance } from 'layer-sdk/react'

const head = createHeadClient({ url: process.env.NEXT_PUBLIC_HEAD_URL })

const Balance = () => <p>{useBalance(process.env.NEXT_PUBLIC_HEAD_ADDRESS)?.confirmed.lovelace.toString() ?? 'Loading'}</p>

export default function Page() {
  return (
    <HeadProvider client={head}>
      <Balance />
    </HeadProvider>
  )
}
