import { parseJson } from '../../codec/json.js'
import { isRecord } from '../../codec/record.js'
import { describeValue } from '../../errors/base.js'
import { HeadFactsError } from '../../errors/doctor.js'
import type { HeadFacts } from './HeadFacts.js'
import { FACTS_VERSION } from './HeadFacts.js'

/** Maximum number of nodes in one document: your own and 20 others. */
const MAX_NODES = 21
/** Members of a document, and below of a node, that are readings. */
const SOURCES = ['base', 'fuel', 'metrics', 'history'] as const
const NODE_SOURCES = ['greetings', 'head', 'snapshot', 'parameters', 'deposits', 'config', 'numbers'] as const

/**
 * Reads and checks saved facts: a JSON text, or the value parsed from one.
 *
 * @throws {@link HeadFactsError} on a document that does not hold facts, is damaged, or is of a newer version
 * @example
 * ```ts no-run
 * import { checkHead, readHeadFacts } from 'layer-sdk/doctor'
 * const { facts } = await checkHead({ head: 'ws://127.0.0.1:4001' })
 * const again = readHeadFacts(JSON.stringify(facts))
 * ```
 */
export function readHeadFacts(document: unknown): HeadFacts {
  const facts = typeof document === 'string' ? parsed(document) : document
  if (!isRecord(facts)) throw new HeadFactsError('an object', describeValue(facts))
  if (facts['kind'] !== 'layer-sdk/head-facts')
    throw new HeadFactsError("kind 'layer-sdk/head-facts'", describeValue(facts['kind']))
  const { version, at, nodes } = facts
  if (version !== FACTS_VERSION)
    throw new HeadFactsError(`version ${FACTS_VERSION}`, `version ${describeValue(version)}; update layer-sdk`)
  if (typeof at !== 'number' || !Number.isFinite(at)) throw new HeadFactsError('at: ms', describeValue(at))
  if (!Array.isArray(nodes) || nodes.length === 0 || nodes.length > MAX_NODES)
    throw new HeadFactsError(`nodes: 1 to ${MAX_NODES}`, describeValue(nodes))
  for (const name of SOURCES) assertReading(facts[name], name)
  for (const [i, node] of (nodes as unknown[]).entries()) assertNode(node, `nodes[${i}]`)
  const { base, fuel, history } = facts as unknown as HeadFacts
  if ('value' in base) assertParameters(base.value, 'base')
  if ('value' in fuel) assertOutputs(fuel.value, 'fuel')
  if ('value' in history) {
    assertArray(history.value.deposits, 'history.deposits')
    assertQuantities(history.value.entered, 'history.entered')
  }
  return facts as unknown as HeadFacts
}

function parsed(text: string): unknown {
  try {
    return parseJson(text, 'The facts')
  } catch (error) {
    throw new HeadFactsError('JSON', `${text.length} characters that are not`, error)
  }
}

/** Asserts `{ value }` or `{ unread }`. */
function assertReading(reading: unknown, name: string): asserts reading is { value: unknown } | { unread: string } {
  if (isRecord(reading) && 'value' in reading !== (typeof reading['unread'] === 'string')) return
  throw new HeadFactsError(`${name}: { value } or { unread }`, describeValue(reading))
}

function assertNode(node: unknown, name: string): void {
  if (!isRecord(node) || typeof node['name'] !== 'string')
    throw new HeadFactsError(`${name}: a node with a name`, describeValue(node))
  for (const source of NODE_SOURCES) {
    assertReading(node[source], `${name}.${source}`)
    const reading = node[source]
    const isNone = 'value' in reading && reading.value === null
    if (isNone && source !== 'snapshot') throw new HeadFactsError(`${name}.${source}.value`, 'null')
    if ('value' in reading && !isNone && typeof reading.value !== 'object')
      throw new HeadFactsError(`${name}.${source}.value: an object`, describeValue(reading.value))
  }
  const { snapshot, parameters, deposits, head, config } = node as unknown as HeadFacts['nodes'][number]
  if ('value' in snapshot && snapshot.value !== null)
    for (const set of ['utxo', 'toCommit', 'toDecommit'] as const)
      assertOutputs(snapshot.value[set], `${name}.snapshot.${set}`)
  if ('value' in parameters) assertParameters(parameters.value, `${name}.parameters`)
  if ('value' in deposits) assertArray(deposits.value, `${name}.deposits`)
  if ('value' in config) assertArray(config.value.cluster, `${name}.config.cluster`)
  if (!('value' in head)) return
  assertOutputs(head.value.wallet, `${name}.head.wallet`)
  assertArray(head.value.parties, `${name}.head.parties`)
  if (head.value.onChain !== null) assertQuantities(head.value.onChain, `${name}.head.onChain`)
}

function assertParameters(value: { costModels: unknown; coinsPerByte: unknown }, name: string): void {
  if (!isRecord(value) || !isRecord(value.costModels) || !isQuantity(value.coinsPerByte))
    throw new HeadFactsError(`${name}: parameters of a ledger`, describeValue(value))
  for (const [language, model] of Object.entries(value.costModels)) assertArray(model, `${name}.${language}`)
}

function assertArray(value: unknown, name: string): asserts value is unknown[] {
  if (!Array.isArray(value)) throw new HeadFactsError(`${name}: an array`, describeValue(value))
}

const isQuantity = (value: unknown): boolean => typeof value === 'string' && /^-?\d{1,40}$/.test(value)

function assertQuantities(value: unknown, name: string): void {
  if (isRecord(value) && Object.values(value).every(isQuantity)) return
  throw new HeadFactsError(`${name}: quantities by unit`, describeValue(value))
}

function assertOutputs(value: unknown, name: string): void {
  assertArray(value, name)
  for (const utxo of value) if (!isOutput(utxo)) throw new HeadFactsError(`${name}: outputs`, describeValue(utxo))
}

function isOutput(utxo: unknown): boolean {
  if (!isRecord(utxo) || !isRecord(utxo['input']) || !isRecord(utxo['output'])) return false
  const { txHash, index } = utxo['input']
  const { address, amount } = utxo['output']
  if (typeof txHash !== 'string' || typeof index !== 'number' || typeof address !== 'string') return false
  return (
    Array.isArray(amount) &&
    amount.every((each: unknown) => isRecord(each) && typeof each['unit'] === 'string' && isQuantity(each['quantity']))
  )
}
