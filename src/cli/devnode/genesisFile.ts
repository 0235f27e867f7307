import { readFileSync } from 'node:fs'
import { parseJson } from '../../codec/json.js'
import { readGenesis } from '../../devnode/inner.js'
import type { GenesisEntry } from '../../devnode/index.js'
import { CommandFailure, inOneLine } from '../usage.js'

/**
 * Reads the outputs of `--genesis FILE`: JSON, a UTxO map of a node or a list of entries.
 *
 * @throws CommandFailure in one sentence that names the file.
 */
export function readGenesisFile(path: string, networkId: 0 | 1): readonly GenesisEntry[] {
  const failed = (problem: string, cause?: unknown): Error => new CommandFailure(`The file ${path} ${problem}`, cause)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw failed(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`, error)
  }
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw failed('is not valid JSON.', error)
  }
  if (typeof value !== 'object' || value === null)
    throw failed('holds neither a UTxO map of a node nor a list of outputs.')
  const entries = (Array.isArray(value) ? value : [value]) as GenesisEntry[]
  try {
    readGenesis('genesis', entries, networkId)
  } catch (error) {
    throw failed(`cannot be used as a genesis: ${inOneLine(error)}`, error)
  }
  return entries
}
