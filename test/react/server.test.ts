import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { HeadProvider, useBalance, useHeadStatus, useLatest, usePay, useUtxos } from 'layer-sdk/react'
import { startPageHead } from './support'

const Page = () => {
  const { status } = usePay()
  const [balance, utxos, latest, { state, snapshot }] = [useBalance(), useUtxos(), useLatest('SnapshotConfirmed'), useHeadStatus()]
  return createElement('p', null, JSON.stringify([status, balance ?? '...', utxos ?? '...', latest ?? '...', state, snapshot]))
}

it('renders on a server without connecting: what is not known yet, also when the client there is connected, so that the browser can take the page over', async () => {
  const head = await startPageHead()
  const client = head.client()
  const page = (): string => renderToString(createElement(HeadProvider, { client }, createElement(Page)))
  const expected = `<p>${JSON.stringify(['idle', '...', '...', '...', 'idle', -1]).replaceAll('"', '&quot;')}</p>`
  expect(page()).toBe(expected)
  expect(client.status().state).toBe('idle')
  await client.connect()
  expect(client.getBalance()).not.toBeNull()
  expect(page()).toBe(expected)
  await head.stop()
})
