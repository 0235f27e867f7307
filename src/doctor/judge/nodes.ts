import { isLocalHead, isNewerThanHeld, versionProfile } from '../../bridge/inner.js'
import type { HeadFacts, NodeFacts } from '../facts/HeadFacts.js'
import { valueOrNull } from '../facts/HeadFacts.js'
import { LARGE_HISTORY_BYTES, LARGE_HISTORY_TXS, MAINNET_PERIOD, STALLED_AFTER_MS } from '../limits.js'
import type { Finding } from '../types.js'
import { finding, judged, unknowns } from './finding.js'
import { periodOf } from './exit.js'
import type { MeasuredOutput } from './measureOutputs.js'
import type { NodeVersionNumbers } from './outputs.js'

/** Releases that operators are told to replace (GHSA-cg83-6w6r-6hx3). */
const UNVALIDATED: ReadonlySet<string> = new Set(['2.3.0', '2.4.0'])
/** Maximum number of outputs in one step of a fanout. */
const ONE_STEP = 29

/** Returns the version of a node. */
export function versionOf({ greetings }: NodeFacts): NodeVersionNumbers {
  return versionProfile(valueOrNull(greetings)?.nodeVersion).version
}

/** Judges the versions of the nodes: some have a known weakness, others are newer than the rules that are known. */
export function judgeVersions(nodes: readonly NodeFacts[]): readonly Finding[] {
  return nodes.flatMap((node) =>
    judged(node.greetings, ['node-vulnerable', 'node-unknown'], ({ nodeVersion }) => {
      const version = versionOf(node)
      if (version === null || nodeVersion === null)
        return unknowns(['node-vulnerable', 'node-unknown'], `the version of ${node.name} is not known`)
      return judgeVersion(node.name, nodeVersion, version)
    })
  )
}

function judgeVersion(name: string, text: string, version: readonly [number, number, number]): readonly Finding[] {
  const number = version.join('.')
  const parts = { evidence: { nodeVersion: number }, refs: [name] }
  // The local head of this package poses as these versions without their holes.
  const isReal = !isLocalHead(text)
  const showsKey = version[0] === 1 || (version[0] === 2 && version[1] < 2)
  const weak =
    isReal && UNVALIDATED.has(number)
      ? finding('node-vulnerable', 'block', `Node ${number} may sign transactions that were not validated.`, parts)
      : isReal && showsKey
        ? finding('node-vulnerable', 'warn', `Node ${number} shows its signing key to every client.`, parts)
        : finding('node-vulnerable', 'ok', `Node ${number} has no weakness that this package knows.`, parts)
  return [
    weak,
    isNewerThanHeld(text)
      ? finding('node-unknown', 'unknown', `Node ${number} is newer than the newest known rule.`, parts)
      : finding('node-unknown', 'ok', `Node ${number} is known.`, parts)
  ]
}

/** Judges if the nodes are in sync with the base ledger. */
export function judgeSync({ at, nodes, metrics }: HeadFacts): readonly Finding[] {
  return [
    ...nodes.flatMap(({ name, greetings }) =>
      judged(greetings, ['node-unsynced'], ({ synced }) => {
        if (synced === null) return unknowns(['node-unsynced'], `${name} does not state it`)
        return [
          synced
            ? finding('node-unsynced', 'ok', `${name} is in sync with the base ledger.`, { refs: [name] })
            : finding('node-unsynced', 'block', `${name} is catching up with the base ledger.`, { refs: [name] })
        ]
      })
    ),
    ...judged(metrics, ['chain-stalled'], ({ lastBlockAt, drift }) => {
      if (lastBlockAt === null) return unknowns(['chain-stalled'], 'the metrics name no time of the last block')
      const ageMs = at - lastBlockAt
      const evidence = { lastBlockAt, ageMs, drift }
      return [
        ageMs > STALLED_AFTER_MS
          ? finding('chain-stalled', 'warn', 'The newest block is more than 3 minutes old.', { evidence })
          : finding('chain-stalled', 'ok', 'The base ledger moves.', { evidence })
      ]
    })
  ]
}

/** Judges the length of the contestation period, which matters on mainnet. */
export function judgePeriodLength(ownNode: NodeFacts, networkId: number | null): readonly Finding[] {
  const period = periodOf(ownNode)
  if (period === null) return unknowns(['period-short'], 'the contestation period is not known')
  const mainnet = valueOrNull(ownNode.config)?.mainnet ?? (networkId === null ? null : networkId === 1)
  const evidence = { period, mainnet }
  if (period >= MAINNET_PERIOD)
    return [finding('period-short', 'ok', `The contestation period is ${period} s.`, { evidence })]
  if (mainnet === null) return unknowns(['period-short'], 'the network of the base ledger is not known')
  return [
    mainnet
      ? finding('period-short', 'warn', `A contestation period of ${period} s on mainnet.`, { evidence })
      : finding('period-short', 'ok', `The contestation period is ${period} s on a test network.`, { evidence })
  ]
}

/** Judges the known fanout bug of 2.2.0, and the size of the history. */
export function judgeRest(
  { history, nodes: [own] }: HeadFacts,
  outputs: readonly MeasuredOutput[] | null
): readonly Finding[] {
  const found: Finding[] = []
  const version = own === undefined ? null : versionOf(own)
  const text = own === undefined ? null : (valueOrNull(own.greetings)?.nodeVersion ?? null)
  if (version?.join('.') === '2.2.0' && !isLocalHead(text)) {
    const withDatum = outputs?.filter(({ hasDatum }) => hasDatum) ?? []
    const isHit = outputs !== null && outputs.length > ONE_STEP && withDatum.length > 0
    found.push(
      isHit
        ? finding('fanout-known-bug', 'warn', 'Node 2.2.0 fails to pay out datums in more than one step.', {
            evidence: { outputs: outputs.length, withDatum: withDatum.length },
            refs: withDatum.map(({ ref }) => ref)
          })
        : outputs === null
          ? unknowns(['fanout-known-bug'], 'the outputs are not known')[0]!
          : finding('fanout-known-bug', 'ok', 'One step of a fanout, or no datum.')
    )
  } else if (version !== null) found.push(finding('fanout-known-bug', 'ok', 'This version has no known bug of fanout.'))
  return [
    ...found,
    ...judged(history, ['history-size'], ({ bytes, transactions }) => {
      if (bytes === null || transactions === null)
        return unknowns(['history-size'], 'the size of the history was not counted')
      const isLarge = bytes > LARGE_HISTORY_BYTES || transactions > LARGE_HISTORY_TXS
      const evidence = { bytes, transactions }
      return [
        isLarge
          ? finding('history-size', 'warn', 'The stored history of the node is large.', { evidence })
          : finding('history-size', 'ok', 'The stored history of the node is small.', { evidence })
      ]
    })
  ]
}
