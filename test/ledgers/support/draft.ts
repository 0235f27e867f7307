import { hashBytes, parseAddress } from '../../../src/codec/address'
import { concatBytes } from '../../../src/codec/bytes'
import { Costmdls } from '../../../src/codec/costModels'
import { CborWriter } from '../../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { encodeTxOutput } from '../../../src/codec/txOutput'
import {
  addUnit,
  addValue,
  encodeMultiAsset,
  LOVELACE,
  valueFromAmounts,
  valueToAmounts
} from '../../../src/codec/value'
import { signWithSeed } from '../../../src/crypto/ed25519'
import { blake2b256 } from '../../../src/hash/blake2b'
import type { TxInput, TxOutput } from '../../../src/types/utxo'
import type { Key, PlutusLanguage, Script } from './world'
import { COST_MODELS, find, KEYS, refOf } from './world'

export interface Redeemer {
  tag: 'spend' | 'mint' | 'reward'
  /** Of what it is for: an input, a policy, an account. Its index follows from the order. */
  of: string
  mem: number
  cpu: number
  /** Instead of the index that follows. */
  index?: number
}

/**
 * A transaction before it is written: what a user means, and where it is broken. Written by hand, so that it does not
 * lean on the package's own builder.
 */
export interface Draft {
  /** Whose rules it is for: the base ledger's, or those of a head without fees. */
  ledger: 'base' | 'head'
  inputs: TxInput[]
  referenceInputs: TxInput[]
  collateral: TxInput[]
  outputs: TxOutput[]
  /** Receives what is left. */
  change: string
  /** More than the least fee; negative: less. */
  feeOver: number
  validFrom?: number
  validUntil?: number
  mint: Map<string, bigint>
  withdrawals: { address: Uint8Array; amount: bigint }[]
  requiredSigners: string[]
  networkId?: number
  collateralReturn?: TxOutput
  totalCollateral?: bigint
  /** CBOR. */
  auxiliaryData?: Uint8Array
  auxiliaryDataHash?: Uint8Array | null
  certificates: { cbor: Uint8Array; deposit: bigint }[]
  scripts: Script[]
  datums: Uint8Array[]
  redeemers: Redeemer[]
  /** Languages of the Plutus scripts that run, wherever they come from. */
  languages: Set<PlutusLanguage>
  integrityHash?: Uint8Array | null
  referenceScriptBytes: number
  signers: Set<Key>
  /** Signs another body. */
  forger?: Key
  isValid: boolean
  /** Adds to the change without taking it from anything. */
  off: Map<string, bigint>
  /** Entries of the body and of the witness set as they are, instead of those that follow. */
  rawBody: Map<number, Uint8Array>
  rawWitnesses: Map<number, Uint8Array>
  /** How it is written: sets with tag 258, redeemers as a map. */
  tagged: boolean
  redeemerMap: boolean
}

const array = (items: readonly Uint8Array[]): Uint8Array =>
  items.reduce((writer, item) => writer.raw(item), new CborWriter().array(items.length)).toBytes()
const bytes = (value: Uint8Array): Uint8Array => new CborWriter().bytes(value).toBytes()
const uint = (value: bigint | number): Uint8Array => new CborWriter().uint(value).toBytes()
export const inputCbor = ({ txHash, index }: TxInput): Uint8Array =>
  new CborWriter().array(2).bytes(hexToBytes(txHash)).uint(index).toBytes()
const compare = (x: TxInput, y: TxInput): number =>
  x.txHash === y.txHash ? x.index - y.index : x.txHash < y.txHash ? -1 : 1

/** Writes and signs a transaction; its change and its fee follow from the rest. */
export function write(draft: Draft): Uint8Array {
  let fee = draft.ledger === 'head' ? 0n : 300_000n
  if (draft.ledger === 'base') {
    const size = assemble(draft, fee, new Uint8Array(32)).length
    fee = leastFee(draft, size) + BigInt(draft.feeOver)
  } else if (draft.feeOver > 0) fee = BigInt(draft.feeOver)
  const body = bodyCbor(draft, fee)
  return assemble(draft, fee, blake2b256(body))
}

