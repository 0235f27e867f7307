import { parseJson, stringifyJson } from '../../../codec/json.js'
import { LayerSdkError } from '../../../errors/base.js'
import { InvalidArgumentError } from '../../../errors/input.js'
import type { Amount, UTxO } from '../../../types/utxo.js'
import type { PartySettings } from '../../party/PartyNetwork.js'
import type { DevNodeFaults } from '../../settings/faults.js'
import type { ControlledNode } from './ControlledNode.js'
import type { DevNodeState } from '../../saved/document.js'
import { isObject } from '../../json/isObject.js'
import { readFaults } from '../../settings/faults.js'
import { readAmounts, readControlBody, readNumber, readText } from './requests.js'

/** A request to the control of a node, its path without the prefix. */
export interface ControlRequest {
  readonly method: string
  readonly path: string
  /** The body as text; empty when there is none. */
  readonly body: string
}

/** Its answer, in JSON. */
export interface ControlReply {
  /** HTTP status. */
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A node that its control reaches. */
export interface ControllableNode extends ControlledNode {
  readonly faults: DevNodeFaults
  readonly parties: readonly { set(change: Partial<PartySettings>): Readonly<PartySettings> }[]
  fund(address: string, ...outputs: readonly (bigint | readonly Amount[])[]): UTxO[]
  setDrift(driftSeconds: number): void
  committed(): Promise<void>
}

type Body = Readonly<Record<string, unknown>>
type Action = (node: ControllableNode, body: Body) => unknown

/** Route -> method -> its effect and the members of its body. */
const ROUTES: Readonly<
  Record<string, Readonly<Record<string, readonly [members: readonly string[], action: Action]>>>
> = {
  '/status': { GET: [[], (node) => node.status()] },
  '/faucet': { POST: [['address', 'lovelace', 'amount', 'in'], faucet] },
  '/time': { POST: [['advanceMs'], (node, body) => node.advanceTime(readNumber(body, 'advanceMs'))] },
  '/faults': {
    GET: [[], (node) => node.faults],
    PATCH: [['*'], (node, body) => Object.assign(node.faults, readFaults(body))]
  },
  '/drift': { POST: [['seconds'], drift] },
  '/snapshot': { POST: [[], async (node) => ({ id: await node.snapshotState() })] },
  '/revert': { POST: [['id'], revert] },
  '/state': {
    GET: [[], (node) => node.dumpState()],
    PUT: [['*'], (node, body) => node.loadState(body as DevNodeState)]
  },
  '/impersonate': {
    POST: [['address'], async (node, body) => ({ impersonated: await node.impersonate(readText(body, 'address')) })]
  }
}

const PARTY = /^\/parties\/(\d{1,2})$/

function routeOf(path: string): (typeof ROUTES)[string] | undefined {
  if (Object.hasOwn(ROUTES, path)) return ROUTES[path]
  const index = PARTY.exec(path)?.[1]
  if (index === undefined) return undefined
  return { POST: [['silent', 'signDelayMs', 'closeWithOld'], (node, body) => setParty(node, Number(index), body)] }
}

function setParty(node: ControllableNode, index: number, body: Body): unknown {
  const party = node.parties[index]
  if (party === undefined)
    throw new InvalidArgumentError('party', `a number from 0 to ${node.parties.length - 1}`, index)
  return { index, ...party.set(body) }
}

/** Answers a request to the control of a node; never rejects. */
export async function answerControl(
  { method, path, body }: ControlRequest,
  node: ControllableNode
): Promise<ControlReply> {
  const route = routeOf(path)
  if (route === undefined)
    return controlFailure(
      404,
      'NOT_FOUND',
      `The control has no route ${path}: it has ${[...Object.keys(ROUTES), '/parties/{i}'].join(', ')}.`
    )
  const entry = Object.hasOwn(route, method) ? route[method]! : undefined
  if (entry === undefined) {
    const allow = Object.keys(route).join(', ')
    return { ...controlFailure(405, 'METHOD', `${path} takes ${allow}, not ${method}.`), headers: { Allow: allow } }
  }
  const [members, action] = entry
  try {
    const result = await action(node, parseMembers(body, members))
    if (method !== 'GET') await node.committed()
    return { status: 200, body: stringifyJson(result) }
  } catch (error) {
    if (!(error instanceof LayerSdkError)) return controlFailure(500, 'UNEXPECTED', String(error))
    return controlFailure(error.code === 'DEVNODE_STATE' ? 409 : 400, error.code, error.message)
  }
}

/** The members of a JSON object; no body is an object without any. */
function parseMembers(text: string, names: readonly string[]): Body {
  const value = text.trim() === '' ? {} : parseJson(text, 'The body')
  if (!isObject(value)) throw new InvalidArgumentError('body', 'a JSON object', value)
  return names[0] === '*' ? value : readControlBody(value, names)
}

async function faucet(node: ControllableNode, body: Body): Promise<unknown> {
  const { in: where = 'base' } = body
  const address = readText(body, 'address')
  const amounts = readAmounts(body)
  if (where === 'head') return node.fundHead(address, amounts)
  if (where !== 'base') throw new InvalidArgumentError('in', "'base' or 'head'", where)
  return { utxos: node.fund(address, amounts), depositTxId: null }
}

async function revert(node: ControllableNode, body: Body): Promise<unknown> {
  const id = readText(body, 'id')
  await node.revertState(id)
  return { id }
}

function drift(node: ControllableNode, body: Body): unknown {
  const driftSeconds = readNumber(body, 'seconds')
  if (driftSeconds < 0) throw new InvalidArgumentError('seconds', 'a number from 0', driftSeconds)
  node.setDrift(driftSeconds)
  return { synced: driftSeconds === 0, driftSeconds }
}

/** Returns an answer that names the error. */
export function controlFailure(status: number, code: string, message: string): ControlReply {
  return { status, body: stringifyJson({ code, message }) }
}
