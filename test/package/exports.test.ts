import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(__dirname, '..', '..')
const { exports: subpaths } = require('../../package.json') as { exports: Record<string, unknown> }

const sourceOf = (subpath: string): string => {
  const adapter = join(ROOT, 'src', 'adapters', `${subpath.slice(2)}.ts`)
  return existsSync(adapter)
    ? adapter
    : join(ROOT, subpath === '.' ? 'src/index.ts' : `src/${subpath.slice(2)}/index.ts`)
}
const namesOf = (subpath: string): string[] => Object.keys(require(sourceOf(subpath)) as object).sort()

const entries = Object.keys(subpaths).filter((subpath) => subpath !== './package.json' && existsSync(sourceOf(subpath)))

describe('the names that users can import', () => {
  it.each(entries)('%s exports what was reviewed, nothing more or less', (subpath) => {
    expect(namesOf(subpath)).toMatchSnapshot()
  })

  it.each(['./wallet', './utils', './providers', './bridge', './errors'])(
    'the root exports everything of %s (npm run entry)',
    (subpath) => {
      const root = new Set(namesOf('.'))
      expect(namesOf(subpath).filter((name) => !root.has(name))).toEqual([])
    }
  )

  it('the root offers the providers as ProviderUtils too', () => {
    const { ProviderUtils, IndexerProvider, RpcProvider } = require(sourceOf('.')) as Record<string, unknown>
    expect({ ...(ProviderUtils as object) }).toEqual({ IndexerProvider, RpcProvider })
  })
})
