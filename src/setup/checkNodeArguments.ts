import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { described } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { checkAgainstHead } from './check/checkAgainstHead.js'
import { checkChain, checkExposure } from './check/checkChain.js'
import type { ReadKey } from './check/checkParties.js'
import { checkParties, ownAddress } from './check/checkParties.js'
import { checkValues } from './check/checkValues.js'
import type { GivenOptions } from './check/GivenOptions.js'
import { readArguments } from './check/readArguments.js'
import { readConfig } from './check/readConfig.js'
import type { SetupFinding } from './check/SetupFinding.js'
import type { HeadFile } from './headFile.js'
import { headFile } from './headFile.js'
import type { NodeOption } from './nodeOptions/NodeOption.js'
import { NEWEST_NODE_VERSION, nodeOptionsOf } from './nodeOptions/nodeOptionsOf.js'

/** Arguments of {@link checkNodeArguments}; exactly one of `args` and `config` is given. */
export interface CheckNodeArgumentsArgs {
  /** Command line of hydra-node, one text for each word. */
  args?: readonly string[] | undefined
  /** Text of the YAML file of `--config`. */
  config?: string | undefined
  /** Version of the node. @default that of `head`, else '2.4' */
  nodeVersion?: string | undefined
  /** The head that the node is to join; requires `me`. @default the options alone are checked */
  head?: HeadFile | undefined
  /** Name of the node's party in `head`. */
  me?: string | undefined
  /**
   * True for a node in a container: its published ports decide who reaches it, not the host that it listens on.
   * @default false
   */
  container?: boolean | undefined
  /**
   * Returns the content of the file of a verification key; null where it is not available.
   * @default keys are compared by their paths
   */
  readKey?: ReadKey | undefined
}

const ARGS: OptionNames<CheckNodeArgumentsArgs> = {
  args: true,
  config: true,
  nodeVersion: true,
  head: true,
  me: true,
  container: true,
  readKey: true
}

/** Maximum number of words of a command line. */
const MAX_WORDS = 10_000

/**
 * Finds faults in the options of a node without starting it: those that hydra-node refuses, that keep a head from
 * opening, or that expose it. Such are unknown, repeated and missing options, values of another form, more than 29
 * parties, keys and peers that do not fit, two kinds of chain, an API that others reach.
 *
 * @returns no findings where the options can be used
 * @throws {@link InvalidArgumentError} for a version whose options are not known, and unless one of `args` and `config`
 * is given; {@link HeadFileError} for a `head` that is not a head file
 * @example
 * ```ts
 * import { checkNodeArguments } from 'layer-sdk/setup'
 * const [finding] = checkNodeArguments({ args: ['--network', 'preprod', '--testnet-magic', '1', '--peer', 'bob'] })
 * console.log(finding?.code, finding?.option) // bad-value --peer
 * ```
 * @see hydra-node/src/Hydra/Options.hs and Config.hs
 */
export function checkNodeArguments(args: CheckNodeArgumentsArgs): SetupFinding[] {
  const read = readOptions<CheckNodeArgumentsArgs>(args, ARGS, 'args')
  const head = read.head === undefined ? undefined : headFile(read.head)
  const nodeVersion = read.nodeVersion ?? head?.nodeVersion ?? NEWEST_NODE_VERSION
  const options = nodeOptionsOf(nodeVersion)
  const { given, findings } = readGiven(read, options)
  const { me, readKey, container = false } = read
  if (head !== undefined && !head.parties.some(({ name }) => name === me))
    throw new InvalidArgumentError('me', `a party of the head: ${head.parties.map((each) => each.name).join(', ')}`, me)
  // What is not read says nothing about the rest.
  if (findings.some(({ code }) => code === 'unreadable')) return findings
  return [
    ...findings,
    ...checkValues(given, options),
    ...checkChain(given, options),
    ...checkParties(given, options, readKey),
    ...checkExposure(given, options, { container }),
    ...(head === undefined ? [] : checkAgainstHead(given, options, { head, me: me!, nodeVersion, readKey }))
  ]
}

/** Returns the address of a node and those of its peers: for all nodes of a network this set has to be the same. */
export function peersOf(args: CheckNodeArgumentsArgs): string[] {
  const options = nodeOptionsOf(args.nodeVersion ?? NEWEST_NODE_VERSION)
  const { given } = readGiven(args, options)
  return [...new Set([ownAddress(given, options), ...(given.values.get('peer') ?? [])])].sort()
}

function readGiven(
  { args, config }: CheckNodeArgumentsArgs,
  options: readonly NodeOption[]
): { given: GivenOptions; findings: SetupFinding[] } {
  if ((args === undefined) === (config === undefined))
    throw new InvalidArgumentError(
      'args',
      '{ args } or { config }',
      args === undefined ? described('none of them') : described('both')
    )
  if (config !== undefined) {
    if (typeof config !== 'string') throw new InvalidArgumentError('config', 'the text of a YAML file', config)
    return readConfig(config, options)
  }
  if (!Array.isArray(args) || args.length > MAX_WORDS || !args.every((word) => typeof word === 'string'))
    throw new InvalidArgumentError('args', `at most ${MAX_WORDS} words of a command line`, args)
  return readArguments(args, options)
}
