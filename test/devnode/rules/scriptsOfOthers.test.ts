import ts from 'typescript'
import { createRequire } from 'node:module'
import * as csl from '@emurgo/cardano-serialization-lib-nodejs'
import { scalusEvaluator } from '../../../src/adapters/scalus'
import { DevNode, manualClock } from '../../../src/devnode'
import { PlutusData } from '../../../src/utils'
import { codeBlocks } from '../../support/markdown'
import type { FundedKey, ScriptEvaluator } from '../../../src/devnode'
import { deposit, newTx, openHead } from '../harness'
import type { Envelope } from '../transactions'

// Transactions with scripts, built, hashed and signed by another library, against what the ledger says: its files at
// bbf7722 stand beside the cases.
/** The evaluator that the guide shows, as it stands there. */
function guideEvaluator(): ScriptEvaluator {
  const block = codeBlocks('docs/guides/devnode.md').find(({ code }) => code.includes('uplcEvaluator'))!
  const code = block.code.slice(block.code.indexOf('const PARAMETERS'), block.code.indexOf('const node ='))
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 }
  })
  return new Function('require', 'PlutusData', `${outputText}return uplcEvaluator`)(
    createRequire(__filename),
    PlutusData
  ) as ScriptEvaluator
}

const evaluators: [string, ScriptEvaluator][] = [
  ['scalus', scalusEvaluator({ timeLimitMs: 20_000 })],
  ['@lucid-evolution/uplc', guideEvaluator()]
]
type Language = 'V1' | 'V2' | 'V3'
/**
 * Programs that succeed and that fail: `(lam d (lam r (lam c (con unit ()))))` and `(error)`, in PlutusV3 with one
 * argument.
 */
const PROGRAMS = {
  passes: { V1: '4d01000033222220051200120011', V2: '4d01000033222220051200120011', V3: '450101002499' },
  fails: { V1: '450100006001', V2: '450100006001', V3: '450101006001' }
} as const
type Program = keyof typeof PROGRAMS
const script = (language: Language, program: Program): csl.PlutusScript => {
  const bytes = Buffer.from(PROGRAMS[program][language], 'hex')
  return { V1: csl.PlutusScript.new, V2: csl.PlutusScript.new_v2, V3: csl.PlutusScript.new_v3 }[language](bytes)
}
const big = (value: number): csl.BigNum => csl.BigNum.from_str(String(value))
const UNIT = csl.PlutusData.from_hex('d87980')
const OTHER = csl.PlutusData.from_hex('d87a80')

interface Spec {
  language?: Language
  program?: Program
  /** What the script decides on. */
  purpose?: 'spend' | 'mint' | 'withdraw' | 'none'
  /** Of the output that is spent. */
  datum?: 'hash' | 'inline' | 'none'
  isValid?: boolean
  /** Where the script is. */
  from?: 'witness' | 'reference' | 'both' | 'nowhere'
  redeemers?: { tag: 'spend' | 'mint' | 'reward'; index: number }[]
  units?: [mem: number, cpu: number]
  datums?: csl.PlutusData[]
  collateral?: 'ada' | 'none' | 'script' | 'many'
  totalCollateral?: number
  collateralReturn?: number
  integrity?: 'right' | 'wrong' | 'none'
  requiredSigner?: boolean
  unsigned?: boolean
  ttl?: number
  lovelaceOff?: number
}

const FEE = 400_000
/** Outputs that the first transaction makes: locked, carrier of the script, collateral, change. */
const LOCKED = 5_000_000

function ownerOf(key: FundedKey): csl.PrivateKey {
  return csl.PrivateKey.from_normal_bytes(Buffer.from(key.skey.slice(4), 'hex'))
}
function addressOf(subject: csl.PlutusScript | FundedKey): csl.Address {
  if ('address' in subject && typeof subject.address === 'string') return csl.Address.from_bech32(subject.address)
  return csl.EnterpriseAddress.new(0, csl.Credential.from_scripthash((subject as csl.PlutusScript).hash())).to_address()
}
const coins = (address: csl.Address, lovelace: number): csl.TransactionOutput =>
  csl.TransactionOutput.new(address, csl.Value.new(big(lovelace)))
