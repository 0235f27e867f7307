import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import ts from 'typescript'
import { compilerHost } from '../../support/compilerHost'
import { ROOT } from '../../support/markdown'

/** Files of the sources that the numbered steps of a recipe of CONTRIBUTING.md name. */
function filesOfRecipe(title: string): string[] {
  const recipe = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(`### ${title}\n\n`)[1]!
  const steps = recipe.split('\n\n')[0]!
  return [...steps.matchAll(/`(src\/[\w./-]+\.ts)`/g)].map(([, path]) => path as string)
}

type Edit = readonly [before: string, text: string]

const MESSAGE: Record<string, Edit[]> = {
  'src/bridge/protocol/messageTable.ts': [
    [
      'const HEAD_MESSAGES = {',
      `
  /** A note of the head: \`note\` is its text, \`length\` (from 2.2, before \`size\`) its length. */
  NoteTaken: {
    since: '1.3',
    headId: 'essential',
    fields: {
      /** Its text. */
      note: { type: 'string', check: 'essential' },
      /** Its length. */
      length: { type: 'wholeNumber', presence: 'optional', check: 'ifPresent', formerly: 'size' },
      /** Outputs it is about. */
      utxo: { type: 'utxo', presence: 'nullable' }
    }
  },`
    ]
  ]
}
const COMMAND: Record<string, Edit[]> = {
  'src/bridge/protocol/commandTable.ts': [
    [
      'export const COMMANDS = {',
      `
  /** Takes a \`note\` of a closed head. */
  TakeNote: { fields: { note: { type: 'string', check: 'essential' } }, states: ['Closed', 'FanoutPossible'], brings: ['NoteTaken'] },`
    ]
  ],
  'src/bridge/commands.ts': [
    [
      'export interface BridgeCommands {',
      '\n  /** Takes a note of a closed head. @throws {@link NotConnectedError} */\n  takeNote(note: string): void'
    ],
    [
      'export function createCommands(context: MoveContext & { readonly emitter: BridgeEmitter }): BridgeCommands {\n  return {',
      "\n    takeNote: (note) => context.send(buildInput('TakeNote', note)),"
    ]
  ]
}

/**
 * Uses what the recipes add, as an application would; fails where the types or the values are not as they should be.
 */
const USER = `
import assert from 'node:assert/strict'
import { isKnownPayload, LayerBridge, LayerHeadTag } from './src/bridge/index.js'
import type { Connector, ConnectorListener, LayerInput, PayloadOf, UTxOObject } from './src/bridge/index.js'
import { decodePayload } from './src/bridge/protocol/decode.js'

const payload = decodePayload('{"tag":"NoteTaken","headId":"ab","note":"hello","size":5}', 0)
if (payload.tag !== 'NoteTaken') throw new Error(payload.tag)
const note: string = payload.note
const length: number | undefined = payload.length
const utxo: UTxOObject | null = payload.utxo
const whole: PayloadOf<'NoteTaken'> = { tag: 'NoteTaken', timestamp: '', headId: 'ab', note: 'hello', utxo }
// @ts-expect-error a nullable member is there
const lacking: PayloadOf<'NoteTaken'> = { tag: 'NoteTaken', timestamp: '', headId: 'ab', note: 'hello' }
const input: LayerInput = { tag: 'TakeNote', note }
// @ts-expect-error its note is a text
const wrong: LayerInput = { tag: 'TakeNote', note: 5 }
// @ts-expect-error it has no such member
void payload.snapshot
assert.deepEqual({ ...payload }, { tag: 'NoteTaken', timestamp: '1970-01-01T00:00:00.000Z', headId: 'ab', note: 'hello', length: 5, utxo: null })
assert.equal(length, 5)
assert.equal(LayerHeadTag.NoteTaken, whole.tag)
assert.ok(isKnownPayload(payload))
for (const text of ['{"tag":"NoteTaken","headId":"ab"}', '{"tag":"NoteTaken","note":"x"}', '{"tag":"NoteTaken","headId":"ab","note":"x","length":-1}']) {
  assert.throws(() => decodePayload(text, 0), { code: 'BRIDGE_PROTOCOL' })
}

const sent: string[] = []
let listener: ConnectorListener | undefined
const connector: Connector = {
  capabilities: { history: true, allRoutes: true, partial: false },
  open(given) {
    listener = given
    queueMicrotask(() => {
      given.onOpen()
      given.onMessage('{"tag":"Greetings","me":{"vkey":"ab"},"headStatus":"Open","hydraHeadId":"ab","snapshotUtxo":{},"hydraNodeVersion":"2.3.0"}')
    })
    return { send: (text) => void sent.push(text), ping: () => false, close: async () => {} }
  },
  request: async () => ({ status: 404, text: '""' })
}
const bridge = new LayerBridge({ connector })
const refusals: object[] = []
bridge.events.on('onCommandRefused', (error) => {
  refusals.push({ command: error.command, allowedStates: error.allowedStates })
})
const arrived: string[] = []
bridge.events.on('NoteTaken', (taken) => {
  arrived.push(taken.note)
})
await bridge.connect()
bridge.commands.takeNote('hello')
assert.deepEqual(sent.map((text) => JSON.parse(text)), [{ tag: 'TakeNote', note: 'hello' }])
const refused = assert.rejects(bridge.waitFor('NoteTaken', { orRefused: true }), { code: 'BRIDGE_COMMAND_REFUSED', allowedStates: ['Closed', 'FanoutPossible'] })
listener?.onMessage(JSON.stringify({ tag: 'CommandFailed', clientInput: input }))
// Its argument is missing: no echo of this command.
listener?.onMessage('{"tag":"CommandFailed","clientInput":{"tag":"TakeNote"}}')
await refused
const taken = bridge.waitFor('NoteTaken')
listener?.onMessage('{"tag":"NoteTaken","headId":"ab","note":"hello"}')
await taken
await bridge.disconnect()
assert.deepEqual(refusals, [{ command: 'TakeNote', allowedStates: ['Closed', 'FanoutPossible'] }])
assert.deepEqual(arrived, ['hello'])
void [wrong, lacking]
console.log('works')
`

