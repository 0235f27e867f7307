import { resolve } from 'node:path'
import ts from 'typescript'
import { compilerHost } from '../support/compilerHost.js'

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: []
}

/** What the compiler says about one line of a program that has a bridge and a client. */
function errorsOf(lines: readonly string[]): string[] {
  const file = resolve('test/client/misspelt.ts')
  const text = [
    "import type { LayerBridge } from '../../src/bridge/LayerBridge.js'",
    "import { isLayerError } from '../../src/errors/base.js'",
    "import type { HeadClient } from '../../src/client/HeadClient.js'",
    'declare const bridge: LayerBridge, head: HeadClient',
    ...lines,
    'export { bridge, head, isLayerError }'
  ].join('\n')
  const program = ts.createProgram([file], OPTIONS, compilerHost(OPTIONS, new Map([[file, text]])))
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

it('prints a short error for a misspelt event and a misspelt code, not a union of dozens', () => {
  const errors = errorsOf(["bridge.events.on('onMesage', () => undefined)", "isLayerError(null, 'CLIENT_LEDGR')"])
  expect(errors).toHaveLength(2)
  for (const error of errors) {
    expect(error).toMatch(/onMesage|CLIENT_LEDGR/)
    expect(error).not.toContain('|  ')
    expect(error.length).toBeLessThan(160)
  }
}, 120_000)
