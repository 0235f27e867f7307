import { hashBytes, parseAddress } from '../../../src/codec/address'
import { CborWriter } from '../../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import type { UTxO } from '../../../src/types/utxo'
import type { randomSource } from '../../support/random'
import type { Draft, Redeemer } from './draft'
import { keyOf } from './draft'
import type { Key, PlutusLanguage, Script } from './world'
import {
  AFTER,
  BEFORE,
  DATUM,
  DATUM_HASH,
  find,
  KEYS,
  lovelace,
  NATIVE_SCRIPTS,
  OTHER_DATUM,
  OTHER_DATUM_HASH,
  PLUTUS_SCRIPTS,
  refOf,
  scriptRef,
  SLOT,
  TOKEN,
  WORLD
} from './world'

export type Random = ReturnType<typeof randomSource>
const oneIn = (random: Random, n: number): boolean => random.below(n) === 0

/** A transaction that is valid. */
export function randomDraft(random: Random): Draft {
  for (;;) {
    const draft = anyDraft(random)
    // PlutusV1 sees no inline datums (eras/conway/impl/src/Cardano/Ledger/Conway/TxInfo.hs:332).
    const seen = [...draft.outputs, ...[...draft.inputs, ...draft.referenceInputs].map((input) => find(input)!.output)]
    if (!draft.languages.has('PlutusV1') || seen.every(({ inlineDatum }) => inlineDatum === undefined)) return draft
  }
}

function anyDraft(random: Random): Draft {
  const draft: Draft = {
    ledger: oneIn(random, 3) ? 'head' : 'base',
    inputs: [],
    referenceInputs: [],
    collateral: [],
    outputs: [],
    change: random.pick(KEYS).address,
    feeOver: random.pick([0, 1, 44, 1000, 50_000]),
    mint: new Map(),
    withdrawals: [],
    requiredSigners: [],
    certificates: [],
    scripts: [],
    datums: [],
    redeemers: [],
    languages: new Set(),
    referenceScriptBytes: 0,
    signers: new Set(),
    isValid: true,
    off: new Map(),
    rawBody: new Map(),
    rawWitnesses: new Map(),
    tagged: oneIn(random, 2),
    redeemerMap: oneIn(random, 2)
  }
  for (let i = 0; i <= random.below(3); i++) spendByKey(draft, random.pick(WORLD.coins))
  if (oneIn(random, 4)) spendByKey(draft, random.pick(WORLD.withTokens))
  const scripts = random.pick([0, 0, 0, 1, 1, 2])
  for (let i = 0; i < scripts; i++)
    useScript(
      draft,
      random.pick(oneIn(random, 2) ? NATIVE_SCRIPTS : PLUTUS_SCRIPTS.filter(({ passes }) => passes)),
      random
    )
  payOutputs(draft, random)
  addInterval(draft, random)
  if (oneIn(random, 4)) draft.auxiliaryData = metadata(random)
  if (oneIn(random, 6)) requireSigner(draft, random.pick(KEYS))
  if (oneIn(random, 8)) draft.networkId = 0
  if (oneIn(random, 6)) refer(draft, random.pick([...WORLD.coins, ...WORLD.carriers]))
  return draft
}

export function spendByKey(draft: Draft, { input, output }: UTxO): void {
  if (draft.inputs.some((other) => refOf(other) === refOf(input))) return
  draft.inputs.push(input)
  draft.signers.add(keyOf(output.address)!)
}

/** Refers to an output, whose script then counts, needed or not; not to one that is spent. */
export function refer(draft: Draft, { input, output }: UTxO): void {
  if ([...draft.inputs, ...draft.referenceInputs].some((other) => refOf(other) === refOf(input))) return
  draft.referenceInputs.push(input)
  const { scriptRef: carried } = output
  if (carried === undefined) return
  const size = carried.cborHex.length / 2
  // The bytes of a Plutus script, without their wrapping, which is one byte here.
  draft.referenceScriptBytes += carried.language === 'native' ? size : size - 1
  draft.scripts = draft.scripts.filter(
    (script) => scriptRef(script).cborHex !== carried.cborHex || script.language !== carried.language
  )
}

/** Spends what a script locks, mints or burns by it, or withdraws nothing; the script comes along or by reference. */
function useScript(draft: Draft, script: Script, random: Random): void {
  const canWithdraw = draft.ledger === 'head' && script.language !== 'native'
  const purpose = random.pick(canWithdraw ? (['spend', 'mint', 'withdraw'] as const) : (['spend', 'mint'] as const))
  if (purpose === 'spend') spendLocked(draft, script, random)
  else if (purpose === 'mint') mintBy(draft, script, random)
  else withdrawBy(draft, script)
  for (const key of script.signers) draft.signers.add(key)
  if (script.interval === 'after') draft.validFrom = AFTER
  if (script.interval === 'before') draft.validUntil = BEFORE
  provide(draft, script, random)
  if (script.language !== 'native') addCollateral(draft, random)
}

/**
 * Outputs with an inline datum are hidden from PlutusV1, and those without a datum can be spent by PlutusV3 and native
 * scripts alone.
 */
const spendable = (script: Script): readonly UTxO[] => {
  const own = WORLD.locked.filter(({ output }) => output.address === script.address)
  if (script.language === 'PlutusV1') return own.slice(0, 1)
  return script.language === 'PlutusV2' ? own.slice(0, 2) : own
}

