import type { PartySettings } from '../../party/PartyNetwork.js'
import type { Counters } from '../../party/counters.js'
import type { DevNodeFaults } from '../../settings/faults.js'
import type { DevNodeProfile } from '../../settings/profiles.js'

/** URLs of a node; `null` where it has none. */
export interface DevNodeEndpoints {
  /** WebSocket API. */
  readonly url: string | null
  /** HTTP API. */
  readonly httpUrl: string | null
  /** URL of the base ledger as JSON-RPC (Ogmios). */
  readonly rpcUrl: string | null
  /** URL of the base ledger as an indexer (Blockfrost). */
  readonly indexerUrl: string | null
  /** URL of the base ledger as matches of patterns (Kupo). */
  readonly kupoUrl: string | null
  /** URL of the control of the running node. */
  readonly controlUrl: string | null
}

/** An address that was funded at the start, and its present outputs. */
export interface DevNodeAccountStatus {
  /** A test key's name, e.g. `alice`, or `account` and its number. */
  readonly name: string
  /** Bech32. */
  readonly address: string
  /** Bech32; `null` for the test keys, which have none. */
  readonly stakeAddress: string | null
  /** Balance on the base ledger: lovelace, decimal. */
  readonly baseLovelace: string
  /** Balance in the latest snapshot of the head: lovelace, decimal. */
  readonly headLovelace: string
}

/** The node's time. */
export interface DevNodeTime {
  /** Unix time, ms. */
  readonly timeMs: number
  /** Slot of the base ledger. */
  readonly slot: number
}

/** Status of a running node. */
export interface DevNodeStatus {
  /** Full version of the node that the local head poses as, e.g. `2.4.1`. */
  readonly version: string
  /** Node version that the local head poses as, as the option `profile` names it. */
  readonly profile: DevNodeProfile
  /** Network id of every address: 0 for test networks, 1 for mainnet. */
  readonly networkId: 0 | 1
  /** URLs of the node. */
  readonly endpoints: DevNodeEndpoints
  /** The head. */
  readonly head: {
    /** Status, as Greetings shows it. */
    readonly status: string
    /** Id of the head: hex, 56 characters; null without one. */
    readonly id: string | null
    /** Number of the latest snapshot. */
    readonly number: number
    /** Number of outputs in the head. */
    readonly outputs: number
  }
  /** Slot of the base ledger. */
  readonly slot: number
  /** The node's time: Unix time, ms. */
  readonly timeMs: number
  /** The addresses that were funded at the start, without their keys. */
  readonly accounts: readonly DevNodeAccountStatus[]
  /** Parties of the head, the node's own first. */
  readonly parties: readonly (Readonly<PartySettings> & {
    /** Place among the parties, from 0. */
    readonly index: number
    /** Hydra verification key: hex, 64 characters. */
    readonly vkey: string
    /** WebSocket URL of its API; null without one. */
    readonly url: string | null
  })[]
  /** Faults that the node commits now. */
  readonly faults: DevNodeFaults
  /** Addresses whose signatures are not required. */
  readonly impersonated: readonly string[]
  /** Counts of inputs, requests and connections so far. */
  readonly counters: Counters
}
