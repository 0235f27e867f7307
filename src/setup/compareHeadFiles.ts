import { HeadFileError } from '../errors/setup.js'
import { canonicalJson } from './canonicalJson.js'
import type { HeadFile, HeadParty } from './headFile.js'
import { headFile } from './headFile.js'

/** A member of two head files that differs. */
export interface HeadDifference {
  /** Path of the member, e.g. `contestationPeriod` or `parties.alice.peer`. */
  readonly path: string
  /** Name of the party that it is about; null for what all parties share. */
  readonly party: string | null
  /** Its value in the first file, as JSON; null where the first file has none. */
  readonly a: string | null
  /** Its value in the second file, as JSON; null where the second file has none. */
  readonly b: string | null
}

const SHARED = [
  'network',
  'nodeVersion',
  'scripts',
  'contestationPeriod',
  'depositPeriod',
  'depositActivation',
  'parametersHash'
] as const
const OF_PARTY = ['name', 'hydraVkey', 'cardanoVkey', 'peer'] as const

/**
 * Returns every member in which two head files differ; the order of parties and members, and spaces, do not count.
 *
 * @param files - `a` and `b`: head files, as texts or documents.
 * @returns no differences where the files are equal
 * @throws {@link HeadFileError} when one of them is no head file
 * @example
 * ```ts no-run
 * for (const { path, a, b } of compareHeadFiles({ a: mine, b: theirs })) console.log(path, a, b)
 * ```
 */
export function compareHeadFiles(files: { readonly a: unknown; readonly b: unknown }): HeadDifference[] {
  const [a, b] = [headFile(files.a), headFile(files.b)]
  const found = SHARED.flatMap((member) => difference(member, null, sorted(a[member]), sorted(b[member])))
  const unmatched = new Set(b.parties)
  for (const party of a.parties) {
    // By the key first: a party that changed its name is the same one.
    const other =
      b.parties.find(({ hydraVkey }) => hydraVkey === party.hydraVkey) ??
      b.parties.find(({ name, hydraVkey }) => name === party.name && !hasKey(a.parties, hydraVkey))
    if (other === undefined) {
      found.push({ path: `parties.${party.name}`, party: party.name, a: canonicalJson(party), b: null })
      continue
    }
    unmatched.delete(other)
    for (const member of OF_PARTY)
      found.push(...difference(`parties.${party.name}.${member}`, party.name, party[member], other[member]))
  }
  for (const party of unmatched)
    found.push({ path: `parties.${party.name}`, party: party.name, a: null, b: canonicalJson(party) })
  return found
}

/**
 * Joins several head files, each of which lists some of the parties, to one that lists all of them. The members that
 * all parties share have to be equal.
 *
 * @throws {@link HeadFileError} that names the member in which they differ, and for a key, name or peer that two
 * parties share
 * @example
 * ```ts no-run
 * const head = mergeHeadFiles([mine, theirs])
 * ```
 */
export function mergeHeadFiles(inputs: readonly unknown[]): HeadFile {
  const files = inputs.map((input) => headFile(input))
  const [first, ...others] = files
  if (first === undefined) throw new HeadFileError('head files', 'at least one', 'none')
  const parties = new Map(first.parties.map((party) => [party.hydraVkey, party]))
  for (const [i, file] of others.entries()) {
    const found = compareHeadFiles({ a: { ...first, parties: file.parties }, b: file })[0]
    if (found !== undefined)
      throw new HeadFileError(found.path, `the value of the first file, ${found.a}`, `${found.b} in file ${i + 2}`)
    for (const party of file.parties) {
      const knownParty = parties.get(party.hydraVkey)
      if (knownParty !== undefined && canonicalJson(knownParty) !== canonicalJson(party))
        throw new HeadFileError(
          `parties.${knownParty.name}`,
          canonicalJson(knownParty),
          `${canonicalJson(party)} in file ${i + 2}`
        )
      parties.set(party.hydraVkey, party)
    }
  }
  return headFile({ ...first, parties: [...parties.values()] })
}

const hasKey = (parties: readonly HeadParty[], key: string): boolean =>
  parties.some(({ hydraVkey }) => hydraVkey === key)

const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...(value as unknown[])].sort() : value)

function difference(path: string, party: string | null, a: unknown, b: unknown): HeadDifference[] {
  const [first, second] = [canonicalJson(a), canonicalJson(b)]
  return first === second ? [] : [{ path, party, a: first, b: second }]
}
