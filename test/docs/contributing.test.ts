import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS } from '../../scripts/help.cjs'

const ROOT = join(__dirname, '..', '..')

/** Paths of files in the recipes of a text. */
function pathsIn(text: string): string[] {
  const recipes = text.split('\n## Recipes\n')[1]?.split('\n## ')[0] ?? ''
  return [...recipes.matchAll(/`((?:src|test|docs|scripts)\/[\w./-]+\.\w+)`/g)].map(([, path]) => path as string)
}

describe('the recipes of CONTRIBUTING.md', () => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')

  it('name only files that exist', () => {
    const paths = pathsIn(text)
    expect(paths.length).toBeGreaterThan(40)
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('cover the changes that come up most', () => {
    const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(
      expect.arrayContaining([
        'Add a message of the node',
        'Add a command',
        'Add a gateway command',
        'Add an action of the client',
        'Add a React hook',
        'Add a command of the CLI',
        'Add a profile of the local head',
        'Add a wallet kind',
        'Add a wallet option',
        'Add a provider',
        'Add an error',
        'Change the reconnect policy'
      ])
    )
  })
})

describe('the commands', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')

  it('of `npm run help` are those of package.json', () => {
    const helped = Object.values(COMMANDS as Record<string, Record<string, string>>).flatMap((group) =>
      Object.keys(group)
    )
    expect([...helped].sort()).toEqual(Object.keys(scripts).sort())
  })

  it('of the first table in CONTRIBUTING.md exist, and fill at most eight rows', () => {
    const rows = contributing.split('|---|---|\n')[1]!.split('\n\n')[0]!.split('\n')
    const named = [...rows.join('\n').matchAll(/`npm run ([\w:]+)/g)].map(([, name]) => name as string)
    expect(rows.length).toBeLessThanOrEqual(8)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})
