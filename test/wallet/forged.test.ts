import { CborWriter } from '../../src/codec/cbor/writer'
import { parseAddress } from '../../src/codec/address'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { encodeCoseKey, sigStructure } from '../../src/crypto/cose'
import { AppWallet, verifyData } from '../../src/wallet/index'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'

const random = randomSource('forged')
const newWallet = () =>
  new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: AppWallet.brew(128).split(' ') } })

interface Header {
  algorithm: number | null
  address: Uint8Array | null
  keyId?: Uint8Array
}

const writeHeader = (writer: CborWriter, { algorithm, address, keyId }: Header, more = 0): CborWriter => {
  writer.map((algorithm === null ? 0 : 1) + (address === null ? 0 : 1) + (keyId === undefined ? 0 : 1) + more)
  if (algorithm !== null) writer.uint(1).int(algorithm)
  if (keyId !== undefined) writer.uint(4).bytes(keyId)
  if (address !== null) writer.text('address').bytes(address)
  return writer
}

/** A COSE_Sign1 of any shape, signed by whoever forges. */
function forge(
  sign: (bytes: Uint8Array) => Uint8Array,
  shape: {
    inside: Header
    outside: Header
    hashed: boolean
    payload: Uint8Array
    signedPayload?: Uint8Array
    signedHeader?: Uint8Array
  }
): string {
  const protectedHeader = writeHeader(new CborWriter(), shape.inside).toBytes()
  const signature = sign(sigStructure(shape.signedHeader ?? protectedHeader, shape.signedPayload ?? shape.payload))
  const writer = new CborWriter().array(4).bytes(protectedHeader)
  writeHeader(writer, shape.outside, 1).text('hashed').bool(shape.hashed)
  return writer.bytes(shape.payload).bytes(signature).toHex()
}

