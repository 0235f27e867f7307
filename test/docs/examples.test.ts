import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { CodeBlock } from '../support/markdown'
import { codeBlocks, filesBelow, ROOT } from '../support/markdown'

const OUT = join(ROOT, '.cache', 'examples')
const pages = ['README.md', ...filesBelow('docs', '.md').filter((path) => !path.startsWith('docs/reference'))]
const docstrings = filesBelow('src', '.ts')
const runnable = (block: CodeBlock) => block.language === 'ts' && !block.flags.includes('no-run')

/** Bundles an example over the sources and runs it in a process of its own, as a reader would. */
async function run({ code }: CodeBlock, name: string): Promise<void> {
  const outfile = join(OUT, `${name}.mjs`)
  await build({
    stdin: { contents: `${code}\nexport {}`, loader: 'ts', resolveDir: ROOT },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    external: ['ws', 'isomorphic-ws', 'socket.io-client', '@cardano-sdk/*'],
    plugins: [
      {
        name: 'sources',
        setup({ onResolve }) {
          onResolve({ filter: /^layer-sdk(\/|$)/ }, ({ path }) => ({ path: join(ROOT, 'src', path.slice('layer-sdk'.length), 'index.ts') }))
        }
      }
    ]
  })
  await promisify(execFile)(process.execPath, ['--unhandled-rejections=strict', outfile], { cwd: ROOT, timeout: 20_000 })
}

beforeAll(() => mkdirSync(OUT, { recursive: true }))
afterAll(() => rmSync(OUT, { recursive: true, force: true }))

describe.each([
  ['the pages', pages],
  ['the docstrings', docstrings]
])('examples of %s', (_name, paths) => {
  const blocks = paths.flatMap(codeBlocks).filter(runnable)

  it('are there', () => expect(blocks.length).toBeGreaterThan(5))

  it.each(blocks.map((block): [string, CodeBlock] => [block.at, block]))('run: %s', async (at, block) => {
    await run(block, at.replace(/\W+/g, '-'))
  })
})
