import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import * as fc from 'fast-check'
import { hexToBytes } from '../../src/codec/hex'
import { CborWriter } from '../../src/codec/cbor/writer'
import { CborReader } from '../../src/codec/cbor/reader'
import { minLovelaceOfSize } from '../../src/codec/txOutput'
import { decodeTransactionBody } from '../../src/codec/transactionBody'
import { readTransaction } from '../../src/codec/transaction'
import { setVkeyWitnesses } from '../../src/codec/witnessSet'
import { addValue, valueFromAmounts } from '../../src/codec/value'
import { nativeScriptHash } from '../../src/codec/nativeScript'
import { addressToString, enterpriseAddress } from '../../src/codec/address'
import { buildPayment, buildSweep, TxBuilder, txParametersFromProtocol } from '../../src/tx'
import type { Amount, UTxO } from '../../src/types/utxo'

const MAINNET_LIKE = { minFeeA: 44, minFeeB: 155381, coinsPerUtxoByte: 4310n, maxTxSize: 16384, maxValueSize: 5000 }
/** As a head without any price has it. */
const FREE = { coinsPerUtxoByte: 0n }
const address = (fill: number) =>
  addressToString(enterpriseAddress(0, { kind: 'key', hash: fill.toString(16).padStart(2, '0').repeat(28) }))
const ALICE = address(0xaa)
const BOB = address(0xbb)
const unit = (policy: number, name = '') => policy.toString(16).padStart(2, '0').repeat(28) + name
let counter = 0
const utxo = (amount: Amount[] | bigint, at = ALICE): UTxO => ({
  input: { txHash: (++counter).toString(16).padStart(64, '0'), index: counter % 3 },
  output: {
    address: at,
    amount: typeof amount === 'bigint' ? [{ unit: 'lovelace', quantity: String(amount) }] : amount
  }
})
const thrown = (code: string, facts: object = {}) => expect.objectContaining({ code, ...facts })

function signed(built: { cborHex: string; inputs: UTxO[] }): Uint8Array {
  const keys = new Set(built.inputs.map(({ output }) => output.address))
  const witnesses = [...keys].map((_, i) => ({ vkey: new Uint8Array(32).fill(i + 1), signature: new Uint8Array(64) }))
  return setVkeyWitnesses(readTransaction(hexToBytes(built.cborHex)), witnesses)
}

