import '../../src/verify/ed25519'
import { contextParts } from '../../src/client/ClientContext.js'
import type { HeadClient, Offer } from '../../src/client/index.js'
import { bytesToHex, hexToBytes } from '../../src/codec/hex.js'
import { nativeScriptHash } from '../../src/codec/nativeScript.js'
import { addressToString, enterpriseAddress, parseAddress } from '../../src/codec/address.js'
import { TxBuilder } from '../../src/tx/index.js'
import type { BuiltTransaction } from '../../src/tx/index.js'
import type { UTxO } from '../../src/types/utxo.js'
import { nativeScriptFromJson } from '../../src/utils/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
let bob: HeadClient
const NAME = 'cafe'
const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()
const keyOf = (index: number): string => parseAddress(addressOf(index)).payment!.hash
const slotIn = (ms: number): number => contextParts(alice.context).ledger.slotAt(Date.now() + ms)!

beforeEach(async () => {
  head = await startClientHead({ deposit: 100n * ADA })
  ;[alice, bob] = [await head.client(0), await head.client(1)]
  await bob.deposit({ amount: 50n * ADA })
})
afterEach(async () => {
  jest.restoreAllMocks()
  await head.stop()
})

const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: unknown) => error
  )

/** Alice mints a token for herself, under a policy of her own key. */
async function mintToken(): Promise<{ unit: string; output: UTxO }> {
  const script = nativeScriptFromJson({ type: 'sig', keyHash: keyOf(0) })
  const unit = nativeScriptHash(hexToBytes(script)) + NAME
  const builder = await alice.newTx()
  const tx = builder
    .attachScript(script)
    .mint(unit, 1n)
    .pay(addressOf(0), [
      { unit: 'lovelace', quantity: String(3n * ADA) },
      { unit, quantity: '1' }
    ])
    .build()
  await alice.submit(tx)
  const output = alice.getUtxos()!.find(({ output: { amount } }) => amount.some((each) => each.unit === unit))!
  return { unit, output }
}

/** Waits until Bob's client has the snapshot that Alice's has. */
async function caughtUp(): Promise<void> {
  while (bob.bridge.lastSnapshotNumber < alice.bridge.lastSnapshotNumber)
    await new Promise((resolve) => setTimeout(resolve, 2))
}

const lovelaceOf = ({ output }: UTxO): bigint => BigInt(output.amount[0]!.quantity)

/** Alice gives the token for five ada of Bob's. */
async function swap(validForMs = 60_000): Promise<{ unit: string; tx: BuiltTransaction }> {
  const { unit, output } = await mintToken()
  await caughtUp()
  const [his] = bob.getUtxos()!
  const tx = new TxBuilder()
    .spend([output, his!])
    .pay(addressOf(1), [
      { unit: 'lovelace', quantity: String(lovelaceOf(his!) - 5n * ADA) },
      { unit, quantity: '1' }
    ])
    .changeTo(addressOf(0))
    .validTo(slotIn(validForMs))
    .build()
  return { unit, tx }
}

const terms = (unit: string): object => ({ gives: 5n * ADA, gets: [{ unit, quantity: '1' }] })
const plain = (text: string, change: object): string => {
  const { terms: _, ...members } = JSON.parse(text) as Record<string, unknown>
  return JSON.stringify({ ...members, ...change })
}

