import { magicOf, parseNetwork } from '../network.js'
import type { NodeOption, NodeOptionGroup } from '../nodeOptions/NodeOption.js'
import { isLoopbackHost } from '../peers.js'
import type { GivenOptions } from './GivenOptions.js'
import { givenValue } from './GivenOptions.js'
import type { SetupFinding } from './SetupFinding.js'
import { blocks, warns } from './SetupFinding.js'

/** Checks that the options name one kind of chain, one backend, one network, and scripts of that network. */
export function checkChain(givenOptions: GivenOptions, options: readonly NodeOption[]): SetupFinding[] {
  if (givenOptions.command === 'gen-hydra-key') return []
  const findings: SetupFinding[] = []
  const namesOf = (group: NodeOptionGroup): string[] =>
    options.filter((each) => each.group === group && givenOptions.values.has(each.name)).map(({ name }) => `--${name}`)
  const [cardano, direct, blockfrost, offline] = (['cardano', 'direct', 'blockfrost', 'offline'] as const).map(namesOf)
  const exclude = (a: readonly string[], b: readonly string[], kinds: string): void => {
    if (a.length > 0 && b.length > 0)
      findings.push(
        blocks('chain-kinds', null, `${a[0]!} and ${b[0]!} exclude each other: ${kinds}.`, 'Leave one of the two out.')
      )
  }
  const mode = givenOptions.values.get('(chain.mode)')?.[0]
  const backend = givenOptions.values.get('(chain.backend.mode)')?.[0]
  const modes = (value: string | undefined, of: string, place: string): string[] => (value === of ? [place] : [])
  const onChain = [...cardano!, ...direct!, ...blockfrost!, ...modes(mode, 'cardano', 'chain.mode cardano')]
  exclude(onChain, [...offline!, ...modes(mode, 'offline', 'chain.mode offline')], 'a chain, or none')
  exclude(
    [...direct!, ...modes(backend, 'direct', 'chain.backend.mode direct')],
    [...blockfrost!, ...modes(backend, 'blockfrost', 'chain.backend.mode blockfrost')],
    'a cardano-node, or Blockfrost'
  )
  exclude(namesOfThe(givenOptions, 'mainnet'), namesOfThe(givenOptions, 'testnet-magic'), 'one network')
  exclude(
    namesOfThe(givenOptions, 'network'),
    namesOfThe(givenOptions, 'hydra-scripts-tx-id'),
    'published scripts, or others'
  )
  const isOffline = offline!.length > 0 || mode === 'offline'
  if (
    isOffline &&
    !givenOptions.values.has('offline-head-seed') &&
    (givenOptions.extent === 'arguments' || mode === 'offline')
  )
    findings.push(
      blocks('missing-option', '--offline-head-seed', 'Without it there is no offline head.', 'Give the seed in hex.')
    )
  if (!isOffline) findings.push(...checkNetwork(givenOptions, options))
  if (isOffline || givenOptions.command !== 'run' || givenOptions.extent === 'part') return findings
  if (!givenOptions.values.has('network') && !givenOptions.values.has('hydra-scripts-tx-id'))
    findings.push(
      blocks(
        'missing-option',
        '--hydra-scripts-tx-id',
        'The node does not know where the scripts are published.',
        'Give --hydra-scripts-tx-id, or --network for the published ones of a public network.'
      )
    )
  return findings
}

const namesOfThe = ({ values }: GivenOptions, name: string): string[] => (values.has(name) ? [`--${name}`] : [])

function checkNetwork(givenOptions: GivenOptions, options: readonly NodeOption[]): SetupFinding[] {
  const name = givenOptions.values.get('network')?.[0]
  // Through Blockfrost the network is the project's; with another part, the magic may stand there.
  if (name === undefined || parseNetwork(name) === null || givenOptions.values.has('blockfrost')) return []
  if (givenOptions.values.get('(chain.backend.mode)')?.[0] === 'blockfrost') return []
  const stated = givenOptions.values.has('mainnet') || givenOptions.values.has('testnet-magic')
  if (!stated && givenOptions.extent === 'part') return []
  const expectedMagic = magicOf(parseNetwork(name)!)
  const magic = givenOptions.values.has('mainnet')
    ? magicOf('mainnet')
    : Number(givenValue(givenOptions, options, 'testnet-magic'))
  if (magic === expectedMagic) return []
  return [
    blocks(
      'network-magic',
      '--network',
      `The scripts are those of ${name}, and the node follows the network of magic ${magic}.`,
      name === 'mainnet' ? 'Add --mainnet.' : `Write --testnet-magic ${expectedMagic}.`
    )
  ]
}

/** Checks who can reach the API: it has no authentication, so whoever reaches it can close the head. */
export function checkExposure(
  givenOptions: GivenOptions,
  options: readonly NodeOption[],
  { container }: { readonly container: boolean }
): SetupFinding[] {
  const { values, command } = givenOptions
  if (command !== 'run') return []
  const findings: SetupFinding[] = []
  const [cert, key] = [values.has('tls-cert'), values.has('tls-key')]
  if (cert !== key && givenOptions.extent === 'arguments')
    findings.push(
      blocks('tls-pair', cert ? '--tls-cert' : '--tls-key', 'One of the two alone gives no TLS.', 'Give both, or none.')
    )
  const host = givenValue(givenOptions, options, 'api-host') ?? ''
  // Inside a container the published ports decide.
  if (!container && host !== '' && !isLoopbackHost(host) && !(cert && key))
    findings.push(
      warns(
        'api-exposed',
        '--api-host',
        `The API listens on ${host.slice(0, 60)} without TLS; it has no authentication, and whoever reaches it can close the head.`,
        'Write --api-host 127.0.0.1, or put a proxy that authenticates in front of it.'
      )
    )
  return findings
}
