import type { FindingCode } from '../codes.js'
import type { HeadFacts, NodeFacts } from '../facts/HeadFacts.js'
import { valueOrNull } from '../facts/HeadFacts.js'
import { SILENT_AFTER_MS } from '../limits.js'
import type { Finding } from '../types.js'
import { finding, unknowns } from './finding.js'
import { versionOf } from './nodes.js'

/** A value that has to be the same on all nodes; null where it could not be read. */
interface Comparison {
  readonly code: FindingCode
  readonly name: string
  of(node: NodeFacts): string | null
}

const COMPARISONS: readonly Comparison[] = [
  { code: 'mismatch-version', name: 'version', of: (node) => versionOf(node)?.join('.') ?? null },
  { code: 'mismatch-parameters', name: 'parameters', of: ({ parameters }) => valueOrNull(parameters)?.hash ?? null },
  { code: 'mismatch-parties', name: 'parties', of: partiesOf },
  { code: 'mismatch-periods', name: 'periods', of: periodsOf },
  { code: 'mismatch-peers', name: 'peers', of: ({ config }) => valueOrNull(config)?.cluster.join(' ') ?? null }
]

/** Compares the nodes of one head; returns no finding for a single node. */
export function compareNodes(nodes: readonly NodeFacts[]): readonly Finding[] {
  if (nodes.length < 2) return []
  return COMPARISONS.map(({ code, name, of }) => {
    const values = nodes.map((node) => ({ name: node.name, value: of(node) }))
    const statedValues = values.filter(({ value }) => value !== null)
    const distinct = [...new Set(statedValues.map(({ value }) => value))]
    const evidence = { values: statedValues.map(({ name: node, value }) => `${node}: ${value}`) }
    if (distinct.length > 1)
      return finding(code, 'block', `The nodes differ in their ${name}.`, {
        evidence,
        refs: statedValues.map(({ name: node }) => node)
      })
    const missing = values.filter(({ value }) => value === null).map(({ name: node }) => node)
    if (missing.length > 0) return unknowns([code], `${missing.join(', ')} did not state its ${name}`)[0]!
    return finding(code, 'ok', `The nodes agree in their ${name}.`, { evidence })
  })
}

/** Returns all keys of a node's configuration, and the head that it is in. */
function partiesOf({ greetings }: NodeFacts): string | null {
  const value = valueOrNull(greetings)
  if (value === null || value.party === null || value.otherParties === null) return null
  return `${[value.party, ...value.otherParties].sort().join(' ')} ${value.headId ?? 'no head'}`
}

function periodsOf({ greetings, config }: NodeFacts): string | null {
  const value = valueOrNull(greetings)
  if (value?.contestationPeriod == null) return null
  const deposit = value.depositPeriod ?? valueOrNull(config)?.depositPeriod ?? null
  const activation = value.depositActivation ?? valueOrNull(config)?.depositActivation ?? null
  return `contestation ${value.contestationPeriod}, deposit ${deposit ?? '-'}, activation ${activation ?? '-'}`
}

/** Compares the cost models of the head with those of the base ledger, and checks their lengths. */
export function judgeCostModels({ base, nodes: [own] }: HeadFacts): readonly Finding[] {
  if (own === undefined || 'unread' in own.parameters)
    return unknowns(
      ['cost-models'],
      own === undefined ? 'there is no node' : (own.parameters as { unread: string }).unread
    )
  const { costModels, protocolMajor } = own.parameters.value
  const odd = Object.entries(costModels).filter(
    ([language, model]) => !lengthsOf(language, protocolMajor).includes(model.length)
  )
  const lengths = Object.entries(costModels).map(([language, { length }]) => `${language} ${length}`)
  if (odd.length > 0)
    return [
      finding('cost-models', 'warn', 'The length of a cost model is not one of its version.', {
        evidence: { lengths, protocolMajor },
        refs: odd.map(([language]) => language)
      })
    ]
  if ('unread' in base) return unknowns(['cost-models'], base.unread)
  const other = base.value.costModels
  if (Object.keys(other).length === 0) return unknowns(['cost-models'], 'the provider names no cost models')
  const differing = Object.keys(other).filter((language) => !isSameModel(costModels[language], other[language]))
  return [
    differing.length === 0
      ? finding('cost-models', 'ok', "The head has the base ledger's cost models.", { evidence: { lengths } })
      : finding('cost-models', 'warn', "The head's cost models differ from the base ledger's.", {
          evidence: { lengths, base: differing.map((language) => `${language} ${other[language]!.length}`) },
          refs: differing
        })
  ]
}

