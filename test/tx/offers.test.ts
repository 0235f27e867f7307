import { addressToString, enterpriseAddress } from '../../src/codec/address'
import { hexToBytes } from '../../src/codec/hex'
import { offerTermsFor, readOffer, TxBuilder } from '../../src/tx'
import { describeOffer, formatOffer } from '../../src/tx/inner'
import { scriptRef } from '../../src/tx'
import type { Amount, UTxO } from '../../src/types/utxo'

const ADA = 1_000_000n
const HEAD = 'ab'.repeat(28)
const TOKEN = `${'cd'.repeat(28)}cafe`
const addressOf = (fill: number, networkId: 0 | 1 = 0): string =>
  addressToString(enterpriseAddress(networkId, { kind: 'key', hash: fill.toString(16).padStart(2, '0').repeat(28) }))
const [ALICE, BOB, EVE] = [1, 2, 3].map((fill) => addressOf(fill)) as [string, string, string]
let made = 0
const utxo = (address: string, lovelace: bigint, ...tokens: Amount[]): UTxO => ({
  input: { txHash: (++made).toString(16).padStart(64, '0'), index: 0 },
  output: { address, amount: [{ unit: 'lovelace', quantity: String(lovelace) }, ...tokens] }
})
const token = (quantity: bigint): Amount => ({ unit: TOKEN, quantity: String(quantity) })
const textOf = (cborHex: string, members: object = {}): string =>
  JSON.stringify({ type: 'Offer in a head', version: 1, networkId: 0, headId: HEAD, cborHex, ...members })
const reasonOf = (call: () => unknown): unknown => {
  try {
    call()
  } catch (error) {
    return (error as { reason?: unknown }).reason ?? (error as { code?: unknown }).code
  }
  throw new Error('it did not fail')
}

const aliceHas = utxo(ALICE, 3n * ADA, token(1n))
const bobHas = utxo(BOB, 20n * ADA)
const UTXOS = [aliceHas, bobHas]
/** Alice gives a token for five ada of Bob's. */
const swap = (): TxBuilder =>
  new TxBuilder()
    .spend(UTXOS)
    .pay(ALICE, 8n * ADA)
    .pay(BOB, [{ unit: 'lovelace', quantity: String(15n * ADA) }, token(1n)])
    .changeTo(ALICE)
    .validTo(1_000)
const SWAP = swap().build().cborHex

/** The transaction with another entry in its body. */
function withEntry(cborHex: string, key: number, value: string): string {
  // 84 a4 or so: the map's header has the number of entries, below 23.
  const bytes = hexToBytes(cborHex)
  const entry = key.toString(16).padStart(2, '0') + value
  const text = cborHex.slice(4)
  const end = text.lastIndexOf('a0f5f6')
  return `84${(bytes[1]! + 1).toString(16)}${text.slice(0, end)}${entry}${text.slice(end)}`
}

