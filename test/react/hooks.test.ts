/** @jest-environment jsdom */
import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react'
import { createElement, StrictMode } from 'react'
import { HeadProvider, useBalance, useHead, useHeadStatus, useLatest, usePay, useUtxos } from 'layer-sdk/react'
import { ADA, startPageHead, within } from './support'
import type { PageHead } from './support'

let head: PageHead
const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined)
beforeEach(async () => {
  errors.mockClear()
  head = await startPageHead()
})
afterEach(async () => {
  cleanup()
  await head.stop()
})

const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()

describe('useHeadStatus with a selector', () => {
  it('renders when what it picks has changed, and not with each snapshot', async () => {
    const client = head.client(0)
    await client.connect()
    const renders = { status: 0, open: 0, fields: 0 }
    const wrapper = within(client, { autoConnect: false })
    const counted = <T>(name: keyof typeof renders, value: T): T => {
      renders[name]++
      return value
    }
    const hooks = [
      renderHook(() => counted('status', useHeadStatus()), { wrapper }),
      renderHook(
        () =>
          counted(
            'open',
            useHeadStatus(({ headStatus }) => headStatus === 'Open')
          ),
        { wrapper }
      ),
      renderHook(
        () =>
          counted(
            'fields',
            useHeadStatus(({ state, headStatus }) => ({ state, headStatus }))
          ),
        { wrapper }
      )
    ]
    const before = { ...renders }
    for (let n = 0; n < 5; n++)
      await act(async () => {
        await client.pay({ to: head.wallets[1]!.getAddressBech32(), amount: ADA })
      })
    expect(renders.status).toBeGreaterThan(before.status + 4)
    expect([renders.open, renders.fields]).toEqual([before.open, before.fields])
    expect(hooks.slice(1).map(({ result }) => result.current)).toEqual([
      true,
      { state: 'connected', headStatus: 'Open' }
    ])
    await act(async () => {
      await client.disconnect()
    })
    await waitFor(() => expect((hooks[2]!.result.current as { state: string }).state).toBe('disconnected'))
    for (const { unmount } of hooks) unmount()
  })
})

describe('HeadProvider', () => {
  it('connects on mount and disconnects after unmount, under StrictMode without an error that anybody sees', async () => {
    const client = head.client()
    const onConnectError = jest.fn()
    const { result, unmount } = renderHook(() => useHeadStatus(), { wrapper: within(client, { onConnectError }) })
    await waitFor(() => expect(result.current).toMatchObject({ state: 'connected', headStatus: 'Open', ready: true }))
    unmount()
    await waitFor(() => expect(client.status().state).toBe('disconnected'))
    expect(onConnectError).not.toHaveBeenCalled()
    expect(errors).not.toHaveBeenCalled()
  })

  it('connects once for two providers of a client, and the last one to unmount disconnects', async () => {
    const client = head.client()
    const connect = jest.spyOn(client.bridge, 'connect')
    const one = renderHook(() => useHeadStatus(), { wrapper: within(client) })
    const two = renderHook(() => useHeadStatus(), { wrapper: within(client) })
    await waitFor(() => expect(two.result.current.state).toBe('connected'))
    one.unmount()
    await act(async () => {
      await Promise.resolve()
    })
    expect([client.status().state, connect.mock.calls.length]).toEqual(['connected', 1])
    two.unmount()
    await waitFor(() => expect(client.status().state).toBe('disconnected'))
  })

  it('leaves a client that the program has connected connected', async () => {
    const client = head.client()
    await client.connect()
    const { unmount } = renderHook(() => useHead(), { wrapper: within(client) })
    unmount()
    await act(async () => {
      await Promise.resolve()
    })
    expect(client.status().state).toBe('connected')
  })

  it('neither connects nor disconnects with autoConnect={false}', async () => {
    const client = head.client()
    const { result, unmount } = renderHook(() => useHeadStatus(), { wrapper: within(client, { autoConnect: false }) })
    await act(async () => {
      await Promise.resolve()
    })
    expect(result.current.state).toBe('idle')
    await act(() => client.connect())
    expect(result.current.state).toBe('connected')
    unmount()
    await act(async () => {
      await Promise.resolve()
    })
    expect(client.status().state).toBe('connected')
  })

  it('connects again when it is mounted again', async () => {
    const client = head.client()
    const first = renderHook(() => useHeadStatus(), { wrapper: within(client) })
    await waitFor(() => expect(first.result.current.state).toBe('connected'))
    first.unmount()
    await waitFor(() => expect(client.status().state).toBe('disconnected'))
    const second = renderHook(() => useHeadStatus(), { wrapper: within(client) })
    await waitFor(() => expect(second.result.current.state).toBe('connected'))
  })

  it('reports a connection that cannot be made to onConnectError, once', async () => {
    await head.node.stop()
    const client = head.client(0, { autoReconnect: false } as never)
    const onConnectError = jest.fn()
    const { result } = renderHook(() => useHeadStatus(), { wrapper: within(client, { onConnectError }) })
    await waitFor(() =>
      expect(onConnectError).toHaveBeenCalledWith(expect.objectContaining({ code: 'BRIDGE_CONNECT' }))
    )
    expect(onConnectError).toHaveBeenCalledTimes(1)
    expect(result.current.state).not.toBe('connected')
  })

  it('is missed by a hook outside of it: a typed error', () => {
    expect(() => renderHook(() => useBalance())).toThrow(expect.objectContaining({ code: 'CLIENT_PROVIDER_MISSING' }))
  })
})

