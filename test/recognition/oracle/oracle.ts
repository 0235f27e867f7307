import { createPublicKey, verify } from 'node:crypto'
import type { JsonSet } from './accumulator'
import { accumulatorOf, credentialsOf, hashOfSet, sha256 } from './accumulator'
import type { Data } from './plutus'
import { byteString, readPlutus, uint } from './plutus'

/** Facts that the algorithm of the proposed standard begins with. */
export interface OracleCase {
  readonly headId: string
  readonly addresses: readonly string[]
  /** Datums of the outputs with one state token: CBOR. */
  readonly datums: readonly Uint8Array[]
  /** Answer to GET /snapshot: its status and its text. */
  readonly answer: { readonly status: number; readonly body: string }
}

/** The state, and lovelace of the three sums with VERIFIED_IN_HEAD. */
export interface OracleVerdict {
  readonly state: string
  readonly sums: readonly [available: bigint, arriving: bigint, leaving: bigint] | null
}

const unverifiable: OracleVerdict = { state: 'UNVERIFIABLE', sums: null }
const NOTHING = Buffer.alloc(0)

/** Recognises a head by the letter of the text, step by step. */
export function oracle({ headId, addresses, datums, answer }: OracleCase): OracleVerdict {
  if (datums.length === 0) return { state: 'NO_HEAD', sums: null }
  const datum = readPlutus(datums[0]!) as { constr: number; fields: readonly Data[] }
  if (datum.constr === 1 || datum.constr === 3) return { state: 'HEAD_CLOSING', sums: null }
  const { fields } = datum.fields[0] as { fields: readonly Data[] }
  const hasPeriod = fields.length === 8
  const parties = fields[2] as readonly Uint8Array[]
  const [version, accumulator] = fields.slice(hasPeriod ? 5 : 4) as [bigint, Uint8Array]
  if (answer.status !== 200) return unverifiable
  const { tag, snapshot, signatures } = JSON.parse(answer.body)
  if (tag === 'InitialSnapshot') {
    const isFirst = version === 0n && Buffer.from(accumulator).toString('hex') === accumulatorOf({})
    return isFirst ? { state: 'VERIFIED_IN_HEAD', sums: [0n, 0n, 0n] } : unverifiable
  }
  if (snapshot.headId !== headId || BigInt(snapshot.version) !== version) return unverifiable
  const [utxo, toCommit, toDecommit] = [snapshot.utxo, snapshot.utxoToCommit ?? {}, snapshot.utxoToDecommit ?? {}]
  const computed = accumulatorOf(utxo, toCommit, toDecommit)
  const commit = hashOfSet(toCommit)
  const txId = snapshot.depositTxId == null ? NOTHING : Buffer.from(snapshot.depositTxId, 'hex')
  const message = Buffer.concat([
    byteString(Buffer.from(headId, 'hex')),
    uint(snapshot.version),
    uint(snapshot.number),
    byteString(Buffer.from(computed, 'hex')),
    byteString(hashOfSet(toDecommit)),
    byteString(hasPeriod ? sha256(Buffer.concat([commit, txId])) : commit)
  ])
  const signed: readonly string[] = signatures.multiSignature
  const holds = signed.length === parties.length && parties.every((key, i) => isSigned(key, message, signed[i]!))
  if (!holds) return unverifiable
  const own = addresses.map(keyOf)
  const sum = (set: JsonSet): bigint =>
    Object.values(set).reduce(
      (all, { address, value }) => (own.includes(keyOf(address)) ? all + BigInt(value['lovelace'] as number) : all),
      0n
    )
  return { state: 'VERIFIED_IN_HEAD', sums: [sum(utxo), sum(toCommit), sum(toDecommit)] }
}

function keyOf(address: string): string {
  const { type, payment, stake } = credentialsOf(address)
  return `${type} ${payment.toString('hex')} ${stake?.toString('hex') ?? ''}`
}

function isSigned(key: Uint8Array, message: Uint8Array, signature: string): boolean {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key])
  return verify(
    null,
    message,
    createPublicKey({ key: der, format: 'der', type: 'spki' }),
    Buffer.from(signature, 'hex')
  )
}
