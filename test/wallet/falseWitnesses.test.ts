import { sign } from 'node:crypto'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import {
  AppWallet,
  ChainCliWallet,
  mergeWitnesses,
  txIdOf,
  verifyData,
  walletFromCip30,
  witnessesOf
} from '../../src/wallet/index'
import { CborWriter } from '../../src/codec/cbor/writer'
import { parseAddress } from '../../src/codec/address'
import { encodeCoseKey, sigStructure } from '../../src/crypto/cose'
import { chainCliKeygen } from '../../src/utils/index'

const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words } })
const { paymentKey, stakeKey } = wallet.getAccount()
const BODY = 'a30081825820' + '00'.repeat(32) + '0001800200'
const tx = (witnessSet = 'a0'): string => `84${BODY}${witnessSet}f5f6`
const witness = (publicKeyHex: string, signatureHex: string): string => `825820${publicKeyHex}5840${signatureHex}`
const FALSE = '17'.repeat(64)
const stranger = witness('ab'.repeat(32), 'cd'.repeat(64))

describe('a witness that is there already under a key of the wallet', () => {
  it.each([
    ['an array', (items: string[]) => `a1008${items.length}${items.join('')}`],
    ['a tagged array', (items: string[]) => `a100d901028${items.length}${items.join('')}`],
    ['an indefinite array', (items: string[]) => `a1009f${items.join('')}ff`],
    ['a tagged indefinite array in an indefinite map', (items: string[]) => `bf00d901029f${items.join('')}ffff`]
  ])('is replaced when its signature is false, and everything else of %s stays', async (_, set) => {
    const [honest] = witnessesOf(await wallet.signTx(tx()))
    const right = witness(paymentKey.publicKeyHex, honest!.signatureHex)
    const forged = tx(set([witness(paymentKey.publicKeyHex, FALSE), stranger]))
    expect(await wallet.signTx(forged)).toBe(tx(set([right, stranger])))
    // Twice, once valid: the ledger judges both.
    const twice = tx(set([right, stranger, witness(paymentKey.publicKeyHex, FALSE)]))
    expect(await wallet.signTx(twice)).toBe(tx(set([right, stranger])))
    const valid = tx(set([stranger, right]))
    expect(await wallet.signTx(valid)).toBe(valid)
    expect(await wallet.signTxs([valid, forged], true)).toEqual([valid, tx(set([right, stranger]))])
  })

  it('is replaced for a stake key that the transaction does not demand, and for the key of a file', async () => {
    const forged = tx(`a10081${witness(stakeKey.publicKeyHex, FALSE)}`)
    const [first, second] = witnessesOf(await wallet.signTx(forged))
    expect([first!.publicKeyHex, second!.publicKeyHex]).toEqual([stakeKey.publicKeyHex, paymentKey.publicKeyHex])
    expect(first!.signatureHex).toBe(bytesToHex(stakeKey.sign(hexToBytes(txIdOf(forged)))))
    const { sk, vk } = chainCliKeygen()
    const cli = new ChainCliWallet({ networkId: 0, skey: sk })
    const signed = await cli.signTx(tx(`a10081${witness(vk.cborHex.slice(4), FALSE)}`))
    expect(signed).toBe(await cli.signTx(tx()))
  })

  it('is not handed out by the CIP-30 object when its signature is false', async () => {
    const forged = tx(`a10081${witness(paymentKey.publicKeyHex, FALSE)}`)
    const api = wallet.toCip30()
    const answer = await api.signTx(forged)
    expect(answer).toBe(await api.signTx(tx()))
    // A browser wallet's valid signature takes the place of the false one that stands in the transaction.
    expect(await walletFromCip30(api).signTx(forged)).toBe(await wallet.signTx(tx()))
  })

  it('gives way to a valid one of the other copy when transactions are merged, and never the other way round', async () => {
    const signed = await wallet.signTx(tx())
    const forged = tx(`a10081${witness(paymentKey.publicKeyHex, FALSE)}`)
    expect(mergeWitnesses(forged, signed)).toBe(signed)
    expect(mergeWitnesses(signed, forged)).toBe(signed)
  })
})

