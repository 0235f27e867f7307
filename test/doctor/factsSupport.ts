import type { Finding, HeadFacts, NodeFacts, UTxO } from '../../src/doctor'
import { diagnose } from '../../src/doctor'
import type { DiagnoseOptions } from '../../src/doctor'

export const ADA = 1_000_000n
export const NOW = 1_780_000_000_000
export const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
/** A script of the base ledger at the same network. */
export const SCRIPT_ADDRESS = 'addr_test1wpnlxv2xv9a9ucvnvzqakwepzl9ltx7jzgm53av2e9ncv4sysemm8'
export const BYRON_ADDRESS =
  '37btjrVyb4KDXBNC4haBVPCrro8AQPHwvCMp3RFhhSVWwfFmZ6wwzSK6JK1hY6wHNmtrpTf1kdbva8TCneM2YsiXT7mrzT21EacHnPpz5YyUdj64na'
export const POLICY = 'cd'.repeat(28)
export const DEPOSIT = 'de'.repeat(32)

/** An output of the head. */
export function utxo(
  n: number,
  lovelace: bigint,
  more: Partial<UTxO['output']> & { tokens?: Record<string, bigint> } = {}
): UTxO {
  const { tokens = {}, ...output } = more
  return {
    input: { txHash: n.toString(16).padStart(64, '0'), index: 0 },
    output: {
      address: ADDRESS,
      amount: [
        { unit: 'lovelace', quantity: String(lovelace) },
        ...Object.entries(tokens).map(([unit, quantity]) => ({ unit, quantity: String(quantity) }))
      ],
      ...output
    }
  }
}

/** Outputs of 2 ada, `count` of them. */
export const utxos = (count: number, more: Partial<UTxO['output']> = {}): UTxO[] =>
  Array.from({ length: count }, (_, n) => utxo(n, 2n * ADA, more))

/** An inline datum of so many bytes: a list of zeros. */
export function datumOf(sizeBytes: number): string {
  return `9f${'00'.repeat(sizeBytes - 2)}ff`
}

const MODELS = { PlutusV1: Array(166).fill(1), PlutusV2: Array(175).fill(2), PlutusV3: Array(297).fill(3) }

/** What a test changes of a healthy head. */
export interface Changes {
  own?: Partial<{ [K in keyof NodeFacts]: unknown }>
  greetings?: object
  head?: object
  snapshot?: object
  parameters?: object
  base?: object
  history?: object
  metrics?: object
  fuel?: readonly UTxO[]
  peers?: readonly NodeFacts[]
  at?: number
}

/** A node of a healthy head. */
export function node(changes: Changes = {}, name = 'ws://127.0.0.1:4001'): NodeFacts {
  const parties = ['aa'.repeat(32), 'bb'.repeat(32)]
  return {
    name,
    greetings: {
      value: {
        nodeVersion: '2.4.1-099f5dd',
        headStatus: 'Open',
        headId: 'ab'.repeat(28),
        party: parties[0]!,
        otherParties: [parties[1]!],
        synced: true,
        contestationPeriod: 600,
        depositPeriod: 3600,
        depositActivation: 600,
        peers: { '127.0.0.1:5002': true },
        ...changes.greetings
      }
    },
    head: {
      value: {
        headStatus: 'Open',
        headId: 'ab'.repeat(28),
        parties,
        contestationPeriod: 600,
        version: 1,
        decommitTxId: null,
        depositTxId: null,
        unconfirmed: 0,
        signing: null,
        onChain: null,
        wallet: [],
        ...changes.head
      }
    },
    snapshot: {
      value: {
        number: 7,
        version: 1,
        utxo: [utxo(1, 50n * ADA), utxo(2, 20n * ADA)],
        toCommit: [],
        toDecommit: [],
        depositTxId: null,
        ...changes.snapshot
      }
    },
    parameters: {
      value: {
        coinsPerByte: '4310',
        maxTxSize: 10_250,
        maxValueSize: 5_000,
        protocolMajor: 11,
        costModels: MODELS,
        hash: '11'.repeat(32),
        ...changes.parameters
      }
    },
    deposits: { value: [] },
    config: {
      value: {
        mainnet: false,
        cluster: ['127.0.0.1:5001', '127.0.0.1:5002'],
        depositPeriod: 3600,
        depositActivation: 600
      }
    },
    numbers: { value: { first: 7, last: 7, signingSince: null } },
    ...changes.own
  } as NodeFacts
}

/** Facts of a healthy head, with changes. */
export function facts(changes: Changes = {}): HeadFacts {
  return {
    kind: 'layer-sdk/head-facts',
    version: 1,
    at: changes.at ?? NOW,
    nodes: [node(changes), ...(changes.peers ?? [])],
    base: {
      value: {
        coinsPerByte: '4310',
        maxTxSize: 16_384,
        maxValueSize: 5_000,
        protocolMajor: 11,
        costModels: MODELS,
        hash: null,
        ...changes.base
      }
    },
    fuel: { value: changes.fuel ?? [utxo(900, 40n * ADA)] },
    metrics: { value: { lastBlockAt: (changes.at ?? NOW) - 20_000, drift: 3, ...changes.metrics } },
    history: {
      value: {
        complete: true,
        bytes: 1_000,
        transactions: 4,
        entered: { lovelace: '70000000' },
        deposits: [],
        decommitFinalizedAt: null,
        maxDrift: null,
        ...changes.history
      }
    }
  }
}

/** `severity code` of the findings that are not in order. */
export async function found(given: HeadFacts, options?: DiagnoseOptions): Promise<string[]> {
  const { findings } = await diagnose(given, options)
  return told(findings)
}

/** `severity code` of findings that are not in order, each once. */
export const told = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.filter(({ severity }) => severity !== 'ok').map(({ severity, code }) => `${severity} ${code}`))
]
