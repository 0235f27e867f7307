import { createHeadClient } from '../../../client/index.js'
import type { NodeEnvironment } from '../../../bridge/inner.js'
import type { HeadFile, SetupFinding } from '../../../setup/inner.js'
import {
  checkNodeArguments,
  compareHeadFiles,
  hashHeadFile,
  hashParameters,
  headFile,
  versionFamily
} from '../../../setup/inner.js'
import type { Terminal } from '../../terminal.js'
import { CommandFailure, parseCommand, UsageError } from '../../usage.js'
import { NODE_OPTIONS, timeoutOf } from '../headConnection.js'
import { readTextFile } from './files.js'
import { readNodeConfig } from './nodeConfig.js'
import { printFindings } from './nodeOptions.js'

/** `layer-sdk setup preflight`: compares the head files of two parties, or one with a running node. */
export async function preflight(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, NODE_OPTIONS)
  const [first, second, ...more] = positionals
  if (first === undefined || more.length > 0 || (second === undefined) === (values.url === undefined))
    throw new UsageError('preflight needs two head files, or one and --url.')
  const head = headFile(readTextFile(first))
  if (second === undefined) {
    const findings = await checkNode(head, values.url!, timeoutOf(values))
    return printFindings(findings, values, terminal)
  }
  const found = compareHeadFiles({ a: head, b: readTextFile(second) })
  if (values.json === true) terminal.out(JSON.stringify({ equal: found.length === 0, differences: found }))
  else
    for (const { path, a, b } of found)
      terminal.out(`${path}\n  ${first}: ${a ?? 'absent'}\n  ${second}: ${b ?? 'absent'}`)
  if (found.length > 0)
    throw new CommandFailure(`${found.length} difference${found.length === 1 ? '' : 's'}: the head would never open.`)
  if (values.json !== true) terminal.out(`Equal: ${hashHeadFile(head).aloud}`)
}

/** Compares a running node with the head file: version, parties, periods, parameters, addresses. */
async function checkNode(head: HeadFile, url: string, timeoutMs: number): Promise<SetupFinding[]> {
  const client = createHeadClient({ url, autoReconnect: false, connectTimeout: timeoutMs, requestTimeout: timeoutMs })
  let env: NodeEnvironment | undefined
  const stop = client.bridge.observe({
    onMessage: (message) => {
      if (message.tag === 'Greetings') env = message.env
    }
  })
  try {
    await client.connect({ timeout: timeoutMs })
    const version = client.status().nodeVersion ?? 'unknown'
    const hash = hashParameters(await client.bridge.getRawProtocolParameters())
    return [...checkGreeting(head, version, env, hash), ...(await checkConfig(head, version, env, url, timeoutMs))]
  } finally {
    stop()
    await client.disconnect()
  }
}

function checkGreeting(
  head: HeadFile,
  version: string,
  env: NodeEnvironment | undefined,
  parametersHash: string
): SetupFinding[] {
  const findings: SetupFinding[] = []
  const differs = (what: string, remedy: string): void =>
    void findings.push({ code: 'head-difference', severity: 'block', option: null, what, remedy })
  if (versionFamily(version) !== versionFamily(head.nodeVersion))
    differs(`The head file names nodes of ${head.nodeVersion}, and this one is of ${version}.`, 'Run that version.')
  if (head.parametersHash !== null && head.parametersHash !== parametersHash)
    differs(
      `The hash of the node's parameters is ${parametersHash}, and the head file has ${head.parametersHash}.`,
      'Start the node with the file of layer-sdk setup parameters that all parties agreed on.'
    )
  if (env === undefined) return findings
  const keys = [env.party, ...env.otherParties].map(({ vkey }) => vkey.toLowerCase())
  for (const { name, hydraVkey } of head.parties)
    if (!keys.includes(hydraVkey)) differs(`The node does not know the Hydra key of ${name}.`, `Give it ${name}'s .vk.`)
  for (const key of keys)
    if (!head.parties.some(({ hydraVkey }) => hydraVkey === key))
      differs(
        `The node has the Hydra key ${key.slice(0, 16)}... of no party.`,
        'Leave it out, or merge its invitation.'
      )
  for (const [name, agreed, got] of [
    ['contestation period', head.contestationPeriod, env.contestationPeriod],
    ['deposit period', head.depositPeriod, env.depositPeriod],
    ['deposit activation', head.depositActivation, env.depositActivation]
  ] as const)
    if (agreed !== null && got !== undefined && agreed !== `${got}s`)
      differs(`The ${name} of the head file is ${agreed}, and that of the node ${got}s.`, `Start it with ${agreed}.`)
  return findings
}

/** Returns the warning that GET /config could not be read, so that part of the comparison was not made. */
const unread = (came: string): SetupFinding => ({
  code: 'config-unread',
  severity: 'warn',
  option: null,
  what: `GET /config gave ${came}: addresses, peers and network of the node were not compared.`,
  remedy: "Compare the node's own command line: layer-sdk setup check."
})

/** Checks addresses, peers, network and scripts in the configuration that nodes from 2.3 on show. */
async function checkConfig(
  head: HeadFile,
  version: string,
  env: NodeEnvironment | undefined,
  url: string,
  timeoutMs: number
): Promise<SetupFinding[]> {
  const me = head.parties.find(({ hydraVkey }) => hydraVkey === env?.party.vkey.toLowerCase())?.name
  if (me === undefined || !['2.3', '2.4'].includes(versionFamily(version) ?? '')) return []
  const config = await readNodeConfig(url, timeoutMs)
  if ('unread' in config) return [unread(config.unread)]
  const shown = checkNodeArguments({ config: config.text, head, me, nodeVersion: version })
  // The node resolves published scripts to ids, and states the periods in its greeting.
  return shown.filter(
    ({ code, option }) =>
      !(
        code === 'head-difference' &&
        (/period|activation/.test(option ?? '') || (option === '--network' && head.scripts.length === 0))
      )
  )
}