describe('forged data signatures', () => {
  it('accepts none, whatever was swapped', () => {
    const [victim, attacker] = [newWallet(), newWallet()]
    const nothing: Header = { algorithm: null, address: null }
    const victims = Array.from({ length: 8 }, (_, i) => victim.getAccount(0, i))
    const attackers = Array.from({ length: 8 }, (_, i) => attacker.getAccount(0, i))
    const bytesOf = (address: string): Uint8Array => parseAddress(address).bytes
    const keyOf = (hex: string): string => bytesToHex(encodeCoseKey(hexToBytes(hex)))
    let tried = 0
    for (let i = 0; i < scaled(100_000); i++) {
      const [own, theirs] = [random.pick(attackers), random.pick(victims)]
      const isReward = random.below(3) === 0
      const address = isReward
        ? theirs.rewardAddressBech32
        : random.pick([theirs.baseAddressBech32, theirs.enterpriseAddressBech32])
      const victimKey = isReward ? theirs.stakeKey : theirs.paymentKey
      const ownKey = random.pick([own.paymentKey, own.stakeKey])
      const payload = random.bytes(1 + random.below(40))
      const header: Header = { algorithm: -8, address: bytesOf(address) }
      const message = bytesToHex(payload)
      const honest = { inside: header, outside: nothing, hashed: false, payload }
      const ask = random.pick<() => boolean>([
        // The victim's address, the attacker's key: the classic forgery.
        () =>
          verifyData({
            signature: forge(ownKey.sign, honest),
            key: keyOf(ownKey.publicKeyHex),
            address,
            payload: message
          }),
        // The attacker's key id, and no key apart.
        () =>
          verifyData({
            signature: forge(ownKey.sign, { ...honest, inside: { ...header, keyId: hexToBytes(ownKey.publicKeyHex) } }),
            address,
            payload: message
          }),
        // The victim's key is named, the attacker signed.
        () =>
          verifyData({
            signature: forge(ownKey.sign, honest),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: message
          }),
        // The address header outside of what is signed, inside or not.
        () =>
          verifyData({
            signature: forge(ownKey.sign, {
              ...honest,
              inside: { ...header, address: bytesOf(own.baseAddressBech32) },
              outside: { algorithm: null, address: bytesOf(address) }
            }),
            key: keyOf(ownKey.publicKeyHex),
            address,
            payload: message
          }),
        () =>
          verifyData({
            signature: forge(victimKey.sign, {
              ...honest,
              inside: { algorithm: -8, address: null },
              outside: { algorithm: null, address: bytesOf(address) }
            }),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: message
          }),
        // The algorithm swapped, or outside.
        () =>
          verifyData({
            signature: forge(victimKey.sign, {
              ...honest,
              inside: { ...header, algorithm: random.pick([-7, -35, 5, 8, 0]) }
            }),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: message
          }),
        () =>
          verifyData({
            signature: forge(victimKey.sign, {
              ...honest,
              inside: { ...header, algorithm: null },
              outside: { algorithm: -8, address: null }
            }),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: message
          }),
        // Another payload than signed, than expected, or a hash that is none.
        () =>
          verifyData({
            signature: forge(victimKey.sign, { ...honest, signedPayload: random.bytes(payload.length) }),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: message
          }),
        () =>
          verifyData({
            signature: forge(victimKey.sign, honest),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: `${message}00`
          }),
        () =>
          verifyData({
            signature: forge(victimKey.sign, { ...honest, hashed: true }),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: message
          }),
        // An own signature for another address of the same wallet, and another expected address.
        () =>
          verifyData({
            signature: forge(victimKey.sign, {
              ...honest,
              inside: { ...header, address: bytesOf(own.baseAddressBech32) }
            }),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: message
          }),
        () =>
          verifyData({
            signature: forge(ownKey.sign, {
              ...honest,
              inside: { ...header, address: hexToBytes(victimKey.keyHashHex) }
            }),
            key: keyOf(ownKey.publicKeyHex),
            address,
            payload: message
          }),
        // The header was changed after signing.
        () =>
          verifyData({
            signature: forge(victimKey.sign, {
              ...honest,
              signedHeader: writeHeader(new CborWriter(), {
                ...header,
                address: bytesOf(own.baseAddressBech32)
              }).toBytes()
            }),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: message
          }),
        // A key id that names someone else.
        () =>
          verifyData({
            signature: forge(victimKey.sign, {
              ...honest,
              inside: { ...header, keyId: hexToBytes(ownKey.publicKeyHex) }
            }),
            key: keyOf(victimKey.publicKeyHex),
            address,
            payload: message
          })
      ])
      if (ask()) throw new Error(`forgery accepted: ${ask.toString()}`)
      tried++
    }
    expect(tried).toBe(scaled(100_000))
  }, 900_000)

  it('refuses a valid signature with any single byte changed', async () => {
    const wallet = newWallet()
    const address = wallet.getPaymentAddress()
    const { signature, key } = await wallet.signData(address, 'login 42')
    expect(verifyData({ signature, key, address, payload: 'login 42' })).toBe(true)
    for (const [what, hex] of [
      ['signature', signature],
      ['key', key]
    ] as const) {
      for (let at = 0; at < hex.length / 2; at++) {
        const bytes = hexToBytes(hex)
        bytes[at]! ^= 1 << random.below(8)
        const changed = { signature, key, address, payload: 'login 42', [what]: bytesToHex(bytes) }
        // Only labels that nothing depends on may change: the flag's name, and the algorithm's of the key. They are
        // unknown then.
        if (verifyData(changed))
          expect(bytesToHex(bytes)).toMatch(what === 'key' ? new RegExp(`${key.slice(-64)}$`) : /a166/)
      }
    }
  })

  it('takes the key hash or the public key as key id, and a hash as payload', async () => {
    const wallet = newWallet()
    const { paymentKey, baseAddressBech32: address } = wallet.getAccount()
    const base: Header = { algorithm: -8, address: parseAddress(address).bytes }
    const key = bytesToHex(encodeCoseKey(hexToBytes(paymentKey.publicKeyHex)))
    const payload = hexToBytes('deadbeef')
    for (const keyId of [base.address!, hexToBytes(paymentKey.publicKeyHex), hexToBytes(paymentKey.keyHashHex)]) {
      const signature = forge(paymentKey.sign, {
        inside: { ...base, keyId },
        outside: { algorithm: null, address: null },
        hashed: false,
        payload
      })
      expect(verifyData({ signature, key, address, payload: 'deadbeef' })).toBe(true)
      expect(verifyData({ signature, key, address, payload })).toBe(true)
    }
    const signature = forge(paymentKey.sign, {
      inside: { ...base, keyId: hexToBytes(paymentKey.publicKeyHex) },
      outside: { algorithm: null, address: null },
      hashed: false,
      payload
    })
    expect(verifyData({ signature, address, payload })).toBe(true)
  })

  it('returns false for anything malformed', () => {
    const bad: unknown[] = [
      undefined,
      null,
      1,
      {},
      { signature: 5 },
      { signature: '' },
      { signature: '84' },
      { signature: 'zz', key: 'a0' },
      { signature: '845840' }
    ]
    for (const options of bad) expect(verifyData(options as never)).toBe(false)
  })
})
