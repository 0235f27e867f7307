import { parseAddress } from '../../codec/address.js'
import { CborReader } from '../../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { nativeScriptFromBytes } from '../../codec/nativeScript.js'
import { scriptRefHash } from '../../codec/scriptHash.js'
import type { Value } from '../../codec/value.js'
import { addUnit, assertUnit } from '../../codec/value.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { ScriptInputError } from '../../errors/scripts.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { ScriptRef, UTxO } from '../../types/utxo.js'
import { wrappedScript } from '../assertions.js'
import type { TxPlan } from '../buildTx.js'
import { assertUtxos, inputKey, keyHashesOf } from '../inputs.js'
import type { PlutusDataSource, ScriptPart, ScriptWitness } from './ScriptPart.js'

/** One use of a Plutus script in a transaction: the script with the item for which it decides. */
export interface ScriptUse {
  readonly tag: 'spend' | 'mint' | 'reward'
  /** The item: `txHash#index`, a policy id, or the bytes of a reward address in hex. Its order gives the index. */
  readonly subject: string
  readonly scriptHash: string
  /** Argument of the script: CBOR. */
  readonly redeemer: Uint8Array
}

/** Checked scripts of a builder: each use has its script, its redeemer and its datum. */
export interface ResolvedParts {
  readonly uses: readonly ScriptUse[]
  /** Outputs that scripts lock, which are spent. */
  readonly spent: readonly UTxO[]
  /** Outputs that the transaction reads without spending them, each once. */
  readonly references: readonly UTxO[]
  /** Outputs that the caller names as collateral. */
  readonly collateral: readonly UTxO[]
  readonly mint: ReadonlyMap<string, bigint>
  /** Rewards to withdraw, lovelace, by the bytes of the reward address in hex. */
  readonly withdrawals: ReadonlyMap<string, bigint>
  /** Scripts that the witness set may carry, by hash. */
  readonly scripts: ReadonlyMap<string, ScriptRef>
  /** Datums that go into the witness set, by hash: CBOR. */
  readonly datums: ReadonlyMap<string, Uint8Array>
  /** Native scripts that outputs carry: hashes of the keys that they name, by script hash. */
  readonly carriedNative: ReadonlyMap<string, readonly string[]>
  /** Languages of all known scripts, by script hash. */
  readonly languages: ReadonlyMap<string, ScriptRef['language']>
}

/**
 * Checks the scripts, redeemers and datums that a builder has recorded, and matches them.
 *
 * @throws {@link ScriptInputError} naming the input and the script; {@link InvalidArgumentError}, codec errors
 */
export function resolveScripts(plan: TxPlan, parts: readonly ScriptPart[]): ResolvedParts {
  const spent = partsOf(parts, 'spend').map(({ utxo }) => assertUtxos([utxo])[0]!)
  const witnesses = parts.flatMap((part) => ('witness' in part ? [assertWitness(part.witness)] : []))
  const named = [
    ...parts.flatMap((part) => (part.kind === 'read' ? assertUtxos(part.utxos) : [])),
    ...witnesses.flatMap(({ reference }) => (reference === undefined ? [] : assertUtxos([reference])))
  ]
  const inputs = new Map([...plan.chosen.values(), ...spent].map((utxo) => [inputKey(utxo.input), utxo]))
  // What the transaction spends it cannot refer to; a script that it carries there counts all the same.
  const references = [...new Map(named.map((utxo) => [inputKey(utxo.input), utxo]))]
    .filter(([key]) => !inputs.has(key))
    .map(([, utxo]) => utxo)
  const carriers = [...references, ...inputs.values()]
  const scripts = new Map<string, ScriptRef>()
  const languages = new Map<string, ScriptRef['language']>([...plan.scripts.keys()].map((hash) => [hash, 'native']))
  const hashes = new Map<ScriptRef, string>()
  for (const { script } of witnesses) {
    if (script === undefined || hashes.has(script)) continue
    if (script.language === 'native')
      throw new InvalidArgumentError('script', 'a Plutus script; native ones through attachScript', script.language)
    const wrapped = wrappedScript(script)
    const hash = scriptRefHash(wrapped)
    scripts.set(hash, wrapped)
    hashes.set(script, hash)
  }
  const carriedNative = new Map<string, readonly string[]>()
  for (const { output } of carriers) {
    if (output.scriptRef === undefined) continue
    const hash = scriptRefHash(output.scriptRef)
    languages.set(hash, output.scriptRef.language)
    if (output.scriptRef.language === 'native')
      carriedNative.set(hash, keyHashesOf(nativeScriptFromBytes(hexToBytes(output.scriptRef.cborHex))))
  }
  for (const [hash, { language }] of scripts) languages.set(hash, language)
  const collected = collectUses(parts, { languages, scripts, hashes })
  const collateral = parts.flatMap((part) => (part.kind === 'collateral' ? assertUtxos(part.utxos) : []))
  return { ...collected, spent, references, collateral, scripts, carriedNative, languages }
}