describe('offer and acceptOffer', () => {
  it('swap a token for ada between two wallets', async () => {
    const { unit, tx } = await swap()
    const offer = await alice.offer(tx, { expiresAt: Date.now() + 120_000 })
    expect(offer).toMatchObject({ txId: tx.txId, isHeld: true })
    expect(await bob.inspectOffer(offer.uri!)).toMatchObject({
      says: `You give 5 ada. You get 1 of ${unit}.`,
      expiresAt: offer.expiresAt
    })
    expect((await alice.inspectOffer(offer.text)).says).toBe(`You give 1 of ${unit}. You get 5 ada.`)
    const ended = offer.settled()
    const { txId, snapshotNumber } = await bob.acceptOffer(offer.uri!, terms(unit))
    expect(txId).toBe(tx.txId)
    expect(await ended).toEqual({ state: 'accepted', txId, snapshotNumber })
    expect(offer.isHeld).toBe(false)
    expect(bob.getBalance()!.confirmed).toMatchObject({ lovelace: 45n * ADA })
    // The same again answers the same; a withdrawal comes too late.
    expect(await offer.withdraw()).toMatchObject({ state: 'accepted' })
    expect(alice.getBalance()!.confirmed.lovelace).toBe(105n * ADA)
  })

  it('keeps the outputs from other payments until it is withdrawn, which no copy survives', async () => {
    const { unit, tx } = await swap()
    const free = alice.getUtxos()!.length
    const offer = await alice.offer(tx)
    expect(alice.getUtxos()).toHaveLength(free - 1)
    expect(await failureOf(alice.offer(tx))).toMatchObject({ code: 'CLIENT_INPUT_RESERVED', txId: tx.txId })
    expect(await failureOf(alice.pay({ to: addressOf(1), amount: [{ unit, quantity: '1' }] }))).toMatchObject({
      code: 'TX_INSUFFICIENT_FUNDS'
    })
    expect(await offer.withdraw()).toEqual({ state: 'withdrawn' })
    expect(offer.isHeld).toBe(false)
    expect(alice.getUtxos()).toHaveLength(free)
    await caughtUp()
    expect(await failureOf(bob.acceptOffer(offer.text, terms(unit)))).toMatchObject({ reason: 'input-unknown' })
    const signed = await head.wallets[1]!.signTx((JSON.parse(offer.text) as { cborHex: string }).cborHex, true)
    expect(await failureOf(bob.submit(signed))).toMatchObject({ code: 'CLIENT_LEDGER' })
    expect(await offer.settled()).toEqual({ state: 'withdrawn' })
  })

  it('frees the outputs where one of its inputs is spent elsewhere, and says so', async () => {
    const { unit, tx } = await swap()
    const offer = await alice.offer(tx)
    const ended = offer.settled()
    await bob.pay({ to: addressOf(0), amount: 2n * ADA })
    expect(await ended).toEqual({ state: 'spent' })
    expect(offer.isHeld).toBe(false)
    await alice.pay({ to: addressOf(1), amount: [{ unit, quantity: '1' }] })
  })

  it('ends at its bound', async () => {
    const { unit, tx } = await swap(3_000)
    const offer = await alice.offer(tx)
    const ended = offer.settled()
    expect(await ended).toEqual({ state: 'expired' })
    expect(offer.isHeld).toBe(false)
    expect(await failureOf(bob.acceptOffer(offer.text, terms(unit)))).toMatchObject({ reason: 'expired' })
    expect(await failureOf(alice.offer(tx))).toMatchObject({ reason: 'expired' })
  })

  it('ends with the head', async () => {
    // Of ada alone: a head with tokens that were minted in it is not paid out.
    const [mine, his] = [alice.getUtxos()![0]!, bob.getUtxos()![0]!]
    const builder = new TxBuilder().spend([mine, his]).pay(addressOf(1), lovelaceOf(his) - 5n * ADA)
    const tx = builder.changeTo(addressOf(0)).validTo(slotIn(60_000)).build()
    const offer = await alice.offer(tx)
    const ended = offer.settled()
    await alice.closeHead()
    expect(offer.isHeld).toBe(false)
    await alice.fanoutHead()
    expect(await ended).toEqual({ state: 'closed' })
  })

  it('frees the outputs where the wallet declines', async () => {
    const { tx } = await swap()
    const free = alice.getUtxos()!.length
    jest.spyOn(head.wallets[0]!, 'signTx').mockRejectedValueOnce(new Error('declined'))
    await expect(alice.offer(tx)).rejects.toThrow('declined')
    expect(alice.getUtxos()).toHaveLength(free)
    await expect(alice.offer(tx)).resolves.toMatchObject({ isHeld: true })
  })

  it('refuses a transaction without a bound, with a later one, and of outputs that are not confirmed', async () => {
    const [mine] = alice.getUtxos()!
    const build = (): TxBuilder => new TxBuilder().spend([mine!]).changeTo(addressOf(1))
    expect(await failureOf(alice.offer(build().build()))).toMatchObject({ reason: 'unbounded' })
    const later = build().validTo(slotIn(60_000)).build()
    expect(await failureOf(alice.offer(later, { expiresAt: Date.now() + 1_000 }))).toMatchObject({
      reason: 'unbounded'
    })
    const unknown = { ...mine!, input: { txHash: 'ee'.repeat(32), index: 0 } }
    const other = new TxBuilder().spend([unknown]).changeTo(addressOf(1)).validTo(slotIn(60_000)).build()
    expect(await failureOf(alice.offer(other))).toMatchObject({ reason: 'input-unknown' })
    expect(alice.getUtxos()).toHaveLength(1)
  })
})

