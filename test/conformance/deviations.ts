import type { Connector } from '../../src/bridge'

type Json = Record<string, any>
/** Changes a message: null drops it, a list sends several. */
type Change = (message: Json) => Json | null | readonly Json[]

/** A way in which a node differs from the local head, and the aspect under which it is found. */
export interface Deviation {
  readonly aspect: string
  readonly message?: () => Change
  readonly answer?: (path: string, status: number, body: any) => { status: number; body: any }
}

const of =
  (tag: string, change: Change): (() => Change) =>
  () =>
  (message) =>
    message.tag === tag ? change(message) : message
const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString()
const answerOf =
  (
    wanted: string,
    change: (body: any, status: number) => { status: number; body: any }
  ): NonNullable<Deviation['answer']> =>
  (path, status, body) =>
    path === wanted ? change(body, status) : { status, body }

/** Fifteen, each of which is one difference. */
export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  'a message that is not sent': { aspect: 'tags', message: of('CommitApproved', () => null) },
  'a message more': {
    aspect: 'tags',
    message: of('HeadIsOpen', (message) => [message, { ...message, tag: 'HeadIsWarm' }])
  },
  'a message of another name': {
    aspect: 'tags',
    message: of('DecommitRequested', (message) => ({ ...message, tag: 'WithdrawalRequested' }))
  },
  'a member that lacks': {
    aspect: 'keys',
    message: of('HeadIsFinalized', ({ seq: _, ...message }) => message)
  },
  'a member more': {
    aspect: 'keys',
    message: of('SnapshotConfirmed', (message) => ({ ...message, snapshot: { ...message.snapshot, weight: 7 } }))
  },
  'a number as text': {
    aspect: 'keys',
    answer: answerOf('/protocol-parameters', (body, status) => ({
      status,
      body: { ...body, collateralPercentage: String(body.collateralPercentage) }
    }))
  },
  'another word': {
    aspect: 'keys',
    answer: answerOf('/snapshot/last-seen', (body, status) => ({
      status,
      body: body.tag === 'LastSeenSnapshot' ? { ...body, tag: 'NewestSnapshot' } : body
    }))
  },
  'another order': {
    aspect: 'order',
    message: () => {
      let held: Json | null = null
      return (message) => {
        if (message.tag === 'SnapshotConfirmed' && Object.keys(message.snapshot.utxoToDecommit ?? {}).length > 0)
          return (held ??= message) === message ? null : message
        if (message.tag !== 'DecommitApproved' || held === null) return message
        return [message, held]
      }
    }
  },
  'another state': {
    aspect: 'states',
    answer: answerOf('/head', (body, status) => ({
      status,
      body: body.tag === 'Closed' ? { ...body, tag: 'Closing' } : body
    }))
  },
  'another reason of a payment': {
    aspect: 'refusals',
    message: of('TxInvalid', (message) => ({ ...message, validationError: { reason: 'FeeTooSmallUTxO' } }))
  },
  'another reason of a decommit': {
    aspect: 'refusals',
    message: of('DecommitInvalid', (message) => ({
      ...message,
      decommitInvalidReason: { ...message.decommitInvalidReason, tag: 'DecommitTooSoon' }
    }))
  },
  'a fanout before the deadline': {
    aspect: 'times',
    message: of('ReadyToFanout', (message) => ({ ...message, timestamp: later(message.timestamp, -20_000) }))
  },
  'another deadline of deposits': {
    aspect: 'times',
    message: of('CommitRecorded', (message) => ({ ...message, deadline: later(message.deadline, 1_200_000) }))
  },
  'a signature over other bytes': {
    aspect: 'signed bytes',
    message: of('SnapshotConfirmed', (message) => ({
      ...message,
      signatures: { multiSignature: message.signatures.multiSignature.map(() => '00'.repeat(64)) }
    }))
  },
  'another status of an answer': {
    aspect: 'answers',
    answer: answerOf('/config', () => ({ status: 404, body: 'Resource not found' }))
  }
}

/** A connector to a node that deviates in these ways. */
export function deviating(inner: Connector, deviations: readonly Deviation[]): Connector {
  const changes = deviations.flatMap(({ message }) => (message === undefined ? [] : [message()]))
  const answers = deviations.flatMap(({ answer }) => (answer === undefined ? [] : [answer]))
  const changed = (message: Json): Json[] =>
    changes.reduce<Json[]>(
      (messages, change) =>
        messages.flatMap((each) => {
          const result = change(each)
          return result === null ? [] : Array.isArray(result) ? [...(result as Json[])] : [result as Json]
        }),
      [message]
    )
  return {
    capabilities: inner.capabilities,
    open: (listener, options) =>
      inner.open(
        {
          onOpen: (details) => listener.onOpen(details),
          onInvalid: (error) => listener.onInvalid(error),
          onActivity: () => listener.onActivity(),
          onClose: (error) => listener.onClose(error),
          onMessage(message) {
            for (const each of changed(JSON.parse(message as string) as Json)) listener.onMessage(JSON.stringify(each))
          }
        },
        options
      ),
    async request(request) {
      const reply = await inner.request(request)
      if (request.method !== 'GET' || reply.text === '') return reply
      const parsed = { status: reply.status, body: JSON.parse(reply.text) as unknown }
      const { status, body } = answers.reduce((now, answer) => answer(request.path, now.status, now.body), parsed)
      return { ...reply, status, text: JSON.stringify(body) }
    }
  }
}