type Known = Pick<ResolvedParts, 'languages' | 'scripts'> & {
  /** Hashes of the scripts that witnesses contain. */
  readonly hashes: ReadonlyMap<ScriptRef, string>
}

/** Makes the script use of each part, and sums the minted and the withdrawn amounts. */
function collectUses(
  parts: readonly ScriptPart[],
  known: Known
): Pick<ResolvedParts, 'uses' | 'mint' | 'withdrawals' | 'datums'> {
  const uses = new Map<string, ScriptUse>()
  const mint: Value = new Map()
  const withdrawals = new Map<string, bigint>()
  const datums = new Map<string, Uint8Array>()
  for (const part of parts) {
    if (!('witness' in part)) continue
    const use = useOf(part)
    const before = uses.get(`${use.tag} ${use.subject}`)
    if (before !== undefined && (part.kind !== 'mint' || bytesToHex(before.redeemer) !== bytesToHex(use.redeemer)))
      throw new InvalidArgumentError(part.kind, `one redeemer for ${use.subject}`, described('a second one'))
    assertScript(use, part.witness, known)
    uses.set(`${use.tag} ${use.subject}`, use)
    if (part.kind === 'spend') addDatum(part, use, known, datums)
    if (part.kind === 'mint') addMint(mint, part)
    if (part.kind === 'withdraw') withdrawals.set(use.subject, assertLovelace(part.witness.amount ?? 0n))
  }
  return { uses: [...uses.values()], mint, withdrawals, datums }
}

function partsOf<Kind extends ScriptPart['kind']>(
  parts: readonly ScriptPart[],
  kind: Kind
): Extract<ScriptPart, { kind: Kind }>[] {
  return parts.filter((part) => part.kind === kind) as Extract<ScriptPart, { kind: Kind }>[]
}

function assertWitness(witness: unknown): ScriptWitness {
  if (typeof witness === 'object' && witness !== null) return witness as ScriptWitness
  throw new InvalidArgumentError('witness', '{ redeemer, script } or { redeemer, reference }', witness)
}

/** Makes the use of one part. @throws {@link ScriptInputError} when no script locks it, or it has no redeemer */
function useOf(part: Extract<ScriptPart, { witness: ScriptWitness }>): ScriptUse {
  if (part.kind === 'spend') {
    const subject = inputKey(part.utxo.input)
    const { payment } = parseAddress(part.utxo.output.address)
    if (payment?.kind !== 'script')
      throw new ScriptInputError(
        'redeemer-unused',
        'A redeemer is given for an output that no script locks.',
        { input: subject },
        { expected: 'an output at the address of a script', got: `an output at ${part.utxo.output.address}` }
      )
    const position = { input: subject, scriptHash: payment.hash }
    return { tag: 'spend', subject, scriptHash: payment.hash, redeemer: redeemerOf(part.witness, position) }
  }
  if (part.kind === 'mint') {
    const policyId = bytesToHex(hexToBytes(part.policyId, 'policyId', 28))
    const redeemer = redeemerOf(part.witness, { scriptHash: policyId })
    return { tag: 'mint', subject: policyId, scriptHash: policyId, redeemer }
  }
  const { bytes, type, stake } = parseAddress(part.address, 'address')
  if (type !== 'reward' || stake?.kind !== 'script')
    throw new InvalidArgumentError('address', 'the reward address of a script', part.address)
  const redeemer = redeemerOf(part.witness, { scriptHash: stake.hash })
  return { tag: 'reward', subject: bytesToHex(bytes), scriptHash: stake.hash, redeemer }
}

function redeemerOf({ redeemer }: ScriptWitness, position: { input?: string; scriptHash: string }): Uint8Array {
  if (redeemer == null)
    throw new ScriptInputError('redeemer-missing', 'A script has no redeemer.', position, {
      expected: 'redeemer: PlutusData, or its CBOR in hex',
      got: 'none'
    })
  return dataOf(redeemer, 'redeemer')
}

