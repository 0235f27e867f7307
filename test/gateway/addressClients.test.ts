import { parseJson, stringifyJson } from '../../src/codec/json'
import { MESSAGES } from '../../src/bridge/protocol/messageTable'
import { membersOf } from '../../src/gateway/edge/addressMembers'
import { Fanout } from '../../src/gateway/edge/Fanout'
import { HeadView } from '../../src/gateway/edge/HeadView'
import { resolveLimits } from '../../src/gateway/limits'
import { Metrics } from '../../src/gateway/Metrics'
import type { MessageRecord, SnapshotRecord } from '../../src/gateway/records'
import { nodeSamples } from '../support/nodeMessages'
import type { NodeSample } from '../support/nodeMessages'
import { sampleTx } from '../support/sampleTx'
import { fakeClient } from './fakeClient'
import type { FakeClient } from './fakeClient'

const OWN = 'addr_test1vqzqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqpqg3v3'
/** Sample transactions spend from and pay it. */
const STRANGER = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const MARK = 424_242_424_242
const REF = `${'cd'.repeat(32)}#0`
const planted = {
  address: STRANGER,
  value: { lovelace: MARK },
  datum: null,
  inlineDatum: { bytes: 'decade42' },
  referenceScript: null
}
/** Forms in which outputs of others may stand somewhere. */
const PLANTS: readonly unknown[] = [planted, { [REF]: planted }, [planted], stringifyJson(planted)]
const OWN_TX = sampleTx(1)
const FULL = process.env['LAYER_SDK_FULL'] === '1'

type Path = readonly (string | number)[]

/** Paths of all members, one for each form: references, policies and places in lists that differ alone are one. */
function pathsOf(value: unknown): Path[] {
  const found = new Map<string, Path>()
  const walk = (at: unknown, path: Path): void => {
    if (typeof at !== 'object' || at === null) return
    for (const name of Object.keys(at)) {
      const next = [...path, Array.isArray(at) ? Number(name) : name]
      const form = next
        .map((part) => (typeof part === 'number' ? '[]' : /^[0-9a-f]*(#\d+)?$/i.test(part) ? '<hex>' : part))
        .join('.')
      if (found.has(form)) continue
      found.set(form, next)
      walk((at as Record<string, unknown>)[name], next)
    }
  }
  walk(value, [])
  return [...found.values()]
}

/** The same value with another one at a path; its parts are copied, the rest is shared. */
function withAt(value: any, [head, ...rest]: Path, plant: unknown): unknown {
  if (head === undefined) return plant
  const copy = Array.isArray(value) ? [...value] : { ...value }
  copy[head] = withAt(value[head], rest, plant)
  return copy
}

/**
 * Every variant of a message with something planted: in the place of each member, and as a new member of each object.
 */
function* variantsOf(message: object): Generator<object> {
  for (const plant of PLANTS) {
    yield { ...message, aNewMember: plant }
    yield { ...message, tag: 'ANewTag', aNewMember: plant }
    for (const path of pathsOf(message)) {
      if (path[0] === 'tag') continue
      yield withAt(message, path, plant) as object
      const at = path.reduce((part: any, name) => part[name], message)
      if (typeof at === 'object' && at !== null && !Array.isArray(at))
        yield withAt(message, [...path, 'aNewMember'], plant) as object
    }
  }
}

/** The outputs of a message become the client's own in part, so that something of it is for the client. */
function withOwnOutputs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwnOutputs)
  if (typeof value !== 'object' || value === null) return value
  const record = value as Record<string, unknown>
  const members = Object.entries(record).map(([name, member]) => [name, withOwnOutputs(member)] as const)
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === 'address' && typeof member === 'string' ? OWN : member])
  )
}

function tagFrom({ file, value }: NodeSample): string {
  return typeof value.tag === 'string' ? value.tag : file.includes('Greetings') ? 'Greetings' : 'InvalidInput'
}

/** Our own messages and the node's, one of each tag and version; big ones in part unless everything is asked for. */
function samples(): NodeSample[] {
  const found = new Map<string, NodeSample>()
  for (const sample of nodeSamples(/ServerOutput\/|Greetings\/|\/messages|ReasonablySized_TimedServerOutput/)) {
    const name = `${sample.file.split('/')[0]} ${tagFrom(sample)}`
    const size = stringifyJson(sample.value).length
    if (size < 1_500_000 && (!found.has(name) || (FULL && size < 200_000)))
      found.set(FULL ? `${name} ${found.size}` : name, sample)
  }
  return [...found.values()]
}

