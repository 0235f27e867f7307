import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import type { CodeBlock } from '../support/markdown'
import { codeBlocks, filesBelow, ROOT } from '../support/markdown'
import { runExamples } from '../support/runExample'

const OUT = join(ROOT, '.cache', 'examples')
const LIMIT_MS = 600_000
const pages = ['README.md', ...filesBelow('docs', '.md').filter((path) => !path.startsWith('docs/reference'))]
const docstrings = filesBelow('src', '.ts')
const runnable = (block: CodeBlock) => /^[jt]s$/.test(block.language) && !block.flags.includes('no-run')

it('the pages print JavaScript wherever no type has to be written, so that every supported Node runs it as it stands', async () => {
  const blocks = pages.flatMap(codeBlocks)
  expect(blocks.filter(({ language }) => language === 'js').length).toBeGreaterThan(45)
  expect(blocks.filter(({ language }) => /^(typescript|javascript|mjs)$/.test(language)).map(({ at }) => at)).toEqual(
    []
  )
  // A block that esbuild leaves as it is without its types could have been JavaScript.
  const isJavaScript = async ({ code }: CodeBlock): Promise<boolean> =>
    transform(code, { loader: 'jsx', format: 'esm' }).then(
      () => true,
      () => false
    )
  for (const block of blocks.filter(({ language }) => /^tsx?$/.test(language)))
    expect([block.at, await isJavaScript(block)]).toEqual([block.at, false])
})

it.each(
  pages
    .flatMap(codeBlocks)
    .filter(({ language, flags }) => language === 'js' && flags.includes('no-run'))
    .map((block): [string, CodeBlock] => [block.at, block])
)('what is not run is JavaScript all the same: %s', async (_, { code }) =>
  expect((await transform(code, { loader: 'js', format: 'esm' })).warnings).toEqual([])
)

describe.each([
  ['the pages', 'pages', pages],
  ['the docstrings', 'docstrings', docstrings]
])('examples of %s', (_name, folder, paths) => {
  const blocks = paths.flatMap(codeBlocks).filter(runnable)
  const out = join(OUT, folder)
  let problems: ReadonlyMap<string, string | null>
  beforeAll(async () => {
    mkdirSync(out, { recursive: true })
    problems = await runExamples(blocks, out)
  }, LIMIT_MS)
  afterAll(() => rmSync(out, { recursive: true, force: true }))

  it('are there', () => expect(blocks.length).toBeGreaterThan(5))

  it.each(blocks.map(({ at }) => at))('run, and leave nothing open: %s', (at) => expect(problems.get(at)).toBeNull())
})
