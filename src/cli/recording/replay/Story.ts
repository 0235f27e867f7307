import { isJsonRecord } from '../isRecord.js'

/** A decoded message. */
type Message = Readonly<Record<string, unknown>> & { readonly tag: string }

/** A step of a deposit, withdrawal or head: its name and its time, ms since the Unix epoch. */
export interface StoryStep {
  readonly name: string
  readonly timeMs: number
}

/** A deposit or withdrawal from its first step to its last. */
export interface Passage {
  readonly kind: 'deposit' | 'withdrawal'
  readonly txId: string
  readonly steps: StoryStep[]
}

/** Number of payments that were confirmed in one minute, with their ids. */
export interface PaymentMinute {
  readonly minuteMs: number
  count: number
  readonly txIds: string[]
}

/** The events of one head in a recording. */
export interface Chapter {
  readonly headId: string
  readonly steps: StoryStep[]
  readonly passages: Map<string, Passage>
  readonly minutes: PaymentMinute[]
  /** Number of refused inputs and transactions by reason. */
  readonly refusals: Map<string, number>
}

/** Period in which a peer was disconnected; `untilMs` is null when it did not reconnect. */
export interface Absence {
  readonly peer: string
  readonly sinceMs: number
  untilMs: number | null
}

/** Name of the step in a head's life that each message reports. */
const HEAD_STEPS: Readonly<Record<string, string>> = {
  HeadIsInitializing: 'initializing',
  HeadIsOpen: 'open',
  HeadIsClosed: 'closed',
  HeadIsContested: 'contested',
  ReadyToFanout: 'ready to fan out',
  HeadPartiallyFannedOut: 'partially fanned out',
  HeadIsFinalized: 'finalized',
  HeadIsAborted: 'aborted'
}
/** Names of the steps that end a head. */
const HEAD_ENDS = ['finalized', 'aborted']

/** Kind and step of a message about a deposit or withdrawal, with the members that can hold its id. */
const PASSAGES: Readonly<Record<string, readonly [kind: Passage['kind'], step: string, ids: readonly string[]]>> = {
  CommitRecorded: ['deposit', 'recorded', ['pendingDeposit']],
  DepositActivated: ['deposit', 'activated', ['depositTxId']],
  CommitFinalized: ['deposit', 'in the head', ['depositTxId']],
  DepositExpired: ['deposit', 'expired', ['depositTxId']],
  CommitRecovered: ['deposit', 'recovered', ['recoveredTxId']],
  DecommitRequested: ['withdrawal', 'requested', ['decommitTx']],
  DecommitApproved: ['withdrawal', 'approved', ['decommitTxId']],
  DecommitFinalized: ['withdrawal', 'on the base ledger', ['decommitTxId']],
  DecommitInvalid: ['withdrawal', 'refused', ['decommitTx']]
}
const PASSAGE_ENDS = ['in the head', 'recovered', 'on the base ledger', 'refused']

const isOver = ({ steps }: Passage): boolean => PASSAGE_ENDS.includes(steps.at(-1)!.name)

/** Messages about a refusal, each with the member that holds its reason. */
const REFUSALS: Readonly<Record<string, string>> = {
  TxInvalid: 'validationError',
  CommandFailed: 'clientInput',
  InvalidInput: 'reason',
  RejectedInputBecauseUnsynced: 'clientInput',
  RejectedInputBecauseBroadcastStalled: 'stallReason',
  SideLoadSnapshotRejected: 'requirementFailure',
  PostTxOnChainFailed: 'postTxError',
  DecommitInvalid: 'decommitInvalidReason'
}

const MAX_REASON = 120
const MAX_REFUSALS = 50
const MAX_PASSAGES = 10_000
const MAX_STARTS = 1_000
/** Maximum number of payments whose ids are kept; further ones are only counted. */
const MAX_IDS = 100_000
const MINUTE_MS = 60_000

/** Summary of the events in a recording, grouped by head. */
export class Story {
  readonly chapters: Chapter[] = []
  readonly absences: Absence[] = []
  /** Starts of the node, ms since the Unix epoch. */
  readonly starts: number[] = []
  /** Number of refusals that belong to no head, by reason. */
  readonly dropped: Map<string, number> = new Map()
  /** Number of the newest snapshot of each head, so that payments of a repeated snapshot are not counted again. */
  readonly #snapshots = new Map<string, number>()
  #current: Chapter | null = null
  #ids = 0

  add(message: Message): void {
    const { tag } = message
    const timeMs = Date.parse(String(message['timestamp']))
    const chapter = this.#chapterOf(message)
    this.#peer(message, timeMs)
    if (chapter === null) return
    if (tag === 'Greetings' && chapter.steps.length === 0)
      addStep(chapter.steps, `found ${String(message['headStatus'])}`, timeMs)
    if (Object.hasOwn(HEAD_STEPS, tag)) addStep(chapter.steps, HEAD_STEPS[tag]!, timeMs)
    if (tag === 'SnapshotConfirmed') this.#payments(chapter, message, timeMs)
    if (Object.hasOwn(PASSAGES, tag)) passage(chapter, message, timeMs)
    if (Object.hasOwn(REFUSALS, tag)) refusal(chapter, message)
  }

