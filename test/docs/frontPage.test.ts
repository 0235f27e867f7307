import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow, ROOT } from '../support/markdown'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const readme = read('README.md')
const manifest = JSON.parse(read('package.json')) as {
  exports: Record<string, unknown>
  scripts: Record<string, string>
}

/** Text between two lines of a page. */
const section = (page: string, heading: string): string => page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!

describe('the front page', () => {
  it('lists every entry of the package in its table of imports, and none besides', () => {
    const entries = Object.keys(manifest.exports)
      .filter((name) => name !== './package.json')
      .map((name) => name.replace('.', 'layer-sdk'))
    const rows = section(readme, 'What to import')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    const named = rows.flatMap((row) => [...row.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
    expect(named.sort()).toEqual(entries.sort())
  })

  it.each(filesBelow('docs/guides', '.md').concat(filesBelow('docs/concepts', '.md')))(
    'leads to %s, and so does the home page of the site',
    (path) => {
      expect(readme).toContain(`(${path})`)
      expect(read('docs/index.md')).toContain(`(${path.replace('docs/', '')})`)
    }
  )

  it('shows sizes that `npm run size` has written: it fails where they differ from those measured', () => {
    const [, table] = /<!-- sizes:start -->([^]*?)<!-- sizes:end -->/.exec(readme)!
    const [names, , figures] = table!
      .trim()
      .split('\n')
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
      )
    expect(names).toContain('payment')
    expect(figures!.map((text) => /^\d+\.\d$/.test(text))).toEqual(names!.map(() => true))
  })

  it('sends nobody who installed the package to a command of the clone', () => {
    const here = section(readme, 'Where it runs')
    expect(here).toContain('npx layer-sdk compat')
    expect(here).not.toContain('npm run')
    expect(read('docs/guides/preprod.md')).not.toContain('npm run')
  })
})

describe('the tables of docs/architecture.md', () => {
  const page = read('docs/architecture.md')
  const rows = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
  )
  const folders = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => name)

  it('have a row for every room', () => expect(folders('src').filter((name) => !rows.includes(name))).toEqual([]))

  it.each(['bridge', 'devnode', 'gateway'])('have a row for every folder of src/%s', (room) => {
    expect(folders(`src/${room}`).filter((name) => !rows.includes(`${name}/`))).toEqual([])
  })
})