function envelope(
  body: csl.TransactionBody,
  witnesses: csl.TransactionWitnessSet,
  key: FundedKey | null,
  isValid = true
): Envelope {
  const tx = csl.Transaction.new(body, witnesses)
  tx.set_is_valid(isValid)
  const fixed = csl.FixedTransaction.from_bytes(tx.to_bytes())
  if (key !== null) fixed.sign_and_add_vkey_signature(ownerOf(key))
  return { type: 'Tx ConwayEra', description: '', cborHex: fixed.to_hex(), txId: fixed.transaction_hash().to_hex() }
}
const inputOf = (txId: string, index: number): csl.TransactionInput =>
  csl.TransactionInput.new(csl.TransactionHash.from_hex(txId), index)

/** Makes what the cases spend. */
function setupTx(
  { txHash, index }: { txHash: string; index: number },
  lovelace: number,
  alice: FundedKey,
  { language = 'V3', program = 'passes', datum = 'hash' }: Spec
): Envelope {
  const subject = script(language, program)
  const inputs = csl.TransactionInputs.new()
  inputs.add(inputOf(txHash, index))
  const locked = coins(addressOf(subject), LOCKED)
  if (datum === 'hash') locked.set_data_hash(csl.hash_plutus_data(UNIT))
  if (datum === 'inline') locked.set_plutus_data(UNIT)
  const carrier = coins(addressOf(alice), 20_000_000)
  carrier.set_script_ref(csl.ScriptRef.new_plutus_script(subject))
  const outputs = csl.TransactionOutputs.new()
  for (const output of [
    locked,
    carrier,
    coins(addressOf(alice), 5_000_000),
    coins(addressOf(alice), lovelace - 30_000_000 - FEE)
  ])
    outputs.add(output)
  return envelope(csl.TransactionBody.new_tx_body(inputs, outputs, big(FEE)), csl.TransactionWitnessSet.new(), alice)
}

function scriptTx(
  made: string,
  change: number,
  alice: FundedKey,
  models: Record<string, number[]>,
  spec: Spec
): Envelope {
  const {
    language = 'V3',
    program = 'passes',
    purpose = 'spend',
    datum = 'hash',
    from = 'witness',
    collateral = 'ada',
    integrity = 'right'
  } = spec
  const subject = script(language, program)
  const inputs = csl.TransactionInputs.new()
  inputs.add(purpose === 'spend' ? inputOf(made, 0) : inputOf(made, 3))
  const held = purpose === 'spend' ? LOCKED : change
  const value = csl.Value.new(big(held - FEE + (spec.lovelaceOff ?? 0)))
  const name = csl.AssetName.new(Buffer.from('token'))
  if (purpose === 'mint') {
    const assets = csl.MultiAsset.new()
    assets.set_asset(subject.hash(), name, big(2))
    value.set_multiasset(assets)
  }
  const outputs = csl.TransactionOutputs.new()
  outputs.add(csl.TransactionOutput.new(addressOf(alice), value))
  const body = csl.TransactionBody.new_tx_body(inputs, outputs, big(FEE))
  if (purpose === 'mint') {
    const mint = csl.Mint.new()
    mint.insert(subject.hash(), csl.MintAssets.new_from_entry(name, csl.Int.new_i32(2)))
    body.set_mint(mint)
  }
  if (purpose === 'withdraw') {
    const withdrawals = csl.Withdrawals.new()
    withdrawals.insert(csl.RewardAddress.new(0, csl.Credential.from_scripthash(subject.hash())), big(0))
    body.set_withdrawals(withdrawals)
  }
  if (from === 'reference' || from === 'both') {
    const references = csl.TransactionInputs.new()
    references.add(inputOf(made, 1))
    body.set_reference_inputs(references)
  }
  if (collateral !== 'none') {
    const set = csl.TransactionInputs.new()
    for (const index of { ada: [2], script: [0], many: [1, 2, 3, 4] }[collateral]) set.add(inputOf(made, index))
    body.set_collateral(set)
  }
  if (spec.totalCollateral !== undefined) body.set_total_collateral(big(spec.totalCollateral))
  if (spec.collateralReturn !== undefined) body.set_collateral_return(coins(addressOf(alice), spec.collateralReturn))
  if (spec.ttl !== undefined) body.set_ttl(big(spec.ttl))
  if (spec.requiredSigner) {
    const keys = csl.Ed25519KeyHashes.new()
    keys.add(csl.Ed25519KeyHash.from_hex('ab'.repeat(28)))
    body.set_required_signers(keys)
  }
  const witnesses = csl.TransactionWitnessSet.new()
  if (from === 'witness' || from === 'both') {
    const scripts = csl.PlutusScripts.new()
    scripts.add(subject)
    witnesses.set_plutus_scripts(scripts)
  }
  const tags = { spend: csl.RedeemerTag.new_spend, mint: csl.RedeemerTag.new_mint, reward: csl.RedeemerTag.new_reward }
  const own = { spend: 'spend', mint: 'mint', withdraw: 'reward', none: null }[purpose] as keyof typeof tags | null
  const [mem, cpu] = spec.units ?? [200_000, 200_000_000]
  const redeemers = csl.Redeemers.new()
  for (const { tag, index } of spec.redeemers ?? (own === null ? [] : [{ tag: own, index: 0 }])) {
    redeemers.add(csl.Redeemer.new(tags[tag](), big(index), UNIT, csl.ExUnits.new(big(mem), big(cpu))))
  }
  if (redeemers.len() > 0) witnesses.set_redeemers(redeemers)
  const datums = csl.PlutusList.new()
  for (const each of spec.datums ?? (purpose === 'spend' && datum === 'hash' ? [UNIT] : [])) datums.add(each)
  if (datums.len() > 0) witnesses.set_plutus_data(datums)
  if (integrity !== 'none') {
    const costs = csl.Costmdls.new()
    if (own !== null && from !== 'nowhere') {
      const model = csl.CostModel.new()
      models[`Plutus${language}`]!.forEach((cost, i) => model.set(i, csl.Int.from_str(String(cost))))
      costs.insert(
        { V1: csl.Language.new_plutus_v1, V2: csl.Language.new_plutus_v2, V3: csl.Language.new_plutus_v3 }[language](),
        model
      )
    }
    const hash = csl.hash_script_data(redeemers, costs, datums.len() > 0 ? datums : undefined)
    body.set_script_data_hash(integrity === 'right' ? hash : csl.ScriptDataHash.from_hex('00'.repeat(32)))
  }
  return envelope(body, witnesses, spec.unsigned ? null : alice, spec.isValid)
}