describe('TxBuilder', () => {
  it('pays, returns the change and names its id as a second implementation sees it', () => {
    const built = new TxBuilder(MAINNET_LIKE)
      .addInputs([utxo(10_000_000n)])
      .pay(BOB, 3_000_000n)
      .changeTo(ALICE)
      .validUntil(500)
      .validFrom(5)
      .onNetwork(0)
      .build()
    const tx = CSL.FixedTransaction.from_hex(built.cborHex)
    expect(tx.transaction_hash().to_hex()).toBe(built.txId)
    const body = tx.body()
    expect(body.fee().to_str()).toBe(String(built.fee))
    expect(body.ttl_bignum()!.to_str()).toBe('500')
    expect(body.validity_start_interval_bignum()!.to_str()).toBe('5')
    expect(body.network_id()!.kind()).toBe(CSL.NetworkIdKind.Testnet)
    expect(body.outputs().get(0).address().to_bech32()).toBe(BOB)
    expect(body.outputs().get(0).amount().coin().to_str()).toBe('3000000')
    expect(BigInt(body.outputs().get(1).amount().coin().to_str())).toBe(10_000_000n - 3_000_000n - built.fee)
  })

  it('names no network, time or signer that nobody asked for', () => {
    const built = new TxBuilder(MAINNET_LIKE)
      .addInputs([utxo(10_000_000n)])
      .pay(BOB, 3_000_000n)
      .changeTo(ALICE)
      .build()
    const body = CSL.FixedTransaction.from_hex(built.cborHex).body()
    const optional = [
      body.network_id(),
      body.ttl_bignum(),
      body.validity_start_interval_bignum(),
      body.mint(),
      body.required_signers(),
      body.auxiliary_data_hash()
    ]
    expect(optional).toEqual(optional.map(() => undefined))
  })

  it('asks for the linear fee of the signed transaction, not a lovelace less', () => {
    const built = new TxBuilder(MAINNET_LIKE)
      .addInputs([utxo(4_000_000n), utxo(5_000_000n, BOB)])
      .pay(BOB, 7_000_000n)
      .changeTo(ALICE)
      .build()
    const size = signed(built).length
    expect(built.inputs).toHaveLength(2)
    expect(built.fee).toBeGreaterThanOrEqual(44n * BigInt(size) + 155381n)
    // The set of witnesses is counted with an array head for many keys: two bytes more at most.
    expect(built.fee).toBeLessThanOrEqual(44n * BigInt(size + 2) + 155381n)
  })

  const amounts = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.bigInt({ min: 1n, max: 2n ** 62n })), {
    selector: ([policy]) => policy,
    maxLength: 4
  })
  const wealth = fc.record({ lovelace: fc.bigInt({ min: 2_000_000n, max: 2n ** 55n }), assets: amounts })
  const toAmounts = ({ lovelace, assets }: { lovelace: bigint; assets: [number, bigint][] }): Amount[] => [
    { unit: 'lovelace', quantity: String(lovelace) },
    ...assets.map(([policy, quantity]) => ({ unit: unit(policy), quantity: String(quantity) }))
  ]

  it('conserves value to the last unit, keeps every output at its minimum, or names what is missing', () => {
    fc.assert(
      fc.property(fc.array(wealth, { minLength: 1, maxLength: 8 }), wealth, fc.boolean(), (held, wanted, withFee) => {
        const parameters = withFee ? MAINNET_LIKE : { coinsPerUtxoByte: 4310n }
        let built
        try {
          built = new TxBuilder(parameters)
            .addInputs(held.map((w) => utxo(toAmounts(w))))
            .pay(BOB, toAmounts(wanted))
            .changeTo(ALICE)
            .build()
        } catch (error) {
          expect(error).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
          const total = new Map<string, bigint>()
          for (const w of held) addValue(total, valueFromAmounts(toAmounts(w)))
          const [first] = Object.entries((error as { missing: Record<string, string> }).missing)
          if (first![0] !== 'lovelace')
            expect(total.get(first![0]) ?? 0n).toBeLessThan(valueFromAmounts(toAmounts(wanted)).get(first![0])!)
          return
        }
        const body = decodeTransactionBody(readTransaction(hexToBytes(built.cborHex)))
        const balance = new Map<string, bigint>([['lovelace', -body.fee]])
        if (body.fee === 0n) balance.clear()
        for (const { output } of built.inputs) addValue(balance, valueFromAmounts(output.amount))
        for (const output of body.outputs) addValue(balance, valueFromAmounts(output.amount), -1n)
        expect(balance).toEqual(new Map())
        for (const [i, span] of body.outputSpans.entries()) {
          const minimum = minLovelaceOfSize(span.end - span.start, 4310n)
          expect(BigInt(body.outputs[i]!.amount[0]!.quantity)).toBeGreaterThanOrEqual(minimum)
        }
        if (withFee) expect(built.fee).toBeGreaterThanOrEqual(44n * BigInt(signed(built).length) + 155381n)
        CSL.Transaction.from_hex(built.cborHex)
      }),
      { numRuns: 300 }
    )
  })

  it('takes the largest inputs first and no more than it needs', () => {
    const small = utxo(2n)
    const large = utxo(100n)
    const built = new TxBuilder(FREE).addInputs([small, large]).pay(BOB, 50n).changeTo(ALICE).build()
    expect(built.inputs).toEqual([large])
  })

  it('spends what it is told to, needed or not, and orders inputs as the ledger does', () => {
    const first = utxo(5n)
    const second = utxo(6n)
    expect(new TxBuilder(FREE).spend([second, first]).pay(BOB, 1n).changeTo(ALICE).build().inputs).toEqual([
      first,
      second
    ])
  })

  it('makes no change output when nothing is left, and then needs no change address', () => {
    expect(
      new TxBuilder(FREE)
        .addInputs([utxo(5n)])
        .pay(BOB, 5n)
        .build().outputs
    ).toHaveLength(1)
    expect(() =>
      new TxBuilder(FREE)
        .addInputs([utxo(5n)])
        .pay(BOB, 4n)
        .build()
    ).toThrow(thrown('INPUT_ARGUMENT', { argument: 'changeTo' }))
  })

  it('splits change whose assets are too many for one output', () => {
    const assets = Array.from({ length: 200 }, (_, i) => ({
      unit: unit(i % 200, '00'.repeat(32)),
      quantity: '9223372036854775807'
    }))
    const built = new TxBuilder(MAINNET_LIKE)
      .addInputs([utxo([{ unit: 'lovelace', quantity: '90000000' }, ...assets])])
      .pay(BOB, 2_000_000n)
      .changeTo(ALICE)
      .build()
    expect(built.outputs.length).toBeGreaterThan(2)
    for (const { amount } of decodeTransactionBody(readTransaction(hexToBytes(built.cborHex))).outputs)
      expect(amount.length).toBeLessThan(80)
  })

  it('fills in the least lovelace when a payment names assets only', () => {
    const held = utxo([
      { unit: 'lovelace', quantity: '5000000' },
      { unit: unit(1), quantity: '10' }
    ])
    const built = new TxBuilder(MAINNET_LIKE)
      .addInputs([held])
      .pay(BOB, [{ unit: unit(1), quantity: '4' }])
      .changeTo(ALICE)
      .build()
    const span = decodeTransactionBody(readTransaction(hexToBytes(built.cborHex))).outputSpans[0]!
    expect(built.outputs[0]!.amount[0]!.quantity).toBe(String(minLovelaceOfSize(span.end - span.start, 4310n)))
  })

  it('mints under an attached native script and counts its keys for the fee', () => {
    const script = `8200581c${'aa'.repeat(28)}`
    const policy = nativeScriptHash(hexToBytes(script))
    const built = new TxBuilder(MAINNET_LIKE)
      .addInputs([utxo(9_000_000n)])
      .attachScript(script)
      .mint(policy + '01', 5n)
      .pay(BOB, [{ unit: policy + '01', quantity: '5' }])
      .changeTo(ALICE)
      .build()
    const tx = CSL.Transaction.from_hex(built.cborHex)
    expect(tx.body().mint()!.as_positive_multiasset().len()).toBe(1)
    expect(tx.witness_set().native_scripts()!.get(0).hash().to_hex()).toBe(policy)
    expect(() =>
      new TxBuilder(FREE)
        .mint(unit(9), 1n)
        .addInputs([utxo(1n)])
        .changeTo(ALICE)
        .build()
    ).toThrow(thrown('INPUT_ARGUMENT', { argument: 'mint' }))
  })

  it('pays for a witness of each key that an attached script names, none of which an input needs', () => {
    const keys = ['c1', 'c2', 'c3'].map((fill) => `8200581c${fill.repeat(28)}`)
    const script = `8303038${keys.length}${keys.join('')}`
    const atScript = addressToString(
      enterpriseAddress(0, { kind: 'script', hash: nativeScriptHash(hexToBytes(script)) })
    )
    const built = new TxBuilder(MAINNET_LIKE)
      .attachScript(script)
      .spend([utxo(9_000_000n, atScript)])
      .changeTo(ALICE)
      .build()
    const witnesses = keys.map((_, i) => ({ vkey: new Uint8Array(32).fill(i + 1), signature: new Uint8Array(64) }))
    const size = setVkeyWitnesses(readTransaction(hexToBytes(built.cborHex)), witnesses).length
    expect(built.fee).toBeGreaterThanOrEqual(44n * BigInt(size) + 155381n)
    expect(built.fee).toBeLessThanOrEqual(44n * BigInt(size + 2) + 155381n)
  })

  it('sends along only the scripts that what it spends and mints demands', () => {
    const [script, other] = ['aa', 'ab'].map((fill) => `8200581c${fill.repeat(28)}`) as [string, string]
    const atScript = addressToString(
      enterpriseAddress(0, { kind: 'script', hash: nativeScriptHash(hexToBytes(script)) })
    )
    const builder = () =>
      new TxBuilder(MAINNET_LIKE)
        .attachScript(script)
        .attachScript(other)
        .addInputs([utxo(3_000_000n, atScript), utxo(9_000_000n)])
        .changeTo(ALICE)
    const scripts = (built: { cborHex: string }) =>
      CSL.Transaction.from_hex(built.cborHex).witness_set().native_scripts()?.len() ?? 0
    expect(scripts(builder().pay(BOB, 2_000_000n).build())).toBe(0)
    const both = builder().pay(BOB, 10_000_000n).build()
    expect(scripts(both)).toBe(1)
    expect(both.inputs).toHaveLength(2)
  })

  it('pays for the reference scripts of what it spends, as a second implementation counts them', () => {
    const parameters = { ...MAINNET_LIKE, maxTxSize: 10 ** 6 }
    const sizes = [1, 25_599, 25_600, 25_601, 60_000, 150_000, 200_000]
    for (const price of [15, 0.5, 44.25]) {
      for (const size of sizes) {
        const bytes = new CborWriter().bytes(new Uint8Array(size)).toHex()
        const held = utxo(90_000_000_000n)
        held.output.scriptRef = { language: 'PlutusV3', cborHex: bytes }
        const fees = [0, price].map(
          (minFeeRefScriptCostPerByte) =>
            new TxBuilder({ ...parameters, minFeeRefScriptCostPerByte }).spend([held]).changeTo(ALICE).build().fee
        )
        const interval = CSL.UnitInterval.new(CSL.BigNum.from_str(String(price * 100)), CSL.BigNum.from_str('100'))
        expect(String(fees[1]! - fees[0]!)).toBe(CSL.min_ref_script_fee(size, interval).to_str())
      }
    }
    const native = utxo(9_000_000n)
    native.output.scriptRef = { language: 'native', cborHex: `8200581c${'aa'.repeat(28)}` }
    const fee = (cost: number) =>
      new TxBuilder({ ...MAINNET_LIKE, minFeeRefScriptCostPerByte: cost }).spend([native]).changeTo(ALICE).build().fee
    expect(fee(15) - fee(0)).toBe(15n * 32n)
  })

  it('takes an output that is offered twice, in either case of its id, for one', () => {
    const held = { ...utxo(5n), input: { txHash: 'ab'.repeat(32), index: 0 } }
    const again = { ...held, input: { txHash: 'AB'.repeat(32), index: 0 } }
    expect(() => new TxBuilder(FREE).addInputs([held, again]).pay(BOB, 6n).changeTo(ALICE).build()).toThrow(
      thrown('TX_INSUFFICIENT_FUNDS')
    )
    const lower = { ...utxo(5n), input: { txHash: 'ac'.repeat(32), index: 0 } }
    expect(new TxBuilder(FREE).spend([lower, again]).pay(BOB, 10n).build().inputs).toEqual([again, lower])
  })

  it('carries auxiliary data byte for byte under its hash', () => {
    const built = new TxBuilder(FREE)
      .addInputs([utxo(5n)])
      .pay(BOB, 5n)
      .metadata({ 674: { toCbor: () => 'a1636d7367816568656c6c6f' }, 1: { toCbor: () => '01' } })
      .build()
    const tx = CSL.FixedTransaction.from_hex(built.cborHex)
    expect(Buffer.from(tx.raw_auxiliary_data()!).toString('hex')).toBe('a201011902a2a1636d7367816568656c6c6f')
    expect(tx.body().auxiliary_data_hash()!.to_hex()).toBe(CSL.hash_auxiliary_data(tx.auxiliary_data()!).to_hex())
  })

  it('demands the signers it is told to', () => {
    const built = new TxBuilder(FREE)
      .addInputs([utxo(5n)])
      .pay(BOB, 5n)
      .requireSigner('cc'.repeat(28))
      .build()
    expect(decodeTransactionBody(readTransaction(hexToBytes(built.cborHex))).requiredSigners).toEqual(['cc'.repeat(28)])
  })

  it('reads only one transaction', () => {
    const { cborHex } = new TxBuilder(FREE)
      .addInputs([utxo(5n)])
      .pay(BOB, 5n)
      .build()
    new CborReader(hexToBytes(cborHex)).skip()
    expect(cborHex.startsWith('84')).toBe(true)
  })
})

