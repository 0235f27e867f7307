import { parseTextEnvelope, parseVerificationKey } from '../codec/textEnvelope.js'
import { bytesToHex } from '../codec/hex.js'
import { nearestName } from '../codec/nearestName.js'
import { isRecord } from '../codec/record.js'
import { describeValue, isLayerError } from '../errors/base.js'
import { HeadFileError } from '../errors/setup.js'
import { hashJson } from './canonicalJson.js'
import { MAX_FILE_CHARACTERS, MAX_PARTIES } from './limits.js'
import type { HeadNetwork } from './network.js'
import { parseNetwork } from './network.js'
import { hasDepositActivation, versionFamily } from './nodeOptions/nodeOptionsOf.js'
import { isPeer } from './peers.js'

/** A party of a head, by its public keys and address; no secrets. */
export interface HeadParty {
  /** Name among the parties: letters, digits, `-` and `_`, at most 40. */
  readonly name: string
  /** Hydra verification key: hex, 64 characters. */
  readonly hydraVkey: string
  /** Verification key of the node's wallet on the base ledger: hex, 64 characters. */
  readonly cardanoVkey: string
  /** Address that the other nodes reach: `host:port`. */
  readonly peer: string
}

/** All settings that the parties of a head have to agree on before it opens: the content of `head.json`. No secrets. */
export interface HeadFile {
  /** Version of the form of this document: 1. */
  readonly version: 1
  /** `mainnet`, `preprod`, `preview`, or the magic number of another test network. */
  readonly network: HeadNetwork
  /** Version of hydra-node that all parties run, e.g. `2.4.1`. */
  readonly nodeVersion: string
  /**
   * Transactions that published the scripts of the head: hex, 64 characters each; empty: those published for `network`.
   */
  readonly scripts: readonly string[]
  /** Contestation period with its unit, as on the command line of the node: `43200s`. */
  readonly contestationPeriod: string
  /** Deposit period with its unit: `3600s`. */
  readonly depositPeriod: string
  /** Period until a deposit is active, with its unit: `3600s`; null for nodes before 2.4, which have no such period. */
  readonly depositActivation: string | null
  /**
   * Hash of the head's protocol parameters, as {@link headParameters} returns it: hex, 64 characters; null while not
   * agreed on.
   */
  readonly parametersHash: string | null
  /** Parties of the head, in the order of their hydra keys: at least one, at most 29. */
  readonly parties: readonly HeadParty[]
}

const MEMBERS: readonly (keyof HeadFile)[] = [
  'version',
  'network',
  'nodeVersion',
  'scripts',
  'contestationPeriod',
  'depositPeriod',
  'depositActivation',
  'parametersHash',
  'parties'
]
const PARTY_MEMBERS: readonly (keyof HeadParty)[] = ['name', 'hydraVkey', 'cardanoVkey', 'peer']

/**
 * Reads a head file: its text, or the parsed document. Keys may also be given as the content of their `.vk` files
 * (`{ type, description, cborHex }`). The result is checked, canonical (parties in the order of their hydra keys, hex
 * in small letters) and frozen.
 *
 * @throws {@link HeadFileError} with the member's path for anything else: a secret key (its content is never repeated),
 * one key, name or peer address twice, a period without its `s`, an unknown member, text above 1 MiB
 * @example
 * ```ts
 * import { headFile } from 'layer-sdk/setup'
 * const file = headFile({
 *   version: 1, network: 'preprod', nodeVersion: '2.4.1', scripts: [],
 *   contestationPeriod: '43200s', depositPeriod: '3600s', depositActivation: '3600s', parametersHash: null,
 *   parties: [{ name: 'alice', hydraVkey: 'aa'.repeat(32), cardanoVkey: 'bb'.repeat(32), peer: 'alice.example:5001' }]
 * })
 * console.log(file.parties.length) // 1
 * ```
 */
export function headFile(input: unknown): HeadFile {
  const document = membersOf(typeof input === 'string' ? parseText(input) : input, 'head file', MEMBERS)
  if (document['version'] !== 1) refuse('version', '1, the form that this package knows', document['version'])
  const network = parseNetwork(document['network'])
  if (network === null) refuse('network', 'mainnet, preprod, preview or a magic number', document['network'])
  const nodeVersion = document['nodeVersion']
  if (typeof nodeVersion !== 'string' || versionFamily(nodeVersion) === null)
    refuse('nodeVersion', 'a version of hydra-node, e.g. 2.4.1', nodeVersion)
  const file: HeadFile = {
    version: 1,
    network,
    nodeVersion,
    scripts: Object.freeze(listOf(document['scripts'], 'scripts').map((id, i) => hex(id, `scripts[${i}]`))),
    contestationPeriod: period(document['contestationPeriod'], 'contestationPeriod', 1),
    depositPeriod: period(document['depositPeriod'], 'depositPeriod', 1),
    depositActivation: activation(document['depositActivation'], nodeVersion),
    parametersHash: document['parametersHash'] == null ? null : hex(document['parametersHash'], 'parametersHash'),
    parties: partiesOf(document['parties'])
  }
  if (file.scripts.length === 0 && typeof network === 'number')
    refuse('scripts', 'the transactions that published the scripts: a test network of its own has no known ones', [])
  return Object.freeze(file)
}

/**
 * Returns a head file as text: indented by two spaces, members in a fixed order, a newline at the end. Equal files give
 * equal texts.
 *
 * @throws {@link HeadFileError} when it is no head file
 * @example
 * ```ts no-run
 * import { formatHeadFile, headFile } from 'layer-sdk/setup'
 * console.log(formatHeadFile(headFile(text)) === text)
 * ```
 */
export function formatHeadFile(input: unknown): string {
  return `${JSON.stringify(headFile(input), null, 2)}\n`
}

