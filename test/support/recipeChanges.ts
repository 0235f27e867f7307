import type { Edits } from './changedTree'

/** A change by one recipe, and a program that uses what it adds. */
export interface Change {
  readonly recipe: string
  /** Stands in the place of `<name>` in the recipe. */
  readonly name: string
  readonly edits: Edits
  readonly user: string
}

export const ACTION: Change = {
  recipe: 'Add an action of the client',
  name: 'nextSnapshot',
  edits: {
    'src/client/actions/nextSnapshot.ts': `import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { ActionOptions } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_HEAD_TIMEOUT_MS } from '../limits.js'

const ARGS: OptionNames<ActionOptions> = { timeout: true, signal: true }

/** Waits for the next confirmed snapshot; resolves with its number. */
export async function nextSnapshot(head: HeadContext, args: ActionOptions = {}): Promise<number> {
  const context = contextParts(head)
  const options = readOptions(args, ARGS, 'args')
  return withDeadline('nextSnapshot', options, DEFAULT_HEAD_TIMEOUT_MS, async (deadline) => {
    await context.connection.connected('nextSnapshot', deadline)
    const next = context.bridge.waitFor('SnapshotConfirmed')
    const { snapshot } = await deadline.race(next, 'a snapshot')
    return snapshot.number
  })
}
`,
    'src/client/api/HeadClient.ts': [
      {
        after: '  status(): ClientStatus\n',
        text: '  /** Waits for the next confirmed snapshot; resolves with its number. */\n  nextSnapshot(args?: ActionOptions): Promise<number>\n'
      }
    ],
    'src/client/api/createHeadClient.ts': [
      {
        after: "import { consolidate } from '../actions/consolidate.js'\n",
        text: "import { nextSnapshot } from '../actions/nextSnapshot.js'\n"
      },
      {
        after: '    status: () => status(context),\n',
        text: '    nextSnapshot: (args) => nextSnapshot(context, args),\n'
      }
    ],
    'src/client/index.ts': [
      {
        after: "export { consolidate } from './actions/consolidate.js'\n",
        text: "export { nextSnapshot } from './actions/nextSnapshot.js'\n"
      }
    ]
  },
  user: `
import assert from 'node:assert/strict'
import { createHeadClient, nextSnapshot } from './src/client/index.js'
import { startDevNode } from './src/devnode/index.js'
import { RpcProvider } from './src/providers/index.js'
import { ChainCliWallet } from './src/wallet/index.js'

const node = await startDevNode({ port: 0, timings: { blockMs: 5, depositDelayMs: 5, snapshotIntervalMs: 5 } })
const { fetcher, submitter } = new RpcProvider({ apiEndpoint: node.rpcUrl!, network: 'preprod' })
const wallet = new ChainCliWallet({ networkId: 0, skey: node.keys[0]!.skey, fetcher, submitter })
const head = createHeadClient({ url: node.url, wallet })
await head.connect()
await head.open()
await assert.rejects(head.nextSnapshot({ timeout: 20 }), { code: 'CLIENT_TIMEOUT' })
// @ts-expect-error it has no such option
await assert.rejects(head.nextSnapshot({ timeuot: 20 }), { code: 'INPUT_ARGUMENT' })
const next: Promise<number>[] = [head.nextSnapshot({ timeout: 10_000 }), nextSnapshot(head.context)]
await head.deposit({ amount: 10_000_000n })
assert.deepEqual(await Promise.all(next), [1, 1])
await head.disconnect()
await node.stop()
console.log('works')
`
}

