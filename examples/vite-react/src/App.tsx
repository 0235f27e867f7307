import type { HeadClient } from 'layer-sdk/client'
import { HeadProvider, useBalance, useHeadStatus, usePay } from 'layer-sdk/react'
import { formatAda } from 'layer-sdk/utils'

export const App = ({ head, to }: { head: HeadClient; to: string }) => (
  <HeadProvider client={head}>
    <Status />
    <Pay to={to} />
  </HeadProvider>
)

const Status = () => <p>{useHeadStatus().state}</p>

const Pay = ({ to }: { to: string }) => {
  const balance = useBalance()
  const { pay, status, error } = usePay()
  if (balance === null) return <p>Loading</p>
  return (
    <>
      <p>{formatAda(balance.pending.lovelace)}</p>
      <button disabled={status === 'pending'} onClick={() => pay({ to, amount: 2_000_000n })}>
        Pay 2 ada
      </button>
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}
