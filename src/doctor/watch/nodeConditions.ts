import type { Finding } from '../types.js'
import type { Holding } from './Conditions.js'
import type { NodeWatch } from './NodeWatch.js'
import type { ReadRule } from './rules.js'

/**
 * Returns the conditions of a node that hold now under a rule; null where it is not known, so that alerts stay as they
 * are.
 */
export function nodeConditions(rule: ReadRule, node: NodeWatch, now: number): readonly Holding[] | null {
  if (rule.code !== null) return findingConditions(rule, node)
  if (rule.kind === 'event') return eventConditions(rule, node)
  switch (rule.on) {
    case 'connection-lost':
      return node.lostSince === null ? [] : [connectionLost(node)]
    case 'withdrawal-stuck':
      return node.openDecommits.map(({ id, since }) => ({
        subject: id,
        heldMs: Math.max(0, now - since),
        what: 'A withdrawal is not on the base ledger.',
        evidence: { txId: id, since, node: node.name },
        remedy: 'layer-sdk doctor --before decommit names the reason; an approved withdrawal cannot be taken back.'
      }))
    case 'snapshot-stalled':
      return node.waitingAt === null ? [] : [stalled(node.waitingAt, node.name)]
    case 'unverified':
      return node.forged === null ? [] : [forged(node.forged, node.name)]
    case 'post-failed':
      return node.failedPosts.map((kind) => ({
        subject: kind,
        what: `The node could not post ${kind} to the base ledger, and no result has followed.`,
        evidence: { kind, node: node.name },
        remedy: "Check the node's wallet (layer-sdk doctor --fuel ADDRESS) and its log, then repeat the step."
      }))
    default:
      return []
  }
}

const connectionLost = ({ name }: NodeWatch): Holding => ({
  subject: '',
  what: 'The node cannot be read: a close would not be seen here.',
  evidence: { node: name },
  remedy: 'Start the node, or check the way to it; another node of the head can be watched beside it.'
})

const stalled = (number: number, name: string): Holding => ({
  subject: String(number),
  what: `Transactions wait, and no snapshot has followed number ${number}.`,
  evidence: { snapshotNumber: number, node: name },
  remedy: 'layer-sdk doctor names the party that does not sign.'
})

const forged = ({ number, reason }: { number: number; reason: string }, name: string): Holding => ({
  subject: '',
  what: `Snapshot ${number} is not signed by all parties: ${reason}.`,
  evidence: { snapshotNumber: number, reason, node: name },
  remedy: 'Do not act on what this node shows; compare it with another node of the head.'
})

function findingConditions({ code, threshold }: ReadRule, { findings, name }: NodeWatch): readonly Holding[] | null {
  const ruleFindings = findings.filter((finding) => finding.code === code)
  if (ruleFindings.length === 0) return null
  // Unknown is neither in order nor an alert.
  if (ruleFindings.every(({ severity }) => severity === 'unknown')) return null
  return ruleFindings
    .filter(({ severity, refs, omitted }) => {
      const isBad = severity === 'block' || severity === 'warn'
      return isBad && (threshold <= 1 || refs.length + omitted >= threshold)
    })
    .map((finding) => ({
      subject: '',
      what: finding.what,
      evidence: { ...plain(finding.evidence), code: finding.code, weight: finding.severity, node: name },
      remedy: finding.remedy
    }))
    .slice(0, 1)
}

function plain(evidence: Finding['evidence']): Holding['evidence'] & object {
  return Object.fromEntries(
    Object.entries(evidence).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value])
  )
}

/** Shortest time in which occurrences of an event are counted, ms; an alert about an event lasts as long. */
const LEAST_EVENT_MS = 60_000

function eventConditions({ on, forMs, threshold }: ReadRule, node: NodeWatch): readonly Holding[] {
  const withinMs = Math.max(forMs, LEAST_EVENT_MS)
  const count = node.countEvents(on, withinMs)
  if (count < threshold) return []
  return [
    {
      subject: '',
      // Its time is the one in which events are counted: the condition need not hold besides.
      heldMs: forMs,
      what: `The node said ${on}${count > 1 ? ` ${count} times` : ''}.`,
      evidence: { event: on, count, node: node.name },
      remedy:
        'The messages of a node are in the reference of its protocol; layer-sdk doctor shows the state of the head.'
    }
  ]
}
