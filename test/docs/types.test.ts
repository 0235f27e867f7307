import { join } from 'node:path'
import ts from 'typescript'
import { compilerHost } from '../support/compilerHost'
import { codeBlocks, filesBelow, ROOT } from '../support/markdown'

const pages = [
  'README.md',
  ...filesBelow('docs', '.md').filter((path) => !path.startsWith('docs/reference')),
  ...filesBelow('src', '.ts')
]

const blocks = pages.flatMap(codeBlocks).filter(({ flags }) => !flags.includes('no-run'))

/** What the compiler says of all examples in a language. */
function problemsOf(language: 'js' | 'ts', options: ts.CompilerOptions): { count: number; problems: string[] } {
  const examples = new Map(
    blocks
      .filter((block) => block.language === language)
      .map(({ at, code }) => [join(ROOT, `${at.replace(/\W+/g, '-')}.example.${language}`), `${code}\nexport {}\n`])
  )
  const all: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
    types: ['node'],
    skipLibCheck: true,
    noEmit: true,
    paths: {
      'layer-sdk': [join(ROOT, 'src/index.ts')],
      'layer-sdk/*': [join(ROOT, 'src/*/index.ts'), join(ROOT, 'src/adapters/*.ts')]
    },
    ...options
  }
  const program = ts.createProgram([...examples.keys()], all, compilerHost(all, examples))
  const problems = [...examples.keys()].flatMap((name) => {
    const file = program.getSourceFile(name)!
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${name.slice(ROOT.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    )
  })
  return { count: examples.size, problems }
}

it('the examples of the docstrings compile in strict mode', () => {
  const { count, problems } = problemsOf('ts', {})
  expect(count).toBeGreaterThan(50)
  expect(problems).toEqual([])
}, 60_000)

it('the examples of the pages have no type errors', () => {
  // `npm run check:types` compiles the same blocks as TypeScript, under what `tsc --init` of each supported compiler
  // writes.
  const { count, problems } = problemsOf('js', { allowJs: true, checkJs: true })
  expect(count).toBeGreaterThan(40)
  expect(problems).toEqual([])
}, 60_000)
