import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { addressToString, enterpriseAddress } from '../../src/codec/address'
import { nativeScriptHash } from '../../src/codec/nativeScript'
import { hexToBytes } from '../../src/codec/hex'
import { buildDeposit, TxBuilder } from '../../src/tx'
import type { Amount, UTxO } from '../../src/types/utxo'

const address = (fill: string, kind: 'key' | 'script' = 'key') =>
  addressToString(enterpriseAddress(0, { kind, hash: fill.length === 2 ? fill.repeat(28) : fill }))
const ALICE = address('aa')
const HEAD_ALICE = address('bb')
const ada = (quantity: bigint): Amount[] => [{ unit: 'lovelace', quantity: String(quantity) }]
const utxo = (index: number, amount: Amount[], at = ALICE): UTxO => ({
  input: { txHash: 'ab'.repeat(32), index },
  output: { address: at, amount }
})
const thrown = (code: string, facts: object = {}) => expect.objectContaining({ code, ...facts })

describe('a blueprint', () => {
  it('names what enters the head, leaves the change to the node and pays no fee', () => {
    const held = utxo(0, ada(100_000_000n))
    const blueprint = buildDeposit({
      utxos: [held],
      to: HEAD_ALICE,
      amount: 30_000_000n,
      changeAddress: ALICE,
      parameters: { minFeeA: 44, minFeeB: 155381 }
    })
    const tx = CSL.FixedTransaction.from_hex(blueprint.cborHex)
    expect(tx.transaction_hash().to_hex()).toBe(blueprint.txId)
    expect(tx.body().fee().to_str()).toBe('0')
    expect(tx.body().outputs().len()).toBe(1)
    expect(tx.body().outputs().get(0).amount().coin().to_str()).toBe('30000000')
    expect(blueprint).toMatchObject({
      description: '',
      utxo: [held],
      outputs: [{ address: HEAD_ALICE, amount: ada(30_000_000n) }],
      changeAddress: ALICE
    })
  })

  it('spends no more outputs than the deposit and an output of change need', () => {
    const utxos = [utxo(0, ada(5_000_000n)), utxo(1, ada(5_000_000n)), utxo(2, ada(5_000_000n))]
    expect(buildDeposit({ utxos, to: ALICE, amount: 4_000_000n, changeAddress: ALICE }).utxo).toHaveLength(1)
    // 0.5 ada are no output by themselves.
    expect(buildDeposit({ utxos, to: ALICE, amount: 4_500_000n, changeAddress: ALICE }).utxo).toHaveLength(2)
  })

  it('names no change address when nothing is left, so that the node makes no output of change', () => {
    const blueprint = buildDeposit({
      utxos: [utxo(0, ada(5_000_000n))],
      to: ALICE,
      amount: 5_000_000n,
      changeAddress: ALICE
    })
    expect(blueprint).not.toHaveProperty('changeAddress')
  })

  it('without payments deposits all that is spent, as it is', () => {
    const utxos = [utxo(1, ada(5_000_000n)), utxo(0, ada(2_000_000n))]
    const blueprint = new TxBuilder().spend(utxos).changeTo(ALICE).blueprint()
    expect(blueprint).toMatchObject({ utxo: [utxos[1], utxos[0]], outputs: [] })
    expect(blueprint).not.toHaveProperty('changeAddress')
    expect(CSL.Transaction.from_hex(blueprint.cborHex).body().outputs().len()).toBe(0)
    expect(() => new TxBuilder().addInputs(utxos).blueprint()).toThrow(thrown('INPUT_ARGUMENT', { argument: 'spend' }))
  })

  it('carries the native scripts that spend its inputs', () => {
    const script = `8200581c${'cc'.repeat(28)}`
    const atScript = address(nativeScriptHash(hexToBytes(script)), 'script')
    const blueprint = new TxBuilder()
      .attachScript(script)
      .addInputs([utxo(0, ada(9_000_000n), atScript)])
      .pay(ALICE, 3_000_000n)
      .changeTo(atScript)
      .blueprint()
    expect(CSL.Transaction.from_hex(blueprint.cborHex).witness_set().native_scripts()!.len()).toBe(1)
    expect(() =>
      buildDeposit({ utxos: [utxo(0, ada(9_000_000n), atScript)], to: ALICE, amount: 3_000_000n, changeAddress: ALICE })
    ).toThrow(thrown('TX_INSUFFICIENT_FUNDS'))
  })

  it('refuses a deposit below what its output on the base ledger must hold: heads ignore one that the node topped up', () => {
    // 1.2 ada make an output, but a deposit's output carries a datum besides.
    const held = utxo(0, ada(100_000_000n))
    expect(new TxBuilder().addInputs([held]).pay(ALICE, 1_200_000n).changeTo(ALICE).build().outputs).toHaveLength(2)
    expect(() => buildDeposit({ utxos: [held], to: ALICE, amount: 1_200_000n, changeAddress: ALICE })).toThrow(
      thrown('TX_OUTPUT_BELOW_MINIMUM')
    )
    expect(() => new TxBuilder().spend([utxo(0, ada(1_200_000n))]).blueprint()).toThrow(
      thrown('TX_OUTPUT_BELOW_MINIMUM')
    )
  })

  it('pays for no reference script: the node adds the fee', () => {
    const held = {
      ...utxo(0, ada(9_000_000n)),
      output: {
        address: ALICE,
        amount: ada(9_000_000n),
        scriptRef: { language: 'PlutusV3' as const, cborHex: '43010203' }
      }
    }
    const parameters = { minFeeRefScriptCostPerByte: 15 }
    const whole = new TxBuilder(parameters).spend([held]).changeTo(ALICE)
    expect(CSL.Transaction.from_hex(whole.blueprint().cborHex).body().fee().to_str()).toBe('0')
    expect(whole.build().fee).toBe(45n)
    // An output without a script adds nothing.
    expect(
      new TxBuilder(parameters)
        .spend([held, utxo(1, ada(2_000_000n))])
        .changeTo(ALICE)
        .build().fee
    ).toBe(45n)
    const part = buildDeposit({ utxos: [held], to: HEAD_ALICE, amount: 9_000_000n, changeAddress: ALICE, parameters })
    expect(part.outputs).toEqual([{ address: HEAD_ALICE, amount: ada(9_000_000n) }])
  })

  it('refuses what leaves more change than fits one output: the node makes one', () => {
    const assets = Array.from({ length: 4 }, (_, n) => ({
      unit: n.toString(16).padStart(2, '0').repeat(28),
      quantity: '5'
    }))
    const deposit = (maxValueSize: number) =>
      buildDeposit({
        utxos: [utxo(0, [...ada(90_000_000n), ...assets])],
        to: HEAD_ALICE,
        amount: 5_000_000n,
        changeAddress: ALICE,
        parameters: { maxValueSize }
      })
    expect(deposit(200).changeAddress).toBe(ALICE)
    // Two outputs of change, and no more.
    expect(() => deposit(120)).toThrow(thrown('INPUT_ARGUMENT', { argument: 'changeTo' }))
  })

  it('refuses an output whose value is too large', () => {
    const assets = Array.from({ length: 8 }, (_, n) => ({
      unit: n.toString(16).padStart(2, '0').repeat(28),
      quantity: '5'
    }))
    const utxos = [utxo(0, [...ada(90_000_000n), ...assets])]
    const deposit = (maxValueSize: number) =>
      buildDeposit({
        utxos,
        to: HEAD_ALICE,
        amount: [...ada(50_000_000n), ...assets],
        changeAddress: ALICE,
        parameters: { maxValueSize }
      })
    expect(deposit(5_000).outputs).toHaveLength(1)
    expect(() => deposit(200)).toThrow(thrown('TX_TOO_LARGE', { limitBytes: 200 }))
  })

  it('refuses to mint without the policy', () => {
    const script = `8200581c${'cc'.repeat(28)}`
    const unit = `${nativeScriptHash(hexToBytes(script))}01`
    const minting = () =>
      new TxBuilder()
        .spend([utxo(0, ada(9_000_000n))])
        .mint(unit, 1n)
        .changeTo(ALICE)
    expect(() => minting().blueprint()).toThrow(thrown('INPUT_ARGUMENT'))
    expect(minting().attachScript(script).blueprint().outputs).toEqual([])
  })

  it('refuses to deposit more than there is', () => {
    expect(() =>
      buildDeposit({ utxos: [utxo(0, ada(5_000_000n))], to: ALICE, amount: 6_000_000n, changeAddress: ALICE })
    ).toThrow(thrown('TX_INSUFFICIENT_FUNDS', { missing: { lovelace: '1000000' } }))
    expect(() => buildDeposit({ utxos: [utxo(0, ada(5_000_000n))], to: ALICE, amount: 3_000_000n } as never)).toThrow(
      thrown('INPUT_ADDRESS')
    )
    for (const junk of [undefined, null, 5, 'text', {}])
      expect(() => buildDeposit(junk as never)).toThrow(thrown('INPUT_ARGUMENT'))
  })
})
