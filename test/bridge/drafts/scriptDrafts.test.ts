import { scalusEvaluator } from '../../../src/adapters/scalus.js'
import { assertDepositDraft, LayerBridge } from '../../../src/bridge/index.js'
import type { CommitRequest } from '../../../src/bridge/index.js'
import { parseAddress } from '../../../src/codec/address.js'
import { CborWriter } from '../../../src/codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex.js'
import { startDevNode } from '../../../src/devnode/index.js'
import type { RunningDevNode } from '../../../src/devnode/index.js'
import { blake2b224 } from '../../../src/hash/blake2b.js'
import type { TxOutput, UTxO } from '../../../src/types/utxo.js'
import { mutantsOf } from '../../client/draftMutants.js'
import type { Mutant } from '../../client/draftMutants.js'
import {
  DATUM,
  DATUM_HASH,
  indexOf,
  inputCbor,
  scriptBlueprint,
  set,
  statedJson,
  testScript
} from '../../devnode/scriptBlueprints.js'
import type { BlueprintParts } from '../../devnode/scriptBlueprints.js'
import { ada, buildTx, envelopeOf, lovelaceOf, signTx } from '../../devnode/transactions.js'
import { at, bytes, decodeValue, encodeValue, int, list, map, put } from '../../support/cborValue.js'
import type { CborValue } from '../../support/cborValue.js'

const ADA = 1_000_000n
const V2 = testScript('PlutusV2')
const V3 = testScript('PlutusV3')
type List = Extract<CborValue, { kind: 'list' }>
type Tree = CborValue & { items: CborValue[] }

/** A request and the outputs that it spends. */
interface Case {
  readonly commit: CommitRequest
  readonly spent: readonly UTxO[]
}
let node: RunningDevNode
let bridge: LayerBridge
let headId: string
let alice: string
/** Outputs at scripts, and one that carries a script. */
let held: UTxO[]
let own: UTxO[]
/** The honest draft of each case. */
const drafts = new Map<string, Case & { readonly draft: { cborHex: string; txId?: string | undefined } }>()

beforeAll(async () => {
  const scriptEvaluator = scalusEvaluator({ timeLimitMs: 50_000 })
  node = await startDevNode({ port: 0, scriptEvaluator, evaluatorTimeoutMs: 60_000 })
  bridge = new LayerBridge({ url: node.url })
  await bridge.connect()
  ;({ headId } = await bridge.commands.initSync(1, 10_000))
  const [key] = node.keys
  alice = key!.address
  const outputs: TxOutput[] = [
    ada(V3.address, 50n * ADA),
    { ...ada(V2.address, 40n * ADA), datumHash: DATUM_HASH },
    ada(V3.address, 30n * ADA),
    { ...ada(V3.address, 20n * ADA), scriptRef: V3.ref }
  ]
  const [from] = node.fund(alice, 2_000n * ADA)
  const fee = 400_000n
  const rest = lovelaceOf(from!.output) - fee - outputs.reduce((sum, output) => sum + lovelaceOf(output), 0n)
  const tx = signTx(buildTx({ inputs: [from!.input], outputs: [...outputs, ada(alice, rest)], fee }), key!)
  expect(await node.submitBaseTx(bytesToHex(tx))).toEqual([])
  held = outputs.map((output, index) => ({ input: { txHash: envelopeOf(tx).txId, index }, output }))
  own = node.baseUtxos(alice)
  // All before the long walks over mutants, which would keep the node from its sockets.
  for (const [name, made] of CASES) {
    const each = made()
    drafts.set(name, { ...each, draft: await bridge.commit(each.commit) })
  }
}, 120_000)
afterAll(async () => {
  await bridge.disconnect()
  await node.stop()
})

const mint = (): Uint8Array =>
  new CborWriter().map(1).bytes(hexToBytes(V3.hash)).map(1).bytes(hexToBytes('746f')).uint(7).toBytes()
const keyHash = (): string => parseAddress(alice).payment!.hash

