import { addressFromBytes, addressToString, baseAddress, enterpriseAddress, parseAddress, rewardAddress } from '../../src/codec/address'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { describeWithShared, loadVectors } from '../support/vectors'

/** Vectors of cardano-addresses write test addresses with the prefix of mainnet; the contract (api.md) calls those invalid. */
const hasForeignPrefix = ({ prefix, networkId }: Record<string, unknown>) => (prefix === 'addr' || prefix === 'stake') && networkId === 0

/** A reward address written with the prefix of payment addresses: read, but written back with its own. */
const REWARD_UNDER_ADDR = 'addr1u8pcjgmx7962w6hey5hhsd502araxp26kdtgagakhaqtq8sxy9w7g'

describeWithShared('the address vectors', () => {
  it('parse with type, network and credentials, and come back as the same text', () => {
    for (const vector of loadVectors('addresses').filter((v) => v['valid'] && !hasForeignPrefix(v))) {
      const address = parseAddress(vector['address'])
      if (vector['networkId'] !== undefined) expect(address.networkId).toBe(vector['networkId'])
      // The ledger writes pointers that are too large for it as 0, 0, 0; an SDK keeps the bytes that the text holds.
      const hasHugePointer = address.pointer !== undefined && address.pointer.slot > 0xffffffffn
      if (vector['hex'] !== undefined && !hasHugePointer) expect(bytesToHex(address.bytes)).toBe(vector['hex'])
      if (vector['id'] !== REWARD_UNDER_ADDR) expect(addressToString(address.bytes)).toBe(vector['address'])
    }
  })

  it('are refused where they are not valid, or their prefix is of another network', () => {
    const refused = loadVectors('addresses').filter((v) => !v['valid'] || hasForeignPrefix(v))
    expect(refused).toHaveLength(59)
    for (const { address } of refused) expect(() => parseAddress(address)).toThrow(expect.objectContaining({ code: 'INPUT_ADDRESS' }))
  })
})

describe('addresses from hashes', () => {
  const key = { kind: 'key', hash: '11'.repeat(28) } as const
  const script = { kind: 'script', hash: '22'.repeat(28) } as const

  it.each([
    [baseAddress(0, key, key), '00', 'base'],
    [baseAddress(1, script, key), '11', 'base'],
    [baseAddress(1, key, script), '21', 'base'],
    [baseAddress(0, script, script), '30', 'base'],
    [enterpriseAddress(1, key), '61', 'enterprise'],
    [enterpriseAddress(0, script), '70', 'enterprise'],
    [rewardAddress(1, key), 'e1', 'reward'],
    [rewardAddress(0, script), 'f0', 'reward']
  ])('%# have the header of their kind', (bytes, header, type) => {
    expect(bytesToHex(bytes.subarray(0, 1))).toBe(header)
    expect(addressFromBytes(bytes).type).toBe(type)
  })

  it.each(['', '01', '90' + '00'.repeat(28), '61' + '00'.repeat(27), '41' + '00'.repeat(28) + '8080'])('refuse the bytes %s', (hex) => {
    expect(() => addressFromBytes(hexToBytes(hex))).toThrow(expect.objectContaining({ code: 'INPUT_ADDRESS' }))
  })
})
