import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectChanges, readChange } from '../../scripts/changes.cjs'
import { ROOT } from '../support/markdown'

const release = { version: '0.2.0', date: '2026-12-01' }
const CHANGELOG =
  '# Changelog\n\nWords.\n\n## [Unreleased]\n\n### Fixed\n\n- Old one,\n  over two lines.\n\n## [0.1.0] - 2026-01-01\n\n### Added\n\n- All.\n'

describe('the CHANGELOG of a release', () => {
  it('takes the entries of the files and of Unreleased, by section, and leaves earlier releases as they are', () => {
    const changes = [readChange('a.md', 'Fixed\nNew one\nthat goes on.\n'), readChange('b.md', 'Added\n`thing`.\n')]
    expect(collectChanges(CHANGELOG, changes, release)).toBe(
      '# Changelog\n\nWords.\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- `thing`.\n\n### Fixed\n\n- Old one,\n  over two lines.\n- New one that goes on.\n' +
        '\n## [0.1.0] - 2026-01-01\n\n### Added\n\n- All.\n'
    )
  })

  it('keeps every line of the CHANGELOG there is', () => {
    const page = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
    const lines = (text: string): string[] =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .sort()
    const added = lines(collectChanges(page, [{ section: 'Added', entry: 'x' }], release))
    expect(added).toEqual([...lines(page), '- x', '## [0.2.0] - 2026-12-01'].sort())
  })

  it('refuses a version twice, and a release of nothing', () => {
    expect(() => collectChanges(CHANGELOG, [], { ...release, version: '0.1.0' })).toThrow(
      'has a section [0.1.0] already'
    )
    expect(() => collectChanges('## [Unreleased]\n', [], release)).toThrow('nothing to release')
    expect(() => collectChanges('# Changelog\n', [], release)).toThrow('no section [Unreleased]')
  })

  it('keeps a table below an entry as part of it', () => {
    const { entry } = readChange('a.md', 'Changed\nNames.\n\n| Before | Now |\n|---|---|\n| `a` | `b` |\n')
    expect(entry).toBe('Names.\n\n  | Before | Now |\n  |---|---|\n  | `a` | `b` |')
    expect(() => readChange('a.md', 'Changed\n| Before | Now |\n')).toThrow('an entry follows')
  })

  it('refuses a file without a section, without an entry, or with more than one', () => {
    expect(() => readChange('a.md', 'Fix\nText.')).toThrow('changes/a.md: the first line is one of Added, Changed')
    expect(() => readChange('a.md', 'Fixed\n\n')).toThrow('changes/a.md: an entry follows')
    expect(() => readChange('a.md', 'Fixed\n- One.\n- Two.')).toThrow('changes/a.md: one entry, without a bullet')
  })

  it('can read each file that waits in changes/', () => {
    const names = readdirSync(join(ROOT, 'changes')).filter((name) => name.endsWith('.md'))
    expect(names).toContain('README.md')
    for (const name of names)
      if (name !== 'README.md')
        expect(readChange(name, readFileSync(join(ROOT, 'changes', name), 'utf8')).entry).not.toBe('')
  })
})
