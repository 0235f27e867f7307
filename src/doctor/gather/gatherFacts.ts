import { InvalidArgumentError } from '../../errors/input.js'
import { readCappedText } from '../../net/cappedBody.js'
import { withTimeLimit } from '../../net/abort.js'
import type { Connector } from '../../bridge/inner.js'
import { connectorOf, WebsocketConnector } from '../../bridge/inner.js'
import type { Fetcher } from '../../types/provider.js'
import type { UTxO } from '../../types/utxo.js'
import type { HeadFacts, MetricsFacts, NodeFacts, ParametersFacts, Reading } from '../facts/HeadFacts.js'
import { FACTS_VERSION } from '../facts/HeadFacts.js'
import type { GatherTime } from './NodeReader.js'
import { NodeReader, reasonOf, REQUEST_MS } from './NodeReader.js'
import { readHeadHistory } from './readHeadHistory.js'
import { costModelsIn, readAgain, readNode, readNumbers } from './readNode.js'

/** A node: its URL, a head client, a bridge, or a connector. */
export type DoctorNode = string | { readonly bridge: object } | object

/** Sources of {@link gatherFacts}; facts from one that is null are unknown. */
export interface GatherOptions {
  readonly head: DoctorNode
  readonly peers: readonly DoctorNode[]
  readonly provider: Fetcher | null
  readonly fuelAddress: string | null
  readonly metricsUrl: string | null
  readonly patienceMs: number
  readonly signal: AbortSignal
  /** History that is known already; left out: it is read from the node. */
  readonly history?: HeadFacts['history']
}

const MAX_PEERS = 20
const MAX_METRICS_BYTES = 4 * 1_024 * 1_024
/** Wait before nodes that show different snapshots are read again, ms. */
const SETTLE_MS = 2_000

/**
 * Reads the facts from all sources, without sending any input. @throws the error of the connection when your own node
 * cannot be read at all; {@link InvalidArgumentError}
 */
export async function gatherFacts(options: GatherOptions, time: GatherTime): Promise<HeadFacts> {
  const { head, peers, signal, patienceMs } = options
  if (peers.length > MAX_PEERS) throw new InvalidArgumentError('peers', `at most ${MAX_PEERS} nodes`, peers.length)
  const ownReader = new NodeReader(toConnector(head, 'head'), 'node 1', signal)
  const others = peers.map((peer, i) => new NodeReader(toConnector(peer, `peers[${i}]`), `node ${i + 2}`, signal))
  const readers = [ownReader, ...others]
  const read = readAll(readers)
  const hasUnconfirmed = read.then(
    ([{ head: state } = { head: null }]) => state !== null && 'value' in state && (state.value?.unconfirmed ?? 0) > 0,
    () => false
  )
  const patience = (each: NodeReader): Parameters<typeof readNumbers>[2] => ({
    patienceMs,
    hasUnconfirmed: each === ownReader ? hasUnconfirmed : Promise.resolve(false)
  })
  const numbers = Promise.all(readers.map((each) => each.attempt(() => readNumbers(each, time, patience(each)))))
  const [first, fuel, base, metrics, history] = await Promise.all([
    read,
    readFuel(options, ownReader),
    readBase(options, ownReader),
    readMetrics(options, ownReader),
    options.history ?? ownReader.attempt(() => readHeadHistory(ownReader)),
    numbers
  ])
  // The own node is the subject: without it there is no report. Of others the rest stands.
  if ('unread' in first[0]!.greetings && 'unread' in first[0]!.head) await ownReader.get('/protocol-parameters')
  const settled = await settle(readers, await numbers, time, signal)
  const nodes: NodeFacts[] = first.map((node, i) => ({ ...node, numbers: settled[i]! }))
  if (isStuck(nodes[0]!)) nodes[0] = { ...nodes[0]!, ...(await signersNow(ownReader)) }
  return {
    kind: 'layer-sdk/head-facts',
    version: FACTS_VERSION,
    at: time.now(),
    nodes,
    base,
    fuel,
    metrics,
    history
  }
}

const readAll = (readers: readonly NodeReader[]): Promise<Omit<NodeFacts, 'numbers'>[]> =>
  Promise.all(readers.map((reader) => readNode(reader)))

const isStuck = ({ numbers }: NodeFacts): boolean =>
  'value' in numbers && (numbers.value.signingSince !== null || numbers.value.waitingSince != null)

/** Reads the signatures and transactions of the waiting snapshot once more. */
async function signersNow(ownReader: NodeReader): Promise<Partial<Pick<NodeFacts, 'head'>>> {
  const { head } = await readNode(ownReader)
  return 'value' in head ? { head } : {}
}

