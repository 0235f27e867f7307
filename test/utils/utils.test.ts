import fc from 'fast-check'
import { encodeBech32 } from '../../src/codec/bech32'
import { stringifyJson } from '../../src/codec/json'
import * as utils from '../../src/utils/index'
import { scaled } from '../support/scale'
import { runsInTime } from '../support/timing'

const KEY_HASH = 'd602568790f7f5cb4bf709423fe92d4542db8bc77ef103a0f9da1f49'
const SCRIPT_HASH = '8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9'
const ADDRESS = 'addr_test1vrtqy458jrmltj6t7uy5y0lf94z59kutcal0zqaql8dp7jgz3zena'
const BYRON = 'Ae2tdPwUPEZ6r6zbg4ibhFrNnyKHg7SYuPSfDpjKxgvwFX9LquRep7gj7FQ'
const withCode = (code: string) => expect.objectContaining({ code })

describe('converters', () => {
  it('take hex of either case and give it in lower case', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const hex = Buffer.from(bytes).toString('hex')
        expect(utils.bytesToHex(bytes)).toBe(hex)
        expect(utils.hexToBytes(hex.toUpperCase())).toEqual(bytes)
        expect(utils.toBytes(hex)).toEqual(bytes)
      }),
      { numRuns: scaled(5_000) }
    )
  })

  it('carry text through hex', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        expect(utils.hexToString(utils.stringToHex(text))).toBe(text)
        expect(utils.toUTF8(utils.fromUTF8(text))).toBe(text)
        expect(utils.stringToHex(text)).toBe(Buffer.from(text).toString('hex'))
      }),
      { numRuns: scaled(5_000) }
    )
  })

  it.each(['abc', '0x00', 'zz', ' 00', 'é0', '0'])('refuse %p as hex', (text) => {
    expect(() => utils.hexToBytes(text)).toThrow(withCode('INPUT_HEX'))
    expect(() => utils.hexToString(text)).toThrow(withCode('INPUT_HEX'))
    expect(utils.toBytes(text)).toEqual(new Uint8Array(Buffer.from(text)))
  })

  it.each(['ff', 'c3', 'eda080', 'f4908080', 'c080'])('refuse the bytes %s as text', (hex) => {
    expect(() => utils.toUTF8(hex)).toThrow(withCode('INPUT_UTF8'))
  })

  it('keep a byte order mark, refuse lone surrogates, and hand bytes through', () => {
    expect(utils.hexToString('efbbbf41')).toBe('\ufeffA')
    expect(() => utils.stringToHex('\ud800')).toThrow(withCode('INPUT_UTF8'))
    const bytes = Uint8Array.of(1)
    expect(utils.toBytes(bytes)).toBe(bytes)
    expect(utils.toBytes('')).toEqual(new Uint8Array(0))
    for (const wrong of [null, undefined, 5, {}])
      expect(() => utils.toBytes(wrong as string)).toThrow(withCode('INPUT_ARGUMENT'))
  })
})

describe('addresses', () => {
  it.each([
    undefined,
    null,
    5,
    {},
    '',
    'addr',
    'a'.repeat(1_000_000),
    '1'.repeat(1_000_000),
    ADDRESS.toUpperCase().replace('A', 'a')
  ])('a value that is none is not valid, and says so without hanging', (value) => {
    expect(utils.isValidAddress(value as string)).toBe(false)
    runsInTime(50, () => utils.isValidAddress(value as string))
  })

  it('have no other prefix, though one of theirs stands before it', () => {
    const bytes = utils.hexToBytes(`61${KEY_HASH}`)
    expect(utils.isValidAddress(encodeBech32('addr', bytes))).toBe(true)
    for (const prefix of ['addr1foo', 'addr1', 'stake1', 'addr_test1x', 'addr_', 'pool']) {
      expect(utils.isValidAddress(encodeBech32(prefix, bytes))).toBe(false)
    }
  })

  it('take upper case as bech32 does', () => expect(utils.isValidAddress(ADDRESS.toUpperCase())).toBe(true))

  it('have no key hash when a script or Byron holds them', () => {
    for (const address of [
      utils.scriptAddress(SCRIPT_HASH, 0),
      utils.scriptAddress(SCRIPT_HASH, 1, KEY_HASH),
      BYRON,
      'nonsense'
    ]) {
      expect(() => utils.getPubkeyHashFromAddress(address)).toThrow(withCode('INPUT_ADDRESS'))
    }
    expect(utils.getPubkeyHashFromAddress(utils.buildRewardAddress(0, KEY_HASH))).toBe(KEY_HASH)
    expect(
      utils.getPubkeyHashFromAddress(utils.buildBaseAddress(1, KEY_HASH, { kind: 'script', hash: SCRIPT_HASH }))
    ).toBe(KEY_HASH)
  })

  it('are built with their credentials', () => {
    const script = { kind: 'script', hash: SCRIPT_HASH } as const
    expect(utils.buildEnterpriseAddress(0, KEY_HASH)).toBe(ADDRESS)
    expect(utils.addressInfo(utils.scriptAddress(SCRIPT_HASH, 1, script))).toMatchObject({
      networkId: 1,
      payment: script,
      stake: script
    })
    expect(() => utils.buildEnterpriseAddress(2 as 0, KEY_HASH)).toThrow(withCode('INPUT_ARGUMENT'))
    expect(() => utils.buildEnterpriseAddress(0, 'ab')).toThrow(withCode('INPUT_HEX'))
    expect(() => utils.buildEnterpriseAddress(0, { kind: 'other' as 'key', hash: KEY_HASH })).toThrow(
      withCode('INPUT_ARGUMENT')
    )
  })
})