/** Mainnet's, of the size without the validity flag. */
function leastFee({ redeemers, referenceScriptBytes }: Draft, size: number): bigint {
  const mem = redeemers.reduce((sum, each) => sum + each.mem, 0)
  const cpu = redeemers.reduce((sum, each) => sum + each.cpu, 0)
  const units = (BigInt(mem) * 577_000n + BigInt(cpu) * 721n + 9_999_999n) / 10_000_000n
  return 44n * BigInt(size - 1) + 155_381n + units + 15n * BigInt(referenceScriptBytes)
}

function assemble(draft: Draft, fee: bigint, hash: Uint8Array): Uint8Array {
  const body = bodyCbor(draft, fee)
  const witnesses = witnessSet(draft, hash)
  const map = [...witnesses]
    .sort(([x], [y]) => x - y)
    .reduce((writer, [key, value]) => writer.uint(key).raw(value), new CborWriter().map(witnesses.size))
  const writer = new CborWriter().array(4).raw(body).raw(map.toBytes()).bool(draft.isValid)
  return (draft.auxiliaryData === undefined ? writer.null() : writer.raw(draft.auxiliaryData)).toBytes()
}

function bodyCbor(draft: Draft, fee: bigint): Uint8Array {
  const set = (items: readonly Uint8Array[]): Uint8Array =>
    draft.tagged ? concatBytes(new CborWriter().tag(258).toBytes(), array(items)) : array(items)
  const body = new Map<number, Uint8Array>([
    [0, set(draft.inputs.map(inputCbor))],
    [1, array([...draft.outputs, ...changeOf(draft, fee)].map(encodeTxOutput))],
    [2, uint(fee)]
  ])
  const put = (key: number, value: Uint8Array | undefined): void => void (value !== undefined && body.set(key, value))
  put(3, draft.validUntil === undefined ? undefined : uint(draft.validUntil))
  put(8, draft.validFrom === undefined ? undefined : uint(draft.validFrom))
  if (draft.certificates.length > 0) put(4, set(draft.certificates.map(({ cbor }) => cbor)))
  if (draft.withdrawals.length > 0) {
    const map = new CborWriter().map(draft.withdrawals.length)
    for (const { address, amount } of draft.withdrawals) map.bytes(address).uint(amount)
    put(5, map.toBytes())
  }
  const { auxiliaryData: data, auxiliaryDataHash: stated = data && blake2b256(data) } = draft
  put(7, stated == null ? undefined : bytes(stated))
  if (draft.mint.size > 0) {
    const mint = new CborWriter()
    encodeMultiAsset(mint, draft.mint)
    put(9, mint.toBytes())
  }
  const { integrityHash = scriptIntegrity(draft) } = draft
  put(11, integrityHash == null ? undefined : bytes(integrityHash))
  if (draft.collateral.length > 0) put(13, set(draft.collateral.map(inputCbor)))
  if (draft.requiredSigners.length > 0) put(14, set(draft.requiredSigners.map((hash) => bytes(hexToBytes(hash)))))
  put(15, draft.networkId === undefined ? undefined : uint(draft.networkId))
  put(16, draft.collateralReturn && encodeTxOutput(draft.collateralReturn))
  put(17, draft.totalCollateral === undefined ? undefined : uint(draft.totalCollateral))
  if (draft.referenceInputs.length > 0) put(18, set(draft.referenceInputs.map(inputCbor)))
  for (const [key, value] of draft.rawBody) body.set(key, value)
  return [...body]
    .sort(([x], [y]) => x - y)
    .reduce((writer, [key, value]) => writer.uint(key).raw(value), new CborWriter().map(body.size))
    .toBytes()
}

function changeOf({ inputs, outputs, mint, change, off, withdrawals, certificates }: Draft, fee: bigint): TxOutput[] {
  const left = new Map(off)
  for (const input of inputs) addValue(left, valueFromAmounts(find(input)?.output.amount ?? []))
  addValue(left, mint)
  for (const { amount } of withdrawals) addUnit(left, LOVELACE, amount)
  for (const { deposit } of certificates) addUnit(left, LOVELACE, -deposit)
  for (const { amount } of outputs) addValue(left, valueFromAmounts(amount), -1n)
  addUnit(left, LOVELACE, -fee)
  // What cannot be written is a draft of its own that is broken elsewhere.
  for (const [unit, quantity] of left) if (quantity < 0n) left.delete(unit)
  return left.size === 0 ? [] : [{ address: change, amount: valueToAmounts(left) }]
}

