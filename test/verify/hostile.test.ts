import { ed25519, ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha512 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { ORDER } from '../../src/accumulator/polynomial'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { blake2b256 } from '../../src/hash/blake2b'
import {
  accumulate,
  partiesFromDatum,
  partiesFromHead,
  partiesFromHeadIsOpen,
  proveMembership,
  proveNonMembership,
  signedBytes,
  snapshotAccumulator,
  utxoHash,
  verifyMembership,
  verifyNonMembership,
  verifySnapshot,
  verifyUpdate
} from '../../src/verify'
import { codeOf } from '../support/codeOf'
import { scaled } from '../support/scale'
import { addressOf, OUTPUTS, PARTIES, sampleSnapshot, SECRETS, signedSample } from '../support/signedSnapshot'

const L = ed25519.Point.Fn.ORDER
const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${bytesToHex(bytes.slice().reverse())}`)
const scalarBytes = (n: bigint): Uint8Array => hexToBytes(n.toString(16).padStart(64, '0')).reverse()
const joined = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))
const hashOf = (point: string): string => bytesToHex(blake2b256(hexToBytes(point)))

describe('keys and signatures of a forger', () => {
  const IDENTITY = `01${'00'.repeat(31)}`

  it('are refused where the key is the identity, whose signatures anybody can make', async () => {
    const { snapshot, rule } = await signedSample('2.3')
    const forged = `${IDENTITY}${'00'.repeat(32)}`
    const message = hexToBytes(await signedBytes({ snapshot, rule }))
    expect(ed25519.verify(hexToBytes(forged), message, hexToBytes(IDENTITY))).toBe(true)
    expect(await verifySnapshot({ snapshot, rule, signatures: [forged], parties: [IDENTITY] })).toMatchObject({
      ok: false,
      reason: 'parties'
    })
    const { signatures } = await signedSample('2.3')
    expect(
      await verifySnapshot({ snapshot, rule, signatures: [forged, ...signatures], parties: [IDENTITY, ...PARTIES] })
    ).toMatchObject({
      ok: false,
      reason: 'parties'
    })
  })

  it('are refused where the key has a small order, in any encoding', async () => {
    const { snapshot, rule } = await signedSample('2.3')
    const odd = ['ee'.padEnd(62, 'f') + '7f', 'ed'.padEnd(62, 'f') + 'ff', `01${'00'.repeat(30)}80`, 'ff'.repeat(32)]
    for (const key of [...ED25519_TORSION_SUBGROUP, ...odd]) {
      expect(
        await verifySnapshot({ snapshot, rule, signatures: [`${IDENTITY}${'00'.repeat(32)}`], parties: [key] })
      ).toMatchObject({
        ok: false,
        reason: 'parties'
      })
    }
  })

  it('are refused where the key has a component of small order, which libsodium counts and noble does not', async () => {
    const { snapshot, rule } = await signedSample('2.3')
    const message = hexToBytes(await signedBytes({ snapshot, rule }))
    const { scalar } = ed25519.utils.getExtendedPublicKey(SECRETS[0]!)
    const key = ed25519.Point.BASE.multiply(scalar).add(ed25519.Point.fromHex(ED25519_TORSION_SUBGROUP[1]!)).toBytes()
    const R = ed25519.Point.BASE.multiply(12345n).toBytes()
    const S = (12345n + littleEndian(sha512(joined(R, key, message))) * scalar) % L
    const signature = joined(R, scalarBytes(S))
    expect(ed25519.verify(signature, message, key, { zip215: false })).toBe(true)
    expect(
      await verifySnapshot({ snapshot, rule, signatures: [bytesToHex(signature)], parties: [bytesToHex(key)] })
    ).toMatchObject({
      ok: false,
      reason: 'parties'
    })
  })

  it('are refused where R has a component of small order', async () => {
    const { snapshot, rule } = await signedSample('2.3')
    const message = hexToBytes(await signedBytes({ snapshot, rule }))
    const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(SECRETS[0]!)
    const R = ed25519.Point.BASE.multiply(12345n).add(ed25519.Point.fromHex(ED25519_TORSION_SUBGROUP[1]!)).toBytes()
    const S = (12345n + littleEndian(sha512(joined(R, pointBytes, message))) * scalar) % L
    const signature = joined(R, scalarBytes(S))
    expect(ed25519.verify(signature, message, pointBytes, { zip215: false })).toBe(true)
    expect(
      await verifySnapshot({ snapshot, rule, signatures: [bytesToHex(signature)], parties: [PARTIES[0]!] })
    ).toMatchObject({
      ok: false,
      reason: 'signature'
    })
  })

  it('are refused where S is not below L', async () => {
    const { snapshot, rule, signatures, parties } = await signedSample('2.3')
    const bytes = hexToBytes(signatures[1]!)
    const malleable = joined(bytes.slice(0, 32), scalarBytes(littleEndian(bytes.slice(32)) + L))
    expect(
      await verifySnapshot({
        snapshot,
        rule,
        parties,
        signatures: [signatures[0]!, bytesToHex(malleable), signatures[2]!]
      })
    ).toMatchObject({
      ok: false,
      reason: 'signature'
    })
  })

  it.each<[string, (signed: any) => void, string]>([
    [
      'no parties',
      (signed) => {
        signed.parties = []
        signed.signatures = []
      },
      'parties'
    ],
    ['parties that are no list', (signed) => (signed.parties = PARTIES[0]), 'parties'],
    ['more parties than any head has', (signed) => (signed.parties = Array(300).fill(PARTIES[0])), 'parties'],
    [
      'one party twice',
      (signed) => {
        signed.parties = [PARTIES[0], PARTIES[0]]
        signed.signatures.pop()
        signed.signatures[1] = signed.signatures[0]
      },
      'parties'
    ],
    ['a key in upper case', (signed) => (signed.parties[0] = signed.parties[0].toUpperCase()), 'parties'],
    ['a key of another length', (signed) => (signed.parties[0] += '00'), 'parties'],
    ['a signature less', (signed) => signed.signatures.pop(), 'signature'],
    ['a signature more', (signed) => signed.signatures.push(signed.signatures[0]), 'signature'],
    ['a signature in upper case', (signed) => (signed.signatures[0] = signed.signatures[0].toUpperCase()), 'signature'],
    ['a signature of another length', (signed) => (signed.signatures[0] += '00'), 'signature'],
    ['signatures that are no list', (signed) => (signed.signatures = { multiSignature: 'x' }), 'signature'],
    ['another order', (signed) => signed.signatures.reverse(), 'party-order'],
    ['a head id of 16 bytes', (signed) => (signed.snapshot.headId = '00'.repeat(16)), 'input'],
    ['an accumulator of 31 bytes', (signed) => (signed.snapshot.accumulator = '00'.repeat(31)), 'input'],
    ['a fraction for a version', (signed) => (signed.snapshot.version = 1.5), 'input'],
    ['a rounded number', (signed) => (signed.snapshot.number = 2 ** 53), 'input'],
    ['a negative number', (signed) => (signed.snapshot.number = -1), 'input'],
    ['the initial snapshot', (signed) => (signed.snapshot.number = 0), 'initial'],
    ['no version', (signed) => delete signed.snapshot.version, 'input'],
    ['an unknown rule', (signed) => (signed.rule = '2.5'), 'rule'],
    [
      'an unknown version of the node',
      (signed) => {
        delete signed.rule
        signed.nodeVersion = 'latest'
      },
      'rule'
    ],
    [
      'an accelerator that is none',
      (signed) => {
        signed.accelerator = {}
        delete signed.snapshot.accumulator
      },
      'input'
    ]
  ])('are refused with %s', async (_what, change, reason) => {
    const signed = await signedSample('2.3')
    change(signed)
    expect(await verifySnapshot(signed)).toMatchObject({ ok: false, reason })
  })
})

describe('outputs that the ledger cannot hold, or that contradict themselves', () => {
  const plain = { address: OUTPUTS[2]!.address, value: { lovelace: 1 } }
  const withDatum = OUTPUTS[3]!
  const policy = 'ab'.repeat(28)

  it.each<[string, unknown]>([
    ['a reward address', { ...plain, address: addressOf(`e0${'a1'.repeat(28)}`) }],
    ['an address that is none', { ...plain, address: 'addr_test1' }],
    ['no address', { value: { lovelace: 1 } }],
    ['a rounded amount', { ...plain, value: { lovelace: 2 ** 53 } }],
    ['a fraction', { ...plain, value: { lovelace: 1.5 } }],
    ['a negative amount', { ...plain, value: { lovelace: -1 } }],
    ['more than 64 bits', { ...plain, value: { lovelace: 2n ** 64n } }],
    ['a number with leading zeros', { ...plain, value: { lovelace: '01' } }],
    ['an endless number', { ...plain, value: { lovelace: '9'.repeat(1_000_000) } }],
    ['assets that are a number', { ...plain, value: { [policy]: 1 } }],
    ['a policy of another length', { ...plain, value: { ab: { '': 1 } } }],
    ['a policy in upper case', { ...plain, value: { [policy.toUpperCase()]: { '': 1 } } }],
    ['an asset name of 33 bytes', { ...plain, value: { [policy]: { ['00'.repeat(33)]: 1 } } }],
    ['half a byte for an asset name', { ...plain, value: { [policy]: { a: 1 } } }],
    ['both forms of a value', { ...plain, amount: [{ unit: 'lovelace', quantity: '1' }] }],
    ['neither form of a value', { address: plain.address }],
    [
      'a unit twice',
      {
        address: plain.address,
        amount: [
          { unit: 'lovelace', quantity: '1' },
          { unit: 'lovelace', quantity: '1' }
        ]
      }
    ],
    ['a datum hash beside an inline datum', { ...withDatum, datumhash: '00'.repeat(32) }],
    ['a datum beside its hash', { ...plain, datum: { int: 1 } }],
    ['a datum hash of another length', { ...plain, datumhash: '00' }],
    ['an inline datum of other bytes', { ...withDatum, inlineDatumRaw: 'd8799f0142beef' }],
    ['an inline datum without its bytes', { ...withDatum, inlineDatumRaw: null }],
    [
      'an inline datum that its bytes do not say',
      { ...withDatum, inlineDatum: { constructor: 0, fields: [{ int: 2 }, { bytes: 'beef' }] } }
    ],
    ['a hash that is not that of the inline datum', { ...withDatum, inlineDatumhash: '00'.repeat(32) }],
    [
      'a reference script of unknown type',
      { ...plain, referenceScript: { script: { type: 'PlutusScriptV4', cborHex: '4100' } } }
    ],
    [
      'a reference script whose language is another',
      {
        ...plain,
        referenceScript: {
          scriptLanguage: 'PlutusScriptLanguage PlutusScriptV1',
          script: { type: 'PlutusScriptV2', cborHex: '4100' }
        }
      }
    ],
    ['a reference script without bytes', { ...plain, referenceScript: { script: { type: 'PlutusScriptV2' } } }],
    [
      'a reference script with bytes to spare',
      { ...plain, referenceScript: { script: { type: 'PlutusScriptV2', cborHex: '410000' } } }
    ],
    ['nothing', null]
  ])('are refused: %s', async (_what, output) => {
    const key = `${'00'.repeat(32)}#0`
    expect(() => utxoHash({ [key]: output } as never)).toThrow(
      expect.objectContaining({ code: 'VERIFICATION', reason: 'output' })
    )
    const { snapshot, ...signed } = await signedSample('2.3')
    expect(
      await verifySnapshot({ snapshot: { ...snapshot, utxo: { [key]: output } as never }, ...signed })
    ).toMatchObject({ ok: false, reason: 'output' })
  })

  it.each([
    '',
    `${'00'.repeat(32)}#`,
    `${'00'.repeat(32)}#01`,
    `${'00'.repeat(32)}#65536`,
    `${'AA'.repeat(32)}#0`,
    `${'00'.repeat(31)}#0`,
    `${'00'.repeat(32)}#0 `
  ])('are refused under the input %j, which has another form', (key) => {
    expect(() => utxoHash({ [key]: plain })).toThrow(expect.objectContaining({ reason: 'output' }))
  })

  it('are refused where one input stands for two outputs', async () => {
    const key = `${'00'.repeat(32)}#0`
    const other = { ...plain, value: { lovelace: 2 } }
    await expect(
      snapshotAccumulator({ utxo: { [key]: plain }, utxoToDecommit: { [key]: other } })
    ).rejects.toMatchObject({ reason: 'output' })
    const same = await snapshotAccumulator({ utxo: { [key]: plain }, utxoToDecommit: { [key]: { ...plain } } })
    expect(same).toEqual(await snapshotAccumulator({ utxo: { [key]: plain } }))
    expect(() =>
      utxoHash(
        [0, 0].map((index) => ({
          input: { txHash: '00'.repeat(32), index },
          output: { address: plain.address, amount: [] }
        }))
      )
    ).toThrow(expect.objectContaining({ reason: 'output' }))
  })

  it('do not hang on data with cycles', () => {
    const cycle: { list: unknown[] } = { list: [] }
    cycle.list.push(cycle, cycle)
    const inlineDatumRaw = '9f9f9fffff9f9fffffff'
    expect(() => utxoHash({ [`${'00'.repeat(32)}#0`]: { ...plain, inlineDatumRaw, inlineDatum: cycle } })).toThrow(
      expect.objectContaining({ reason: 'output' })
    )
  })

  it('say nothing of outputs at Byron addresses: no proof of one, and their inputs in the verdict', async () => {
    const byron = { address: 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi', value: { lovelace: 5 } }
    const key = `${'00'.repeat(32)}#0`
    expect(utxoHash({ [key]: byron })).toBe(utxoHash({}))
    await expect(proveMembership({ utxo: { [key]: byron }, refs: [key] })).rejects.toMatchObject({ reason: 'output' })
    const { commitment, hash } = await snapshotAccumulator({ utxo: { [key]: byron } })
    expect(
      await verifyMembership({ commitment, accumulatorHash: hash, outputs: [byron], proof: commitment })
    ).toMatchObject({ ok: false, reason: 'output' })
    const { snapshot, signatures } = await signedSample('0.20-2.1')
    const verdict = await verifySnapshot({
      snapshot: { ...snapshot, utxo: { ...(snapshot.utxo as object), [key]: byron } },
      signatures,
      parties: PARTIES,
      rule: '0.20-2.1'
    })
    expect(verdict).toMatchObject({ ok: true, unproven: [key] })
  })
})

