import fc from 'fast-check'
import { parseJson } from '../../src/codec/json'
import { isLayerError } from '../../src/errors/base'
import * as utils from '../../src/utils/index'
import { scaled } from '../support/scale'
import { runsInTime } from '../support/timing'

const KEY_HASH = 'd602568790f7f5cb4bf709423fe92d4542db8bc77ef103a0f9da1f49'
const ADDRESS = 'addr_test1vrtqy458jrmltj6t7uy5y0lf94z59kutcal0zqaql8dp7jgz3zena'
const { Costmdls, Metadatum, mkInt, PlutusData } = utils

/** Arguments that each function accepts, so that one of them can be spoiled at a time; `[]` takes none. */
const VALID: Record<string, readonly unknown[]> = {
  ada: ['2.5'],
  addressInfo: [ADDRESS],
  assetFingerprint: [KEY_HASH, 'cafe'],
  auxiliaryDataHash: ['a0'],
  buildAuxiliaryData: [{ 674: { msg: 'x' } }],
  buildBaseAddress: [0, KEY_HASH, { kind: 'script', hash: KEY_HASH }],
  buildCostModels: [{ PlutusV1: [1] }],
  buildEnterpriseAddress: [0, KEY_HASH],
  buildLayerSlotConfig: [1000],
  buildMintingPolicyScriptFromAddress: [ADDRESS],
  buildMintingPolicyScriptFromKeyHash: [KEY_HASH],
  buildPolicyScriptFromPubkey: ['ab'.repeat(32)],
  buildRewardAddress: [1, KEY_HASH],
  bytesToHex: [Uint8Array.of(1)],
  chainCliKeygen: [],
  chunkMetadataText: ['text'],
  decodeAssetLabel: ['000de140'],
  decodeAuxiliaryData: ['a0'],
  decodeGovernanceActionId: [utils.encodeGovernanceActionId('00'.repeat(32), 1)],
  decodeGovernanceId: [utils.encodeGovernanceId('drep', { kind: 'key', hash: KEY_HASH })],
  encodeAssetLabel: [222],
  encodeGovernanceActionId: ['00'.repeat(32), 1],
  encodeGovernanceId: ['drep', { kind: 'key', hash: KEY_HASH }, 'CIP-105'],
  formatAda: [2_500_000n],
  fromUTF8: ['text'],
  genVkey: [{ type: 'PaymentSigningKeyShelley_ed25519', description: '', cborHex: `5820${'07'.repeat(32)}` }],
  getPubkeyHashFromAddress: [ADDRESS],
  hexToBytes: ['cafe'],
  hexToString: ['6161'],
  isValidAddress: [ADDRESS],
  isValidTxOutput: [{ address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '1' }] }],
  layerCliKeygen: [],
  metadataObjToMetadatum: [{ msg: ['x', 1, Uint8Array.of(1), new Map([[1, 2]])] }],
  metadatumToObj: [Metadatum.from(1)],
  mkAddress: [ADDRESS],
  mkBool: [true],
  mkBytes: ['cafe'],
  mkConstr: [0, [mkInt(1)]],
  mkInt: [1],
  mkList: [[mkInt(1)]],
  mkMap: [[[mkInt(1), mkInt(2)]]],
  mkOption: [mkInt(1)],
  mkOutputReference: ['00'.repeat(32), 0, 'PlutusV2'],
  nativeScriptFromJson: [
    {
      type: 'atLeast',
      required: 1,
      scripts: [
        { type: 'after', slot: 1 },
        { type: 'sig', keyHash: KEY_HASH }
      ]
    }
  ],
  nativeScriptToJson: ['820400'],
  plutusScriptHash: ['4101', 'PlutusV3'],
  policyIdFromNativeScript: ['820400'],
  resolveEpochNo: [1_700_000_000_000, 'preprod'],
  resolveSlotNo: [1_700_000_000_000, 'preprod'],
  scriptAddress: [KEY_HASH, 0, KEY_HASH],
  scriptDataHash: [{ redeemers: '80', datums: '80', costModels: utils.buildCostModels(), languages: ['PlutusV3'] }],
  slotToBeginUnixTime: [5_000_000, { ...utils.SLOT_CONFIG.MAINNET }],
  slotToEpochNo: [5_000_000, { ...utils.SLOT_CONFIG.MAINNET }],
  stringToHex: ['text'],
  toBytes: ['cafe'],
  toUTF8: ['6161'],
  unixTimeToEnclosingSlot: [1_700_000_000_000, { ...utils.SLOT_CONFIG.MAINNET }]
}

