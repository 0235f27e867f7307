// The declarations of the package as the compiler sees them.
import ts from 'typescript'

/**
 * Opens the declaration files of the entries, name -> path. Returns the compiler's checker and the exports by entry.
 */
export function openProgram(files) {
  const program = ts.createProgram(Object.values(files), {
    target: ts.ScriptTarget.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    module: ts.ModuleKind.ESNext,
    types: [],
    skipLibCheck: true
  })
  const checker = program.getTypeChecker()

  /** The symbol behind an alias. */
  const resolved = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

  /** The exported symbols of an entry with their names, in the order of the alphabet. */
  function exportsOf(entry) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(files[entry]))
    return checker
      .getExportsOfModule(module)
      .map((symbol) => ({ name: symbol.name, symbol: resolved(symbol) }))
      .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  }

  return { checker, resolved, exportsOf }
}
