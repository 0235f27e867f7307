/** @jest-environment jsdom */
import { act, cleanup, render, waitFor } from '@testing-library/react'
import { createElement, StrictMode } from 'react'
import type { FunctionComponent } from 'react'
import type { HeadClient } from 'layer-sdk/client'
import { pageModule } from './guideModule'
import { startPageHead } from './support'

jest.spyOn(console, 'error').mockImplementation(() => undefined)
afterEach(cleanup)

it("the guide's page shows the balance and pays, under StrictMode", async () => {
  const head = await startPageHead()
  const { App } = pageModule('A page that pays') as { App: FunctionComponent<{ head: HeadClient; to: string }> }
  const { container } = render(
    createElement(
      StrictMode,
      null,
      createElement(App, { head: head.client(), to: head.wallets[2]!.getAddressBech32() })
    )
  )
  await waitFor(() => expect(container.textContent).toBe('connected100Pay 2 ada'))
  act(() => container.querySelector('button')!.click())
  await waitFor(() => expect(container.textContent).toBe('connected98Pay 2 ada'))
  await head.stop()
})
