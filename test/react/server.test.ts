import { createElement } from 'react'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { HeadProvider, useBalance, useHeadStatus, useLatest, usePay, useUtxos } from 'layer-sdk/react'
import { formatAda } from 'layer-sdk/utils'
import { startHead } from '../support/openHead'
import { pageModule } from './guideModule'
import { startPageHead } from './support'

const Page = () => {
  const { status } = usePay()
  const [balance, utxos, latest, { state, snapshotNumber }] = [
    useBalance(),
    useUtxos(),
    useLatest('SnapshotConfirmed'),
    useHeadStatus()
  ]
  return createElement(
    'p',
    null,
    JSON.stringify([status, balance ?? '...', utxos ?? '...', latest ?? '...', state, snapshotNumber])
  )
}

it('renders on a server without connecting: what is not known yet, also when the client there is connected, so that the browser can take the page over', async () => {
  const head = await startPageHead()
  const client = head.client()
  const page = (): string => renderToString(createElement(HeadProvider, { client }, createElement(Page)))
  const expected = `<p>${JSON.stringify(['idle', '...', '...', '...', 'idle', null]).replaceAll('"', '&quot;')}</p>`
  expect(page()).toBe(expected)
  expect(client.status().state).toBe('idle')
  await client.connect()
  expect(client.getBalance()).not.toBeNull()
  expect(page()).toBe(expected)
  await head.stop()
})

it("the guide's server component reads a head over the network, and disconnects", async () => {
  const head = await startHead()
  const address = head.wallets[0]!.getAddressBech32()
  const lovelace = head.bridge.getAddressBalance(address)!.get('lovelace')!
  Object.assign(process.env, { HEAD_URL: head.node.url, HEAD_ADDRESS: address })
  const { default: Page } = pageModule('Server rendering') as { default: () => Promise<ReactElement> }
  expect(renderToString(await Page())).toBe(`<p>${formatAda(lovelace)}<!-- --> ada in the head</p>`)
  await head.stop()
})