describe('a client of mode address', () => {
  let view: HeadView
  let fanout: Fanout
  let fake: FakeClient
  beforeEach(() => {
    view = new HeadView()
    view.load({
      position: { headId: 'aa', number: 0, version: 0 },
      utxo: {},
      greetings: { tag: 'Greetings', headStatus: 'Open' },
      connected: true
    })
    fanout = new Fanout(view, resolveLimits(), new Metrics())
    fake = fakeClient({ mode: 'address', addresses: [OWN] })
    fake.client.addOwn(OWN_TX.txId)
    fanout.add(fake.client)
  })

  const record = (message: object): MessageRecord => ({
    kind: 'message',
    message: message as never,
    addresses: [OWN],
    txIds: [OWN_TX.txId]
  })
  const shown = (): string => fake.texts.splice(0).join('\n')
  const expectNothingOfStranger = (text: string, from: unknown): void => {
    const leaks = [STRANGER, String(MARK), 'decade42'].filter((secret) => text.includes(secret))
    if (leaks.length > 0)
      throw new Error(`${leaks.join(', ')} in ${text.slice(0, 2_000)}\nof ${stringifyJson(from).slice(0, 2_000)}`)
  }

  it('never receives an output of another address, wherever a message of any version carries one', () => {
    const tags = new Set<string>()
    let variants = 0
    for (const { value } of samples()) {
      const message = withOwnOutputs(value) as Record<string, unknown>
      for (const variant of variantsOf(message)) {
        const asText = stringifyJson(variant)
        fanout.apply(record(parseJson(asText) as object))
        // Texts for people, of the client's own refused transaction, may hold anything but an address of others.
        const text = shown()
        if (asText.includes(JSON.stringify(stringifyJson(planted)).slice(1, -1))) expect(text).not.toContain(STRANGER)
        else expectNothingOfStranger(text, variant)
        variants++
      }
      tags.add(String(message['tag']))
    }
    expect(tags.size).toBeGreaterThan(25)
    expect(variants).toBeGreaterThan(2_000)
  })

  it('never receives an output of another address in a snapshot, wherever it stands', () => {
    let number = 0
    let variants = 0
    for (const { value } of samples().filter((sample) => tagFrom(sample) === 'SnapshotConfirmed')) {
      const own = withOwnOutputs(value) as { snapshot: Record<string, unknown> }
      const output = { ...planted, address: OWN, value: { lovelace: 7 } }
      const full = {
        ...own,
        snapshot: {
          ...own.snapshot,
          confirmed: [OWN_TX, sampleTx(2)],
          utxoToCommit: { [REF]: output },
          depositTxId: 'ab'.repeat(32)
        }
      }
      for (const variant of variantsOf(full)) {
        const message = parseJson(stringifyJson(variant)) as Record<string, any>
        if (message['tag'] !== 'SnapshotConfirmed' || message['snapshot']?.constructor !== Object) continue
        number++
        const plain = { ...message, snapshot: { ...message['snapshot'], headId: 'aa' } }
        const key = `${'0'.repeat(60)}${String(number).padStart(4, '0')}#0`
        const snapshot: SnapshotRecord = {
          ...{
            kind: 'snapshot',
            headId: 'aa',
            number,
            version: 0,
            from: number - 1,
            message: plain,
            spent: {},
            count: number
          },
          made: { [key]: { ...output, aNewMember: planted } as never },
          txs: [OWN_TX, sampleTx(2)].map(({ txId }) => ({ txId, spendsFrom: [], pays: [] }))
        }
        fanout.apply(snapshot)
        const text = shown()
        expect(text).not.toContain(STRANGER)
        expect(text).toContain(key)
        if (!stringifyJson(variant).includes('\\"address'))
          expectNothingOfStranger(text.replaceAll('decade42', ''), variant)
        variants++
      }
    }
    fanout.sendSnapshot(fake.client, 'resync')
    expect(fake.sent.at(-1).utxo).toBeDefined()
    expectNothingOfStranger(shown().replaceAll('decade42', ''), 'GatewaySnapshot')
    expect(variants).toBeGreaterThan(200)
  })

  it('receives its own: outputs, verdicts and reasons, as the node sent them', () => {
    const utxo = { [REF]: { ...planted, address: OWN } }
    const messages = [
      {
        tag: 'TxValid',
        headId: 'aa',
        transactionId: OWN_TX.txId,
        transaction: OWN_TX,
        seq: 1,
        timestamp: '2026-01-01T00:00:00Z'
      },
      { tag: 'TxInvalid', headId: 'aa', transaction: OWN_TX, validationError: { reason: 'BadInputsUTxO' }, utxo },
      {
        tag: 'CommitRecorded',
        headId: 'aa',
        utxoToCommit: utxo,
        pendingDeposit: 'ab'.repeat(32),
        deadline: '2026-01-01T00:00:00Z'
      },
      {
        tag: 'DecommitInvalid',
        headId: 'aa',
        decommitTx: OWN_TX,
        decommitInvalidReason: { tag: 'DecommitTxInvalid', localUTxO: utxo, validationError: { reason: 'x' } }
      },
      { tag: 'CommandFailed', clientInput: { tag: 'NewTx', transaction: OWN_TX } },
      { tag: 'HeadIsFinalized', headId: 'aa', utxo }
    ]
    for (const message of messages) fanout.apply(record(message))
    expect(fake.sent).toEqual(messages)
  })

  it('does not receive the bytes of a transaction that is neither its own nor touches its addresses, whatever id the message states', () => {
    const other = sampleTx(2)
    fanout.apply(record({ tag: 'TxValid', transactionId: OWN_TX.txId, transaction: { ...other, txId: OWN_TX.txId } }))
    fanout.apply(
      record({ tag: 'TxInvalid', transaction: { ...other, txId: OWN_TX.txId }, validationError: { reason: 'x' } })
    )
    expect(fake.sent).toMatchObject([{ transaction: { txId: OWN_TX.txId } }, { transaction: { txId: OWN_TX.txId } }])
    expect(shown()).not.toContain(other.cborHex)
    const snapshot = { headId: 'aa', number: 1, version: 0, confirmed: [{ ...other, txId: OWN_TX.txId }] }
    fanout.apply({
      ...{ kind: 'snapshot', headId: 'aa', number: 1, version: 0, from: 0, spent: {}, made: {}, count: 0 },
      message: { tag: 'SnapshotConfirmed', headId: 'aa', snapshot },
      txs: [{ txId: OWN_TX.txId, spendsFrom: [], pays: [] }]
    })
    expect(shown()).not.toContain(other.cborHex)
  })

  it('does not make a payment its own by asking for the recovery of its id', () => {
    const other = sampleTx(2)
    fake.client.addRecovering(other.txId)
    fanout.apply({
      kind: 'message',
      message: { tag: 'TxValid', transactionId: other.txId, transaction: { ...other } },
      addresses: [STRANGER],
      txIds: [other.txId]
    })
    expect(fake.sent).toEqual([])
    const refused = { tag: 'CommandFailed', clientInput: { tag: 'Recover', recoverTxId: other.txId } }
    fanout.apply({
      kind: 'message',
      message: { ...refused, state: { utxo: { [REF]: planted } } },
      addresses: [],
      txIds: [other.txId]
    })
    expect(fake.sent).toEqual([refused])
  })

  it('does not receive a message of a tag that the gateway does not know; a client of the whole head does', () => {
    const whole = fakeClient({ mode: 'delta' })
    fanout.add(whole.client)
    const message = { tag: 'ANewTag', outputs: { [REF]: planted } }
    fanout.apply({ kind: 'message', message, addresses: null, txIds: [] })
    expect(fake.sent).toEqual([])
    expect(whole.sent).toEqual([message])
  })

  it('has a list of members for every message of the node that the package knows', () => {
    const composed = ['Greetings', 'SnapshotConfirmed']
    const tags = Object.entries(MESSAGES).filter(([tag, row]) => !('source' in row) && !composed.includes(tag))
    expect(tags.filter(([tag]) => membersOf(tag) === undefined)).toEqual([])
  })
})
