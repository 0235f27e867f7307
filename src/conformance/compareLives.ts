import { decodeLedgerError } from '../client/index.js'
import type { LifeShape } from './shape.js'
import { compareShapes, ShapeCollector } from './shape.js'
import { timeClasses } from './timeClasses.js'
import type { LifeFact, LifeStep, LifeTrace, TracedAnswer, TracedMessage } from './trace.js'
import { LIFE_STEPS, asRecord } from './trace.js'

/** The aspects in which two lives are compared. */
export type ConformanceAspect =
  'outcomes' | 'tags' | 'keys' | 'order' | 'states' | 'answers' | 'refusals' | 'times' | 'signed bytes'

/** A difference between the local head and the node. */
export interface LifeDifference {
  readonly aspect: ConformanceAspect
  /** Step in which the difference first occurred. */
  readonly step: LifeStep | 'connect'
  /** The difference, in one sentence. */
  readonly what: string
  /** First message or answer of each side that shows the difference; null where a side has none. */
  readonly local: TracedMessage | TracedAnswer | null
  readonly node: TracedMessage | TracedAnswer | null
}

/** The result of comparing the lives of the local head and of the node. */
export interface ConformanceReport {
  readonly nodeVersion: string | null
  /** Number of comparisons that held, by aspect. */
  readonly equal: Readonly<Record<ConformanceAspect, number>>
  readonly differs: readonly LifeDifference[]
  readonly notTried: readonly { readonly step: LifeStep; readonly reason: string }[]
}

/** Messages that depend on network and clock: only their keys are compared, and only where both sides have one. */
const LOOSE =
  /^(Peer\w+|Network\w+|NodeSynced|NodeUnsynced|SyncedStatusReport|EventLogRotated|PostTxOnChainFailed|DepositActivated|DepositExpired|IgnoredHeadInitializing)$/

/** Compares the lives of two heads; a step that one side did not try is left out. */
export function compareLives(local: LifeTrace, node: LifeTrace): ConformanceReport {
  const comparison = new Comparison(local, node)
  comparison.steps()
  comparison.keys()
  comparison.facts('refusals', refusalsOf(local), refusalsOf(node))
  comparison.facts('times', timeClasses(local), timeClasses(node))
  comparison.signed()
  return comparison.report()
}

