// A local head in which one key has so many outputs, in a process of its own: prints its URL and the key, and ends with
// its parent.
import { DevNode, startDevNode } from 'layer-sdk/devnode'

const [alice, bob] = new DevNode({ accounts: 0 }).keys
const inHead = Object.fromEntries(
  Array.from({ length: Number(process.argv[2]) }, (_, i) => [
    `${(i + 1).toString(16).padStart(64, '0')}#${i % 3}`,
    { address: alice.address, value: { lovelace: 100_000_000 + i } }
  ])
)
const node = await startDevNode({
  port: 0,
  rpcPort: null,
  accounts: 0,
  // Up to 2.1 a head has no limit of outputs.
  profile: '2.0',
  open: true,
  inHead,
  timings: { snapshotIntervalMs: 20, blockMs: 1, depositDelayMs: 1 }
})
console.log(JSON.stringify({ url: node.url, skey: alice.skey, to: bob.address }))
process.stdin.on('end', () => process.exit(0)).resume()
