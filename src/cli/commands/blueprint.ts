import { readFileSync, writeFileSync } from 'node:fs'
import { loadBlueprint, blueprintTypes } from '../../tx/inner.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, inOneLine, parseCommand, UsageError } from '../usage.js'

const OPTIONS = { out: { type: 'string' }, json: { type: 'boolean' } } as const
/** First line of the files that the command writes: a file that begins with it may be overwritten. */
const OWN_FILE = /^\/\/ Types of .*, written by layer-sdk blueprint\.\n/

/** `layer-sdk blueprint`: writes the TypeScript types of compiled contracts (CIP-57). */
export async function blueprint(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new UsageError('blueprint needs one FILE.')
  const text = readText(path)
  const types = inFile(path, () => blueprintTypes(text))
  const { titles, get } = inFile(path, () => loadBlueprint(text))
  if (values.out !== undefined) writeTypes(values.out, types)
  const contracts = titles
    .map((title) => get(title))
    .map(({ title, hash, parameters }) => ({ title, hash, parameters }))
  if (values.json === true) return terminal.out(JSON.stringify({ file: values.out, contracts }))
  if (values.out === undefined) return terminal.out(types.trimEnd())
  for (const { title, hash, parameters } of contracts)
    terminal.out(parameters.length === 0 ? `${title}  ${hash}` : `${title}  needs ${parameters.join(', ')}`)
  terminal.out(`The types are in ${values.out}.`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandFailure(`The file ${path} cannot be read (${codeOf(error)}).`)
  }
}

/** Runs `read`; an error of it becomes a failure that names the file, not wrong usage. */
function inFile<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new CommandFailure(
      `The file ${path} is not a blueprint (CIP-57), e.g. plutus.json. ${inOneLine(error)}`,
      error
    )
  }
}

/** Writes the types. An existing file is overwritten only when this command wrote it. @throws CommandFailure */
function writeTypes(path: string, types: string): void {
  try {
    if (!OWN_FILE.test(readFileSync(path, 'utf8')))
      throw new CommandFailure(`The file ${path} is there already, and not written by this command: it stays as it is.`)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error instanceof CommandFailure ? error : unwritable(path, error)
  }
  try {
    writeFileSync(path, types)
  } catch (error) {
    throw unwritable(path, error)
  }
}

const unwritable = (path: string, error: unknown): CommandFailure =>
  new CommandFailure(`The file ${path} cannot be written (${codeOf(error)}).`)

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? 'unknown'
