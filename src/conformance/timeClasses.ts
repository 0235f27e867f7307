import type { LifeFact, LifeTrace, TracedMessage } from './trace.js'
import { asRecord } from './trace.js'

/** Confirmed within this time a payment is quick, ms. */
const QUICK_MS = 10_000
/** Clocks of nodes and of this machine differ, ms. */
const CLOCK_MS = 1_500

/** Times of a life in classes: counted in the node's own periods, which differ between heads. */
export function timeClasses(trace: LifeTrace): LifeFact[] {
  return [...depositTimes(trace), ...closeTimes(trace), ...paymentTimes(trace)]
}

/** Deadline of a deposit, counted from its draft. */
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

/** Deadline of a close, and the message that a fanout may begin. */
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

/** A period of the node, ms. */
function secondsIn(env: Readonly<Record<string, unknown>> | null, name: string): number | null {
  const seconds = env?.[name]
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : null
}

const timeOf = ({ message }: TracedMessage, member: string): number => Date.parse(String(message[member]))
