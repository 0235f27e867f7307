import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The figures of the repository itself: made by scripts/make-vectors.mjs, and published ones. */
const HOME = join(__dirname, '..', 'vectors')

/**
 * More figures, many of them from the chain, lie beside a development checkout; a clone does without.
 * `scripts/plain-clone.mjs` looks the other way.
 */
export const SHARED =
  process.env['LAYER_SDK_PLAIN'] === '1' ? join(__dirname, 'absent') : join(__dirname, '..', '..', '..', 'shared')

export const hasShared = existsSync(join(SHARED, 'vectors'))

type Vector = Record<string, any>

const readJson = (path: string): any => JSON.parse(readFileSync(path, 'utf8'))
let published: Record<string, Vector[]> | undefined

/** The text of a file below ../shared. */
export function readShared(path: string): string {
  return readFileSync(join(SHARED, path), 'utf8')
}

/** A file of test/vectors, whole. */
export function readHome<T = any>(name: string): T {
  return readJson(join(HOME, `${name}.json`)) as T
}

/** The figures of one set that every clone has: published ones first. */
export function homeVectors<T = Vector>(set: string): T[] {
  published ??= readHome('published')
  const made = existsSync(join(HOME, `${set}.json`)) ? readHome<Vector[]>(set) : []
  return [...(published![set] ?? []), ...made] as T[]
}

/** The figures of one set beside the checkout; none in a clone. */
export function sharedVectors<T = Vector>(set: string): T[] {
  const path = join(SHARED, 'vectors', `${set}.json`)
  return existsSync(path) ? (readJson(path) as { vectors: T[] }).vectors : []
}

/** All figures of one set. */
export function loadVectors<T = Vector>(set: string): T[] {
  const all = [...homeVectors<T>(set), ...sharedVectors<T>(set)]
  if (all.length === 0) throw new Error(`there is no figure of the set ${set}`)
  return all
}

/** Those of the sets that have figures here. */
export function setsHere(...sets: string[]): string[] {
  return sets.filter((set) => homeVectors(set).length + sharedVectors(set).length > 0)
}

/** `describe` for tests of what lies beside a development checkout alone: a clone has no such tests. */
export const describeWithShared: (name: string, define: () => void) => void = hasShared ? describe : () => undefined
