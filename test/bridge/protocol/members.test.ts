import { LayerBridge } from 'layer-sdk/bridge'
import { parseJson, stringifyJson } from '../../../src/codec/json.js'
import { FakeConnector } from '../../support/fakeConnector'
import { NODE_VERSIONS, nodeSamples } from '../../support/nodeMessages'
import { hasShared, readShared } from '../../support/vectors'

/** What the bridge cannot do without, by tag; `a|b`: one of them is enough. Every other member may be missing. */
const ESSENTIAL: Record<string, string[]> = {
  Greetings: ['headStatus'],
  SnapshotConfirmed: ['snapshot', 'snapshot.number|snapshot.snapshotNumber'],
  TxValid: ['transaction|transactionId', 'transaction.txId|transactionId'],
  TxInvalid: ['transaction', 'transaction.txId'],
  CommandFailed: ['clientInput', 'clientInput.tag'],
  RejectedInputBecauseUnsynced: ['clientInput', 'clientInput.tag'],
  RejectedInputBecauseBroadcastStalled: ['clientInput', 'clientInput.tag'],
  SideLoadSnapshotRejected: ['clientInput', 'clientInput.tag'],
  SyncedStatusReport: ['synced'],
  ...Object.fromEntries(
    [
      'HeadIsOpen',
      'HeadIsClosed',
      'HeadIsContested',
      'HeadIsFinalized',
      'HeadIsInitializing',
      'HeadIsAborted',
      'ReadyToFanout',
      'HeadPartiallyFannedOut'
    ].map((tag) => [tag, ['headId']])
  )
}
/** Members whose own members are removed too. */
const NESTED = [
  'snapshot',
  'transaction',
  'clientInput',
  'validationError',
  'postTxError',
  'decommitInvalidReason',
  'requirementFailure'
]

type Json = Record<string, any>

/** The smallest message of each tag of a version, as its JSON text. */
function messagesOf(version: string): Map<string, string> {
  const found = new Map<string, string>()
  const paths = new RegExp(
    `^${version.replaceAll('.', '\\.')}/(ServerOutput|Greetings|ClientMessage|[A-Za-z_]*TimedServerOutput)`
  )
  for (const { value } of nodeSamples(paths)) {
    const tag: string = value.tag ?? 'Greetings'
    const text = stringifyJson({ ...value, tag })
    if (text.length < (found.get(tag)?.length ?? Infinity)) found.set(tag, text)
  }
  return found
}

/** Messages that no golden file has: the node's clients get them, and their form is read from its source. */
function derived(): Map<string, string> {
  const messages = parseJson(readShared('node/golden/derived/client-messages-and-http.master.json')) as Record<
    string,
    Json
  >
  const tagged = Object.values(messages).filter((message) => typeof message?.['tag'] === 'string')
  return new Map(tagged.map((message) => [message['tag'] as string, stringifyJson(message)]))
}

function pathsOf(message: Json): string[] {
  return Object.keys(message)
    .filter((name) => name !== 'tag')
    .flatMap((name) => {
      const inner = message[name]
      const nested =
        NESTED.includes(name) && typeof inner === 'object' && inner !== null
          ? Object.keys(inner).map((key) => `${name}.${key}`)
          : []
      return [name, ...nested]
    })
}

const at = (message: Json, path: string): unknown => path.split('.').reduce<any>((value, key) => value?.[key], message)

function without(text: string, path: string): Json {
  const message = parseJson(text) as Json
  const [name, inner] = path.split('.') as [string, string?]
  if (inner === undefined) delete message[name]
  else delete message[name][inner]
  return message
}

/** An essential member is gone when none of its spellings is left. */
const lacksEssential = (message: Json, tag: string): boolean =>
  (ESSENTIAL[tag] ?? []).some((names) =>
    names.split('|').every((path) => at(message, path) === undefined || at(message, path) === null)
  ) ||
  (tag === 'SnapshotConfirmed' &&
    ['confirmed', 'confirmedTransactions', 'utxo'].every((name) => at(message, `snapshot.${name}`) === undefined)) ||
  (['NewTx', 'Decommit', 'Recover'].includes(message['clientInput']?.tag) &&
    echoedId(message['clientInput']) === undefined)

const echoedId = (input: Json): unknown =>
  input['transaction']?.txId ?? input['decommitTx']?.txId ?? input['recoverTxId']

/** What a connected bridge makes of a message. */
async function deliver(message: Json): Promise<{ delivered: Json[]; problems: Error[] }> {
  const connector = new FakeConnector()
  const bridge = new LayerBridge({ connector })
  const delivered: Json[] = []
  const problems: Error[] = []
  const connected = bridge.connect()
  connector.last.greet({ headStatus: 'Open', hydraHeadId: 'ab', snapshotUtxo: {} })
  await connected
  // Not before: a slow first handler would put off the next delivery.
  bridge.events.on('onMessage', (payload) => {
    delivered.push(payload)
  })
  bridge.events.on('onProtocolError', (error) => {
    problems.push(error)
  })
  connector.last.listener.onMessage(stringifyJson(message))
  await bridge.disconnect()
  return { delivered, problems }
}

describe('a message without one of its members', () => {
  const sources = [
    ...NODE_VERSIONS.map((version) => [version, messagesOf] as const),
    ...(hasShared ? [['derived', derived] as const] : [])
  ]

  it.each(sources)('is delivered unless the member is essential (%s)', async (version, read) => {
    const messages = read(version)
    expect(messages.size).toBeGreaterThan(version === 'derived' ? 3 : 15)
    const wrong: string[] = []
    for (const [tag, text] of messages) {
      for (const path of pathsOf(parseJson(text) as Json)) {
        const message = without(text, path)
        const essential = lacksEssential(message, tag)
        const { delivered, problems } = await deliver(message)
        const asExpected = essential
          ? delivered.length === 0 && problems.length === 1
          : problems.length === 0 && delivered[0]?.['tag'] === tag
        if (!asExpected) wrong.push(`${tag} without ${path}: ${problems[0]?.message ?? 'delivered'}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('covers every tag that any version sends', () => {
    const tags = new Set(sources.flatMap(([version, read]) => [...read(version).keys()]))
    expect(tags.size).toBeGreaterThan(38)
  })
})