export const MESSAGE: Change = {
  recipe: 'Add a message of the node',
  name: 'HeadNamed',
  edits: {
    'src/bridge/protocol/messageTable.ts': [
      {
        after: 'const HEAD_MESSAGES = {',
        text: `
  /** The head has a name. */
  HeadNamed: { since: '2.4', headId: 'essential', fields: { name: { type: 'string', check: 'essential' } } },`
      }
    ],
    'src/gateway/edge/addressMembers.ts': [
      { after: '    ReadyToFanout: {},\n', text: '    HeadNamed: { name: TEXT },\n' }
    ],
    'src/devnode/head/messages.ts': [
      {
        after: "  | { readonly tag: 'ReadyToFanout'; readonly headId: string }\n",
        text: "  | { readonly tag: 'HeadNamed'; readonly headId: string; readonly name: string }\n"
      }
    ],
    'src/devnode/settings/profiles.ts': [
      {
        after: '  readonly broadcastStalls: boolean\n',
        text: '  /** HeadNamed (2.4). */\n  readonly namesHeads: boolean\n'
      },
      { after: '  broadcastStalls: false,\n', text: '  namesHeads: false,\n' },
      { after: "  version: '2.4.1',\n", text: '  namesHeads: true,\n' }
    ],
    'src/devnode/head/onChainEvent.ts': [
      {
        after: "  step.publish({ tag: 'HeadIsOpen', headId: head.headId, parties: head.parties, utxo })\n",
        text: "  if (step.features.namesHeads) step.publish({ tag: 'HeadNamed', headId: head.headId, name: 'first' })\n"
      }
    ],
    'src/devnode/wire/json/messages.ts': [
      {
        after: "    case 'ReadyToFanout':\n      return { headId }\n",
        text: "    case 'HeadNamed':\n      return { headId, name: output.name }\n"
      }
    ],
    'src/devnode/wire/cbor/api.ts': [
      { after: '  ReadyToFanout: inHead(),\n', text: "  HeadNamed: inHead(['name', text]),\n" }
    ],
    'src/cli/devnode/nodeEvents.ts': [
      {
        after: "    case 'NodeSynced':\n      return head('synced', 'the node has caught up with the base ledger')\n",
        text: "    case 'HeadNamed':\n      return head('named', `head named ${message.name}`)\n"
      }
    ]
  },
  user: `
import assert from 'node:assert/strict'
import { WebSocket } from 'ws'
import { LayerBridge } from './src/bridge/index.js'
import type { PayloadOf } from './src/bridge/index.js'
import { NodeEvents } from './src/cli/devnode/nodeEvents.js'
import { startDevNode } from './src/devnode/index.js'
import { membersOf } from './src/gateway/edge/addressMembers.js'

for (const [profile, isNamed] of [['2.4', true], ['2.3', false]] as const) {
  const node = await startDevNode({ port: 0, rpcPort: null, profile, timings: { blockMs: 5 } })
  const bridge = new LayerBridge({ url: node.url })
  const names: string[] = []
  bridge.events.on('HeadNamed', (message) => void names.push(message.name))
  await bridge.connect()
  const socket = new WebSocket(node.url + '?encoding=cbor')
  await new Promise((resolve) => socket.once('open', resolve))
  const texts: string[] = []
  socket.on('message', (data: unknown) => void texts.push(String(data)))
  const next: Promise<PayloadOf<'HeadNamed'>> = bridge.waitFor('HeadNamed', { timeout: isNamed ? 10_000 : 200 })
  next.catch(() => undefined)
  await bridge.commands.initSync()
  if (isNamed) {
    const message = await next
    // @ts-expect-error its name is a text
    const wrong: number = message.name
    assert.equal(wrong, 'first')
    assert.equal(message.headId, bridge.getSnapshot().headId)
  } else await assert.rejects(next, { code: 'BRIDGE_TIMEOUT' })
  assert.deepEqual(names, isNamed ? ['first'] : [])
  while (isNamed && !texts.some((text) => text.includes('HeadNamed') && text.includes('first')))
    await new Promise((resolve) => setTimeout(resolve, 5))
  socket.terminate()
  await bridge.disconnect()
  await node.stop()
}

const lines: string[] = []
const events = new NodeEvents({ nameOf: (address: string) => address } as never, ({ text }) => void lines.push(text))
events.onMessage({ tag: 'HeadNamed', headId: 'ab', name: 'first' })
assert.deepEqual(lines, ['head named first'])
const shown = membersOf('HeadNamed')?.({ tag: 'HeadNamed', name: 'first', secret: 'x' }, {} as never)
assert.equal((shown as { name?: string }).name, 'first')
assert.ok(!('secret' in (shown as object)))
console.log('works')
`
}

