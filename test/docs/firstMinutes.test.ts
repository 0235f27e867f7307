import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startDevNode } from '../../src/devnode'
import { createHeadClient } from '../../src/client'
import { AppWallet } from '../../src/wallet'
import { codeBlocks, ROOT } from '../support/markdown'
import { runExample } from '../support/runExample'

const PAGE = 'docs/getting-started.md'

// The steps before it are clicked by test/dashboard.
it('the program beside the dashboard pays from the account that its steps have used, to the test key that they name', async () => {
  const node = await startDevNode({ port: 0, open: true })
  try {
    await node.fundHead(node.accounts[0]!.address, 97_500_000n)
    await node.fundHead(node.keys[1]!.address, 2_500_000n)
    const [block] = codeBlocks(PAGE).filter(
      ({ flags, code }) => flags === 'no-run' && code.includes('ws://127.0.0.1:4001')
    )
    mkdirSync(join(ROOT, '.cache'), { recursive: true })
    const code = block!.code.replace('ws://127.0.0.1:4001', node.url)
    const printed = await runExample({ ...block!, code }, join(ROOT, '.cache', 'first-minutes.mjs'))
    expect(printed).toMatch(/^paid in snapshot \d+: [0-9a-f]{64}\nbob has 6.5 ada in the head\n$/)
    expect(readFileSync(join(ROOT, PAGE), 'utf8')).toContain('`bob has 6.5 ada in the head`')
    const ofBob = node.headUtxos(node.keys[1]!.address).map(({ output }) => output.amount)
    expect(ofBob).toContainEqual([{ unit: 'lovelace', quantity: '4000000' }])
  } finally {
    await node.stop()
  }
})

it('without the steps it says that there is no money', async () => {
  const node = await startDevNode({ port: 0, open: true })
  const words = node.phrase.split(' ')
  const head = createHeadClient({
    url: node.url,
    wallet: new AppWallet({ networkId: 0, key: { type: 'mnemonic', words } })
  })
  await head.connect()
  await expect(head.pay({ to: node.keys[1]!.address, amount: 4_000_000n })).rejects.toMatchObject({
    code: 'TX_INSUFFICIENT_FUNDS'
  })
  await head.disconnect()
  await node.stop()
})
