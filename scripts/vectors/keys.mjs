// Figures about keys: derivation, signatures, key files, signed messages. All by cardano-serialization-lib and OpenSSL.
import { createPublicKey, verify as verifyWithOpenSsl } from 'node:crypto'
import CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { blake2b } from '@cardano-sdk/crypto'
import { bech32 } from '@scure/base'
import { bytesOf, cbor, hexOf, seeded } from './seeded.mjs'

const HARD = 0x80000000
const blake = (bytes, length) => blake2b.hash(hexOf(bytes), length)
const xprv96 = (key) => hexOf(key.as_bytes())
const bech = (prefix, bytes) => bech32.encode(prefix, bech32.toWords(bytes), false)
const derive = (key, path) => path.reduce((parent, index) => parent.derive(index), key)
const wordsOf = (published) => published.map(({ entropyHex, mnemonic }) => ({ entropy: bytesOf(entropyHex), mnemonic }))

/**
 * Phrases come from the published set, whose entropy is known: no phrase is made with code that the package uses
 * itself.
 */
export function wallets(published) {
  const random = seeded('wallets')
  const phrases = wordsOf(published.bip39_english)
  return Array.from({ length: 36 }, (_, i) => {
    const { entropy, mnemonic } = phrases[i % phrases.length]
    const passphraseUtf8 = random.pick(['', '', 'TREZOR', 'pä55 wörd'])
    const [accountIndex, keyIndex, stakeIndex] =
      i === 0 ? [0, 0, 0] : [random.below(4), random.below(2000), random.below(3)]
    const root = CSL.Bip32PrivateKey.from_bip39_entropy(entropy, new Uint8Array(Buffer.from(passphraseUtf8)))
    const account = derive(root, [1852 + HARD, 1815 + HARD, accountIndex + HARD])
    const [payment, change, stake, drep] = [
      [0, keyIndex],
      [1, keyIndex],
      [2, stakeIndex],
      [3, 0]
    ].map((path) => derive(account, path))
    const pub = (key) => key.to_public().to_raw_key()
    const credential = (key) => CSL.Credential.from_keyhash(pub(key).hash())
    const on = (networkId) => ({
      base: CSL.BaseAddress.new(networkId, credential(payment), credential(stake)).to_address().to_bech32(),
      enterprise: CSL.EnterpriseAddress.new(networkId, credential(payment)).to_address().to_bech32(),
      reward: CSL.RewardAddress.new(networkId, credential(stake)).to_address().to_bech32()
    })
    return {
      id: `wallet-${i}`,
      kind: 'wallet',
      mnemonic,
      passphraseUtf8,
      accountIndex,
      keyIndex,
      stakeIndex,
      rootXprvHex: xprv96(root),
      rootXprvBech32: bech('xprv', root.as_bytes()),
      accountXprvHex: xprv96(account),
      accountXpubHex: hexOf(account.to_public().as_bytes()),
      paymentXprvHex: xprv96(payment),
      stakeXprvHex: xprv96(stake),
      paymentPubHex: hexOf(pub(payment).as_bytes()),
      changePubHex: hexOf(pub(change).as_bytes()),
      stakePubHex: hexOf(pub(stake).as_bytes()),
      drepPubHex: hexOf(pub(drep).as_bytes()),
      paymentKeyHash: pub(payment).hash().to_hex(),
      stakeKeyHash: pub(stake).hash().to_hex(),
      testnet: on(0),
      mainnet: on(1)
    }
  })
}

export function masterKeys(published) {
  const random = seeded('master keys')
  return wordsOf(published.bip39_english).flatMap(({ entropy, mnemonic }, i) =>
    ['', random.pick(['x', 'ünï', 'a longer passphrase, with spaces'])].map((passphraseUtf8) => {
      const key = CSL.Bip32PrivateKey.from_bip39_entropy(entropy, new Uint8Array(Buffer.from(passphraseUtf8)))
      return {
        id: `icarus-${i}-${passphraseUtf8.length}`,
        style: 'icarus',
        mnemonic,
        passphraseUtf8,
        masterKeyHex: xprv96(key),
        xprvBech32: bech('xprv', key.as_bytes())
      }
    })
  )
}