describe('points of a forger', () => {
  const {
    G1,
    fields: { Fp }
  } = bls12_381
  const P = Fp.ORDER
  const encode = (x: bigint, flags = 0x80): string => {
    const bytes = hexToBytes(x.toString(16).padStart(96, '0'))
    bytes[0]! |= flags
    return bytesToHex(bytes)
  }
  const curveX = (isIn: boolean): bigint => {
    for (let x = 1n; ; x++) {
      try {
        const y = Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n))
        if (G1.Point.fromAffine({ x, y }).isTorsionFree() === isIn) return x
      } catch {
        // Not on the curve.
      }
    }
  }
  const offCurve = (): bigint => {
    for (let x = 1n; ; x++) {
      try {
        Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n))
      } catch {
        return x
      }
    }
  }
  const INFINITY = `c0${'00'.repeat(47)}`
  const uncompressed = bytesToHex(G1.Point.BASE.toBytes(false))

  const points = (): [string, string, string][] => [
    ['infinity', INFINITY, 'infinity'],
    ['infinity with a sign', `e0${'00'.repeat(47)}`, 'infinity'],
    ['infinity with other bytes', `c0${'00'.repeat(46)}01`, 'infinity'],
    ['96 bytes, uncompressed', uncompressed, 'point'],
    ['48 bytes without the flag of compression', encode(curveX(false), 0), 'point'],
    ['infinity without the flag of compression', `40${'00'.repeat(47)}`, 'point'],
    ['x of p', encode(P), 'point'],
    ['x beyond p', encode(P + 5n), 'point'],
    ['a point off the curve', encode(offCurve()), 'point'],
    ['a point outside the subgroup', encode(curveX(false)), 'point'],
    ['upper-case hex', bytesToHex(G1.Point.BASE.toBytes(true)).toUpperCase(), 'point'],
    ['47 bytes', '97'.repeat(47), 'point'],
    ['nothing', '', 'point'],
    ['a number', 5 as never, 'point']
  ]

  it('are refused as commitments, though their hash is the signed one', async () => {
    for (const [name, point, reason] of points()) {
      const accumulatorHash = typeof point === 'string' && point.length % 2 === 0 ? hashOf(point) : '00'.repeat(32)
      expect([
        name,
        await verifyMembership({
          commitment: point,
          accumulatorHash,
          outputs: [OUTPUTS[0]!],
          proof: bytesToHex(G1.Point.BASE.toBytes(true))
        })
      ]).toMatchObject([name, { ok: false, reason }])
      const remainder = '01'.padStart(64, '0')
      expect([
        name,
        await verifyNonMembership({ commitment: point, accumulatorHash, output: OUTPUTS[0]!, proof: point, remainder })
      ]).toMatchObject([name, { ok: false, reason }])
      expect([name, await verifyUpdate({ before: point, after: point, removed: [], added: [] })]).toMatchObject([
        name,
        { ok: false, reason }
      ])
    }
  })

  it('are refused as proofs', async () => {
    const { utxo } = sampleSnapshot()
    const { commitment, hash: accumulatorHash } = await snapshotAccumulator({ utxo })
    for (const [name, proof, reason] of points()) {
      expect([
        name,
        await verifyMembership({ commitment, accumulatorHash, outputs: [OUTPUTS[0]!], proof })
      ]).toMatchObject([name, { ok: false, reason }])
      expect([name, await verifyUpdate({ before: commitment, after: proof, removed: [], added: [] })]).toMatchObject([
        name,
        { ok: false, reason }
      ])
    }
  })

  it('are refused where both are infinity, for which the bare equation holds', async () => {
    expect(
      await verifyMembership({
        commitment: INFINITY,
        accumulatorHash: hashOf(INFINITY),
        outputs: [OUTPUTS[0]!],
        proof: INFINITY
      })
    ).toMatchObject({
      ok: false,
      reason: 'infinity'
    })
  })

  it('are refused where the commitment is made up for the proof, and does not hash to the accumulator', async () => {
    const forged = await proveMembership({
      utxo: { [`${'00'.repeat(32)}#0`]: OUTPUTS[0]! },
      refs: [`${'00'.repeat(32)}#0`]
    })
    const { hash: accumulatorHash } = await snapshotAccumulator({ utxo: { [`${'00'.repeat(32)}#0`]: OUTPUTS[1]! } })
    expect(await verifyMembership({ ...forged, outputs: [OUTPUTS[0]!] })).toEqual({ ok: true })
    expect(await verifyMembership({ ...forged, accumulatorHash, outputs: [OUTPUTS[0]!] })).toMatchObject({
      ok: false,
      reason: 'accumulator'
    })
    const { commitment } = forged
    expect(
      await verifyUpdate({ before: commitment, after: commitment, removed: [], added: [], beforeHash: accumulatorHash })
    ).toMatchObject({
      ok: false,
      reason: 'accumulator'
    })
    expect(
      await verifyUpdate({ before: commitment, after: commitment, removed: [], added: [], afterHash: accumulatorHash })
    ).toMatchObject({
      ok: false,
      reason: 'accumulator'
    })
    const hash = forged.accumulatorHash
    expect(
      await verifyUpdate({
        before: commitment,
        after: commitment,
        removed: [],
        added: [],
        beforeHash: hash,
        afterHash: hash
      })
    ).toEqual({ ok: true })
  })

  it('are refused with a remainder of zero, of the order or beyond it, which would turn membership into absence', async () => {
    const { utxo } = sampleSnapshot()
    const [ref] = Object.keys(utxo as object)
    const member = await proveMembership({ utxo, refs: [ref!] })
    const output = (utxo as Record<string, never>)[ref!]!
    for (const remainder of [
      '0'.repeat(64),
      ORDER.toString(16),
      (ORDER + 1n).toString(16),
      'f'.repeat(64),
      '',
      '00',
      undefined as never
    ]) {
      expect(await verifyNonMembership({ ...member, output, remainder })).toMatchObject({
        ok: false,
        reason: 'remainder'
      })
    }
  })
})

