import { readOptionalTag } from '../../codec/cbor/optional.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import type { Span } from '../../codec/cbor/reader.js'
import { bytesToHex } from '../../codec/hex.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { BODY_KEY, TAG_SET } from '../../codec/transactionBody.js'
import type { TransactionBody } from '../../codec/transactionBody.js'
import { readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import type { TxInput } from '../../types/utxo.js'
import { toInputKey } from '../protocol/utxoJson.js'
import type { Differ, ReadDraft } from './checkBody.js'
import type { ExpectedDeposit } from './expectedDeposit.js'

const { VKEYS, NATIVE_SCRIPTS, BOOTSTRAP, DATA, REDEEMERS, PLUTUS_V1, PLUTUS_V2, PLUTUS_V3 } = WITNESS_KEY
/** Members of a witness set whose items the node writes again, in its own order. */
const REPEATED_KEYS: readonly number[] = [NATIVE_SCRIPTS, BOOTSTRAP, PLUTUS_V1, PLUTUS_V2, PLUTUS_V3, DATA]
/** Parts of a witness set that need a script data hash. */
const HASHED_KEYS: readonly number[] = [PLUTUS_V1, PLUTUS_V2, PLUTUS_V3, DATA, REDEEMERS]
/** Purpose of a redeemer whose index counts inputs (Conway CDDL, `redeemer_tag`). */
const SPEND = 0n

type Whole = Pick<ReadDraft, 'transaction' | 'body'>

/**
 * Compares scripts, datums and redeemers with those of the blueprint. The node sets the index of each redeemer and the
 * units that it uses; each redeemer must still belong to its input, with the same data.
 *
 * @see Hydra.Chain.Direct.Wallet, coverFee_
 */
export function checkScripts({ transaction, body }: ReadDraft, { blueprint }: ExpectedDeposit, differ: Differ): void {
  const got = readWitnessEntries(transaction)
  const stated = blueprint === null ? new Map<number, Span>() : readWitnessEntries(blueprint.transaction)
  for (const key of new Set([...got.keys(), ...stated.keys()])) {
    if (key === VKEYS || key === REDEEMERS) continue
    const blueprintItems = blueprint === null ? [] : itemsOf(blueprint.transaction, stated.get(key))
    if (!REPEATED_KEYS.includes(key) || !isSame(itemsOf(transaction, got.get(key)), blueprintItems))
      differ('scripts', 'the scripts of the blueprint alone', `others (witness ${key})`)
  }
  if (!isSame(redeemersOf({ transaction, body }), blueprint === null ? [] : redeemersOf(blueprint)))
    differ('scripts', "the blueprint's redeemers, each for the same purpose and with the same data", 'others')
  checkDataHash(body, { stated, refers: (blueprint?.body.referenceInputs.length ?? 0) > 0 }, differ)
}

/**
 * Checks that a script data hash is there if it is needed, and absent if not. With reference inputs it is always
 * accepted, because their scripts may need one, which only the node can look up.
 */
function checkDataHash(
  { entries }: TransactionBody,
  { stated, refers }: { readonly stated: ReadonlyMap<number, Span>; readonly refers: boolean },
  differ: Differ
): void {
  const isNeeded = HASHED_KEYS.some((key) => stated.has(key))
  const isThere = entries.has(BODY_KEY.SCRIPT_DATA_HASH)
  if (isThere && !isNeeded && !refers) differ('body', 'no script data hash', 'one')
  if (!isThere && isNeeded) differ('body', 'a script data hash', 'none')
}

/** Returns each redeemer as a text of its purpose, its input's reference and its data; sorted. */
function redeemersOf({ transaction, body }: Whole): string[] {
  const span = readWitnessEntries(transaction).get(REDEEMERS)
  if (span === undefined) return []
  const inputs = [...body.inputs].sort(inLedgerOrder).map(toInputKey)
  const reader = new CborReader(transaction.bytes, 'The redeemers', span.start, span.end)
  const redeemers: string[] = []
  const add = (tag: bigint, index: bigint): void => {
    const purpose = (tag === SPEND ? inputs[Number(index)] : undefined) ?? `${tag} ${index}`
    redeemers.push(`${purpose} ${bytesToHex(reader.slice(reader.skip()))}`)
    reader.skip()
  }
  if (reader.peekMajor() === MAJOR.MAP)
    reader.eachEntry(() => {
      const pointer = readTuple(reader, () => [reader.readUint(), reader.readUint()] as const)
      readTuple(reader, () => add(...pointer))
    })
  else reader.eachItem(() => readTuple(reader, () => add(reader.readUint(), reader.readUint())))
  return redeemers.sort()
}

function readTuple<T>(reader: CborReader, read: () => T): T {
  const count = reader.readArrayHeader()
  const result = read()
  if (count < 0) reader.readBreak()
  return result
}

/** Returns the items of a set without duplicates: hex, sorted. */
function itemsOf({ bytes }: TransactionSpans, span: Span | undefined): string[] {
  if (span === undefined) return []
  const items = new Set<string>()
  const reader = new CborReader(bytes, 'The scripts', span.start, span.end)
  readOptionalTag(reader, TAG_SET)
  reader.eachItem(() => items.add(bytesToHex(reader.slice(reader.skip()))))
  return [...items].sort()
}

const inLedgerOrder = (a: TxInput, b: TxInput): number =>
  a.txHash === b.txHash ? a.index - b.index : a.txHash < b.txHash ? -1 : 1
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index])
