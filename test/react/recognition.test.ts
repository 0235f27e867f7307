/** @jest-environment jsdom */
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { useRecognition } from 'layer-sdk/react'
import type { Fetcher } from 'layer-sdk/providers'
import type { WatchRecognitionOptions } from 'layer-sdk/recognition'

afterEach(cleanup)

const slotConfig = { zeroTime: 0, zeroSlot: 0, slotLength: 1000, startEpoch: 0, epochLength: 432_000 }

/** A chain source without a head. */
function source(): WatchRecognitionOptions['provider'] & { looks: number; isDown: boolean } {
  const state = { looks: 0, isDown: false }
  const fetcher: Fetcher = {
    fetchAddressUTxOs: () => Promise.resolve([]),
    fetchUTxOs: () => Promise.resolve([]),
    fetchAssetUTxOs: () => Promise.resolve([]),
    fetchProtocolParameters: () => Promise.reject(new Error('not needed')),
    fetchTip: () => {
      state.looks++
      const tip = { slot: state.looks, hash: String(state.looks), height: 1 }
      return state.isDown ? Promise.reject(new Error('down')) : Promise.resolve(tip)
    }
  }
  return Object.assign(state, { fetcher })
}

const optionsOf = (provider: WatchRecognitionOptions['provider'], more = {}): WatchRecognitionOptions => ({
  headId: 'a1'.repeat(28),
  provider,
  endpoints: [],
  addresses: [],
  slotConfig,
  interval: 10,
  ...more
})

describe('useRecognition', () => {
  it('answers, renders on a change alone, and stops with the page', async () => {
    const provider = source()
    let renders = 0
    const hook = renderHook(() => (renders++, useRecognition(optionsOf(provider))), { wrapper: StrictMode })
    expect(hook.result.current).toMatchObject({ data: null, status: 'pending', error: null })
    await waitFor(() => expect(hook.result.current.status).toBe('success'))
    expect(hook.result.current.data).toMatchObject({ state: 'NO_HEAD', headId: 'a1'.repeat(28) })
    const [before, looks] = [renders, provider.looks]
    await waitFor(() => expect(provider.looks).toBeGreaterThan(looks + 5))
    expect(renders).toBe(before)
    hook.unmount()
    const last = provider.looks
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(provider.looks).toBeLessThanOrEqual(last + 1)
  })

  it('keeps the last answer beside a failure, looks again on request, and starts anew for another head', async () => {
    const provider = source()
    const hook = renderHook((more: object) => useRecognition(optionsOf(provider, { interval: 60_000, ...more })), {
      initialProps: {}
    })
    await waitFor(() => expect(hook.result.current.status).toBe('success'))
    provider.isDown = true
    act(() => hook.result.current.refresh())
    await waitFor(() => expect(hook.result.current).toMatchObject({ status: 'error', data: { state: 'NO_HEAD' } }))
    expect(hook.result.current.error).toMatchObject({ message: 'down' })
    provider.isDown = false
    hook.rerender({ headId: 'b2'.repeat(28) })
    await waitFor(() =>
      expect(hook.result.current).toMatchObject({ status: 'success', data: { headId: 'b2'.repeat(28) } })
    )
    // A deposit that is made later is looked at, too.
    const fetchUTxOs = jest.spyOn(provider.fetcher, 'fetchUTxOs')
    hook.rerender({ headId: 'b2'.repeat(28), depositTxIds: ['de'.repeat(32)] })
    await waitFor(() => expect(fetchUTxOs.mock.calls[0]![0]).toEqual([{ txHash: 'de'.repeat(32), index: 0 }]))
    hook.rerender({ headId: 'x' })
    await waitFor(() =>
      expect(hook.result.current).toMatchObject({ status: 'error', error: { code: 'INPUT_ARGUMENT' } })
    )
  })
})
