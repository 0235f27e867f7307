import { DevNode } from '../../../src/devnode'
import { LayerSdkError } from '../../../src/errors'

const ADDRESS = new DevNode({ accounts: 0 }).keys[0]!.address
const refOf = (i: number): string => `${String(i).padStart(64, '0')}#0`
const plain = (change: object = {}): object => ({ address: ADDRESS, value: { lovelace: 2_000_000 }, ...change })
const start = (...outputs: object[]): DevNode =>
  new DevNode({
    accounts: 0,
    genesis: [Object.fromEntries(outputs.map((output, i) => [refOf(i), output]))] as never
  })

// An address is read once for all its outputs: whatever else is wrong with a later one must still be noticed.
const FAULTS: readonly [string, object][] = [
  ['a quantity below zero', { value: { lovelace: -1 } }],
  ['a fraction', { value: { lovelace: 1.5 } }],
  ['a text for a quantity', { value: { lovelace: 'many' } }],
  ['a quantity beyond 2^63', { value: { lovelace: 2n ** 63n } }],
  ['a quantity beyond 2^64', { value: { lovelace: 2n ** 64n } }],
  ['a unit that is none', { value: { lovelace: 2_000_000, beef: { '00': 1 } } }],
  ['a token beyond 2^64', { value: { lovelace: 2_000_000, ['ab'.repeat(28)]: { '': 2n ** 64n } } }],
  ['no value', { value: null }],
  ['a datum that is no hex', { inlineDatum: {}, inlineDatumRaw: 'zz' }],
  ['a datum that is cut off', { inlineDatum: {}, inlineDatumRaw: '9f' }],
  ['a datum hash of 31 bytes', { datumhash: 'ab'.repeat(31) }],
  ['a datum without its bytes', { inlineDatum: { int: 1 } }],
  ['a reference script', { referenceScript: { script: {} } }],
  ['a changed letter in the address', { address: ADDRESS.slice(0, -1) + (ADDRESS.endsWith('q') ? 'p' : 'q') }],
  ['the address of another network', { address: 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8' }],
  ['a number for an address', { address: 7 }]
]

it.each(FAULTS)('a genesis map is refused for %s, alone and behind a good output of the same address', (_, change) => {
  expect(() => start(plain(change))).toThrow(expect.any(LayerSdkError))
  expect(() => start(plain(), plain(change))).toThrow(expect.any(LayerSdkError))
})

it('a genesis map keeps outputs of one address as they are stated', () => {
  const token = { lovelace: 3_000_000, ['ab'.repeat(28)]: { cafe: 7 } }
  const node = start(
    plain(),
    plain({ value: { lovelace: 4_000_000 } }),
    plain({ value: token }),
    plain({ inlineDatum: { int: 0 }, inlineDatumRaw: '00' })
  )
  const stated = node.baseUtxos(ADDRESS).filter(({ input }) => input.txHash.startsWith('0'.repeat(60)))
  expect(stated.map(({ output }) => [output.amount, output.inlineDatum])).toEqual([
    [[{ unit: 'lovelace', quantity: '2000000' }], undefined],
    [[{ unit: 'lovelace', quantity: '4000000' }], undefined],
    [
      [
        { unit: 'lovelace', quantity: '3000000' },
        { unit: `${'ab'.repeat(28)}cafe`, quantity: '7' }
      ],
      undefined
    ],
    [[{ unit: 'lovelace', quantity: '2000000' }], '00']
  ])
})
