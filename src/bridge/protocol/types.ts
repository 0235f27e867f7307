import type { Hex } from '../../types/utxo.js'
import type { CommandTag, Inputs } from './commandTable.js'

/** An integer of the node's JSON: a number up to 2^53 - 1, a bigint beyond. */
export type WireInteger = number | bigint

/**
 * A value as the node writes it: `lovelace` (may be absent), and per policy id the quantities by asset name (hex, may
 * be empty).
 */
export interface ValueJson {
  /** Lovelace. */
  lovelace?: WireInteger
  [policyId: Hex]: WireInteger | Record<Hex, WireInteger> | undefined
}

/** A transaction output as the node writes it. Fields that are not listed are kept as they came. */
export interface TxOutJson {
  /** Bech32, or base58 for Byron. */
  address: string
  /** Lovelace and assets. */
  value: ValueJson
  /** A datum as the node writes it; usually null. */
  datum?: unknown
  /** Only where there is no inline datum. */
  datumhash?: Hex | null
  /** Detailed schema: `{ int }`, `{ bytes }`, `{ list }`, `{ map }` or `{ constructor, fields }`. */
  inlineDatum?: unknown
  /** Only where there is an inline datum. */
  inlineDatumhash?: Hex | null
  /** CBOR of the inline datum as it is on chain (nodes from 0.20). */
  inlineDatumRaw?: Hex | null
  /** Script that the output carries: `scriptLanguage`, and in `script` its `type`, `description` and `cborHex`. */
  referenceScript?: { scriptLanguage?: string; script: { type: string; description?: string; cborHex: Hex } } | null
}

/**
 * Unspent outputs as the node writes them, keyed `'txHash#index'`. Send it back as it is: no value in it was rounded or
 * left out.
 */
export type UTxOObject = Record<string, TxOutJson>

/** A party of the head. */
export interface Party {
  /** Its Ed25519 head key: hex, 64 characters. */
  vkey: Hex
}

/** A transaction in the node's envelope; old messages may carry the id alone. */
export interface TransactionJson {
  /** Envelope type, e.g. `'Tx ConwayEra'`. */
  type?: string
  /** Free text. */
  description?: string
  /** CBOR hex. */
  cborHex?: Hex
  /** Hex, 64 characters. */
  txId: Hex
  /**
   * Only in a snapshot's list `confirmed`, with the bridge's option `verify`: true when outputs that all parties have
   * signed show the transaction's effect. The list itself is not signed.
   */
  verified?: boolean
}

/** Signatures of all parties, in their order. */
export interface MultiSignature {
  /** Ed25519 signatures: hex, 128 characters each. */
  multiSignature: Hex[]
}

/** A snapshot of the head's ledger. */
export interface Snapshot {
  /** Id of the head: hex. */
  headId: string
  /** Grows by one with each commit or decommit seen on chain (nodes from 0.20). */
  version?: number
  /** Grows by one with each snapshot of a head. */
  number: number
  /** Transactions that this snapshot confirms. */
  confirmed: TransactionJson[]
  /** Outputs of the head, without those being added; absent with the option `noSnapshotUtxo`. */
  utxo?: UTxOObject
  /** Outputs being added to the head. */
  utxoToCommit: UTxOObject | null
  /** Outputs being withdrawn from the head. */
  utxoToDecommit: UTxOObject | null
  /** Hash of the accumulator of the outputs, which the parties sign: hex, 64 characters (nodes from 2.2). */
  accumulator?: Hex
  /** Deposit that `utxoToCommit` comes from: hex, 64 characters; null when there is none (nodes from 2.4). */
  depositTxId?: Hex | null
}

/** Change that a snapshot makes to the outputs; a gateway sends it instead of all outputs. */
export interface SnapshotDelta {
  /** Number of the snapshot to which the change applies. */
  from: number
  /** Number of the snapshot after the change. */
  number: number
  /** Keys of the outputs that it removes. */
  spent: string[]
  /** The outputs that it adds. */
  made: UTxOObject
  /** Number of all outputs after the change. */
  count: number
}

/** Body of GET /snapshot, and the argument of `sideLoadSnapshot`: send it back as it came. */
export type ConfirmedSnapshot =
  /** A `snapshot` with the `signatures` of all parties. */
  | { tag: 'ConfirmedSnapshot'; snapshot: Snapshot; signatures: MultiSignature }
  /** Outputs that the head `headId` opened with: `initialUTxO`. */
  | { tag: 'InitialSnapshot'; headId: string; initialUTxO?: UTxOObject }

/** An input to the node, as it echoes it in a refusal: the `tag` of the command, and its fields. */
export type LayerInput = Inputs[CommandTag]