describe('the recipes for a message and a command', () => {
  let copy: string
  let earlier: ts.Program | undefined

  function edit(edits: Record<string, Edit[]>): void {
    for (const [path, changes] of Object.entries(edits)) {
      const target = join(copy, path)
      const text = changes.reduce(
        (all, [before, added]) => {
          if (all.split(before).length !== 2) throw new Error(`${path}: ${before}`)
          return all.replace(before, () => before + added)
        },
        readFileSync(target, 'utf8')
      )
      writeFileSync(target, text)
    }
  }

  /** What the compiler says of files of the copy, by the options of the sources. */
  function problemsIn(paths: readonly string[]): string[] {
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent({ compilerOptions: config.compilerOptions }, ts.sys, copy)
    const all = { ...options, types: ['node'] }
    const program = ts.createProgram(
      paths.map((path) => join(copy, path)),
      all,
      compilerHost(all),
      earlier
    )
    earlier = program
    return paths.flatMap((path) => {
      const file = program.getSourceFile(join(copy, path))!
      return [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
        ...program.getDeclarationDiagnostics(file)
      ].map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
    })
  }

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'layer-sdk-recipes-'))
    for (const path of [
      'src',
      'scripts/entries.mjs',
      'scripts/protocol-tables.mjs',
      'docs/protocol.md',
      'package.json'
    ]) {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      cpSync(join(ROOT, path), join(copy, path), { recursive: true })
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  })

  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('name one file for a message and two for a command', () => {
    expect(filesOfRecipe('Add a message of the node')).toEqual(Object.keys(MESSAGE))
    expect(filesOfRecipe('Add a command')).toEqual(Object.keys(COMMAND))
  })

  it('are enough for a message that decodes into its type and a command that is sent, and refused in the wrong state', () => {
    edit(MESSAGE)
    edit(COMMAND)
    writeFileSync(join(copy, 'user.ts'), USER)
    expect(
      problemsIn([
        'user.ts',
        ...Object.keys(MESSAGE),
        ...Object.keys(COMMAND),
        'src/bridge/protocol/messages.ts',
        'src/bridge/protocol/encode.ts'
      ])
    ).toEqual([])

    buildSync({
      entryPoints: [join(copy, 'user.ts')],
      outfile: join(copy, 'user.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external'
    })
    expect(execFileSync(process.execPath, [join(copy, 'user.mjs')], { encoding: 'utf8' })).toBe('works\n')

    execFileSync(process.execPath, [join(copy, 'scripts', 'protocol-tables.mjs')])
    const page = readFileSync(join(copy, 'docs', 'protocol.md'), 'utf8')
    expect(page).toContain(
      '| `NoteTaken` | 1.3+ | **`headId`**, **`note`**, `length`, `utxo` | A note of the head: `note` is its text,'
    )
    expect(page).toContain(
      '| `TakeNote` | all | **`note`** | `Closed`, `FanoutPossible` | Takes a `note` of a closed head. |'
    )
  }, 60_000)

  it('do not compile with a row of another form', () => {
    edit({
      'src/bridge/protocol/messageTable.ts': [
        ['const HEAD_MESSAGES = {', "\n  Broken: { fields: { note: { type: 'strng' } } },"]
      ],
      'src/bridge/protocol/commandTable.ts': [
        ['export const COMMANDS = {', "\n  Break: { states: ['Open'], brings: ['NoSuchMessage'] },"]
      ]
    })
    const wrong = problemsIn(Object.keys({ ...MESSAGE, ...COMMAND })).join('\n')
    expect(wrong).toMatch(/messageTable.ts: .*"strng"/)
    expect(wrong).toMatch(/commandTable.ts: .*"NoSuchMessage"/)
    expect(wrong).not.toMatch(/commands.ts/)
  }, 60_000)
})
