import type { HeadFile } from '../headFile.js'
import { magicOf } from '../network.js'
import type { NodeOption } from '../nodeOptions/NodeOption.js'
import { hasDepositActivation, versionFamily } from '../nodeOptions/nodeOptionsOf.js'
import { secondsOf } from './checkValues.js'
import type { ReadKey } from './checkParties.js'
import { readPublicKey, ownAddress } from './checkParties.js'
import type { GivenOptions } from './GivenOptions.js'
import { givenValue } from './GivenOptions.js'
import type { SetupFinding } from './SetupFinding.js'
import { blocks, shownValue, warns } from './SetupFinding.js'

/** The head that a node is to join, and the party of that node. */
export interface NodeOfHead {
  readonly head: HeadFile
  /** Name of the party that runs the node. */
  readonly me: string
  /** Version of the node. */
  readonly nodeVersion: string
  readonly readKey?: ReadKey | undefined
}

/**
 * Checks a node's options against the head file: with a single difference the head never opens, and no error says so.
 */
export function checkAgainstHead(
  givenOptions: GivenOptions,
  options: readonly NodeOption[],
  { head, me, nodeVersion, readKey }: NodeOfHead
): SetupFinding[] {
  const findings: SetupFinding[] = []
  const differs = (option: string | null, agreed: string, got: string, remedy: string): void =>
    void findings.push(blocks('head-difference', option, `The head file has ${agreed}, the node ${got}.`, remedy))
  const periods = [
    ['contestation-period', head.contestationPeriod],
    ['deposit-period', head.depositPeriod],
    ...(head.depositActivation === null ? [] : [['deposit-activation', head.depositActivation] as const])
  ] as const
  for (const [name, agreed] of periods) {
    if (!options.some((option) => option.name === name)) continue
    const got = givenValue(givenOptions, options, name)
    // Another form is a finding of its own.
    if (secondsOf(got) !== null && secondsOf(got) !== secondsOf(agreed))
      differs(`--${name}`, agreed, got!, `Write --${name} ${agreed}.`)
  }
  if (
    versionFamily(nodeVersion) !== versionFamily(head.nodeVersion) ||
    hasDepositActivation(nodeVersion) !== (head.depositActivation !== null)
  )
    differs(null, `nodes of version ${head.nodeVersion}`, `is of ${nodeVersion}`, 'Run the version of the head file.')
  findings.push(...checkScripts(givenOptions, options, head))
  return [
    ...findings,
    ...checkNames(givenOptions, options, head, me),
    ...checkKeyFiles(givenOptions, head, me, readKey)
  ]
}

function checkScripts(givenOptions: GivenOptions, options: readonly NodeOption[], head: HeadFile): SetupFinding[] {
  const findings: SetupFinding[] = []
  const scripts = (givenOptions.values.get('hydra-scripts-tx-id') ?? []).flatMap((ids) => ids.toLowerCase().split(','))
  const same = scripts.length === head.scripts.length && scripts.every((id) => head.scripts.includes(id))
  const published = head.scripts.length === 0 ? String(head.network) : null
  if (published === null ? !same : givenOptions.values.get('network')?.[0] !== published)
    findings.push(
      blocks(
        'head-difference',
        published === null ? '--hydra-scripts-tx-id' : '--network',
        'The head file names other scripts than the node.',
        published === null ? `Write --hydra-scripts-tx-id ${head.scripts.join(',')}.` : `Write --network ${published}.`
      )
    )
  const viaBlockfrost =
    givenOptions.values.has('blockfrost') || givenOptions.values.get('(chain.backend.mode)')?.[0] === 'blockfrost'
  const magic = givenOptions.values.has('mainnet')
    ? magicOf('mainnet')
    : Number(givenValue(givenOptions, options, 'testnet-magic'))
  if (!viaBlockfrost && magic !== magicOf(head.network))
    findings.push(
      blocks(
        'head-difference',
        '--testnet-magic',
        `The head file is of the network of magic ${magicOf(head.network)}, the node of ${magic}.`,
        head.network === 'mainnet' ? 'Write --mainnet.' : `Write --testnet-magic ${magicOf(head.network)}.`
      )
    )
  return findings
}

function checkNames(
  givenOptions: GivenOptions,
  options: readonly NodeOption[],
  { parties }: HeadFile,
  me: string
): SetupFinding[] {
  const ownParty = parties.find(({ name }) => name === me)
  const others = parties.filter(({ name }) => name !== me)
  if (ownParty === undefined) return []
  const findings: SetupFinding[] = []
  const address = ownAddress(givenOptions, options)
  if (address !== ownParty.peer)
    findings.push(
      blocks(
        'own-peer',
        '--advertise',
        `The others know ${me} as ${ownParty.peer}, and the node calls itself ${shownValue(address)}.`,
        `Write --advertise ${ownParty.peer}.`
      )
    )
  const peers = givenOptions.values.get('peer') ?? []
  for (const { name, peer } of others)
    if (!peers.includes(peer))
      findings.push(
        blocks('peers-differ', '--peer', `The peer ${peer} of ${name} is missing.`, `Write --peer ${peer}.`)
      )
  for (const peer of peers)
    if (peer !== ownParty.peer && !others.some((each) => each.peer === peer))
      findings.push(
        warns(
          'peers-differ',
          '--peer',
          `The peer ${shownValue(peer)} is of no party.`,
          'A mirror has to stand in the lists of all parties; else leave it out.'
        )
      )
  const keys = (givenOptions.values.get('hydra-verification-key') ?? []).length
  if (keys !== others.length)
    findings.push(
      blocks(
        'key-counts',
        '--hydra-verification-key',
        `Of the head's ${others.length} other parties the node has ${keys} Hydra keys.`,
        'Give both keys of each other party.'
      )
    )
  return findings
}

function checkKeyFiles(
  givenOptions: GivenOptions,
  { parties }: HeadFile,
  me: string,
  readKey: ReadKey | undefined
): SetupFinding[] {
  if (readKey === undefined) return []
  const findings: SetupFinding[] = []
  for (const [option, member] of [
    ['hydra-verification-key', 'hydraVkey'],
    ['cardano-verification-key', 'cardanoVkey']
  ] as const)
    for (const path of givenOptions.values.get(option) ?? []) {
      const key = readPublicKey(path, readKey)
      if (key === null || key === 'secret' || key === 'unreadable') continue
      if (!parties.some((party) => party.name !== me && party[member] === key))
        findings.push(
          blocks(
            'head-difference',
            `--${option}`,
            `The key ${path} is of no other party.`,
            'Name the keys of the head file.'
          )
        )
    }
  return findings
}