/** Reason of a refused decommit. */
export type DecommitInvalidReason =
  /**
   * Its transaction is not valid with the outputs `localUTxO`; `validationError.reason` is the text of the node's
   * ledger.
   */
  | { tag: 'DecommitTxInvalid'; localUTxO?: UTxOObject; validationError: { reason: string } }
  /** The decommit with the transaction id `otherDecommitTxId` (hex) is not finished. */
  | { tag: 'DecommitAlreadyInFlight'; otherDecommitTxId: string }
  /**
   * The deposit with the transaction id `depositTxId` (hex), of the outputs `commitUTxO`, is being added to the head.
   */
  | { tag: 'DepositInFlight'; depositTxId: string; commitUTxO?: UTxOObject }

/** Address of a peer; nodes up to 0.20 name peers by a text instead. */
export interface Host {
  /** Name or IP address. */
  hostname: string
  /** TCP port. */
  port: number
}

/** Configuration of the node (nodes from 1.0). Its secret key, which some versions send, is never in here. */
export interface NodeEnvironment {
  /** The party whose node this is. */
  party: Party
  /** The other parties of the head. */
  otherParties: Party[]
  /** Hashes of the parties' on-chain keys, hex. */
  participants: Hex[]
  /** Seconds. */
  contestationPeriod: number
  /** Seconds. */
  depositPeriod?: number
  /** Seconds. */
  depositActivation?: number
  /** Seconds. */
  unsyncedPeriod?: number
  /** Peers as the node was started with: `'host:port'` with commas between. */
  configuredPeers?: string
}

/** The node's network of peers (nodes from 1.0). */
export interface NetworkInfo {
  /** True when the node is connected to its network. */
  networkConnected: boolean
  /** Connection of each peer, named `'host:port'`: true while it is connected. */
  peersInfo: Record<string, boolean>
}

/** The reply of GET /head in public terms. */
export interface HeadInfo {
  /** Id of the head: hex; null when there is none. */
  headId: string | null
  /** State of the head. */
  headStatus: LayerHeadStatus
  /** Head key of the first party: hex. */
  vkey: string | null
  /** Parties of the head; empty when there is none. */
  parties: Party[]
  /** Seconds. */
  contestationPeriod?: number
}

/** Protocol parameters of the head's ledger. */
export interface Protocol {
  /** Lovelace per byte of a transaction. */
  min_fee_a: number
  /** Lovelace per transaction. */
  min_fee_b: number
  /** Bytes. */
  max_tx_size: number
  /** Lovelace, decimal. */
  key_deposit: string
  /** Lovelace, decimal. */
  pool_deposit: string
  /** The node's other parameters in snake_case, values untouched. */
  [key: string]: unknown
}

/** The node's protocol parameters, unmodified. */
export interface RawProtocolParameters {
  /** Cost models by language, e.g. `PlutusV3`. */
  costModels?: Record<string, number[]>
  /** Version of the ledger's rules: `major` and `minor`. */
  protocolVersion?: { major: number; minor: number }
  [key: string]: unknown
}

/** The node's verdict on a transaction, in answer to POST /transaction. */
export type SubmitL2TxResponse = {
  /**
   * True when this call sent no request: an earlier call had submitted the same transaction. Two payments that are
   * built from the same confirmed outputs, with equal amounts and addresses, are the same transaction, and so only one
   * payment.
   */
  deduplicated?: true
} &
  /** The snapshot `snapshotNumber` holds it. */
  (
    | { tag: 'SubmitTxConfirmed'; snapshotNumber: number }
    /** The ledger refused it; `validationError` is its text. */
    | { tag: 'SubmitTxInvalid'; validationError: string }
    /** The node rejected it; `reason` is its text. */
    | { tag: 'SubmitTxRejected'; reason: string }
    | {
        tag: 'SubmitTxSubmitted'
        /** True when the node's own timeout passed: the outcome is unknown. */
        timedOut?: true
      }
  )

/**
 * States of a head. `Initializing` (nodes up to 1.3) and `Final` (up to 0.21) exist on older nodes only; newer ones
 * open a head directly and return to `Idle` after the fanout. `FanningOut` needs a node newer than 2.3.0.
 */
export const LayerHeadStatus = {
  Idle: 'Idle',
  Initializing: 'Initializing',
  Open: 'Open',
  Closed: 'Closed',
  FanoutPossible: 'FanoutPossible',
  FanningOut: 'FanningOut',
  Final: 'Final'
} as const

/** A state of a head. */
export type LayerHeadStatus = (typeof LayerHeadStatus)[keyof typeof LayerHeadStatus]
