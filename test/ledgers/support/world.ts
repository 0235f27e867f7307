import { addressToString, enterpriseAddress } from '../../../src/codec/address'
import { CborWriter } from '../../../src/codec/cbor/writer'
import { COST_MODELS_PV11 } from '../../../src/codec/costModelsPv11'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { nativeScriptHash } from '../../../src/codec/nativeScript'
import { publicKeyFromSeed } from '../../../src/crypto/ed25519'
import { plutusHashOf } from '../../../src/devnode/rules/plutusScript'
import { blake2b224, blake2b256 } from '../../../src/hash/blake2b'
import type { Amount, ScriptRef, TxInput, TxOutput, UTxO } from '../../../src/types/utxo'

// What the transactions of the fuzz spend: the same outputs for all of them, each judged as if it were the first.

export type Language = 'native' | 'PlutusV1' | 'PlutusV2' | 'PlutusV3'
export type PlutusLanguage = Exclude<Language, 'native'>

export interface Key {
  seed: Uint8Array
  publicKey: Uint8Array
  hash: string
  address: string
}

/** A script as a transaction provides it. `signers` and `interval` are what a native one asks for. */
export interface Script {
  language: Language
  /** Native: its CBOR. Plutus: the bytes that are hashed. */
  bytes: Uint8Array
  hash: string
  address: string
  passes: boolean
  signers: Key[]
  interval: 'any' | 'after' | 'before'
}

/** Slot of both ledgers. */
export const SLOT = 100_000
/** Bounds of the scripts that ask for a time, around {@link SLOT}. */
export const AFTER = SLOT - 500
export const BEFORE = SLOT + 500
export const ZERO_TIME_MS = 1_750_000_000_000

/** The models of protocol version 10, which the emulator has built in: mainnet's before the update of June 2026. */
export const COST_MODELS = {
  PlutusV1: patched(COST_MODELS_PV11.PlutusV1.slice(0, 166), { 59: 24548, 60: 29498, 61: 38 }),
  PlutusV2: patched(COST_MODELS_PV11.PlutusV2.slice(0, 175), { 59: 24548, 60: 29498, 61: 38 }),
  PlutusV3: patched(COST_MODELS_PV11.PlutusV3.slice(0, 297), {
    54: 549,
    119: 549,
    135: 549,
    146: 549,
    64: 24548,
    65: 29498,
    66: 38
  })
}

function patched(model: readonly number[], at: Readonly<Record<number, number>>): number[] {
  return model.map((cost, i) => at[i] ?? cost)
}

const keyOf = (fill: number): Key => {
  const seed = new Uint8Array(32).fill(fill)
  const publicKey = publicKeyFromSeed(seed)
  const hash = bytesToHex(blake2b224(publicKey))
  return { seed, publicKey, hash, address: addressToString(enterpriseAddress(0, { kind: 'key', hash })) }
}
export const KEYS = [keyOf(1), keyOf(2), keyOf(3)] as const

export const scriptAddress = (hash: string, networkId: 0 | 1 = 0): string =>
  addressToString(enterpriseAddress(networkId, { kind: 'script', hash }))

function native(cbor: CborWriter, signers: Key[], interval: Script['interval']): Script {
  const bytes = cbor.toBytes()
  const hash = nativeScriptHash(bytes)
  return { language: 'native', bytes, hash, address: scriptAddress(hash), passes: true, signers, interval }
}
const sig = (key: Key): Uint8Array => new CborWriter().array(2).uint(0).bytes(hexToBytes(key.hash)).toBytes()
const list = (items: readonly Uint8Array[]): Uint8Array =>
  items.reduce((writer, item) => writer.raw(item), new CborWriter().array(items.length)).toBytes()
const [a, b, c] = KEYS

export const NATIVE_SCRIPTS: readonly Script[] = [
  native(new CborWriter().raw(sig(a)), [a], 'any'),
  native(
    new CborWriter()
      .array(2)
      .uint(1)
      .raw(list([sig(a), sig(b)])),
    [a, b],
    'any'
  ),
  native(
    new CborWriter()
      .array(2)
      .uint(2)
      .raw(list([sig(b), sig(c)])),
    [c],
    'any'
  ),
  native(
    new CborWriter()
      .array(3)
      .uint(3)
      .uint(2)
      .raw(list([sig(a), sig(b), sig(c)])),
    [a, c],
    'any'
  ),
  native(
    new CborWriter()
      .array(2)
      .uint(1)
      .raw(list([sig(b), new CborWriter().array(2).uint(4).uint(AFTER).toBytes()])),
    [b],
    'after'
  ),
  native(
    new CborWriter()
      .array(2)
      .uint(1)
      .raw(list([sig(a), new CborWriter().array(2).uint(5).uint(BEFORE).toBytes()])),
    [a],
    'before'
  )
]

