import { ChangedTree, sourcesOfRecipe } from '../support/changedTree'
import type { Change } from '../support/recipeChanges'
import { ACTION, GATEWAY_COMMAND, MESSAGE } from '../support/recipeChanges'

const CLI_COMMAND: Change = {
  recipe: 'Add a command of the CLI',
  name: 'greet',
  edits: {
    'src/cli/commands/greet.ts': `import type { Terminal } from '../terminal.js'
import { parseOptions } from '../usage.js'

/** \`layer-sdk greet\`: prints a greeting. */
export async function greet(args: readonly string[], terminal: Terminal): Promise<void> {
  const { json } = parseOptions(args, { json: { type: 'boolean' } })
  terminal.out(json === true ? '{"greeting":"hello"}' : 'hello')
}
`,
    'src/cli/main.ts': [
      {
        after: "  keygen: async () => (await import('./commands/keygen.js')).keygen,\n",
        text: "  greet: async () => (await import('./commands/greet.js')).greet,\n"
      }
    ],
    'src/cli/help.ts': [
      {
        after: '  layer-sdk keygen [--out FILE]         make a payment key, in a file of cardano-cli\n',
        text: '  layer-sdk greet                       print a greeting\n'
      },
      {
        after: 'export const COMMAND_HELP: Readonly<Record<string, string>> = {\n',
        text: '  greet: `layer-sdk greet [--json]: prints a greeting`,\n'
      }
    ]
  },
  user: `
import assert from 'node:assert/strict'
import { main } from './src/cli/main.js'
import type { Terminal } from './src/cli/terminal.js'

const run = async (...args: string[]) => {
  const [out, error]: [string[], string[]] = [[], []]
  const write = { out: (text: string) => void out.push(text), error: (text: string) => void error.push(text) }
  const code = await main(args, write as unknown as Terminal)
  return { code, out: out.join(), error: error.join() }
}
assert.deepEqual(await run('greet'), { code: 0, out: 'hello', error: '' })
assert.deepEqual(await run('greet', '--json'), { code: 0, out: '{"greeting":"hello"}', error: '' })
assert.deepEqual(await run('greet', '--help'), { code: 0, out: 'layer-sdk greet [--json]: prints a greeting', error: '' })
assert.match((await run('--help')).out, /layer-sdk greet /)
assert.equal((await run('greet', '--jsno')).code, 2)
assert.match((await run('gret')).error, /Did you mean greet/)
console.log('works')
`
}

const CHANGES: readonly Change[] = [ACTION, MESSAGE, GATEWAY_COMMAND, CLI_COMMAND]
/** Folders with code that depends on the messages, actions and commands there are. */
const REACHED = [
  'src/bridge/protocol/',
  'src/cli/devnode/',
  'src/client/api/',
  'src/devnode/head/',
  'src/devnode/party/',
  'src/devnode/saved/',
  'src/devnode/serve/api/',
  'src/devnode/serve/control/',
  'src/devnode/wire/',
  'src/gateway/edge/'
]

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

  it('compile in all folders that they reach', () => {
    const exact = CHANGES.flatMap((change) => [userOf(change), ...Object.keys(change.edits)])
    expect(tree.problems(REACHED, [...exact, 'src/cli/devnode/devnode.ts'])).toEqual([])
  }, 120_000)

  it.each([
    ['src/devnode/wire/json/messages.ts', MESSAGE, /HeadNamed/],
    ['src/devnode/wire/cbor/api.ts', MESSAGE, /HeadNamed/],
    ['src/client/api/createHeadClient.ts', ACTION, /nextSnapshot/],
    ['src/gateway/edge/commands.ts', GATEWAY_COMMAND, /lacks ending return/]
  ] as const)(
    'do not compile without the edit of %s',
    (path, { edits }, problem) => {
      tree.restore(path)
      const problems = tree.problems([], [path])
      tree.edit({ [path]: edits[path]! })
      expect(problems).toEqual([expect.stringMatching(problem)])
    },
    40_000
  )

  it.each(CHANGES)(
    '"$recipe" is enough for a program that uses what it adds',
    async (change) => {
      expect(await tree.run(userOf(change))).toBe('works\n')
    },
    40_000
  )
})
