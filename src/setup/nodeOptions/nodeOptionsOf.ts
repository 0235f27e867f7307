import { InvalidArgumentError } from '../../errors/input.js'
import { NODE_OPTIONS_2_3 } from './2.3.js'
import { NODE_OPTIONS_2_4 } from './2.4.js'
import type { NodeOption } from './NodeOption.js'

/** Options by the first two numbers of the node's version. */
const TABLES: Readonly<Record<string, readonly NodeOption[]>> = { '2.3': NODE_OPTIONS_2_3, '2.4': NODE_OPTIONS_2_4 }

/** Version of the node that is assumed where none is named. */
export const NEWEST_NODE_VERSION = '2.4'

/**
 * Returns the options of a version of hydra-node. Only the first two numbers of the version count.
 *
 * @throws {@link InvalidArgumentError} for a version that is not known.
 */
export function nodeOptionsOf(nodeVersion: string): readonly NodeOption[] {
  const family = versionFamily(nodeVersion)
  if (family === null || !Object.hasOwn(TABLES, family))
    throw new InvalidArgumentError(
      'nodeVersion',
      `a version of hydra-node whose options are known: ${Object.keys(TABLES).join(', ')}`,
      nodeVersion
    )
  return TABLES[family]!
}

/** Returns the first two numbers of a version: `2.4` for `2.4.1-099f5dd`; null for a text that is not a version. */
export function versionFamily(version: unknown): string | null {
  if (typeof version !== 'string' || version.length > 100) return null
  return /^(\d{1,4}\.\d{1,4})(\.\d{1,4})?(-.*)?$/.exec(version)?.[1] ?? null
}

/** Returns true from version 2.4 on, where the activation of deposits is a period of its own. */
export function hasDepositActivation(version: string): boolean {
  const [major = 0, minor = 0] = (versionFamily(version) ?? '0.0').split('.').map(Number)
  return major > 2 || (major === 2 && minor >= 4)
}