describe('the hooks that read', () => {
  it('useBalance is null before it is known, then the balance', async () => {
    const { result } = renderHook(() => useBalance(), { wrapper: within(head.client()) })
    expect(result.current).toBeNull()
    await waitFor(() => expect(result.current?.confirmed.lovelace).toBe(100n * ADA))
  })

  it('useBalance and useUtxos do not render for twenty payments between others, and do for one of their own', async () => {
    const [alice, bob] = [head.client(0), head.client(1)]
    let renders = 0
    const { result } = renderHook(
      () => {
        renders++
        return { balance: useBalance(), utxos: useUtxos(), confirmed: useUtxos({ view: 'confirmed' }) }
      },
      { wrapper: within(alice) }
    )
    await waitFor(() => expect(result.current.confirmed).toHaveLength(1))
    const before = renders
    await bob.connect()
    let seen = 0
    const stop = alice.watchTxs({
      onChange: ({ state }) => {
        if (state === 'confirmed') seen++
      }
    })
    await act(async () => {
      await Promise.all(Array.from({ length: 20 }, () => bob.pay({ to: addressOf(2), amount: 1n * ADA })))
    })
    await waitFor(() => expect(seen).toBe(20))
    stop()
    expect(renders - before).toBe(0)
    await act(async () => {
      await bob.pay({ to: addressOf(0), amount: 1n * ADA })
    })
    await waitFor(() =>
      expect([result.current.balance!.confirmed.lovelace, result.current.utxos!.length]).toEqual([101n * ADA, 2])
    )
    expect(renders).toBeGreaterThan(before)
  })

  it('useBalance follows another address when it is given one', async () => {
    const { result, rerender } = renderHook(({ address }: { address: string }) => useBalance({ address }), {
      wrapper: within(head.client()),
      initialProps: { address: addressOf(1) }
    })
    await waitFor(() => expect(result.current?.confirmed.lovelace).toBe(100n * ADA))
    rerender({ address: addressOf(2) })
    expect(result.current?.confirmed.lovelace).toBe(0n)
  })

  it('useBalance of a client without a wallet wants an address: a typed error for the error boundary', () => {
    const client = head.client(0, { wallet: undefined })
    expect(() => renderHook(() => useBalance(), { wrapper: within(client) })).toThrow(
      expect.objectContaining({ code: 'CLIENT_WALLET_MISSING' })
    )
  })

  it('useLatest is the newest message with a tag, and renders for no other', async () => {
    const client = head.client()
    let renders = 0
    const { result } = renderHook(
      () => {
        renders++
        return useLatest('SnapshotConfirmed')
      },
      { wrapper: within(client) }
    )
    await act(() => client.connect())
    expect(result.current).toBeNull()
    const before = renders
    await act(async () => {
      await client.pay({ to: addressOf(2), amount: 2n * ADA })
    })
    expect(result.current!.snapshot.number).toBe(client.status().snapshotNumber)
    // TxValid came as well: at most the two renders of StrictMode for the one snapshot.
    expect(renders - before).toBeLessThanOrEqual(2)
  })
})