class Comparison {
  readonly #local: LifeTrace
  readonly #node: LifeTrace
  readonly #both: ReadonlySet<LifeStep | 'connect'>
  readonly #differs = new Map<string, LifeDifference>()
  readonly #equal: Record<ConformanceAspect, number> = {
    outcomes: 0,
    tags: 0,
    keys: 0,
    order: 0,
    states: 0,
    answers: 0,
    refusals: 0,
    times: 0,
    'signed bytes': 0
  }

  constructor(local: LifeTrace, node: LifeTrace) {
    this.#local = local
    this.#node = node
    const tried = ({ steps }: LifeTrace, step: LifeStep): boolean => steps.get(step)?.outcome !== 'not tried'
    this.#both = new Set(['connect' as const, ...LIFE_STEPS.filter((step) => tried(local, step) && tried(node, step))])
  }

  report(): ConformanceReport {
    const notTried = LIFE_STEPS.flatMap((step) => {
      const end = [this.#node, this.#local]
        .map(({ steps }) => steps.get(step))
        .find((each) => each?.outcome === 'not tried')
      return end?.outcome === 'not tried' ? [{ step, reason: end.reason }] : []
    })
    return { nodeVersion: this.#node.nodeVersion, equal: this.#equal, differs: [...this.#differs.values()], notTried }
  }

  /** Compares outcomes, tags, order, answers and states, step by step. */
  steps(): void {
    for (const step of this.#both) {
      if (step !== 'connect') this.#outcome(step)
      const [local, node] = [this.#messages(this.#local, step), this.#messages(this.#node, step)]
      this.#tags(step, local, node)
      this.#order(step, local, node)
      this.#answers(step)
    }
  }

  /** Compares the keys, value types and fixed words of messages by tag, and of answers by route. */
  keys(): void {
    const [local, node] = [shapesOf(this.#local, this.#both), shapesOf(this.#node, this.#both)]
    for (const [name, here] of local) {
      const there = node.get(name)
      if (there === undefined) continue
      const found = compareShapes(here.shape, there.shape)
      if (found.length === 0) this.#equal.keys++
      for (const { place, what } of found)
        this.#differ(
          'keys',
          here.first.step,
          `${name}${place === '' ? '' : ` ${place}`}: ${what}.`,
          here.first,
          there.first
        )
    }
  }

  /** Compares the facts that both lives have; two facts belong together by name and step. */
  facts(aspect: ConformanceAspect, local: readonly LifeFact[], node: readonly LifeFact[]): void {
    for (const here of local) {
      const there = node.find(({ name, step }) => name === here.name && step === here.step)
      if (there === undefined || !this.#both.has(here.step)) continue
      if (here.value === there.value) this.#equal[aspect]++
      else {
        const what = `${here.name}: ${here.value} on the local head, ${there.value} on the node.`
        this.#differ(aspect, here.step, what, here.at, there.at)
      }
    }
  }

  /**
   * Compares the verdict on each snapshot of the node with the local head's, which is the same for all its snapshots.
   */
  signed(): void {
    const expected = this.#local.signed[0]
    if (expected === undefined) return
    for (const { step, verdict, at } of this.#node.signed) {
      if (verdict === expected.verdict) this.#equal['signed bytes']++
      else {
        const what = `snapshots: ${expected.verdict} on the local head, ${verdict} on the node.`
        this.#differ('signed bytes', step, what, expected.at, at)
      }
    }
  }

  #outcome(step: LifeStep): void {
    const [local, node] = [endOf(this.#local, step), endOf(this.#node, step)]
    if (local === node) this.#equal.outcomes++
    else this.#differ('outcomes', step, `${step}: ${local} on the local head, ${node} on the node.`, null, null)
  }

  #tags(step: LifeStep | 'connect', local: readonly TracedMessage[], node: readonly TracedMessage[]): void {
    const [here, there] = [firstByTag(local), firstByTag(node)]
    const lacking = [...here.keys()].filter((tag) => !there.has(tag))
    const more = [...there.keys()].filter((tag) => !here.has(tag))
    this.#equal.tags += here.size - lacking.length
    for (let i = 0; i < Math.max(lacking.length, more.length); i++) {
      const [missing, extra] = [lacking[i], more[i]]
      const what =
        missing === undefined
          ? `the node alone sends ${extra!}.`
          : extra === undefined
            ? `the node does not send ${missing}.`
            : `the node sends ${extra} in the place of ${missing}.`
      this.#differ('tags', step, what, here.get(missing ?? '') ?? null, there.get(extra ?? '') ?? null)
    }
  }

  #order(step: LifeStep | 'connect', local: readonly TracedMessage[], node: readonly TracedMessage[]): void {
    const [here, there] = [firstByTag(local), firstByTag(node)]
    const shared = (messages: readonly TracedMessage[]): TracedMessage[] =>
      inOrderOf(step, messages).filter(({ tag }) => here.has(tag) && there.has(tag))
    const [wanted, got] = [shared(local), shared(node)]
    const at = wanted.findIndex(({ tag }, i) => tag !== got[i]?.tag)
    if (at < 0 && wanted.length === got.length) this.#equal.order++
    else {
      const words = (messages: readonly TracedMessage[]): string => messages.map(({ tag }) => tag).join(', ')
      const what = `${words(wanted)} on the local head, ${words(got)} on the node.`
      this.#differ('order', step, what, wanted[at] ?? null, got[at] ?? got.at(-1) ?? null)
    }
  }

  #answers(step: LifeStep | 'connect'): void {
    for (const here of lastAnswers(this.#local, step).values()) {
      const there = lastAnswers(this.#node, step).get(here.route)
      if (there === undefined) continue
      if (here.status !== there.status) {
        const what = `${here.route}: status ${here.status} on the local head, ${there.status} on the node.`
        this.#differ('answers', step, what, here, there)
      } else this.#equal.answers++
      if (here.route !== 'GET /head') continue
      const [state, other] = [stateOf(here), stateOf(there)]
      if (state === other) this.#equal.states++
      else this.#differ('states', step, `head: ${state} on the local head, ${other} on the node.`, here, there)
    }
  }

  /** Returns the messages of a step whose presence and order are compared. */
  #messages({ messages }: LifeTrace, step: LifeStep | 'connect'): TracedMessage[] {
    return messages.filter((message) => message.step === step && !LOOSE.test(message.tag))
  }

  #differ(
    aspect: ConformanceAspect,
    step: LifeDifference['step'],
    what: string,
    local: LifeDifference['local'],
    node: LifeDifference['node']
  ): void {
    const key = `${aspect} ${what}`
    if (!this.#differs.has(key)) this.#differs.set(key, { aspect, step, what, local, node })
  }
}

function firstByTag(messages: readonly TracedMessage[]): Map<string, TracedMessage> {
  const first = new Map<string, TracedMessage>()
  for (const message of messages) if (!first.has(message.tag)) first.set(message.tag, message)
  return first
}

/**
 * Returns the messages whose order is compared. In the step `chain` snapshots arrive at any point, so only the first
 * message of each tag counts.
 */
function inOrderOf(step: LifeStep | 'connect', messages: readonly TracedMessage[]): readonly TracedMessage[] {
  return step === 'chain' ? [...firstByTag(messages).values()] : messages
}

function lastAnswers({ answers }: LifeTrace, step: LifeStep | 'connect'): Map<string, TracedAnswer> {
  return new Map(answers.filter((answer) => answer.step === step).map((answer) => [answer.route, answer]))
}

/** Returns the shapes of messages by tag and of answers by route, each with its first example. */
function shapesOf(
  { messages, answers }: LifeTrace,
  steps: ReadonlySet<LifeStep | 'connect'>
): Map<string, { readonly shape: LifeShape; readonly first: TracedMessage | TracedAnswer }> {
  const found = new Map<string, { collector: ShapeCollector; first: TracedMessage | TracedAnswer }>()
  const collect = (name: string, from: TracedMessage | TracedAnswer, value: unknown): void => {
    if (!steps.has(from.step)) return
    const entry = found.get(name) ?? { collector: new ShapeCollector(), first: from }
    found.set(name, entry)
    entry.collector.add(value)
  }
  for (const each of messages) collect(each.tag, each, withoutOwnAspects(each))
  for (const each of answers) {
    if (each.status < 200 || each.status > 299) continue
    const { tag: _, ...body } = asRecord(each.body) ?? {}
    // The state of the head is an aspect of its own.
    collect(
      `${each.route}${each.route === 'GET /head' ? ` of ${stateOf(each)}` : ''}`,
      each,
      each.route === 'GET /head' ? body : each.body
    )
  }
  return new Map([...found].map(([name, { collector, first }]) => [name, { shape: collector.places, first }]))
}

/** Returns the refusals of a life, each with its reason, decoded to a code. */
function refusalsOf({ messages }: LifeTrace): LifeFact[] {
  return messages.flatMap((at): LifeFact[] => {
    const { tag, message, step } = at
    const fact = (value: string): LifeFact[] => [{ step, name: tag, value, at }]
    if (tag === 'TxInvalid') return fact(ledgerReason(asRecord(message['validationError'])?.['reason']))
    if (tag === 'DecommitInvalid') return fact(String(asRecord(message['decommitInvalidReason'])?.['tag']))
    return []
  })
}

/** Returns a message without the members that other aspects compare: its tag, and the reason of a refused decommit. */
function withoutOwnAspects({ tag, message }: TracedMessage): unknown {
  const { tag: _, ...members } = message
  if (tag !== 'DecommitInvalid') return members
  return { ...members, decommitInvalidReason: null }
}

const ledgerReason = (text: unknown): string => (typeof text === 'string' ? decodeLedgerError('', text).reason : 'none')
const stateOf = ({ body }: TracedAnswer): string => String(asRecord(body)?.['tag'] ?? 'none')
const endOf = ({ steps }: LifeTrace, step: LifeStep): string => {
  const end = steps.get(step)
  return end?.outcome === 'failed' ? `failed (${end.reason})` : (end?.outcome ?? 'not tried')
}
