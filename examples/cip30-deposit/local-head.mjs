// node local-head.mjs COMMAND ...: runs a command that needs a head. HEAD_URL names the head's node. Without it a local
// one is started: open, with 100 ada of the public development phrase in it.
import { spawn } from 'node:child_process'
import { startDevNode } from 'layer-sdk/devnode'
import { ada } from 'layer-sdk/utils'

const [command, ...args] = process.argv.slice(2)
const node = process.env.HEAD_URL === undefined ? await startDevNode({ port: 0, open: true, control: true }) : null
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
async function prepare({ url, rpcUrl, dashboardUrl, accounts, keys }) {
  await node.fundHead(accounts[0].address, ada('100'))
  console.log(`Local head: ${url}\nDashboard:  ${dashboardUrl}`)
  return { HEAD_LOCAL: '1', HEAD_URL: url, HEAD_RPC_URL: rpcUrl, HEAD_ADDRESS: keys[1].address }
}

async function end(code, problem) {
  if (problem !== undefined) console.error(problem)
  await node?.stop()
  process.exit(code)
}
