import type { Cardano } from '@cardano-sdk/core'
import { CborReader } from '../codec/cbor/reader.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import { encodeNativeScript, type NativeScript, nativeScriptFromBytes } from '../codec/nativeScript.js'
import { PlutusData } from '../codec/plutusData.js'
import { LOVELACE, valueFromAmounts, valueToAmounts } from '../codec/value.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { ScriptLanguage, ScriptRef, UTxO } from '../types/utxo.js'
import { typedConversion } from './typedConversion.js'
import { fromCorePlutusData, toCorePlutusData } from './plutusData.js'

const PLUTUS_LANGUAGES: readonly ScriptLanguage[] = ['PlutusV1', 'PlutusV2', 'PlutusV3']
// The values of core's enums, written out so that this entry loads without the peer.
const NATIVE = 'native' as Cardano.ScriptType.Native
const PLUTUS = 'plutus' as Cardano.ScriptType.Plutus
const KINDS = ['sig', 'all', 'any', 'atLeast', 'after', 'before'] as const

/**
 * Converts an unspent output to `Cardano.Utxo` of `@cardano-sdk/core`: `[HydratedTxIn, TxOut]`.
 *
 * @example
 * ```ts
 * import { toCoreUtxo } from 'layer-sdk/cardano-sdk'
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const output = { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }
 * const utxo = { input: { txHash: '00'.repeat(32), index: 0 }, output }
 * console.log(toCoreUtxo(utxo)[1].value.coins) // 5000000n
 * ```
 */
export function toCoreUtxo(utxo: UTxO): Cardano.Utxo {
  return typedConversion('utxo', 'a UTxO', utxo, () => coreUtxo(utxo))
}

function coreUtxo({ input, output }: UTxO): Cardano.Utxo {
  const value = valueFromAmounts(output.amount)
  const coins = value.get(LOVELACE) ?? 0n
  value.delete(LOVELACE)
  const address = output.address as Cardano.PaymentAddress
  return [
    { txId: input.txHash as Cardano.TransactionId, index: input.index, address },
    {
      address,
      value: { coins, ...(value.size > 0 && { assets: value as Map<string, bigint> as unknown as Cardano.TokenMap }) },
      ...(output.datumHash !== undefined && { datumHash: output.datumHash as Cardano.DatumHash }),
      ...(output.inlineDatum !== undefined && { datum: toCorePlutusData(PlutusData.fromCbor(output.inlineDatum)) }),
      ...(output.scriptRef !== undefined && { scriptReference: toCoreScript(output.scriptRef) })
    }
  ]
}

/**
 * Converts a `Cardano.Utxo`, or a `Serialization.TransactionUnspentOutput` (by its `toCore()`), to an unspent output.
 *
 * @example
 * ```ts
 * import { fromCoreUtxo, toCoreUtxo } from 'layer-sdk/cardano-sdk'
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const output = { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }
 * const utxo = { input: { txHash: '00'.repeat(32), index: 0 }, output }
 * console.log(fromCoreUtxo(toCoreUtxo(utxo)).output.amount)
 * ```
 */
export function fromCoreUtxo(
  utxo: readonly [Cardano.TxIn, Cardano.TxOut] | { toCore(): [Cardano.TxIn, Cardano.TxOut] }
): UTxO {
  return typedConversion('utxo', 'an unspent output of @cardano-sdk/core', utxo, () =>
    ownUtxo('toCore' in utxo ? utxo.toCore() : utxo)
  )
}

function ownUtxo([input, { address, value, datumHash, datum, scriptReference }]: readonly [
  Cardano.TxIn,
  Cardano.TxOut
]): UTxO {
  const units = new Map<string, bigint>([[LOVELACE, value.coins], ...(value.assets ?? [])] as [string, bigint][])
  return {
    input: { txHash: input.txId, index: input.index },
    output: {
      address,
      amount: valueToAmounts(units),
      ...(datumHash !== undefined && datum === undefined && { datumHash }),
      ...(datum !== undefined && { inlineDatum: fromCorePlutusData(datum).toCbor() }),
      ...(scriptReference !== undefined && { scriptRef: fromCoreScript(scriptReference) })
    }
  }
}

