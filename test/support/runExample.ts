import { existsSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { CodeBlock } from './markdown'
import { ROOT } from './markdown'

/** What an example may be run with. */
export interface ExampleOptions {
  /** Modules in place of the package's own, by specifier: their source, in which `layer-sdk-source/<room>` is the package's own room. */
  readonly modules?: Readonly<Record<string, string>>
}

/**
 * Bundles an example over the sources and runs it in a process of its own, as a reader would: what is marked `js` must be JavaScript as
 * printed. Resolves with what it printed.
 */
export async function runExample({ code, language }: CodeBlock, outfile: string, { modules = {} }: ExampleOptions = {}): Promise<string> {
  const own = (path: string): string => {
    const name = path.replace(/^layer-sdk(-source)?\/?/, '')
    const adapter = join(ROOT, 'src', 'adapters', `${name}.ts`)
    return existsSync(adapter) ? adapter : join(ROOT, 'src', name, 'index.ts')
  }
  await build({
    stdin: { contents: code, loader: language as 'js' | 'ts', resolveDir: ROOT },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    external: ['ws', 'isomorphic-ws', 'socket.io-client', '@cardano-sdk/*', 'scalus'],
    plugins: [
      {
        name: 'sources',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^layer-sdk(-source)?(\/|$)/ }, ({ path }) => (path in modules ? { path, namespace: 'module' } : { path: own(path) }))
          onLoad({ filter: /.*/, namespace: 'module' }, ({ path }) => ({ contents: modules[path]!, loader: 'ts', resolveDir: ROOT }))
        }
      }
    ]
  })
  const { stdout } = await promisify(execFile)(process.execPath, ['--unhandled-rejections=strict', outfile], { cwd: ROOT, timeout: 20_000 })
  return stdout
}