/** Returns the CBOR of data. @throws {@link InvalidArgumentError}, {@link InvalidHexError}, {@link InvalidCborError} */
function dataOf(source: PlutusDataSource, name: string): Uint8Array {
  const text: unknown =
    typeof source === 'object' && source !== null && typeof source.toCbor === 'function' ? source.toCbor() : source
  if (typeof text !== 'string') throw new InvalidArgumentError(name, 'PlutusData, or its CBOR in hex', source)
  const cbor = hexToBytes(text, name)
  const reader = new CborReader(cbor, name)
  reader.skip()
  reader.finish()
  return cbor
}

/**
 * Checks that the script of a use is known, is the right one, and is a Plutus script.
 *
 * @throws {@link ScriptInputError}
 */
function assertScript(use: ScriptUse, { script, reference }: ScriptWitness, { languages, hashes }: Known): void {
  const witnessScript = script ?? reference?.output.scriptRef
  const position = { input: use.tag === 'spend' ? use.subject : null, scriptHash: use.scriptHash }
  const hash =
    witnessScript === undefined
      ? undefined
      : (hashes.get(witnessScript) ??
        scriptRefHash(witnessScript.language === 'native' ? witnessScript : wrappedScript(witnessScript)))
  const language = languages.get(use.scriptHash)
  if (hash !== undefined && hash !== use.scriptHash)
    throw new ScriptInputError('script-missing', 'The script is another than the one that decides.', position, {
      expected: `the script ${use.scriptHash}`,
      got: `the script ${hash}`
    })
  if (language === undefined)
    throw new ScriptInputError('script-missing', 'A script of the transaction is missing.', position, {
      expected: `the script ${use.scriptHash} as script, as reference, or in an output of readFrom`,
      got: reference === undefined ? 'none' : `the output ${inputKey(reference.input)}, which carries no script`
    })
  if (language === 'native')
    throw new ScriptInputError('redeemer-unused', 'A redeemer is given for a native script.', position, {
      expected: 'spend() or mint(), with attachScript() or readFrom()',
      got: 'a redeemer'
    })
}

function addDatum(
  { utxo, witness }: Extract<ScriptPart, { kind: 'spend' }>,
  use: ScriptUse,
  { languages }: Known,
  datums: Map<string, Uint8Array>
): void {
  const { datumHash, inlineDatum } = utxo.output
  const position = { input: use.subject, scriptHash: use.scriptHash }
  if (datumHash !== undefined) {
    const datum = witness.datum == null ? undefined : dataOf(witness.datum, 'datum')
    const hash = datum === undefined ? null : bytesToHex(blake2b256(datum))
    if (datum === undefined || hash !== datumHash.toLowerCase())
      throw new ScriptInputError('datum-missing', 'The datum of an output is missing.', position, {
        expected: `datum: the one with the hash ${datumHash}`,
        got: hash === null ? 'none' : `one with the hash ${hash}`
      })
    datums.set(hash, datum)
    return
  }
  if (witness.datum != null)
    throw new ScriptInputError('datum-unused', 'A datum is given for an output that holds no hash of one.', position, {
      expected: inlineDatum === undefined ? 'no datum: the output has none' : 'no datum: the output holds its own',
      got: 'a datum'
    })
  const language = languages.get(use.scriptHash)!
  // PlutusV3 spends outputs without a datum (CIP-69).
  if (inlineDatum === undefined && language !== 'PlutusV3')
    throw new ScriptInputError(
      'datum-missing',
      `An output has no datum: no ${language} script can spend it.`,
      position,
      {
        expected: 'an output with a datum, or a PlutusV3 script',
        got: 'an output without a datum'
      }
    )
}

function addMint(mint: Value, { policyId, assets }: Extract<ScriptPart, { kind: 'mint' }>): void {
  const entries = typeof assets === 'object' && assets !== null ? Object.entries(assets) : []
  if (entries.length === 0 || entries.some(([, quantity]) => typeof quantity !== 'bigint' || quantity === 0n))
    throw new InvalidArgumentError('assets', '{ [asset name in hex]: quantity }, bigint other than 0', assets)
  for (const [name, quantity] of entries) addUnit(mint, assertUnit(policyId + name).toLowerCase(), quantity)
}

function assertLovelace(amount: unknown): bigint {
  if (typeof amount === 'bigint' && amount >= 0n) return amount
  throw new InvalidArgumentError('amount', 'lovelace from 0, a bigint', amount)
}
