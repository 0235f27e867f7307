import { stringifyJson } from '../../src/codec/json'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { SeedKey } from '../../src/crypto/inner'
import type { HeadCandidate, RecognitionMaterial } from '../../src/recognition'
import type { VerificationRule } from '../../src/verify'
import { signedBytes, snapshotAccumulator } from '../../src/verify'
import { ada, EMPTY_ACCUMULATOR, headOutput, openDatum } from './headOutputs'

/** Two parties whose keys are known: made snapshots of their head. */
export const KEYS = ['01', '02'].map((byte) => new SeedKey(hexToBytes(byte.repeat(32))))
export const PARTIES = KEYS.map(({ publicKey }) => bytesToHex(publicKey))
export const HEAD_ID = 'a1'.repeat(28)
export const OWN = 'addr_test1vqau6vf2cc0p4s409yuyy4ep0nl0ax7zh3dj0vt4dlvtfmq48yln5'
export const OTHER =
  'addr_test1qpx9yesfls03wgndzhlky004w4hxufdmcfyqxrpermkmjna44xhhddygcelx5v0qlp7gyxl6acpefensvr5appn52h7qu0fszr'
export const asOf = { slot: 1_000, timeMs: 1_788_000_000_000 }

type Json = Record<string, any>

/** An output of a head in the node's JSON. */
export function output(lovelace: number, address = OWN, assets: Json = {}): Json {
  return {
    address,
    datum: null,
    datumhash: null,
    inlineDatum: null,
    inlineDatumRaw: null,
    referenceScript: null,
    value: { lovelace, ...assets }
  }
}

/** A reference, by a number. */
export const ref = (n: number): string => `${n.toString(16).padStart(64, '0')}#0`

export interface MadeSnapshot {
  readonly version?: number
  readonly number?: number
  readonly utxo?: Json
  readonly utxoToCommit?: Json | null
  readonly utxoToDecommit?: Json | null
  readonly depositTxId?: string | null
  readonly headId?: string
  readonly rule?: VerificationRule
}

/** A snapshot as GET /snapshot shows it, signed by both parties. */
export async function signedBundle(given: MadeSnapshot = {}): Promise<Json> {
  const { rule = '2.4', ...members } = given
  const snapshot: Json = {
    headId: HEAD_ID,
    version: 0,
    number: 1,
    confirmed: [],
    utxo: {},
    utxoToCommit: null,
    utxoToDecommit: null,
    ...(rule === '2.4' ? { depositTxId: null } : {}),
    ...members
  }
  snapshot['accumulator'] = (await snapshotAccumulator(snapshot as never)).hash
  const message = hexToBytes(await signedBytes({ snapshot: snapshot as never, rule }))
  const multiSignature = KEYS.map((key) => bytesToHex(key.sign(message)))
  return { tag: 'ConfirmedSnapshot', snapshot, signatures: { multiSignature } }
}

/** The head's output with an open datum. */
export function openHead(
  lovelaceInside: number,
  {
    version = 0,
    accumulatorHash = EMPTY_ACCUMULATOR,
    fields = 8,
    extra = []
  }: { version?: number; accumulatorHash?: string; fields?: 7 | 8; extra?: { unit: string; quantity: string }[] } = {}
): HeadCandidate {
  return headOutput(
    HEAD_ID,
    lovelaceInside + 2_500_000,
    openDatum({ headId: HEAD_ID, parties: PARTIES, version, accumulatorHash, fields }),
    extra
  )
}

/** Material of a head with one endpoint. */
export function material(
  head: HeadCandidate | null,
  body: unknown,
  more: Partial<RecognitionMaterial> = {}
): RecognitionMaterial {
  return {
    headId: HEAD_ID,
    addresses: [OWN],
    headOutputs: head === null ? [] : [head],
    answers: [
      { endpoint: 'https://head.example', status: 200, body: typeof body === 'string' ? body : stringifyJson(body) }
    ],
    asOf,
    ...more
  }
}

/** Ada of the three sums. */
export function sums(inHead: { available: any; arriving: any; leaving: any } | null): number[] | null {
  return inHead === null ? null : [ada(inHead.available), ada(inHead.arriving), ada(inHead.leaving)]
}