/** Reads nodes that show different snapshots once more, since the head may have moved on between two requests. */
async function settle(
  readers: readonly NodeReader[],
  numbers: readonly NodeFacts['numbers'][],
  time: GatherTime,
  signal: AbortSignal
): Promise<NodeFacts['numbers'][]> {
  const known = new Set(numbers.flatMap((each) => ('value' in each ? [each.value.last] : [])))
  if (known.size < 2) return [...numbers]
  await time.sleep(SETTLE_MS, signal)
  return Promise.all(
    numbers.map(async (each, i) =>
      'value' in each ? readers[i]!.attempt(() => readAgain(readers[i]!, each.value)) : each
    )
  )
}

/** Returns the connector of a node. @throws {@link InvalidArgumentError}, {@link BridgeOptionsError} */
export function toConnector(node: DoctorNode, name: string): Connector {
  if (typeof node === 'string') return new WebsocketConnector({ websocketUrl: node, connectTimeout: REQUEST_MS })
  if (typeof node === 'object' && node !== null) {
    const bridge = 'bridge' in node && typeof node.bridge === 'object' && node.bridge !== null ? node.bridge : node
    const connector = connectorOf(bridge)
    if (connector !== undefined) return connector
    if ('open' in node && 'request' in node && 'capabilities' in node) return node as Connector
  }
  throw new InvalidArgumentError(name, 'a URL, a head client, a bridge or a connector', node)
}

async function readBase({ provider }: GatherOptions, ownReader: NodeReader): Promise<Reading<ParametersFacts>> {
  if (provider === null) return { unread: 'no provider of the base ledger was given' }
  return ownReader.attempt(async () => {
    const found = await withTimeLimit(limits(ownReader, 'the parameters of the base ledger'), (signal) =>
      provider.fetchProtocolParameters({ signal })
    )
    return {
      coinsPerByte: String(found.coinsPerUtxoByte),
      maxTxSize: found.maxTxSize,
      maxValueSize: found.maxValueSize,
      protocolMajor: found.protocolVersion.major,
      costModels: costModelsIn(found.costModels),
      hash: null
    }
  })
}

async function readFuel(
  { provider, fuelAddress }: GatherOptions,
  ownReader: NodeReader
): Promise<Reading<readonly UTxO[]>> {
  if (fuelAddress === null) return { unread: "the address of the node's wallet was not given" }
  if (provider === null) return { unread: 'no provider of the base ledger was given' }
  return ownReader.attempt(() =>
    withTimeLimit(limits(ownReader, "the outputs of the node's wallet"), (signal) =>
      provider.fetchAddressUTxOs(fuelAddress, undefined, { signal })
    )
  )
}

const limits = (
  reader: NodeReader,
  what: string
): { signal: AbortSignal; timeoutMs: number; onTimeout: () => Error } => ({
  signal: reader.signal,
  timeoutMs: REQUEST_MS,
  onTimeout: () => new Error(`${what} did not come within ${REQUEST_MS} ms`)
})

async function readMetrics({ metricsUrl }: GatherOptions, ownReader: NodeReader): Promise<Reading<MetricsFacts>> {
  if (metricsUrl === null) return { unread: 'no URL of the metrics was given' }
  return ownReader.attempt(async () => {
    const text = await withTimeLimit(limits(ownReader, 'the metrics'), async (signal) => {
      const response = await fetch(metricsUrl, { signal, redirect: 'error' })
      if (!response.ok) throw new Error(`the metrics answered with HTTP ${response.status}`)
      return readCappedText(response, MAX_METRICS_BYTES, () => new Error('the metrics are larger than 4 MiB'))
    }).catch((error: unknown) => {
      // The URL may carry a password: its text is not repeated.
      throw new Error(reasonOf(error).replaceAll(metricsUrl, 'the URL'))
    })
    const seconds = metricIn(text, 'hydra_chain_last_block_timestamp_seconds')
    return {
      lastBlockAt: seconds === null || seconds === 0 ? null : seconds * 1_000,
      drift: metricIn(text, 'hydra_chain_drift_seconds')
    }
  })
}

/** Value of a metric in the text format of Prometheus; null where there is none. */
function metricIn(text: string, name: string): number | null {
  const line = new RegExp(`^${name}(?:\\{[^}\\n]*\\})?[ \\t]+([-+.\\deE]+)`, 'm').exec(text)
  const value = line === null ? NaN : Number(line[1])
  return Number.isFinite(value) ? value : null
}