/** Lengths that cost models have had from a protocol version on, by language. */
const LENGTHS: Readonly<Record<string, readonly (readonly [number, readonly number[]])[]>> = {
  PlutusV1: [
    [11, [166, 332]],
    [0, [166]]
  ],
  PlutusV2: [
    [11, [175, 185, 332]],
    [0, [175, 185]]
  ],
  PlutusV3: [
    [11, [297, 350]],
    [0, [251, 297]]
  ]
}

function lengthsOf(language: string, protocolMajor: number | null): readonly number[] {
  const rows = LENGTHS[language] ?? []
  return (rows.find(([from]) => (protocolMajor ?? 11) >= from) ?? [0, []])[1]
}

/** Returns true when the head's model begins with all values of the base ledger's; it may have more of them. */
function isSameModel(head: readonly number[] | undefined, base: readonly number[] | undefined): boolean {
  if (head === undefined || base === undefined) return head === base
  return head.slice(0, base.length).every((cost, i) => cost === base[i]) && head.length >= base.length
}

/** Finds parties that do not sign, and nodes that are behind the others. */
export function judgePeers(facts: HeadFacts): readonly Finding[] {
  const [own] = facts.nodes
  if (own === undefined) return unknowns(['peer-silent', 'peer-behind'], 'there is no node')
  return [...judgeSilent(facts.at, own), ...judgeBehind(facts.nodes)]
}

function judgeSilent(at: number, ownNode: NodeFacts): readonly Finding[] {
  if ('unread' in ownNode.numbers) return unknowns(['peer-silent'], ownNode.numbers.unread)
  const { signingSince, waitingSince = null, last } = ownNode.numbers.value
  const head = valueOrNull(ownNode.head)
  const offline = Object.entries(valueOrNull(ownNode.greetings)?.peers ?? {}).filter(([, connected]) => !connected)
  const disconnectedPeers = offline.map(([peer]) => peer)
  const unconfirmed = head?.unconfirmed ?? 0
  if (waitingSince !== null && at - waitingSince >= SILENT_AFTER_MS && unconfirmed > 0) {
    const parties = head?.parties ?? []
    // The party whose turn it is (HeadLogic.hs, isLeader): snapshot 1 is the first one's.
    const leader = parties[last % parties.length]
    return [
      finding('peer-silent', 'warn', 'Transactions have waited for more than 30 s, and no snapshot was requested.', {
        evidence: { confirmed: last, unconfirmed, waitingMs: at - waitingSince, disconnectedPeers },
        refs: leader === undefined ? [] : [leader]
      })
    ]
  }
  if (signingSince === null || at - signingSince < SILENT_AFTER_MS)
    return [finding('peer-silent', 'ok', 'No snapshot waits for a signature.', { evidence: { confirmed: last } })]
  const signers = head?.signing?.signers ?? []
  const missing = (head?.parties ?? []).filter((key) => !signers.includes(key))
  return [
    finding('peer-silent', 'warn', 'A snapshot has waited for more than 30 s for signatures.', {
      evidence: {
        confirmed: last,
        requested: head?.signing?.number ?? null,
        waitingMs: at - signingSince,
        signers,
        disconnectedPeers
      },
      refs: missing
    })
  ]
}

function judgeBehind(nodes: readonly NodeFacts[]): readonly Finding[] {
  if (nodes.length < 2) return []
  const nodeNumbers = nodes.flatMap(({ name, numbers }) => ('value' in numbers ? [{ name, ...numbers.value }] : []))
  const most = nodeNumbers.reduce((max, { first }) => Math.max(max, first), -1)
  // Later than the others' first look it still shows less: not the time between two requests.
  const behind = nodeNumbers.filter(({ last }) => last < most)
  const evidence = { numbers: nodeNumbers.map(({ name, last }) => `${name} ${last}`) }
  if (behind.length > 0)
    return [
      finding('peer-behind', 'warn', 'A node shows an older snapshot than others have shown before.', {
        evidence,
        refs: behind.map(({ name }) => name)
      })
    ]
  if (nodeNumbers.length < nodes.length) {
    const missing = nodes.filter(({ numbers }) => 'unread' in numbers).map(({ name }) => name)
    return unknowns(['peer-behind'], `${missing.join(', ')} could not be read`)
  }
  return [finding('peer-behind', 'ok', 'All nodes show the same snapshot, or later ones.', { evidence })]
}
