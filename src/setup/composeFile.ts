import { byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { SetupFinding } from './check/SetupFinding.js'
import { blocks, warns } from './check/SetupFinding.js'
import { checkNodeArguments, peersOf } from './checkNodeArguments.js'
import { isLoopbackHost } from './peers.js'
import { readYaml } from './yaml/readYaml.js'
import type { YamlMap, YamlValue } from './yaml/YamlValue.js'

/** A service of a compose file that runs hydra-node. */
export interface NodeService {
  /** Name of the service. */
  readonly name: string
  /** Image with its tag or digest; null where the service names none. */
  readonly image: string | null
  /** Words of the command line of the service. */
  readonly args: readonly string[]
  /** Published ports, as the file writes them. */
  readonly ports: readonly string[]
}

/** A finding about a service. */
export interface ServiceFinding extends SetupFinding {
  /** Name of the service; null where it is about several. */
  readonly service: string | null
}

/** Options by which the command line of a node is recognised: it has at least one of them. */
const NODE_WORDS = ['--hydra-signing-key', '--hydra-verification-key', '--node-id', '--offline-head-seed', '--peer']

/**
 * Returns the services of a compose file that run hydra-node, recognised by the name of the image or by the options.
 *
 * @throws {@link InvalidArgumentError} when it cannot be read
 */
export function nodeServices(text: string): NodeService[] {
  const document = readYaml(text, 'compose file')
  const services = mapOf(mapOf(document)?.get('services'))
  if (services === null) throw new InvalidArgumentError('compose file', 'a mapping with services', byType(document))
  return [...services].flatMap(([name, service]): NodeService[] => {
    const members = mapOf(service)
    if (members === null) return []
    const args = wordsOf(members.get('command'))
    const image = members.get('image')
    const isNode =
      (typeof image === 'string' && /(^|\/)hydra-node[:@]/.test(image)) ||
      args.some((word) => NODE_WORDS.includes(word))
    if (!isNode || args.length === 0) return []
    return [{ name, image: typeof image === 'string' ? image : null, args, ports: textsOf(members.get('ports')) }]
  })
}

/**
 * Checks every node in a compose file: its options, for the version of its image unless `nodeVersion` names one; its
 * published ports; and its peers, which have to be the same set for all nodes of a network.
 *
 * @throws {@link InvalidArgumentError} when it cannot be read
 * @example
 * ```ts no-run
 * import { checkCompose } from 'layer-sdk/setup'
 * for (const { code, what } of checkCompose({ text: composeYaml })) console.log(code, what)
 * ```
 */
export function checkCompose({
  text,
  nodeVersion
}: {
  text: string
  nodeVersion?: string | undefined
}): ServiceFinding[] {
  const services = nodeServices(text)
  const findings: ServiceFinding[] = []
  const published = new Map<string, string>()
  for (const { name, args, ports } of services) {
    const words = args.map(withVariables)
    for (const finding of checkNodeArguments({ args: words, nodeVersion, container: true }))
      findings.push({ ...finding, service: name })
    for (const port of ports) findings.push(...checkPort(name, port, words, published))
  }
  const sets = services.map(({ name, args }) => ({
    name,
    peers: peersOf({ args: args.map(withVariables), nodeVersion }).join(', ')
  }))
  for (const { name, peers } of sets.slice(1))
    if (peers !== sets[0]!.peers)
      findings.push({
        ...blocks(
          'peers-differ',
          '--peer',
          `The nodes ${sets[0]!.name} and ${name} know other networks: ${sets[0]!.peers}; ${peers}.`,
          'Give every node the addresses of all others, letter by letter as they advertise them.'
        ),
        service: name
      })
  return findings
}

/** Returns a word with each variable replaced: by a transaction id where its name suggests one, else by its name. */
function withVariables(word: string): string {
  return word.replace(/\$\{(\w+)(?::?[-?][^}]*)?\}/g, (_, name: string) =>
    /TX_?ID/i.test(name) ? '0'.repeat(64) : name
  )
}

function checkPort(
  service: string,
  port: string,
  args: readonly string[],
  published: Map<string, string>
): ServiceFinding[] {
  const [, host, from, to] = /^(?:(.*):)?(\d+):(\d+)(?:\/\w+)?$/.exec(port) ?? []
  if (from === undefined)
    return [
      {
        ...blocks('bad-value', 'ports', `The port ${port.slice(0, 60)} cannot be read.`, 'Write HOST:PORT:PORT.'),
        service
      }
    ]
  const findings: ServiceFinding[] = []
  const twin = published.get(from)
  if (twin !== undefined)
    findings.push({
      ...blocks(
        'bad-value',
        'ports',
        `Port ${from} of this machine is published by ${twin} too.`,
        'Choose another port.'
      ),
      service
    })
  published.set(from, service)
  const at = args.indexOf('--api-port')
  const apiPort = at < 0 ? '4001' : args[at + 1]
  if (to === apiPort && (host === undefined || !isLoopbackHost(host)))
    findings.push({
      ...warns(
        'api-exposed',
        'ports',
        `Port ${from}, the API, is published on every interface; it has no authentication.`,
        `Write "127.0.0.1:${from}:${to}".`
      ),
      service
    })
  return findings
}

const mapOf = (value: YamlValue | undefined): YamlMap | null => (value instanceof Map ? (value as YamlMap) : null)

const textsOf = (value: YamlValue | undefined): string[] =>
  Array.isArray(value)
    ? (value as readonly YamlValue[]).filter((each) => typeof each === 'string' || typeof each === 'number').map(String)
    : []

/** Returns the words of a command, which is a list, or a text that is split at its spaces. */
function wordsOf(value: YamlValue | undefined): string[] {
  if (typeof value === 'string') return value.split(/\s+/).filter((word) => word !== '')
  return textsOf(value)
}
