import { statSync } from 'node:fs'
import ts from 'typescript'

/**
 * What stands on the disk, parsed once for all programs of a suite: most of it is the compiler's libraries and our
 * sources.
 */
const parsed = new Map<string, { changedMs: number; file: ts.SourceFile | undefined }>()

/**
 * A host of the compiler that reads the disk, with `files` (path -> text) laid over it. All programs of a suite have
 * one `target`.
 */
export function compilerHost(
  options: ts.CompilerOptions,
  files: ReadonlyMap<string, string> = new Map()
): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name) ?? readFile(name)
  host.getSourceFile = (name, target, ...more) => {
    const text = files.get(name)
    if (text !== undefined) return ts.createSourceFile(name, text, target, true)
    const changedMs = statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const known = parsed.get(name)
    if (known?.changedMs === changedMs) return known.file
    const file = getSourceFile(name, target, ...more)
    parsed.set(name, { changedMs, file })
    return file
  }
  return host
}
