// A local head that runs scripts, in a process of its own: prints its URL and a key, and ends with its parent.
import { startDevNode } from 'layer-sdk/devnode'
import { scalusEvaluator } from 'layer-sdk/scalus'

const node = await startDevNode({
  port: 0,
  scriptEvaluator: scalusEvaluator(),
  timings: { snapshotIntervalMs: 20, blockMs: 1, depositDelayMs: 1 }
})
console.log(JSON.stringify({ url: node.url, rpcUrl: node.rpcUrl, skey: node.keys[0].skey }))
process.stdin.on('end', () => process.exit(0)).resume()
