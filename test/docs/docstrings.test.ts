import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../support/markdown'

const entries = ['wallet', 'utils', 'providers', 'bridge', 'tx', 'devnode', 'cardano-sdk']

/** Docstrings of what an entry exports, by name; errors, constants and types stand apart from what can be called. */
function documented(): { name: string; text: string; callable: boolean; hasExample: boolean }[] {
  const fileOf = (entry: string): string => join(ROOT, 'src', entry, 'index.ts')
  const program = ts.createProgram(entries.map(fileOf), {
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, types: [], skipLibCheck: true
  })
  const checker = program.getTypeChecker()
  return entries.flatMap((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(fileOf(entry))!)!
    return checker.getExportsOfModule(module).map((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const declarations = symbol.declarations ?? []
      return {
        name: `${entry}: ${exported.name}`,
        text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        callable: declarations.some((each) => ts.isFunctionDeclaration(each) || ts.isClassDeclaration(each)) && !exported.name.endsWith('Error'),
        hasExample: symbol.getJsDocTags(checker).some(({ name }) => name === 'example')
      }
    })
  })
}

describe('the docstrings', () => {
  const all = documented()

  it('say of every export what it is', () => {
    expect(all.length).toBeGreaterThan(200)
    expect(all.filter(({ text }) => text === '').map(({ name }) => name)).toEqual([])
  })

  it('show an example of every function and class', () => {
    expect(all.filter(({ callable, hasExample }) => callable && !hasExample).map(({ name }) => name)).toEqual([])
  })
})
