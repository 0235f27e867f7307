import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { CodeBlock } from './markdown'
import { ROOT } from './markdown'

/** What an example may be run with. */
export interface ExampleOptions {
  /**
   * Modules in place of the package's own, by specifier: their source, in which `layer-sdk-source/<room>` is the
   * package's own room.
   */
  readonly modules?: Readonly<Record<string, string>>
}

const EXTERNAL = ['ws', 'isomorphic-ws', 'socket.io-client', '@cardano-sdk/*', 'scalus', '@lucid-evolution/uplc']
const ROOMS = [
  ...readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => `${name}/index.ts`),
  'index.ts'
]
const ADAPTERS = readdirSync(join(ROOT, 'src', 'adapters'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `adapters/${name}`)

/**
 * File of the sources below src/ that a specifier of the package stands for: `layer-sdk/mesh` -> `adapters/mesh.ts`.
 */
function sourceOf(specifier: string): string {
  const name = specifier.replace(/^layer-sdk(-source)?\/?/, '')
  const adapter = `adapters/${name}.ts`
  return ADAPTERS.includes(adapter) ? adapter : posix.join(name, 'index.ts')
}

let built: Promise<string> | undefined

/** Bundles the public rooms once for all examples of a suite. Resolves with the folder they are in. */
async function buildRooms(): Promise<string> {
  const outdir = join(ROOT, '.cache', `rooms-${process.pid}`)
  const entryPoints = [...ROOMS, ...ADAPTERS].map((path) => join(ROOT, 'src', path)).filter((path) => existsSync(path))
  const out = { outdir, outbase: join(ROOT, 'src'), outExtension: { '.js': '.mjs' }, splitting: true }
  await build({
    entryPoints,
    ...out,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    external: EXTERNAL,
    packages: 'external'
  })
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }))
  return outdir
}

/** Bundles an example with the sources; what is marked `js` must be JavaScript as printed. */
async function bundleExample(
  { code, language }: CodeBlock,
  outfile: string,
  { modules = {} }: ExampleOptions = {}
): Promise<void> {
  // A module in another's place has to reach the rooms that import it, so then everything is bundled anew.
  const rooms = Object.keys(modules).length > 0 ? null : await (built ??= buildRooms())
  await build({
    stdin: { contents: code, loader: language as 'js' | 'ts', resolveDir: ROOT },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    external: EXTERNAL,
    plugins: [
      {
        name: 'sources',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^layer-sdk(-source)?(\/|$)/ }, ({ path }) => {
            if (path in modules) return { path, namespace: 'module' }
            if (rooms === null) return { path: join(ROOT, 'src', sourceOf(path)) }
            return { path: pathToFileURL(join(rooms, sourceOf(path).replace(/ts$/, 'mjs'))).href, external: true }
          })
          onLoad({ filter: /.*/, namespace: 'module' }, ({ path }) => ({
            contents: modules[path]!,
            loader: 'ts',
            resolveDir: ROOT
          }))
        }
      }
    ]
  })
}

/** Runs an example in a process of its own, as a reader would. Resolves with what it printed. */
export async function runExample(block: CodeBlock, outfile: string, options: ExampleOptions = {}): Promise<string> {
  await bundleExample(block, outfile, options)
  const { stdout } = await promisify(execFile)(process.execPath, ['--unhandled-rejections=strict', outfile], {
    cwd: ROOT,
    timeout: 20_000
  })
  return stdout
}

/**
 * Runs many examples one after another in one process, which has loaded the package once. Resolves with what went wrong
 * in each, by its place: null where nothing did, and where it left nothing open that would keep a process of its own
 * from ending.
 */
export async function runExamples(
  blocks: readonly CodeBlock[],
  folder: string
): Promise<ReadonlyMap<string, string | null>> {
  const fileOf = ({ at }: CodeBlock): string => join(folder, `${at.replace(/\W+/g, '-')}.mjs`)
  for (const block of blocks) await bundleExample(block, fileOf(block))
  const list = join(folder, 'examples.json')
  writeFileSync(list, JSON.stringify(blocks.map(fileOf)))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'test', 'support', 'exampleRunner.mjs'), list],
    { cwd: ROOT }
  )
  const results = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { file: string; problem: string | null })
  return new Map(
    blocks.map((block) => [
      block.at,
      (results.find(({ file }) => file === fileOf(block)) ?? { problem: 'it was not reached' }).problem
    ])
  )
}
