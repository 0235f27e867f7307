import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
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

/** Arguments of {@link checkNodeArguments}: `args` or `config`. */
export interface CheckNodeArgumentsArgs {
  /** Command line of hydra-node, one text for each word. */
  args?: readonly string[] | undefined
  /** Text of the YAML file of `--config`. */
  config?: string | undefined
  /** Version of the node. @default that of `head`, else '2.4' */
  nodeVersion?: string | undefined
  /** The head that the node is to take part in; needs `me`. @default the options alone are checked */
  head?: HeadFile | undefined
  /** Name of the node's party in `head`. */
  me?: string | undefined
  /** True where the node runs in a container, whose published ports decide who reaches it. @default false */
  container?: boolean | undefined
  /** Returns the content of a verification key's file, null where it is not at hand. @default paths are compared */
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

/** Words of a command line at most. */
const MAX_WORDS = 10_000

/**
 * Names what hydra-node would refuse, or what would keep a head from opening or expose it, without starting anything:
 * unknown, repeated and missing options, values of another form, more than 29 parties, keys and peers that do not fit,
 * two kinds of chain, an API that others reach.
 *
 * @returns no findings where the options can be used
 * @throws {@link InvalidArgumentError} for a version whose options are not known, and unless one of `args` and `config`
 * is given; {@link HeadFileError} for a head file that is none
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

/** A node's own address and its peers, which are one set for all nodes of a network. */
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
    throw new InvalidArgumentError('args', '{ args } or { config }', args === undefined ? 'none of them' : 'both')
  if (config !== undefined) {
    if (typeof config !== 'string') throw new InvalidArgumentError('config', 'the text of a YAML file', config)
    return readConfig(config, options)
  }
  if (!Array.isArray(args) || args.length > MAX_WORDS || !args.every((word) => typeof word === 'string'))
    throw new InvalidArgumentError('args', `at most ${MAX_WORDS} words of a command line`, args)
  return readArguments(args, options)
}
