import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describeValue } from '../../../errors/base.js'
import type { HeadFile } from '../../../setup/inner.js'
import {
  formatHeadFile,
  hashHeadFile,
  hashParameters,
  headFile,
  headParameters,
  mergeHeadFiles,
  parseNetwork
} from '../../../setup/inner.js'
import type { Terminal } from '../../terminal.js'
import { CommandFailure, parseCommand, parseOptions, UsageError } from '../../usage.js'
import { readTextFile, writeNewFile } from './files.js'

const TEXT = { type: 'string' } as const
const JSON_OPTION = { type: 'boolean' } as const
const HEAD_OPTIONS = {
  from: TEXT,
  out: TEXT,
  network: TEXT,
  'node-version': TEXT,
  scripts: TEXT,
  'contestation-period': TEXT,
  'deposit-period': TEXT,
  'deposit-activation': TEXT,
  parameters: TEXT,
  peer: { type: 'string', multiple: true },
  json: JSON_OPTION
} as const

/** `layer-sdk setup head`: makes a head file (the agreed settings of a head) from the public keys in a folder. */
export function makeHeadFile(args: readonly string[], terminal: Terminal): void {
  const values = parseOptions(args, HEAD_OPTIONS)
  const { from, network = 'preprod' } = values
  if (from === undefined) throw new UsageError('--from is missing: the folder of the key files.')
  const nodeVersion = values['node-version'] ?? '2.4.1'
  const peers = peersOf(values.peer ?? [])
  const head = headFile({
    version: 1,
    network: parseNetwork(/^\d+$/.test(network) ? Number(network) : network) ?? network,
    nodeVersion,
    scripts: values.scripts === undefined ? [] : values.scripts.split(','),
    contestationPeriod: values['contestation-period'] ?? '43200s',
    depositPeriod: values['deposit-period'] ?? '3600s',
    depositActivation: values['deposit-activation'] ?? (/^2\.[0-3](\.|$)/.test(nodeVersion) ? null : '3600s'),
    parametersHash: values.parameters === undefined ? null : hashParameters(parse(readTextFile(values.parameters))),
    parties: partyNames(from, [...peers.keys()]).map((name) => ({
      name,
      hydraVkey: parse(readTextFile(join(from, `${name}.hydra.vk`))),
      cardanoVkey: parse(readTextFile(join(from, `${name}.cardano.vk`))),
      peer: peers.get(name)
    }))
  })
  printHead(head, values, terminal)
}

/** `layer-sdk setup merge`: merges the head files of single parties (invitations) into one. */
export function mergeFiles(args: readonly string[], terminal: Terminal): void {
  const { values, positionals } = parseCommand(args, { out: TEXT, json: JSON_OPTION })
  if (positionals.length < 2) throw new UsageError('merge needs at least two head files.')
  printHead(mergeHeadFiles(positionals.map(readTextFile)), values, terminal)
}

/** `layer-sdk setup parameters`: derives the protocol parameters of a head from those of the base ledger. */
export function makeParameters(args: readonly string[], terminal: Terminal): void {
  const values = parseOptions(args, { from: TEXT, out: TEXT, 'node-version': TEXT, json: JSON_OPTION })
  if (values.from === undefined)
    throw new UsageError('--from is missing: the file of protocol parameters that cardano-cli or Blockfrost gave.')
  const { parameters, hash } = headParameters({ from: readTextFile(values.from), nodeVersion: values['node-version'] })
  const text = `${JSON.stringify(parameters, null, 2)}\n`
  if (values.out !== undefined) writeNewFile(values.out, text, 0o644)
  if (values.json === true) return terminal.out(JSON.stringify({ hash, file: values.out ?? null, parameters }))
  terminal.error(`Hash of the parameters: ${hash}`)
  terminal.out(values.out ?? text.trimEnd())
}

function printHead(
  head: HeadFile,
  { out, json }: { out?: string | undefined; json?: boolean | undefined },
  terminal: Terminal
): void {
  const { hash, aloud } = hashHeadFile(head)
  if (out !== undefined) writeNewFile(out, formatHeadFile(head), 0o644)
  if (json === true) return terminal.out(JSON.stringify({ hash, aloud, file: out ?? null, head }))
  terminal.error(`Read aloud to the other parties: ${aloud}`)
  terminal.out(out ?? formatHeadFile(head).trimEnd())
}

/** Parses `--peer` options, `NAME=HOST:PORT`, and returns the addresses by name. @throws UsageError */
function peersOf(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const equals = text.indexOf('=')
      if (equals < 1) throw new UsageError(`--peer needs NAME=HOST:PORT, not ${describeValue(text)}.`)
      return [text.slice(0, equals), text.slice(equals + 1)]
    })
  )
}

/**
 * Returns the sorted names of the parties whose `NAME.hydra.vk` is in a folder. `named`: the names that `--peer` gives,
 * which must be the same ones. @throws UsageError, CommandFailure
 */
function partyNames(folder: string, named: readonly string[]): string[] {
  let files: string[]
  try {
    files = readdirSync(folder)
  } catch (error) {
    throw new CommandFailure(
      `The folder ${folder} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`
    )
  }
  const found = files.flatMap((file) => /^(.+)\.hydra\.vk$/.exec(file)?.[1] ?? []).sort()
  if (found.length === 0) throw new CommandFailure(`The folder ${folder} holds no NAME.hydra.vk.`)
  const stranger = named.find((name) => !found.includes(name))
  if (stranger !== undefined)
    throw new UsageError(`--peer names ${describeValue(stranger)}, which has no key in ${folder}.`)
  const silent = found.find((name) => !named.includes(name))
  if (silent !== undefined)
    throw new UsageError(`--peer ${silent}=HOST:PORT is missing: where the others reach ${silent}.`)
  return found
}

/** Parses JSON. Malformed text gives null, which `headFile` then refuses without quoting the text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
