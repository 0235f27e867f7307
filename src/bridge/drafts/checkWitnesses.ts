import { readOptionalTag } from '../../codec/cbor/optional.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { bytesToHex } from '../../codec/hex.js'
import { plainForm } from '../../codec/depositDatumParts.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import type { VkeyWitness } from '../../codec/witnessSet.js'
import { readVkeyWitnesses } from '../../codec/witnessSet.js'
import { blake2b224, blake2b256 } from '../../hash/blake2b.js'
import type { Differ, DraftBounds, ReadDraft } from './checkBody.js'
import type { ExpectedDeposit } from './expectedDeposit.js'

/** Label under which the node names the kind of a transaction (Hydra.Tx.Utils). */
const NAME_LABEL = 55_555n
const TAG_ALONZO_METADATA = 259
const TRUE = 0xf5

/** Compares a draft's key witnesses and metadata with the request. */
export function checkWitnesses(
  { transaction, body, witnessKeys }: ReadDraft,
  { blueprint }: ExpectedDeposit,
  { ownKeys }: DraftBounds,
  differ: Differ
): void {
  const { bytes, isValid, auxiliaryData } = transaction
  if (isValid === null || bytes[isValid.start] !== TRUE)
    differ('witnesses', 'a transaction that is marked as valid', 'one that is not')
  // The node keeps the signatures of a blueprint, which hold for no draft.
  const kept = new Set(blueprint === null ? [] : readVkeyWitnesses(blueprint.transaction).map(keyHashOf))
  for (const hash of witnessKeys)
    if (ownKeys.has(hash) && !kept.has(hash))
      differ('witnesses', "no signature of the wallet's before it has signed", `one of key ${hash}`)
  const data = auxiliaryData === null ? null : bytes.subarray(auxiliaryData.start, auxiliaryData.end)
  if ((data === null ? undefined : bytesToHex(blake2b256(data))) !== body.auxiliaryDataHash)
    differ('metadata', 'the metadata of the hash in its body', 'other metadata')
  checkMetadata(data, blueprint?.transaction ?? null, differ)
}

function checkMetadata(data: Uint8Array | null, blueprint: TransactionSpans | null, differ: Differ): void {
  const span = blueprint?.auxiliaryData ?? null
  const blueprintMetadata = span === null ? null : readMetadata(blueprint!.bytes.subarray(span.start, span.end))
  const { labels, scripts } = data === null ? NO_METADATA : readMetadata(data)
  // Hydra.Tx.Utils, addMetadata: the node adds its own, and keeps all of the blueprint's.
  for (const label of blueprintMetadata?.labels.keys() ?? [])
    if (!labels.has(label)) differ('metadata', "the blueprint's metadata", `none under label ${label}`)
  if (blueprintMetadata?.scripts.some((script) => !scripts.includes(script)) === true)
    differ('metadata', "the blueprint's scripts", 'fewer')
  for (const script of scripts)
    if (blueprintMetadata?.scripts.includes(script) !== true)
      differ('metadata', "the blueprint's scripts alone", 'others')
  for (const [label, value] of labels) {
    if (label === NAME_LABEL && blueprintMetadata?.labels.has(label) !== true) {
      if (!/^HydraV\d+\/(DepositTx|CommitTx)$/.test(textOf(value)))
        differ('metadata', "the node's name of a deposit", 'a different name')
    } else if (blueprintMetadata?.labels.get(label) !== value)
      differ('metadata', "the blueprint's metadata and the node's name of a deposit", `label ${label}`)
  }
}

interface ReadMetadata {
  /** Values by label, in a canonical form for comparisons: CBOR hex. */
  readonly labels: ReadonlyMap<bigint, string>
  /** Scripts as they are encoded: hex. */
  readonly scripts: readonly string[]
}

const NO_METADATA: ReadMetadata = { labels: new Map(), scripts: [] }

/**
 * Reads metadata of any era: a map, `[metadata, scripts]`, or the tagged map of both. @see Conway CDDL,
 * `auxiliary_data`
 */
function readMetadata(data: Uint8Array): ReadMetadata {
  const reader = new CborReader(data, 'The metadata')
  const [labels, scripts] = [new Map<bigint, string>(), [] as string[]]
  const readLabels = (): void =>
    reader.eachEntry(() => {
      const label = reader.readUint()
      if (labels.has(label)) reader.fail('each label once', `label ${label} again`)
      labels.set(label, plainForm(reader.slice(reader.skip())))
    })
  const readScripts = (): void => reader.eachItem(() => scripts.push(bytesToHex(reader.slice(reader.skip()))))
  if (readOptionalTag(reader, TAG_ALONZO_METADATA))
    reader.eachEntry(() => {
      if (reader.readUint() === 0n) readLabels()
      else readScripts()
    })
  else if (reader.peekMajor() === MAJOR.ARRAY) reader.eachItem((index) => (index === 0 ? readLabels() : readScripts()))
  else readLabels()
  reader.finish()
  return { labels, scripts }
}

function textOf(plain: string): string {
  const bytes = Uint8Array.from({ length: plain.length / 2 }, (_, i) => parseInt(plain.slice(2 * i, 2 * i + 2), 16))
  const reader = new CborReader(bytes, 'The name')
  return reader.peekMajor() === MAJOR.TEXT ? reader.readText() : ''
}

const keyHashOf = ({ vkey }: VkeyWitness): string => bytesToHex(blake2b224(vkey))
