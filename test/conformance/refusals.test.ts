import type { Connector } from '../../src/bridge'
import { startTwin } from '../../src/cli/conformance/startTwin'
import { DevNode } from '../../src/devnode'
import { runConformance } from '../../src/conformance/inner'
import { ChainCliWallet } from '../../src/wallet'
import { changed } from '../doctor/devnodeSupport'
import { OWN, SKEY } from './support'

const STRANGER = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
let node: DevNode
afterEach(() => node.stop())

/** A wallet that pays in the head alone, or has so much on the base ledger too. */
function wallet(lovelace?: bigint): ConstructorParameters<typeof ChainCliWallet>[0] {
  const utxo = { input: { txHash: 'ab'.repeat(32), index: 0 }, output: { address: OWN } }
  const amount = [{ unit: 'lovelace', quantity: String(lovelace) }]
  const fetcher = { fetchAddressUTxOs: () => Promise.resolve([{ ...utxo, output: { ...utxo.output, amount } }]) }
  return { networkId: 0, skey: SKEY, ...(lovelace === undefined ? {} : { fetcher: fetcher as never }) }
}

const run = (connector: Connector, more: Partial<Parameters<typeof runConformance>[0]> = {}) =>
  runConformance({
    connector,
    second: null,
    wallet: new ChainCliWallet(wallet(5_000_000n)),
    stepLimitMs: 5_000,
    isTestnet: false,
    startTwin,
    ...more
  })

const refused = (words: RegExp) => ({ code: 'INPUT_ARGUMENT', message: expect.stringMatching(words) as string })
/** Inputs that the node has received. */
const inputs = (): number => Object.values(node.counters.inputs).reduce((sum, count) => sum + count, 0)

it('refuses mainnet by the configuration, and by the addresses in the head', async () => {
  node = new DevNode()
  const mainnet = changed(node.connector(), (text) => text.replace(/"testnet-magic":\s*\d+/, '"mainnet":true'))
  await expect(run(mainnet, { isTestnet: true })).rejects.toMatchObject(refused(/mainnet/))
  await node.stop()
  node = new DevNode({ open: true, inHead: [{ address: OWN, lovelace: 5_000_000n }] })
  const inHead = changed(node.connector(), (text) => text.replaceAll(OWN, OWN.replace('addr_test1', 'addr1')))
  await expect(run(inHead, { isTestnet: true })).rejects.toMatchObject(refused(/mainnet/))
  expect(inputs()).toBe(0)
})

it('refuses a node that does not name its network, unless the caller knows it', async () => {
  node = new DevNode({ profile: '2.2' })
  await expect(run(node.connector())).rejects.toMatchObject(refused(/--testnet/))
  expect(inputs()).toBe(0)
})

it.each([
  [
    'with outputs of others',
    { open: true, inHead: [{ address: STRANGER, lovelace: 5_000_000n }] },
    /1 outputs of others/
  ],
  [
    'with outputs of others beside its own',
    {
      open: true,
      inHead: [
        { address: OWN, lovelace: 5_000_000n },
        { address: STRANGER, lovelace: 5_000_000n }
      ]
    },
    /1 outputs of others/
  ]
])('refuses an open head %s', async (_, options, words) => {
  node = new DevNode(options)
  await expect(run(node.connector())).rejects.toMatchObject(refused(words))
  expect(inputs()).toBe(0)
})

it('refuses an open head without a key, and a head that is closed', async () => {
  node = new DevNode({ open: true })
  await expect(run(node.connector(), { wallet: null })).rejects.toMatchObject(refused(/no key/))
  expect(inputs()).toBe(0)
  const closed = changed(node.connector(), (text) => text.replace('"headStatus":"Open"', '"headStatus":"Closed"'))
  await expect(run(closed)).rejects.toMatchObject(refused(/Closed/))
})

it('refuses a lovelace more than 1,000 test ada, in the head and on the base ledger together', async () => {
  node = new DevNode({ open: true, inHead: [{ address: OWN, lovelace: 400_000_000n }] })
  const none = async (): Promise<never> => Promise.reject(new Error('no twin'))
  const at = (lovelace: bigint) =>
    run(node.connector(), { wallet: new ChainCliWallet(wallet(lovelace)), startTwin: none })
  await expect(at(600_000_001n)).rejects.toMatchObject(refused(/1000 test ada/))
  // The next thing that it does is to start the local head.
  await expect(at(600_000_000n)).rejects.toThrow('no twin')
  expect(inputs()).toBe(0)
})

it('refuses a version that no local head poses as, before it tries anything', async () => {
  node = new DevNode()
  const newer = changed(node.connector(), (text) => text.replace(/("hydraNodeVersion":\s*")[^"]+/, '$12.9.1'))
  await expect(run(newer)).rejects.toThrow(/no local head of version 2\.9\.1/)
  expect(inputs()).toBe(0)
})

it('names each step that offline mode rules out, and pays', async () => {
  node = new DevNode({ open: true, inHead: [{ address: OWN, lovelace: 90_000_000n }], accumulator: 'real' })
  while (node.headUtxos(OWN).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const offline = changed(node.connector(), (text) => text.replace(/"mode":\s*"cardano"/, '"mode":"offline"'))
  const { report } = await run(offline, { stepLimitMs: 20_000 })
  expect(report.differs.map(({ what }) => what)).toEqual([])
  expect(report.notTried.map(({ step }) => step)).toEqual([
    'open',
    'deposit',
    'withdraw',
    'second-withdraw',
    'withdraw-final',
    'late-deposit',
    'close',
    'contest',
    'fanout',
    'recover'
  ])
  expect(new Set(report.notTried.map(({ reason }) => reason))).toEqual(
    new Set(['the node is offline: it has no base ledger'])
  )
  expect(inputs()).toBeGreaterThanOrEqual(22)
  expect(node.headStatus).toBe('Open')
}, 60_000)

it('names each step that a missing key rules out, and opens, closes and fans out', async () => {
  node = new DevNode({ timings: { blockMs: 100, contestationPeriodMs: 1_000 } })
  const { report, node: life } = await run(node.connector(), { wallet: null, stepLimitMs: 20_000 })
  const done = [...life.steps].filter(([, { outcome }]) => outcome === 'done').map(([step]) => step)
  expect(done).toEqual(['open', 'close', 'fanout'])
  expect(report.notTried.filter(({ reason }) => reason === 'there is no key')).toHaveLength(9)
  expect(report.differs).toEqual([])
}, 60_000)
