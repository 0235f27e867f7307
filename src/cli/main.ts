import { exitCodeOf, failureJson, isWrongUsage } from './failure.js'
import { COMMAND_HELP, HELP } from './help.js'
import { nearest } from './nearest.js'
import type { Terminal } from './terminal.js'
import { withoutControls } from './terminal.js'
import { ExitWithCode, inOneLine, UsageError } from './usage.js'

/** A command; throws a UsageError for wrong usage, any other error for a failure. */
type Command = (args: readonly string[], terminal: Terminal) => Promise<void>

/** Commands by name. Each is loaded when it is called, so none waits for the imports of another. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  devnode: async () => (await import('./devnode/devnode.js')).devnode,
  gateway: async () => (await import('./commands/gateway.js')).gateway,
  status: async () => (await import('./commands/status.js')).status,
  balance: async () => (await import('./commands/balance.js')).balance,
  tx: async () => (await import('./commands/tx.js')).tx,
  receipts: async () => (await import('./commands/listReceipts.js')).listReceipts,
  pay: async () => (await import('./commands/pay.js')).pay,
  open: async () => (await import('./commands/headLife.js')).openCommand,
  deposit: async () => (await import('./commands/moves.js')).depositCommand,
  withdraw: async () => (await import('./commands/moves.js')).withdrawCommand,
  close: async () => (await import('./commands/headLife.js')).closeCommand,
  fanout: async () => (await import('./commands/headLife.js')).fanoutCommand,
  recover: async () => (await import('./commands/moves.js')).recoverCommand,
  utxos: async () => (await import('./commands/utxos.js')).utxosCommand,
  address: async () => (await import('./commands/address.js')).addressCommand,
  faucet: async () => (await import('./commands/faucet.js')).faucetCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand,
  new: async () => (await import('./commands/newProject.js')).newProject,
  keygen: async () => (await import('./commands/keygen.js')).keygen,
  setup: async () => (await import('./commands/setup.js')).setup,
  blueprint: async () => (await import('./commands/blueprint.js')).blueprint,
  compat: async () => (await import('./commands/compat.js')).compat,
  conformance: async () => (await import('./commands/conformance.js')).conformanceCommand,
  doctor: async () => (await import('./commands/doctor.js')).doctor,
  watch: async () => (await import('./commands/watch.js')).watchCommand,
  recognise: async () => (await import('./commands/recognise.js')).recogniseCommand,
  explain: async () => (await import('./commands/explain.js')).explain,
  export: async () => (await import('./commands/export.js')).exportCommand,
  record: async () => (await import('./commands/record.js')).record,
  replay: async () => (await import('./commands/replay.js')).replay
}

/**
 * Runs the program and resolves with its exit code: 0 for success, 1 for a failure, 2 for wrong usage, 6 when the
 * outcome of an action is unknown, or a code that the command sets itself ({@link ExitWithCode}). Never rejects.
 */
export async function main(args: readonly string[], raw: Terminal): Promise<number> {
  const terminal = withoutControls(raw)
  const [command, ...rest] = args
  try {
    if (command === '--version' || command === '-v') terminal.out(terminal.version)
    else if (command === '--help' || command === '-h' || command === 'help') terminal.out(HELP)
    else await run(command, rest, terminal)
    return 0
  } catch (error) {
    if (error instanceof ExitWithCode) return error.exitCode
    if (isJson(args)) terminal.error(failureJson(error))
    else terminal.error(`layer-sdk: ${inOneLine(error)}`)
    if (isWrongUsage(error) && !isJson(args))
      terminal.error(
        `Try: layer-sdk ${command !== undefined && Object.hasOwn(COMMANDS, command) ? `${command} ` : ''}--help`
      )
    return exitCodeOf(error)
  }
}

/** Returns true when `--json` asks for results and failures as JSON. Words after `--` belong to another program. */
function isJson(args: readonly string[]): boolean {
  const dashes = args.indexOf('--')
  return (dashes < 0 ? args : args.slice(0, dashes)).includes('--json')
}

async function run(command: string | undefined, args: readonly string[], terminal: Terminal): Promise<void> {
  if (command === undefined || command === '--json') throw new UsageError('A command is missing.')
  if (!Object.hasOwn(COMMANDS, command)) throw new UsageError(unknownCommand(command))
  if (args.includes('--help') || args.includes('-h')) return terminal.out(COMMAND_HELP[command]!)
  await (
    await COMMANDS[command]!()
  )(args, terminal)
}

function unknownCommand(command: string): string {
  const near = nearest(command, Object.keys(COMMANDS))
  return `There is no command "${command}".${near === null ? '' : ` Did you mean ${near}?`}`
}
