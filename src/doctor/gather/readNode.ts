import { bytesToHex } from '../../codec/hex.js'
import { stringifyJson } from '../../codec/json.js'
import { sortMembers } from '../../codec/record.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { ProtocolError } from '../../errors/bridge.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { PayloadOf, WireRecord } from '../../bridge/inner.js'
import { decodePayload, getOwn, isRecord, replayHistory, textIn } from '../../bridge/inner.js'
import type { ConfigFacts, GreetingsFacts, NodeFacts, ParametersFacts, SnapshotNumbers } from '../facts/HeadFacts.js'
import type { GatherTime, NodeReader } from './NodeReader.js'
import { REQUEST_MS } from './NodeReader.js'
import { readHeadState, readConfirmed } from './readHead.js'

/** Reads all sources of one node at once; a source that fails is noted as unread. */
export async function readNode(reader: NodeReader): Promise<Omit<NodeFacts, 'numbers'>> {
  const greetings = await reader.attempt(() => readGreetings(reader))
  const [head, snapshot, parameters, deposits, config] = await Promise.all([
    reader.attempt(() => readHeadState(reader)),
    reader.attempt(() => readConfirmed(reader)),
    reader.attempt(() => readParameters(reader)),
    reader.attempt(() => readDeposits(reader)),
    reader.attempt(() => readConfig(reader))
  ])
  return { name: reader.name, greetings, head, snapshot, parameters, deposits, config }
}

async function readGreetings(reader: NodeReader): Promise<GreetingsFacts> {
  const found: { greetings?: PayloadOf<'Greetings'> } = {}
  const read = (message: string): void => {
    if (!message.includes('"Greetings"')) return
    const payload = decodePayload(message, 0)
    if (payload.tag === 'Greetings') found.greetings = payload
  }
  await replayHistory(reader.connector, false, read, { timeoutMs: REQUEST_MS, signal: reader.signal })
  const { greetings } = found
  if (greetings === undefined) throw new ProtocolError('The first message', { expected: 'Greetings', got: 'another' })
  const { env, networkInfo } = greetings
  // Member by member: nodes from 1.0 to 2.1 show their signing key in `env`.
  return {
    nodeVersion: greetings.layerNodeVersion ?? null,
    headStatus: greetings.headStatus ?? null,
    headId: greetings.layerHeadId ?? null,
    party: env?.party.vkey ?? greetings.me.vkey,
    otherParties: env?.otherParties.map(({ vkey }) => vkey) ?? null,
    synced: greetings.chainSyncedStatus === undefined ? null : greetings.chainSyncedStatus === 'InSync',
    contestationPeriod: env?.contestationPeriod ?? null,
    depositPeriod: env?.depositPeriod ?? null,
    depositActivation: env?.depositActivation ?? null,
    peers: networkInfo === undefined ? null : { ...networkInfo.peersInfo }
  }
}

async function readParameters(reader: NodeReader): Promise<ParametersFacts> {
  const answer = await reader.get('/protocol-parameters')
  if (answer === 'absent' || !isRecord(answer.body))
    throw new ProtocolError('The protocol parameters', { expected: 'an object', got: 'none' })
  const { body } = answer
  const number = (name: string): number => {
    const value = getOwn(body, name)
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    throw new ProtocolError('The protocol parameters', { expected: `a whole number ${name}`, got: typeof value })
  }
  const version = getOwn(body, 'protocolVersion')
  const major = isRecord(version) ? getOwn(version, 'major') : null
  return {
    coinsPerByte: String(number('utxoCostPerByte')),
    maxTxSize: number('maxTxSize'),
    maxValueSize: number('maxValueSize'),
    protocolMajor: typeof major === 'number' ? major : null,
    costModels: costModelsIn(getOwn(body, 'costModels')),
    hash: bytesToHex(blake2b256(utf8ToBytes(stringifyJson(sortMembers(body)))))
  }
}

/** Returns cost models as arrays, which some tools write as objects. */
export function costModelsIn(models: unknown): Record<string, number[]> {
  if (!isRecord(models)) return {}
  return Object.fromEntries(
    Object.entries(models)
      .filter((entry): entry is [string, object] => typeof entry[1] === 'object' && entry[1] !== null)
      .map(([language, model]) => [language, Object.values(model).map(Number)])
  )
}

