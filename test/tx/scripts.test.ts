import * as csl from '@emurgo/cardano-serialization-lib-nodejs'
import { addressToString, enterpriseAddress, rewardAddress } from '../../src/codec/address'
import { COST_MODELS_PV11 } from '../../src/codec/costModelsPv11'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { readTransaction } from '../../src/codec/transaction'
import { decodeTransactionBody } from '../../src/codec/transactionBody'
import { blake2b256 } from '../../src/hash/blake2b'
import { scriptRef, TxBuilder } from '../../src/tx'
import type { BuildOptions, TxParameters } from '../../src/tx'
import { plutusScriptHash } from '../../src/utils'
import type { ScriptEvaluator } from '../../src/types/scriptEvaluator'
import type { Amount, TxOutput, UTxO } from '../../src/types/utxo'

const V2 = '4d01000033222220051200120011'
const V3 = '450101002499'
const HASH_V3 = plutusScriptHash(V3, 'PlutusV3')
const HASH_V2 = plutusScriptHash(V2, 'PlutusV2')
const at = (kind: 'key' | 'script', hash: string, networkId: 0 | 1 = 0): string =>
  addressToString(enterpriseAddress(networkId, { kind, hash }))
const ALICE = at('key', 'aa'.repeat(28))
const LOCK_V3 = at('script', HASH_V3)
const LOCK_V2 = at('script', HASH_V2)
const REWARDS_V3 = addressToString(rewardAddress(0, { kind: 'script', hash: HASH_V3 }))
const DATUM = 'd8799f182aff'
const DATUM_HASH = bytesToHex(blake2b256(hexToBytes(DATUM)))
const ada = (lovelace: bigint): Amount[] => [{ unit: 'lovelace', quantity: String(lovelace) }]

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

let made = 0
const utxo = (address: string, lovelace: bigint, more: Partial<TxOutput> = {}): UTxO => ({
  input: { txHash: (++made).toString(16).padStart(64, '0'), index: 0 },
  output: { address, amount: ada(lovelace), ...more }
})
const refOf = ({ input }: UTxO): string => `${input.txHash}#${input.index}`

const RAW = {
  costModels: COST_MODELS_PV11,
  protocolVersion: { major: 11, minor: 0 },
  executionUnitPrices: { priceMemory: 0.0577, priceSteps: 0.0000721 },
  maxTxExecutionUnits: { memory: 14_000_000, steps: 10_000_000_000 },
  collateralPercentage: 150,
  maxCollateralInputs: 3
}
const BASE: TxParameters = { minFeeA: 44, minFeeB: 155_381, minFeeRefScriptCostPerByte: 15, raw: RAW }
const slots = { zeroTime: 0, zeroSlot: 0, slotLength: 1000 }
/** The same units for each redeemer that a transaction states, as cardano-serialization-lib reads them. */
const units =
  (mem = 1000n, cpu = 200_000n): ScriptEvaluator =>
  async ({ tx }) => {
    const redeemers = csl.Transaction.from_bytes(tx).witness_set().redeemers()!
    return Array.from({ length: redeemers.len() }, (_, i) => {
      const { tag, index } = JSON.parse(redeemers.get(i).to_json()) as { tag: string; index: string }
      return { tag: tag.toLowerCase(), index: Number(index), mem, cpu }
    })
  }
const options: BuildOptions = { evaluator: units(), slots }
const builder = (...inputs: UTxO[]): TxBuilder => new TxBuilder(BASE).addInputs(inputs).changeTo(ALICE)
const script = scriptRef('PlutusV3', V3)
const redeemer = '182a'

const failure = async (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => null,
    (error: unknown) => error
  )