/**
 * Programs that succeed and that fail: `(lam d (lam r (lam c (con unit ()))))` and `(error)`, in PlutusV3 with one
 * argument.
 */
const PROGRAMS: Readonly<Record<PlutusLanguage, readonly [passes: string, fails: string]>> = {
  PlutusV1: ['4d01000033222220051200120011', '450100006001'],
  PlutusV2: ['4d01000033222220051200120011', '450100006001'],
  PlutusV3: ['450101002499', '450101006001']
}
export const PLUTUS_LANGUAGES = ['PlutusV1', 'PlutusV2', 'PlutusV3'] as const
export const PLUTUS_SCRIPTS: readonly Script[] = PLUTUS_LANGUAGES.flatMap((language) =>
  PROGRAMS[language].map((hex, i) => {
    const bytes = hexToBytes(hex)
    const hash = plutusHashOf({ language, bytes })
    return {
      language,
      bytes,
      hash,
      address: scriptAddress(hash),
      passes: i === 0,
      signers: [],
      interval: 'any' as const
    }
  })
)

/** `Constr 0 []`, which locks what has a datum. */
export const DATUM = hexToBytes('d87980')
export const DATUM_HASH = bytesToHex(blake2b256(DATUM))
export const OTHER_DATUM = hexToBytes('d87a80')
export const OTHER_DATUM_HASH = bytesToHex(blake2b256(OTHER_DATUM))

export const scriptRef = ({ language, bytes }: Script): ScriptRef => ({
  language,
  cborHex: bytesToHex(language === 'native' ? bytes : new CborWriter().bytes(bytes).toBytes())
})

export const TOKEN = bytesToHex(new TextEncoder().encode('token'))
export const lovelace = (quantity: bigint): Amount => ({ unit: 'lovelace', quantity: String(quantity) })
export const refOf = ({ txHash, index }: TxInput): string => `${txHash}#${index}`

let made = 0
const utxo = (output: TxOutput): UTxO => ({
  input: { txHash: bytesToHex(blake2b256(Uint8Array.of(++made, made >> 8))), index: made % 4 },
  output
})
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

/** Tokens that can be burned, of each policy. */
const tokens = (policies: readonly Script[]): Amount[] =>
  [...policies].sort((x, y) => (x.hash < y.hash ? -1 : 1)).map(({ hash }) => ({ unit: hash + TOKEN, quantity: '100' }))

/** Outputs by what they are good for. */
export const WORLD = {
  coins: KEYS.flatMap(({ address }) =>
    times(4, (i) => utxo({ address, amount: [lovelace(50_000_000n * BigInt(i + 1))] }))
  ),
  withTokens: KEYS.map(({ address }) =>
    utxo({ address, amount: [lovelace(40_000_000n), ...tokens([...NATIVE_SCRIPTS, ...PLUTUS_SCRIPTS])] })
  ),
  collateral: KEYS.flatMap(({ address }) => times(4, () => utxo({ address, amount: [lovelace(8_000_000n)] }))),
  /** Locked by each script: with the hash of a datum, an inline one, none. */
  locked: [...NATIVE_SCRIPTS, ...PLUTUS_SCRIPTS].flatMap(({ address }) => [
    utxo({ address, amount: [lovelace(30_000_000n)], datumHash: DATUM_HASH }),
    utxo({ address, amount: [lovelace(31_000_000n)], inlineDatum: bytesToHex(DATUM) }),
    utxo({ address, amount: [lovelace(32_000_000n)] })
  ]),
  carriers: [...NATIVE_SCRIPTS, ...PLUTUS_SCRIPTS].map((script) =>
    utxo({ address: KEYS[0].address, amount: [lovelace(20_000_000n)], scriptRef: scriptRef(script) })
  ),
  withDatumHash: utxo({ address: KEYS[0].address, amount: [lovelace(9_000_000n)], datumHash: OTHER_DATUM_HASH })
}
export const ALL: readonly UTxO[] = [
  ...WORLD.coins,
  ...WORLD.withTokens,
  ...WORLD.collateral,
  ...WORLD.locked,
  ...WORLD.carriers,
  WORLD.withDatumHash
]
const byRef = new Map(ALL.map((each) => [refOf(each.input), each]))
export const find = (input: TxInput): UTxO | undefined => byRef.get(refOf(input))