const caseOf = (
  spent: readonly UTxO[],
  parts: Omit<BlueprintParts, 'inputs'>,
  { changeAddress = null as string | null, stated = spent } = {}
): Case => {
  const blueprint = scriptBlueprint({ inputs: spent.map(({ input }) => input), ...parts })
  const { cborHex, txId } = envelopeOf(blueprint)
  const blueprintTx = { type: 'Tx ConwayEra', description: '', cborHex, txId }
  return { spent, commit: { blueprintTx, utxo: statedJson(...stated), changeAddress } as CommitRequest }
}
const spending = (spent: readonly UTxO[], utxo: UTxO, data: string) => ({
  tag: 0,
  index: indexOf(
    spent.map(({ input }) => input),
    utxo.input
  ),
  data
})

const CASES: [string, () => Case][] = [
  [
    'two script outputs and one of a key, whole',
    () => {
      const spent = [held[0]!, held[1]!, own[0]!]
      const redeemers = [spending(spent, held[0]!, 'd8798101'), spending(spent, held[1]!, 'd8798102')]
      return caseOf(spent, { redeemers, scripts: [V2, V3], datums: [DATUM] })
    }
  ],
  [
    'a part of a script output, with a mint, signers and collateral of its own',
    () => {
      const spent = [held[0]!, held[2]!, own[0]!]
      const redeemers = [
        spending(spent, held[0]!, 'd8798101'),
        spending(spent, held[2]!, '9f0102ff'),
        { tag: 1, index: 0, data: '182a' }
      ]
      const unit = `${V3.hash}746f`
      const outputs = [
        { address: alice, amount: [...ada(alice, 20n * ADA).amount, { unit, quantity: '7' }] },
        ada(alice, 5n * ADA)
      ]
      const extra: [number, Uint8Array][] = [
        [9, mint()],
        [11, new CborWriter().bytes(new Uint8Array(32)).toBytes()],
        [13, set(inputCbor(own[1]!.input))],
        [14, set(new CborWriter().bytes(hexToBytes(keyHash())).toBytes())]
      ]
      return caseOf(spent, { redeemers, scripts: [V3], outputs, extra, fee: 300_000n }, { changeAddress: alice })
    }
  ],
  [
    'a script output whose script another output carries',
    () => {
      const spent = [held[2]!, own[0]!]
      const redeemers = [spending(spent, held[2]!, 'd8798103')]
      const parts = { redeemers, referenceInputs: [held[3]!.input], outputs: [ada(alice, 9n * ADA)] }
      return caseOf(spent, parts, { changeAddress: alice, stated: [...spent, held[3]!] })
    }
  ]
]

const verdict = (cborHex: string, commit: CommitRequest): any => {
  try {
    const bounds = { latestRecoverableAt: Date.now() + 12 * 3_600_000, latestSlot: node.slot + 1000 }
    return assertDepositDraft({ cborHex }, { commit, headId, ownUtxos: own, ...bounds })
  } catch (error) {
    return error
  }
}

describe.each(CASES.map(([name]) => name))('the draft of a blueprint with %s', (name) => {
  it('is accepted as the node makes it', () => {
    const { commit, draft } = drafts.get(name)!
    expect(verdict(draft.cborHex, commit)).toEqual({ txId: draft.txId, recoverableAt: expect.any(Number) })
  })

  it('is refused when it differs in one way', () => {
    const { commit, spent, draft } = drafts.get(name)!
    const all = differing(draft.cborHex, spent)
    expect(all.length).toBeGreaterThan(200)
    const accepted = all.filter(({ cborHex }) => verdict(cborHex, commit).code !== 'CLIENT_DRAFT_MISMATCH')
    expect(accepted.map((mutant) => mutant.name)).toEqual([])
  }, 60_000)
})

it('takes no output that the request states, and does not spend, for the fuel of the node', () => {
  const { commit, draft } = drafts.get(CASES[2]![0])!
  const stolen = changed(draft.cborHex, ({ items: [body] }) => {
    const inputs = inputsOf(body!)
    inputs[inputs.findIndex((input) => !isKnown(input))] = inputOf(held[3]!)
  })
  expect(verdict(stolen, commit).differences).toContainEqual(expect.objectContaining({ part: 'inputs' }))
})

