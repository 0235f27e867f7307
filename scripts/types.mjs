// Types of the sources and of the tests, as `npm run typecheck` checks them, in one process that reads each file once.
// Both keep in .cache/ what they know of the files that a change does not reach.
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from './entries.mjs'

const PROJECTS = { src: 'tsconfig.json', test: 'test/tsconfig.json' }
const files = new Map()

/** A host whose files are parsed and bound once for both projects: their options for that are the same. */
function hostOf(options) {
  const host = ts.createIncrementalCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (path, how, ...rest) => {
    const { languageVersion = how, impliedNodeFormat } = typeof how === 'object' ? how : {}
    const key = `${path} ${languageVersion} ${impliedNodeFormat}`
    if (!files.has(key)) files.set(key, getSourceFile.call(host, path, how, ...rest))
    return files.get(key)
  }
  return host
}

function errorsOf(name) {
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, PROJECTS[name]),
    { noEmit: true, incremental: true, tsBuildInfoFile: join(ROOT, '.cache', `types-of-${name}.tsbuildinfo`) },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (error) => {
        throw new Error(String(error.messageText))
      }
    }
  )
  const program = ts.createIncrementalProgram({
    rootNames: fileNames,
    options,
    host: hostOf(options),
    configFileParsingDiagnostics: errors
  })
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSemanticDiagnostics(),
    ...(options.declaration ? program.getDeclarationDiagnostics() : [])
  ]
  program.emit()
  return found
}

const found = Object.keys(PROJECTS).flatMap(errorsOf)
const text = ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(found), {
  getCanonicalFileName: (path) => path,
  getCurrentDirectory: () => ROOT,
  getNewLine: () => '\n'
})
if (text !== '') console.error(text.trimEnd())
process.exitCode = found.length > 0 ? 1 : 0
