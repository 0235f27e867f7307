import { LayerSdkError } from '../../errors/base.js'
import { DevNodeStateError } from '../../errors/devnode.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { isObject } from '../json/isObject.js'
import type { NodeIdentity, StateDocument, StateOwner, StateRoots, StateRows } from './document.js'
import { checksumOf, identityOf, STATE_FORMAT, STATE_VERSION } from './document.js'
import type { ReadState } from './restoreState.js'
import { readState } from './restoreState.js'

/**
 * Reads and checks a state that comes from outside, without changing the node.
 *
 * @throws {@link InvalidArgumentError} on a value that is no such document, is of another version or damaged. @throws
 * {@link DevNodeStateError} on the state of a node with another profile, network, seed, other parties or parameters, or
 * of another fork.
 */
export function readDocument(document: unknown, owner: StateOwner): ReadState {
  const refuse = (expected: string, got: unknown): never => {
    throw new InvalidArgumentError('state', expected, got)
  }
  if (!isObject(document) || document['format'] !== STATE_FORMAT) refuse('a document of dumpState()', typeof document)
  const { version, node, rows, roots, checksum } = document as unknown as StateDocument
  if (version !== STATE_VERSION) refuse(`version ${STATE_VERSION} of the document`, version)
  if (!isObject(node) || !isObject(rows) || !isObject(roots))
    refuse('a document with node, rows and roots', 'one without')
  if (checksumOf({ node, rows, roots }) !== checksum)
    refuse('a document as it was dumped: its checksum', 'another content')
  assertIdentity(node, owner)
  return readChecked(rows, roots, owner, (problem) => refuse('a document that can be read', problem))
}

/** Checks that a state belongs to a node like this one. @throws {@link DevNodeStateError} */
export function assertIdentity(node: NodeIdentity, owner: StateOwner): void {
  const expectedNode = identityOf(owner)
  for (const name of Object.keys(expectedNode) as (keyof NodeIdentity)[]) {
    if (node[name] === expectedNode[name]) continue
    const [expected, got] = [`${name}: ${String(expectedNode[name])}`, `${name}: ${String(node[name])}`].map((text) =>
      text.slice(0, 200)
    ) as [string, string]
    throw new DevNodeStateError('The state is that of another node.', { expected, got })
  }
}

/** Reads a state; `refuse` turns the text of a failure into its error. */
export function readChecked(
  rows: StateRows,
  roots: StateRoots,
  owner: StateOwner,
  refuse: (problem: string) => never
): ReadState {
  try {
    return readState(rows, roots, owner)
  } catch (error) {
    return refuse(error instanceof LayerSdkError ? error.code : String(error))
  }
}
