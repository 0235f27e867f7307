import { HeadAddresses } from '../../../src/bridge/head/HeadAddresses.js'
import { utxoFromJson } from '../../../src/bridge/protocol/utxoJson.js'
import { hashOf } from '../../support/sampleTx'

// CIP-19, test vectors: enterprise addresses of one key on both networks.
const MAIN = 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8'
const TEST = 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz'

const addressesOf = (networkId: number | null, followed?: readonly string[], holds = false): HeadAddresses =>
  new HeadAddresses({
    cache: { holds: () => holds, networkId },
    model: { slotZero: null },
    node: { connector: { addresses: followed } }
  })

it('an address of another network than the head is refused, whatever showed the network', () => {
  const outputs = utxoFromJson({ [`${hashOf(1)}#0`]: { address: TEST, value: { lovelace: 5n } } } as never)
  expect(() => addressesOf(0).resolve(MAIN)).toThrow('another network')
  const cold = addressesOf(null)
  expect(cold.resolve(MAIN)).toBe(MAIN)
  expect(() => cold.assertNetwork(MAIN, outputs)).toThrow('another network')
  expect(() => cold.assertNetwork(TEST, outputs)).not.toThrow()
})

it('an address that the connector does not follow is refused, unless it holds outputs', () => {
  expect(() => addressesOf(0, []).resolve(TEST)).toThrow('one of the addresses that the connector follows')
  expect(addressesOf(0, [TEST]).resolve(TEST)).toBe(TEST)
  expect(addressesOf(0, [], true).resolve(TEST)).toBe(TEST)
})
