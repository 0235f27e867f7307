import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CodeBlock } from '../support/markdown'
import { codeBlocks, filesBelow, ROOT } from '../support/markdown'
import { runExample } from '../support/runExample'

const OUT = join(ROOT, '.cache', 'examples')
const pages = ['README.md', ...filesBelow('docs', '.md').filter((path) => !path.startsWith('docs/reference'))]
const docstrings = filesBelow('src', '.ts')
const runnable = (block: CodeBlock) => block.language === 'ts' && !block.flags.includes('no-run')

beforeAll(() => mkdirSync(OUT, { recursive: true }))
afterAll(() => rmSync(OUT, { recursive: true, force: true }))

describe.each([
  ['the pages', pages],
  ['the docstrings', docstrings]
])('examples of %s', (_name, paths) => {
  const blocks = paths.flatMap(codeBlocks).filter(runnable)

  it('are there', () => expect(blocks.length).toBeGreaterThan(5))

  it.each(blocks.map((block): [string, CodeBlock] => [block.at, block]))('run: %s', async (at, block) => {
    await runExample(block, join(OUT, `${at.replace(/\W+/g, '-')}.mjs`))
  })
})
