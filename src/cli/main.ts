import { isLayerError } from '../errors/base.js'
import { devnode } from './devnode.js'
import { UsageError } from './usage.js'

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

const HELP = `layer-sdk: tools for layer-two heads

Usage
  layer-sdk devnode [options]   start a local head node with funded test keys
  layer-sdk --help, --version

Options of devnode
  --port N                  port of the WebSocket and HTTP API; 0 takes a free one (4001)
  --host HOST               address to listen on (127.0.0.1)
  --rpc-port N              port of the base ledger's endpoints; 0 takes a free one (1337; with --port 0 a free one)
  --profile VERSION         node version to pose as: 0.22, 1.3, 2.0, 2.2, 2.3, master (2.3)
  --network-id 0|1          network of all addresses (0)
  --accumulator real|off    true accumulator in snapshots from 2.2 on; at most 4,095 outputs (off)
  --accounts N              funded accounts of the phrase (10)
  --balance ADA             what each account holds (10000)
  --phrase WORDS            recovery phrase of the accounts
  --parties N               parties of the head, all played by the node (1)
  --seed TEXT               other ids and keys, reproducible
  --fund ADDRESS=LOVELACE   put an output on the base ledger; may be repeated
  --genesis FILE            put the outputs of a JSON file on the base ledger: a UTxO map of a node, or a list
  --open                    open a head at once
  --in-head ADDRESS=LOVELACE  bring an output into that head; may be repeated
  --block-time MS           time until the base ledger takes a transaction (50)
  --deposit-delay MS        time until a deposit is taken up (100)
  --snapshot-interval MS    time until a snapshot is signed (20)
  --contestation-period MS  time between close and fanout (2000)
  --verbose                 print what the node tells its clients
  --json                    print events as JSON, one a line`

/** Runs the program; resolves with its exit code: 0, 1 for a failure, 2 for wrong usage. Never rejects. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [command, ...rest] = args
  try {
    if (command === '--version' || command === '-v') terminal.out(terminal.version)
    else if (command === '--help' || command === '-h' || command === 'help' || rest.includes('--help') || rest.includes('-h')) terminal.out(HELP)
    else if (command === 'devnode') await devnode(rest, terminal)
    else throw new UsageError(command === undefined ? 'A command is missing.' : `There is no command "${command}".`)
    return 0
  } catch (error) {
    const usage = error instanceof UsageError || isLayerError(error, 'INPUT_ARGUMENT') || isLayerError(error, 'INPUT_ADDRESS')
    terminal.error(`layer-sdk: ${(error as Error).message}`)
    if (usage) terminal.error('Try: layer-sdk --help')
    return usage ? 2 : 1
  }
}
