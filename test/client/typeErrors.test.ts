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
    "import type { HeadClient } from '../../src/client/api/HeadClient.js'",
    "import { useLatest } from '../../src/react/hooks.js'",
    "import { TxBuilder } from '../../src/tx/TxBuilder.js'",
    'declare const bridge: LayerBridge, head: HeadClient',
    ...lines,
    'export { bridge, head, isLayerError, useLatest, TxBuilder }'
  ].join('\n')
  const program = ts.createProgram([file], OPTIONS, compilerHost(OPTIONS, new Map([[file, text]])))
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

it('prints a short error for a misspelt event, tag and code, not a union of dozens', () => {
  const errors = errorsOf([
    "bridge.events.on('onMesage', () => undefined)",
    "isLayerError(null, 'CLIENT_LEDGR')",
    "void bridge.waitFor('HeadIsClsed')",
    "useLatest('HeadIsOpn')"
  ])
  expect(errors).toHaveLength(4)
  for (const error of errors) {
    expect(error).toMatch(/onMesage|CLIENT_LEDGR|HeadIsClsed|HeadIsOpn/)
    expect(error).not.toContain('|  ')
    expect(error.length).toBeLessThan(160)
  }
}, 120_000)

it('says that an amount is a bigint where a number is given, in every action that takes one', () => {
  const errors = errorsOf([
    "void head.pay({ to: 'addr', amount: 2_000_000 })",
    "void head.payMany({ payments: [{ to: 'addr', amount: 2_000_000 }] })",
    'void head.deposit({ amount: 2_000_000 })',
    'void head.withdraw({ amount: 2_000_000 })',
    "new TxBuilder().pay('addr', 2_000_000)"
  ])
  expect(errors).toHaveLength(5)
  for (const error of errors)
    expect(error).toMatch(/'number' is not assignable to .*type 'bigint \| readonly Amount\[\]/)
}, 120_000)

it('keeps the payload of a tag that is awaited', () => {
  const errors = errorsOf([
    "const closed = await bridge.waitFor('HeadIsClosed')",
    'const deadline: string = closed.contestationDeadline',
    'const wrong: number = closed.contestationDeadline',
    'export { deadline, wrong }'
  ])
  expect(errors).toEqual(["Type 'string' is not assignable to type 'number'."])
}, 120_000)