const FAILING = 'Plutus validation failed: '
const languages: Language[] = ['V1', 'V2', 'V3']
/** `null`: valid. One text: the first reason on both ledgers; two: in a head, and on the base ledger. */
const cases: [string, Spec, string | null | readonly [string | null, string | null]][] = [
  ...languages.flatMap((language): typeof cases => [
    [`a spend by Plutus${language} that passes`, { language }, null],
    [`a spend by Plutus${language} that fails`, { language, program: 'fails' }, FAILING],
    // babbage Rules/Utxos.hs:192.
    [`a spend by Plutus${language} that says that it fails`, { language, program: 'fails', isValid: false }, null],
    [
      `a spend by Plutus${language} that says wrongly that it fails`,
      { language, isValid: false },
      'ValidationTagMismatch (IsValid False) PassedUnexpectedly'
    ],
    [`a mint by Plutus${language}`, { language, purpose: 'mint' }, null],
    [`a mint by Plutus${language} that fails`, { language, purpose: 'mint', program: 'fails' }, FAILING],
    // alonzo Plutus/Evaluate.hs:154: before MissingRedeemers.
    [`no redeemer for Plutus${language}`, { language, redeemers: [] }, 'CollectErrors (NoRedeemer (ConwaySpending'],
    // alonzo Rules/Utxow.hs:296.
    [`a wrong integrity hash with Plutus${language}`, { language, integrity: 'wrong' }, 'ScriptIntegrityHashMismatch'],
    // hydra-node Ledger/Cardano.hs:125; conway Rules/Ledger.hs:399.
    [
      `a withdrawal of nothing by Plutus${language}`,
      { language, purpose: 'withdraw' },
      [null, 'ConwayWithdrawalsMissingAccounts']
    ]
  ]),
  // conway TxInfo.hs:332.
  [
    'an inline datum with PlutusV1',
    { language: 'V1', datum: 'inline' },
    'CollectErrors (BadTranslation (BabbageContextError (InlineDatumsNotSupported'
  ],
  ['an inline datum with PlutusV2', { language: 'V2', datum: 'inline' }, null],
  ['an inline datum with PlutusV3', { datum: 'inline' }, null],
  // alonzo UTxO.hs:269.
  ['no datum with PlutusV2', { language: 'V2', datum: 'none' }, 'UnspendableUTxONoDatumHash'],
  ['no datum with PlutusV3', { datum: 'none' }, null],
  // alonzo Rules/Utxow.hs:222.
  ['a datum that is missing', { datums: [] }, 'MissingRequiredDatums'],
  ['a datum beside the right one', { datums: [UNIT, OTHER] }, 'NotAllowedSupplementalDatums'],
  // babbage Rules/Utxow.hs:208.
  ['a script by reference', { from: 'reference' }, null],
  ['a script twice', { from: 'both' }, 'ExtraneousScriptWitnessesUTXOW'],
  ['a script nowhere', { from: 'nowhere' }, 'ExtraRedeemers'],
  ['a script that nothing needs', { purpose: 'none', integrity: 'none' }, 'ExtraneousScriptWitnessesUTXOW'],
  // conway TxInfo.hs:528, babbage TxInfo.hs:213.
  [
    'a redeemer for nothing',
    {
      redeemers: [
        { tag: 'spend', index: 0 },
        { tag: 'mint', index: 0 }
      ]
    },
    'CollectErrors (BadTranslation (BabbageContextError (RedeemerPointerPointsToNothing'
  ],
  // babbage Rules/Utxo.hs:231.
  ['no collateral', { collateral: 'none' }, 'InsufficientCollateral'],
  ['collateral of a script', { collateral: 'script' }, 'ScriptsNotPaidUTxO'],
  ['too little collateral', { collateralReturn: 4_800_000 }, 'InsufficientCollateral'],
  ['enough collateral', { collateralReturn: 4_000_000, totalCollateral: 1_000_000 }, null],
  ['a wrong total of collateral', { totalCollateral: 1 }, 'IncorrectTotalCollateralField'],
  // alonzo Rules/Utxo.hs:472, and the limit of a transaction.
  ['too many units', { units: [14_000_001, 1] }, ['ExUnitsTooBigUTxO', 'FeeTooSmallUTxO']],
  ['too few units', { units: [1, 1] }, FAILING],
  // shelley and allegra Rules/Utxo.hs.
  ['an interval that is over', { ttl: 5 }, 'OutsideValidityIntervalUTxO'],
  ['a lovelace too many', { lovelaceOff: 1 }, 'ValueNotConservedUTxO'],
  ['a signer that is missing', { requiredSigner: true }, 'MissingVKeyWitnessesUTXOW'],
  ['no signature of the collateral', { unsigned: true }, 'MissingVKeyWitnessesUTXOW']
]

