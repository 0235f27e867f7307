import { CborWriter } from '../../src/codec/cbor/writer'
import { addressToString, enterpriseAddress } from '../../src/codec/address'
import { bytesToHex } from '../../src/codec/hex'
import { publicKeyFromSeed, signWithSeed } from '../../src/crypto/ed25519'
import { sigStructure } from '../../src/crypto/cose'
import { blake2b224 } from '../../src/hash/blake2b'
import { verifyData } from '../../src/wallet'

const seed = new Uint8Array(32).fill(7)
const publicKey = publicKeyFromSeed(seed)
const hash = blake2b224(publicKey)
const address = enterpriseAddress(0, { kind: 'key', hash: bytesToHex(hash) })
const payload = Uint8Array.of(1, 2, 3)

/** COSE_Sign1 whose protected header holds `header` as its address, with `extra` items after the signature. */
function sign1({
  header = address,
  extra = 0,
  open = false,
  note = false
}: { header?: Uint8Array; extra?: number; open?: boolean; note?: boolean } = {}): string {
  const protectedHeader = new CborWriter().map(2).uint(1).int(-8).text('address').bytes(header).toBytes()
  const writer = open ? new CborWriter().arrayIndefinite() : new CborWriter().array(4 + extra)
  writer.bytes(protectedHeader).map(note ? 2 : 1)
  if (note) writer.text('note').array(2).text('any').uint(5)
  writer.text('hashed').bool(false).bytes(payload)
  writer.bytes(signWithSeed(sigStructure(protectedHeader, payload), seed))
  for (let i = 0; i < extra; i++) writer.uint(0)
  return (open ? writer.break() : writer).toHex()
}

/** COSE_Sign1 that says its payload is a hash; null: the payload is left out. */
function hashedSign1(inside: Uint8Array | null, signed: Uint8Array): string {
  const protectedHeader = new CborWriter().map(2).uint(1).int(-8).text('address').bytes(hash).toBytes()
  const writer = new CborWriter().array(4).bytes(protectedHeader).map(1).text('hashed').bool(true)
  return (inside === null ? writer.null() : writer.bytes(inside))
    .bytes(signWithSeed(sigStructure(protectedHeader, signed), seed))
    .toHex()
}

/** COSE_Key with these values for its labels. */
function coseKey({
  type = 1,
  curve = 6,
  algorithm = -8 as number | undefined,
  id = undefined as Uint8Array | undefined,
  operations = false
} = {}): string {
  const writer = new CborWriter()
    .map(3 + (algorithm === undefined ? 0 : 1) + (id === undefined ? 0 : 1) + (operations ? 1 : 0))
    .uint(1)
    .int(type)
  if (id !== undefined) writer.uint(2).bytes(id)
  if (algorithm !== undefined) writer.uint(3).int(algorithm)
  // RFC 9052, 7.1: key_ops, a list that says nothing about which key it is.
  if (operations) writer.uint(4).array(1).uint(2)
  return writer.int(-1).int(curve).int(-2).bytes(publicKey).toHex()
}

const check = (signature: string, key: string): boolean =>
  verifyData({ signature, key, address: addressToString(address), payload })

describe('forms of COSE', () => {
  it('a signature has four parts, in a list of either form', () => {
    expect(check(sign1(), coseKey())).toBe(true)
    expect(check(sign1({ open: true }), coseKey())).toBe(true)
    expect(check(sign1({ extra: 1 }), coseKey())).toBe(false)
    // An empty list is no signature, and what follows it is none of its parts.
    expect(check(`80${sign1().slice(2)}`, coseKey())).toBe(false)
  })

  it('a key is an octet key pair (1) of Ed25519 (6) for EdDSA (-8), which need not be named', () => {
    expect(check(sign1(), coseKey({ algorithm: undefined }))).toBe(true)
    expect(check(sign1(), coseKey({ type: 2 }))).toBe(false)
    expect(check(sign1(), coseKey({ curve: 7 }))).toBe(false)
    expect(check(sign1(), coseKey({ algorithm: -7 }))).toBe(false)
  })

  it('the protected header ends where its members do', () => {
    const header = new CborWriter().map(2).uint(1).int(-8).text('address').bytes(hash)
    const signed = (bytes: Uint8Array): string =>
      new CborWriter()
        .array(4)
        .bytes(bytes)
        .map(0)
        .bytes(payload)
        .bytes(signWithSeed(sigStructure(bytes, payload), seed))
        .toHex()
    expect(check(signed(header.toBytes()), coseKey())).toBe(true)
    expect(check(signed(Uint8Array.of(...header.toBytes(), 0)), coseKey())).toBe(false)
  })

  it('the header outside may have members that nothing depends on', () => {
    expect(check(sign1({ note: true }), coseKey())).toBe(true)
  })

  it('a hashed payload is 28 bytes, or left out where the expected one is given', () => {
    const digest = blake2b224(payload)
    const ask = (inside: Uint8Array | null, signed: Uint8Array, expected?: Uint8Array): boolean =>
      verifyData({
        signature: hashedSign1(inside, signed),
        key: coseKey(),
        address: addressToString(address),
        ...(expected === undefined ? {} : { payload: expected })
      })
    expect(ask(digest, digest, payload)).toBe(true)
    expect(ask(digest, digest)).toBe(true)
    expect(ask(null, digest, payload)).toBe(true)
    expect(ask(null, digest, Uint8Array.of(9))).toBe(false)
    expect(ask(null, digest)).toBe(false)
    // The message itself, called a hash.
    expect(ask(payload, payload)).toBe(false)
    expect(ask(payload, payload, payload)).toBe(false)
  })

  it('a key may have members that say nothing about which key it is', () => {
    expect(check(sign1(), coseKey({ operations: true }))).toBe(true)
  })

  it("a key's id names the key, its hash or the address, and nothing else", () => {
    for (const id of [publicKey, hash, address]) expect(check(sign1(), coseKey({ id }))).toBe(true)
    for (const id of [new Uint8Array(28), publicKey.slice(1), address.slice(0, 28)])
      expect(check(sign1(), coseKey({ id }))).toBe(false)
  })

  it("a header with the hash of the key stands for the address, as a Ledger's, and one with another hash does not", () => {
    expect(check(sign1({ header: hash }), coseKey())).toBe(true)
    expect(check(sign1({ header: new Uint8Array(28).fill(9) }), coseKey())).toBe(false)
  })
})