/** Published phrases, broken in the three ways that have a reason of their own. */
export function badPhrases(published) {
  return published.bip39_english.flatMap(({ mnemonic }, i) => {
    const words = mnemonic.split(' ')
    // The last word holds the checksum. Chance makes another word right once in 16 to 256: the tests of the phrases
    // would say so.
    const other = words.at(-1) === 'zoo' ? 'abandon' : 'zoo'
    return [
      { id: `words-${i}`, kind: 'invalid', reason: 'word count', mnemonic: words.slice(1).join(' ') },
      { id: `list-${i}`, kind: 'invalid', reason: 'word not in list', mnemonic: [...words.slice(1), 'zzzz'].join(' ') },
      ...(i % 5 === 0
        ? [
            {
              id: `checksum-${i}`,
              kind: 'invalid',
              reason: 'checksum',
              mnemonic: [...words.slice(0, -1), other].join(' ')
            }
          ]
        : [])
    ]
  })
}

export function extendedSignatures() {
  const random = seeded('extended')
  return Array.from({ length: 32 }, (_, i) => {
    const key = derive(CSL.Bip32PrivateKey.from_bip39_entropy(random.bytes(32), new Uint8Array()), [i])
    const raw = key.to_raw_key()
    const messageUtf8 = `message ${random.hex(random.below(60))}`
    const xpub = key.to_public().as_bytes()
    return {
      id: `extended-${i}`,
      xprv128Hex: hexOf([...raw.as_bytes(), ...xpub]),
      xpubHex: hexOf(xpub),
      messageUtf8,
      signatureHex: raw.sign(new Uint8Array(Buffer.from(messageUtf8))).to_hex()
    }
  })
}

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const little = (bytes) => BigInt(`0x${hexOf([...bytes].reverse())}`)
const fromLittle = (n) => bytesOf(n.toString(16).padStart(64, '0')).reverse()

/** By OpenSSL: whether a signature is valid. */
function opensslSays(signature, message, publicKey) {
  const key = createPublicKey({
    key: Buffer.concat([bytesOf('302a300506032b6570032100'), publicKey]),
    format: 'der',
    type: 'spki'
  })
  return verifyWithOpenSsl(null, message, key, signature)
}

export function ed25519() {
  const random = seeded('ed25519')
  return Array.from({ length: 40 }, (_, i) => {
    const secret = random.bytes(32)
    const key = CSL.PrivateKey.from_normal_bytes(secret)
    const publicKey = key.to_public().as_bytes()
    const message = random.bytes(i < 4 ? i : random.below(300))
    const signature = bytesOf(key.sign(message).to_hex())
    const flipped = (bytes, at) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))
    // RFC 8032, 5.1.7: S beyond the order is refused, though the equation holds.
    const plusOrder = new Uint8Array([
      ...signature.subarray(0, 32),
      ...fromLittle(little(signature.subarray(32)) + ORDER)
    ])
    const tries = [
      ['flipped R', flipped(signature, random.below(31)), message],
      ['flipped S', flipped(signature, 32 + random.below(31)), message],
      ['S plus the order', plusOrder, message],
      ['another message', signature, new Uint8Array([...message, 0])],
      ['as it is', signature, message]
    ]
    return [
      {
        id: `sign-${i}`,
        kind: 'sign',
        secretKeyHex: hexOf(secret),
        publicKeyHex: hexOf(publicKey),
        messageHex: hexOf(message),
        signatureHex: hexOf(signature)
      },
      ...tries.slice(0, i < 12 ? 5 : 0).map(([what, candidate, text]) => ({
        id: `${what}-${i}`,
        kind: 'verify',
        publicKeyHex: hexOf(publicKey),
        messageHex: hexOf(text),
        signatureHex: hexOf(candidate),
        expect: opensslSays(candidate, text, publicKey) ? 'valid' : 'invalid'
      }))
    ]
  }).flat()
}

