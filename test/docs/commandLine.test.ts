import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND_HELP } from '../../src/cli/help'
import { main } from '../../src/cli/main'
import { DevNode } from '../../src/devnode'
import { answerControl } from '../../src/devnode/serve/control/answerControl'
import { CliProgram } from '../support/cliProgram'
import { shownCommands, withoutChance } from '../support/shownCommands'
import { TerminalSession } from '../support/terminalSession'

const commands = [
  'devnode',
  'devnode-control',
  'gateway',
  'command-line',
  'doctor',
  'setting-up',
  'head-by-commands',
  'watching',
  'export-and-replay',
  'recognition'
].flatMap((name) => shownCommands(`docs/guides/${name}.md`))
const layerSdk = commands.filter(({ program }) => program === 'layer-sdk')
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

it.each(commands.map(({ at, program: name, args }, i) => [`${at}: ${name} ${args.slice(0, 2).join(' ')}`, i] as const))(
  'the guide shows what is printed: %s',
  (_, i) => expect(withoutChance(printed[i]!)).toBe(withoutChance(commands[i]!.shown))
)

it.each(Object.keys(COMMAND_HELP))('the guide shows the options of %s, and the command at work', (command) => {
  const own = layerSdk.filter(({ args }) => args[0] === command)
  expect(own.some(({ args }) => args.includes('--help'))).toBe(true)
  expect(own.some(({ args }) => !args.includes('--help'))).toBe(true)
})

/** Options as the help lists them. */
const optionsOf = (help: string): string[] => [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name!)

// The gateway's have a guide of their own, with roles and tokens.
it.each(Object.keys(COMMAND_HELP).filter((command) => command !== 'gateway'))(
  'the guide shows each option of %s at work',
  (command) => {
    const used = new Set(layerSdk.filter(({ args }) => args[0] === command).flatMap(({ args }) => args))
    expect(optionsOf(COMMAND_HELP[command]!).filter((option) => !used.has(option))).toEqual([])
  }
)

it('the guide shows each route of the control at work, with each of its methods', async () => {
  const node = new DevNode()
  const answer = (method: string, path: string) => answerControl({ method, path, body: '' }, node)
  const routes = (JSON.parse((await answer('GET', '/none')).body) as { message: string }).message
    .match(/\/[\w{}/]+/g)!
    .slice(1)
  expect(routes.length).toBeGreaterThan(9)
  const sent = commands.flatMap(({ program: name, args }) => {
    const path = /^localhost:1337\/devnode(\/.+)$/.exec(args.find((each) => each.startsWith('localhost')) ?? '')?.[1]
    if (name !== 'curl' || path === undefined) return []
    return [
      `${args.includes('-X') ? args[args.indexOf('-X') + 1]! : args.includes('-d') ? 'POST' : 'GET'} ${path.replace(/\d+$/, '{i}')}`
    ]
  })
  for (const route of routes) {
    const { headers } = await answer('TRACE', route.replace('{i}', '0'))
    for (const method of headers!['Allow']!.split(', ')) expect(sent).toContain(`${method} ${route}`)
  }
  await node.stop()
})

it('the help names only options that are taken', async () => {
  for (const [command, text] of Object.entries(COMMAND_HELP)) {
    const named = optionsOf(text)
    expect(named.length).toBeGreaterThan(0)
    for (const option of named) {
      const errors: string[] = []
      const terminal = {
        version: '',
        out: () => {},
        error: (line: string) => void errors.push(line),
        stopped: () => Promise.resolve()
      }
      // Whatever else is wrong with the call, it is not that.
      expect(await main([command, option, '--nope'], terminal)).toBe(2)
      expect(errors.join()).not.toContain(`Unknown option '${option}'`)
    }
  }
})
