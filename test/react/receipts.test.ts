/** @jest-environment jsdom */
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { HeadProvider, useDeposit, useReceipts, useTransaction, useWithdraw } from 'layer-sdk/react'
import { ADA, startPageHead, within } from './support'
import type { PageHead } from './support'

let head: PageHead
beforeEach(async () => {
  head = await startPageHead()
})
afterEach(async () => {
  cleanup()
  await head.stop()
})

const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()
const LONG = { timeout: 15_000 }

it('useReceipts shows what comes in while it is mounted, also for a client that connects later', async () => {
  const payer = head.client(0)
  await payer.connect()
  const shop = head.client(1)
  const { result, unmount } = renderHook(() => useReceipts(), { wrapper: within(shop) })
  expect(result.current).toEqual({ receipts: [], error: null })
  const { txId } = await act(() => payer.pay({ to: addressOf(1), amount: 2n * ADA }))
  await waitFor(() => expect(result.current.receipts.at(-1)?.txId).toBe(txId), LONG)
  unmount()
}, 60_000)

it('useReceipts shows the error of a bad cursor', async () => {
  const { result } = renderHook(() => useReceipts({ after: 'x' }), { wrapper: within(head.client(1)) })
  await waitFor(() => expect(result.current.error).toMatchObject({ code: 'CLIENT_CURSOR' }), LONG)
}, 60_000)

it('useTransaction shows a transaction once it is there, with its sender', async () => {
  const payer = head.client(0)
  await payer.connect()
  const { txId } = await payer.pay({ to: addressOf(1), amount: 2n * ADA })
  const { result, rerender } = renderHook(({ id }: { id: string | null }) => useTransaction(id), {
    wrapper: within(payer, { autoConnect: false }),
    initialProps: { id: null as string | null }
  })
  expect(result.current).toBeUndefined()
  rerender({ id: txId })
  await waitFor(() => expect(result.current?.state).toBe('confirmed'), LONG)
  expect(result.current).toMatchObject({ txId, from: [addressOf(0)] })
  rerender({ id: 'ab'.repeat(32) })
  await waitFor(() => expect(result.current).toBeNull(), LONG)
}, 60_000)

it('useDeposit and useWithdraw show the steps, the result and the error', async () => {
  const client = head.client(0)
  await client.connect()
  const { result } = renderHook(() => ({ deposit: useDeposit(), withdraw: useWithdraw() }), {
    wrapper: within(client, { autoConnect: false })
  })
  expect(result.current.deposit).toMatchObject({ status: 'idle', step: null })
  await act(() => result.current.withdraw.run({ amount: 3n * ADA }))
  expect(result.current.withdraw).toMatchObject({ status: 'success', step: 'confirmed', error: null })
  expect(result.current.withdraw.data!.decommitTxId).toHaveLength(64)
  await act(() => result.current.deposit.run({ amount: -1n }).catch(() => undefined))
  expect(result.current.deposit).toMatchObject({ status: 'error', data: undefined })
  expect(result.current.deposit.error!.message).toContain('amount')
  act(() => result.current.deposit.reset())
  expect(result.current.deposit.status).toBe('idle')
}, 60_000)

it('renders on a server without connecting', () => {
  const Page = () => {
    const { receipts } = useReceipts()
    return createElement(
      'p',
      null,
      JSON.stringify([receipts, useTransaction('ab'.repeat(32)) ?? '...', useDeposit().status])
    )
  }
  const page = renderToString(createElement(HeadProvider, { client: head.client(1) }, createElement(Page)))
  expect(page).toContain('idle')
})
