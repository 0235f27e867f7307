import { JSDOM } from 'jsdom'
import { SignJWT } from 'jose'
import type { FunctionComponent } from 'react'
import { createHeadClient } from 'layer-sdk/client'
import type { HeadClient, HeadClientOptions } from 'layer-sdk/client'
import { formatAda } from 'layer-sdk/utils'
import { serve } from '../gateway/support'
import type { Served } from '../gateway/support'
import { pageModule } from './guideModule'

const SECRET = 'SECRET-of-thirty-two-bytes-or-more!'
const ADA = 1_000_000n
const LIMIT = { timeout: 20_000 }

/**
 * A page in a process whose network is Node's own: the environment of jsdom has no fetch. Its names stay: React's
 * scheduler may still use them after the last test, and the globals are this suite's own.
 */
function installPage(): void {
  const { window } = new JSDOM('<!doctype html><body></body>')
  const names = ['window', 'document', 'navigator'] as const
  for (const name of names)
    Object.defineProperty(globalThis, name, {
      value: name === 'window' ? window : window[name],
      configurable: true,
      writable: true
    })
}

describe("the guide's page through a gateway, with nothing changed but URL and token", () => {
  let served: Served
  beforeAll(async () => {
    served = await serve({ auth: { secret: SECRET, algorithms: ['HS256'] } })
    installPage()
  })
  afterAll(() => served.stop())

  const tokenOf = (claims: object): Promise<string> =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode(SECRET))

  it.each([
    ['as any gateway has it', false],
    ['with the addresses of its wallet alone', true]
  ])('shows the balance and pays, %s', async (_, narrow) => {
    const { act, cleanup, render, waitFor } = await import('@testing-library/react/pure')
    const { createElement, StrictMode } = await import('react')
    const { head, address, gateway } = served
    const to = head.wallets[2]!.getAddressBech32()
    const { App } = pageModule('A page that pays') as { App: FunctionComponent<{ head: HeadClient; to: string }> }
    const token = await tokenOf({ scope: 'read submit', ...(narrow ? { addresses: [address] } : {}) })
    const options = narrow ? ({ mode: 'address', addresses: [address] } as const) : {}
    const client = createHeadClient({
      gateway: { url: gateway.url, token, ...options },
      wallet: head.wallets[0]!
    } as HeadClientOptions)
    const lovelaceOf = (of: string): bigint => head.bridge.getAddressBalance(of)?.get('lovelace') ?? 0n
    const [own, theirs] = [lovelaceOf(address), lovelaceOf(to)]
    const { container } = render(createElement(StrictMode, null, createElement(App, { head: client, to })))
    try {
      await waitFor(() => expect(container.textContent).toBe(`connected${formatAda(own)}Pay 2 ada`), LIMIT)
      act(() => container.querySelector('button')!.click())
      await waitFor(() => expect(container.textContent).toBe(`connected${formatAda(own - 2n * ADA)}Pay 2 ada`), LIMIT)
      await waitFor(
        () => expect([lovelaceOf(address), lovelaceOf(to)]).toEqual([own - 2n * ADA, theirs + 2n * ADA]),
        LIMIT
      )
    } finally {
      cleanup()
      await client.disconnect()
    }
  })
})
