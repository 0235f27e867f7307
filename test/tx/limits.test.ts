import { TxBuilder } from 'layer-sdk/tx'
import type { TxParameters } from 'layer-sdk/tx'
import type { Amount, UTxO } from 'layer-sdk'
import { hexToBytes } from '../../src/codec/hex'
import { nativeScriptHash } from '../../src/codec/nativeScript'
import { addressToString, enterpriseAddress } from '../../src/codec/address'

const address = (fill: string): string => addressToString(enterpriseAddress(0, { kind: 'key', hash: fill.repeat(28) }))
const [ALICE, BOB] = [address('aa'), address('bb')]
const unitOf = (n: number): string => n.toString(16).padStart(2, '0').repeat(28)
const lovelace = (quantity: bigint): Amount => ({ unit: 'lovelace', quantity: String(quantity) })
const utxo = (index: number, ...amount: Amount[]): UTxO => ({
  input: { txHash: '00'.repeat(32), index },
  output: { address: ALICE, amount }
})
const COSTLY = { coinsPerUtxoByte: 4_310n }

/** What building throws; null when it does not. */
function refusalOf(build: () => unknown): any {
  try {
    build()
    return null
  } catch (error) {
    return error
  }
}

describe('a limit of the ledger holds to the last unit', () => {
  const pay = (amount: bigint, held: bigint, parameters: TxParameters = COSTLY) =>
    new TxBuilder(parameters)
      .addInputs([utxo(0, lovelace(held))])
      .pay(BOB, amount)
      .changeTo(ALICE)
      .build()
  const MINIMUM = 857_690n

  it('for the lovelace of an output', () => {
    expect(pay(MINIMUM, 9_000_000n).outputs[0]!.amount).toEqual([lovelace(MINIMUM)])
    expect(refusalOf(() => pay(MINIMUM - 1n, 9_000_000n))).toMatchObject({
      code: 'TX_OUTPUT_BELOW_MINIMUM',
      minimum: String(MINIMUM)
    })
  })

  it('for the lovelace of the change', () => {
    expect(pay(2_000_000n, 2_000_000n + MINIMUM).outputs[1]!.amount).toEqual([lovelace(MINIMUM)])
    expect(refusalOf(() => pay(2_000_000n, 2_000_000n + MINIMUM - 1n))).toMatchObject({
      code: 'TX_INSUFFICIENT_FUNDS',
      missing: { lovelace: '1' }
    })
    // Nothing is left: no change, and no minimum for it.
    expect(pay(2_000_000n, 2_000_000n).outputs).toHaveLength(1)
  })

  it('for the lovelace of change whose amount takes more bytes than its minimum', () => {
    // 160 and 37 bytes, 39 from 65,536 lovelace on: at prices around 330 the minimum lies between.
    const minimumOf = (coin: bigint, price: bigint): bigint => price * (coin < 65_536n ? 197n : 199n)
    for (let price = 320n; price < 340n; price += 1n) {
      const parameters = { coinsPerUtxoByte: price }
      for (let left = 64_000n; left < 68_000n; left += 128n) {
        const isEnough = left >= minimumOf(left, price)
        const error = refusalOf(() =>
          expect(pay(1_000_000n, 1_000_000n + left, parameters).outputs[1]!.amount).toEqual([lovelace(left)])
        )
        expect([price, left, error?.code]).toEqual([price, left, isEnough ? undefined : 'TX_INSUFFICIENT_FUNDS'])
      }
    }
  })

  it('for the size of a transaction, its signatures included', () => {
    const build = (maxTxSize: number) => pay(2_000_000n, 9_000_000n, { ...COSTLY, maxTxSize })
    const { sizeBytes } = refusalOf(() => build(50))
    expect(build(sizeBytes).outputs).toHaveLength(2)
    expect(refusalOf(() => build(sizeBytes - 1))).toMatchObject({
      code: 'TX_TOO_LARGE',
      sizeBytes,
      limitBytes: sizeBytes - 1
    })
  })

  it('for the size of the value of an output', () => {
    const assets = Array.from({ length: 10 }, (_, n) => ({ unit: unitOf(n), quantity: '1' }))
    const build = (maxValueSize: number) =>
      new TxBuilder({ ...COSTLY, maxValueSize })
        .addInputs([utxo(0, lovelace(50_000_000n), ...assets)])
        .pay(BOB, [lovelace(5_000_000n), ...assets])
        .changeTo(ALICE)
        .build()
    const { sizeBytes } = refusalOf(() => build(100))
    expect(build(sizeBytes).outputs[0]!.amount).toHaveLength(11)
    expect(refusalOf(() => build(sizeBytes - 1))).toMatchObject({
      code: 'TX_TOO_LARGE',
      sizeBytes,
      limitBytes: sizeBytes - 1
    })
  })

  it('for the values of change, which takes as few outputs as they allow, each asset in one', () => {
    const assets = Array.from({ length: 12 }, (_, n) => ({ unit: unitOf(n), quantity: '9223372036854775807' }))
    const outputsOf = (maxValueSize: number) =>
      new TxBuilder({ ...COSTLY, maxValueSize })
        .addInputs([utxo(0, lovelace(90_000_000n), ...assets)])
        .pay(BOB, 2_000_000n)
        .changeTo(ALICE)
        .build()
        .outputs.slice(1)
    let before = Infinity
    for (let maxValueSize = 60; maxValueSize <= 700; maxValueSize += 5) {
      const outputs = outputsOf(maxValueSize)
      expect(outputs.flatMap(({ amount }) => amount.slice(1)).map(({ unit }) => unit)).toEqual(
        assets.map(({ unit }) => unit)
      )
      expect(outputs.reduce((sum, { amount }) => sum + BigInt(amount[0]!.quantity), 0n)).toBe(88_000_000n)
      // All but the last are full: an asset takes at most 42 bytes, and a coin nine.
      for (const { amount } of outputs.slice(0, -1))
        expect((amount.length - 1) * 42 + 42 + 20).toBeGreaterThan(maxValueSize)
      expect(outputs.length).toBeLessThanOrEqual(before)
      before = outputs.length
    }
    expect(before).toBe(1)
  })
})