describe('usePay', () => {
  it('goes from idle over pending to success, and back with reset', async () => {
    const { result } = renderHook(() => ({ ...usePay(), balance: useBalance() }), { wrapper: within(head.client()) })
    await waitFor(() => expect(result.current.balance).toBeDefined())
    expect(result.current).toMatchObject({ status: 'idle', data: null, error: null })
    let paid: Promise<unknown> = Promise.resolve()
    act(() => {
      paid = result.current.pay({ to: addressOf(2), amount: 2n * ADA })
    })
    expect(result.current.status).toBe('pending')
    await act(async () => {
      await paid
    })
    expect(result.current).toMatchObject({
      status: 'success',
      data: { txId: expect.stringMatching(/^[0-9a-f]{64}$/), snapshotNumber: expect.any(Number) },
      error: null
    })
    expect(await paid).toBe(result.current.data)
    act(() => result.current.reset())
    expect(result.current).toMatchObject({ status: 'idle', data: null, error: null })
  })

  it('shows a failure, which rejects for who awaits it and is no unhandled rejection for who does not', async () => {
    const unhandled = jest.fn()
    process.on('unhandledRejection', unhandled)
    const { result } = renderHook(() => usePay(), { wrapper: within(head.client()) })
    act(() => {
      void result.current.pay({ to: addressOf(2), amount: 0n })
    })
    await waitFor(() =>
      expect(result.current).toMatchObject({ status: 'error', data: null, error: { code: 'INPUT_ARGUMENT' } })
    )
    await act(async () => {
      await expect(result.current.pay({ to: 'nobody', amount: 2n * ADA })).rejects.toMatchObject({
        code: expect.stringMatching(/^INPUT_/)
      })
    })
    await new Promise((resolve) => {
      setTimeout(resolve, 0)
    })
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('shows the newest of several payments, and pays all of them', async () => {
    const client = head.client()
    const { result } = renderHook(() => ({ ...usePay(), of: useBalance({ address: addressOf(2) }) }), {
      wrapper: within(client)
    })
    await waitFor(() => expect(result.current.of).toBeDefined())
    let last: Promise<{ txId: string }> | undefined
    await act(async () => {
      const first = result.current.pay({ to: addressOf(2), amount: 2n * ADA })
      last = result.current.pay({ to: addressOf(2), amount: 3n * ADA })
      await Promise.all([first, last])
    })
    expect(result.current.data!.txId).toBe((await last!).txId)
    await waitFor(() => expect(result.current.of!.confirmed.lovelace).toBe(5n * ADA))
  })

  it('does not show a payment that reset has dismissed, which is paid all the same', async () => {
    const client = head.client()
    const { result } = renderHook(() => ({ ...usePay(), of: useBalance({ address: addressOf(2) }) }), {
      wrapper: within(client)
    })
    await waitFor(() => expect(result.current.of).toBeDefined())
    await act(async () => {
      const paid = result.current.pay({ to: addressOf(2), amount: 2n * ADA })
      result.current.reset()
      await paid
    })
    expect(result.current.status).toBe('idle')
    expect(result.current.of!.confirmed.lovelace).toBe(2n * ADA)
  })
})

it('a page of the three renders the way a user writes it', async () => {
  const Page = () => {
    const { pay, status } = usePay()
    const balance = useBalance({ address: addressOf(2) })
    return createElement(
      'button',
      {
        onClick: () => {
          void pay({ to: addressOf(2), amount: 2n * ADA })
        }
      },
      `${status} ${balance?.confirmed.lovelace ?? '...'}`
    )
  }
  const { container } = render(
    createElement(StrictMode, null, createElement(HeadProvider, { client: head.client() }, createElement(Page)))
  )
  const button = container.querySelector('button')!
  expect(button.textContent).toBe('idle ...')
  await waitFor(() => expect(button.textContent).toBe('idle 0'))
  act(() => button.click())
  await waitFor(() => expect(button.textContent).toBe('success 2000000'))
  expect(errors).not.toHaveBeenCalled()
})
