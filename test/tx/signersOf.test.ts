import { addressToString, enterpriseAddress } from '../../src/codec/address'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { nativeScriptHash } from '../../src/codec/nativeScript'
import { readTransaction } from '../../src/codec/transaction'
import { setVkeyWitnesses } from '../../src/codec/witnessSet'
import { blake2b224 } from '../../src/hash/blake2b'
import { signersOf, TxBuilder } from '../../src/tx'
import { nativeScriptFromJson } from '../../src/utils'
import type { UTxO } from '../../src/types/utxo'

const KEYS = [1, 2, 3, 4].map((fill) => {
  const vkey = new Uint8Array(32).fill(fill)
  return { vkey, hash: bytesToHex(blake2b224(vkey)) }
})
const [a, b, c, d] = KEYS as [(typeof KEYS)[0], (typeof KEYS)[0], (typeof KEYS)[0], (typeof KEYS)[0]]
const at = (kind: 'key' | 'script', hash: string): string => addressToString(enterpriseAddress(0, { kind, hash }))
let made = 0
const utxo = (address: string): UTxO => ({
  input: { txHash: (++made).toString(16).padStart(64, '0'), index: 0 },
  output: { address, amount: [{ unit: 'lovelace', quantity: '9000000' }] }
})
const sign = (cborHex: string, ...keys: (typeof KEYS)[0][]): string =>
  bytesToHex(
    setVkeyWitnesses(
      readTransaction(hexToBytes(cborHex)),
      keys.map(({ vkey }) => ({ vkey, signature: new Uint8Array(64) }))
    )
  )
const sig = ({ hash }: { hash: string }): { type: 'sig'; keyHash: string } => ({ type: 'sig', keyHash: hash })
const TWO_OF_THREE = nativeScriptFromJson({ type: 'atLeast', required: 2, scripts: [sig(a), sig(b), sig(c)] })
const HASH = nativeScriptHash(hexToBytes(TWO_OF_THREE))

describe('signersOf', () => {
  it('rejects what is no transaction and no outputs', () => {
    expect(() => signersOf(null as never, [])).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
    expect(() => signersOf('84', [])).toThrow(expect.objectContaining({ code: 'INPUT_CBOR' }))
    const { cborHex } = new TxBuilder()
      .spend([utxo(at('key', a.hash))])
      .changeTo(at('key', a.hash))
      .build()
    expect(() => signersOf(cborHex, null as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('names an input whose output is not known, and is never complete then', () => {
    const own = utxo(at('key', a.hash))
    const { cborHex } = new TxBuilder().spend([own]).changeTo(at('key', a.hash)).build()
    expect(signersOf(cborHex, [])).toMatchObject({ unknown: [`${own.input.txHash}#0`], complete: false, missing: [] })
  })

  it('says of each key why it signs, and whether it has', () => {
    const [first, second] = [utxo(at('key', a.hash)), utxo(at('key', b.hash))]
    const built = new TxBuilder().spend([first, second]).requireSigner(c.hash).changeTo(at('key', a.hash)).build()
    expect(signersOf(built, [first, second])).toEqual({
      signers: [
        {
          keyHash: a.hash,
          signed: false,
          needed: true,
          reasons: [{ kind: 'input', subject: `${first.input.txHash}#0` }]
        },
        {
          keyHash: b.hash,
          signed: false,
          needed: true,
          reasons: [{ kind: 'input', subject: `${second.input.txHash}#0` }]
        },
        { keyHash: c.hash, signed: false, needed: true, reasons: [{ kind: 'required', subject: null }] }
      ],
      missing: [a.hash, b.hash, c.hash],
      scripts: [],
      unknown: [],
      complete: false
    })
    const half = sign(built.cborHex, a, c)
    expect(signersOf(half, [first, second])).toMatchObject({ missing: [b.hash], complete: false })
    expect(signersOf(sign(half, b), [first, second])).toMatchObject({ missing: [], complete: true })
  })

  it('needs any two of three keys of a native script, and no key in particular', () => {
    const locked = utxo(at('script', HASH))
    const { cborHex } = new TxBuilder().attachScript(TWO_OF_THREE).spend([locked]).changeTo(at('key', d.hash)).build()
    const none = signersOf(cborHex, [locked])
    expect(none.signers.map(({ needed }) => needed)).toEqual([false, false, false])
    expect(none).toMatchObject({ missing: [], complete: false, scripts: [{ scriptHash: HASH, satisfied: false }] })
    expect(signersOf(sign(cborHex, a, d), [locked])).toMatchObject({ complete: false })
    for (const pair of [
      [a, b],
      [a, c],
      [b, c]
    ] as const)
      expect(signersOf(sign(cborHex, ...pair), [locked])).toMatchObject({ complete: true })
  })

  it('finds scripts of minted policies and of outputs that carry them, and keys that each way needs', () => {
    const script = nativeScriptFromJson({
      type: 'all',
      scripts: [sig(a), { type: 'any', scripts: [sig(b), sig(c)] }, { type: 'before', slot: 5 }]
    })
    const hash = nativeScriptHash(hexToBytes(script))
    const own = utxo(at('key', d.hash))
    const built = new TxBuilder()
      .attachScript(script)
      .spend([own])
      .mint(hash + 'aa', 5n)
      .changeTo(at('key', d.hash))
      .build()
    expect(signersOf(built, [own])).toMatchObject({ missing: [d.hash, a.hash], scripts: [{ satisfied: false }] })
    expect(signersOf(sign(built.cborHex, d, a, c), [own]).complete).toBe(true)
  })
})
