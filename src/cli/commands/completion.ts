import { COMMAND_HELP } from '../help.js'
import type { Terminal } from '../terminal.js'
import { notOneOf, parseCommand } from '../usage.js'

/** Returns the options that the help page of a command lists. */
const optionsOf = (command: string): string[] => [
  ...new Set([...COMMAND_HELP[command]!.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name!)),
  '--help'
]

/** Subcommands and arguments that may follow a command: the steps of `setup`, the shells of `completion`. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  setup: ['keys', 'head', 'merge', 'parameters', 'arguments', 'check', 'preflight'],
  completion: ['bash', 'zsh', 'fish']
}

const wordsOf = (command: string): string => [...(WORDS[command] ?? []), ...optionsOf(command)].join(' ')
const commands = (): string[] => Object.keys(COMMAND_HELP).sort()

const SHELLS: Readonly<Record<string, () => string>> = {
  bash: () => `_layer_sdk() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands().join(' ')} --help --version"
  else case "\${COMP_WORDS[1]}" in
${commands()
  .map((each) => `    ${each}) words="${wordsOf(each)}" ;;`)
  .join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _layer_sdk layer-sdk`,
  zsh: () => `#compdef layer-sdk
_layer_sdk() {
  if (( CURRENT == 2 )); then compadd -- ${commands().join(' ')} --help --version; return; fi
  case "$words[2]" in
${commands()
  .map((each) => `    ${each}) compadd -- ${wordsOf(each)} ;;`)
  .join('\n')}
  esac
  _files
}
compdef _layer_sdk layer-sdk`,
  fish: () =>
    commands()
      .flatMap((each) => [
        `complete -c layer-sdk -n __fish_use_subcommand -f -a ${each}`,
        `complete -c layer-sdk -n '__fish_seen_subcommand_from ${each}' -a '${wordsOf(each)}'`
      ])
      .join('\n')
}

/** `layer-sdk completion`: prints the script with which a shell completes commands and options. */
export async function completionCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, { json: { type: 'boolean' } })
  const [shell = '', ...more] = positionals
  if (!Object.hasOwn(SHELLS, shell) || more.length > 0)
    throw notOneOf('completion', Object.keys(SHELLS), [shell, ...more].join(' '))
  const script = SHELLS[shell]!()
  terminal.out(values.json === true ? JSON.stringify({ shell, script }) : script)
}