describe('isValidTxOutput', () => {
  const unit = `${SCRIPT_HASH}cafe`
  const lovelace = { unit: 'lovelace', quantity: '1000000' }
  const output = { address: ADDRESS, amount: [lovelace, { unit, quantity: '1' }] }

  it.each([
    output,
    { ...output, address: BYRON },
    { ...output, datumHash: 'ab'.repeat(32) },
    { ...output, inlineDatum: 'd87980', datumHash: null },
    { ...output, amount: [{ unit: 'lovelace', quantity: '0' }] },
    { ...output, amount: [{ unit: SCRIPT_HASH, quantity: '18446744073709551615' }] },
    { ...output, amount: [{ unit: SCRIPT_HASH + 'aB'.repeat(32), quantity: '1' }] }
  ])('accepts %j', (value) => expect(utils.isValidTxOutput(value)).toBe(true))

  it.each([
    null,
    undefined,
    'x',
    {},
    { ...output, address: 'addr1' },
    { ...output, address: utils.buildRewardAddress(0, KEY_HASH) },
    { ...output, amount: [] },
    { ...output, amount: {} },
    { ...output, amount: [null] },
    { ...output, amount: new Array(1) },
    { ...output, amount: [lovelace, lovelace] },
    {
      ...output,
      amount: [
        { unit, quantity: '1' },
        { unit: unit.toUpperCase(), quantity: '1' }
      ]
    },
    { ...output, amount: [{ unit: 'lovelace', quantity: 1 }] },
    ...['-1', '1.0', '1e3', ' 1', '', '0x1', '01', '18446744073709551616'].map((quantity) => ({
      ...output,
      amount: [{ unit: 'lovelace', quantity }]
    })),
    { ...output, amount: [{ unit, quantity: '0' }] },
    ...['ada', SCRIPT_HASH.slice(2), `${SCRIPT_HASH}abc`, SCRIPT_HASH + '00'.repeat(33), 'g'.repeat(56)].map(
      (other) => ({
        ...output,
        amount: [{ unit: other, quantity: '1' }]
      })
    ),
    { ...output, datumHash: 'ab' },
    { ...output, inlineDatum: '' },
    { ...output, datumHash: 'ab'.repeat(32), inlineDatum: 'd87980' }
  ])('refuses %j', (value) => expect(utils.isValidTxOutput(value)).toBe(false))

  it('never throws, whatever comes', () => {
    const hostile = new Proxy({}, { get: () => { throw new Error('no') } }) // prettier-ignore
    expect(utils.isValidTxOutput(hostile)).toBe(false)
    fc.assert(
      fc.property(
        fc.anything(),
        (value) =>
          typeof utils.isValidTxOutput(value) === 'boolean' &&
          typeof utils.isValidAddress(value as string) === 'boolean'
      ),
      { numRuns: scaled(20_000) }
    )
  })
})