describe('bad input of a transaction with Plutus scripts is named before any script runs', () => {
  const never: BuildOptions = {
    slots,
    evaluator: () => {
      throw new Error('must not run')
    }
  }
  const expectNamed = async (tx: TxBuilder, reason: string, named: (string | null)[]): Promise<any> => {
    const error = await failure(tx.build(never))
    expect(error).toMatchObject({ code: 'CLIENT_SCRIPT_INPUT', reason })
    for (const part of named) expect(error.message).toContain(part)
    return error
  }

  it('a redeemer for an output of a key, and for a native script', async () => {
    const own = utxo(ALICE, 5_000_000n)
    await expectNamed(builder().spendScript(own, { redeemer, script }), 'redeemer-unused', [refOf(own), ALICE])
    const native = '8200581c' + 'aa'.repeat(28)
    const carrier = utxo(ALICE, 5_000_000n, { scriptRef: { language: 'native', cborHex: native } })
    const hash = csl.NativeScript.from_hex(native).hash().to_hex()
    const locked = utxo(at('script', hash), 5_000_000n)
    const tx = builder(utxo(ALICE, 9_000_000n)).spendScript(locked, { redeemer, reference: carrier })
    await expectNamed(tx, 'redeemer-unused', [refOf(locked), hash])
  })

  it('a script without a redeemer', async () => {
    const locked = utxo(LOCK_V3, 5_000_000n)
    const tx = builder(utxo(ALICE, 9_000_000n)).spendScript(locked, { script } as never)
    await expectNamed(tx, 'redeemer-missing', [refOf(locked), HASH_V3])
  })

  it('no script, another script, and an output that does not carry it', async () => {
    const locked = utxo(LOCK_V3, 5_000_000n)
    const tx = (witness: object): TxBuilder =>
      builder(utxo(ALICE, 9_000_000n)).spendScript(locked, { redeemer, ...witness })
    await expectNamed(tx({}), 'script-missing', [refOf(locked), HASH_V3])
    const other = scriptRef('PlutusV2', V2)
    await expectNamed(tx({ script: other }), 'script-missing', [refOf(locked), HASH_V3, HASH_V2])
    const empty = utxo(ALICE, 5_000_000n)
    await expectNamed(tx({ reference: empty }), 'script-missing', [refOf(locked), HASH_V3, refOf(empty)])
    const wrong = utxo(ALICE, 5_000_000n, { scriptRef: other })
    await expectNamed(tx({ reference: wrong }), 'script-missing', [refOf(locked), HASH_V3, HASH_V2])
  })

  it('a datum that is missing, of another hash, or given for an output that has its own', async () => {
    const v2 = scriptRef('PlutusV2', V2)
    const tx = (locked: UTxO, datum?: string): TxBuilder =>
      builder(utxo(ALICE, 9_000_000n)).spendScript(locked, { redeemer, script: v2, datum })
    const hashed = utxo(LOCK_V2, 5_000_000n, { datumHash: DATUM_HASH })
    await expectNamed(tx(hashed), 'datum-missing', [refOf(hashed), HASH_V2, DATUM_HASH])
    await expectNamed(tx(hashed, 'd87980'), 'datum-missing', [refOf(hashed), HASH_V2, DATUM_HASH])
    const bare = utxo(LOCK_V2, 5_000_000n)
    await expectNamed(tx(bare), 'datum-missing', [refOf(bare), HASH_V2])
    const inline = utxo(LOCK_V2, 5_000_000n, { inlineDatum: DATUM })
    await expectNamed(tx(inline, DATUM), 'datum-unused', [refOf(inline), HASH_V2])
  })

  it('a language that the ledger does not run', async () => {
    const raw = { ...RAW, costModels: { ...COST_MODELS_PV11, PlutusV3: [] } }
    const locked = utxo(LOCK_V3, 5_000_000n)
    const tx = new TxBuilder({ ...BASE, raw }).addInputs([utxo(ALICE, 9_000_000n)]).changeTo(ALICE)
    await expectNamed(tx.spendScript(locked, { redeemer, script }), 'cost-model-missing', [refOf(locked), HASH_V3])
  })

  it('no evaluator, one that is no function, no slots, and build() without options', async () => {
    const locked = utxo(LOCK_V3, 5_000_000n)
    const tx = builder(utxo(ALICE, 9_000_000n)).spendScript(locked, { redeemer, script })
    const none = await failure(tx.build({ slots }))
    expect(none).toMatchObject({ code: 'CLIENT_EVALUATOR_MISSING' })
    for (const part of [refOf(locked), HASH_V3]) expect(none.message).toContain(part)
    expect(await failure(tx.build({ slots, evaluator: 5 as never }))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(await failure(tx.build({ evaluator: units() }))).toMatchObject({ code: 'INPUT_ARGUMENT', argument: 'slots' })
    expect(await failure(tx.build({ evaluater: units() } as never))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(() => tx.build()).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('parameters without what scripts need, each by its name', async () => {
    const tx = (raw: unknown): TxBuilder =>
      new TxBuilder({ raw })
        .addInputs([utxo(ALICE, 9_000_000n)])
        .changeTo(ALICE)
        .spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer, script })
    for (const name of Object.keys(RAW)) {
      const { [name as keyof typeof RAW]: _, ...rest } = RAW
      expect(await failure(tx(rest).build(never))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    }
    expect(await failure(tx(undefined).build(never))).toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('redeemers, datums, assets, policies and accounts that are none', async () => {
    const own = utxo(ALICE, 9_000_000n)
    const rejected = async (tx: TxBuilder, code: string): Promise<void> =>
      expect(await failure(tx.build(never))).toMatchObject({ code })
    await rejected(builder(own).spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer: 'd8799f', script }), 'INPUT_CBOR')
    await rejected(builder(own).spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer: '182a00', script }), 'INPUT_CBOR')
    await rejected(
      builder(own).spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer: 5, script } as never),
      'INPUT_ARGUMENT'
    )
    await rejected(builder(own).spendScript(utxo(LOCK_V3, 5_000_000n), null as never), 'INPUT_ARGUMENT')
    await rejected(builder(own).spendScript(null as never, { redeemer, script }), 'INPUT_ARGUMENT')
    await rejected(builder(own).mintScript('00', { '': 1n }, { redeemer, script }), 'INPUT_HEX')
    await rejected(builder(own).mintScript(HASH_V3, {}, { redeemer, script }), 'INPUT_ARGUMENT')
    await rejected(builder(own).mintScript(HASH_V3, { '': 0n }, { redeemer, script }), 'INPUT_ARGUMENT')
    await rejected(builder(own).mintScript(HASH_V3, { '': 1 as never }, { redeemer, script }), 'INPUT_ARGUMENT')
    await rejected(builder(own).withdrawScript(LOCK_V3, { redeemer, script }), 'INPUT_ARGUMENT')
    await rejected(builder(own).withdrawScript(REWARDS_V3, { redeemer, script, amount: -1n }), 'INPUT_ARGUMENT')
    const twice = builder(own).mintScript(HASH_V3, { '': 1n }, { redeemer, script })
    await rejected(twice.mintScript(HASH_V3, { aa: 1n }, { redeemer: '182b', script }), 'INPUT_ARGUMENT')
  })

  it('collateral at a script, too much of it, and too little', async () => {
    const locked = utxo(LOCK_V3, 50_000_000n)
    const tx = (collateral: UTxO[]): TxBuilder =>
      builder().spendScript(locked, { redeemer, script }).collateral(collateral)
    const four = [1, 2, 3, 4].map(() => utxo(ALICE, 5_000_000n))
    expect(await failure(tx(four).build(options))).toMatchObject({ code: 'INPUT_ARGUMENT', argument: 'collateral' })
    expect(await failure(tx([locked]).build(options))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    const short = await failure(tx([utxo(ALICE, 100_000n)]).build(options))
    expect(short).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
    expect(short.message).toContain('collateral')
    const none = await failure(builder().spendScript(locked, { redeemer, script }).build(options))
    expect(none).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
  })
})

