import { concatBytes } from '../../codec/bytes.js'
import { bytesToHex } from '../../codec/hex.js'
import { stringifyJson } from '../../codec/json.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { TxOutput } from '../../types/utxo.js'
import type { Chain } from '../chain/Chain.js'
import type { Head } from '../party/Head.js'

export const STATE_FORMAT = 'layer-sdk devnode state'
/** Grows when the form of the document changes. */
export const STATE_VERSION = 2

/** Properties that a node shares with a state that it restores. */
export interface NodeIdentity {
  readonly profile: string
  readonly networkId: number
  readonly seed: string
  readonly parties: number
  /** blake2b-256 of the parties' verification keys: hex. */
  readonly partyKeys: string
  /** Id of the head that the node's heads start from; null for most nodes. */
  readonly forkOf: string | null
  readonly slotZeroMs: number
  /** blake2b-256 of the layer-two parameters: hex. */
  readonly parameters: string
}

/** A UTxO: numbers of outputs in order, or the changes since an earlier UTxO. */
export type UtxoRow =
  readonly number[] | { readonly from: number; readonly drop: readonly number[]; readonly add: readonly number[] }

/** A transaction of the base ledger's history; outputs and transactions by number. */
export type BaseTxRow = readonly [
  txId: string,
  slot: number,
  index: number,
  spent: readonly number[],
  collateral: readonly number[],
  referred: readonly number[],
  outputs: readonly number[],
  valid: boolean,
  submitted: number | null
]

/** Rows that others name by their numbers; they only grow. */
export interface StateRows {
  readonly outputs: readonly (readonly [txHash: string, index: number, output: TxOutput])[]
  /** CBOR hex. */
  readonly txs: readonly string[]
  readonly utxos: readonly UtxoRow[]
  readonly signed: readonly unknown[]
  /** Each party numbers its own; `party` is left out for the first. */
  readonly messages: readonly (readonly [seq: number, timeMs: number, output: unknown, party?: number])[]
  readonly baseTxs: readonly BaseTxRow[]
}

/** Roots, each of which is written again when it has changed. */
export type StateRoots = Readonly<Record<string, unknown>>

/** The whole state of a local head node as one JSON document; its inside is the node's own business. */
export interface DevNodeState {
  /** Kind of the document: `layer-sdk devnode state`. */
  readonly format: string
  /** Version of the form, from 1. */
  readonly version: number
  readonly [key: string]: unknown
}

/** @internal Content of a document. */
export interface StateDocument extends DevNodeState {
  readonly node: NodeIdentity
  readonly rows: StateRows
  readonly roots: StateRoots
  /** blake2b-256 of `node`, `rows` and `roots` as JSON: hex. */
  readonly checksum: string
}

/** A node that a state belongs to. */
export interface StateOwner {
  readonly chain: Chain
  readonly head: Head
}

export function identityOf({ chain, head }: StateOwner): NodeIdentity {
  const { options, protocolParameters } = chain
  const { keys, forkedHeadId } = head
  const { profile, networkId, seed, parties, slotZeroMs } = options
  const partyKeys = bytesToHex(blake2b256(concatBytes(...keys.map(({ publicKey }) => publicKey))))
  const parameters = bytesToHex(blake2b256(utf8ToBytes(stringifyJson(protocolParameters))))
  return { profile, networkId, seed, parties, partyKeys, forkOf: forkedHeadId, slotZeroMs, parameters }
}

/** The checksum of a document. */
export function checksumOf({ node, rows, roots }: Pick<StateDocument, 'node' | 'rows' | 'roots'>): string {
  return bytesToHex(blake2b256(utf8ToBytes(JSON.stringify([node, rows, roots]))))
}