const tested = new Set<string>()
const ada = 10 ** 6
const options = { accounts: 0, testKeys: ['alice', 'bob'], evaluatorTimeoutMs: 60_000, timings: { invalidRetries: 0 } }

describe.each(evaluators)('with the evaluator over %s', (evaluator, scriptEvaluator) => {
  it.each(cases)(
    'on the base ledger: %s',
    async (name, spec, expected) => {
      const node = new DevNode({ clock: manualClock(), ...options, scriptEvaluator })
      const alice = node.keys[0]!
      const [coin] = node.baseUtxos(alice.address)
      const made = setupTx(coin!.input, 1000 * ada, alice, spec)
      expect(await node.submitBaseTx(made.cborHex)).toEqual([])
      const tx = scriptTx(
        made.txId,
        970 * ada - FEE,
        alice,
        node.protocolParameters['costModels'] as Record<string, number[]>,
        spec
      )
      const reasons = await node.submitBaseTx(tx.cborHex)
      const reason = expected === null || typeof expected === 'string' ? expected : expected[1]
      if (reason === null) expect(reasons).toEqual([])
      else expect(reasons[0]).toContain(reason)
      tested.add(`${evaluator}, base: ${name}`)
    },
    60_000
  )

  it.each(cases)(
    'in a head: %s',
    async (name, spec, expected) => {
      const setup = openHead({ ...options, scriptEvaluator })
      const { node, client, alice } = setup
      const coin = await deposit(setup, alice)
      const made = setupTx(coin.input, 1000 * ada, alice, spec)
      client.send(newTx(made))
      client.take()
      client.send(
        newTx(
          scriptTx(
            made.txId,
            970 * ada - FEE,
            alice,
            node.protocolParameters['costModels'] as Record<string, number[]>,
            spec
          )
        )
      )
      for (const end = Date.now() + 50_000; client.messages.length === 0 && Date.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 5))
      const reason = expected === null || typeof expected === 'string' ? expected : expected[0]
      if (reason === null) expect(client.tags()).toEqual(['TxValid'])
      else expect(client.last('TxInvalid')['validationError']['reason']).toContain(reason)
      tested.add(`${evaluator}, head: ${name}`)
    },
    60_000
  )
})

it('are more than sixty', () => {
  expect(2 * cases.length).toBeGreaterThanOrEqual(60)
  expect(tested.size).toBe(2 * evaluators.length * cases.length)
})
