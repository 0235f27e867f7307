import type { LifeFact, LifeTrace, TracedMessage } from './trace.js'
import { asRecord } from './trace.js'

/** A payment that is confirmed within this time counts as quick, ms. */
const QUICK_MS = 10_000
/** Tolerance for the difference between the clocks of nodes and the local clock, ms. */
const CLOCK_MS = 1_500

/**
 * Returns the times of a life as classes, such as `within two periods`, because the periods themselves differ between
 * heads.
 */
export function timeClasses(trace: LifeTrace): LifeFact[] {
  return [...depositTimes(trace), ...closeTimes(trace), ...paymentTimes(trace)]
}

/** Returns the deadline of a deposit as a number of deposit periods from its draft. */
function depositTimes(trace: LifeTrace): LifeFact[] {
  const env = environmentOf(trace)
  const period = secondsIn(env, 'depositPeriod')
  const recorded = trace.messages.find(({ tag }) => tag === 'CommitRecorded')
  const draft = trace.answers.find(({ route, step }) => route === 'POST /commit' && step === recorded?.step)
  if (period === null || recorded === undefined || draft === undefined) return []
  const activation = secondsIn(env, 'depositActivation')
  const lasts = timeOf(recorded, 'deadline') - draft.sentAt - (activation ?? 0)
  const periods = Math.round(lasts / period)
  const value = `${periods} deposit periods${activation === null ? '' : ' after the activation'}`
  return [{ step: recorded.step, name: 'a deposit can be recovered', value, at: recorded }]
}

/** Returns the classes of a close's deadline, and of the time of ReadyToFanout. */
function closeTimes(trace: LifeTrace): LifeFact[] {
  const closed = trace.messages.find(({ tag }) => tag === 'HeadIsClosed')
  const ready = trace.messages.find(({ tag }) => tag === 'ReadyToFanout')
  const period = secondsIn(environmentOf(trace), 'contestationPeriod')
  const facts: LifeFact[] = []
  if (closed === undefined) return facts
  const deadline = timeOf(closed, 'contestationDeadline')
  if (period !== null) {
    const lasts = deadline - timeOf(closed, 'timestamp')
    const value = lasts < 0 ? 'past' : lasts <= 2 * period + CLOCK_MS ? 'within two periods' : 'later than two periods'
    facts.push({ step: closed.step, name: 'the contestation deadline', value, at: closed })
  }
  if (ready !== undefined) {
    const value = timeOf(ready, 'timestamp') >= deadline - CLOCK_MS ? 'after the deadline' : 'before the deadline'
    facts.push({ step: ready.step, name: 'ReadyToFanout', value, at: ready })
  }
  return facts
}

function paymentTimes({ messages }: LifeTrace): LifeFact[] {
  const inPay = messages.filter(({ step }) => step === 'pay')
  const valid = inPay.find(({ tag }) => tag === 'TxValid')
  const confirmed = inPay.find(({ tag }) => tag === 'SnapshotConfirmed')
  if (valid === undefined || confirmed === undefined) return []
  const value =
    timeOf(confirmed, 'timestamp') - timeOf(valid, 'timestamp') <= QUICK_MS ? 'within 10 s' : 'later than 10 s'
  return [{ step: 'pay', name: 'a snapshot holds the payment', value, at: confirmed }]
}

function environmentOf({ messages }: LifeTrace): Readonly<Record<string, unknown>> | null {
  return asRecord(messages.find(({ tag }) => tag === 'Greetings')?.message['env'])
}

/** Returns a period of the node's `env` in ms; null where it names none. */
function secondsIn(env: Readonly<Record<string, unknown>> | null, name: string): number | null {
  const seconds = env?.[name]
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : null
}

const timeOf = ({ message }: TracedMessage, member: string): number => Date.parse(String(message[member]))
