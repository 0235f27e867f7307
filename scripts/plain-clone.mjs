// Counts which share of the tests a plain clone defines, one without the figures that lie beside a development
// checkout, and runs there those that read figures.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'
import { localBin, tryRun } from './run.mjs'

const LEAST_PERCENT = 90
if (!existsSync(join(ROOT, '..', 'shared', 'vectors'))) {
  console.log('This is a plain clone: it has all tests that it can have.')
  process.exit(0)
}

const suites = readdirSync(join(ROOT, 'test'), { recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('test', file))
const textOf = (file) => readFileSync(join(ROOT, file), 'utf8')
// What imports the loader of figures, or a file that does.
const loaders = [
  'vectors',
  ...suites
    .filter((file) => !file.endsWith('.test.ts') && /support\/vectors'|\.\/vectors'/.test(textOf(file)))
    .map((file) => file.match(/(\w+)\.ts$/)[1])
]
const reads = new RegExp(`from '[^']*/(${loaders.join('|')})'`)
const tests = suites.filter((file) => file.endsWith('.test.ts') && !/^test\/(env|perf|builders)\//.test(file))
const dependent = tests.filter((file) => reads.test(textOf(file)))
const temporary = mkdtempSync(join(tmpdir(), 'layer-sdk-clone-'))

/** No name matches it, so no test is run. */
const NONE = ['--testNamePattern', '(?!)']

/** Tests that the suites define, and how many of them are mere notes. */
function count(files, env, options = NONE) {
  const outputFile = join(temporary, 'report.json')
  const { ok, stderr } = tryRun(
    localBin('jest'),
    [...options, '--json', `--outputFile=${outputFile}`, '--runTestsByPath', ...files],
    {
      cwd: ROOT,
      env: { ...process.env, ...env }
    }
  )
  if (!ok) throw new Error(stderr)
  const { numTotalTests, numTodoTests } = JSON.parse(readFileSync(outputFile, 'utf8'))
  return { total: numTotalTests, todo: numTodoTests }
}

try {
  const here = count(tests, {})
  const needing = count(dependent, {})
  const plain = count(dependent, { LAYER_SDK_PLAIN: '1' }, [])
  const missing = needing.total - plain.total
  const percent = (100 * (here.total - missing)) / here.total
  console.log(
    `${here.total - missing} of ${here.total} tests (${percent.toFixed(1)} %) are in a plain clone, ${plain.todo} of them todo; ${dependent.length} suites read figures`
  )
  if (percent < LEAST_PERCENT || plain.todo > 0) {
    console.error(
      `At least ${LEAST_PERCENT} % are wanted, and none as todo: add figures of our own making (scripts/make-vectors.mjs).`
    )
    process.exitCode = 1
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
