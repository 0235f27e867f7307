import * as csl from '@emurgo/cardano-serialization-lib-nodejs'
import { scalusEvaluator } from '../../src/adapters/scalus'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { readTransaction, transactionHash } from '../../src/codec/transaction'
import { decodeTransactionBody } from '../../src/codec/transactionBody'
import { setVkeyWitnesses } from '../../src/codec/witnessSet'
import { rewardAddress, addressToString } from '../../src/codec/address'
import { signWithSeed } from '../../src/crypto/ed25519'
import { TxBuilder } from '../../src/tx'
import type { BuiltScriptTransaction } from '../../src/tx'
import type { UTxO } from '../../src/types/utxo'
import { randomSource } from '../support/random'
import { fullRun, scaled } from '../support/scale'
import { keyOf } from './support/draft'
import type { Random } from './support/generate'
import type { LedgerName } from './support/judges'
import { cquisitorVerdict, ours, scalus } from './support/judges'
import type { Key, PlutusLanguage, Script } from './support/world'
import {
  COST_MODELS,
  DATUM,
  find,
  KEYS,
  lovelace,
  NATIVE_SCRIPTS,
  PLUTUS_SCRIPTS,
  scriptRef,
  SLOT,
  TOKEN,
  WORLD,
  ZERO_TIME_MS
} from './support/world'

// Random transactions with Plutus scripts of the package's own builder, judged by our ledger and by those of others.

/** On each of the two ledgers, in rounds: 5,000 in full. */
const COUNT = 500
const ROUNDS = Array.from({ length: fullRun ? 10 : 1 }, (_, round) => round + 1)
/** Its scripts run in three machines, some 100 ms a transaction. */
const DEAR = 10
const evaluator = scalusEvaluator({ inThread: true })
const slots = { zeroTime: ZERO_TIME_MS, zeroSlot: 0, slotLength: 1000 }
const common = {
  collateralPercentage: 150,
  maxCollateralInputs: 3,
  maxTxExecutionUnits: { memory: 14_000_000, steps: 10_000_000_000 },
  protocolVersion: { major: 10, minor: 0 },
  costModels: COST_MODELS
}
const LIMITS = { coinsPerUtxoByte: 4310n, maxTxSize: 16_384, maxValueSize: 5000 }
const PARAMETERS = {
  base: {
    ...LIMITS,
    minFeeA: 44,
    minFeeB: 155_381,
    minFeeRefScriptCostPerByte: 15,
    raw: { ...common, executionUnitPrices: { priceMemory: 0.0577, priceSteps: 0.0000721 } }
  },
  head: { ...LIMITS, raw: { ...common, executionUnitPrices: { priceMemory: 0, priceSteps: 0 } } }
} as const

const PASSING = PLUTUS_SCRIPTS.filter(({ passes }) => passes)
const carrierOf = (script: Script): UTxO =>
  WORLD.carriers[[...NATIVE_SCRIPTS, ...PLUTUS_SCRIPTS].findIndex(({ hash }) => hash === script.hash)]!
/** Outputs with an inline datum are hidden from PlutusV1; PlutusV3 alone spends those without a datum. */
const spendable = (script: Script): UTxO[] =>
  WORLD.locked
    .filter(({ output }) => output.address === script.address)
    .slice(0, script.language === 'PlutusV1' ? 1 : script.language === 'PlutusV2' ? 2 : 3)

interface Made {
  readonly built: BuiltScriptTransaction
  readonly signed: Uint8Array
  readonly languages: Set<PlutusLanguage>
}

/** One or several uses of scripts, with what else a transaction has now and then. */
async function build(random: Random, ledger: LedgerName): Promise<Made> {
  const owner = random.pick(KEYS)
  const signers = new Set<Key>()
  const mine = [...WORLD.coins, ...WORLD.withTokens].filter(({ output }) => output.address === owner.address)
  const builder = new TxBuilder(PARAMETERS[ledger], { slots }).addInputs(mine).changeTo(owner.address)
  const languages = new Set<PlutusLanguage>()
  // PlutusV1 runs beside no inline datum, and cquisitor allows it no reference input: it runs alone.
  const scripts = random.below(3) === 0 ? [PASSING[0]!] : PASSING.slice(1).filter(() => random.below(3) > 0)
  if (scripts.length === 0) scripts.push(PASSING[2]!)
  for (const script of scripts) {
    use(builder, script, random, ledger)
    languages.add(script.language as PlutusLanguage)
  }
  for (let i = 0; i < random.below(4); i++)
    builder.pay(random.pick(KEYS).address, [lovelace(1_500_000n + BigInt(random.below(9_000_000)))])
  if (random.below(3) === 0) builder.validFrom(SLOT - random.below(100)).validTo(SLOT + 1 + random.below(100))
  if (random.below(4) === 0) {
    const key = random.pick(KEYS)
    builder.requireSigner(key.hash)
    signers.add(key)
  }
  if (random.below(4) === 0) {
    const script = random.pick(NATIVE_SCRIPTS.slice(0, 4))
    if (languages.has('PlutusV1') || random.below(2) === 0) builder.attachScript(bytesToHex(script.bytes))
    else builder.readFrom(carrierOf(script))
    builder.mint(script.hash + TOKEN, BigInt(1 + random.below(1000)))
    for (const key of script.signers) signers.add(key)
  }
  if (random.below(3) === 0) {
    const key = random.pick(KEYS)
    builder.collateral([random.pick(WORLD.collateral.filter(({ output }) => output.address === key.address))])
  }
  const built = await builder.build({ evaluator })
  for (const { output } of [...built.inputs, ...built.collateral]) {
    const key = keyOf(output.address)
    if (key !== undefined) signers.add(key)
  }
  const spans = readTransaction(hexToBytes(built.cborHex))
  const hash = transactionHash(spans)
  const signed = setVkeyWitnesses(
    spans,
    [...signers].map(({ publicKey, seed }) => ({ vkey: publicKey, signature: signWithSeed(hash, seed) }))
  )
  return { built, signed, languages }
}

