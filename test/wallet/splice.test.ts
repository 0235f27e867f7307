import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { isLayerError } from '../../src/errors/base'
import { AppWallet, mergeWitnesses, txIdOf, witnessesOf } from '../../src/wallet/index'
import { blake2b256 } from '../../src/hash/blake2b'
import { type CborItem, mapValue, transactionParts } from '../support/cborTree'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'
import { loadVectors, setsHere } from '../support/vectors'

const wallet = new AppWallet({
  networkId: 0,
  key: { type: 'mnemonic', words: 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ') }
})
const ownKey = wallet.getAccount().paymentKey.publicKeyHex

const slice = (bytes: Uint8Array, item: CborItem): string => bytesToHex(bytes.subarray(item.start, item.end))

/**
 * Everything of a transaction but its set of key witnesses, which comes apart: tag or none, definite or not, and the
 * items.
 */
function dissect(bytes: Uint8Array): {
  body: CborItem
  outside: string[]
  set: { tagged: boolean; definite: boolean; items: string[] } | undefined
} {
  const { body, witnessSet, rest } = transactionParts(bytes)
  const others: string[] = []
  for (let i = 0; i < witnessSet.children.length; i += 2) {
    const [key, value] = [witnessSet.children[i]!, witnessSet.children[i + 1]!]
    if (!(key.major === 0 && key.argument === 0n)) others.push(slice(bytes, key) + slice(bytes, value))
  }
  const value = mapValue(witnessSet, 0)
  const list = value?.major === 6 ? value.children[0]! : value
  return {
    body,
    outside: [
      bytesToHex(bytes.subarray(0, body.start)),
      slice(bytes, body),
      String(witnessSet.argument < 0n),
      ...others,
      ...rest.map((item) => slice(bytes, item))
    ],
    set: list && {
      tagged: value!.major === 6,
      definite: list.argument >= 0n,
      items: list.children.map((item) => slice(bytes, item))
    }
  }
}

/** Signs and checks that nothing but one key witness came in. */
async function checkSplice(txHex: string): Promise<void> {
  const signed = await wallet.signTx(txHex, true)
  const signedBytes = hexToBytes(signed)
  const [before, after] = [dissect(hexToBytes(txHex)), dissect(signedBytes)]
  expect(after.outside).toEqual(before.outside)
  const had = witnessesOf(txHex).some(({ publicKeyHex }) => publicKeyHex === ownKey)
  if (had) expect(signed).toBe(txHex.toLowerCase())
  else {
    expect(after.set!.items.slice(0, -1)).toEqual(before.set?.items ?? [])
    expect(after.set!.items.at(-1)).toContain(`5820${ownKey}5840`)
    if (before.set !== undefined)
      expect([after.set!.tagged, after.set!.definite]).toEqual([before.set.tagged, before.set.definite])
  }
  const txId = txIdOf(signed)
  expect(txId).toBe(txIdOf(txHex))
  expect(txId).toBe(bytesToHex(blake2b256(signedBytes.subarray(after.body.start, after.body.end))))
  expect(await wallet.signTx(signed, true)).toBe(signed)
  expect(mergeWitnesses(txHex, signed)).toBe(signed)
  expect(mergeWitnesses(signed, txHex)).toBe(signed)
}

/** A head in a longer form than needed, or of indefinite length: the same data in other bytes. */
function reencode(
  bytes: Uint8Array,
  item: CborItem,
  random: ReturnType<typeof randomSource>,
  chance: number
): number[] {
  const inner = item.children.flatMap((child) => reencode(bytes, child, random, chance))
  const isString = item.major === 2 || item.major === 3
  const headEnd = item.children[0]?.start ?? item.end
  if (random.below(100) >= chance || item.major === 7 || item.argument < 0n || isString) {
    if (item.children.length === 0) return [...bytes.subarray(item.start, item.end)]
    return [...bytes.subarray(item.start, headEnd), ...inner, ...bytes.subarray(item.children.at(-1)!.end, item.end)]
  }
  if ((item.major === 4 || item.major === 5) && random.below(2) === 0) return [(item.major << 5) | 31, ...inner, 0xff]
  const wide = Array.from({ length: 8 }, (_, i) => Number((item.argument >> BigInt(56 - 8 * i)) & 255n))
  return [(item.major << 5) | 27, ...wide, ...inner]
}

describe('signing real and mutated transactions', () => {
  const sets = setsHere(
    'tx_conway',
    'tx_conway_conformance',
    'tx_hydra_generated',
    'tx_older_eras',
    'tx_conway_unproven'
  )
  const all = (): string[] => sets.flatMap((set) => loadVectors(set).map(({ cborHex }) => cborHex as string))

  it('changes nothing but the set of key witnesses in every transaction vector', async () => {
    const transactions = all()
    expect(transactions.length).toBeGreaterThan(250)
    for (const tx of transactions) await checkSplice(tx)
  })

  it('keeps the odd encodings of transactions written in other forms', async () => {
    const random = randomSource('reencode')
    const transactions = all().filter((tx) => tx.length < 6_000)
    for (let i = 0; i < scaled(5_000); i++) {
      const bytes = hexToBytes(random.pick(transactions))
      const { body, witnessSet, rest } = transactionParts(bytes)
      const parts = [body, witnessSet, ...rest].flatMap((item) =>
        reencode(bytes, item, random, random.pick([0, 5, 30]))
      )
      const head = [...bytes.subarray(0, body.start)]
      await checkSplice(
        bytesToHex(Uint8Array.from(random.below(4) === 0 ? [0x9f, ...parts, 0xff] : [...head, ...parts]))
      )
    }
  }, 300_000)

  it('either refuses transactions with flipped bytes by a typed error, or changes nothing but the set', async () => {
    const random = randomSource('flip')
    const transactions = all().filter((tx) => tx.length < 6_000)
    let signed = 0
    for (let i = 0; i < scaled(5_000); i++) {
      const bytes = hexToBytes(random.pick(transactions)).slice()
      for (let n = random.below(3); n >= 0; n--) bytes[random.below(bytes.length)] = random.below(256)
      try {
        await checkSplice(bytesToHex(bytes))
        signed++
      } catch (error) {
        if (!isLayerError(error)) throw error
      }
    }
    expect(signed).toBeGreaterThan(0)
  }, 300_000)

  it('refuses trailing bytes, odd length, other characters, duplicate keys and a body without inputs', async () => {
    const tx = all()[0]!
    for (const bad of [
      `${tx}00`,
      tx.slice(0, -1),
      `0x${tx}`,
      `${tx.slice(0, -2)}zz`,
      '',
      '80',
      'a0',
      '84a0a0f5f6',
      '84a3000000800200a0f5f6',
      '84a20080000080a0f5f6',
      '84a201800200a0f5f6'
    ]) {
      await expect(wallet.signTx(bad, true)).rejects.toMatchObject({ code: expect.stringMatching(/^INPUT_/) })
    }
    await expect(wallet.signTx(undefined as never, true)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    await expect(wallet.signTx(tx, 'yes' as never)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(() => mergeWitnesses(tx, all()[1]!)).toThrow(expect.objectContaining({ code: 'WALLET_TX_MISMATCH' }))
  })
})
