import { buildPayment, buildSweep, TxBuilder, txParametersFromProtocol } from '../../src/tx'
import type { ProtocolParameters } from '../../src/types/provider'
import { codeOf } from '../support/codeOf'
import { READ_PARAMETERS } from '../support/protocolParameters'

const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const held = (quantity: string) => [
  { input: { txHash: '00'.repeat(32), index: 0 }, output: { address, amount: [{ unit: 'lovelace', quantity }] } }
]

describe('parameters of a transaction', () => {
  it("demand mainnet's least lovelace and no fee when they are left out", async () => {
    expect(
      await codeOf(() =>
        buildPayment({ utxos: held('9000000'), to: address, amount: 500_000n, changeAddress: address })
      )
    ).toBe('TX_OUTPUT_BELOW_MINIMUM')
    expect(await codeOf(() => buildSweep({ utxos: held('5'), to: address }))).toBe('TX_INSUFFICIENT_FUNDS')
    expect(buildPayment({ utxos: held('9000000'), to: address, amount: 2_000_000n, changeAddress: address }).fee).toBe(
      0n
    )
    expect(
      new TxBuilder({ coinsPerUtxoByte: 0n }).addInputs(held('9')).pay(address, 4n).changeTo(address).build().outputs
    ).toHaveLength(2)
  })

  it.each<[string, unknown]>([
    ['the raw parameters of a head', { txFeePerByte: 44, txFeeFixed: 155381, utxoCostPerByte: 4310 }],
    ['the parameters of getProtocolParameters()', { min_fee_a: 44, min_fee_b: 155381 }],
    ['the raw parameters of Ogmios', { minFeeCoefficient: 44 }],
    ['a promise', Promise.resolve({ minFeeA: 44 })],
    ['a misspelt key', { minfeeA: 44 }],
    ['a key of the prototype', JSON.parse('{"__proto__":1}')],
    ['an array', []],
    ['a map', new Map([['minFeeA', 44]])],
    [
      'a class with getters',
      new (class {
        get minFeeA() {
          return 44
        }
      })()
    ],
    ['a text', '{}'],
    ['a number', 44],
    ['a function', () => ({})]
  ])('are refused, not read as no fee: %s', async (_name, junk) => {
    for (const build of [
      () => new TxBuilder(junk as never),
      () =>
        buildPayment({ utxos: held('9'), to: address, amount: 1n, changeAddress: address, parameters: junk as never }),
      () => buildSweep({ utxos: held('9'), to: address, parameters: junk as never })
    ]) {
      expect(await codeOf(build)).toBe('INPUT_ARGUMENT')
    }
  })

  it('name the function that reads the parameters of a head', () => {
    expect(() => new TxBuilder({ txFeePerByte: 44 } as never)).toThrow(
      /txParametersFromProtocol\(await bridge\.getProtocolParameters\(\)\)/
    )
    expect(() => new TxBuilder(Promise.resolve() as never)).toThrow(/txParametersFromProtocol\(await /)
  })

  it('can be those of a provider, of another realm, or without a prototype', () => {
    const ofProvider: ProtocolParameters = { ...READ_PARAMETERS, raw: {} }
    expect(new TxBuilder(ofProvider)).toBeInstanceOf(TxBuilder)
    expect(new TxBuilder(structuredClone({ minFeeA: 44 }))).toBeInstanceOf(TxBuilder)
    expect(new TxBuilder(Object.assign(Object.create(null), { minFeeA: 44 }) as never)).toBeInstanceOf(TxBuilder)
  })

  it('can be an instance that holds them itself', () => {
    class Parameters {
      minFeeB = 7
    }
    expect(
      new TxBuilder(new Parameters()).addInputs(held('9000000')).pay(address, 2_000_000n).changeTo(address).build().fee
    ).toBe(7n)
  })

  it('are read by own property, so that a polluted prototype sets no fee', () => {
    Object.defineProperty(Object.prototype, 'minFeeB', { value: 5_000_000, configurable: true })
    try {
      expect(new TxBuilder({}).addInputs(held('9000000')).pay(address, 2_000_000n).changeTo(address).build().fee).toBe(
        0n
      )
    } finally {
      delete (Object.prototype as { minFeeB?: unknown }).minFeeB
    }
  })
})

describe('txParametersFromProtocol', () => {
  it('takes each parameter from its own name', () => {
    const protocol = {
      min_fee_a: 44,
      min_fee_b: 155_381,
      utxo_cost_per_byte: 4_310,
      max_tx_size: 16_384,
      max_value_size: 5_000,
      min_fee_ref_script_cost_per_byte: 15
    }
    expect(txParametersFromProtocol(protocol)).toEqual({
      minFeeA: 44,
      minFeeB: 155_381,
      coinsPerUtxoByte: 4_310n,
      maxTxSize: 16_384,
      maxValueSize: 5_000,
      minFeeRefScriptCostPerByte: 15
    })
  })

  it('leaves out what the node does not say, so that the defaults hold', () => {
    expect(txParametersFromProtocol({ min_fee_a: 0, min_fee_b: 0 })).toEqual({ minFeeA: 0, minFeeB: 0 })
  })

  it.each([
    Promise.resolve({ min_fee_a: 0, min_fee_b: 0 }),
    [],
    'text',
    { min_fee_a: '44', min_fee_b: 0 },
    { min_fee_a: 0, min_fee_b: 0, min_fee_ref_script_cost_per_byte: '15' }
  ])('refuses %p', async (junk) => {
    expect(await codeOf(() => txParametersFromProtocol(junk as never))).toBe('INPUT_ARGUMENT')
  })
})