  /** Records a log line that is not a message: a start of the node, or an input that the node dropped. */
  note(tag: string, timeMs: number | null, reason: string): void {
    if (tag === 'EnteringMainloop') {
      if (this.starts.length < MAX_STARTS && timeMs !== null) this.starts.push(timeMs)
    } else count(this.#current?.refusals ?? this.dropped, reason === '' ? tag : `${tag}: ${reason}`)
  }

  /** Unfinished at the end: heads that have not ended, pending deposits and withdrawals, disconnected peers. */
  get open(): { readonly heads: string[]; readonly passages: Passage[]; readonly peers: string[] } {
    return {
      heads: this.chapters
        .filter(({ steps }) => !HEAD_ENDS.includes(steps.at(-1)?.name ?? ''))
        .map(({ headId, steps }) => `${headId} (${steps.at(-1)?.name ?? 'seen'})`),
      passages: this.chapters.flatMap(({ passages }) => [...passages.values()].filter((each) => !isOver(each))),
      peers: this.absences.filter(({ untilMs }) => untilMs === null).map(({ peer }) => peer)
    }
  }

  /** Returns the chapter of the head that a message is about; a message without head belongs to the last one. */
  #chapterOf(message: Message): Chapter | null {
    const headId = message['headId'] ?? message['layerHeadId']
    if (typeof headId !== 'string' || message.tag === 'IgnoredHeadInitializing') return this.#current
    let chapter = this.chapters.find((each) => each.headId === headId)
    if (chapter === undefined) {
      chapter = { headId, steps: [], passages: new Map(), minutes: [], refusals: new Map() }
      this.chapters.push(chapter)
    }
    return (this.#current = chapter)
  }

  #payments(chapter: Chapter, { snapshot }: Message, timeMs: number): void {
    if (!isJsonRecord(snapshot) || !Array.isArray(snapshot['confirmed'])) return
    const number = Number(snapshot['number'])
    if (number <= (this.#snapshots.get(chapter.headId) ?? -1)) return
    this.#snapshots.set(chapter.headId, number)
    const txIds = snapshot['confirmed'].map((tx) => String(isJsonRecord(tx) ? tx['txId'] : tx))
    if (txIds.length === 0) return
    const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS
    let minute = chapter.minutes.at(-1)
    if (minute?.minuteMs !== minuteMs) chapter.minutes.push((minute = { minuteMs, count: 0, txIds: [] }))
    minute.count += txIds.length
    const room = Math.max(0, MAX_IDS - this.#ids)
    minute.txIds.push(...txIds.slice(0, room))
    this.#ids += Math.min(room, txIds.length)
  }

  #peer(message: Message, timeMs: number): void {
    const { tag, peer } = message
    if (tag !== 'PeerConnected' && tag !== 'PeerDisconnected') return
    const name = isJsonRecord(peer) ? `${String(peer['hostname'])}:${String(peer['port'])}` : String(peer)
    const last = this.absences.filter((each) => each.peer === name).at(-1)
    if (tag === 'PeerConnected' && last?.untilMs === null) last.untilMs = timeMs
    if (tag === 'PeerDisconnected' && last?.untilMs !== null)
      this.absences.push({ peer: name, sinceMs: timeMs, untilMs: null })
  }
}

/** Adds a step, unless it is there already because the node sent its history again. */
function addStep(steps: StoryStep[], name: string, timeMs: number): void {
  if (!steps.some((each) => each.name === name && each.timeMs === timeMs)) steps.push({ name, timeMs })
}

function passage(chapter: Chapter, message: Message, timeMs: number): void {
  const [kind, step, ids] = PASSAGES[message.tag]!
  const value = ids.map((name) => message[name]).find((each) => each !== undefined)
  const txId = isJsonRecord(value) ? value['txId'] : value
  // Nodes from 0.21 on name no id: the withdrawal that was approved is the one that is done.
  const existing =
    typeof txId === 'string'
      ? chapter.passages.get(txId)
      : [...chapter.passages.values()].filter((each) => each.kind === kind && !isOver(each)).at(-1)
  if (existing !== undefined) addStep(existing.steps, step, timeMs)
  else if (typeof txId === 'string' && chapter.passages.size < MAX_PASSAGES)
    chapter.passages.set(txId, { kind, txId, steps: [{ name: step, timeMs }] })
}

function refusal(chapter: Chapter, message: Message): void {
  count(chapter.refusals, `${message.tag}: ${textOf(message[REFUSALS[message.tag]!])}`)
}

/** Counts a reason. New reasons beyond the maximum are ignored. */
function count(reasons: Map<string, number>, reason: string): void {
  if (reasons.has(reason) || reasons.size < MAX_REFUSALS) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
}

/** Returns a reason as one short line. */
function textOf(value: unknown): string {
  const inner = isJsonRecord(value) ? (value['reason'] ?? value['validationError'] ?? value['tag']) : value
  const text = typeof inner === 'string' ? inner : isJsonRecord(inner) ? textOf(inner) : 'no reason given'
  const line = text.split(/\s+/).join(' ')
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON)}...`
}
