import { assertDepositDraft, LayerBridge, utxoToJson } from '../../../src/bridge/index.js'
import type { CommitRequest, DepositDraftRequest } from '../../../src/bridge/index.js'
import { startDevNode } from '../../../src/devnode/index.js'
import type { RunningDevNode } from '../../../src/devnode/index.js'
import { buildDeposit, TxBuilder } from '../../../src/tx/index.js'
import type { UTxO } from '../../../src/types/utxo.js'
import { Metadatum } from '../../../src/utils/index.js'
import { at, bytes, decodeValue, encodeValue, int, list, put } from '../../support/cborValue.js'
import type { CborValue } from '../../support/cborValue.js'

let node: RunningDevNode
let bridge: LayerBridge
let headId: string
let own: UTxO[]
let alice: string
beforeAll(async () => {
  node = await startDevNode({ port: 0 })
  bridge = new LayerBridge({ url: node.url })
  await bridge.connect()
  ;({ headId } = await bridge.commands.initSync(1, 10_000))
  alice = node.keys[0]!.address
  own = node.baseUtxos(alice)
})
afterAll(async () => {
  await bridge.disconnect()
  await node.stop()
})

type Tree = CborValue & { items: CborValue[] }
const checked = (
  draft: { cborHex: string },
  commit: CommitRequest,
  more: Partial<DepositDraftRequest> = {}
): unknown => {
  try {
    return assertDepositDraft(draft, { commit, headId, ownUtxos: own, ...more })
  } catch (error) {
    return error
  }
}
const changed = (cborHex: string, change: (tree: Tree) => void): { cborHex: string } => {
  const tree = decodeValue(Buffer.from(cborHex, 'hex')) as Tree
  change(tree)
  return { cborHex: encodeValue(tree) }
}

it.each<[string, () => CommitRequest]>([
  ['a list of outputs', () => own.slice(0, 1)],
  ['outputs as the node writes them', () => utxoToJson(own.slice(0, 1))],
  ['a blueprint', () => buildDeposit({ utxos: own, to: alice, amount: 5_000_000n, changeAddress: alice })],
  [
    "a blueprint in the node's own form",
    () => {
      const { cborHex, txId, utxo, changeAddress } = buildDeposit({
        utxos: own,
        to: alice,
        amount: 5_000_000n,
        changeAddress: alice
      })
      return {
        blueprintTx: { type: 'Tx ConwayEra', description: '', cborHex, txId },
        utxo: utxoToJson(utxo),
        changeAddress: changeAddress!
      }
    }
  ],
  ['a blueprint without outputs', () => new TxBuilder().spend(own.slice(0, 1)).blueprint()],
  [
    'a blueprint with required signers and metadata',
    () =>
      new TxBuilder()
        .spend(own.slice(0, 1))
        .requireSigner('ab'.repeat(28))
        .metadata({ 674: Metadatum.from({ msg: ['a deposit'] }) })
        .blueprint()
  ]
])('accepts the honest draft of %s, and says when the deposit can be taken back', async (_name, commitOf) => {
  const commit = commitOf()
  const draft = await bridge.commit(commit)
  expect(checked(draft, commit)).toEqual({ txId: draft.txId, recoverableAt: expect.any(Number) })
})

it("accepts the node's own input as collateral, as real nodes state it", async () => {
  const commit = own.slice(0, 1)
  const { cborHex } = await bridge.commit(commit)
  const withCollateral = (pick: (inputs: CborValue[]) => CborValue[]): { cborHex: string } =>
    changed(cborHex, ({ items: [body] }) => {
      const set = at(body!, 0) as Tree
      const inputs = (set.items[0] as Tree).items
      put(body!, 13, { kind: 'tag', number: 258n, items: [{ kind: 'list', items: pick(inputs) }] })
    })
  const isOwn = (each: CborValue): boolean =>
    ((each as Tree).items[0] as { hex: string }).hex === commit[0]!.input.txHash
  expect(
    checked(
      withCollateral((inputs) => inputs.filter((each) => !isOwn(each))),
      commit
    )
  ).toMatchObject({ txId: expect.any(String) })
  expect(
    checked(
      withCollateral((inputs) => inputs.filter(isOwn)),
      commit
    )
  ).toMatchObject({ code: 'CLIENT_DRAFT_MISMATCH', differences: [{ part: 'collateral' }] })
})

