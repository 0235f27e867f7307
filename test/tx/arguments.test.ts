import { buildPayment, buildSweep, TxBuilder, txParametersFromProtocol } from 'layer-sdk/tx'
import { codeOf } from '../support/codeOf'

describe('arguments that are none', () => {
  it.each([undefined, null, 5, 'text', {}])('make a typed error: %p', async (junk) => {
    for (const build of [buildPayment, buildSweep]) expect(await codeOf(() => build(junk as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => new TxBuilder().addInputs(junk as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => new TxBuilder().spend([junk] as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => new TxBuilder().metadata({ 1: junk } as never))).toBe('INPUT_ARGUMENT')
  })

  it('count null for options that were left out', () => {
    expect(new TxBuilder(null as never)).toBeInstanceOf(TxBuilder)
  })

  it('never take protocol parameters of another form for fees of zero', async () => {
    for (const junk of [undefined, null, {}, { txFeePerByte: 44, txFeeFixed: 155381 }, { min_fee_a: 44 }]) {
      expect(await codeOf(() => txParametersFromProtocol(junk as never))).toBe('INPUT_ARGUMENT')
    }
  })
})
