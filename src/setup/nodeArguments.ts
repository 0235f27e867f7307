import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { HeadFile, HeadParty } from './headFile.js'
import { headFile } from './headFile.js'
import { magicOf } from './network.js'
import { nodeOptionsOf, versionFamily } from './nodeOptions/nodeOptionsOf.js'
import { parsePeer } from './peers.js'

/** Arguments of {@link nodeArguments}. */
export interface NodeArgumentsArgs {
  /** The head file. */
  head: HeadFile
  /** Name of the party that runs the node. */
  me: string
  /** Version of the node. @default that of the head file */
  nodeVersion?: string | undefined
  /**
   * Folder of the key files: `NAME.hydra.vk` and `NAME.cardano.vk` of each party, and the `.sk` files of the own one.
   * @default 'keys'
   */
  keys?: string | undefined
  /** File of the head's protocol parameters. @default 'protocol-parameters.json' */
  parameters?: string | undefined
  /** Folder of the node's state. @default 'persistence' */
  persistence?: string | undefined
  /** Socket of the cardano-node. @default 'node.socket' */
  socket?: string | undefined
  /** File of a Blockfrost project, in place of a cardano-node. @default none */
  blockfrost?: string | undefined
  /** Port of the API, which listens on the loopback interface only. @default 4001 */
  apiPort?: number | undefined
  /** Image of the compose service, by version and digest. @default 'ghcr.io/cardano-scaling/hydra-node:VERSION' */
  image?: string | undefined
}

const ARGS: OptionNames<NodeArgumentsArgs> = {
  head: true,
  me: true,
  nodeVersion: true,
  keys: true,
  parameters: true,
  persistence: true,
  socket: true,
  blockfrost: true,
  apiPort: true,
  image: true
}

/** Options of a node in three equivalent forms. */
export interface NodeArguments {
  /** Words of the command line after `hydra-node`. */
  readonly args: readonly string[]
  /** The options as the YAML file of `--config`. */
  readonly config: string
  /** The options as a service of a compose file, which publishes the API only on 127.0.0.1 of the host. */
  readonly service: string
}

/**
 * Returns the options of a party's node by the head file, as a command line, a configuration file and a compose
 * service. It starts no node.
 *
 * @throws {@link InvalidArgumentError} for a version whose options are not known, a party that the head does not have,
 * or another version than the head's; {@link HeadFileError} for a `head` that is not a head file
 * @example
 * ```ts no-run
 * const { args } = nodeArguments({ head, me: 'alice' })
 * console.log(['hydra-node', ...args].join(' '))
 * ```
 * @see hydra-node/src/Hydra/Options.hs and Config.hs
 */
export function nodeArguments(args: NodeArgumentsArgs): NodeArguments {
  const read = readOptions<NodeArgumentsArgs>(args, ARGS, 'args')
  const head = headFile(read.head)
  const { me, nodeVersion = head.nodeVersion, apiPort = 4001 } = read
  nodeOptionsOf(nodeVersion)
  if (versionFamily(nodeVersion) !== versionFamily(head.nodeVersion))
    throw new InvalidArgumentError('nodeVersion', `the head file's, ${head.nodeVersion}`, nodeVersion)
  const own = head.parties.find(({ name }) => name === me)
  if (own === undefined)
    throw new InvalidArgumentError('me', `a party of the head: ${head.parties.map(({ name }) => name).join(', ')}`, me)
  if (!Number.isInteger(apiPort) || apiPort < 1 || apiPort > 65_535)
    throw new InvalidArgumentError('apiPort', 'a port, 1 to 65535', apiPort)
  const files: Files = {
    keys: path(read.keys, 'keys', 'keys'),
    parameters: path(read.parameters, 'parameters', 'protocol-parameters.json'),
    persistence: path(read.persistence, 'persistence', 'persistence'),
    socket: path(read.socket, 'socket', 'node.socket'),
    blockfrost: read.blockfrost === undefined ? null : path(read.blockfrost, 'blockfrost', '')
  }
  const node: Node = { head, own, others: head.parties.filter((party) => party !== own), files, apiPort }
  const image = read.image ?? `ghcr.io/cardano-scaling/hydra-node:${nodeVersion.split('-')[0]!}`
  return { args: commandLine(node), config: configFile(node), service: composeService(node, image) }
}

interface Files {
  readonly keys: string
  readonly parameters: string
  readonly persistence: string
  readonly socket: string
  readonly blockfrost: string | null
}

interface Node {
  readonly head: HeadFile
  readonly own: HeadParty
  readonly others: readonly HeadParty[]
  readonly files: Files
  readonly apiPort: number
}

function path(value: string | undefined, name: string, fallback: string): string {
  const text = value ?? fallback
  // A line end or another control character would break the file that the path is written into.
  if (typeof text !== 'string' || text === '' || /[\u0000-\u001f\u007f]/.test(text) || text.startsWith('-'))
    throw new InvalidArgumentError(name, 'a path', text)
  return text
}