describe('slots', () => {
  const { MAINNET, PREPROD, PREVIEW } = utils.SLOT_CONFIG

  it.each([
    ['mainnet', MAINNET],
    ['preprod', PREPROD],
    ['preview', PREVIEW],
    ['a head', utils.buildLayerSlotConfig(1_700_000_000_123)]
  ])('of %s and times agree both ways, and epochs never step back', (_, config) => {
    fc.assert(
      fc.property(fc.nat(200_000_000), fc.nat(999), (slot, extra) => {
        const begin = utils.slotToBeginUnixTime(slot, config)
        expect(utils.unixTimeToEnclosingSlot(begin, config)).toBe(slot)
        expect(utils.unixTimeToEnclosingSlot(begin + extra, config)).toBe(slot)
        expect(utils.unixTimeToEnclosingSlot(utils.slotToBeginUnixTime(slot + 1, config) - 1, config)).toBe(slot)
        const [here, next] = [utils.slotToEpochNo(slot, config), utils.slotToEpochNo(slot + 1, config)]
        expect(
          next.epochSlot === here.epochSlot + 1
            ? next.epoch === here.epoch
            : next.epochSlot === 0 && next.epoch === here.epoch + 1
        ).toBe(true)
      }),
      { numRuns: scaled(10_000) }
    )
  })

  it('have exact edges at the Shelley start', () => {
    expect([utils.slotToEpochNo(4_492_799), utils.slotToEpochNo(4_492_800)]).toEqual([
      { epoch: 207, epochSlot: 21_599 },
      { epoch: 208, epochSlot: 0 }
    ])
    expect([PREPROD.zeroTime - 1, PREPROD.zeroTime].map((time) => utils.resolveSlotNo(time, 'preprod'))).toEqual([
      '86399',
      '86400'
    ])
    expect([PREPROD.zeroTime - 1, PREPROD.zeroTime].map((time) => utils.resolveEpochNo(time, 'preprod'))).toEqual([
      3, 4
    ])
    expect(utils.slotToBeginUnixTime(86_399, { ...PREPROD })).toBe(PREPROD.zeroTime - 20_000)
  })

  it.each([
    ['a negative slot', () => utils.slotToBeginUnixTime(-1)],
    ['half a slot', () => utils.slotToBeginUnixTime(0.5)],
    ['NaN', () => utils.unixTimeToEnclosingSlot(NaN)],
    ['text', () => utils.unixTimeToEnclosingSlot('1' as never)],
    ['a time before mainnet', () => utils.resolveSlotNo(1_506_203_090_999)],
    ['a time before preview', () => utils.resolveEpochNo(PREVIEW.zeroTime - 1, 'preview')],
    ['a time before a head', () => utils.unixTimeToEnclosingSlot(999, utils.buildLayerSlotConfig(1000))],
    ['a slot before the eras a configuration knows', () => utils.slotToBeginUnixTime(5, { ...MAINNET, zeroTime: 0 })],
    ['an unknown network', () => utils.resolveSlotNo(Date.now(), 'sanchonet' as never)],
    ['__proto__', () => utils.resolveSlotNo(Date.now(), '__proto__' as never)],
    ['a configuration without length', () => utils.slotToBeginUnixTime(0, { ...PREVIEW, slotLength: 0 })],
    ['a time that no slot number reaches', () => utils.resolveSlotNo(1e300)],
    ['a head that begins at NaN', () => utils.buildLayerSlotConfig(NaN)]
  ])('refuse %s with a typed error', (_, run) => expect(run).toThrow(withCode('INPUT_ARGUMENT')))

  it('begin at the start of mainnet', () => expect(utils.resolveSlotNo(1_506_203_091_000)).toBe('0'))
})

describe('scripts', () => {
  it('hash the same with one byte string around them or two', () => {
    const single = '4d01000033222220051200120011'
    expect(utils.plutusScriptHash(`4e${single}`, 'PlutusV1')).toBe(utils.plutusScriptHash(single, 'PlutusV1'))
    // The always-succeeds script of cardano-node's documentation, whose hash its address shows.
    expect(utils.plutusScriptHash(single, 'PlutusV1')).toBe('67f33146617a5e61936081db3b2117cbf59bd2123748f58ac9678656')
    expect(
      new Set(
        (['PlutusV1', 'PlutusV2', 'PlutusV3'] as const).map((language) => utils.plutusScriptHash(single, language))
      ).size
    ).toBe(3)
  })

  it('refuse another language, other keys and what is no script', () => {
    for (const language of ['PlutusV4', 'V1', '__proto__', undefined]) {
      expect(() => utils.plutusScriptHash('4101', language as never)).toThrow(withCode('INPUT_ARGUMENT'))
    }
    expect(() => utils.buildPolicyScriptFromPubkey('ab')).toThrow(withCode('INPUT_HEX'))
    expect(() => utils.buildMintingPolicyScriptFromKeyHash('ab')).toThrow(withCode('INPUT_HEX'))
    expect(() => utils.policyIdFromNativeScript('820700')).toThrow(withCode('INPUT_CBOR'))
    expect(() => utils.nativeScriptFromJson('{')).toThrow(withCode('INPUT_JSON'))
    expect(() => utils.nativeScriptFromJson({ type: 'sig' } as never)).toThrow(withCode('INPUT_NATIVE_SCRIPT'))
    expect(() => utils.nativeScriptFromJson({ type: 'all', scripts: new Array(1) })).toThrow(
      withCode('INPUT_NATIVE_SCRIPT')
    )
    // A number of 56 digits is no key hash.
    expect(() => utils.nativeScriptFromJson(`{"type":"sig","keyHash":${'1'.repeat(56)}}`)).toThrow(
      withCode('INPUT_NATIVE_SCRIPT')
    )
  })

  it('keep slots beyond 2^53', () => {
    const text = '{"type":"after","slot":18446744073709551615}'
    expect(stringifyJson(utils.nativeScriptToJson(utils.nativeScriptFromJson(text)))).toBe(text)
  })
})

