import { loadBlueprint } from '../../src/tx'
import type { ContractBlueprint } from '../../src/tx'
import type { Term } from './uplc'
import { call, compiledCode, ERROR, equals, field, iff, integer, lam, nth, some, tagOf, validate } from './uplc'

// ScriptContext of PlutusV3: [txInfo, redeemer, scriptInfo] (plutus-ledger-api, V3/Contexts.hs).
const txInfo = (context: Term): Term => field(context, 0)
const redeemer = (context: Term): Term => field(context, 1)
/** `SpendingScript outRef (Just datum)` */
const datum = (context: Term): Term => field(field(field(context, 2), 1), 0)
const inputs = (context: Term): Term => call('unListData', field(txInfo(context), 0))
const outputs = (context: Term): Term => call('unListData', field(txInfo(context), 2))
const minted = (context: Term): Term => field(txInfo(context), 4)
/** Names and quantities of the one policy that is minted; an error where there are several. */
const assets = (context: Term): Term => {
  const policies = call('unMapData', minted(context))
  return iff(call('nullList', call('tailList', policies)), call('unMapData', call('sndPair', nth(policies, 0))), ERROR)
}
const signatories = (context: Term): Term => call('unListData', field(txInfo(context), 8))
/** `Interval (LowerBound (Finite time) closure) _` */
const notBefore = (context: Term): Term => call('unIData', field(field(field(field(txInfo(context), 7), 0), 0), 0))
const signedBy = (context: Term, keyHash: Term): Term => some(signatories(context), (each) => equals(each, keyHash))

const CODES = {
  /** Opens for the owner in the datum with the greeting that the script was made for. */
  'helloWorld.spend': lam((greeting) =>
    lam((context) => validate(equals(redeemer(context), greeting), signedBy(context, datum(context))))
  ),
  /** Opens for the beneficiary once the time has come: `[beneficiary, time]`. */
  'vesting.spend': lam((context) =>
    validate(
      signedBy(context, field(datum(context), 0)),
      call('lessThanEqualsInteger', call('unIData', field(datum(context), 1)), notBefore(context))
    )
  ),
  /** Mints when an output is spent, which can be once; burns one name in a transaction that mints nothing else. */
  'giftCard.mint': lam((once) =>
    lam((context) =>
      iff(
        call('equalsInteger', tagOf(redeemer(context)), integer(0)),
        validate(some(inputs(context), (input) => equals(field(input, 0), once))),
        validate(
          call('nullList', call('tailList', assets(context))),
          call('lessThanEqualsInteger', call('unIData', call('sndPair', nth(assets(context), 0))), integer(-1))
        )
      )
    )
  ),
  /** Opens to who burns the card: the value that is minted is what the script was made for. */
  'giftCard.spend': lam((burned) => lam((context) => validate(equals(minted(context), burned)))),
  /** Opens to who pays the price in the first output: `[address, value]`. */
  'swap.spend': lam((context) =>
    validate(
      equals(field(nth(outputs(context), 0), 0), field(datum(context), 0)),
      equals(field(nth(outputs(context), 0), 1), field(datum(context), 1))
    )
  ),
  /** Completed by both, cancelled by the first: `[first, second]`. */
  'escrow.spend': lam((context) =>
    iff(
      call('equalsInteger', tagOf(redeemer(context)), integer(0)),
      validate(signedBy(context, field(datum(context), 0)), signedBy(context, field(datum(context), 1))),
      validate(signedBy(context, field(datum(context), 0)))
    )
  ),
  /** A counter: the first output is at the same address, with a datum `[address, count + 1]`. */
  'counter.spend': lam((context) =>
    validate(
      equals(field(nth(outputs(context), 0), 0), field(datum(context), 0)),
      equals(field(field(field(nth(outputs(context), 0), 2), 0), 0), field(datum(context), 0)),
      call(
        'equalsInteger',
        call('unIData', field(field(field(nth(outputs(context), 0), 2), 0), 1)),
        call('addInteger', call('unIData', field(datum(context), 1)), integer(1))
      )
    )
  ),
  /** Mints for one key. */
  'policy.mint': lam((owner) => lam((context) => validate(signedBy(context, owner))))
}

const ANY = {}
const BYTES = { dataType: 'bytes' }
const INTEGER = { dataType: 'integer' }
const constructor = (title: string, index: number, fields: readonly object[] = []): object => ({
  title,
  dataType: 'constructor',
  index,
  fields
})
const VALUE = { dataType: 'map', keys: BYTES, values: { dataType: 'map', keys: BYTES, values: INTEGER } }
const VOID = constructor('Void', 0)
const ADDRESS = constructor('Address', 0, [
  { title: 'payment', anyOf: [constructor('Key', 0, [BYTES]), constructor('Script', 1, [BYTES])] },
  { title: 'stake', anyOf: [constructor('Some', 0, [ANY]), constructor('None', 1)] }
])
const parameter = (title: string, schema: object): object[] => [{ title, schema }]

/** Schemas of datum, redeemer and parameters, by contract. */
const SCHEMAS: Readonly<Record<keyof typeof CODES, object>> = {
  'helloWorld.spend': {
    datum: { schema: BYTES },
    redeemer: { schema: BYTES },
    parameters: parameter('greeting', BYTES)
  },
  'vesting.spend': { datum: { schema: constructor('Vesting', 0, [BYTES, INTEGER]) }, redeemer: { schema: VOID } },
  'giftCard.mint': {
    redeemer: { schema: { anyOf: [constructor('Mint', 0), constructor('Burn', 1)] } },
    parameters: parameter('once', constructor('OutputReference', 0, [BYTES, INTEGER]))
  },
  'giftCard.spend': { datum: { schema: VOID }, redeemer: { schema: VOID }, parameters: parameter('burned', VALUE) },
  'swap.spend': { datum: { schema: constructor('Swap', 0, [ADDRESS, VALUE]) }, redeemer: { schema: VOID } },
  'escrow.spend': {
    datum: { schema: constructor('Escrow', 0, [BYTES, BYTES]) },
    redeemer: { schema: { anyOf: [constructor('Complete', 0), constructor('Cancel', 1)] } }
  },
  'counter.spend': { datum: { schema: constructor('Counter', 0, [ADDRESS, INTEGER]) }, redeemer: { schema: VOID } },
  'policy.mint': { redeemer: { schema: VOID }, parameters: parameter('owner', BYTES) }
}

/** The seven contracts of the tests as a compiler writes them: terms of untyped Plutus Core, written by hand. */
export const BLUEPRINT = {
  preamble: { title: 'seven contracts', plutusVersion: 'v3' },
  validators: Object.entries(CODES).map(([title, term]) => ({
    title,
    compiledCode: compiledCode(term),
    ...SCHEMAS[title as keyof typeof CODES]
  }))
}

/** The same for values of Plutus data, which need no schemas. */
export const CONTRACTS: ContractBlueprint = loadBlueprint({
  ...BLUEPRINT,
  validators: BLUEPRINT.validators.map(({ title, compiledCode: code, ...schemas }) => ({
    title,
    compiledCode: code,
    ...('parameters' in schemas
      ? { parameters: (schemas.parameters as { title: string }[]).map((each) => ({ title: each.title, schema: ANY })) }
      : {})
  }))
})
