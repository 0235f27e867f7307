import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const SCRIPT = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'check-changed.mjs')).href

interface Suite {
  readonly path: string
  readonly text?: string
  readonly lastMs?: number
}

/** The order in which `npm run check:changed` runs suites. */
function order(changed: readonly string[], suites: readonly Suite[]): string[] {
  const given = JSON.stringify([changed, suites.map((suite) => ({ text: '', ...suite }))])
  const program = `const { nearestFirst } = await import('${SCRIPT}')
    console.log(JSON.stringify(nearestFirst(...${given})))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }))
}

it('the suites of a change run from the nearest to the farthest, those that were slow behind the others', () => {
  expect(
    order(
      ['src/client/actions/pay.ts', 'test/docs/changed.test.ts'],
      [
        { path: 'test/bridge/far.test.ts', text: 'payMany pay' },
        { path: 'test/client/journal.test.ts', text: 'pay pay pay', lastMs: 30_000 },
        { path: 'test/client/near.test.ts', text: 'pay' },
        { path: 'test/client/nearer.test.ts', text: 'pay pay', lastMs: 900 },
        { path: 'test/client/pay.test.ts' },
        { path: 'test/docs/changed.test.ts', lastMs: 60_000 }
      ]
    )
  ).toEqual([
    'test/docs/changed.test.ts',
    'test/client/pay.test.ts',
    'test/client/nearer.test.ts',
    'test/client/near.test.ts',
    'test/bridge/far.test.ts',
    'test/client/journal.test.ts'
  ])
})
