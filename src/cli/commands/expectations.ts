import { isRecord } from '../../codec/record.js'
import type { HeadClient } from '../../client/index.js'
import { hashParameters, headFile } from '../../setup/inner.js'
import { CommandFailure } from '../usage.js'
import { readTextFile } from './setup/files.js'
import { readNodeConfig } from './setup/nodeConfig.js'

/** Properties of a node that the operators of a head agreed on; a member that is absent is not compared. */
export interface ExpectedNode {
  /** Version of hydra-node, e.g. `2.4.1`; a longer text, such as `2.4.1-099f5dd`, pins the build. */
  readonly nodeVersion?: string
  /** Ids of the transactions that published the head's scripts: hex, 64 characters each, in any order. */
  readonly scripts?: readonly string[]
  /** Hash of the head's protocol parameters: hex, 64 characters. */
  readonly parametersHash?: string
}

/** One comparison of a node with its expected value. `run` resolves with the value, or rejects on a difference. */
export interface Expectation {
  readonly name: string
  run(): Promise<string>
}

const MEMBERS = ['nodeVersion', 'scripts', 'parametersHash']

/**
 * Reads the file of `--expect`: a head file, or an object with at least one of the members of {@link ExpectedNode}.
 *
 * @throws CommandFailure, HeadFileError
 */
export function readExpected(path: string): ExpectedNode {
  let document: unknown
  try {
    document = JSON.parse(readTextFile(path))
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`The file ${path} is not JSON.`)
  }
  if (isRecord(document) && 'version' in document) {
    const { nodeVersion, scripts, parametersHash } = headFile(document)
    // No scripts: the published ones of the network, which each node resolves by itself.
    return { nodeVersion, ...(scripts.length > 0 && { scripts }), ...(parametersHash !== null && { parametersHash }) }
  }
  if (!isRecord(document) || Object.keys(document).length === 0 || !isExpected(document))
    throw new CommandFailure(
      `The file ${path} has to be a head file, or an object of nodeVersion, scripts and parametersHash, of which some may be missing.`
    )
  return document
}

function isExpected(document: Record<string, unknown>): document is Record<string, unknown> & ExpectedNode {
  const { nodeVersion, scripts, parametersHash } = document
  return (
    Object.keys(document).every((name) => MEMBERS.includes(name)) &&
    (nodeVersion === undefined || (typeof nodeVersion === 'string' && /^\d+\.\d+\.\d+/.test(nodeVersion))) &&
    (scripts === undefined || (Array.isArray(scripts) && scripts.length > 0 && scripts.every(isHash))) &&
    (parametersHash === undefined || isHash(parametersHash))
  )
}

const isHash = (text: unknown): boolean => typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text)

/** Returns a comparison with the node for each member of `ExpectedNode` that is present. */
export function expectationsOf(
  { nodeVersion, scripts, parametersHash }: ExpectedNode,
  client: HeadClient,
  node: { readonly url: string; readonly timeoutMs: number }
): Expectation[] {
  const found: Expectation[] = []
  const expect = (name: string, expected: string, read: () => Promise<string>): void => {
    const run = async (): Promise<string> => {
      const got = await read()
      if (got === expected) return got
      throw new CommandFailure(`Expected ${expected}, and the node has ${got}.`)
    }
    found.push({ name: `expect ${name}`, run })
  }
  if (nodeVersion !== undefined)
    expect('nodeVersion', nodeVersion, async () => {
      const text = client.status().nodeVersion ?? 'no version'
      return nodeVersion.includes('-') ? text : (text.split('-')[0] ?? text)
    })
  if (scripts !== undefined) expect('scripts', inOrder(scripts), () => scriptsOf(node.url, node.timeoutMs))
  if (parametersHash !== undefined)
    expect('parametersHash', parametersHash.toLowerCase(), async () =>
      hashParameters(await client.bridge.getRawProtocolParameters())
    )
  return found
}

const inOrder = (ids: readonly string[]): string =>
  ids
    .map((id) => id.toLowerCase())
    .sort()
    .join(',')

/** Returns the ids of the script transactions from the node's configuration. @throws CommandFailure if not shown */
async function scriptsOf(url: string, timeoutMs: number): Promise<string> {
  const config = await readNodeConfig(url, timeoutMs)
  if ('unread' in config) throw new CommandFailure(`The scripts are not known: GET /config gave ${config.unread}.`)
  let chain: unknown
  try {
    chain = (JSON.parse(config.text) as { chain?: unknown }).chain
  } catch {
    throw new CommandFailure('The scripts are not known: GET /config is not JSON.')
  }
  const ids: unknown = isRecord(chain) ? chain['hydra-scripts-tx-id'] : undefined
  if (!Array.isArray(ids) || !ids.every(isHash))
    throw new CommandFailure('The scripts are not known: GET /config names no hydra-scripts-tx-id.')
  return inOrder(ids as string[])
}