function spendLocked(draft: Draft, script: Script, random: Random): void {
  const { input, output } = random.pick(spendable(script))
  if (draft.inputs.some((other) => refOf(other) === refOf(input))) return
  draft.inputs.push(input)
  if (script.language === 'native') return
  if (output.datumHash !== undefined && draft.datums.length === 0) draft.datums.push(DATUM)
  addRedeemer(draft, { tag: 'spend', of: refOf(input) }, script)
}

function mintBy(draft: Draft, script: Script, random: Random): void {
  const unit = script.hash + (oneIn(random, 4) ? '' : TOKEN)
  if ([...draft.mint.keys()].some((other) => other.startsWith(script.hash))) return
  const holder = draft.inputs.some((input) => WORLD.withTokens.some((each) => refOf(each.input) === refOf(input)))
  draft.mint.set(
    unit,
    holder && unit.endsWith(TOKEN) && oneIn(random, 2)
      ? -BigInt(1 + random.below(100))
      : BigInt(1 + random.below(1_000_000))
  )
  if (script.language !== 'native') addRedeemer(draft, { tag: 'mint', of: script.hash }, script)
}

function withdrawBy(draft: Draft, script: Script): void {
  const address = Uint8Array.of(0xf0, ...hexToBytes(script.hash))
  if (draft.withdrawals.some((each) => bytesToHex(each.address) === bytesToHex(address))) return
  draft.withdrawals.push({ address, amount: 0n })
  draft.withdrawals.sort((x, y) => (bytesToHex(x.address) < bytesToHex(y.address) ? -1 : 1))
  addRedeemer(draft, { tag: 'reward', of: script.hash }, script)
}

function addRedeemer(draft: Draft, of: Pick<Redeemer, 'tag' | 'of'>, script: Script): void {
  draft.redeemers.push({ ...of, mem: 200_000, cpu: 200_000_000 })
  draft.languages.add(script.language as PlutusLanguage)
}

function provide(draft: Draft, script: Script, random: Random): void {
  const isThere = draft.scripts.some(({ hash }) => hash === script.hash)
  const carrier = WORLD.carriers.find(
    ({ output }) =>
      output.scriptRef!.cborHex === scriptRef(script).cborHex && output.scriptRef!.language === script.language
  )!
  const isReferred = [...draft.inputs, ...draft.referenceInputs].some((input) => refOf(input) === refOf(carrier.input))
  if (isThere || isReferred) return
  if (oneIn(random, 2)) refer(draft, carrier)
  else draft.scripts.push(script)
}

export function addCollateral(draft: Draft, random: Random): void {
  if (draft.collateral.length > 0) return
  const utxo = random.pick(WORLD.collateral)
  draft.collateral.push(utxo.input)
  draft.signers.add(keyOf(utxo.output.address)!)
  const style = random.below(3)
  if (style === 0) return
  draft.collateralReturn = { address: utxo.output.address, amount: [lovelace(4_000_000n)] }
  if (style === 2) draft.totalCollateral = 4_000_000n
}

function payOutputs(draft: Draft, random: Random): void {
  for (let i = 0; i < random.below(4); i++) {
    const script = random.pick([...NATIVE_SCRIPTS, ...PLUTUS_SCRIPTS])
    const toScript = oneIn(random, 4)
    const datum = random.pick(['none', 'hash', 'inline'])
    draft.outputs.push({
      address: toScript ? script.address : random.pick(KEYS).address,
      amount: [lovelace(2_000_000n + BigInt(random.below(5_000_000)))],
      ...(datum === 'hash' && { datumHash: DATUM_HASH }),
      ...(datum === 'inline' && { inlineDatum: bytesToHex(DATUM) }),
      ...(oneIn(random, 6) && { scriptRef: scriptRef(random.pick([...NATIVE_SCRIPTS, ...PLUTUS_SCRIPTS])) })
    })
  }
  // A datum that an output is about may come along.
  if (draft.redeemers.length > 0 && oneIn(random, 5)) {
    draft.outputs.push({
      address: random.pick(KEYS).address,
      amount: [lovelace(3_000_000n)],
      datumHash: OTHER_DATUM_HASH
    })
    draft.datums.push(OTHER_DATUM)
  }
}

function addInterval(draft: Draft, random: Random): void {
  if (oneIn(random, 3)) draft.validFrom ??= random.pick([AFTER, SLOT - 1, SLOT])
  if (oneIn(random, 3)) draft.validUntil ??= random.pick([SLOT + 1, SLOT + 2000])
}

export function requireSigner(draft: Draft, key: Key): void {
  draft.requiredSigners.push(bytesToHex(hashBytes(parseAddress(key.address).payment!)))
  draft.signers.add(key)
}

/** The three forms of auxiliary data. */
function metadata(random: Random): Uint8Array {
  const entry = new CborWriter()
    .map(1)
    .uint(674)
    .map(1)
    .text('msg')
    .array(1)
    .text('m'.repeat(random.below(65)))
    .toBytes()
  const form = random.below(3)
  if (form === 0) return entry
  if (form === 1) return new CborWriter().array(2).raw(entry).array(1).raw(NATIVE_SCRIPTS[0]!.bytes).toBytes()
  return new CborWriter().tag(259).map(1).uint(0).raw(entry).toBytes()
}
