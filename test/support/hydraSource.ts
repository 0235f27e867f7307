import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SHARED } from './vectors'

/** A copy of hydra's source: a checkout, or a git directory without a work tree. */
const SOURCE = process.env['LAYER_SDK_HYDRA'] ?? join(SHARED, 'hydra')
const isGit = existsSync(join(SOURCE, 'objects'))

/** True where a copy is at hand. */
export const hasHydraSource = isGit || existsSync(join(SOURCE, 'hydra-node'))

/** The text of one of its files; `revision` counts for a git directory alone. */
export function readHydra(path: string, revision = 'HEAD'): string {
  if (!isGit) return readFileSync(join(SOURCE, path), 'utf8')
  return execFileSync('git', ['--git-dir', SOURCE, 'show', `${revision}:${path}`], { encoding: 'utf8' })
}

/** `describe` for tests of that source: where there is no copy, they are not defined. */
export const describeWithHydra: (name: string, define: () => void) => void = hasHydraSource ? describe : () => undefined