describe('a hostile envelope', () => {
  const sign = jest.fn()
  const tries = async (envelope: string, args: object, reason: string): Promise<void> => {
    const signTx = jest.spyOn(head.wallets[1]!, 'signTx').mockImplementation(sign)
    const inputs = { ...head.node.counters.inputs }
    expect(await failureOf(bob.acceptOffer(envelope, args))).toMatchObject({ code: 'CLIENT_OFFER', reason })
    // Neither signed nor sent.
    expect(sign).not.toHaveBeenCalled()
    expect(head.node.counters.inputs).toEqual(inputs)
    signTx.mockRestore()
  }
  let offer: Offer
  let unit: string
  let his: UTxO
  beforeEach(async () => {
    const made = await swap()
    unit = made.unit
    his = bob.getUtxos()![0]!
    offer = await alice.offer(made.tx)
  })

  it('takes more, or brings less, than Bob agreed to', async () => {
    await tries(offer.text, { gives: 5n * ADA - 1n, gets: [{ unit, quantity: '1' }] }, 'terms')
    await tries(offer.text, { gets: [{ unit, quantity: '1' }] }, 'terms')
    await tries(offer.text, { gives: 5n * ADA, gets: [{ unit, quantity: '2' }] }, 'terms')
    await tries(offer.text, { gives: 5n * ADA, gets: 1n }, 'terms')
  })

  it('is of another head, another network, or states other terms', async () => {
    await tries(plain(offer.text, { headId: 'ab'.repeat(28) }), terms(unit), 'head')
    await tries(plain(offer.text, { networkId: 1 }), terms(unit), 'network')
    await tries(plain(offer.text, { terms: [] }), terms(unit), 'stated')
  })

  it('has a body that was changed after Alice signed it', async () => {
    const { cborHex } = JSON.parse(offer.text) as { cborHex: string }
    // One lovelace more for Alice.
    const paid = (lovelaceOf(his) - 5n * ADA).toString(16).padStart(8, '0')
    const changed = cborHex.replace(`1a${paid}`, `1a${(lovelaceOf(his) - 5n * ADA - 1n).toString(16).padStart(8, '0')}`)
    expect(changed).not.toBe(cborHex)
    await tries(plain(offer.text, { cborHex: changed }), { ...terms(unit), gives: 6n * ADA }, 'signature')
  })

  it('does not need Bob, or needs more than his signature', async () => {
    const [free] = alice.getUtxos()!
    const own = await alice.offer(new TxBuilder().spend([free!]).changeTo(addressOf(0)).validTo(slotIn(60_000)).build())
    await tries(own.text, {}, 'not-needed')
    const { cborHex } = new TxBuilder()
      .spend([his])
      .requireSigner(keyOf(2))
      .changeTo(addressOf(1))
      .validTo(slotIn(60_000))
      .build()
    expect(await failureOf(bob.acceptOffer(plain(offer.text, { cborHex }), {}))).toMatchObject({
      reason: 'signers-missing'
    })
  })

  it("spends from a script that Bob's key opens, which he has not named", async () => {
    const script = nativeScriptFromJson({
      type: 'any',
      scripts: [1, 2].map((n) => ({ type: 'sig', keyHash: keyOf(n) }))
    })
    const address = addressToString(
      enterpriseAddress(0, { kind: 'script', hash: nativeScriptHash(hexToBytes(script)) })
    )
    await alice.pay({ to: address, amount: 9n * ADA })
    const [shared] = alice.getUtxos({ address })!
    const { cborHex } = new TxBuilder()
      .spend([shared!, his])
      .attachScript(script)
      .pay(addressOf(1), lovelaceOf(his))
      .changeTo(addressOf(0))
      .validTo(slotIn(60_000))
      .build()
    const envelope = plain(offer.text, { cborHex })
    await caughtUp()
    await tries(envelope, {}, 'shared')
    await tries(envelope, { shared: [address] }, 'terms')
    await expect(bob.acceptOffer(envelope, { shared: [address], gives: 9n * ADA })).resolves.toMatchObject({ fee: 0n })
  })

  it('is a MiB, or no offer', async () => {
    await tries('ab'.repeat(2 ** 19), {}, 'too-large')
    await tries('', {}, 'format')
  })
})

describe('several signers', () => {
  it('send from a native script of two of three', async () => {
    const script = nativeScriptFromJson({
      type: 'atLeast',
      required: 2,
      scripts: [0, 1, 2].map((index) => ({ type: 'sig', keyHash: keyOf(index) }))
    })
    const treasury = addressToString(
      enterpriseAddress(0, { kind: 'script', hash: nativeScriptHash(hexToBytes(script)) })
    )
    await alice.pay({ to: treasury, amount: 9n * ADA })
    const tx = new TxBuilder()
      .spend(alice.getUtxos({ address: treasury })!)
      .attachScript(script)
      .pay(addressOf(2), 4n * ADA)
      .changeTo(treasury)
      .validTo(slotIn(60_000))
      .build()
    const offer = await alice.offer(tx)
    await caughtUp()
    expect(await offer.withdraw()).toEqual({ state: 'released' })
    await bob.acceptOffer(offer.text, { shared: [treasury], gives: 4n * ADA })
    expect(await offer.settled()).toMatchObject({ state: 'accepted' })
    expect(bob.getUtxos({ address: treasury })!.map(lovelaceOf)).toEqual([5n * ADA])
  })

  it('submit adds the signature of its wallet to a signed transaction, once', async () => {
    const [mine, his] = [alice.getUtxos()![0]!, bob.getUtxos()![0]!]
    const tx = new TxBuilder().spend([mine, his]).changeTo(addressOf(0)).build()
    const half = await head.wallets[0]!.signTx(tx.cborHex, true)
    const sign = jest.spyOn(head.wallets[1]!, 'signTx')
    await bob.submit(half)
    expect(sign).toHaveBeenCalledTimes(1)
    expect(bytesToHex(hexToBytes(tx.txId))).toBe(alice.getUtxos()![0]!.input.txHash)
    // A whole one is sent as it is.
    const whole = await head.wallets[0]!.signTx((await alice.newTx()).pay(addressOf(1), ADA).build().cborHex)
    const again = jest.spyOn(head.wallets[0]!, 'signTx')
    await alice.submit(whole)
    expect(again).not.toHaveBeenCalled()
  })
})