/**
 * Converts a reference script to `Cardano.Script` of `@cardano-sdk/core`.
 *
 * @example
 * ```ts
 * import { toCoreScript } from 'layer-sdk/cardano-sdk'
 * console.log(toCoreScript({ language: 'PlutusV2', cborHex: '4746010000222601' }))
 * ```
 */
export function toCoreScript(script: ScriptRef): Cardano.Script {
  return typedConversion('scriptRef', 'a reference script', script, () => coreScript(script))
}

function coreScript({ language, cborHex }: ScriptRef): Cardano.Script {
  const bytes = hexToBytes(cborHex, 'scriptRef.cborHex')
  if (language === 'native') return toCoreNative(nativeScriptFromBytes(bytes))
  const version = PLUTUS_LANGUAGES.indexOf(language)
  if (version < 0)
    throw new InvalidArgumentError('scriptRef.language', `native, ${PLUTUS_LANGUAGES.join(', ')}`, language)
  const reader = new CborReader(bytes, 'The reference script')
  const script = bytesToHex(reader.readBytes()) as Cardano.PlutusScript['bytes']
  reader.finish()
  return { __type: PLUTUS, bytes: script, version }
}

/**
 * Converts a `Cardano.Script` to a reference script.
 *
 * @throws {@link InvalidArgumentError} on a language newer than PlutusV3.
 * @example
 * ```ts
 * import { fromCoreScript, toCoreScript } from 'layer-sdk/cardano-sdk'
 * console.log(fromCoreScript(toCoreScript({ language: 'PlutusV2', cborHex: '4746010000222601' })).language) // PlutusV2
 * ```
 */
export function fromCoreScript(script: Cardano.Script): ScriptRef {
  return typedConversion('script', 'a script of @cardano-sdk/core', script, () => ownScript(script))
}

function ownScript(script: Cardano.Script): ScriptRef {
  if (script.__type === NATIVE)
    return { language: 'native', cborHex: bytesToHex(encodeNativeScript(fromCoreNative(script))) }
  const language = PLUTUS_LANGUAGES[script.version]
  if (language === undefined)
    throw new InvalidArgumentError('script.version', 'PlutusV1, PlutusV2 or PlutusV3', script.version)
  return { language, cborHex: new CborWriter().bytes(hexToBytes(script.bytes, 'script.bytes')).toHex() }
}

/** Native scripts of core, without the unions that only its enums can narrow. */
interface CoreNative {
  kind: number
  keyHash: string
  scripts: Cardano.NativeScript[]
  required: number
  slot: number
}

function toCoreNative(script: NativeScript): Cardano.NativeScript {
  const core: Partial<CoreNative> = { kind: KINDS.indexOf(script.type) }
  if ('keyHash' in script) core.keyHash = script.keyHash
  if ('required' in script) core.required = script.required
  if ('scripts' in script) core.scripts = script.scripts.map(toCoreNative)
  if ('slot' in script) {
    core.slot = Number(script.slot)
    if (!Number.isSafeInteger(core.slot)) {
      throw new InvalidArgumentError('slot', 'a slot that core holds exactly, below 2^53', script.slot)
    }
  }
  return { __type: NATIVE, ...core } as unknown as Cardano.NativeScript
}

function fromCoreNative(script: Cardano.NativeScript): NativeScript {
  const { kind, keyHash, scripts, required, slot } = script as unknown as CoreNative
  const type = KINDS[kind]
  if (type === undefined) throw new InvalidArgumentError('script.kind', 'a kind from 0 to 5', kind)
  if (type === 'sig') return { type, keyHash }
  if (type === 'after' || type === 'before') return { type, slot: BigInt(slot) }
  const children = scripts.map(fromCoreNative)
  return type === 'atLeast' ? { type, required, scripts: children } : { type, scripts: children }
}