describe('assets and governance ids', () => {
  it('refuse what has the wrong length', () => {
    expect(() => utils.assetFingerprint('ab')).toThrow(withCode('INPUT_ARGUMENT'))
    expect(() => utils.assetFingerprint(SCRIPT_HASH, '00'.repeat(33))).toThrow(withCode('INPUT_ARGUMENT'))
    for (const label of [-1, 65_536, 1.5, NaN])
      expect(() => utils.encodeAssetLabel(label)).toThrow(withCode('INPUT_ARGUMENT'))
  })

  it('give every label back', () => {
    for (let label = 0; label <= 0xffff; label += 7)
      expect(utils.decodeAssetLabel(`${utils.encodeAssetLabel(label)}00ff`)).toBe(label)
    expect(utils.decodeAssetLabel('')).toBeNull()
  })

  it('tell roles and kinds apart', () => {
    for (const role of ['drep', 'cc_cold', 'cc_hot'] as const) {
      for (const kind of ['key', 'script'] as const) {
        for (const format of ['CIP-105', 'CIP-129'] as const) {
          const id = { role, kind, hash: KEY_HASH, format }
          expect(utils.decodeGovernanceId(utils.encodeGovernanceId(role, id, format))).toEqual(id)
        }
      }
    }
    expect(() => utils.decodeGovernanceId(ADDRESS)).toThrow(withCode('INPUT_BECH32'))
    expect(() => utils.encodeGovernanceId('spo' as never, { kind: 'key', hash: KEY_HASH })).toThrow(
      withCode('INPUT_ARGUMENT')
    )
    expect(() => utils.encodeGovernanceId('drep', { kind: 'pool' as never, hash: KEY_HASH })).toThrow(
      withCode('INPUT_ARGUMENT')
    )
    expect(() => utils.encodeGovernanceId('drep', { kind: 'key', hash: KEY_HASH }, 'CIP-5' as never)).toThrow(
      withCode('INPUT_ARGUMENT')
    )
  })

  it('write governance actions as CIP-129 shows', () => {
    expect(utils.encodeGovernanceActionId('00'.repeat(32), 17)).toBe(
      'gov_action1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpzklpgpf'
    )
    for (const index of [0, 255, 256, 65_535]) {
      expect(utils.decodeGovernanceActionId(utils.encodeGovernanceActionId('ab'.repeat(32), index))).toEqual({
        txHash: 'ab'.repeat(32),
        index
      })
    }
    expect(() => utils.decodeGovernanceActionId(ADDRESS)).toThrow(withCode('INPUT_BECH32'))
    expect(() => utils.encodeGovernanceActionId('ab'.repeat(32), 65_536)).toThrow(withCode('INPUT_ARGUMENT'))
  })
})

