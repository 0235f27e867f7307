import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { readTransaction, transactionHash } from '../../src/codec/transaction'
import { decodeTransactionBody } from '../../src/codec/transactionBody'
import { setVkeyWitnesses } from '../../src/codec/witnessSet'
import { signWithSeed } from '../../src/crypto/ed25519'
import { TxBuilder } from '../../src/tx'
import { Metadatum } from '../../src/utils'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'
import { keyOf } from './support/draft'
import type { Random } from './support/generate'
import type { LedgerName } from './support/judges'
import { cquisitorVerdict, ours, scalus } from './support/judges'
import type { Key } from './support/world'
import { AFTER, BEFORE, find, KEYS, lovelace, NATIVE_SCRIPTS, SLOT, TOKEN, WORLD } from './support/world'

const PRICES = {
  base: {
    minFeeA: 44,
    minFeeB: 155_381,
    coinsPerUtxoByte: 4310n,
    maxTxSize: 16_384,
    maxValueSize: 5000,
    minFeeRefScriptCostPerByte: 15
  },
  head: { coinsPerUtxoByte: 4310n, maxTxSize: 16_384, maxValueSize: 5000 }
} as const

/** A payment of the package's own builder, signed, with what else it can do now and then. */
function build(random: Random, ledger: LedgerName): Uint8Array {
  const owner = random.pick(KEYS)
  const mine = [...WORLD.coins, ...WORLD.withTokens].filter(({ output }) => output.address === owner.address)
  const signers = new Set<Key>([owner])
  const builder = new TxBuilder(PRICES[ledger]).addInputs(mine).changeTo(owner.address)
  for (let i = 0; i <= random.below(4); i++) {
    const amount =
      random.below(4) === 0
        ? [{ unit: random.pick(NATIVE_SCRIPTS).hash + TOKEN, quantity: '1' }]
        : [lovelace(1_000_000n + BigInt(random.below(9_000_000)))]
    builder.pay(random.pick(KEYS).address, amount)
  }
  if (random.below(3) === 0) builder.validFrom(random.pick([AFTER, SLOT])).validUntil(random.pick([SLOT + 1, BEFORE]))
  if (random.below(4) === 0) builder.metadata({ 674: Metadatum.from({ msg: ['m'.repeat(random.below(65))] }) })
  if (random.below(4) === 0) {
    const key = random.pick(KEYS)
    builder.requireSigner(key.hash)
    signers.add(key)
  }
  if (random.below(2) === 0) {
    // Without those that ask for a time.
    const script = random.pick(NATIVE_SCRIPTS.slice(0, 4))
    builder.attachScript(bytesToHex(script.bytes))
    if (random.below(2) === 0) builder.mint(script.hash + TOKEN, BigInt(1 + random.below(1000)))
    else builder.spend([random.pick(WORLD.locked.filter(({ output }) => output.address === script.address))])
    for (const key of script.signers) signers.add(key)
  }
  const spans = readTransaction(hexToBytes(builder.build().cborHex))
  for (const input of decodeTransactionBody(spans).inputs) {
    const key = keyOf(find(input)!.output.address)
    if (key !== undefined) signers.add(key)
  }
  const hash = transactionHash(spans)
  return setVkeyWitnesses(
    spans,
    [...signers].map(({ publicKey, seed }) => ({ vkey: publicKey, signature: signWithSeed(hash, seed) }))
  )
}

describe('what TxBuilder makes', () => {
  it.each(['base', 'head'] as const)(
    'is accepted by our ledger and by those of others: %s',
    async (ledger) => {
      const random = randomSource(`builder ${ledger}`)
      for (let i = 0; i < scaled(1000); i++) {
        const tx = build(random, ledger)
        const { inputs } = decodeTransactionBody(readTransaction(tx))
        expect(await ours(tx, ledger)).toEqual([])
        expect(cquisitorVerdict(tx, ledger, { inputs, collateral: [], referenceInputs: [], withdrawals: [] })).toEqual(
          []
        )
        if (ledger === 'base') expect(scalus(tx)).toEqual([])
      }
    },
    300_000
  )
})
