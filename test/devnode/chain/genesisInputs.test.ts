import { DevNode } from '../../../src/devnode'
import { encodeTxOutput } from '../../../src/codec/txOutput'
import { bytesToHex } from '../../../src/codec/hex'
import { codeOf } from '../../support/codeOf'

const TX = 'ab'.repeat(32)
const ADDRESS = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const output = bytesToHex(encodeTxOutput({ address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '7000000' }] }))

it.each([
  ['an object', { txHash: TX, index: 3 }],
  ['a reference', `${TX.toUpperCase()}#3`],
  ['CBOR as hex', `825820${TX}03`],
  ['CBOR of indefinite length', `9f5820${TX}03ff`]
])('funds an output whose input is given as %s', async (_, input) => {
  const node = new DevNode({ genesis: [{ input, output }] })
  expect(node.baseUtxos(ADDRESS)).toMatchObject([{ input: { txHash: TX, index: 3 } }])
  await node.stop()
})

it.each([`${TX}`, `${TX}#`, `${TX}#-1`, `825820${TX}0300`, `815820${TX}`, `82581f${TX.slice(2)}03`, 'no', ''])(
  'refuses the text %j as an input, by its name',
  async (input) => {
    expect(await codeOf(() => new DevNode({ genesis: [{ input, output }] }))).toBe('INPUT_ARGUMENT')
    expect(() => new DevNode({ genesis: [{ input, output }] })).toThrow(/genesis\[0\]\.input/)
  }
)