/** Types of cardano-cli's key files, with the description it writes. */
const KEY_FILES = {
  PaymentSigningKeyShelley_ed25519: 'Payment Signing Key',
  StakeSigningKeyShelley_ed25519: 'Stake Signing Key',
  StakePoolSigningKey_ed25519: 'Stake Pool Operator Signing Key',
  GenesisSigningKey_ed25519: 'Genesis Signing Key',
  GenesisDelegateSigningKey_ed25519: 'Genesis delegate operator key',
  GenesisUTxOSigningKey_ed25519: 'Genesis Initial UTxO Signing Key',
  DRepSigningKey_ed25519: 'Delegated Representative Signing Key',
  ConstitutionalCommitteeColdSigningKey_ed25519: 'Constitutional Committee Cold Signing Key',
  ConstitutionalCommitteeHotSigningKey_ed25519: 'Constitutional Committee Hot Signing Key',
  HydraSigningKey_ed25519: '',
  PaymentExtendedSigningKeyShelley_ed25519_bip32: '',
  StakeExtendedSigningKeyShelley_ed25519_bip32: '',
  DRepExtendedSigningKey_ed25519_bip32: 'Delegated Representative Extended Signing Key',
  ConstitutionalCommitteeColdExtendedSigningKey_ed25519_bip32: 'Constitutional Committee Cold Extended Signing Key',
  ConstitutionalCommitteeHotExtendedSigningKey_ed25519_bip32: 'Constitutional Committee Hot Extended Signing Key'
}

/** Keys that sign no transactions: the wallet refuses stake keys as payment keys, and what is no Ed25519 key at all. */
const isOutOfScope = (type) => /^(Stake(Extended)?(Signing|Verification)KeyShelley|Kes|Vrf|Bls)/.test(type)

export function keyFiles() {
  const random = seeded('key files')
  const file = (type, description, raw, rest) => {
    const cborHex = hexOf(cbor(raw))
    const fileText = `{\n    "type": ${JSON.stringify(type)},\n    "description": ${JSON.stringify(description)},\n    "cborHex": "${cborHex}"\n}\n`
    return {
      id: `${type}-${cborHex.slice(4, 12)}`,
      type,
      description,
      cborHex,
      rawHex: hexOf(raw),
      rawLength: raw.length,
      fileText,
      ...(isOutOfScope(type) ? { outOfScope: true } : {}),
      ...rest
    }
  }
  const pairs = [0, 1]
    .flatMap(() => Object.entries(KEY_FILES))
    .flatMap(([type, description]) => {
      const extended = type.endsWith('bip32')
      const node = CSL.Bip32PrivateKey.from_bip39_entropy(random.bytes(32), new Uint8Array()).derive(random.below(1000))
      const key = extended ? node.to_raw_key() : CSL.PrivateKey.from_normal_bytes(random.bytes(32))
      const pub = key.to_public().as_bytes()
      const chainCode = node.chaincode()
      const raw = extended ? new Uint8Array([...key.as_bytes(), ...pub, ...chainCode]) : key.as_bytes()
      const rawPublic = extended ? new Uint8Array([...pub, ...chainCode]) : pub
      const facts = { publicKeyHex: hexOf(pub), publicKeyHashHex: key.to_public().hash().to_hex() }
      return [
        file(type, description, raw, {
          ...facts,
          ...(extended ? { chainCodeHex: hexOf(chainCode) } : {}),
          verificationKeyCborHex: hexOf(cbor(rawPublic))
        }),
        file(
          type.replace('SigningKey', 'VerificationKey'),
          description.replace('Signing Key', 'Verification Key'),
          rawPublic,
          facts
        )
      ]
    })
  return [
    ...pairs,
    file('KesSigningKey_ed25519_kes_2^6', 'KES Signing Key', random.bytes(608), {}),
    file('VrfSigningKey_PraosVRF', 'VRF Signing Key', random.bytes(64), {}),
    file('VrfVerificationKey_PraosVRF', 'VRF Verification Key', random.bytes(32), {})
  ]
}

/** COSE_Sign1 as CIP-8 puts it together; the signature is the library's. */
function coseSign1({ key, headers, payload, detached = false, hashed = false, tagged = false }) {
  const protectedHeaders = new Uint8Array(cbor(new Map(headers)))
  const signature = bytesOf(
    key.sign(new Uint8Array(cbor(['Signature1', protectedHeaders, new Uint8Array(), payload]))).to_hex()
  )
  const message = cbor([protectedHeaders, new Map([['hashed', hashed]]), detached ? null : payload, signature])
  return hexOf(tagged ? [0xd2, ...message] : message)
}

