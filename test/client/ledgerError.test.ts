import { decodeLedgerError } from 'layer-sdk/client'

const ID = 'ab'.repeat(32)

describe('a script that failed', () => {
  const hash = '186e32faa80a26810392fda6d559c7ed4721a65ce1c9d4ef3e1c87b4'
  const bytes = 'A'.repeat(6_000)
  const text = (error: string, traces: readonly string[]): string =>
    [
      'Plutus validation failed: ',
      'The PlutusV3 script failed:',
      'Base64-encoded script bytes:',
      `"${bytes}"`,
      `The script hash is:ScriptHash "${hash}"`,
      `The plutus evaluation error is: ${error}`,
      'The protocol version is: Version 11',
      `Debug info: DebugFailure [${traces.map((trace) => JSON.stringify(trace)).join(',')}] (${error})`
    ].join('\n')

  it('is named with its hash, error and traces, and its bytes stay out of the message', () => {
    const error = decodeLedgerError(ID, text('Error evaluated', ['not "yet"', 'BadInputsUTxO [a], (b)']))
    expect(error).toMatchObject({
      reason: 'script-failed',
      script: {
        language: 'PlutusV3',
        scriptHash: hash,
        error: 'Error evaluated',
        traces: ['not "yet"', 'BadInputsUTxO [a], (b)'],
        redeemer: undefined
      }
    })
    expect(error.message).not.toContain('AAAA')
    expect(error.message).toContain(hash)
    expect(error.message).toContain('Error evaluated')
    expect(error.message).toContain('not \\"yet\\"')
    expect(error.nodeText).toContain(bytes)
  })

  it('tells by how much it has overspent its units, and which redeemer where the text names one', () => {
    const overspent =
      'The machine terminated part way through evaluation due to overspending the budget. The budget when the machine terminated was: ({cpu: -5 | mem: 9007199254740993})'
    expect(decodeLedgerError(ID, text(overspent, [])).script).toMatchObject({
      unitsLeft: { cpu: -5n, mem: 9_007_199_254_740_993n },
      traces: []
    })
    expect(decodeLedgerError(ID, text('spend#3 failed', [])).script).toMatchObject({ redeemer: 'spend#3' })
  })

  it('has no part in another refusal, and a text that is cut or hostile breaks nothing', () => {
    expect(decodeLedgerError(ID, 'BadInputsUTxO').script).toBeUndefined()
    expect(decodeLedgerError(ID, text('x', ['y']).slice(0, 6_100)).script).toMatchObject({
      language: 'PlutusV3',
      error: undefined,
      traces: []
    })
    for (const hostile of [
      '"'.repeat(200_000),
      '\\"'.repeat(100_000),
      `Debug info: DebugFailure [${'"\\'.repeat(50_000)}`
    ]) {
      const started = performance.now()
      expect(decodeLedgerError(ID, `Plutus validation failed: ${hostile}`).reason).toBe('script-failed')
      expect(performance.now() - started).toBeLessThan(5_000)
    }
  })
})

describe("the reason in the ledger's text", () => {
  // Texts in the forms of cardano-ledger, Conway: MEMPOOL, LEDGER, UTXOW and UTXO rules.
  it.each<[string, string, Record<string, bigint>]>([
    ['inputs-spent', 'BadInputsUTxO (fromList [TxIn (TxId {unTxId = SafeHash "00"}) (TxIx {unTxIx = 0})])', {}],
    ['inputs-spent', 'ConwayMempoolFailure "All inputs are spent. Transaction has probably already been included"', {}],
    [
      'output-below-minimum',
      'BabbageOutputTooSmallUTxO [((Addr,MaryValue (Coin 5) (MultiAsset (fromList [])),NoDatum),Coin 969750)]',
      { actual: 5n, minimum: 969_750n }
    ],
    ['missing-signature', 'MissingVKeyWitnessesUTXOW (fromList [KeyHash "aa"])', {}],
    ['missing-signature', 'InvalidWitnessesUTXOW [VKey]', {}],
    [
      'fee-too-small',
      'FeeTooSmallUTxO (Mismatch {mismatchSupplied = Coin 1, mismatchExpected = Coin 170000})',
      { actual: 1n, minimum: 170_000n }
    ],
    [
      'fee-too-small',
      'FeeTooSmallUTxO (Mismatch (RelGTEQ) {supplied: Coin 2, expected: Coin 9007199254740993})',
      { actual: 2n, minimum: 9_007_199_254_740_993n }
    ],
    [
      'outside-validity',
      'OutsideValidityIntervalUTxO (ValidityInterval {invalidBefore = SJust (SlotNo 7), invalidHereafter = SJust (SlotNo 20)}) (SlotNo 25)',
      { validFrom: 7n, validUntil: 20n, currentSlot: 25n }
    ],
    [
      'outside-validity',
      'OutsideValidityIntervalUTxO (ValidityInterval {invalidBefore = SNothing, invalidHereafter = SJust (SlotNo 20)}) (SlotNo 25)',
      { validUntil: 20n, currentSlot: 25n }
    ],
    ['script-failed', 'ScriptWitnessNotValidatingUTXOW (fromList [])', {}],
    [
      'too-large',
      'MaxTxSizeUTxO (Mismatch {mismatchSupplied = 20000, mismatchExpected = 16384})',
      { actual: 20_000n, maximum: 16_384n }
    ],
    [
      'value-not-conserved',
      'ValueNotConservedUTxO (Mismatch {mismatchSupplied = MaryValue (Coin 5) (MultiAsset (fromList [])), mismatchExpected = MaryValue (Coin 6) (MultiAsset (fromList []))})',
      { consumed: 5n, produced: 6n }
    ],
    ['other', 'SomethingNew 5', {}]
  ])('is %s for %s', (reason, text, figures) => {
    const error = decodeLedgerError(ID, text)
    expect(error).toMatchObject({ code: 'CLIENT_LEDGER', txId: ID, reason, nodeText: text })
    expect(error.figures).toEqual(figures)
  })

  it('is read at both ends of a text of any length, and leaves figures out that no amount can be', () => {
    const filler = 'x'.repeat(50_000)
    expect(decodeLedgerError(ID, `FeeTooSmallUTxO ${filler}`).reason).toBe('fee-too-small')
    expect(decodeLedgerError(ID, `${filler} BadInputsUTxO`).reason).toBe('inputs-spent')
    expect(decodeLedgerError(ID, `${filler} BadInputsUTxO ${filler}`).reason).toBe('other')
    const digits = '9'.repeat(30)
    expect(
      decodeLedgerError(ID, `FeeTooSmallUTxO {supplied: Coin ${digits}, expected: Coin ${digits}9}`).figures
    ).toEqual({ actual: BigInt(digits) })
  })

  it('names the refused transaction where that is another one', () => {
    expect(decodeLedgerError(ID, 'BadInputsUTxO', 'cd'.repeat(32))).toMatchObject({
      txId: ID,
      ancestorTxId: 'cd'.repeat(32)
    })
    expect(decodeLedgerError(ID, 'BadInputsUTxO').ancestorTxId).toBeUndefined()
  })
})
