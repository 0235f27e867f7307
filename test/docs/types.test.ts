import { join } from 'node:path'
import ts from 'typescript'
import { codeBlocks, filesBelow, ROOT } from '../support/markdown'

const pages = ['README.md', ...filesBelow('docs', '.md').filter((path) => !path.startsWith('docs/reference')), ...filesBelow('src', '.ts')]

it('the examples compile in strict mode', () => {
  const examples = new Map(
    pages
      .flatMap(codeBlocks)
      .filter(({ language, flags }) => language === 'ts' && !flags.includes('no-run'))
      .map(({ at, code }) => [join(ROOT, `${at.replace(/\W+/g, '-')}.example.ts`), `${code}\nexport {}\n`])
  )
  const options: ts.CompilerOptions = {
    strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'], types: ['node'], skipLibCheck: true, noEmit: true,
    paths: { 'layer-sdk': [join(ROOT, 'src/index.ts')], 'layer-sdk/*': [join(ROOT, 'src/*/index.ts')] }
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => examples.has(name) || fileExists(name)
  host.readFile = (name) => examples.get(name) ?? readFile(name)
  host.getSourceFile = (name, target, ...more) => {
    const text = examples.get(name)
    return text === undefined ? getSourceFile(name, target, ...more) : ts.createSourceFile(name, text, target)
  }
  const program = ts.createProgram([...examples.keys()], options, host)
  const problems = [...examples.keys()].flatMap((name) => {
    const file = program.getSourceFile(name)!
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
      .map(({ messageText }) => `${name.slice(ROOT.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
  })
  expect(examples.size).toBeGreaterThan(50)
  expect(problems).toEqual([])
}, 60_000)
