// Which release brought a name: read from the API reports, which are committed with each release.

/** Members of an exported class or interface stand one level deep in a report. */
const MEMBER = /^ {4}(?:(?:abstract|static|readonly|get|set|async) )*\[?([\w.]+)\]?\??[(:<]/

/** The public names of an API report: `ada`, `LayerBridge`, `LayerBridge.connect`; of a name passed on no members. */
export function namesOf(report) {
  const names = new Set()
  let owner
  for (const line of report.split('\n')) {
    const exported =
      /^export (?:default )?(?:declare )?(?:abstract )?(?:class|interface|function|const|type|namespace) (\w+)/.exec(
        line
      )
    // What the entry passes on of another one, which has it in full.
    const passedOn = /^export \{ (?:\w+ as )?(\w+) \}$/.exec(line)
    if (passedOn !== null) names.add(passedOn[1])
    if (exported !== null) {
      names.add(exported[1])
      owner = /^export (?:abstract )?(?:class|interface)/.test(line) ? exported[1] : undefined
    } else if (/^\S/.test(line)) owner = undefined
    const member = owner === undefined ? null : MEMBER.exec(line)
    if (member !== null) names.add(`${owner}.${member[1]}`)
  }
  return [...names].sort()
}

/**
 * A release's entry of the record: names by entry; the root entry passes on names of others, which are not repeated.
 */
export function recordOf(reports) {
  const names = Object.fromEntries(Object.entries(reports).map(([entry, report]) => [entry, namesOf(report)]))
  const elsewhere = new Set(Object.entries(names).flatMap(([entry, list]) => (entry === 'index' ? [] : list)))
  return Object.fromEntries(
    Object.entries(names).map(([entry, list]) => [
      entry,
      entry === 'index' ? list.filter((name) => !elsewhere.has(name)) : list
    ])
  )
}

const byVersion = (a, b) => a.localeCompare(b, 'en', { numeric: true })

/** Stands for the version of a name that no release has yet: which version brings it is settled with the release. */
const UNRELEASED = 'the next release'

/** Returns a text as the beginning of a sentence. */
export const capitalised = (text) => `${text[0].toUpperCase()}${text.slice(1)}`

/** Returns `since 0.1.0`, or the text of a name that no release has yet. */
export const sinceText = (since) => (since === UNRELEASED ? 'not in a release yet' : `since ${since}`)

/** Gives the release since which a name is there: the first whose reports have it under one of the entries. */
export function sinceOf(released) {
  const releases = Object.entries(released).sort(([a], [b]) => byVersion(a, b))
  const known = releases.map(([release, entries]) => [
    release,
    new Map(Object.entries(entries).map(([entry, names]) => [entry, new Set(names)]))
  ])
  return (name, entries) =>
    known.find(([, names]) => [...entries, 'index'].some((entry) => names.get(entry)?.has(name)))?.[0] ?? UNRELEASED
}