describe('an evaluator is outside code', () => {
  const tx = (): TxBuilder =>
    builder(utxo(ALICE, 9_000_000n)).spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer, script })
  const build = (evaluator: unknown): Promise<any> => failure(tx().build({ slots, evaluator: evaluator as never }))

  it('a script that fails is named, with its traces', async () => {
    const error = await build(async () => {
      throw Object.assign(new Error('it said no'), { logs: ['first', 'second'] })
    })
    expect(error).toMatchObject({ code: 'CLIENT_SCRIPT_FAILED', redeemer: 'spend#0', scriptHash: HASH_V3 })
    expect(error.traces).toEqual(['first', 'second'])
  })

  it('answers that are none are typed errors', async () => {
    for (const answer of [
      null,
      [],
      [{ tag: 'mint', index: 0, mem: 1n, cpu: 1n }],
      [{ tag: 'spend', index: 0, mem: -1n, cpu: 1n }]
    ])
      expect(await build(async () => answer)).toMatchObject({ code: 'CLIENT_EVALUATOR_FAILED' })
    expect(await build(() => 5)).toMatchObject({ code: 'CLIENT_EVALUATOR_FAILED' })
    expect(
      await build(() => {
        throw new TypeError('broken')
      })
    ).toMatchObject({ code: 'CLIENT_EVALUATOR_FAILED' })
  })

  it('units beyond the limits are refused, and units that never settle', async () => {
    const locked = utxo(LOCK_V3, 5_000_000n)
    const one = builder(utxo(ALICE, 9_000_000n)).spendScript(locked, { redeemer, script })
    const error = await failure(one.build({ slots, evaluator: units(14_000_001n) }))
    expect(error).toMatchObject({ code: 'CLIENT_SCRIPT_INPUT', reason: 'too-many-units' })
    for (const part of [refOf(locked), HASH_V3]) expect(error.message).toContain(part)
    let more = 0n
    const growing: ScriptEvaluator = async (request) => units((more += 1000n))(request)
    expect(await build(growing)).toMatchObject({ code: 'CLIENT_EVALUATOR_FAILED' })
  })
})

