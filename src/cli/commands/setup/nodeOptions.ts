import { existsSync } from 'node:fs'
import type { SetupFinding } from '../../../setup/inner.js'
import { checkCompose, checkNodeArguments, headFile, nodeArguments } from '../../../setup/inner.js'
import type { Terminal } from '../../terminal.js'
import { CommandFailure, parseCommand, UsageError, wholeNumberOption } from '../../usage.js'
import { readTextFile } from './files.js'

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const

const ARGUMENTS_OPTIONS = {
  me: TEXT,
  'node-version': TEXT,
  form: TEXT,
  keys: TEXT,
  parameters: TEXT,
  persistence: TEXT,
  socket: TEXT,
  blockfrost: TEXT,
  'api-port': TEXT,
  image: TEXT,
  json: FLAG
} as const

/** `layer-sdk setup arguments`: prints the options with which a party starts its node. */
export function printArguments(args: readonly string[], terminal: Terminal): void {
  const { values, positionals } = parseCommand(args, ARGUMENTS_OPTIONS)
  const [file, ...more] = positionals
  const { me, form = 'arguments' } = values
  if (file === undefined || more.length > 0) throw new UsageError('arguments needs one head file.')
  if (me === undefined) throw new UsageError('--me is missing: the name of your party in the head file.')
  if (!['arguments', 'config', 'compose'].includes(form))
    throw new UsageError('--form needs arguments, config or compose.')
  const node = nodeArguments({
    head: headFile(readTextFile(file)),
    me,
    nodeVersion: values['node-version'],
    keys: values.keys,
    parameters: values.parameters,
    persistence: values.persistence,
    socket: values.socket,
    blockfrost: values.blockfrost,
    apiPort: wholeNumberOption('api-port', values['api-port'], 65_535),
    image: values.image
  })
  if (values.json === true) return terminal.out(JSON.stringify(node))
  if (form === 'config') terminal.out(node.config.trimEnd())
  else if (form === 'compose') terminal.out(node.service.trimEnd())
  else terminal.out(['hydra-node', ...node.args].map(quoted).join(' '))
}

/** Quotes a word for a POSIX shell, if it needs quotes. */
const quoted = (word: string): string => (/^[\w./:,=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

const CHECK_OPTIONS = { head: TEXT, me: TEXT, 'node-version': TEXT, strict: FLAG, json: FLAG } as const

/** `layer-sdk setup check`: lists the mistakes of a node's command line, configuration or compose file. */
export function checkNodeOptions(args: readonly string[], terminal: Terminal): void {
  const dashes = args.indexOf('--')
  const { values, positionals } = parseCommand(dashes < 0 ? args : args.slice(0, dashes), CHECK_OPTIONS)
  const words = dashes < 0 ? null : args.slice(dashes + 1)
  const [file, ...more] = positionals
  if ((file === undefined) === (words === null) || more.length > 0)
    throw new UsageError("check needs a FILE, or the node's command line after --.")
  if ((values.head === undefined) !== (values.me === undefined))
    throw new UsageError('--head and --me go together: the head file, and the name of your party in it.')
  const shared = {
    nodeVersion: values['node-version'],
    head: values.head === undefined ? undefined : headFile(readTextFile(values.head)),
    me: values.me,
    // Public keys alone, and small files.
    readKey: (path: string) => (existsSync(path) ? readTextFile(path) : null)
  }
  const text = file === undefined ? null : readTextFile(file)
  const isCompose = text !== null && /^services\s*:/m.test(text)
  const findings = isCompose
    ? checkCompose({ text, nodeVersion: shared.nodeVersion })
    : checkNodeArguments({ ...(text === null ? { args: words! } : { config: text }), ...shared })
  printFindings(findings, values, terminal)
}

/** Prints findings. @throws CommandFailure when one is blocking, or with `strict` when there is any */
export function printFindings(
  findings: readonly (SetupFinding & { readonly service?: string | null })[],
  { json, strict }: { json?: boolean | undefined; strict?: boolean | undefined },
  terminal: Terminal
): void {
  const blocking = findings.filter(({ severity }) => strict === true || severity === 'block').length
  if (json === true) terminal.out(JSON.stringify({ verdict: blocking > 0 ? 'block' : 'ok', findings }))
  else
    for (const { code, severity, option, what, remedy, service } of findings) {
      const place = [service, option].filter((each) => each != null).join(' ')
      terminal.out(
        `${severity.padEnd(5)}  ${code}${place === '' ? '' : `  ${place}`}\n       ${what}\n       ${remedy}`
      )
    }
  if (blocking > 0)
    throw new CommandFailure(`${blocking} finding${blocking === 1 ? '' : 's'}: the node cannot be started like this.`)
  if (json !== true && findings.length === 0) terminal.out('No findings.')
}