it('refuses a draft that leaves out or changes what the blueprint demands', async () => {
  const commit = new TxBuilder()
    .spend(own.slice(0, 1))
    .requireSigner('ab'.repeat(28))
    .metadata({ 674: Metadatum.from({ msg: ['a deposit'] }) })
    .blueprint()
  const { cborHex } = await bridge.commit(commit)
  const other = new TxBuilder().spend(own.slice(0, 1)).blueprint()
  expect(checked({ cborHex }, other)).toMatchObject({
    differences: expect.arrayContaining([
      expect.objectContaining({ part: 'signers' }),
      expect.objectContaining({ part: 'metadata' })
    ])
  })
  expect(
    checked(
      changed(cborHex, ({ items: [body] }) => put(body!, 14, undefined)),
      commit
    )
  ).toMatchObject({ differences: [expect.objectContaining({ part: 'signers' })] })
})

it('refuses native scripts that no blueprint has', async () => {
  const commit = new TxBuilder().spend(own.slice(0, 1)).blueprint()
  const { cborHex } = await bridge.commit(commit)
  const draft = changed(cborHex, ({ items: [, witnesses] }) =>
    put(witnesses!, 1, list(list(int(0), bytes('ab'.repeat(28)))))
  )
  expect(checked(draft, commit)).toMatchObject({ differences: [{ part: 'scripts' }] })
})

it('holds the script, the deadline, the slot, the fee and the id to what the caller states', async () => {
  const commit = own.slice(0, 1)
  const draft = await bridge.commit(commit)
  const { recoverableAt } = assertDepositDraft(draft, { commit, headId })
  const partsOf = (more: Partial<DepositDraftRequest>): unknown =>
    (checked(draft, commit, more) as { differences?: { part: string }[] }).differences?.map(({ part }) => part)
  expect(partsOf({ depositScript: 'ab'.repeat(28) })).toEqual(['deposit'])
  expect(partsOf({ latestRecoverableAt: recoverableAt! - 1 })).toEqual(['deadline'])
  expect(partsOf({ earliestRecoverableAt: recoverableAt! + 1 })).toEqual(['deadline'])
  expect(partsOf({ latestSlot: 1 })).toEqual(['validity'])
  expect(partsOf({ maxFee: 1n })).toEqual(['fee'])
  expect(partsOf({ headId: 'cd'.repeat(28) })).toEqual(['datum'])
  expect(partsOf({ latestRecoverableAt: recoverableAt!, earliestRecoverableAt: recoverableAt! })).toBeUndefined()
  expect(checked({ ...draft, txId: 'ab'.repeat(32) } as never, commit)).toMatchObject({
    differences: [{ part: 'txId' }]
  })
  expect(checked({ cborHex: 'zz' }, commit)).toMatchObject({
    code: 'CLIENT_DRAFT_MISMATCH',
    differences: [{ part: 'form' }]
  })
})

it.each([
  ['no commit', { commit: undefined }],
  ['no head', { headId: undefined }],
  ['a misspelt member', { ownUtxo: [] }],
  ['a fee as a number', { maxFee: 5 }],
  ['a deadline as a date', { latestRecoverableAt: new Date() }]
])('refuses a request with %s by its own name, not as a bad draft', async (_name, wrong) => {
  const commit = own.slice(0, 1)
  expect(checked(await bridge.commit(commit), commit, wrong as never)).toMatchObject({
    code: expect.stringMatching(/^INPUT_/)
  })
})

it('reads a datum however its lists and strings are encoded', async () => {
  const commit = own.slice(0, 1)
  const { cborHex } = await bridge.commit(commit)
  const definite = (value: CborValue): CborValue =>
    'items' in value
      ? ({
          ...value,
          items: value.items.map(definite),
          ...(value.kind === 'list' ? { indefinite: false } : {})
        } as CborValue)
      : value
  const draft = changed(cborHex, ({ items: [body] }) => {
    const leaf = ((at((at(body!, 1) as Tree).items[0]!, 2) as Tree).items[1] as Tree).items[0] as { hex: string }
    const again = encodeValue(definite(decodeValue(Buffer.from(leaf.hex, 'hex'))))
    expect(again).not.toBe(leaf.hex)
    leaf.hex = again
  })
  expect(checked(draft, commit)).toMatchObject({ txId: expect.any(String) })
})
