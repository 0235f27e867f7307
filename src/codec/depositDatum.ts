import type { TxOutput, UTxO } from '../types/utxo.js'
import type { Address, Credential } from './address.js'
import { parseAddress } from './address.js'
import { CborReader } from './cbor/reader.js'
import { CborWriter } from './cbor/writer.js'
import { hexToBytes } from './hex.js'
import { LOVELACE, valueFromAmounts } from './value.js'

/** Longest byte string in one piece; longer ones are written in chunks (plutus-core, Data.hs). */
const CHUNK_BYTES = 64
/** CBOR tag of `Constr 0`; that of `Constr n` is 121 + n, for n up to 6. */
const CONSTR_TAG = 121

/** Length of a head id, which is a policy id. */
const HEAD_ID_BYTES = 28

/** Content of a deposit's datum. */
export interface DepositDatum {
  /** Hex, 56 characters. */
  headId: string
  /** Deadline, from which the owner can recover the deposit: ms since the Unix epoch; 0 where there is none. */
  deadlineMs: number | bigint
  /** Outputs that enter the head, with the references that they have there. */
  deposited: readonly UTxO[]
}

/**
 * Encodes the inline datum of a deposit's output as CBOR:
 * `Constr 0 [head id, deadline, [Constr 0 [TxOutRef, serialised TxOut]]]`.
 *
 * @see cardano-scaling/hydra, Hydra.Tx.Deposit (`mkDepositOutput`) and Hydra.Contract.Commit (`serializeCommit`)
 */
export function encodeDepositDatum({ headId, deadlineMs, deposited }: DepositDatum): Uint8Array {
  const writer = new CborWriter()
  writeConstr(writer, 0, [
    () => writer.bytes(hexToBytes(headId, 'headId', HEAD_ID_BYTES)),
    () => writer.uint(deadlineMs),
    () =>
      writeList(
        writer,
        deposited.map(
          ({ input, output }) =>
            () =>
              writeConstr(writer, 0, [
                () =>
                  writeConstr(writer, 0, [
                    () => writer.bytes(hexToBytes(input.txHash, 'txHash', 32)),
                    () => writer.uint(input.index)
                  ]),
                () => writeBytes(writer, encodePlutusTxOut(output))
              ])
        )
      )
  ])
  return writer.toBytes()
}

/**
 * Encodes an output as Plutus data: address, value, datum and no reference script. A reference script is left out,
 * because a deposit does not keep it.
 */
export function encodePlutusTxOut(output: TxOutput): Uint8Array {
  const writer = new CborWriter()
  writeConstr(writer, 0, [
    () => writeAddress(writer, parseAddress(output.address)),
    () => writeValue(writer, output),
    () => writeDatum(writer, output),
    () => writeConstr(writer, 1, [])
  ])
  return writer.toBytes()
}

function writeAddress(writer: CborWriter, { payment, stake, pointer }: Address): void {
  const credential =
    ({ kind, hash }: Credential) =>
    (): void =>
      writeConstr(writer, kind === 'key' ? 0 : 1, [() => writer.bytes(hexToBytes(hash))])
  const just = (write: () => void) => (): void => writeConstr(writer, 0, [write])
  let staking = (): void => writeConstr(writer, 1, [])
  if (stake !== undefined) staking = just(() => writeConstr(writer, 0, [credential(stake)]))
  else if (pointer !== undefined)
    staking = just(() =>
      writeConstr(
        writer,
        1,
        [pointer.slot, pointer.txIndex, pointer.certIndex].map((part) => () => writer.uint(part))
      )
    )
  writeConstr(writer, 0, [...(payment === undefined ? [] : [credential(payment)]), staking])
}

/** Writes a value as a map of policies to maps of asset names; lovelace comes first, with empty policy and name. */
function writeValue(writer: CborWriter, { amount }: TxOutput): void {
  const value = valueFromAmounts(amount)
  const policies = new Map<string, [name: string, quantity: bigint][]>([['', [['', value.get(LOVELACE) ?? 0n]]]])
  for (const unit of [...value.keys()].filter((key) => key !== LOVELACE).sort()) {
    const policy = unit.slice(0, 56)
    policies.set(policy, [...(policies.get(policy) ?? []), [unit.slice(56), value.get(unit)!]])
  }
  writer.map(policies.size)
  for (const [policy, names] of policies) {
    writer.bytes(hexToBytes(policy)).map(names.length)
    for (const [name, quantity] of names) writer.bytes(hexToBytes(name)).uint(quantity)
  }
}

function writeDatum(writer: CborWriter, { datumHash, inlineDatum }: TxOutput): void {
  if (inlineDatum !== undefined)
    return writeConstr(writer, 2, [() => writer.raw(hexToBytes(inlineDatum, 'inlineDatum'))])
  if (datumHash !== undefined)
    return writeConstr(writer, 1, [() => writer.bytes(hexToBytes(datumHash, 'datumHash', 32))])
  return writeConstr(writer, 0, [])
}

function writeConstr(writer: CborWriter, index: number, fields: readonly (() => unknown)[]): void {
  writer.tag(CONSTR_TAG + index)
  writeList(writer, fields)
}

/** Writes a list as the `Serialise` instance of Plutus' `Data` does: indefinite length, but definite when empty. */
function writeList(writer: CborWriter, items: readonly (() => unknown)[]): void {
  if (items.length === 0) return void writer.array(0)
  writer.arrayIndefinite()
  for (const write of items) write()
  writer.break()
}

function writeBytes(writer: CborWriter, bytes: Uint8Array): void {
  if (bytes.length <= CHUNK_BYTES) return void writer.bytes(bytes)
  writer.bytesIndefinite()
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) writer.bytes(bytes.subarray(at, at + CHUNK_BYTES))
  writer.break()
}

/** Reads the deadline in the inline datum of a deposit's output: ms since the Unix epoch; null for another datum. */
export function depositDeadline(inlineDatum: string): number | null {
  try {
    const reader = new CborReader(hexToBytes(inlineDatum, 'inlineDatum'), 'The datum of a deposit')
    if (reader.readTag() !== CONSTR_TAG) return null
    reader.readArrayHeader()
    if (reader.readBytes().length !== HEAD_ID_BYTES) return null
    return reader.readSafeUint()
  } catch {
    // Another contract's datum.
    return null
  }
}