function use(builder: TxBuilder, script: Script, random: Random, ledger: LedgerName): void {
  const redeemer = random.pick(['d87980', '182a', '9f0102ff', 'a0', '44cafebabe', 'd8799f182aff'])
  const witness = {
    redeemer,
    ...(script.language === 'PlutusV1' || random.below(2) === 0
      ? { script: scriptRef(script) }
      : { reference: carrierOf(script) })
  }
  const purposes = ['spend', 'mint', ...(ledger === 'head' ? ['withdraw'] : [])]
  const chosen = purposes.filter(() => random.below(2) === 0)
  for (const purpose of chosen.length === 0 ? ['spend'] : chosen) {
    if (purpose === 'mint')
      builder.mintScript(script.hash, { [TOKEN]: BigInt(1 + random.below(1000)), '': 5n }, witness)
    else if (purpose === 'withdraw')
      builder.withdrawScript(addressToString(rewardAddress(0, { kind: 'script', hash: script.hash })), witness)
    else
      for (const utxo of spendable(script).filter((_, i) => i === 0 || random.below(2) === 0))
        builder.spendScript(utxo, {
          ...witness,
          ...(utxo.output.datumHash === undefined ? {} : { datum: bytesToHex(DATUM) })
        })
  }
}

/** Hash of the script data as cardano-serialization-lib computes it from the bytes of the transaction. */
function hashOfOthers(tx: Uint8Array, languages: ReadonlySet<PlutusLanguage>): string {
  const witnesses = csl.Transaction.from_bytes(tx).witness_set()
  const models = csl.Costmdls.new()
  const kinds = {
    PlutusV1: csl.Language.new_plutus_v1(),
    PlutusV2: csl.Language.new_plutus_v2(),
    PlutusV3: csl.Language.new_plutus_v3()
  }
  for (const language of languages) {
    const model = csl.CostModel.new()
    COST_MODELS[language].forEach((cost, i) => model.set(i, csl.Int.from_str(String(cost))))
    models.insert(kinds[language], model)
  }
  return csl.hash_script_data(witnesses.redeemers()!, models, witnesses.plutus_data()).to_hex()
}

describe('what TxBuilder makes with Plutus scripts', () => {
  it.each(ROUNDS.flatMap((round) => (['base', 'head'] as const).map((ledger) => [ledger, round] as const)))(
    'is accepted by our ledger and by those of others, with their hash of the script data: %s, round %d',
    async (ledger, round) => {
      const random = randomSource(`script builder ${ledger} ${round}`)
      const seen = new Set<string>()
      for (let i = 0; i < scaled(COUNT, DEAR); i++) {
        const { built, signed, languages } = await build(random, ledger)
        const body = decodeTransactionBody(readTransaction(signed))
        const named = {
          inputs: body.inputs,
          collateral: body.collateral,
          referenceInputs: body.referenceInputs,
          withdrawals: [...body.withdrawals]
        }
        expect(await ours(signed, ledger)).toEqual([])
        expect(cquisitorVerdict(signed, ledger, named)).toEqual([])
        if (ledger === 'base') expect(scalus(signed)).toEqual([])
        expect(csl.Transaction.from_bytes(signed).body().script_data_hash()!.to_hex()).toBe(
          hashOfOthers(signed, languages)
        )
        for (const { tag } of built.redeemers) seen.add(tag)
        for (const input of body.inputs) expect(find(input)).toBeDefined()
      }
      expect([...seen].sort()).toEqual(ledger === 'head' ? ['mint', 'reward', 'spend'] : ['mint', 'spend'])
    },
    // Beside other work a transaction takes up to a second.
    900_000
  )

  it('is the same bytes each time', async () => {
    const make = async (): Promise<string[]> => {
      const random = randomSource('deterministic')
      const made: string[] = []
      for (let i = 0; i < 10; i++) made.push((await build(random, 'base')).built.cborHex)
      return made
    }
    expect(await make()).toEqual(await make())
  })
})