const inputsOf = (body: CborValue): CborValue[] => {
  const found = at(body, 0) as Tree
  return found.kind === 'tag' ? (found.items[0] as List).items : found.items
}
const inputOf = ({ input }: UTxO): CborValue => list(bytes(input.txHash), int(input.index))
const isKnown = (input: CborValue): boolean =>
  [...held, ...own].some((utxo) => encodeValue(inputOf(utxo)) === encodeValue(input))
const changed = (cborHex: string, change: (tree: Tree) => void): string => {
  const tree = decodeValue(Buffer.from(cborHex, 'hex')) as Tree
  change(tree)
  return encodeValue(tree)
}

/**
 * Mutants that are no theft: the ledger alone can say that a script data hash is wrong, and refuses such a draft; the
 * signer is the blueprint's own.
 */
const NO_DIFFERENCES: readonly string[] = ['has a script data hash', "has a required signature of the wallet's"]

/** Drafts that differ from an honest one in one way: in any of its parts, and in those that scripts see. */
function differing(honest: string, spent: readonly UTxO[]): Mutant[] {
  const [key] = node.keys
  const victim = {
    other: own[2]!,
    address: bytesToHex(parseAddress(alice).bytes),
    keyHash: keyHash(),
    publicKey: key!.vkey.slice(4),
    asked: spent.map(({ input }) => `${input.txHash}#${input.index}`)
  }
  expect(bytesToHex(blake2b224(hexToBytes(victim.publicKey)))).toBe(victim.keyHash)
  const mutants = mutantsOf(honest, victim).filter(({ name }) => !NO_DIFFERENCES.includes(name))
  const add = (name: string, change: (body: CborValue, witnesses: CborValue) => void): void => {
    const cborHex = changed(honest, ({ items: [body, witnesses] }) => change(body!, witnesses!))
    expect([name, cborHex]).not.toEqual([name, changed(honest, () => {})])
    mutants.push({ name, cborHex })
  }
  const tree = decodeValue(Buffer.from(honest, 'hex')) as Tree
  redeemerMutants(tree, add)
  setMutants(tree, add)
  bodyMutants(tree, add)
  return mutants
}

type Add = (name: string, change: (body: CborValue, witnesses: CborValue) => void) => void
const REDEEMER = (tag: number, index: number, data: CborValue): CborValue[] => [
  list(int(tag), int(index)),
  list(data, list(int(500), int(64_100)))
]

function redeemerMutants({ items: [body, witnesses] }: Tree, add: Add): void {
  const of = (set: CborValue): CborValue[] => (at(set, 5) as Tree).items
  const count = of(witnesses!).length / 2
  const inputs = inputsOf(body!).length
  add('lacks all redeemers', (_, set) => put(set, 5, undefined))
  add('has redeemers that no decoder reads', (_, set) => put(set, 5, int(1)))
  for (let i = 0; i < count; i++) {
    const pointer = (set: CborValue): CborValue[] => (of(set)[2 * i] as List).items
    const value = (set: CborValue): CborValue[] => (of(set)[2 * i + 1] as List).items
    const [tag, index] = pointer(witnesses!).map((each) => Number((each as { value: bigint }).value))
    add(`lacks redeemer ${i}`, (_, set) => of(set).splice(2 * i, 2))
    add(`has redeemer ${i} twice`, (_, set) => of(set).push(...structuredClone(of(set).slice(2 * i, 2 * i + 2))))
    for (let other = 0; other <= inputs; other++)
      if (other !== index) add(`points redeemer ${i} to place ${other}`, (_, set) => (pointer(set)[1] = int(other)))
    for (let other = 0; other < 6; other++)
      if (other !== tag) add(`has redeemer ${i} for purpose ${other}`, (_, set) => (pointer(set)[0] = int(other)))
    const data: [string, CborValue][] = [
      ['a number', int(7)],
      ['another constructor', { kind: 'tag', number: 122n, items: [list(int(1))] }],
      ['a negative number', int(-1)],
      ['a list', list(int(1), int(2))],
      ['no bytes', bytes('')],
      ['its own data in a list', list(structuredClone(value(witnesses!)[0]!))],
      ['no fields', { kind: 'tag', number: 121n, items: [list()] }],
      ['bytes', bytes('ab')],
      ['a map', map(int(1), int(2))],
      ['the address of a stranger', bytes(`60${'5a'.repeat(28)}`)]
    ]
    for (const [name, each] of data) add(`gives redeemer ${i} ${name}`, (_, set) => (value(set)[0] = each))
  }
  for (let i = 0; i < count; i++)
    for (let j = 0; j < i; j++)
      add(`swaps the data of redeemers ${i} and ${j}`, (_, set) => {
        const [a, b] = [of(set)[2 * i + 1] as List, of(set)[2 * j + 1] as List]
        ;[a.items[0], b.items[0]] = [b.items[0]!, a.items[0]!]
      })
  for (let tag = 0; tag < 6; tag++)
    for (const index of [9, 99, 65_535])
      add(`has a further redeemer ${tag}#${index}`, (_, set) => of(set).push(...REDEEMER(tag, index, int(0))))
}

