import { resolve } from 'node:path'
import { apply_params_to_script } from '@lucid-evolution/uplc'
import * as fc from 'fast-check'
import ts from 'typescript'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { loadBlueprint, scriptRef } from '../../src/tx'
import { blueprintTypes } from '../../src/tx/contracts/blueprintTypes'
import { applyToData } from '../../src/tx/contracts/flat'
import { CborReader } from '../../src/codec/cbor/reader'
import { addressInfo, mkBytes, mkConstr, mkInt, mkList, mkMap, plutusScriptHash } from '../../src/utils'
import type { PlutusData } from '../../src/utils'
import { compilerHost } from '../support/compilerHost'
import { sharedVectors } from '../support/vectors'
import { BLUEPRINT } from './blueprintFile'

const ESCROW = 'escrow.escrow.spend'
const GIFT = 'gift.gift.mint'
const failure = (run: () => unknown): any => {
  try {
    run()
  } catch (error) {
    return error
  }
  return null
}
const VALUE = {
  seller: 'cafe',
  price: 5n,
  open: true,
  deadline: null,
  nested: { Some: [7n] },
  prices: [['aa', [1n, 2n]]],
  tree: { Node: { left: 'Leaf', value: 3n, right: 'Leaf' } },
  more: mkInt(9)
}
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: []
}
/** What the compiler says about files beside this one. */
function compilerMessages(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(
    Object.entries(files).map(([name, text]) => [
      resolve('test/tx', name),
      text.replaceAll("'layer-sdk/tx'", "'../../src/tx/index.js'")
    ])
  )
  const program = ts.createProgram([...texts.keys()], OPTIONS, compilerHost(OPTIONS, texts))
  return [...texts.keys()].flatMap((name) =>
    [
      ...program.getSyntacticDiagnostics(program.getSourceFile(name)),
      ...program.getSemanticDiagnostics(program.getSourceFile(name))
    ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
  )
}
const changed = (change: (blueprint: any) => void): unknown => {
  const copy = structuredClone(BLUEPRINT)
  change(copy)
  return copy
}

describe('bad blueprints and bad values are named by their place', () => {
  it.each<[string, (blueprint: any) => void]>([
    ['blueprint.preamble', (b) => delete b.preamble],
    ['blueprint.preamble.plutusVersion', (b) => (b.preamble.plutusVersion = 'v4')],
    ['blueprint.preamble.plutusVersion', (b) => (b.preamble.plutusVersion = 'constructor')],
    ['blueprint.validators', (b) => (b.validators = {})],
    ['blueprint.validators[0]', (b) => (b.validators[0] = null)],
    ['blueprint.validators[0].compiledCode', (b) => delete b.validators[0].compiledCode],
    ['hash', (b) => (b.validators[0].hash = '00'.repeat(28))],
    ['blueprint.validators', (b) => (b.validators[1].title = ESCROW)],
    ['blueprint.validators[1].parameters', (b) => (b.validators[1].parameters = 5)],
    ['blueprint.definitions', (b) => (b.definitions = [])],
    ['blueprint.definitions.Int.dataType', (b) => (b.definitions.Int.dataType = '#integer')],
    ['blueprint.definitions.Prices.keys.$ref', (b) => (b.definitions.Prices.keys.$ref = 'http://elsewhere')],
    ['blueprint.definitions.Bool.anyOf', (b) => (b.definitions.Bool.anyOf[1].index = 0)],
    ['blueprint.definitions.Bool.anyOf[0].index', (b) => (b.definitions.Bool.anyOf[0].index = -1)]
  ])('%s', (argument, change) => {
    expect(failure(() => loadBlueprint(changed(change)))).toMatchObject({ code: 'INPUT_ARGUMENT', argument })
  })

  it('text that is no JSON, other values, titles and definitions that are not there', () => {
    expect(failure(() => loadBlueprint('{'))).toMatchObject({ code: 'INPUT_JSON' })
    for (const other of [null, 5, [], '[]']) expect(failure(() => loadBlueprint(other)).code).toBe('INPUT_ARGUMENT')
    const error = failure(() => loadBlueprint(BLUEPRINT).get('escrow'))
    expect(error.message).toContain(ESCROW)
    const open = loadBlueprint(changed((b) => delete b.definitions.Int))
    expect(failure(() => open.get(ESCROW).datum(VALUE))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    const circle = loadBlueprint(changed((b) => (b.definitions.Int = { $ref: '#/definitions/Int' })))
    expect(failure(() => circle.get(ESCROW).datum(VALUE))).toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it.each<[string, object]>([
    ['datum.seller', { seller: 5 }],
    ['datum.price', { price: '5' }],
    ['datum.price', { price: 0.5 }],
    ['datum.open', { open: 1 }],
    ['datum.deadline', { deadline: 'soon' }],
    ['datum.nested', { nested: 'Nothing' }],
    ['datum.nested.Some', { nested: { Some: [] } }],
    ['datum.prices[0]', { prices: [['aa']] }],
    ['datum.prices[0][1][0]', { prices: [['aa', ['1']]] }],
    ['datum.tree', { tree: { Leaf: {} } }],
    ['datum.tree.Node.left', { tree: { Node: { left: 'Root', value: 1n, right: 'Leaf' } } }],
    ['datum', { another: 1n }]
  ])('%s', (argument, part) => {
    const error = failure(() =>
      loadBlueprint(BLUEPRINT)
        .get(ESCROW)
        .datum({ ...VALUE, ...part })
    )
    expect(error).toMatchObject({ code: 'INPUT_ARGUMENT', argument })
  })

  it('data of another form, and missing parameters', () => {
    const { get } = loadBlueprint(BLUEPRINT)
    const escrow = get(ESCROW)
    for (const data of [
      mkInt(1),
      mkConstr(3, []),
      mkConstr(0, [mkInt(1)]),
      mkConstr(1, [mkInt(1)]),
      mkConstr(7, [mkInt(1)])
    ])
      expect(failure(() => escrow.decodeRedeemer(data))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(failure(() => escrow.decodeRedeemer('d8'))).toMatchObject({ code: 'INPUT_CBOR' })
    const gift = get(GIFT)
    expect(failure(() => gift.address(0))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(failure(() => gift.rewardAddress(0))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(failure(() => gift.apply('cafe'))).toMatchObject({ code: 'INPUT_ARGUMENT', argument: 'parameters' })
    expect(failure(() => gift.apply('cafe', [1n]))).toMatchObject({ code: 'INPUT_ARGUMENT', argument: 'limits' })
    expect(failure(() => get(ESCROW).address(0, get(ESCROW).address(0)))).toMatchObject({ argument: 'stake' })
  })
})

describe('loadBlueprint', () => {
  it('has hash, address and script of each validator', () => {
    const blueprint = loadBlueprint(JSON.stringify(BLUEPRINT))
    const escrow = blueprint.get(ESCROW)
    expect(blueprint).toMatchObject({ title: 'tests/escrow', titles: [ESCROW, GIFT] })
    expect(escrow).toMatchObject({ language: 'PlutusV3', hash: plutusScriptHash('450101002499', 'PlutusV3') })
    expect(escrow.script).toEqual({ language: 'PlutusV3', cborHex: '46450101002499' })
    expect(addressInfo(escrow.address(0)).payment).toEqual({ kind: 'script', hash: escrow.hash })
    const shared = addressInfo(escrow.address(0, escrow.rewardAddress(0)))
    expect(shared).toMatchObject({ type: 'base', stake: { kind: 'script', hash: escrow.hash } })
  })

  it('writes and reads values by the schema', () => {
    const escrow = loadBlueprint(BLUEPRINT).get(ESCROW)
    const datum = mkConstr(0, [
      mkBytes('cafe'),
      mkInt(5),
      mkConstr(1, []),
      mkConstr(1, []),
      mkConstr(0, [mkConstr(0, [mkInt(7)])]),
      mkMap([[mkBytes('aa'), mkList([mkInt(1), mkInt(2)])]]),
      mkConstr(1, [mkConstr(0, []), mkInt(3), mkConstr(0, [])]),
      mkInt(9)
    ])
    expect(escrow.datum(VALUE)).toBe(datum.toCbor())
    expect(escrow.datum(escrow.decodeDatum(datum))).toBe(datum.toCbor())
    expect(escrow.decodeDatum(datum)).toMatchObject({ ...VALUE, more: expect.anything() })
    expect(escrow.redeemer('Cancel')).toBe(mkConstr(0, []).toCbor())
    expect(escrow.redeemer({ Bid: [5n, 'aa'] })).toBe(mkConstr(1, [mkInt(5), mkBytes('aa')]).toCbor())
    expect(escrow.decodeRedeemer(mkConstr(7, [mkList([mkInt(1), mkInt(2)])]))).toEqual({ Move: { to: [1n, 2n] } })
  })

  it('applies parameters as another implementation does', () => {
    const gift = loadBlueprint(BLUEPRINT).get(GIFT)
    const applied = gift.apply('cafe', [1n, 2n])
    const theirs = apply_params_to_script(
      hexToBytes(mkList([mkBytes('cafe'), mkList([mkInt(1), mkInt(2)])]).toCbor()),
      hexToBytes(BLUEPRINT.validators[1]!.compiledCode)
    )
    expect(applied.script).toEqual(scriptRef('PlutusV3', bytesToHex(theirs)))
    expect(applied.parameters).toEqual([])
    expect(addressInfo(applied.address(1)).payment!.hash).toBe(applied.hash)
    expect(applied.hash).not.toBe(gift.hash)
  })
})

const data: fc.Arbitrary<PlutusData> = fc.letrec<{ data: PlutusData }>((tie) => ({
  data: fc.oneof(
    { depthSize: 'small' },
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(mkInt),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => mkBytes(bytesToHex(bytes))),
    fc.array(tie('data'), { maxLength: 3 }).map(mkList),
    fc.tuple(fc.nat(200), fc.array(tie('data'), { maxLength: 3 })).map(([index, fields]) => mkConstr(index, fields))
  )
})).data

const scripts = sharedVectors<{ scriptBytesHex: string }>('plutus_scripts')
if (scripts.length > 0)
  describe('applyToData on scripts of the chain', () => {
    const applied = (hex: string): any =>
      failure(() => applyToData(new CborReader(hexToBytes(hex)).readBytes(), Uint8Array.of(0)))
    /** Ledgers before Conway ran programs with bytes behind their end. */
    const whole = scripts.filter(({ scriptBytesHex }) => applied(scriptBytesHex) === null)

    it('makes the bytes of another implementation', () => {
      expect(whole.length).toBeGreaterThan(0.9 * scripts.length)
      fc.assert(
        fc.property(fc.constantFrom(...whole), data, ({ scriptBytesHex }, parameter) => {
          const wrapped = hexToBytes(scriptBytesHex)
          const cbor = hexToBytes(parameter.toCbor())
          const program = new CborReader(wrapped).readBytes()
          const theirs = apply_params_to_script(hexToBytes(mkList([parameter]).toCbor()), wrapped)
          const inner = new CborReader(theirs).readBytes()
          expect(bytesToHex(applyToData(program, cbor))).toBe(bytesToHex(inner))
        }),
        { numRuns: 100 }
      )
    })
  })

describe('applyToData on bytes that are no program', () => {
  it('never ends in anything but a typed error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const error = failure(() => applyToData(bytes, Uint8Array.of(0)))
        if (error !== null) expect(error).toMatchObject({ code: 'INPUT_ARGUMENT' })
      })
    )
  })
})

describe('the types of a blueprint', () => {
  it('compile, and refuse other values', () => {
    const types = blueprintTypes(BLUEPRINT)
    const use = `
import { loadBlueprint } from 'layer-sdk/tx'
import type { Contracts } from './types.js'
const { get } = loadBlueprint<Contracts>({})
export const datum = get('${ESCROW}').datum({
  seller: 'cafe', price: 5n, open: true, deadline: null, nested: { Some: [7n] }, prices: [['aa', [1n]]],
  tree: { Node: { left: 'Leaf', value: 1n, right: 'Leaf' } }, more: '01'
})
export const gift = get('${GIFT}').apply('cafe', [1n, 2n])
// @ts-expect-error a redeemer that is none
get('${ESCROW}').redeemer('Close')
// @ts-expect-error a number in the place of a bigint
get('${GIFT}').apply('cafe', [1, 2])
// @ts-expect-error no such contract
get('gift')
`
    expect(compilerMessages({ 'types.ts': types, 'use.ts': use })).toEqual([])
    expect(ts.transpile(types).length).toBeGreaterThan(0)
  })

  it('hold no text of a blueprint as code', () => {
    const hostile = changed((b) => {
      b.preamble.title = 'x\n*/ process.exit(1) //'
      b.validators[0].title = "a'; evil()"
      b.definitions['Evil\n}; evil() //'] = { dataType: 'integer' }
      b.definitions.Tree.anyOf[1].fields[1].title = "va lue'; evil()"
    })
    const types = blueprintTypes(hostile)
    expect(compilerMessages({ 'types.ts': types })).toEqual([])
    const { statements } = ts.createSourceFile('types.ts', types, ts.ScriptTarget.ES2022)
    expect(statements.every((each) => ts.isTypeAliasDeclaration(each) || ts.isImportDeclaration(each))).toBe(true)
  })
})
