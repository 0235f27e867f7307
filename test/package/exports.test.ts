import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(__dirname, '..', '..')
const { exports: subpaths } = require('../../package.json') as { exports: Record<string, unknown> }

const entries = Object.keys(subpaths)
  .filter((subpath) => subpath !== './package.json')
  .map((subpath) => [subpath, subpath === '.' ? 'src/index.ts' : `src/${subpath.slice(2)}/index.ts`] as const)
  .filter(([, source]) => existsSync(join(ROOT, source)))

describe('the names that users can import', () => {
  it.each(entries)('%s exports what was reviewed, nothing more or less', (_subpath, source) => {
    const names = Object.keys(require(join(ROOT, source)) as object).sort()
    expect(names).toMatchSnapshot()
  })
})