describe('garbage', () => {
  const checks = { verifySnapshot, verifyMembership, verifyNonMembership, verifyUpdate } as Record<
    string,
    (input: never) => Promise<{ ok: boolean }>
  >
  const others = { accumulate, snapshotAccumulator, signedBytes, proveMembership, proveNonMembership } as Record<
    string,
    (input: never) => Promise<unknown>
  >
  const readers = { utxoHash, partiesFromDatum, partiesFromHead, partiesFromHeadIsOpen } as Record<
    string,
    (input: never) => unknown
  >

  const fields = [
    'snapshot',
    'signatures',
    'parties',
    'rule',
    'nodeVersion',
    'accumulator',
    'utxo',
    'utxoToCommit',
    'outputs',
    'output',
    'proof',
    'commitment',
    'accumulatorHash',
    'remainder',
    'before',
    'after',
    'removed',
    'added',
    'refs',
    'headId',
    'contents',
    'accelerator',
    'pendingHashes'
  ]
  const cyclic = ((): object => {
    const object: Record<string, unknown> = {}
    for (const field of fields) object[field] = object
    return object
  })()
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no')
      },
      ownKeys: () => {
        throw new Error('no')
      },
      has: () => {
        throw new Error('no')
      },
      getOwnPropertyDescriptor: () => {
        throw new Error('no')
      }
    }
  )
  const throwingProxy = Object.fromEntries(fields.map((field) => [field, throwing]))
  const getters = Object.defineProperties(
    {},
    Object.fromEntries(
      fields.map((field) => [
        field,
        {
          enumerable: true,
          get: () => {
            throw throwing
          }
        }
      ])
    )
  )
  const simple: unknown[] = [
    undefined,
    null,
    0,
    NaN,
    '',
    'x',
    1n,
    Symbol('x'),
    () => 1,
    [],
    [[]],
    cyclic,
    new Map(),
    new Date(NaN),
    Object.create(null)
  ]
  /** fast-check looks into its values, so these stand apart. */
  const special = [...simple, throwing, throwingProxy, getters]

  const garbage = fc.oneof(
    fc.constantFrom(...simple),
    fc.dictionary(
      fc.constantFrom(...fields),
      fc.oneof(fc.constantFrom(...simple), fc.anything({ withBigInt: true, withNullPrototype: true })),
      { maxKeys: 8 }
    )
  )

  it('gets a verdict from every check, never an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(checks)), garbage, async (name, input) => {
        expect(await checks[name]!(input as never)).toMatchObject({
          ok: false,
          reason: expect.any(String),
          detail: expect.any(String)
        })
      }),
      { numRuns: scaled(20_000) }
    )
    for (const check of Object.values(checks))
      for (const input of special) expect((await check(input as never)).ok).toBe(false)
  }, 300_000)

  it('gets nothing but typed errors from all else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(others)), garbage, async (name, input) => {
        await others[name]!(input as never).catch((error: unknown) =>
          expect(error).toMatchObject({ code: 'VERIFICATION' })
        )
      }),
      { numRuns: scaled(20_000) }
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(readers)), garbage, async (name, input) => {
        try {
          readers[name]!(input as never)
        } catch (error) {
          expect(error).toMatchObject({ code: 'VERIFICATION' })
        }
      }),
      { numRuns: scaled(20_000) }
    )
    for (const input of special) {
      for (const call of Object.values({ ...others, ...readers }))
        expect(['VERIFICATION', undefined]).toContain(await codeOf(() => call(input as never)))
    }
  }, 300_000)
})
