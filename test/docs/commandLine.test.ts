import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND_HELP } from '../../src/cli/help'
import { main } from '../../src/cli/main'
import { CliProgram } from '../support/cliProgram'
import { shownCommands, TerminalSession, withoutChance } from '../support/terminalSession'

const commands = ['docs/guides/devnode.md', 'docs/guides/gateway.md'].flatMap(shownCommands)
const program = new CliProgram()
const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-guide-'))
let printed: string[]

beforeAll(async () => {
  await program.build()
  printed = await new TerminalSession(program.path, folder).run(commands)
}, 300_000)
afterAll(() => {
  program.remove()
  rmSync(folder, { recursive: true })
})

it.each(commands.map(({ at, args }, i) => [`${at}: npx layer-sdk ${args.slice(0, 2).join(' ')}`, i] as const))('the guide shows what is printed: %s', (_, i) =>
  expect(withoutChance(commands[i]!.shown)).toBe(withoutChance(printed[i]!))
)

it.each(Object.keys(COMMAND_HELP))('the guide shows the options of %s, and the command at work', (command) => {
  const own = commands.filter(({ args }) => args[0] === command)
  expect(own.some(({ args }) => args.includes('--help'))).toBe(true)
  expect(own.some(({ args }) => !args.includes('--help'))).toBe(true)
})

it('the help names only options that are taken', async () => {
  for (const [command, text] of Object.entries(COMMAND_HELP)) {
    const named = [...text.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name!)
    expect(named.length).toBeGreaterThan(2)
    for (const option of named) {
      const errors: string[] = []
      const terminal = { version: '', out: () => {}, error: (line: string) => void errors.push(line), stopped: () => Promise.resolve() }
      // Whatever else is wrong with the call, it is not that.
      expect(await main([command, option, '--nope'], terminal)).toBe(2)
      expect(errors.join()).not.toContain(`Unknown option '${option}'`)
    }
  }
})
