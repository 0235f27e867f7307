import { concatBytes } from '../../codec/bytes.js'
import { bytesToHex } from '../../codec/hex.js'
import { stringifyJson } from '../../codec/json.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { TxOutput } from '../../types/utxo.js'
import type { Chain } from '../chain/Chain.js'
import type { Head } from '../party/Head.js'

export const STATE_FORMAT = 'layer-sdk devnode state'
/** Version of the document's format; it grows with each change of the format. */
export const STATE_VERSION = 2

/** Properties of a node that must be equal for it to restore a state. */
export interface NodeIdentity {
  readonly profile: string
  readonly networkId: number
  readonly seed: string
  readonly parties: number
  /** blake2b-256 of the parties' verification keys: hex. */
  readonly partyKeys: string
  /** Id of the head that the node's heads were forked from; null without a fork. */
  readonly forkOf: string | null
  readonly slotZeroMs: number
  /** blake2b-256 of the layer-two parameters: hex. */
  readonly parameters: string
}

/** A UTxO: the row numbers of its outputs in order, or the changes since an earlier UTxO. */
export type UtxoRow =
  readonly number[] | { readonly from: number; readonly drop: readonly number[]; readonly add: readonly number[] }

/** A transaction of the base ledger's history, with row numbers for its outputs and the transaction. */
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

/** Tables of rows that other rows name by their numbers; rows are added, never changed. */
export interface StateRows {
  readonly outputs: readonly (readonly [txHash: string, index: number, output: TxOutput])[]
  /** Transactions: CBOR hex. */
  readonly txs: readonly string[]
  readonly utxos: readonly UtxoRow[]
  readonly signed: readonly unknown[]
  /** Messages; each party numbers its own, and `party` is left out for the first party. */
  readonly messages: readonly (readonly [seq: number, timeMs: number, output: unknown, party?: number])[]
  readonly baseTxs: readonly BaseTxRow[]
}

/** The parts of a state that are no rows, by name; each is written again when it has changed. */
export type StateRoots = Readonly<Record<string, unknown>>

/** The whole state of a local head node as one JSON document. Apart from these members its content is internal. */
export interface DevNodeState {
  /** Kind of the document: `layer-sdk devnode state`. */
  readonly format: string
  /** Version of the document's format, from 1. */
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

/** The node that a state belongs to, or is to be restored in. */
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

/**
 * Returns the checksum by which a damaged or edited state is detected: blake2b-256 of `node`, `rows` and `roots` as
 * JSON, hex.
 */
export function checksumOf({ node, rows, roots }: Pick<StateDocument, 'node' | 'rows' | 'roots'>): string {
  return bytesToHex(blake2b256(utf8ToBytes(JSON.stringify([node, rows, roots]))))
}
