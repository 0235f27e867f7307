import { nearestName } from '../../codec/nearestName.js'
import type { NodeOption } from '../nodeOptions/NodeOption.js'
import type { GivenOptions, NodeCommand } from './GivenOptions.js'
import type { SetupFinding } from './SetupFinding.js'
import { blocks, shownValue } from './SetupFinding.js'

const SUBCOMMANDS: readonly string[] = ['publish-scripts', 'gen-hydra-key']

/**
 * Reads a command line of hydra-node as the node does: `--name value`, `--name=value`, and short options of one letter.
 */
export function readArguments(
  args: readonly string[],
  options: readonly NodeOption[]
): { given: GivenOptions; findings: SetupFinding[] } {
  const findings: SetupFinding[] = []
  const values = new Map<string, string[]>()
  let command: NodeCommand = 'run'
  // A line that was copied whole begins with the program.
  let at = /(^|\/)hydra-node$/.test(args[0] ?? '') ? 1 : 0
  while (at < args.length) {
    const arg = args[at++]!
    if (SUBCOMMANDS.includes(arg) && command === 'run' && values.size === 0) {
      command = arg as NodeCommand
      continue
    }
    if (!arg.startsWith('-') || arg === '-' || arg === '--') {
      findings.push(
        blocks(
          'unexpected-argument',
          null,
          `${shownValue(arg)} is no option.`,
          'Leave it out, or put its option before it.'
        )
      )
      continue
    }
    const { name, option, attached } = optionOf(arg, options)
    if (option === undefined || !readsIt(option, command)) {
      findings.push(unknownOption(name, arg, options, command))
      // Its value is no argument of its own.
      if (attached === null && args[at] !== undefined && !args[at]!.startsWith('-')) at++
      continue
    }
    const list = values.get(option.name) ?? []
    values.set(option.name, list)
    if (option.kind === 'flag') {
      if (attached !== null)
        findings.push(
          blocks('bad-value', `--${option.name}`, 'It is a switch without a value.', 'Leave the value out.')
        )
      list.push('')
      continue
    }
    const value = attached ?? args[at++]
    if (value === undefined || (attached === null && isOption(value, options))) {
      findings.push(blocks('missing-value', `--${option.name}`, 'Its value is missing.', 'Put the value behind it.'))
      if (value !== undefined) at -= 1
    } else list.push(value)
  }
  for (const { name, repeats } of options)
    if (repeats !== true && (values.get(name)?.length ?? 0) > 1)
      findings.push(blocks('repeated-option', `--${name}`, 'It is given more than once.', 'Give it once.'))
  return { given: { command, values, extent: values.has('config') ? 'part' : 'arguments' }, findings }
}

function optionOf(
  arg: string,
  options: readonly NodeOption[]
): { name: string; option: NodeOption | undefined; attached: string | null } {
  if (arg.startsWith('--')) {
    const equals = arg.indexOf('=')
    const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals)
    const option = options.find((each) => each.name === name)
    return { name, option, attached: equals < 0 ? null : arg.slice(equals + 1) }
  }
  const option = options.find((each) => each.short === arg[1])
  return { name: arg[1] ?? '', option, attached: arg.length > 2 ? arg.slice(2) : null }
}

const isOption = (arg: string, options: readonly NodeOption[]): boolean =>
  arg.startsWith('-') && optionOf(arg, options).option !== undefined

const readsIt = (option: NodeOption, command: NodeCommand): boolean =>
  command === 'run' ? option.run !== false : (option.subcommands ?? []).includes(command)

function unknownOption(name: string, arg: string, options: readonly NodeOption[], command: NodeCommand): SetupFinding {
  const shown = arg.startsWith('--') ? `--${name}` : `-${name}`
  const optionNames = options.filter((each) => readsIt(each, command)).map((each) => each.name)
  const near = nearestName(name, optionNames)
  const place = command === 'run' ? 'hydra-node of this version' : command
  return blocks(
    'unknown-option',
    shown.length <= 60 ? shown : `an option of ${shown.length} characters`,
    `${place} has no such option.`,
    near === null ? 'Leave it out, or name the version that has it.' : `Write --${near}.`
  )
}