describe('the choice of inputs', () => {
  const pool = [
    utxo(0, lovelace(3_000_000n)),
    utxo(1, lovelace(7_000_000n)),
    utxo(2, lovelace(5_000_000n), { unit: unitOf(1), quantity: '4' })
  ]
  const spentFor = (amount: bigint | Amount[]): number[] =>
    new TxBuilder({ coinsPerUtxoByte: 0n })
      .addInputs(pool)
      .pay(BOB, amount)
      .changeTo(ALICE)
      .build()
      .inputs.map(({ input }) => input.index)

  it('takes the one that holds most of what is missing, and another one only when it does not suffice', () => {
    expect(spentFor(7_000_000n)).toEqual([1])
    expect(spentFor(7_000_001n)).toEqual([1, 2])
    expect(spentFor(12_000_000n)).toEqual([1, 2])
    expect(spentFor(15_000_000n)).toEqual([0, 1, 2])
    expect(spentFor([lovelace(1n), { unit: unitOf(1), quantity: '4' }])).toContain(2)
  })

  it('takes the one token of its kind', () => {
    const inputs = [
      utxo(0, lovelace(3_000_000n)),
      utxo(1, lovelace(2_000_000n), { unit: unitOf(9), quantity: '1' }),
      utxo(2, lovelace(5_000_000n))
    ]
    const built = new TxBuilder({ coinsPerUtxoByte: 0n })
      .addInputs(inputs)
      .pay(BOB, [{ unit: unitOf(9), quantity: '1' }])
      .changeTo(ALICE)
      .build()
    expect(built.inputs.map(({ input }) => input.index)).toContain(1)
  })

  it('takes an input although nothing is paid: a transaction without any is none', () => {
    const built = new TxBuilder({ coinsPerUtxoByte: 0n }).addInputs(pool).changeTo(BOB).build()
    expect(built.inputs).toHaveLength(1)
    expect(built.outputs).toEqual([{ address: BOB, amount: [lovelace(7_000_000n)] }])
    expect(refusalOf(() => new TxBuilder({ coinsPerUtxoByte: 0n }).changeTo(BOB).build())).toMatchObject({
      code: 'TX_INSUFFICIENT_FUNDS',
      missing: {}
    })
  })
})

it('a script that also names a time has the signatures of its keys alone', () => {
  const [key, time] = [`8200581c${'cc'.repeat(28)}`, '820405']
  const fees = [`820181${key}`, `820182${key}${time}`, `820182${time}${key}`].map((script) => {
    const atScript = addressToString(
      enterpriseAddress(0, { kind: 'script', hash: nativeScriptHash(hexToBytes(script)) })
    )
    const held: UTxO = {
      input: { txHash: '00'.repeat(32), index: 0 },
      output: { address: atScript, amount: [lovelace(9_000_000n)] }
    }
    const built = new TxBuilder({ minFeeA: 1 })
      .attachScript(script)
      .addInputs([held])
      .pay(BOB, 3_000_000n)
      .changeTo(BOB)
      .validFrom(6)
      .build()
    return Number(built.fee) - script.length / 2
  })
  expect(fees).toEqual([fees[0], fees[0], fees[0]])
})
