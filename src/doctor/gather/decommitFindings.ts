import { readTransaction } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { hexToBytes } from '../../codec/hex.js'
import type { LayerBridge } from '../../bridge/inner.js'
import { connectorOf } from '../../bridge/inner.js'
import type { UTxO } from '../../types/utxo.js'
import type { HeadFacts, HeadStateFacts, NodeFacts, Reading, SnapshotFacts } from '../facts/HeadFacts.js'
import { FACTS_VERSION } from '../facts/HeadFacts.js'
import { checkDecommit } from '../judge/checkDecommit.js'
import type { Finding } from '../types.js'
import { NodeReader } from './NodeReader.js'
import { readHeadState } from './readHead.js'
import { readHeadHistory } from './readHeadHistory.js'

/** Lovelace per byte of an output on all public networks; the price in the head itself may be 0. */
const BASE_COINS_PER_BYTE = 4_310
/** Largest transaction of all public networks, and largest value of an output, bytes. */
const BASE_TX_BYTES = 16_384
const BASE_VALUE_BYTES = 5_000

/** A decommit that a client is about to send. */
export interface PlannedDecommit {
  readonly bridge: LayerBridge
  /** CBOR hex. */
  readonly txCbor: string
  readonly signal: AbortSignal
}

/**
 * Judges a decommit by the state of a connected bridge. The node is asked only if tokens leave, to find out if they
 * entered the head. The client itself keeps its decommits in order and its collateral intact, so neither is judged
 * here.
 */
export async function decommitFindings({ bridge, txCbor, signal }: PlannedDecommit): Promise<Finding[]> {
  const { outputs } = decodeTransactionBody(readTransaction(hexToBytes(txCbor, 'txCbor')))
  const hasTokens = outputs.some(({ amount }) => amount.length > 1)
  const connector = connectorOf(bridge)
  const reader = connector === undefined ? null : new NodeReader(connector, 'the node', signal)
  const unread = { unread: 'it was not read for this check' }
  const head: Reading<HeadStateFacts> =
    hasTokens && reader !== null ? await reader.attempt(() => readHeadState(reader)) : unread
  const shown = 'value' in head && head.value.onChain !== null
  const history = hasTokens && !shown && reader !== null ? await reader.attempt(() => readHeadHistory(reader)) : unread
  const { headId, headStatus, nodeVersion } = bridge.getSnapshot()
  const arriving = bridge.snapshotUtxoArray().filter(({ input }) => bridge.isArriving(`${input.txHash}#${input.index}`))
  const node: NodeFacts = {
    name: 'the node',
    greetings: {
      value: {
        nodeVersion,
        headStatus,
        headId,
        party: null,
        otherParties: null,
        synced: null,
        contestationPeriod: null,
        depositPeriod: null,
        depositActivation: null,
        peers: null
      }
    },
    // A decommit in flight is the node's to refuse: the client sends again after it.
    head: 'value' in head ? { value: { ...head.value, decommitTxId: null, version: null } } : head,
    snapshot: { value: snapshotOf(bridge, arriving) },
    parameters: unread,
    deposits: unread,
    config: unread,
    numbers: unread
  }
  const facts: HeadFacts = {
    kind: 'layer-sdk/head-facts',
    version: FACTS_VERSION,
    at: Date.now(),
    nodes: [node],
    base: {
      value: {
        coinsPerByte: String(BASE_COINS_PER_BYTE),
        maxTxSize: BASE_TX_BYTES,
        maxValueSize: BASE_VALUE_BYTES,
        protocolMajor: null,
        costModels: {},
        hash: null
      }
    },
    fuel: unread,
    metrics: unread,
    history: 'value' in history ? { value: { ...history.value, decommitFinalizedAt: null } } : history
  }
  return (await checkDecommit({ facts, txCbor })).filter(({ code }) => code === 'decommit-unpostable')
}

function snapshotOf(bridge: LayerBridge, arriving: readonly UTxO[]): SnapshotFacts {
  return {
    number: Math.max(0, bridge.lastSnapshotNumber),
    version: null,
    utxo: [],
    toCommit: arriving,
    toDecommit: [],
    depositTxId: null
  }
}