describe('TxBuilder refuses', () => {
  it('to overspend, naming what is missing per unit', () => {
    const build = () =>
      new TxBuilder(FREE)
        .addInputs([utxo(5n)])
        .pay(BOB, [
          { unit: 'lovelace', quantity: '7' },
          { unit: unit(1), quantity: '3' }
        ])
        .changeTo(ALICE)
        .build()
    expect(build).toThrow(thrown('TX_INSUFFICIENT_FUNDS', { missing: { lovelace: '2', [unit(1)]: '3' } }))
    expect(() =>
      new TxBuilder(FREE)
        .addInputs([utxo(5n)])
        .pay(BOB, 7n)
        .changeTo(ALICE)
        .build()
    ).toThrow(thrown('TX_INSUFFICIENT_FUNDS', { missing: { lovelace: '2' } }))
  })

  it.each<[string, () => unknown, RegExp[]]>([
    [
      'no inputs and nothing to pay',
      () => new TxBuilder().changeTo(ALICE).build(),
      [
        /^There are no inputs to pay outputs and fee from\./,
        /- Expected outputs to spend, through addInputs or spend/,
        /- Got no inputs/
      ]
    ],
    [
      'no inputs',
      () => new TxBuilder().addInputs([]).pay(BOB, 2_000_000n).changeTo(ALICE).build(),
      [/^There are no inputs/, /- Expected inputs that hold 2000000 lovelace/, /- Got no inputs/]
    ],
    [
      'too little',
      () =>
        new TxBuilder()
          .addInputs([utxo(2_000_000n), utxo(1_000_000n)])
          .pay(BOB, 5_000_000n)
          .changeTo(ALICE)
          .build(),
      [
        /- Expected inputs that hold 5000000 lovelace/,
        /- Got 2 inputs that hold 3000000 lovelace/,
        /- Missing: 2000000 lovelace/
      ]
    ],
    [
      'too little for the change',
      () =>
        new TxBuilder()
          .addInputs([utxo(2_000_001n)])
          .pay(BOB, 2_000_000n)
          .changeTo(ALICE)
          .build(),
      [/do not cover the least lovelace of the change/, /- Got 1 input that holds 2000001 lovelace/]
    ],
    [
      'an asset that no input holds',
      () =>
        new TxBuilder()
          .addInputs([utxo(9_000_000n)])
          .pay(BOB, [{ unit: unit(1), quantity: '3' }])
          .changeTo(ALICE)
          .build(),
      [new RegExp(`- Expected inputs that hold 3 ${unit(1)}`), new RegExp(`hold(s)? 0 ${unit(1)}`)]
    ]
  ])('%s, saying what is there and what is needed', (_name, build, lines) => {
    for (const line of lines) expect(build).toThrow(line)
    expect(build).toThrow(thrown('TX_INSUFFICIENT_FUNDS'))
    expect(build).not.toThrow(/Expected 1 lovelace/)
  })

  it('to leave change below its minimum', () => {
    const build = () =>
      new TxBuilder({ coinsPerUtxoByte: 4310n })
        .addInputs([utxo(2_000_001n)])
        .pay(BOB, 2_000_000n)
        .changeTo(ALICE)
        .build()
    expect(build).toThrow(thrown('TX_INSUFFICIENT_FUNDS'))
  })

  it('an output below its minimum, naming the minimum', () => {
    const build = () =>
      new TxBuilder({ coinsPerUtxoByte: 4310n })
        .addInputs([utxo(9_000_000n)])
        .pay(BOB, 1n)
        .changeTo(ALICE)
        .build()
    expect(build).toThrow(thrown('TX_OUTPUT_BELOW_MINIMUM', { index: 0, minimum: '857690' }))
  })

  it('inputs that no key can spend', () => {
    const atScript = addressToString(enterpriseAddress(0, { kind: 'script', hash: 'dd'.repeat(28) }))
    expect(() =>
      new TxBuilder(FREE)
        .spend([utxo(5n, atScript)])
        .changeTo(ALICE)
        .build()
    ).toThrow(thrown('TX_UNSPENDABLE_INPUT'))
    expect(() =>
      new TxBuilder(FREE)
        .addInputs([utxo(5n, atScript)])
        .pay(BOB, 1n)
        .changeTo(ALICE)
        .build()
    ).toThrow(/1 inputs at Byron or script addresses/)
  })

  it('an output whose value is larger than the ledger takes', () => {
    const assets = Array.from({ length: 200 }, (_, i) => ({ unit: unit(i, '00'.repeat(32)), quantity: '1' }))
    const held = utxo([{ unit: 'lovelace', quantity: '90000000' }, ...assets])
    expect(() => new TxBuilder(MAINNET_LIKE).addInputs([held]).pay(BOB, assets).changeTo(ALICE).build()).toThrow(
      thrown('TX_TOO_LARGE', { limitBytes: 5000 })
    )
  })

  it('a transaction over the size limit', () => {
    const many = Array.from({ length: 500 }, () => utxo(1n))
    expect(() => new TxBuilder(FREE).spend(many).changeTo(ALICE).build()).toThrow(
      thrown('TX_TOO_LARGE', { limitBytes: 16384 })
    )
  })

  it.each([
    [
      'a reward address',
      () => new TxBuilder(FREE).pay('stake_test1uqevw2xnsc0pvn9t9r9c7qryfqfeerchgrlm3ea2nefr9hqp8n5xl', 1n),
      'INPUT_ARGUMENT'
    ],
    [
      'change to a reward address',
      () => new TxBuilder(FREE).changeTo('stake_test1uqevw2xnsc0pvn9t9r9c7qryfqfeerchgrlm3ea2nefr9hqp8n5xl'),
      'INPUT_ARGUMENT'
    ],
    ['a payment of no amounts', () => new TxBuilder(MAINNET_LIKE).pay(BOB, []), 'INPUT_ARGUMENT'],
    [
      'a payment of zero lovelace',
      () => new TxBuilder(MAINNET_LIKE).pay(BOB, [{ unit: 'lovelace', quantity: '0' }]),
      'INPUT_ARGUMENT'
    ],
    ['a negative price of scripts', () => new TxBuilder({ minFeeRefScriptCostPerByte: -1 }), 'INPUT_ARGUMENT'],
    ['no address', () => new TxBuilder(FREE).pay('nobody', 1n), 'INPUT_ADDRESS'],
    ['nothing to pay', () => new TxBuilder(FREE).pay(BOB, 0n), 'INPUT_ARGUMENT'],
    ['a negative slot', () => new TxBuilder(FREE).validUntil(-1), 'INPUT_ARGUMENT'],
    ['a short key hash', () => new TxBuilder(FREE).requireSigner('aa'), 'INPUT_HEX'],
    ['a fractional fee', () => new TxBuilder({ minFeeA: 0.5 }), 'INPUT_ARGUMENT'],
    ['network 2', () => new TxBuilder(FREE).onNetwork(2 as never), 'INPUT_ARGUMENT'],
    ['no inputs', () => new TxBuilder(FREE).build(), 'TX_INSUFFICIENT_FUNDS']
  ])('%s', (_name, build, code) => {
    expect(build).toThrow(thrown(code))
  })
})

describe('payment helpers', () => {
  it('pay and sweep', () => {
    expect(
      buildPayment({
        utxos: [utxo(9n)],
        to: BOB,
        amount: 4n,
        changeAddress: ALICE,
        validUntil: 9,
        parameters: FREE
      }).outputs.map(({ amount }) => amount[0]!.quantity)
    ).toEqual(['4', '5'])
    const swept = buildSweep({ utxos: [utxo(9n), utxo(1n)], to: BOB, parameters: FREE })
    expect(swept.outputs).toEqual([{ address: BOB, amount: [{ unit: 'lovelace', quantity: '10' }] }])
  })

  it('read the parameters of a head', () => {
    expect(
      txParametersFromProtocol({
        min_fee_a: 44,
        min_fee_b: 155381,
        utxo_cost_per_byte: 4310,
        max_tx_size: 16384,
        min_fee_ref_script_cost_per_byte: 15
      })
    ).toEqual({
      minFeeA: 44,
      minFeeB: 155381,
      coinsPerUtxoByte: 4310n,
      maxTxSize: 16384,
      minFeeRefScriptCostPerByte: 15
    })
  })
})