/** What the classes do, by the same rule. */
const METHODS: Record<string, [call: (...args: any[]) => unknown, valid: readonly unknown[]]> = {
  'new Costmdls': [(models) => new Costmdls(models), [{ PlutusV1: [1] }]],
  'Costmdls.get': [(language) => utils.buildCostModels().get(language), ['PlutusV1']],
  'Costmdls.languageViews': [(languages) => utils.buildCostModels().languageViews(languages), [['PlutusV1']]],
  'Metadatum.from': [(value, path) => Metadatum.from(value, path).toCbor(), [[1], 'metadata']],
  'Metadatum.fromCbor': [(cbor) => Metadatum.fromCbor(cbor).toObject(), ['8101']],
  'PlutusData.int': [(value) => PlutusData.int(value).toCbor(), [1n]],
  'PlutusData.bytes': [(value) => PlutusData.bytes(value).toCbor(), [Uint8Array.of(1)]],
  'PlutusData.list': [(items) => PlutusData.list(items).toCbor(), [[mkInt(1)]]],
  'PlutusData.map': [(entries) => PlutusData.map(entries).toCbor(), [[[mkInt(1), mkInt(2)]]]],
  'PlutusData.constr': [(index, fields) => PlutusData.constr(index, fields).toCbor(), [1n, [mkInt(1)]]],
  'PlutusData.fromCbor': [(cbor) => PlutusData.fromCbor(cbor).toJson(), ['8101']],
  'PlutusData.fromJson': [
    (json) => PlutusData.fromJson(json).toCbor(),
    [{ constructor: 0, fields: [{ map: [{ k: { int: 1 }, v: { bytes: 'ab' } }] }, { list: [{ int: 1 }] }] }]
  ],
  parseJson: [(text, what) => parseJson(text, what), ['{"a":12345678901234567890}', 'The text']]
}

const functions = Object.entries(utils as Record<string, unknown>).filter(
  ([name, value]) => typeof value === 'function' && !/^(Costmdls|Metadatum|PlutusData)$/.test(name)
) as [string, (...args: unknown[]) => unknown][]
const calls: [string, (...args: any[]) => unknown, readonly unknown[]][] = [
  ...functions.map(
    ([name, run]) =>
      [name, (...args: unknown[]) => written(run(...args)), VALID[name] ?? []] as [
        string,
        (...args: unknown[]) => unknown,
        unknown[]
      ]
  ),
  ...Object.entries(METHODS).map(
    ([name, [call, valid]]) => [name, call, valid] as [string, (...args: unknown[]) => unknown, unknown[]]
  )
]

/** Data that was built must also be writable. */
function written(result: unknown): unknown {
  return result instanceof PlutusData || result instanceof Metadatum || result instanceof Costmdls
    ? result.toCbor()
    : result
}

const refuse = (): never => {
  throw new TypeError('the value of the caller')
}
const traps = { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse }
const revoked = Proxy.revocable([], {})
revoked.revoke()
const cycle: unknown[] = []
cycle.push(cycle)
const detached = new Uint8Array(4)
structuredClone(detached, { transfer: [detached.buffer] })
const sparse = (length: number): unknown[] => Object.assign([], { length })
const tagged = (tag: string, rest: object = {}): object => ({ [Symbol.toStringTag]: tag, ...rest })
const ODD: readonly [string, unknown][] = [
  ['null', null],
  ['undefined', undefined],
  ['a symbol', Symbol('x')],
  ['a function', () => 1],
  ['a class', class {}],
  ['an object without prototype', Object.create(null)],
  ['an empty object', {}],
  ['an empty array', []],
  ['true', true],
  ['NaN', NaN],
  ['-0', -0],
  ['Infinity', Infinity],
  ['-1', -1],
  ['a half', 0.5],
  ['1e300', 1e300],
  ['2^53', 2 ** 53],
  ['a bigint', -1n],
  ['a huge bigint', 7n ** 100_000n],
  ['an empty text', ''],
  ['a long text', 'x'.repeat(200_000)],
  ['long hex', 'ab'.repeat(100_000)],
  ['many digits', '1'.repeat(16_384)],
  ['digits that end in a point', `${'1'.repeat(16_384)}.`],
  ['open quotes', '"\\'.repeat(8_192)],
  ['a lone surrogate', '\ud800'],
  ['__proto__', '__proto__'],
  ['a date', new Date(NaN)],
  ['a regular expression', /x/],
  ['an error', new Error('x')],
  ['a promise', Promise.resolve()],
  ['a set', new Set([1])],
  ['a boxed number', Object(1)],
  ['a boxed text', Object('cafe')],
  ['another typed array', new Uint16Array([1, 2])],
  ['big typed array', new BigInt64Array(2)],
  ['a buffer', new ArrayBuffer(4)],
  ['a view', new DataView(new ArrayBuffer(4))],
  ['a sparse array', sparse(2)],
  ['a sparse array with a value', [1, , 2]],
  ['a sparse array of 2^32-1', sparse(2 ** 32 - 1)],
  ['a cycle', cycle],
  ['a map of a symbol', new Map([[Symbol('x'), Symbol('y')]])],
  ['a map of an object without prototype', new Map([[Object.create(null), 1]])],
  ['what calls itself a Map', tagged('Map')],
  ['what calls itself a Uint8Array', tagged('Uint8Array', { length: 1e10 })],
  ['an object that refuses to be text', { toString: refuse, valueOf: refuse, toJSON: refuse }],
  ['an object with a getter that throws', Object.defineProperty({}, 'hash', { get: refuse, enumerable: true })],
  ['a proxy that throws', new Proxy({}, traps)],
  ['a proxy of an array that throws', new Proxy([], traps)],
  ['a proxy of a function that throws', new Proxy(() => 1, traps)],
  ['a proxy of bytes', new Proxy(new Uint8Array(2), {})],
  ['a proxy of a Map', new Proxy(new Map(), {})],
  ['a revoked proxy', revoked.proxy],
  ['detached bytes', detached]
]