function redeemerIndex({ inputs, mint, withdrawals }: Draft, { tag, of, index }: Redeemer): number {
  if (index !== undefined) return index
  if (tag === 'spend') return [...inputs].sort(compare).findIndex((input) => refOf(input) === of)
  if (tag === 'mint') return [...new Set([...mint.keys()].map((unit) => unit.slice(0, 56)))].sort().indexOf(of)
  return withdrawals.findIndex(({ address }) => bytesToHex(address).endsWith(of))
}

const TAGS = { spend: 0, mint: 1, reward: 3 }

function redeemersCbor(draft: Draft): Uint8Array | undefined {
  if (draft.redeemers.length === 0) return undefined
  const units = ({ mem, cpu }: Redeemer): Uint8Array => new CborWriter().array(2).uint(mem).uint(cpu).toBytes()
  const inOrder = draft.redeemers
    .map((each) => ({ each, tag: TAGS[each.tag], index: redeemerIndex(draft, each) }))
    .sort((x, y) => x.tag - y.tag || x.index - y.index)
  if (!draft.redeemerMap) {
    return array(
      inOrder.map(({ each, tag, index }) =>
        new CborWriter().array(4).uint(tag).uint(index).raw(hexToBytes('d87980')).raw(units(each)).toBytes()
      )
    )
  }
  const map = new CborWriter().map(inOrder.length)
  for (const { each, tag, index } of inOrder)
    map.array(2).uint(tag).uint(index).array(2).raw(hexToBytes('d87980')).raw(units(each))
  return map.toBytes()
}

const datumsCbor = ({ datums, tagged }: Draft): Uint8Array | undefined =>
  datums.length === 0
    ? undefined
    : tagged
      ? concatBytes(new CborWriter().tag(258).toBytes(), array(datums))
      : array(datums)

function scriptIntegrity(draft: Draft): Uint8Array | null {
  const redeemers = redeemersCbor(draft)
  const datums = datumsCbor(draft)
  if (redeemers === undefined && datums === undefined && draft.languages.size === 0) return null
  const views =
    draft.languages.size === 0
      ? hexToBytes('a0')
      : hexToBytes(new Costmdls(COST_MODELS).languageViews([...draft.languages]))
  return blake2b256(concatBytes(redeemers ?? hexToBytes('a0'), datums ?? new Uint8Array(), views))
}

function witnessSet(draft: Draft, hash: Uint8Array): Map<number, Uint8Array> {
  const set = (items: readonly Uint8Array[]): Uint8Array =>
    draft.tagged ? concatBytes(new CborWriter().tag(258).toBytes(), array(items)) : array(items)
  const witnesses = new Map<number, Uint8Array>()
  const signed = [...draft.signers].map((key) =>
    new CborWriter()
      .array(2)
      .bytes(key.publicKey)
      .bytes(signWithSeed(key === draft.forger ? blake2b256(hash) : hash, key.seed))
      .toBytes()
  )
  if (signed.length > 0) witnesses.set(0, set(signed))
  const keys = { native: 1, PlutusV1: 3, PlutusV2: 6, PlutusV3: 7 }
  for (const [language, key] of Object.entries(keys)) {
    const own = draft.scripts.filter((script) => script.language === language)
    if (own.length > 0)
      witnesses.set(key, set(own.map((script) => (language === 'native' ? script.bytes : bytes(script.bytes)))))
  }
  const datums = datumsCbor(draft)
  if (datums !== undefined) witnesses.set(4, datums)
  const redeemers = redeemersCbor(draft)
  if (redeemers !== undefined) witnesses.set(5, redeemers)
  for (const [key, value] of draft.rawWitnesses) witnesses.set(key, value)
  return witnesses
}

/** The key that an address of {@link KEYS} belongs to. */
export function keyOf(address: string): Key | undefined {
  const { payment } = parseAddress(address)
  return payment == null ? undefined : KEYS.find(({ hash }) => hash === bytesToHex(hashBytes(payment)))
}
