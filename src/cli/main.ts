import { isLayerError } from '../errors/base.js'
import { COMMAND_HELP, HELP } from './help.js'
import { inOneSentence, UsageError } from './usage.js'

/** What the program has of the world outside, so that tests can stand in for it. */
export interface Terminal {
  /** Version of the package. */
  readonly version: string
  /** Prints a line. */
  out(text: string): void
  /** Prints a line to the error output. */
  error(text: string): void
  /** Resolves when the user wants the program to end. */
  stopped(): Promise<unknown>
}

/** A command: it throws a UsageError for wrong usage, and whatever else for a failure. */
type Command = (args: readonly string[], terminal: Terminal) => Promise<void>

/** Each is loaded when it is called: none waits for what another one needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  devnode: async () => (await import('./devnode/devnode.js')).devnode,
  gateway: async () => (await import('./gateway.js')).gateway,
  status: async () => (await import('./commands/status.js')).status,
  balance: async () => (await import('./commands/balance.js')).balance,
  pay: async () => (await import('./commands/pay.js')).pay,
  keygen: async () => (await import('./commands/keygen.js')).keygen,
  compat: async () => (await import('./commands/compat.js')).compat
}

/** Codes of errors about what the user typed. */
const USAGE_CODES = /^(INPUT_(ARGUMENT|ADDRESS)|BRIDGE_(OPTIONS|INSECURE_URL)|WALLET_MNEMONIC_\w+)$/

/** Runs the program; resolves with its exit code: 0, 1 for a failure, 2 for wrong usage. Never rejects. */
export async function main(args: readonly string[], given: Terminal): Promise<number> {
  const terminal = withoutControls(given)
  const [command, ...rest] = args
  try {
    if (command === '--version' || command === '-v') terminal.out(terminal.version)
    else if (command === '--help' || command === '-h' || command === 'help') terminal.out(HELP)
    else await run(command, rest, terminal)
    return 0
  } catch (error) {
    const usage = error instanceof UsageError || (isLayerError(error) && USAGE_CODES.test(error.code))
    terminal.error(`layer-sdk: ${inOneSentence(error)}`)
    if (usage)
      terminal.error(
        `Try: layer-sdk ${command !== undefined && Object.hasOwn(COMMANDS, command) ? `${command} ` : ''}--help`
      )
    return usage ? 2 : 1
  }
}

async function run(command: string | undefined, args: readonly string[], terminal: Terminal): Promise<void> {
  if (command === undefined) throw new UsageError('A command is missing.')
  if (!Object.hasOwn(COMMANDS, command)) throw new UsageError(`There is no command "${command}".`)
  if (args.includes('--help') || args.includes('-h')) return terminal.out(COMMAND_HELP[command]!)
  await (
    await COMMANDS[command]!()
  )(args, terminal)
}

/** Controls of terminals, but for line ends and tabs, and marks that turn the direction of text around. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A terminal that no text of others can steer: arguments, files and nodes are repeated without their escape sequences.
 */
function withoutControls(terminal: Terminal): Terminal {
  const clean = (text: string): string => text.replace(CONTROLS, '')
  return { ...terminal, out: (text) => terminal.out(clean(text)), error: (text) => terminal.error(clean(text)) }
}
