import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startDevNode } from 'layer-sdk/devnode'
import { dashboardReply } from '../../../../src/devnode/serve/api/dashboard'
import { isDashboardPath } from '../../../../src/devnode/serve/api/dashboardPath'

const PLACE = '<script id="local-head" type="application/json">null</script>'
const NODE = {
  port: 4001,
  profile: '2.3',
  networkId: 0,
  phrase: `${'test '.repeat(23)}sauce`,
  accounts: [
    { index: 0, address: 'addr_test1a', stakeAddress: 'stake_test1a', skey: '5880secret', vkey: '5820aa', lovelace: 1n }
  ],
  keys: [
    {
      name: '</script><script>alert(1)</script>',
      address: 'addr_test1b',
      skey: '5820secret',
      vkey: '5820bb',
      lovelace: 1n
    }
  ],
  controlUrl: null
}

let folder: string
let page: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'layer-sdk-dashboard-'))
  page = pathToFileURL(join(folder, 'dashboard.html')).href
  writeFileSync(new URL(page), `<!doctype html><body>${PLACE}<p>$&</p></body>`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const localHeadOf = (body: string): Record<string, unknown> =>
  JSON.parse(/application\/json">(.*?)<\/script>/.exec(body)![1]!)

describe("the dashboard's page", () => {
  it('says which node serves it, and holds no key', async () => {
    const { status, body, contentType } = await dashboardReply(
      { ...NODE, controlUrl: 'http://127.0.0.1:1337/devnode' },
      'GET',
      page
    )
    expect([status, contentType]).toEqual([200, 'text/html; charset=utf-8'])
    expect(localHeadOf(body)).toMatchObject({
      port: 4001,
      profile: '2.3',
      publicPhrase: true,
      controlPath: '/devnode',
      accounts: [{ index: 0, address: 'addr_test1a' }]
    })
    expect(body).not.toMatch(/secret|sauce/)
  })

  it('lets no text of a node end the element that holds it', async () => {
    const { body } = await dashboardReply(NODE, 'GET', page)
    expect(body).not.toContain('<script>alert')
    expect(localHeadOf(body)).toMatchObject({ keys: [{ name: '</script><script>alert(1)</script>' }] })
    expect(body).toContain('<p>$&</p>')
  })

  it('may stand in no frame, where another page could lead the clicks', async () => {
    const { headers } = await dashboardReply(NODE, 'GET', page)
    expect(headers).toMatchObject({
      'Content-Security-Policy': "frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff'
    })
  })

  it('does not offer the public phrase for accounts of another one', async () => {
    const { body } = await dashboardReply({ ...NODE, phrase: 'abandon '.repeat(11).trim() }, 'GET', page)
    expect(localHeadOf(body)).toMatchObject({ publicPhrase: false })
    expect(body).not.toContain('abandon')
  })

  it.each([
    ['without a built page', 'GET', null, 404],
    ['with a page that is missing', 'GET', 'file:///nowhere/dashboard.html', 404],
    ['for another method', 'POST', null, 405]
  ])('is refused in one sentence %s', async (_, method, file, status) => {
    const reply = await dashboardReply(NODE, method, file)
    expect(reply).toMatchObject({ status, contentType: 'text/plain' })
    expect(reply.body).toMatch(/^.+\.\n$/)
  })

  it.each(['/dashboard', '/dashboard/', '/dashboard?x=1'])('stands at %s', (path) =>
    expect(isDashboardPath(path)).toBe(true)
  )
  it.each(['/', '/dashboards', '/dashboard/other', '/kupo/dashboard'])('does not stand at %s', (path) =>
    expect(isDashboardPath(path)).toBe(false)
  )

  it("is served on the base ledger's port and not on the node's own", async () => {
    const node = await startDevNode({ port: 0 })
    try {
      expect(node.dashboardUrl).toBe(`${node.rpcUrl}/dashboard`)
      // The sources are not built: the page is missing, the place is there.
      expect(await (await fetch(node.dashboardUrl!)).text()).toContain('dist/dashboard.html')
      expect(await (await fetch(`${node.httpUrl}/dashboard`)).text()).toContain('Resource not found')
      expect(
        (await fetch(node.rpcUrl!, { method: 'POST', body: '{"jsonrpc":"2.0","method":"queryNetwork/tip"}' })).status
      ).toBe(200)
    } finally {
      await node.stop()
    }
  })

  it('has no address where the base ledger is not served', async () => {
    const node = await startDevNode({ port: 0, rpcPort: null })
    expect(node.dashboardUrl).toBeNull()
    await node.stop()
  })
})