describe('build() with Plutus scripts', () => {
  it('declares the evaluated units, and pays for them, for the size and for reference scripts', async () => {
    const locked = utxo(LOCK_V3, 5_000_000n)
    const carrier = utxo(ALICE, 5_000_000n, { scriptRef: script })
    const make = (mem: bigint, witness: object): Promise<{ fee: bigint; cborHex: string }> =>
      builder(utxo(ALICE, 90_000_000n))
        .spendScript(locked, { redeemer, ...witness })
        .build({ slots, evaluator: units(mem, 0n) })
    const [one, other] = [await make(100_000n, { script }), await make(200_000n, { script })]
    // 100,000 units of memory at 0.0577 lovelace.
    expect(other.fee - one.fee).toBe(5770n)
    const declared = csl.Transaction.from_hex(one.cborHex).witness_set().redeemers()!.get(0).ex_units()
    expect([declared.mem().to_str(), declared.steps().to_str()]).toEqual(['100000', '0'])
    const referring = await make(100_000n, { reference: carrier })
    // The script is 6 bytes: it leaves the witness set, a reference input comes in, and its bytes cost 15 each.
    const sizes = [one, referring].map(({ cborHex }) => BigInt(cborHex.length / 2))
    expect(referring.fee - one.fee).toBe(44n * (sizes[1]! - sizes[0]!) + 15n * 6n)
  })

  it('numbers redeemers as the ledger does, whatever the order of the calls', async () => {
    const [first, second] = [utxo(LOCK_V3, 5_000_000n), utxo(LOCK_V3, 5_000_000n)]
    const own = utxo(ALICE, 90_000_000n)
    const { redeemers, inputs, cborHex } = await builder()
      .spend([own])
      .withdrawScript(REWARDS_V3, { redeemer: '01', script })
      .mintScript(HASH_V3, { cafe: 1n }, { redeemer: '02', script })
      .spendScript(second, { redeemer: '03', script })
      .spendScript(first, { redeemer: '04', script })
      .build(options)
    const order = inputs.map(refOf)
    expect(redeemers.map(({ tag, index }) => `${tag}#${index}`)).toEqual(['spend#0', 'spend#1', 'mint#0', 'reward#0'])
    expect(order.slice(0, 2)).toEqual([refOf(first), refOf(second)])
    const decoded = csl.Transaction.from_hex(cborHex).witness_set().redeemers()!
    expect(Array.from({ length: 4 }, (_, i) => decoded.get(i).data().to_hex())).toEqual(['04', '03', '02', '01'])
  })

  it('chooses the smallest collateral that suffices, ada alone, and returns the rest', async () => {
    const token = utxo(ALICE, 6_000_000n)
    token.output.amount.push({ unit: 'bb'.repeat(28), quantity: '5' })
    const [small, fit, large] = [utxo(ALICE, 1_000_000n), utxo(ALICE, 7_000_000n), utxo(ALICE, 90_000_000n)]
    const built = await builder(token, large, fit, small)
      .spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer, script })
      .build(options)
    expect(built.collateral.map(refOf)).toEqual([refOf(fit)])
    expect(built.totalCollateral).toBe((built.fee * 150n + 99n) / 100n)
    expect(BigInt(built.collateralReturn!.amount[0]!.quantity)).toBe(7_000_000n - built.totalCollateral)
    const body = decodeTransactionBody(readTransaction(hexToBytes(built.cborHex)))
    expect(body.collateral.map(({ txHash }) => txHash)).toEqual([fit.input.txHash])
  })

  it('rounds the collateral up, whatever the fee', async () => {
    for (const minFeeB of [155_381, 155_382, 155_383]) {
      const built = await new TxBuilder({ ...BASE, minFeeB })
        .addInputs([utxo(ALICE, 90_000_000n)])
        .changeTo(ALICE)
        .spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer, script })
        .build(options)
      expect(built.totalCollateral * 100n).toBeGreaterThanOrEqual(built.fee * 150n)
      expect((built.totalCollateral - 1n) * 100n).toBeLessThan(built.fee * 150n)
    }
  })

  it('uses collateral with assets where there is no other, and returns the assets', async () => {
    const token = utxo(ALICE, 9_000_000n)
    token.output.amount.push({ unit: 'bb'.repeat(28), quantity: '5' })
    const built = await builder(token).spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer, script }).build(options)
    expect(built.collateralReturn!.amount).toContainEqual({ unit: 'bb'.repeat(28), quantity: '5' })
  })

  it('balances what it mints, burns and withdraws', async () => {
    const own = utxo(ALICE, 9_000_000n)
    own.output.amount.push({ unit: HASH_V3 + 'aa', quantity: '5' })
    const { outputs, fee } = await builder(own)
      .mintScript(HASH_V3, { aa: -2n, bb: 7n }, { redeemer, script })
      .withdrawScript(REWARDS_V3, { redeemer, script, amount: 1_000_000n })
      .build(options)
    const amounts = outputs.flatMap(({ amount }) => amount)
    expect(amounts).toContainEqual({ unit: HASH_V3 + 'aa', quantity: '3' })
    expect(amounts).toContainEqual({ unit: HASH_V3 + 'bb', quantity: '7' })
    expect(amounts[0]!.quantity).toBe(String(9_000_000n + 1_000_000n - fee))
  })

  it('evaluates once where nothing that scripts see depends on the units: a head without fees', async () => {
    let runs = 0
    const counting: ScriptEvaluator = async (request) => {
      runs++
      return units()(request)
    }
    const head = new TxBuilder({ raw: { ...RAW, executionUnitPrices: { priceMemory: 0, priceSteps: 0 } } })
    const built = await head
      .addInputs([utxo(ALICE, 9_000_000n)])
      .changeTo(ALICE)
      .spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer, script })
      .build({ slots, evaluator: counting })
    expect([runs, built.fee, built.redeemers[0]!.mem]).toEqual([1, 0n, 1000n])
  })

  it('evaluates again what the fee has changed, until the declared units suffice', async () => {
    const seen: string[] = []
    // A script whose units depend on the fee that it sees, as one does that compares it.
    const byFee: ScriptEvaluator = async (request) => {
      const fee = csl.Transaction.from_bytes(request.tx).body().fee().to_str()
      seen.push(fee)
      return units(BigInt(fee) / 100n)(request)
    }
    const built = await builder(utxo(ALICE, 9_000_000n))
      .spendScript(utxo(LOCK_V3, 5_000_000n), { redeemer, script })
      .build({ slots, evaluator: byFee })
    expect(seen.length).toBeGreaterThan(1)
    expect(built.redeemers[0]!.mem).toBeGreaterThanOrEqual(built.fee / 100n)
    expect(seen.at(-1)).toBe(String(built.fee))
  })

  it('reads the parameters of each source', async () => {
    const sources: unknown[] = [
      RAW,
      {
        cost_models: RAW.costModels,
        protocol_version: RAW.protocolVersion,
        execution_unit_prices: RAW.executionUnitPrices,
        max_tx_execution_units: RAW.maxTxExecutionUnits,
        collateral_percentage: 150,
        max_collateral_inputs: 3
      },
      {
        costModels: RAW.costModels,
        protocol_major_ver: 11,
        price_mem: 0.0577,
        price_step: 0.0000721,
        max_tx_ex_mem: '14000000',
        max_tx_ex_steps: '10000000000',
        collateral_percent: 150,
        max_collateral_inputs: 3
      },
      {
        plutusCostModels: {
          'plutus:v1': COST_MODELS_PV11.PlutusV1,
          'plutus:v2': COST_MODELS_PV11.PlutusV2,
          'plutus:v3': COST_MODELS_PV11.PlutusV3
        },
        version: { major: 11, minor: 0 },
        scriptExecutionPrices: { memory: '577/10000', cpu: '721/10000000' },
        maxExecutionUnitsPerTransaction: { memory: 14_000_000, cpu: 10_000_000_000 },
        collateralPercentage: 150,
        maxCollateralInputs: 3
      }
    ]
    const [own, locked] = [utxo(ALICE, 9_000_000n), utxo(LOCK_V3, 5_000_000n)]
    const built = await Promise.all(
      sources.map((raw) =>
        new TxBuilder({ ...BASE, raw })
          .addInputs([own])
          .changeTo(ALICE)
          .spendScript(locked, { redeemer, script })
          .build(options)
      )
    )
    expect(new Set(built.map(({ cborHex }) => cborHex)).size).toBe(1)
  })

  it('reads parameters that cannot change once, and others with each transaction', async () => {
    const input = utxo(LOCK_V3, 9_000_000n)
    const purse = utxo(ALICE, 9_000_000n)
    const build = async (parameters: TxParameters): Promise<string> =>
      (
        await new TxBuilder(parameters)
          .addInputs([purse])
          .changeTo(ALICE)
          .spendScript(input, { redeemer, script })
          .build(options)
      ).cborHex
    const model = [...COST_MODELS_PV11.PlutusV3!]
    const costModels = { ...COST_MODELS_PV11, PlutusV3: model }
    // Frozen at the top alone: the model below can still change, and the hash of the script data with it.
    const changing: TxParameters = Object.freeze({ ...BASE, raw: Object.freeze({ ...RAW, costModels }) })
    const before = await build(changing)
    model[0] = model[0]! + 1
    const after = await build(changing)
    expect(after).not.toBe(before)
    expect(before).toBe(await build(BASE))
    const fixed: TxParameters = Object.freeze({ minFeeA: 44, minFeeB: 155_381, raw: deepFreeze(structuredClone(RAW)) })
    expect(await build(fixed)).toBe(await build(fixed))
    expect(await build(fixed)).toBe(await build({ ...fixed }))
  })

  it('makes what build() makes where there are no Plutus scripts', async () => {
    const own = utxo(ALICE, 9_000_000n)
    const make = (): TxBuilder => builder(own).pay(ALICE, 2_000_000n).validFrom(5).validTo(500)
    expect((await make().build({})).cborHex).toBe(make().build().cborHex)
  })

  it('knows the slots of mainnet by its addresses', async () => {
    let slot: unknown
    const [own, change] = [utxo(at('key', 'aa'.repeat(28), 1), 9_000_000n), at('key', 'aa'.repeat(28), 1)]
    await new TxBuilder(BASE)
      .addInputs([own])
      .changeTo(change)
      .spendScript(utxo(at('script', HASH_V3, 1), 5_000_000n), { redeemer, script })
      .build({
        evaluator: async (request) => {
          slot = request.slot
          return units()(request)
        }
      })
    expect(slot).toEqual({ zeroTimeMs: 1596059091000, zeroSlot: 4492800, slotLengthMs: 1000 })
  })
})

describe('scriptRef', () => {
  it('takes both wrappings, and decides by the hash where one is known', () => {
    const wrapped = `46${V3}`
    expect(scriptRef('PlutusV3', V3)).toEqual({ language: 'PlutusV3', cborHex: wrapped })
    expect(scriptRef('PlutusV3', wrapped)).toEqual({ language: 'PlutusV3', cborHex: wrapped })
    expect(scriptRef('PlutusV3', wrapped, HASH_V3).cborHex).toBe(wrapped)
    expect(() => scriptRef('PlutusV3', V3, HASH_V2)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
    expect(() => scriptRef('PlutusV4' as never, V3)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
    expect(() => scriptRef('PlutusV3', '01')).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })
})
