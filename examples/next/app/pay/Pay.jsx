'use client'
import { useState } from 'react'
import { createHeadClient } from 'layer-sdk/client'
import { HeadProvider, useBalance, usePay } from 'layer-sdk/react'
import { formatAda } from 'layer-sdk/utils'
import { openWallet } from './wallet'

/**
 * Watches what the receiver holds; pays once a wallet is connected. Rendered on the server first, where nothing is
 * known yet.
 */
export function Pay({ url, to, isLocal }) {
  const [{ head, canPay }, setClient] = useState(() => ({ head: createHeadClient({ url }), canPay: false }))
  const [problem, setProblem] = useState('')
  const connect = async () => {
    try {
      setClient({ head: createHeadClient({ url, wallet: await openWallet(isLocal) }), canPay: true })
    } catch (error) {
      setProblem(error.message)
    }
  }
  return (
    <HeadProvider client={head}>
      <Received by={to} />
      {canPay ? <PayButton to={to} /> : <button onClick={connect}>Connect a wallet</button>}
      {problem !== '' && <p role="alert">{problem}</p>}
    </HeadProvider>
  )
}

function Received({ by }) {
  const balance = useBalance({ address: by })
  return <p>{balance === null ? 'Loading' : `${formatAda(balance.confirmed.lovelace)} ada received`}</p>
}

function PayButton({ to }) {
  const { pay, status, error } = usePay()
  return (
    <>
      <button disabled={status === 'pending'} onClick={() => pay({ to, amount: 2_000_000n })}>
        Pay 2 ada
      </button>
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}
