import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder with the contract and the vectors; it lies beside a development checkout, not inside the package. */
export const SHARED = join(__dirname, '..', '..', '..', 'shared')

export const hasShared = existsSync(join(SHARED, 'vectors'))

const ABSENT = 'the folder ../shared with the test vectors is absent; these tests need it and did not run'

/** The text of a file below ../shared. */
export function readShared(path: string): string {
  if (!hasShared) throw new Error(ABSENT)
  return readFileSync(join(SHARED, path), 'utf8')
}

/** The vectors of one set of ../shared/vectors. */
export function loadVectors<T = Record<string, any>>(set: string): T[] {
  return (JSON.parse(readShared(`vectors/${set}.json`)) as { vectors: T[] }).vectors
}

/** `describe` for tests that need ../shared: where it is absent, one test says so by name. */
export function describeWithShared(name: string, define: () => void): void {
  if (hasShared) describe(name, define)
  else describe(name, () => it.todo(ABSENT))
}
