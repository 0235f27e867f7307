import { bech32 } from '@scure/base'
import {
  addressFromBytes,
  addressToString,
  baseAddress,
  enterpriseAddress,
  parseAddress,
  rewardAddress
} from '../../src/codec/address'
import { CborWriter } from '../../src/codec/cbor/writer'
import { crc32 } from '../../src/codec/crc32'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { runsInTime } from '../support/timing'
import { loadVectors } from '../support/vectors'

/** Vectors of cardano-addresses write test addresses with the prefix of mainnet; cardano-api calls those invalid. */
const hasForeignPrefix = ({ prefix, networkId }: Record<string, unknown>) =>
  (prefix === 'addr' || prefix === 'stake') && networkId === 0

describe('the address vectors', () => {
  it('parse with type, network and credentials, and come back as the same text', () => {
    for (const vector of loadVectors('addresses').filter((v) => v['valid'] && !hasForeignPrefix(v))) {
      const address = parseAddress(vector['address'])
      if (vector['networkId'] !== undefined) expect(address.networkId).toBe(vector['networkId'])
      // The ledger writes pointers that are too large for it as 0, 0, 0; an SDK keeps the bytes that the text holds.
      const hasHugePointer = address.pointer !== undefined && address.pointer.slot > 0xffffffffn
      if (vector['hex'] !== undefined && !hasHugePointer) expect(bytesToHex(address.bytes)).toBe(vector['hex'])
      expect(addressToString(address.bytes)).toBe(vector['address'])
    }
  })

  it('are refused where they are not valid, or their prefix is of another kind or network', () => {
    const refused = loadVectors('addresses').filter((v) => !v['valid'] || hasForeignPrefix(v))
    expect(refused.length).toBeGreaterThanOrEqual(20)
    for (const { address } of refused)
      expect(() => parseAddress(address)).toThrow(expect.objectContaining({ code: 'INPUT_ADDRESS' }))
  })
})

describe('the prefix of an address', () => {
  const prefixes = ['addr', 'addr_test', 'stake', 'stake_test']
  const hash = '11'.repeat(28)

  it.each([
    ['addr', `01${hash}${hash}`],
    ['addr_test', `30${hash}${hash}`],
    ['addr', `61${hash}`],
    ['addr_test', `70${hash}`],
    ['addr', `41${hash}000000`],
    ['stake', `e1${hash}`],
    ['stake', `f1${hash}`],
    ['stake_test', `e0${hash}`],
    ['stake_test', `f0${hash}`]
  ])('%s is the only one for the bytes %s: cardano-api compares kind and network (Bech32WrongPrefix)', (right, hex) => {
    for (const prefix of prefixes) {
      const text = bech32.encode(prefix, bech32.toWords(hexToBytes(hex)), false)
      if (prefix === right) expect(addressToString(parseAddress(text).bytes)).toBe(text)
      else
        expect(() => parseAddress(text)).toThrow(
          expect.objectContaining({ code: 'INPUT_ADDRESS', message: expect.stringContaining(`"${right}"`) })
        )
    }
  })
})

describe('Byron addresses', () => {
  const byron = (attributes: string, type: string): Uint8Array => {
    const payload = hexToBytes(`83581c${'11'.repeat(28)}${attributes}${type}`)
    return new CborWriter().array(2).tag(24).bytes(payload).uint(crc32(payload)).toBytes()
  }

  it.each([
    ['a0', '00', null],
    ['a0', '02', null],
    ['a10241' + '01', '00', 1]
  ])('with attributes %s and type %s are read', (attributes, type, magic) => {
    const address = addressFromBytes(byron(attributes, type))
    expect(address.byron).toEqual({ magic })
    expect(addressToString(parseAddress(addressToString(address.bytes)).bytes)).toBe(addressToString(address.bytes))
  })

  it.each([
    ['a0', '01'],
    ['a0', '03'],
    ['a0', '20'],
    ['a102420101', '00'],
    ['a10240', '00'],
    ['a1024161', '00']
  ])('with attributes %s and type %s are known to no ledger', (attributes, type) => {
    expect(() => addressFromBytes(byron(attributes, type))).toThrow(expect.objectContaining({ code: 'INPUT_ADDRESS' }))
  })

  it('of 16 KB become text without hanging', () => {
    const bytes = byron(`a101593e80${'07'.repeat(16_000)}`, '00')
    runsInTime(50, () => addressToString(bytes))
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

  it.each(['', '01', '90' + '00'.repeat(28), '61' + '00'.repeat(27), '41' + '00'.repeat(28) + '8080'])(
    'refuse the bytes %s',
    (hex) => {
      expect(() => addressFromBytes(hexToBytes(hex))).toThrow(expect.objectContaining({ code: 'INPUT_ADDRESS' }))
    }
  )
})
