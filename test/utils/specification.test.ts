import * as utils from '../../src/utils/index'
import { describeWithShared, loadVectors, readShared } from '../support/vectors'

const KEY = '7453c6a919acef30c12d3621431a5067b8c61deb686d7bb993043963eb208b50'
const KEY_HASH = 'd602568790f7f5cb4bf709423fe92d4542db8bc77ef103a0f9da1f49'
const ADDRESS = 'addr_test1vrtqy458jrmltj6t7uy5y0lf94z59kutcal0zqaql8dp7jgz3zena'
const SCRIPT = `8200581c${KEY_HASH}`
const POLICY = '8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9'
const { mkBytes, mkInt } = utils

/**
 * A known result for each function of the table; how each was come by stands beside it where it is no vector of
 * ../shared.
 */
const KNOWN: Record<string, () => void> = {
  getPubkeyHashFromAddress: () => expect(utils.getPubkeyHashFromAddress(ADDRESS)).toBe(KEY_HASH),
  isValidAddress: () => {
    expect(utils.isValidAddress(ADDRESS)).toBe(true)
    expect(utils.isValidAddress(ADDRESS.replace('addr_test', 'addr'))).toBe(false)
  },
  isValidTxOutput: () => {
    expect(
      utils.isValidTxOutput({ address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '18446744073709551615' }] })
    ).toBe(true)
    expect(
      utils.isValidTxOutput({ address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '18446744073709551616' }] })
    ).toBe(false)
  },
  slotToBeginUnixTime: () => {
    expect(utils.slotToBeginUnixTime(4492800)).toBe(1596059091000)
    expect(utils.slotToBeginUnixTime(4492799)).toBe(1596059071000)
  },
  unixTimeToEnclosingSlot: () => {
    expect(utils.unixTimeToEnclosingSlot(1596059091000)).toBe(4492800)
    expect(utils.unixTimeToEnclosingSlot(1596059090999)).toBe(4492799)
  },
  resolveSlotNo: () => expect(utils.resolveSlotNo(1596059091999)).toBe('4492800'),
  resolveEpochNo: () => {
    expect(utils.resolveEpochNo(1596059091000)).toBe(208)
    expect(utils.resolveEpochNo(1596059090999)).toBe(207)
  },
  buildLayerSlotConfig: () => {
    const head = { zeroTime: 1700000000000, zeroSlot: 0, slotLength: 1000, startEpoch: 0, epochLength: 432000 }
    expect(utils.buildLayerSlotConfig(1700000000000)).toEqual(head)
    const before = Date.now()
    const { zeroTime } = utils.buildLayerSlotConfig()
    expect(zeroTime >= before && zeroTime <= Date.now()).toBe(true)
  },
  buildPolicyScriptFromPubkey: () => expect(utils.buildPolicyScriptFromPubkey(KEY)).toBe(SCRIPT),
  buildMintingPolicyScriptFromAddress: () => expect(utils.buildMintingPolicyScriptFromAddress(ADDRESS)).toBe(SCRIPT),
  buildMintingPolicyScriptFromKeyHash: () => expect(utils.buildMintingPolicyScriptFromKeyHash(KEY_HASH)).toBe(SCRIPT),
  policyIdFromNativeScript: () => expect(utils.policyIdFromNativeScript(SCRIPT)).toBe(POLICY),
  bytesToHex: () => expect(utils.bytesToHex(Uint8Array.of(0, 10, 255))).toBe('000aff'),
  hexToBytes: () => expect(utils.hexToBytes('000AfF')).toEqual(Uint8Array.of(0, 10, 255)),
  stringToHex: () => expect(utils.stringToHex('é€😀')).toBe('c3a9e282acf09f9880'),
  hexToString: () => expect(utils.hexToString('c3a9e282acf09f9880')).toBe('é€😀'),
  toBytes: () => {
    expect(utils.toBytes('cafe')).toEqual(Uint8Array.of(0xca, 0xfe))
    expect(utils.toBytes('caf')).toEqual(Uint8Array.of(0x63, 0x61, 0x66))
  },
  fromUTF8: () => expect(utils.fromUTF8('é')).toBe('c3a9'),
  toUTF8: () => expect(utils.toUTF8('c3a9')).toBe('é'),
  metadataObjToMetadatum: () => expect(utils.metadataObjToMetadatum([1, 'two', [3]]).toCbor()).toBe('83016374776f8103'),
  chainCliKeygen: () => {
    const { sk, vk } = utils.chainCliKeygen()
    expect([sk.type, vk.type]).toEqual(['PaymentSigningKeyShelley_ed25519', 'PaymentVerificationKeyShelley_ed25519'])
    expect([sk.description, vk.description]).toEqual(['Payment Signing Key', 'Payment Verification Key'])
    expect(sk.cborHex).toMatch(/^5820[0-9a-f]{64}$/)
    expect(utils.genVkey(sk)).toEqual(vk)
  },
  layerCliKeygen: () => {
    const { sk, vk } = utils.layerCliKeygen()
    expect([sk.type, vk.type]).toEqual(['HydraSigningKey_ed25519', 'HydraVerificationKey_ed25519'])
    expect(utils.genVkey(sk)).toEqual(vk)
  },
  genVkey: () => {
    const file = (type: string): Record<string, string> =>
      loadVectors('key_text_envelopes').find((vector) => vector.type === type)!
    const { type, description, cborHex, verificationKeyCborHex } = file('PaymentSigningKeyShelley_ed25519') as Record<
      string,
      string
    >
    expect(utils.genVkey({ type: type!, description: description!, cborHex: cborHex! }).cborHex).toBe(
      verificationKeyCborHex
    )
  },
  mkInt: () => expect(mkInt(42).toCbor()).toBe('182a'),
  mkBytes: () => expect(mkBytes('cafe').toCbor()).toBe('42cafe'),
  mkConstr: () => expect(utils.mkConstr(0, [mkInt(1)]).toCbor()).toBe('d8799f01ff'),
  mkMap: () =>
    expect(
      utils
        .mkMap([
          [mkInt(2), mkBytes('')],
          [mkInt(1), mkBytes('')]
        ])
        .toCbor()
    ).toBe('a202400140'),
  buildCostModels: () => {
    const models = utils.buildCostModels()
    const languages = ['PlutusV1', 'PlutusV2', 'PlutusV3'] as const
    expect(languages.map((language) => models.get(language)?.length)).toEqual([332, 332, 350])
    expect(models.languageViews(['PlutusV2'])).toMatch(/^a10199014c1a000189b4/)
  }
}

describeWithShared('the utility table of the specification', () => {
  it('has no row without a known result here', () => {
    const table = readShared('specification.md').split('### Core package: utility functions')[1]!.split('\n### ')[0]!
    const names = [...table.matchAll(/^\| (\w+) \|/gm)].map(([, name]) => name!).filter((name) => name !== 'Function')
    expect(names.sort()).toEqual(Object.keys(KNOWN).sort())
  })
})

describe('every utility function of the contract', () => {
  it.each(Object.keys(KNOWN))('%s is exported and gives a known result', (name) => {
    expect(utils).toHaveProperty(name)
    expect(KNOWN).toHaveProperty(name)
    expect.hasAssertions()
    KNOWN[name]!()
  })
})
