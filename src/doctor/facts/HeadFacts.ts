import type { UTxO } from '../../types/utxo.js'

/** Version of the document; a newer one is refused. */
export const FACTS_VERSION = 1

/** A value that was read, or the reason why it was not. */
export type Reading<T> = { readonly value: T } | { readonly unread: string }

/** Statements of a node about itself (Greetings). */
export interface GreetingsFacts {
  /** Version text as the node states it. */
  readonly nodeVersion: string | null
  readonly headStatus: string | null
  /** Id of the head: hex; null without a head. */
  readonly headId: string | null
  /** Hydra verification key of the node's party: hex. */
  readonly party: string | null
  /** Keys of the other parties: hex; null where the node does not state them. */
  readonly otherParties: readonly string[] | null
  /** False while the node catches up with the base ledger; null before 1.3. */
  readonly synced: boolean | null
  /** Seconds. */
  readonly contestationPeriod: number | null
  /** Seconds. */
  readonly depositPeriod: number | null
  /** Seconds; null before 2.4. */
  readonly depositActivation: number | null
  /** Connection of each peer by `host:port`. */
  readonly peers: Readonly<Record<string, boolean>> | null
}

/** State of the head, from `GET /head` of the node. */
export interface HeadStateFacts {
  readonly headStatus: string
  readonly headId: string | null
  /** Keys of the head's parties: hex. */
  readonly parties: readonly string[]
  /** Seconds. */
  readonly contestationPeriod: number | null
  /** Version of the head: grows with each deposit or decommit that the node has seen on the base ledger. */
  readonly version: number | null
  /** Id of the decommit that is not on the base ledger yet; null: none. */
  readonly decommitTxId: string | null
  /** Id of the deposit that is being included; null: none. */
  readonly depositTxId: string | null
  /** Number of valid transactions that are in no snapshot yet. */
  readonly unconfirmed: number
  /** Snapshot that is being signed: its number, and the keys of those who have signed; null: none. */
  readonly signing: { readonly number: number; readonly signers: readonly string[] } | null
  /** Value of the head's own output on the base ledger, by unit; null where the node does not show it. */
  readonly onChain: Readonly<Record<string, string>> | null
  /** Outputs of the node's own wallet that it shows. */
  readonly wallet: readonly UTxO[]
}

/** Newest confirmed snapshot, from `GET /snapshot` of the node. */
export interface SnapshotFacts {
  /** Number of the snapshot; 0 for the initial one. */
  readonly number: number
  readonly version: number | null
  readonly utxo: readonly UTxO[]
  readonly toCommit: readonly UTxO[]
  readonly toDecommit: readonly UTxO[]
  /** Id of the deposit that the snapshot names; null: none, or the node is older than 2.4. */
  readonly depositTxId: string | null
}

/** Ledger parameters of a head or of the base ledger, as far as the judges use them. */
export interface ParametersFacts {
  /** Lovelace per byte of an output, decimal. */
  readonly coinsPerByte: string
  readonly maxTxSize: number
  readonly maxValueSize: number
  readonly protocolMajor: number | null
  readonly costModels: Readonly<Record<string, readonly number[]>>
  /** Blake2b-256 of the canonical JSON of all parameters; null for the base ledger's. */
  readonly hash: string | null
}

/** Configuration of the node, from `GET /config` (nodes from 2.3). */
export interface ConfigFacts {
  readonly mainnet: boolean | null
  /** Addresses of the node itself and of its peers, sorted. */
  readonly cluster: readonly string[]
  readonly depositPeriod: number | null
  readonly depositActivation: number | null
}

/** Number of the newest confirmed snapshot of a node, read at two times. */
export interface SnapshotNumbers {
  readonly first: number
  readonly last: number
  /** Time since which a snapshot is being signed without being confirmed, ms since the epoch; null: none is. */
  readonly signingSince: number | null
  /**
   * Time since which transactions wait although no snapshot is requested, ms since the epoch; null: none wait. Absent
   * in facts that an earlier version saved.
   */
  readonly waitingSince?: number | null
}

/** Facts of one node; each source of them may have failed. */
export interface NodeFacts {
  /** URL of the node reduced to scheme, host and port. */
  readonly name: string
  readonly greetings: Reading<GreetingsFacts>
  readonly head: Reading<HeadStateFacts>
  /** Newest confirmed snapshot; null without a head, and after the fanout. */
  readonly snapshot: Reading<SnapshotFacts | null>
  readonly parameters: Reading<ParametersFacts>
  /** Ids of deposits that are neither in a head nor recovered. */
  readonly deposits: Reading<readonly string[]>
  readonly config: Reading<ConfigFacts>
  readonly numbers: Reading<SnapshotNumbers>
}

/** A deposit as the node's history shows it. */
export interface DepositFacts {
  readonly txId: string
  /** Times: ms since the epoch; null where the history has no such message. */
  readonly recordedAt: number | null
  readonly activatedAt: number | null
  /** Time from which the deposit can be recovered. */
  readonly recoverableAt: number | null
  readonly approved: boolean
}

/** Facts from the node's stored history, counted while it streams. */
export interface HistoryFacts {
  /** True when the history goes back to the opening of the head. */
  readonly complete: boolean
  /** Size of the history; null where it was not counted. */
  readonly bytes: number | null
  readonly transactions: number | null
  /** By unit: quantity that entered the head less the quantity that left it, decimal. */
  readonly entered: Readonly<Record<string, string>>
  readonly deposits: readonly DepositFacts[]
  /** Time of the newest DecommitFinalized, ms since the epoch. */
  readonly decommitFinalizedAt: number | null
  /** Largest drift that the node has reported, seconds. */
  readonly maxDrift: number | null
}

/** The node's Prometheus metrics. */
export interface MetricsFacts {
  /** Time of the newest block that the node has seen, ms since the epoch. */
  readonly lastBlockAt: number | null
  /** Seconds. */
  readonly drift: number | null
}

/**
 * All that is known of a head at one time: plain JSON, so that it can be saved, sent and read again with
 * {@link readHeadFacts}. Quantities are decimal texts. It contains no secret keys, tokens, or paths and queries of
 * URLs.
 */
export interface HeadFacts {
  readonly kind: 'layer-sdk/head-facts'
  readonly version: 1
  /** Time of the reading, ms since the epoch: judgements use it as the present. */
  readonly at: number
  /** Nodes of the head: your own first, then the others. */
  readonly nodes: readonly NodeFacts[]
  /** Parameters of the base ledger. */
  readonly base: Reading<ParametersFacts>
  /** Outputs of the node's wallet on the base ledger. */
  readonly fuel: Reading<readonly UTxO[]>
  readonly metrics: Reading<MetricsFacts>
  readonly history: Reading<HistoryFacts>
}

/** Returns the value of a reading, or null. */
export function valueOrNull<T>(reading: Reading<T>): T | null {
  return 'value' in reading ? reading.value : null
}
