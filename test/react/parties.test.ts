/** @jest-environment jsdom */
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { useHeadStatus, useLatest } from 'layer-sdk/react'
import { ADA, startPageHead, within } from './support'
import type { PageHead } from './support'

let head: PageHead
afterEach(async () => {
  cleanup()
  await head.stop()
})

it('useHeadStatus shows the party that a late snapshot waits for, since when, and renders when that ends', async () => {
  head = await startPageHead({ parties: 3, accumulator: 'off' })
  const client = head.client(0)
  await client.connect()
  let renders = 0
  const { result } = renderHook(() => (renders++, useHeadStatus(({ waitingFor }) => waitingFor ?? null)), {
    wrapper: within(client, { autoConnect: false })
  })
  expect(result.current).toBeNull()
  const before = renders
  // One that neither requests the next snapshot nor is this node.
  const number = client.status().snapshotNumber! + 1
  const silent = (number - 1) % 3 === 1 ? 2 : 1
  head.node.parties[silent]!.set({ silent: true })
  const begin = Date.now()
  let paid: Promise<unknown> | undefined
  act(() => {
    paid = client.pay({ to: head.wallets[1]!.getAddressBech32(), amount: ADA })
  })
  await waitFor(() => expect(result.current).not.toBeNull(), { timeout: 30_000 })
  expect(result.current).toMatchObject({
    snapshotNumber: number,
    lacks: 'signatures',
    parties: [client.status().parties![silent]]
  })
  expect(result.current!.since).toBeGreaterThanOrEqual(begin)
  head.node.parties[silent]!.set({ silent: false })
  await act(async () => {
    await paid
  })
  await waitFor(() => expect(result.current).toBeNull())
  // Under StrictMode each is two.
  expect(renders - before).toBeLessThanOrEqual(4)
})

it('useHeadStatus shows the peers of the node and a contest, which useLatest shows as an event', async () => {
  head = await startPageHead({ parties: 2, timings: { contestationPeriodMs: 2_000 } })
  const client = head.client(0)
  await client.connect()
  const wrapper = within(client, { autoConnect: false })
  const hook = renderHook(
    () => ({
      ...useHeadStatus(({ peers, contest }) => ({ peers, contest })),
      event: useLatest('HeadIsContested')
    }),
    { wrapper }
  )
  expect(Object.values(hook.result.current.peers!)).toEqual([true])
  await act(async () => {
    await client.closeHead()
  })
  expect(hook.result.current).toMatchObject({ event: null })
  expect(hook.result.current.contest).toBeUndefined()
  act(() => head.node.contest())
  await waitFor(() => expect(hook.result.current.contest).toBeDefined(), { timeout: 10_000 })
  const { contest, event } = hook.result.current
  expect(contest).toEqual({ snapshotNumber: event!.snapshotNumber, at: expect.any(Number) })
})
