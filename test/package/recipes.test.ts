import type { Edits } from '../support/changedTree'
import { ChangedTree, sourcesOfRecipe } from '../support/changedTree'

/** A change by one recipe, and a program that uses what it adds. */
interface Change {
  readonly recipe: string
  /** Stands in the place of `<name>` in the recipe. */
  readonly name: string
  readonly edits: Edits
  readonly user: string
}

const ACTION: Change = {
  recipe: 'Add an action of the client',
  name: 'nextSnapshot',
  edits: {
    'src/client/actions/nextSnapshot.ts': `import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import type { ClientContext } from '../ClientContext.js'
import type { ActionOptions } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_HEAD_TIMEOUT_MS } from '../limits.js'

const ARGS: OptionNames<ActionOptions> = { timeout: true, signal: true }

/** Waits for the next confirmed snapshot; resolves with its number. */
export async function nextSnapshot(context: ClientContext, args: ActionOptions = {}): Promise<number> {
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

const CHANGES: readonly Change[] = [ACTION]
/** Rooms that the changes reach. */
const REACHED = ['src/bridge/protocol/', 'src/client/', 'src/devnode/', 'src/gateway/', 'src/cli/devnode/']

describe('changes by the recipes of CONTRIBUTING.md', () => {
  let tree: ChangedTree
  const userOf = ({ name }: Change): string => `${name}.ts`

  beforeAll(() => {
    tree = new ChangedTree()
    for (const change of CHANGES) tree.edit({ ...change.edits, [userOf(change)]: change.user })
  })

  afterAll(() => tree.remove())

  it.each(CHANGES)('"$recipe" names each source that the change edits, and no other', ({ recipe, name, edits }) => {
    expect(sourcesOfRecipe(recipe, name)).toEqual(Object.keys(edits))
  })

  it('compile in all rooms that they reach', () => {
    const exact = CHANGES.flatMap((change) => [userOf(change), ...Object.keys(change.edits)])
    expect(tree.problems(REACHED, [...exact, 'src/cli/devnode/devnode.ts'])).toEqual([])
  }, 60_000)

  it.each(CHANGES)(
    '"$recipe" is enough for a program that uses what it adds',
    async (change) => {
      expect(await tree.run(userOf(change))).toBe('works\n')
    },
    40_000
  )
})