describe('a transaction whose inputs cannot be read', () => {
  const inputs = (value: string): string => `84a300${value}01800200a0f5f6`
  it.each([
    ['a map', 'a0'],
    ['a text', '6161'],
    ['an integer', '05'],
    ['a set of texts', '816161'],
    ['a reference of three items', `81835820${'00'.repeat(32)}0000`],
    ['an id of 31 bytes', `818258 1f${'00'.repeat(31)}00`.replace(' ', '')],
    ['a negative index', `81825820${'00'.repeat(32)}20`],
    ['null', 'f6']
  ])('is not signed: %s', async (_, value) => {
    for (const partialSign of [false, true]) {
      await expect(wallet.signTx(inputs(value), partialSign)).rejects.toMatchObject({ code: 'INPUT_CBOR' })
    }
    await expect(wallet.toCip30().signTx(inputs(value), true)).rejects.toMatchObject({ code: -1 })
  })

  it('or that has none is not signed', async () => {
    await expect(wallet.signTx('84a201800200a0f5f6', true)).rejects.toMatchObject({ code: 'INPUT_CBOR' })
  })
})

describe('critical headers of signed data (RFC 9052, 3.1)', () => {
  const address = wallet.getPaymentAddress()
  const payload = new TextEncoder().encode('login 42')
  const key = bytesToHex(encodeCoseKey(hexToBytes(paymentKey.publicKeyHex)))
  /** A COSE_Sign1 that is right in all but its headers: the signature covers them. */
  const signed = (protectedHeader: Uint8Array, unprotectedHex = 'a166686173686564f4'): string => {
    const signature = paymentKey.sign(sigStructure(protectedHeader, payload))
    return new CborWriter()
      .array(4)
      .bytes(protectedHeader)
      .raw(hexToBytes(unprotectedHex))
      .bytes(payload)
      .bytes(signature)
      .toHex()
  }
  const header = (more: (writer: CborWriter) => CborWriter, count: number): Uint8Array =>
    more(
      new CborWriter()
        .map(2 + count)
        .uint(1)
        .int(-8)
        .text('address')
        .bytes(parseAddress(address).bytes)
    ).toBytes()
  const verified = (signature: string): boolean => verifyData({ signature, key, address, payload })

  it('that nobody here understands make the signature invalid', () => {
    expect(verified(signed(header((writer) => writer, 0)))).toBe(true)
    // An unknown header that is not critical is passed over.
    expect(verified(signed(header((writer) => writer.text('expires').uint(1), 1)))).toBe(true)
    expect(
      verified(signed(header((writer) => writer.uint(2).array(1).text('expires').text('expires').uint(1), 2)))
    ).toBe(false)
    expect(verified(signed(header((writer) => writer.uint(2).array(1).uint(100).uint(100).uint(1), 2)))).toBe(false)
    // Also when the header that it names is not there, and when the list is empty or none: each is malformed.
    expect(verified(signed(header((writer) => writer.uint(2).array(1).text('expires'), 1)))).toBe(false)
    expect(verified(signed(header((writer) => writer.uint(2).array(0), 1)))).toBe(false)
    expect(verified(signed(header((writer) => writer.uint(2).uint(1), 1)))).toBe(false)
  })

  it('are refused outside the protected map, where nobody signed them', () => {
    expect(
      verified(
        signed(
          header((writer) => writer, 0),
          'a266686173686564f4028118 64'.replace(' ', '')
        )
      )
    ).toBe(false)
  })
})

it('checks its own signatures as another implementation makes them', async () => {
  // PKCS #8 of an Ed25519 seed (RFC 8410): node:crypto signs, the wallet finds the witness valid and leaves it.
  const { sk } = chainCliKeygen()
  const seed = hexToBytes(sk.cborHex.slice(4))
  const cli = new ChainCliWallet({ networkId: 0, skey: sk })
  const unsigned = tx()
  const [own] = witnessesOf(await cli.signTx(unsigned))
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const signatureHex = sign(null, hexToBytes(txIdOf(unsigned)), { key: der, format: 'der', type: 'pkcs8' }).toString(
    'hex'
  )
  const theirs = tx(`a10081${witness(own!.publicKeyHex, signatureHex)}`)
  expect(await cli.signTx(theirs)).toBe(theirs)
})