async function readDeposits(reader: NodeReader): Promise<readonly string[]> {
  const answer = await reader.get('/commits')
  if (answer === 'absent') return []
  const { body } = answer
  if (!Array.isArray(body) || !body.every((id) => typeof id === 'string'))
    throw new ProtocolError('The pending deposits', { expected: 'a list of ids', got: typeof body })
  return body as string[]
}

async function readConfig(reader: NodeReader): Promise<ConfigFacts> {
  const answer = await reader.get('/config')
  if (answer === 'absent' || !isRecord(answer.body))
    throw new ProtocolError('The configuration', { expected: 'an object', got: 'none' })
  const { body } = answer
  const chain = recordIn(body, 'chain')
  const backend = recordIn(chain, 'backend')
  const ownAddress = textIn(body, 'advertise') ?? textIn(body, 'listen')
  const peers = getOwn(body, 'peers')
  const listed = Array.isArray(peers) ? peers.filter((peer): peer is string => typeof peer === 'string') : []
  return {
    mainnet: getOwn(backend, 'mainnet') === true ? true : Object.hasOwn(backend, 'testnet-magic') ? false : null,
    cluster: [...(ownAddress === undefined ? [] : [ownAddress]), ...listed].sort(),
    depositPeriod: numberIn(chain, 'deposit-period'),
    depositActivation: numberIn(chain, 'deposit-activation')
  }
}

const recordIn = (record: WireRecord, name: string): WireRecord => {
  const value = getOwn(record, name)
  return isRecord(value) ? value : {}
}

const numberIn = (record: WireRecord, name: string): number | null => {
  const value = getOwn(record, name)
  return typeof value === 'number' ? value : null
}

/** Number of the newest confirmed snapshot of a node, and if the next one is being signed. */
interface LastSeen {
  readonly confirmed: number
  readonly signing: boolean
}

async function readLastSeen(reader: NodeReader): Promise<LastSeen> {
  const answer = await reader.get('/snapshot/last-seen')
  if (answer === 'absent') return { confirmed: 0, signing: false }
  const body = isRecord(answer.body) ? answer.body : {}
  const tag = textIn(body, 'tag')
  if (tag === 'SeenSnapshot') {
    const number = numberIn(recordIn(body, 'snapshot'), 'number')
    return { confirmed: Math.max(0, (number ?? 1) - 1), signing: true }
  }
  const lastSeen = numberIn(body, 'lastSeen') ?? 0
  return { confirmed: lastSeen, signing: tag === 'RequestedSnapshot' }
}

/** Wait between two readings of a node that is signing, ms. */
const LOOK_MS = 1_000

/** Limits of the wait in {@link readNumbers}. */
interface Patience {
  readonly patienceMs: number
  /** True when transactions of the node wait for a snapshot. */
  readonly hasUnconfirmed: Promise<boolean>
}

/**
 * Reads the snapshot number of a node twice. While a snapshot is being signed, or transactions wait for one, the number
 * is read again for up to `patienceMs`: only so can a snapshot that waits for a party be told from one that is under
 * way.
 */
export async function readNumbers(
  reader: NodeReader,
  time: GatherTime,
  { patienceMs, hasUnconfirmed }: Patience
): Promise<SnapshotNumbers> {
  const since = time.now()
  const first = await readLastSeen(reader)
  const isAwaited = first.signing || (await hasUnconfirmed)
  let last = first
  const isSame = (): boolean => (last.signing || isAwaited) && last.confirmed === first.confirmed
  while (isSame() && time.now() - since < patienceMs) {
    await time.sleep(Math.min(LOOK_MS, patienceMs), reader.signal)
    last = await readLastSeen(reader)
  }
  const stuckSince = isSame() ? since : null
  return {
    first: first.confirmed,
    last: last.confirmed,
    signingSince: last.signing ? stuckSince : null,
    waitingSince: last.signing ? null : stuckSince
  }
}

/** Reads the number of the newest snapshot of a node once more. */
export async function readAgain(reader: NodeReader, numbers: SnapshotNumbers): Promise<SnapshotNumbers> {
  return { ...numbers, last: Math.max(numbers.last, (await readLastSeen(reader)).confirmed) }
}