describe('readOffer', () => {
  it('says what a swap does for each address, from its text and its link', () => {
    const { text, uri } = formatOffer(
      { networkId: 0, headId: HEAD, cborHex: SWAP },
      describeOffer({ networkId: 0, headId: HEAD, cborHex: SWAP }, UTXOS).parties
    )
    const parties = [
      {
        address: ALICE,
        gives: [token(1n)],
        gets: [{ unit: 'lovelace', quantity: '5000000' }]
      },
      { address: BOB, gives: [{ unit: 'lovelace', quantity: '5000000' }], gets: [token(1n)] }
    ]
    for (const envelope of [text, uri!, ` ${text}\n`]) {
      const offer = readOffer({ envelope, utxos: UTXOS })
      expect(offer).toMatchObject({ headId: HEAD, networkId: 0, cborHex: SWAP, validTo: 1_000n, fee: 0n, metadata: [] })
      expect(offer.parties).toEqual(parties)
      expect(offer.signers.missing).toHaveLength(2)
      expect(offerTermsFor(offer, [BOB])).toEqual({ gives: parties[1]!.gives, gets: parties[1]!.gets })
      expect(offerTermsFor(offer, [ALICE, BOB])).toEqual({ gives: [], gets: [] })
    }
  })

  it('makes no link that no QR code holds', () => {
    const long = swap()
    for (let n = 0; n < 60; n++) long.pay(BOB, ADA)
    const many = utxo(BOB, 100n * ADA)
    const { cborHex } = long.spend([many]).build()
    expect(formatOffer({ networkId: 0, headId: HEAD, cborHex }, []).uri).toBeNull()
  })

  it('counts an input of Bob that the text does not tell', () => {
    const untold = utxo(BOB, 7n * ADA)
    const { cborHex } = swap().spend([untold]).build()
    const offer = readOffer({ envelope: textOf(cborHex), utxos: [...UTXOS, untold] })
    expect(offerTermsFor(offer, [BOB]).gives).toEqual([{ unit: 'lovelace', quantity: '12000000' }])
  })

  it('counts an output at his key with another stake part as no output of his, and such an input as his', () => {
    const franken = addressToString(hexToBytes(`00${'02'.repeat(28)}${'03'.repeat(28)}`))
    const hisToo = utxo(franken, 4n * ADA)
    const { cborHex } = new TxBuilder()
      .spend([bobHas])
      .pay(franken, 5n * ADA)
      .changeTo(BOB)
      .validTo(9)
      .build()
    const out = readOffer({ envelope: textOf(cborHex), utxos: UTXOS })
    expect(offerTermsFor(out, [BOB]).gives).toEqual([{ unit: 'lovelace', quantity: '5000000' }])
    const spent = new TxBuilder().spend([hisToo]).changeTo(EVE).validTo(9).build()
    const into = readOffer({ envelope: textOf(spent.cborHex), utxos: [hisToo] })
    expect(offerTermsFor(into, [BOB]).gives).toEqual([{ unit: 'lovelace', quantity: '4000000' }])
  })

  it('refuses a text that states other terms than the transaction has', () => {
    const { parties } = readOffer({ envelope: textOf(SWAP), utxos: UTXOS })
    expect(() => readOffer({ envelope: textOf(SWAP, { terms: parties }), utxos: UTXOS })).not.toThrow()
    const lie = parties.map((party) => (party.address === BOB ? { ...party, gives: [] } : party))
    for (const terms of [lie, [], [null], [...parties].reverse()])
      expect(reasonOf(() => readOffer({ envelope: textOf(SWAP, { terms }), utxos: UTXOS }))).toBe('stated')
  })

  const script = scriptRef('PlutusV3', '510101003222253330044a229309b2b2b9a1')
  const withScript = utxo(ALICE, 20n * ADA)
  const entries: readonly (readonly [string, string, string, string])[] = [
    ['a mint', 'contents', withEntry(SWAP, 9, `a1581c${'cd'.repeat(28)}a142cafe01`), 'mint'],
    ['certificates', 'contents', withEntry(SWAP, 4, `818a${'00'.repeat(10)}`), 'certificates'],
    ['withdrawals', 'contents', withEntry(SWAP, 5, `a1581de0${'02'.repeat(28)}00`), 'withdrawals'],
    ['collateral', 'contents', withEntry(SWAP, 13, `81825820${'09'.repeat(32)}00`), 'collateral'],
    ['an amount of collateral', 'contents', withEntry(SWAP, 17, '01'), 'collateral'],
    ['a script data hash', 'contents', withEntry(SWAP, 11, `5820${'09'.repeat(32)}`), 'Plutus'],
    ['reference inputs', 'contents', withEntry(SWAP, 18, `81825820${'09'.repeat(32)}00`), 'reference inputs'],
    ['votes', 'contents', withEntry(SWAP, 19, 'a0'), 'votes'],
    ['proposals', 'contents', withEntry(SWAP, 20, '80'), 'proposals'],
    ['a donation', 'contents', withEntry(SWAP, 22, '01'), 'donation'],
    ['a part that no one knows', 'contents', withEntry(SWAP, 23, '01'), 'part 23'],
    ['the network of another', 'network', withEntry(SWAP, 15, '01'), 'network'],
    ['a failed script', 'contents', SWAP.replace(/f5f6$/, 'f4f6'), 'failed script'],
    ['no bound', 'unbounded', new TxBuilder().spend(UTXOS).changeTo(BOB).build().cborHex, 'bound'],
    [
      'a reference script in an output',
      'contents',
      swap()
        .spend([withScript])
        .pay(ALICE, 10n * ADA, { scriptRef: script })
        .build().cborHex,
      'reference script'
    ]
  ]
  it.each(entries)('refuses %s', (_, reason, cborHex, word) => {
    const read = (): unknown => readOffer({ envelope: textOf(cborHex), utxos: [...UTXOS, withScript] })
    expect(read).toThrow(expect.objectContaining({ code: 'CLIENT_OFFER', reason, outcome: 'none' }))
    expect(read).toThrow(word)
  })

  it('refuses redeemers among the witnesses, and a reference script that an input carries', () => {
    const withWitness = SWAP.replace(/a0f5f6$/, 'a10580f5f6')
    expect(reasonOf(() => readOffer({ envelope: textOf(withWitness), utxos: UTXOS }))).toBe('contents')
    const carrying = { ...aliceHas, output: { ...aliceHas.output, scriptRef: script } }
    expect(reasonOf(() => readOffer({ envelope: textOf(SWAP), utxos: [carrying, bobHas] }))).toBe('contents')
  })

  it('refuses inputs that the head does not have, and the same one twice', () => {
    expect(reasonOf(() => readOffer({ envelope: textOf(SWAP), utxos: [aliceHas] }))).toBe('input-unknown')
    const ref = `825820${bobHas.input.txHash}00`
    const twice = SWAP.replace('d9010282', 'd9010283').replace(ref, ref + ref)
    expect(twice).not.toBe(SWAP)
    expect(reasonOf(() => readOffer({ envelope: textOf(twice), utxos: UTXOS }))).toMatch(/contents|INPUT_CBOR/)
  })

  it('refuses outputs of another network', () => {
    const { cborHex } = swap().build()
    expect(reasonOf(() => readOffer({ envelope: textOf(cborHex, { networkId: 1 }), utxos: UTXOS }))).toBe('network')
  })

  it.each([
    ['nothing', undefined, 'format'],
    ['a number', 5, 'format'],
    ['an empty text', '', 'format'],
    ['no JSON', '{', 'format'],
    ['another type', '{"type":"x","version":1}', 'format'],
    ['another version', textOf(SWAP, { version: 2 }), 'format'],
    ['no head', textOf(SWAP, { headId: 'ab' }), 'format'],
    ['a head that is no text', textOf(SWAP, { headId: 5 }), 'format'],
    ['a network that is none', textOf(SWAP, { networkId: 2 }), 'format'],
    ['terms that are no list', textOf(SWAP, { terms: 5 }), 'format'],
    ['no hex', textOf('zz'), 'format'],
    ['half a transaction', textOf(SWAP.slice(0, 60)), 'INPUT_CBOR'],
    ['a MiB', textOf('00'.repeat(2 ** 20)), 'too-large'],
    ['a MiB of brackets', '['.repeat(2 ** 20), 'too-large'],
    ['another link', 'web+cardano:addr_test1?amount=1', 'format'],
    ['a link without a head', 'web+cardano://offer/v1?network=0&tx=AAAA', 'format'],
    ['a link with two transactions', `web+cardano://offer/v1?network=0&head=${HEAD}&tx=AAAA&tx=AAAB`, 'format'],
    ['a link with no base64', `web+cardano://offer/v1?network=0&head=${HEAD}&tx=A*AA`, 'format']
  ])('refuses %s', (_, envelope, reason) => {
    const begin = performance.now()
    expect(reasonOf(() => readOffer({ envelope: envelope as string, utxos: UTXOS }))).toBe(reason)
    expect(performance.now() - begin).toBeLessThan(500)
  })
})