/**
 * Returns the hash of a head file, which the parties compare over another channel to see that they have the same file.
 *
 * @returns `hash`: BLAKE2b-256 of its canonical JSON, hex, 64 characters. `aloud`: the first half of it in eight groups
 * of four, to read aloud.
 * @throws {@link HeadFileError} when it is no head file
 * @example
 * ```ts no-run
 * import { hashHeadFile } from 'layer-sdk/setup'
 * console.log(hashHeadFile(text).aloud) // eight groups of four characters
 * ```
 */
export function hashHeadFile(input: unknown): { readonly hash: string; readonly aloud: string } {
  const hash = hashJson(headFile(input))
  return { hash, aloud: hash.slice(0, 32).match(/.{4}/g)!.join(' ') }
}

function parseText(text: string): unknown {
  if (text.length > MAX_FILE_CHARACTERS)
    throw new HeadFileError('head file', 'a text of at most 1 MiB', `${text.length} characters`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Without `cause`: the parser's message quotes the text, which may be a key file.
    throw new HeadFileError('head file', 'JSON', 'text that is not JSON')
  }
}

/** Returns the members of an object; an unknown one is refused, with the nearest known name. */
function membersOf(value: unknown, path: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) refuse(path, 'an object', value)
  if (isSecret(value)) refuse(path, 'public things alone', null, 'the file of a signing key')
  for (const name of Object.keys(value as object)) {
    if (names.includes(name)) continue
    const near = nearestName(name, names)
    const shown = /^[A-Za-z]\w{0,23}$/.test(name) ? `the member ${name}` : `a member of ${name.length} characters`
    refuse(path, `the members ${names.join(', ')}`, null, near === null ? shown : `${shown} (did you mean ${near}?)`)
  }
  return Object.assign(Object.create(null) as object, value) as Readonly<Record<string, unknown>>
}

const isSecret = (value: unknown): boolean => /SigningKey/.test(String((value as { type?: unknown }).type))

function partiesOf(value: unknown): readonly HeadParty[] {
  const list = listOf(value, 'parties')
  if (list.length === 0 || list.length > MAX_PARTIES)
    refuse('parties', `1 to ${MAX_PARTIES} parties`, null, `${list.length}`)
  const parties = list.map((each, i): HeadParty => {
    const path = `parties[${i}]`
    const { name, hydraVkey, cardanoVkey, peer } = membersOf(each, path, PARTY_MEMBERS)
    if (typeof name !== 'string' || !/^[A-Za-z0-9][\w-]{0,39}$/.test(name))
      refuse(`${path}.name`, 'letters, digits, - and _, at most 40', name)
    if (!isPeer(peer)) refuse(`${path}.peer`, 'host:port, e.g. alice.example:5001', peer)
    return Object.freeze({
      name,
      hydraVkey: vkey(hydraVkey, `${path}.hydraVkey`, /^HydraVerificationKey/),
      cardanoVkey: vkey(cardanoVkey, `${path}.cardanoVkey`, /^PaymentVerificationKey/),
      peer
    })
  })
  for (const member of ['name', 'peer'] as const) refuseTwice(parties, member, (party) => [party[member]])
  // A hydra key where a Cardano key belongs is a mistake as well.
  refuseTwice(parties, 'key', ({ hydraVkey, cardanoVkey }) => [hydraVkey, cardanoVkey])
  return Object.freeze(parties.sort((a, b) => (a.hydraVkey < b.hydraVkey ? -1 : 1)))
}

function refuseTwice(
  parties: readonly HeadParty[],
  what: string,
  valuesOf: (party: HeadParty) => readonly string[]
): void {
  const owners = new Map<string, string>()
  for (const party of parties)
    for (const value of valuesOf(party)) {
      const owner = owners.get(value)
      if (owner !== undefined)
        refuse('parties', `a ${what} of its own for each party`, null, `one ${what} of ${owner} and ${party.name}`)
      owners.set(value, party.name)
    }
}

/** Returns the raw key from hex or from a key file. A signing key is refused as such, and never repeated. */
function vkey(value: unknown, path: string, type: RegExp): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase()
  const expected = 'a verification key: hex of 64 characters, or the content of its .vk file'
  if (typeof value !== 'object' || value === null) refuse(path, expected, value)
  if (isSecret(value)) refuse(path, expected, null, 'a signing key, which is secret')
  try {
    const envelope = parseTextEnvelope(value, path)
    if (envelope.type !== '' && !type.test(envelope.type)) refuse(path, expected, null, 'a key of another role')
    return bytesToHex(parseVerificationKey(envelope, path).publicKey)
  } catch (error) {
    if (!isLayerError(error) || error instanceof HeadFileError) throw error
    refuse(path, expected, null, 'a key file that cannot be read')
  }
}

function period(value: unknown, path: string, least: number): string {
  if (typeof value !== 'string' || !/^\d{1,9}s$/.test(value) || parseInt(value, 10) < least)
    refuse(path, `a number of seconds from ${least} with its unit, e.g. 43200s`, value)
  return `${parseInt(value, 10)}s`
}

function activation(value: unknown, nodeVersion: string): string | null {
  if (hasDepositActivation(nodeVersion)) return period(value, 'depositActivation', 0)
  if (value != null) refuse('depositActivation', `null: nodes of ${nodeVersion} have no such period`, value)
  return null
}

function hex(value: unknown, path: string): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value)) refuse(path, 'hex of 64 characters', value)
  return value.toLowerCase()
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) refuse(path, 'a list', value)
  return value
}

function refuse(path: string, expected: string, got: unknown, said?: string): never {
  throw new HeadFileError(path, expected, said ?? describeValue(got))
}