const coseKey = (publicKey) =>
  hexOf(
    cbor(
      new Map([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, publicKey]
      ])
    )
  )

export function signedData(published) {
  const random = seeded('signed data')
  return wordsOf(published.bip39_english).flatMap(({ entropy, mnemonic }, i) =>
    ['base', 'enterprise', 'reward'].map((addressKind) => {
      const account = derive(CSL.Bip32PrivateKey.from_bip39_entropy(entropy, new Uint8Array()), [
        1852 + HARD,
        1815 + HARD,
        HARD
      ])
      const [payment, stake] = [derive(account, [0, 0]), derive(account, [2, 0])].map((key) => key.to_raw_key())
      const networkId = i % 2
      const [paying, staking] = [payment, stake].map((key) => CSL.Credential.from_keyhash(key.to_public().hash()))
      const addressOf = {
        base: () => CSL.BaseAddress.new(networkId, paying, staking),
        enterprise: () => CSL.EnterpriseAddress.new(networkId, paying),
        reward: () => CSL.RewardAddress.new(networkId, staking)
      }
      const address = addressOf[addressKind]().to_address()
      const key = addressKind === 'reward' ? stake : payment
      const payload = random.bytes(i === 0 ? 0 : random.below(100))
      return {
        id: `${addressKind}-${i}`,
        mnemonic,
        addressKind,
        networkId,
        address: address.to_bech32(),
        payloadHex: hexOf(payload),
        signature: coseSign1({
          key,
          headers: [
            [1, -8],
            ['address', address.to_bytes()]
          ],
          payload
        }),
        key: coseKey(key.to_public().as_bytes())
      }
    })
  )
}

export function coseToVerify() {
  const random = seeded('cose')
  return Array.from({ length: 7 }, (_, i) => {
    const key = CSL.PrivateKey.from_normal_bytes(random.bytes(32))
    const publicKey = key.to_public().as_bytes()
    const address = CSL.EnterpriseAddress.new(i % 2, CSL.Credential.from_keyhash(key.to_public().hash())).to_address()
    const message = `message ${random.hex(20)}`
    const text = new Uint8Array(Buffer.from(message))
    const headers = [
      [1, -8],
      ['address', address.to_bytes()]
    ]
    const facts = { coseKeyHex: coseKey(publicKey), publicKeyHex: hexOf(publicKey) }
    const good = { ...facts, expectVerify: true, addressBech32: address.to_bech32() }
    const bad = { ...facts, expectVerify: false }
    const plain = coseSign1({ key, headers, payload: text })
    const flip = (hex, at) => hex.slice(0, at) + (parseInt(hex[at], 16) ^ 1).toString(16) + hex.slice(at + 1)
    return [
      { id: `attached-${i}`, ...good, messageHex: hexOf(text), coseSign1Hex: plain },
      {
        id: `tagged-${i}`,
        ...good,
        messageHex: hexOf(text),
        coseSign1Hex: coseSign1({ key, headers, payload: text, tagged: true })
      },
      {
        id: `detached-${i}`,
        ...good,
        detachedMessageUtf8: message,
        coseSign1Hex: coseSign1({ key, headers, payload: text, detached: true })
      },
      {
        id: `hashed-${i}`,
        ...good,
        messageHex: hexOf(text),
        coseSign1Hex: coseSign1({ key, headers, payload: bytesOf(blake(text, 28)), hashed: true })
      },
      { id: `flipped-${i}`, ...bad, coseSign1Hex: flip(plain, plain.length - 1 - random.below(64)) },
      {
        id: `payload-${i}`,
        ...bad,
        messageHex: hexOf(text),
        coseSign1Hex: coseSign1({ key, headers, payload: new Uint8Array(Buffer.from('another')) })
      },
      {
        id: `foreign-${i}`,
        ...bad,
        messageHex: hexOf(text),
        coseSign1Hex: coseSign1({ key: CSL.PrivateKey.from_normal_bytes(random.bytes(32)), headers, payload: text })
      },
      {
        id: `algorithm-${i}`,
        ...bad,
        messageHex: hexOf(text),
        coseSign1Hex: coseSign1({ key, headers: [[1, -7], headers[1]], payload: text })
      }
    ]
  }).flat()
}