export const GATEWAY_COMMAND: Change = {
  recipe: 'Add a gateway command',
  name: 'expectHead',
  edits: {
    'src/gateway/protocol/clientCommand.ts': [
      {
        after: "  | { readonly kind: 'resync' }\n",
        text: "  | { readonly kind: 'expectHead'; readonly headId: string }\n"
      },
      {
        after: "  ...['NewTx', 'Decommit', 'Recover'].map((tag) => [tag, 'submit'] as const),\n",
        text: "  ['NewCommand', 'submit'],\n"
      },
      { after: "  SideLoadSnapshot: 'snapshot',\n", text: "  NewCommand: 'note',\n" },
      {
        instead: "  if (command === 'subscribe')\n",
        text: `  if (command === 'expect_head') {
    const headId = isRecord(data) ? getOwn(data, 'headId') : undefined
    return typeof headId === 'string' ? { kind: 'expectHead', headId } : refused('expected headId, a text')
  }
  if (command === 'subscribe')
`
      }
    ],
    'src/gateway/edge/commands.ts': [
      {
        instead: "    case 'subscribe':\n",
        text: `    case 'expectHead':
      return head.view.head.greetings?.['hydraHeadId'] === command.headId ? null : 'the gateway serves another head'
    case 'subscribe':
`
      }
    ]
  },
  user: `
import assert from 'node:assert/strict'
import { io } from 'socket.io-client'
import { LayerBridge } from './src/bridge/index.js'
import { startDevNode } from './src/devnode/index.js'
import { createGateway } from './src/gateway/index.js'
import { readClientCommand } from './src/gateway/protocol/clientCommand.js'

const until = async (what: string, check: () => boolean | Promise<boolean>) => {
  for (const ends = Date.now() + 10_000; !(await check()); await new Promise((resolve) => setTimeout(resolve, 10)))
    if (Date.now() > ends) throw new Error('not in time: ' + what)
}
const node = await startDevNode({ port: 0, rpcPort: null, timings: { blockMs: 5 } })
const bridge = new LayerBridge({ url: node.url })
await bridge.connect()
await bridge.commands.initSync()
const { headId } = bridge.getSnapshot()
const gateway = await createGateway({ port: 0, heads: [{ path: '/', upstream: node.url }] })
await until('the gateway is ready', async () => (await fetch(gateway.url + '/health/ready')).status === 200)

const socket = io(gateway.url + '/hydra', { transports: ['websocket'] })
await new Promise((resolve) => socket.once('connect', () => resolve(null)))
const send = (event: object) => new Promise((resolve) => socket.emit('hydra', event, resolve))

assert.deepEqual(await send({ command: 'expect_head', data: { headId } }), { accepted: true })
const refused = { accepted: false, reason: 'the gateway serves another head' }
assert.deepEqual(await send({ command: 'expect_head', data: { headId: 'ab' } }), refused)
for (const data of [undefined, null, {}, { headId: 5 }])
  assert.deepEqual(await send({ command: 'expect_head', data }), { accepted: false, reason: 'expected headId, a text' })
// Accepted is an input that has reached the node, with the member that it carries and no other.
const input = { command: 'send_command', data: { tag: 'NewCommand', note: 'hello', other: 1 } }
const sent = { tag: 'NewCommand', note: 'hello' }
assert.deepEqual(readClientCommand(input), { kind: 'input', input: sent, scope: 'submit', txId: null })
assert.deepEqual(await send(input), { accepted: true })
socket.disconnect()
await gateway.stop()
await bridge.disconnect()
await node.stop()
console.log('works')
`
}