/** Returns the address to listen on: the own port as the others know it, on all interfaces. */
const listenOf = ({ own }: Node): string => `0.0.0.0:${parsePeer(own.peer)!.port}`

function commandLine(node: Node, apiHost = '127.0.0.1'): string[] {
  const { head, own, others, files, apiPort } = node
  const { keys } = files
  const chain =
    files.blockfrost !== null
      ? ['--blockfrost', files.blockfrost]
      : [
          ...(head.network === 'mainnet' ? ['--mainnet'] : ['--testnet-magic', String(magicOf(head.network))]),
          ...['--node-socket', files.socket]
        ]
  return [
    ...['--node-id', own.name, '--listen', listenOf(node), '--advertise', own.peer],
    ...['--api-host', apiHost, '--api-port', String(apiPort)],
    ...others.flatMap(({ peer }) => ['--peer', peer]),
    ...['--hydra-signing-key', `${keys}/${own.name}.hydra.sk`],
    ...others.flatMap(({ name }) => ['--hydra-verification-key', `${keys}/${name}.hydra.vk`]),
    ...['--cardano-signing-key', `${keys}/${own.name}.cardano.sk`],
    ...others.flatMap(({ name }) => ['--cardano-verification-key', `${keys}/${name}.cardano.vk`]),
    ...['--ledger-protocol-parameters', files.parameters, '--persistence-dir', files.persistence],
    ...(head.scripts.length === 0
      ? ['--network', String(head.network)]
      : ['--hydra-scripts-tx-id', head.scripts.join(',')]),
    ...['--contestation-period', head.contestationPeriod, '--deposit-period', head.depositPeriod],
    ...(head.depositActivation === null ? [] : ['--deposit-activation', head.depositActivation]),
    ...chain
  ]
}

/** Returns a text as YAML, in which quoted texts of JSON are valid. */
const quoted = (text: string): string => JSON.stringify(text)
/** Returns a period without its unit: the configuration file has plain numbers. */
const seconds = (period: string): string => period.slice(0, -1)

function configFile(node: Node): string {
  const { head, own, others, files, apiPort } = node
  const { keys } = files
  const lines = [
    `node-id: ${quoted(own.name)}`,
    `listen: ${quoted(listenOf(node))}`,
    `advertise: ${quoted(own.peer)}`,
    'api-host: "127.0.0.1"',
    `api-port: ${apiPort}`,
    `hydra-signing-key: ${quoted(`${keys}/${own.name}.hydra.sk`)}`,
    `peers:${others.length === 0 ? ' []' : ''}`,
    ...others.flatMap(({ name, peer }) => [
      `  - address: ${quoted(peer)}`,
      `    hydra-verification-key: ${quoted(`${keys}/${name}.hydra.vk`)}`,
      `    cardano-verification-key: ${quoted(`${keys}/${name}.cardano.vk`)}`
    ]),
    `ledger-protocol-parameters: ${quoted(files.parameters)}`,
    `persistence-dir: ${quoted(files.persistence)}`,
    'chain:',
    '  mode: cardano',
    ...(head.scripts.length === 0
      ? [`  network: ${String(head.network)}`]
      : ['  hydra-scripts-tx-id:', ...head.scripts.map((id) => `    - ${quoted(id)}`)]),
    `  cardano-signing-key: ${quoted(`${keys}/${own.name}.cardano.sk`)}`,
    `  contestation-period: ${seconds(head.contestationPeriod)}`,
    `  deposit-period: ${seconds(head.depositPeriod)}`,
    ...(head.depositActivation === null ? [] : [`  deposit-activation: ${seconds(head.depositActivation)}`]),
    '  backend:',
    ...(files.blockfrost === null
      ? [
          '    mode: direct',
          head.network === 'mainnet' ? '    mainnet: true' : `    testnet-magic: ${magicOf(head.network)}`,
          `    node-socket: ${quoted(files.socket)}`
        ]
      : ['    mode: blockfrost', `    project-path: ${quoted(files.blockfrost)}`])
  ]
  return `${lines.join('\n')}\n`
}

function composeService(node: Node, image: string): string {
  const { own, apiPort } = node
  const { port } = parsePeer(own.peer)!
  // Compose replaces variables, and writes a dollar sign as two.
  const words = commandLine(node, '0.0.0.0').map((word) => `    - ${quoted(word.replaceAll('$', '$$$$'))}`)
  return [
    `hydra-node-${own.name}:`,
    `  image: ${quoted(image)}`,
    '  # The API has no authentication: this machine alone reaches it.',
    '  ports:',
    `    - "127.0.0.1:${apiPort}:${apiPort}"`,
    `    - "${port}:${port}"`,
    '  working_dir: /head',
    '  volumes:',
    '    - ./:/head',
    '  restart: always',
    '  command:',
    ...words,
    ''
  ].join('\n')
}