const SETS: readonly [number, string][] = [
  [1, 'native script'],
  [3, 'PlutusV1 script'],
  [4, 'datum'],
  [6, 'PlutusV2 script'],
  [7, 'PlutusV3 script']
]

function setMutants({ items: [, witnesses] }: Tree, add: Add): void {
  const listOf = (value: CborValue): List => (value.kind === 'tag' ? value.items[0]! : value) as List
  for (const [key, name] of SETS) {
    const extra = key === 1 ? list(int(0), bytes('5a'.repeat(28))) : key === 4 ? int(77) : bytes('4e4d')
    const found = at(witnesses!, key)
    add(`has one ${name} of its own`, (_, set) =>
      found === undefined ? put(set, key, list(extra)) : listOf(at(set, key)!).items.push(extra)
    )
    if (found === undefined) continue
    add(`lacks the ${name}s`, (_, set) => put(set, key, undefined))
    listOf(found).items.forEach((_each, i) => {
      add(`has another ${name} in the place of ${i}`, (_, set) => (listOf(at(set, key)!).items[i] = extra))
      if (listOf(found).items.length > 1)
        add(`lacks ${name} ${i}`, (_, set) => listOf(at(set, key)!).items.splice(i, 1))
    })
  }
}

function bodyMutants({ items: [body] }: Tree, add: Add): void {
  const [stranger, mine] = [list(bytes('cd'.repeat(32)), int(0)), inputOf(own[2]!)]
  add('lacks the script data hash', (each) => put(each, 11, undefined))
  for (const [name, input] of [
    ['a stranger', stranger],
    ['the wallet', mine],
    ['the blueprint', inputOf(own[1]!)],
    ['a script', inputOf(held[0]!)]
  ] as const) {
    add(`takes collateral of ${name}`, (each) => put(each, 13, list(input)))
    add(`takes collateral of ${name} besides`, (each) => {
      const fuel = inputsOf(each).find((fuelInput) => !isKnown(fuelInput))!
      put(each, 13, list(fuel, input))
    })
    add(`refers to an output of ${name}`, (each) => put(each, 18, list(input)))
    add(`refers to an output of ${name} besides`, (each) => {
      const found = at(each, 18)
      const refs = found === undefined ? [] : ((found.kind === 'tag' ? found.items[0]! : found) as List).items
      put(each, 18, list(...refs, input))
    })
  }
  const policy = bytes(V3.hash)
  for (const [name, value] of [
    ['another amount', map(policy, map(bytes('746f'), int(8)))],
    ['another token', map(policy, map(bytes('7470'), int(7)))],
    ['a burning', map(policy, map(bytes('746f'), int(-7)))],
    ['a second policy', map(policy, map(bytes('746f'), int(7)), bytes('cd'.repeat(28)), map(bytes('01'), int(1)))]
  ] as const)
    add(`mints ${name}`, (each) => put(each, 9, value))
  const optional: [number, string][] = [
    [9, 'mint'],
    [14, 'required signers'],
    [18, 'reference inputs']
  ]
  for (const [key, name] of optional)
    if (at(body!, key) !== undefined) add(`lacks the ${name}`, (each) => put(each, key, undefined))
  for (const hash of ['5a', 'cd', '00', 'ff'])
    add(`demands a signature of ${hash}`, (each) => put(each, 14, list(bytes(hash.repeat(28)))))
}