const replaced = (list: readonly unknown[], at: number, value: unknown): unknown[] =>
  list.map((each, i) => (i === at ? value : each))

/** Every way to put `odd` in the place of one part of `valid`: the argument itself, or a member of it. */
function* spoiled(valid: unknown, odd: unknown): Generator {
  yield odd
  if (Array.isArray(valid)) {
    for (const [i, part] of valid.entries()) for (const other of spoiled(part, odd)) yield replaced(valid, i, other)
  } else if (valid instanceof Map) {
    for (const [key, value] of valid) yield* [new Map([[odd, value]]), new Map([[key, odd]])]
  } else if (
    typeof valid === 'object' &&
    valid !== null &&
    !(
      valid instanceof Uint8Array ||
      valid instanceof PlutusData ||
      valid instanceof Metadatum ||
      valid instanceof Costmdls
    )
  ) {
    for (const [key, part] of Object.entries(valid))
      for (const other of spoiled(part, odd)) yield { ...valid, [key]: other }
  }
}

function attempt(name: string, call: (...args: unknown[]) => unknown, args: readonly unknown[]): void {
  try {
    call(...args)
  } catch (error) {
    if (!isLayerError(error)) throw new Error(`${name}: ${String((error as Error).stack)}`)
    if (error.message.length > 1_000) throw new Error(`${name}: a message of ${error.message.length} characters`)
  }
}

const SECRETS = [
  '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  '0x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  'test walk nut penalty hip pave soap entry language right filter choice',
  'testwalknutpenaltyhippavesoapentry',
  'ed25519e_sk1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0jqgfzyv',
  'xprv1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0jqgfzyv3rx'
]

/** Message, fields and causes of the error of a call, as a log would show them; the stack is the runtime's. */
function shownBy(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    const parts: string[] = []
    for (let each: unknown = error; each instanceof Error; each = each.cause)
      parts.push(each.message, JSON.stringify({ ...each }))
    return parts.join('\n')
  }
  return ''
}

describe('every function of the utilities', () => {
  it('has arguments that it accepts in the list of this test', () => {
    expect(functions.map(([name]) => name).sort()).toEqual(Object.keys(VALID).sort())
    for (const [, call, valid] of calls) expect(() => call(...valid)).not.toThrow()
  })

  it.each(calls)(
    '%s gives a result or a short typed error, whatever part of its arguments is odd',
    (name, call, valid) => {
      for (const [what, odd] of ODD) {
        valid.forEach((argument, i) => {
          for (const other of spoiled(argument, odd)) {
            const started = performance.now()
            attempt(`${name} with ${what}`, call, replaced(valid, i, other))
            if (performance.now() - started < 50) continue
            runsInTime(50, () => attempt(name, call, replaced(valid, i, other)))
          }
        })
      }
    }
  )

  it.each(calls)(
    '%s repeats no text of more than 24 characters in an error: it may be a secret in the wrong place',
    (name, call, valid) => {
      for (const secret of SECRETS) {
        for (const odd of [
          secret,
          { [secret]: secret },
          [secret],
          [[secret, secret]],
          new Map([[secret, secret]]),
          { type: secret, cborHex: secret }
        ]) {
          valid.forEach((argument, i) => {
            for (const other of spoiled(argument, odd)) {
              const shown = shownBy(() => call(...replaced(valid, i, other)))
              if (shown.includes(secret.slice(0, 25))) throw new Error(`${name}: ${shown}`)
            }
          })
        }
      }
    }
  )

  it('gives a result or a typed error on anything, without hanging', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.uint8Array({ maxLength: 60 }).map(utils.bytesToHex),
      fc.constant(ADDRESS)
    )
    fc.assert(
      fc.property(
        fc.oneof(text, fc.anything({ withBigInt: true, withMap: true })),
        fc.constantFrom(...calls),
        (value, [name, call]) => {
          runsInTime(50, () => attempt(name, call, [value]))
        }
      ),
      { numRuns: scaled(100_000) }
    )
  })
})
