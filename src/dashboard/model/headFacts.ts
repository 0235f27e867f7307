import type { HeadFacts, ParametersFacts } from '../../doctor/inner.js'
import { depositsOf, FACTS_VERSION } from '../../doctor/inner.js'
import type { FundsLog } from '../../doctor/inner.js'
import type { ClientStatus, UTxO } from '../../client/index.js'
import type { NodeInfo } from './Session.js'

/**
 * Figures of the base ledger: the page has no provider to read them, so they are mainnet's, as on the test networks.
 */
const BASE_LEDGER: ParametersFacts = {
  coinsPerByte: '4310',
  maxTxSize: 16_384,
  maxValueSize: 5_000,
  protocolMajor: null,
  costModels: {},
  hash: null
}

/** State of a session, from which the facts come. */
export interface FactsInput {
  /** ms since the epoch. */
  readonly at: number
  readonly status: Pick<ClientStatus, 'nodeVersion' | 'headStatus' | 'headId' | 'snapshotNumber' | 'synced' | 'parties'>
  readonly node: Pick<NodeInfo, 'greetings' | 'contestationPeriod' | 'drift'>
  /** All outputs of the head; null without one. */
  readonly utxos: readonly UTxO[] | null
  /** True for an output of the pending deposit, `'txHash#index'`. */
  readonly isArriving: (ref: string) => boolean
  readonly funds: FundsLog
  /** Valid transactions that no snapshot holds. */
  readonly unconfirmed: number
}

/** Returns the facts that a page knows about its head; those that it does not read are marked as unread. */
export function headFacts(input: FactsInput): HeadFacts {
  const { at, status, node, utxos, funds, unconfirmed } = input
  const { env, networkInfo } = node.greetings ?? {}
  const decommit = funds.decommits.find(({ step }) => step === 'requested' || step === 'approved')
  const unread = { unread: 'this page does not read it; `layer-sdk doctor` does' } as const
  const period = node.contestationPeriod ?? env?.contestationPeriod ?? null
  const refOf = ({ input: { txHash, index } }: UTxO): string => `${txHash}#${index}`
  return {
    kind: 'layer-sdk/head-facts',
    version: FACTS_VERSION,
    at,
    nodes: [
      {
        name: 'this node',
        greetings: {
          value: {
            nodeVersion: status.nodeVersion,
            headStatus: status.headStatus,
            headId: status.headId,
            party: env?.party.vkey ?? null,
            otherParties: env?.otherParties.map(({ vkey }) => vkey) ?? null,
            synced: status.synced,
            contestationPeriod: period,
            depositPeriod: env?.depositPeriod ?? null,
            depositActivation: env?.depositActivation ?? null,
            peers: networkInfo === undefined ? null : { ...networkInfo.peersInfo }
          }
        },
        head: {
          value: {
            headStatus: status.headStatus ?? 'Idle',
            headId: status.headId,
            parties: status.parties ?? [],
            contestationPeriod: period,
            version: null,
            decommitTxId: decommit?.id ?? null,
            depositTxId: null,
            unconfirmed,
            signing: null,
            onChain: null,
            wallet: []
          }
        },
        snapshot: {
          value:
            utxos === null
              ? null
              : {
                  number: Math.max(0, status.snapshotNumber ?? 0),
                  version: null,
                  utxo: utxos.filter((utxo) => !input.isArriving(refOf(utxo))),
                  toCommit: utxos.filter((utxo) => input.isArriving(refOf(utxo))),
                  toDecommit: decommit?.utxo ?? [],
                  depositTxId: funds.snapshotDeposit?.depositTxId ?? null
                }
        },
        parameters: unread,
        deposits: { value: funds.pendingIds },
        config: unread,
        numbers: unread
      }
    ],
    base: { value: BASE_LEDGER },
    fuel: unread,
    metrics: unread,
    history: {
      value: {
        complete: funds.complete,
        bytes: null,
        transactions: null,
        entered: Object.fromEntries([...funds.entered].map(([unit, quantity]) => [unit, String(quantity)])),
        deposits: depositsOf(funds),
        decommitFinalizedAt: funds.decommits.reduce<number | null>(
          (newest, { times }) => (times.finalized === undefined ? newest : Math.max(newest ?? 0, times.finalized)),
          null
        ),
        maxDrift: node.drift
      }
    }
  }
}
