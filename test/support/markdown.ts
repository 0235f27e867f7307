import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The folder of the checkout. */
export const ROOT = join(__dirname, '..', '..')

/** A fenced block of a page or docstring. */
export interface CodeBlock {
  /** File and line, for the test's name. */
  readonly at: string
  readonly language: string
  /** What follows the language on the fence, e.g. `no-run`. */
  readonly flags: string
  readonly code: string
}

/** Files below a folder with a certain ending. */
export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = join(folder, name)
    if (name === 'node_modules') return []
    if (statSync(join(ROOT, path)).isDirectory()) return filesBelow(path, ending)
    return name.endsWith(ending) ? [path] : []
  })
}

/** The fenced blocks of a file; those in docstrings have their leading asterisks removed. */
export function codeBlocks(path: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { line: number; language: string; flags: string; lines: string[] } | undefined
  readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .forEach((raw, index) => {
      const line = path.endsWith('.ts') ? raw.replace(/^\s*\* ?/, '') : raw
      const fence = /^```(\w*) ?(.*)$/.exec(line)
      if (fence === null) open?.lines.push(line)
      else if (open === undefined) open = { line: index + 1, language: fence[1]!, flags: fence[2]!, lines: [] }
      else {
        blocks.push({
          at: `${relative('.', path)}:${open.line}`,
          language: open.language,
          flags: open.flags,
          code: open.lines.join('\n')
        })
        open = undefined
      }
    })
  return blocks
}
