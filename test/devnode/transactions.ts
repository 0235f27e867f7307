import { concatBytes } from '../../src/codec/bytes'
import { CborWriter } from '../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { readTransaction, transactionHash } from '../../src/codec/transaction'
import { encodeTxOutput } from '../../src/codec/txOutput'
import { setVkeyWitnesses } from '../../src/codec/witnessSet'
import { publicKeyFromSeed, signWithSeed } from '../../src/crypto/ed25519'
import type { FundedKey } from '../../src/devnode/settings/keys'
import type { TxInput, TxOutput, UTxO } from '../../src/types/utxo'

/** What a transaction of these tests is made of; everything else a body can hold goes into `extra` as key and CBOR. */
export interface TxParts {
  inputs: readonly TxInput[]
  outputs: readonly TxOutput[]
  fee?: bigint
  extra?: readonly (readonly [number, Uint8Array])[]
  /** Entries of the witness set besides the keys'. */
  witnesses?: readonly (readonly [number, Uint8Array])[]
  auxiliaryData?: Uint8Array
  isValid?: boolean
}

export interface Envelope {
  type: string
  description: string
  cborHex: string
  txId: string
}

/** A transaction written by hand, so that these tests do not lean on the package's own builder. */
export function buildTx({
  inputs,
  outputs,
  fee = 0n,
  extra = [],
  witnesses = [],
  auxiliaryData,
  isValid = true
}: TxParts): Uint8Array {
  const writer = new CborWriter().array(4).map(3 + extra.length)
  writer.uint(0).tag(258).array(inputs.length)
  for (const { txHash, index } of inputs) writer.array(2).bytes(hexToBytes(txHash)).uint(index)
  writer.uint(1).array(outputs.length)
  for (const output of outputs) writer.raw(encodeTxOutput(output))
  writer.uint(2).uint(fee)
  for (const [key, cbor] of extra) writer.uint(key).raw(cbor)
  writer.map(witnesses.length)
  for (const [key, cbor] of witnesses) writer.uint(key).raw(cbor)
  writer.bool(isValid)
  return (auxiliaryData === undefined ? writer.null() : writer.raw(auxiliaryData)).toBytes()
}

/** Seed of a funded key. */
export const seedOf = ({ skey }: FundedKey): Uint8Array => hexToBytes(skey.slice(4))

/** Signs with plain keys. */
export function signTx(tx: Uint8Array, ...keys: readonly FundedKey[]): Uint8Array {
  const spans = readTransaction(tx)
  const hash = transactionHash(spans)
  return setVkeyWitnesses(
    spans,
    keys.map((key) => ({ vkey: publicKeyFromSeed(seedOf(key)), signature: signWithSeed(hash, seedOf(key)) }))
  )
}

export function envelopeOf(tx: Uint8Array): Envelope {
  const txId = bytesToHex(transactionHash(readTransaction(tx)))
  return { type: 'Witnessed Tx ConwayEra', description: 'Ledger Cddl Format', cborHex: bytesToHex(tx), txId }
}

export const lovelaceOf = (output: TxOutput): bigint =>
  BigInt(output.amount.find(({ unit }) => unit === 'lovelace')!.quantity)
export const ada = (address: string, lovelace: bigint): TxOutput => ({
  address,
  amount: [{ unit: 'lovelace', quantity: String(lovelace) }]
})

/** Pays from one unspent output, change to its owner. */
export function pay(from: UTxO, owner: FundedKey, to: string, lovelace: bigint): Envelope {
  const change = lovelaceOf(from.output) - lovelace
  const outputs = [ada(to, lovelace), ...(change > 0n ? [ada(owner.address, change)] : [])]
  return envelopeOf(signTx(buildTx({ inputs: [from.input], outputs }), owner))
}

export { concatBytes }
