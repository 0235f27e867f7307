import { addressToString, enterpriseAddress } from '../../src/codec/address'
import { concatBytes } from '../../src/codec/bytes'
import { CborWriter } from '../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { plutusHashOf } from '../../src/devnode/rules/plutusScript'
import { blake2b256 } from '../../src/hash/blake2b'
import type { ScriptRef, TxInput, TxOutput, UTxO } from '../../src/types/utxo'
import { buildTx } from './transactions'

export type Language = 'PlutusV1' | 'PlutusV2' | 'PlutusV3'
/** `(lam d (lam r (lam c (con unit ()))))`, in PlutusV3 with one argument: each succeeds. */
const PASSING: Record<Language, string> = {
  PlutusV1: '4d01000033222220051200120011',
  PlutusV2: '4d01000033222220051200120011',
  PlutusV3: '450101002499'
}
/** `(error)` */
const FAILING: Record<Language, string> = {
  PlutusV1: '450100006001',
  PlutusV2: '450100006001',
  PlutusV3: '450101006001'
}
const WITNESS_KEYS: Record<Language, number> = { PlutusV1: 3, PlutusV2: 6, PlutusV3: 7 }

/** A Plutus script of the tests. */
export interface TestScript {
  readonly language: Language
  readonly bytes: Uint8Array
  readonly hash: string
  readonly address: string
  readonly ref: ScriptRef
}

export function testScript(language: Language, program: 'passes' | 'fails' = 'passes'): TestScript {
  const bytes = hexToBytes((program === 'passes' ? PASSING : FAILING)[language])
  const hash = plutusHashOf({ language, bytes })
  const cborHex = bytesToHex(new CborWriter().bytes(bytes).toBytes())
  const address = addressToString(enterpriseAddress(0, { kind: 'script', hash }))
  return { language, bytes, hash, address, ref: { language, cborHex } }
}

/** A datum that only its hash stands for. */
export const DATUM = hexToBytes('d8799f0102ff')
export const DATUM_HASH = bytesToHex(blake2b256(DATUM))

export interface BlueprintRedeemer {
  /** 0 spends the input `index` in the ledger's order, 1 mints. */
  readonly tag: number
  readonly index: number
  /** CBOR hex. @default `d87980` */
  readonly data?: string
}

export interface BlueprintParts {
  readonly inputs: readonly TxInput[]
  readonly outputs?: readonly TxOutput[]
  readonly redeemers: readonly BlueprintRedeemer[]
  readonly scripts?: readonly TestScript[]
  readonly datums?: readonly Uint8Array[]
  /** The redeemers as the list of the eras before Conway. */
  readonly asList?: boolean
  readonly fee?: bigint
  readonly referenceInputs?: readonly TxInput[]
  /** Body entries besides. */
  readonly extra?: readonly (readonly [number, Uint8Array])[]
  readonly auxiliaryData?: Uint8Array
}

export const set = (...items: Uint8Array[]): Uint8Array =>
  concatBytes(new CborWriter().tag(258).array(items.length).toBytes(), ...items)
export const inputCbor = ({ txHash, index }: TxInput): Uint8Array =>
  new CborWriter().array(2).bytes(hexToBytes(txHash)).uint(index).toBytes()

/** A blueprint with Plutus inputs, as a builder writes it that leaves units, hash, collateral and fee to the node. */
export function scriptBlueprint(parts: BlueprintParts): Uint8Array {
  const { inputs, outputs = [], redeemers, scripts = [], datums = [], fee, auxiliaryData } = parts
  const { referenceInputs = [], extra = [], asList = false } = parts
  const body: [number, Uint8Array][] = [...extra.map(([key, bytes]) => [key, bytes] as [number, Uint8Array])]
  if (referenceInputs.length > 0) body.push([18, set(...referenceInputs.map(inputCbor))])
  const witnesses: [number, Uint8Array][] = []
  for (const language of ['PlutusV1', 'PlutusV2', 'PlutusV3'] as const) {
    const own = scripts.filter((script) => script.language === language)
    if (own.length > 0)
      witnesses.push([WITNESS_KEYS[language], set(...own.map(({ bytes }) => new CborWriter().bytes(bytes).toBytes()))])
  }
  if (datums.length > 0) witnesses.push([4, set(...datums)])
  if (redeemers.length > 0) witnesses.push([5, asList ? redeemerList(redeemers) : redeemerMap(redeemers)])
  witnesses.sort(([a], [b]) => a - b)
  return buildTx({
    inputs,
    outputs,
    extra: body.sort(([a], [b]) => a - b),
    witnesses,
    ...(fee === undefined ? {} : { fee }),
    ...(auxiliaryData === undefined ? {} : { auxiliaryData })
  })
}

const NO_UNITS = new CborWriter().array(2).uint(0).uint(0).toBytes()

function redeemerMap(redeemers: readonly BlueprintRedeemer[]): Uint8Array {
  const writer = new CborWriter().map(redeemers.length)
  for (const { tag, index, data = 'd87980' } of redeemers)
    writer.array(2).uint(tag).uint(index).array(2).raw(hexToBytes(data)).raw(NO_UNITS)
  return writer.toBytes()
}

function redeemerList(redeemers: readonly BlueprintRedeemer[]): Uint8Array {
  const writer = new CborWriter().array(redeemers.length)
  for (const { tag, index, data = 'd87980' } of redeemers)
    writer.array(4).uint(tag).uint(index).raw(hexToBytes(data)).raw(NO_UNITS)
  return writer.toBytes()
}

/** The position of an input among others in the ledger's order. */
export function indexOf(inputs: readonly TxInput[], { txHash, index }: TxInput): number {
  const key = (input: TxInput): string => `${input.txHash}${String(input.index).padStart(5, '0')}`
  return inputs.map(key).sort().indexOf(key({ txHash, index }))
}

/** What a client states of outputs, datums and scripts included. */
export function statedJson(...utxos: readonly UTxO[]): Record<string, unknown> {
  return Object.fromEntries(
    utxos.map(({ input, output }) => {
      const value: Record<string, any> = {}
      for (const { unit, quantity } of output.amount) {
        if (unit === 'lovelace') value['lovelace'] = Number(quantity)
        else value[unit.slice(0, 56)] = { ...value[unit.slice(0, 56)], [unit.slice(56)]: Number(quantity) }
      }
      const { address, datumHash, inlineDatum, scriptRef } = output
      const json = { address, value, datumhash: datumHash ?? null, inlineDatumRaw: inlineDatum ?? null }
      const type = `PlutusScript${scriptRef?.language.slice(-2)}`
      const referenceScript =
        scriptRef === undefined
          ? null
          : { scriptLanguage: '', script: { type, description: '', cborHex: scriptRef.cborHex } }
      return [`${input.txHash}#${input.index}`, { ...json, referenceScript }]
    })
  )
}
