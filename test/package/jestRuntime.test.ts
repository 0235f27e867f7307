import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/markdown'

// scripts/jest/Runtime.cjs and transform.cjs, in a project of their own: what the suites of one worker share, and do not.

/** A module whose state a suite changes, one with an error, and one that is rewritten under the suites' feet. */
const FILES = {
  'counter.ts': 'export const seen: string[] = []\nexport let count = 0\nexport const next = (): number => ++count\n',
  'thrower.ts': "export const fail = (): never => { throw new Error('from the first line') }\n",
  'broken.js': 'module.exports = {\n  one: 1,,\n}\n',
  'version.js': "module.exports = 'one'\n",
  'mocked.ts': "export const whose = (): string => 'its own'\n"
}

const counts = `
  import { next } from './counter'
  it('counts from one', () => {
    expect((globalThis as any).loaded).toBeUndefined()
    Object.assign(globalThis, { loaded: true })
    expect([next(), next()]).toEqual([1, 2])
    jest.resetModules()
    expect(require('./counter').next()).toBe(1)
  })
  it('loads lazily', async () => expect((await import('./counter')).next()).toBe(2))
`
/** Reads the version, then leaves another in its place; with the old time where that is to stay unseen. */
const versions = (expected: string, next: string, unseen: boolean): string => `
  const { statSync, utimesSync, writeFileSync } = require('node:fs')
  it('reads ${expected}', () => {
    expect(require('./version')).toBe('${expected}')
    const path = require.resolve('./version')
    const { atime, mtime } = statSync(path)
    writeFileSync(path, "module.exports = '${next}'\\n")
    utimesSync(path, ${unseen ? 'atime, mtime' : 'new Date(0), new Date(0)'})
  })
`
const SUITES = {
  'a.test.ts': counts,
  'b.test.ts': counts,
  'c.test.ts': `
    import { fail } from './thrower'
    it('tells where', () => expect(fail).toThrow(expect.objectContaining({ stack: expect.stringContaining('thrower.ts:1:42') })))
    it('tells what does not compile', () => expect(() => require('./broken')).toThrow(SyntaxError))
  `,
  'd.test.ts': `
    import { whose } from './mocked'
    jest.mock('./mocked', () => ({ whose: () => 'the suite’s' }))
    it('mocks before it imports', () => expect(whose()).toBe('the suite’s'))
  `,
  'e.test.ts':
    "import { whose } from './mocked'\nit('has no mock of another suite', () => expect(whose()).toBe('its own'))\n",
  'f.test.ts': versions('one', 'two', true),
  'g.test.ts': versions('one', 'six', false),
  'h.test.ts': versions('six', 'ten', true)
}
const NAMES_ORDER = `
  const Sequencer = require('${ROOT}/node_modules/@jest/test-sequencer').default
  module.exports = class extends Sequencer {
    sort(tests) { return [...tests].sort((one, other) => (one.path < other.path ? -1 : 1)) }
  }
`

it('gives every suite modules of its own, in their newest version, and keeps the script of a file that is as it was', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'layer-sdk-jest-')))
  try {
    mkdirSync(join(folder, 'tests'))
    for (const [name, text] of Object.entries({ ...FILES, ...SUITES })) writeFileSync(join(folder, 'tests', name), text)
    writeFileSync(join(folder, 'sequencer.cjs'), NAMES_ORDER)
    const config = {
      rootDir: folder,
      cacheDirectory: join(folder, 'cache'),
      testSequencer: join(folder, 'sequencer.cjs'),
      runtime: join(ROOT, 'scripts/jest/Runtime.cjs'),
      transform: {
        '\\.ts$': [join(ROOT, 'scripts/jest/transform.cjs'), { diagnostics: false, isolatedModules: true }]
      },
      modulePaths: [join(ROOT, 'node_modules')]
    }
    const report = join(folder, 'report.json')
    const args = ['--runInBand', '--config', JSON.stringify(config), '--json', `--outputFile=${report}`]
    const run = promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/jest/bin/jest.js'), ...args], {
      cwd: folder
    })
    await run.catch(() => undefined)
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { name: string; message: string; assertionResults: { status: string }[] }[]
    }
    expect(testResults.map(({ message }) => message)).toEqual(testResults.map(() => ''))
    expect(testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))).toEqual(
      Array<string>(11).fill('passed')
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