describe('PlutusData builders', () => {
  it.each([
    ['false', () => utils.mkBool(false), 'd87980'],
    ['true', () => utils.mkBool(true), 'd87a80'],
    ['none', () => utils.mkOption(), 'd87a80'],
    ['null', () => utils.mkOption(null), 'd87a80'],
    ['some', () => utils.mkOption(utils.mkInt(1)), 'd8799f01ff'],
    ['a list', () => utils.mkList([utils.mkInt(1)]), '9f01ff'],
    ['an output reference', () => utils.mkOutputReference('ab'.repeat(32), 1), `d8799f5820${'ab'.repeat(32)}01ff`],
    [
      'one of PlutusV2',
      () => utils.mkOutputReference('ab'.repeat(32), 1, 'PlutusV2'),
      `d8799fd8799f5820${'ab'.repeat(32)}ff01ff`
    ],
    ['an enterprise address', () => utils.mkAddress(ADDRESS), `d8799fd8799f581c${KEY_HASH}ffd87a80ff`],
    [
      'a base address',
      () => utils.mkAddress(utils.scriptAddress(SCRIPT_HASH, 0, KEY_HASH)),
      `d8799fd87a9f581c${SCRIPT_HASH}ffd8799fd8799fd8799f581c${KEY_HASH}ffffffff`
    ],
    [
      'a pointer address',
      () => utils.mkAddress('addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k'),
      'd8799fd8799f581c9493315cd92eb5d8c4304e67b7e16ae36d61d34502694657811a2c8effd8799fd87a9f1a00261ec3181b03ffffff'
    ]
  ])('write %s as PlutusLedgerApi does', (_, make, cbor) => expect(make().toCbor()).toBe(cbor))

  it('refuse what only looks like a boolean, a language or an index', () => {
    expect(() => utils.mkBool('false' as never)).toThrow(withCode('INPUT_ARGUMENT'))
    expect(() => utils.mkOutputReference('ab'.repeat(32), -1)).toThrow(withCode('INPUT_ARGUMENT'))
    expect(() => utils.mkOutputReference('ab'.repeat(32), 0, 'PlutusV9' as never)).toThrow(withCode('INPUT_ARGUMENT'))
  })

  it('refuse an array with holes before they read on', () => {
    const holes = Object.assign([], { length: 2 ** 32 - 1 })
    for (const make of [() => utils.mkList(holes), () => utils.mkMap(holes), () => utils.mkConstr(0, holes)])
      expect(make).toThrow(withCode('INPUT_ARGUMENT'))
  })

  it('know no form of reward and Byron addresses', () => {
    for (const address of [BYRON, utils.buildRewardAddress(0, KEY_HASH)])
      expect(() => utils.mkAddress(address)).toThrow(withCode('INPUT_ADDRESS'))
  })
})

describe('metadata', () => {
  it('becomes auxiliary data under labels', () => {
    expect(utils.buildAuxiliaryData({ 674: { msg: ['hi'] } })).toBe('a11902a2a1636d7367816268' + '69')
    expect(utils.buildAuxiliaryData(new Map([[2n ** 64n - 1n, 1]]))).toBe('a11bffffffffffffffff01')
    for (const label of ['x', '-1', '1.5', '18446744073709551616']) {
      expect(() => utils.buildAuxiliaryData({ [label]: 1 })).toThrow(withCode('INPUT_ARGUMENT'))
    }
    expect(() => utils.buildAuxiliaryData({ 1: { a: null as never } })).toThrow(
      expect.objectContaining({ path: 'metadata[1].a' })
    )
    for (const other of [utils.metadataObjToMetadatum({ 674: 1 }), new Date(), new Set([1]), [1]]) {
      expect(() => utils.buildAuxiliaryData(other as never)).toThrow(withCode('INPUT_ARGUMENT'))
    }
    // prettier-ignore
    expect(() => utils.buildAuxiliaryData(new Map<number | bigint, number>([[1, 1], [1n, 2]]))).toThrow(withCode('INPUT_ARGUMENT'))
    expect(() => utils.auxiliaryDataHash('a0a0')).toThrow(withCode('INPUT_CBOR'))
  })
})

describe('key generators', () => {
  it('give another key each time', () => {
    const keys = Array.from({ length: 20 }, () => utils.chainCliKeygen().sk.cborHex)
    expect(new Set(keys).size).toBe(20)
  })

  it('need Web Crypto and say so', () => {
    const crypto = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
    try {
      expect(() => utils.layerCliKeygen()).toThrow(withCode('RUNTIME_UNSUPPORTED'))
    } finally {
      Object.defineProperty(globalThis, 'crypto', crypto)
    }
  })

  it('give the verification key of a file in its text too, of the same role', () => {
    const sk = {
      type: 'StakeSigningKeyShelley_ed25519',
      description: 'Stake Signing Key',
      cborHex: `5820${'07'.repeat(32)}`
    }
    expect(utils.genVkey(JSON.stringify(sk) as never)).toEqual(utils.genVkey(sk))
    expect(utils.genVkey(sk)).toMatchObject({
      type: 'StakeVerificationKeyShelley_ed25519',
      description: 'Stake Verification Key'
    })
  })

  it('refuse an extended key whose public part is another one, without repeating it', () => {
    const cborHex = `5880${'40'.repeat(64)}${'00'.repeat(64)}`
    expect(() =>
      utils.genVkey({ type: 'PaymentExtendedSigningKeyShelley_ed25519_bip32', description: '', cborHex })
    ).toThrow(withCode('INPUT_KEY_FILE'))
    expect(() =>
      utils.genVkey({
        type: 'PaymentVerificationKeyShelley_ed25519',
        description: '',
        cborHex: `5820${'40'.repeat(32)}`
      })
    ).toThrow(withCode('INPUT_KEY_FILE'))
  })
})
