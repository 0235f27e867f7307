import type { Address, Credential } from '../codec/address.js'
import { hashBytes } from '../codec/address.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { hexToBytes } from '../codec/hex.js'
import { PlutusData } from '../codec/plutusData.js'
import type { Assets, LedgerOutput } from './readOutput.js'

// Constructors 0 to 2 of Plutus data.
const CONSTR: readonly number[] = [121, 122, 123]

/**
 * Encodes an output as the TxOut of a PlutusV2 script context, in the canonical encoding of Plutus data. Returns
 * undefined for a Byron output, which that context cannot hold.
 *
 * @see cardano-ledger, Babbage/TxInfo.hs, transTxOutV2
 */
export function outputData({ address, lovelace, assets, datum, scriptHash }: LedgerOutput): Uint8Array | undefined {
  if (address.payment === undefined) return undefined
  const writer = new CborWriter()
  open(writer, 0)
  writeAddress(writer, address)
  writeValue(writer, lovelace, assets)
  if (datum.kind === 'none') writeEmpty(writer, 0)
  else if (datum.kind === 'hash') open(writer, 1).bytes(datum.hash).break()
  else open(writer, 2).raw(canonicalData(datum.data).toBytes()).break()
  if (scriptHash === undefined) writeEmpty(writer, 1)
  else open(writer, 0).bytes(scriptHash).break()
  return writer.break().toBytes()
}

/** Writes an address that is not of Byron. */
export function writeAddress(writer: CborWriter, { payment, stake, pointer }: Address): void {
  writeCredential(open(writer, 0), payment!)
  if (stake !== undefined) {
    open(open(writer, 0), 0)
    writeCredential(writer, stake)
    writer.break().break()
  } else if (pointer !== undefined) {
    const { slot, txIndex, certIndex } = pointer
    open(open(writer, 0), 1).uint(slot).uint(txIndex).uint(certIndex).break().break()
  } else writeEmpty(writer, 1)
  writer.break()
}

/** Returns the same data without the bytes it was decoded from, so that it is encoded in the canonical form. */
export function canonicalData(data: PlutusData): PlutusData {
  switch (data.kind) {
    case 'int':
      return PlutusData.int(data.asInt())
    case 'bytes':
      return PlutusData.bytes(data.asBytes())
    case 'list':
      return PlutusData.list(data.asList().map(canonicalData))
    case 'map':
      return PlutusData.map(data.asMap().map(([key, value]) => [canonicalData(key), canonicalData(value)] as const))
    case 'constr': {
      const { index, fields } = data.asConstr()
      return PlutusData.constr(index, fields.map(canonicalData))
    }
  }
}

/** Begins a constructor that has fields; a break ends it. */
function open(writer: CborWriter, index: number): CborWriter {
  return writer.tag(CONSTR[index]!).arrayIndefinite()
}

function writeEmpty(writer: CborWriter, index: number): void {
  writer.tag(CONSTR[index]!).array(0)
}

function writeCredential(writer: CborWriter, credential: Credential): void {
  open(writer, credential.kind === 'key' ? 0 : 1)
    .bytes(hashBytes(credential))
    .break()
}

/**
 * Writes a value: lovelace first, even when it is zero, then policies and names in the order of their bytes, which is
 * the order of their hex.
 */
function writeValue(writer: CborWriter, lovelace: bigint, assets: Assets): void {
  const none = new Uint8Array(0)
  writer
    .map(1 + assets.size)
    .bytes(none)
    .map(1)
    .bytes(none)
    .uint(lovelace)
  for (const policy of [...assets.keys()].sort()) {
    const names = assets.get(policy)!
    writer.bytes(hexToBytes(policy)).map(names.size)
    for (const name of [...names.keys()].sort()) writer.bytes(hexToBytes(name)).uint(names.get(name)!)
  }
}
