import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CodeBlock } from '../support/markdown'
import { codeBlocks, ROOT } from '../support/markdown'
import { runExample } from '../support/runExample'

const OUT = join(ROOT, '.cache', 'money')
const MARK = '@funds '

// The local head says what it holds when the example stops it, whatever the example itself prints.
const WITNESSED = `
export * from 'layer-sdk-source/devnode'
import { startDevNode as start } from 'layer-sdk-source/devnode'
export async function startDevNode(options) {
  const node = await start(options)
  const stop = node.stop.bind(node)
  const sum = (utxos) => utxos.reduce((total, { output }) => total + BigInt(output.amount[0].quantity), 0n)
  const at = (utxos) => Object.fromEntries([...new Set(utxos.map(({ output }) => output.address))].map((address) => [address, String(sum(utxos.filter(({ output }) => output.address === address)))]))
  node.stop = async () => {
    console.log('${MARK}' + JSON.stringify({ keys: node.keys.map(({ address }) => address), head: at(node.headUtxos()), base: at(node.baseUtxos()) }))
    await stop()
  }
  return node
}`

interface Funds {
  /** Addresses of alice, bob and carol. */
  keys: [string, string, string]
  head: Record<string, string>
  base: Record<string, string>
}

async function fundsAfter(block: CodeBlock, name: string): Promise<{ funds: Funds; printed: string }> {
  const printed = await runExample(block, join(OUT, `${name}.mjs`), { modules: { 'layer-sdk/devnode': WITNESSED } })
  const line = printed.split('\n').find((text) => text.startsWith(MARK))
  return { funds: JSON.parse(line!.slice(MARK.length)) as Funds, printed }
}

/** The one block of a page that holds all of some words. */
function blockWith(page: string, ...words: string[]): CodeBlock {
  const found = codeBlocks(page).filter(
    ({ language, code }) => /^[jt]s$/.test(language) && words.every((word) => code.includes(word))
  )
  expect(found).toHaveLength(1)
  return found[0]!
}

beforeAll(() => mkdirSync(OUT, { recursive: true }))
afterAll(() => rmSync(OUT, { recursive: true, force: true }))

describe('what the examples of the guides do with money', () => {
  it("the payments of the bridge's guide are all paid: 2 ada, three times 1 ada at once, and 3 ada", async () => {
    const { funds, printed } = await fundsAfter(
      blockWith('docs/guides/bridge.md', 'submitTxSync', 'submitL2Tx', 'utxosAfter'),
      'payments'
    )
    const [alice, bob] = funds.keys
    expect(funds.head).toEqual({ [alice]: String(1_000_000_000n - 8_000_000n), [bob]: '8000000' })
    expect(printed).toContain('bob has 8000000n')
  })

  it('the deposits bring in two outputs and 30 ada, and the decommit takes out 5 ada and nothing more', async () => {
    const { funds } = await fundsAfter(blockWith('docs/guides/bridge.md', 'buildDeposit', 'decommit'), 'deposits')
    const [alice] = funds.keys
    const out = 2_030_000_000n - 5_000_000n
    expect(funds.head).toEqual({ [alice]: String(out) })
    expect(funds.base[alice]).toBe(String(10_000_000_000n - out))
  })

  it('the payment of the first page is 2.5 ada, and the rest stays with its owner', async () => {
    const { funds } = await fundsAfter(
      blockWith('docs/getting-started.md', 'buildPayment', 'RpcProvider'),
      'first-page'
    )
    expect(Object.values(funds.head).sort()).toEqual(['2500000', '97500000'])
  })

  it('the three payments that getting started chains are three', async () => {
    const { funds, printed } = await fundsAfter(blockWith('docs/getting-started.md', 'utxosAfter'), 'chain')
    const [alice, bob] = funds.keys
    expect(funds.head).toEqual({ [alice]: String(1_000_000_000n - 3_000_000n), [bob]: '3000000' })
    expect(printed).toContain('3000000n')
  })

  it('the payment of the README is 2.5 ada, and the rest stays with its owner', async () => {
    const { funds, printed } = await fundsAfter(blockWith('README.md', 'head.pay('), 'readme')
    const [alice, bob] = funds.keys
    expect(funds.head).toEqual({ [alice]: '7500000', [bob]: '2500000' })
    expect(printed).toContain('7500000n')
  })

  it('every payment of the guides takes the parameters of the head', () => {
    const blocks = ['README.md', 'docs/guides/bridge.md', 'docs/getting-started.md']
      .flatMap(codeBlocks)
      .filter(({ code }) => /build(Payment|Sweep)\(/.test(code))
    expect(blocks.length).toBeGreaterThan(1)
    for (const { code } of blocks)
      expect(code).toContain('txParametersFromProtocol(await bridge.getProtocolParameters())')
  })
})
