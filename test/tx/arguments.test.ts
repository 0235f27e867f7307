import { buildPayment, buildSweep, TxBuilder, txParametersFromProtocol } from 'layer-sdk/tx'
import { codeOf } from '../support/codeOf'

const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'

describe('arguments that are none', () => {
  it.each([undefined, null, 5, 'text', {}])('make a typed error: %p', async (junk) => {
    for (const build of [buildPayment, buildSweep])
      expect(await codeOf(() => build(junk as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => new TxBuilder().addInputs(junk as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => new TxBuilder().pay(address, junk as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => new TxBuilder().pay(address, [junk] as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => new TxBuilder().mint('aa'.repeat(28), junk as never))).toBe('INPUT_ARGUMENT')
    for (const output of [
      { address, amount: junk },
      { address, amount: [junk] }
    ]) {
      expect(
        await codeOf(() =>
          new TxBuilder()
            .addInputs([{ input: { txHash: '00'.repeat(32), index: 0 }, output }] as never)
            .changeTo(address)
            .build()
        )
      ).toBe('INPUT_ARGUMENT')
    }
    expect(await codeOf(() => new TxBuilder().spend([junk] as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => new TxBuilder().metadata({ 1: junk } as never))).toBe('INPUT_ARGUMENT')
  })

  it.each([Symbol('slot'), Object.create(null), '5', null, undefined, 0.5, -1, 2n ** 64n])(
    'are no slot: %p',
    async (junk) => {
      expect(await codeOf(() => new TxBuilder().validFrom(junk as never))).toBe('INPUT_ARGUMENT')
      expect(await codeOf(() => new TxBuilder().validUntil(junk as never))).toBe('INPUT_ARGUMENT')
    }
  )

  it.each([
    { txHash: 'aa', index: 0 },
    { txHash: '00'.repeat(32) },
    { txHash: '00'.repeat(32), index: '0' },
    { txHash: Symbol('x'), index: 0 },
    { index: 0 }
  ])('name no output: %p', async (input) => {
    expect(await codeOf(() => new TxBuilder().spend([{ input, output: { address, amount: [] } }] as never))).toBe(
      'INPUT_ARGUMENT'
    )
  })

  it('count null for options that were left out', () => {
    const utxo = {
      input: { txHash: '00'.repeat(32), index: 0 },
      output: { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }
    }
    expect(
      buildPayment({
        utxos: [utxo],
        to: address,
        amount: 5_000_000n,
        changeAddress: address,
        parameters: null,
        validUntil: null
      } as never).fee
    ).toBe(0n)
    expect(
      txParametersFromProtocol({ min_fee_a: 1, min_fee_b: 1, max_tx_size: null, max_value_size: null })
    ).not.toHaveProperty('maxTxSize')
    expect(new TxBuilder(null as never)).toBeInstanceOf(TxBuilder)
  })

  it('never take protocol parameters of another form for fees of zero', async () => {
    for (const junk of [
      undefined,
      null,
      {},
      { txFeePerByte: 44, txFeeFixed: 155381 },
      { min_fee_a: 44 },
      { min_fee_a: null, min_fee_b: null }
    ]) {
      expect(await codeOf(() => txParametersFromProtocol(junk as never))).toBe('INPUT_ARGUMENT')
    }
  })
})
