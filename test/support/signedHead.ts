import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { blake2b256 } from '../../src/hash/blake2b'
import type { VerificationRule } from '../../src/verify'
import type { MutableSnapshot } from './signedSnapshot'
import { addressOf, signSnapshot, stateRule } from './signedSnapshot'

type Json = Record<string, any>

/** An output as the node writes it. */
export const held = (lovelace: number | bigint, address: string): Json => ({
  address,
  value: { lovelace },
  datum: null,
  datumhash: null,
  inlineDatum: null,
  inlineDatumRaw: null,
  referenceScript: null
})

const uint = (value: number): string =>
  value < 24 ? value.toString(16).padStart(2, '0') : `1a${value.toString(16).padStart(8, '0')}`

/** A transaction that spends outputs and pays key hashes, as it stands in `confirmed`. */
export function transactionOf(
  inputs: readonly string[],
  payments: readonly (readonly [keyHash: string, lovelace: number])[]
): Json {
  const spent = inputs.map((key) => `825820${key.slice(0, 64)}${uint(Number(key.slice(65)))}`).join('')
  const made = payments.map(([keyHash, lovelace]) => `82581d60${keyHash}${uint(lovelace)}`).join('')
  const list = (items: readonly unknown[]): string => (0x80 + items.length).toString(16)
  const body = `a300${list(inputs)}${spent}01${list(payments)}${made}0200`
  return {
    cborHex: `84${body}a0f5f6`,
    description: '',
    txId: bytesToHex(blake2b256(hexToBytes(body))),
    type: 'Tx ConwayEra'
  }
}

/** A head whose snapshots are signed by the parties of `signedSnapshot`, beside what it shows of them. */
export class SignedHead {
  utxo: Json = {}
  version = 0
  number: number

  constructor(
    readonly headId: string,
    readonly rule: VerificationRule = '2.3',
    number = 3
  ) {
    this.number = number
  }

  /** Applies a payment of outputs of this head; the transaction goes into the next snapshot. */
  pay(inputs: readonly string[], payments: readonly (readonly [keyHash: string, lovelace: number])[]): Json {
    const transaction = transactionOf(inputs, payments)
    for (const key of inputs) delete this.utxo[key]
    payments.forEach(
      ([keyHash, lovelace], i) => (this.utxo[`${transaction['txId']}#${i}`] = held(lovelace, addressOf(`60${keyHash}`)))
    )
    return transaction
  }

  /** The present snapshot, as GET /snapshot answers. */
  async answer(fields: Json = {}): Promise<Json> {
    const { headId, version, number } = this
    const snapshot: Json = {
      headId,
      version,
      number,
      confirmed: [],
      utxo: structuredClone(this.utxo),
      utxoToCommit: null,
      utxoToDecommit: null,
      ...fields
    }
    await stateRule(snapshot as MutableSnapshot, this.rule)
    return {
      tag: 'ConfirmedSnapshot',
      snapshot,
      signatures: { multiSignature: await signSnapshot(snapshot as never, this.rule) }
    }
  }

  /** The next snapshot, as a message without its outputs. */
  async next(confirmed: readonly Json[] = [], fields: Json = {}): Promise<Json> {
    this.number++
    const message = messageOf(await this.answer({ confirmed, ...fields }))
    delete message['snapshot'].utxo
    return message
  }
}

/** The message of what GET /snapshot answers. */
export const messageOf = ({ snapshot, signatures }: Json, seq = 100 + Number(snapshot.number)): Json => ({
  tag: 'SnapshotConfirmed',
  headId: snapshot.headId,
  seq,
  timestamp: '2026-01-01T00:00:00.123Z',
  snapshot,
  signatures
})
