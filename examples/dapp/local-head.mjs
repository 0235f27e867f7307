// node local-head.mjs COMMAND ...: runs a command that needs a head. HEAD_URL names the head's node. Without it a local
// one is started: open, with scripts, and with 100 ada of each of two accounts of the public development phrase in it.
import { spawn } from 'node:child_process'
import { startDevNode } from 'layer-sdk/devnode'
import { scalusEvaluator } from 'layer-sdk/scalus'
import { ada } from 'layer-sdk/utils'

const [command, ...args] = process.argv.slice(2)
const isLocal = process.env.HEAD_URL === undefined
// The first script waits until the library is loaded.
const scripts = { scriptEvaluator: scalusEvaluator(), evaluatorTimeoutMs: 60_000 }
const node = isLocal ? await startDevNode({ port: 0, open: true, control: true, ...scripts }) : null
const local = node === null ? {} : await prepare(node)

const child = spawn(command, args, {
  env: { ...process.env, ...local },
  stdio: 'inherit',
  shell: process.platform === 'win32'
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.once('error', (error) => end(1, error.message))
child.once('close', (code) => end(code ?? 0))

/** What the command finds in its environment. */
async function prepare({ url, dashboardUrl, accounts }) {
  for (const { address } of accounts.slice(0, 2)) await node.fundHead(address, ada('100'))
  console.log(`Local head: ${url}\nDashboard:  ${dashboardUrl}`)
  console.log('Two players: open the page below, and the same with ?player=2.')
  return { HEAD_LOCAL: '1', HEAD_URL: url }
}

async function end(code, problem) {
  if (problem !== undefined) console.error(problem)
  await node?.stop()
  process.exit(code)
}
