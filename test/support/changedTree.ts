import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import ts from 'typescript'
import { compilerHost } from './compilerHost'
import { ROOT } from './markdown'

/** A new file as its text; a changed one as the lines that follow, or replace, an anchor that occurs once. */
export type Edits = Readonly<Record<string, string | readonly Edit[]>>

/** One edit: `text` after the anchor `after`, or in the place of the anchor `instead`. */
export type Edit =
  { readonly after: string; readonly text: string } | { readonly instead: string; readonly text: string }

/**
 * Returns the sources that the numbered steps of a recipe of CONTRIBUTING.md name, in their order and each once.
 * `name` stands in the place of `<name>`.
 */
export function sourcesOfRecipe(title: string, name = ''): string[] {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const recipe = text.split(`\n### ${title}\n`)[1]?.split(/\n##+ /)[0]
  if (recipe === undefined) throw new Error(`CONTRIBUTING.md has no recipe "${title}"`)
  const steps = recipe.split('\n\n').flatMap((part) => (/^\s*\d+\. /.test(part) ? [part] : []))
  const paths = [...steps.join('\n').matchAll(/`(src\/[\w./<>-]+\.tsx?)`/g)].map(([, path]) =>
    path!.replace('<name>', name)
  )
  return [...new Set(paths)]
}

/** A copy of the sources in a folder of its own, to change, compile and run. */
export class ChangedTree {
  readonly #folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'layer-sdk-recipes-')))
  #earlier: ts.Program | undefined

  constructor() {
    for (const path of ['src', 'package.json']) cpSync(join(ROOT, path), join(this.#folder, path), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'))
  }

  /** Applies edits. @throws Error where an anchor does not occur exactly once, or a new file exists */
  edit(edits: Edits): void {
    for (const [path, edit] of Object.entries(edits)) {
      const target = join(this.#folder, path)
      if (typeof edit === 'string') {
        if (existsSync(target)) throw new Error(`${path} exists`)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, edit)
      } else {
        writeFileSync(
          target,
          edit.reduce((text, each) => applyEdit(path, text, each), readFileSync(target, 'utf8'))
        )
      }
    }
  }

  /** Restores a file. */
  restore(path: string): void {
    cpSync(join(ROOT, path), join(this.#folder, path))
  }

  /**
   * Returns the compiler's errors, by the options of the sources, in all files of the program that begin with one of
   * `beginnings`; in `exact` files those of declarations too.
   */
  problems(beginnings: readonly string[], exact: readonly string[]): string[] {
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(
      { compilerOptions: { ...config.compilerOptions, types: ['node'] } },
      ts.sys,
      this.#folder
    )
    const roots = exact.map((path) => join(this.#folder, path))
    const program = ts.createProgram(roots, options, compilerHost(options), this.#earlier)
    this.#earlier = program
    return program.getSourceFiles().flatMap((file) => {
      const path = file.fileName.slice(this.#folder.length + 1)
      const isExact = exact.includes(path)
      if (!file.fileName.startsWith(this.#folder) || !(isExact || beginnings.some((each) => path.startsWith(each))))
        return []
      const found = [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
        ...(isExact ? program.getDeclarationDiagnostics(file) : [])
      ]
      return found.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
    })
  }

  /** Bundles a file of the tree, runs it with Node.js and resolves with its output; rejects when it fails. */
  async run(path: string): Promise<string> {
    const outfile = join(this.#folder, path.replace(/\.ts$/, '.mjs'))
    buildSync({
      entryPoints: [join(this.#folder, path)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error'
    })
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { timeout: 30_000 })
    return stdout
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function applyEdit(path: string, text: string, edit: Edit): string {
  const anchor = 'after' in edit ? edit.after : edit.instead
  if (text.split(anchor).length !== 2) throw new Error(`${path}: not once: ${anchor}`)
  return text.replace(anchor, () => ('after' in edit ? anchor + edit.text : edit.text))
}
