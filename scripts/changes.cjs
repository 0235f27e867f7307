// Entries of the CHANGELOG from small files: the parts without a file system. CommonJS, because jest loads it as it is.

const SECTIONS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
const WIDTH = 2_000

/**
 * Reads one file of `changes/`: a paragraph, and perhaps a table below it.
 * @returns {{ section: string, entry: string }}
 */
function readChange(name, text) {
  const [section, ...lines] = text.trim().split('\n')
  const trimmed = lines.map((line) => line.trim())
  const rows = trimmed.filter((line) => line.startsWith('|'))
  const prose = trimmed
    .filter((line) => !line.startsWith('|'))
    .join(' ')
    .trim()
  // A table belongs to the list entry when it is indented.
  const entry = rows.length === 0 || prose === '' ? prose : [prose, '', ...rows.map((row) => `  ${row}`)].join('\n')
  if (!SECTIONS.includes(section))
    throw new Error(`changes/${name}: the first line is one of ${SECTIONS.join(', ')}, not "${section}".`)
  if (entry === '') throw new Error(`changes/${name}: an entry follows the line "${section}".`)
  if (/^[-*#]/.test(prose) || prose.length > WIDTH)
    throw new Error(`changes/${name}: one entry, without a bullet or a heading.`)
  return { section, entry }
}

/**
 * The CHANGELOG with the entries, and what stood under Unreleased, under a version of their own.
 * @param {string} changelog
 * @param {{ section: string, entry: string }[]} changes
 * @param {{ version: string, date: string }} release
 */
function collectChanges(changelog, changes, { version, date }) {
  const start = changelog.indexOf('## [Unreleased]')
  if (start < 0) throw new Error('CHANGELOG.md has no section [Unreleased].')
  if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has a section [${version}] already.`)
  const bodyStart = start + '## [Unreleased]'.length
  const next = changelog.indexOf('\n## ', bodyStart)
  const body = changelog.slice(bodyStart, next < 0 ? undefined : next)
  const rest = next < 0 ? '' : changelog.slice(next)
  const sections = new Map()
  for (const part of body.split(/^### /m).slice(1)) {
    const [name] = part.split('\n', 1)
    sections.set(name.trim(), part.slice(name.length).trim())
  }
  for (const { section, entry } of changes)
    sections.set(section, [sections.get(section), `- ${entry}`].filter(Boolean).join('\n'))
  if (sections.size === 0)
    throw new Error('There is nothing to release: no entry in changes/, none under [Unreleased].')
  const order = [
    ...SECTIONS.filter((name) => sections.has(name)),
    ...[...sections.keys()].filter((name) => !SECTIONS.includes(name))
  ]
  const text = order.map((name) => `### ${name}\n\n${sections.get(name)}`).join('\n\n')
  return `${changelog.slice(0, bodyStart)}\n\n## [${version}] - ${date}\n\n${text}\n${rest}`
}

module.exports = { collectChanges, readChange }
