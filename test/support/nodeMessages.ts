import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../src/codec/json'
import { hasShared, SHARED } from './vectors'

/** A message, input or body of the node, and where it is from: `2.3.0/ServerOutput/TxValid`, the version first. */
export interface NodeSample {
  file: string
  value: any
}

export const NODE_VERSIONS = ['0.20.1', '0.22.4', '1.2.1', '1.3.0', '2.0.0', '2.3.0', '2.4.1', 'master']

const HOME = join(__dirname, '..', 'vectors', 'node')
const GOLDEN = join(SHARED, 'node', 'golden')

function homeSamples(): NodeSample[] {
  return NODE_VERSIONS.flatMap((version) =>
    (parseJson(readFileSync(join(HOME, `${version}.json`), 'utf8')) as { path: string; value: unknown }[]).map(
      ({ path, value }) => ({ file: path, value })
    )
  )
}

/** Golden files of all versions; SimpleTx is the node's own test ledger, no real head has it. */
function goldenSamples(): NodeSample[] {
  const names = (readdirSync(GOLDEN, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.json') && !/SimpleTx|derived/.test(name))
    .sort()
  return names
    .filter((name) => statSync(join(GOLDEN, name)).isFile())
    .flatMap((file) =>
      ((parseJson(readFileSync(join(GOLDEN, file), 'utf8')) as { samples?: unknown[] }).samples ?? []).map((value) => ({
        file,
        value
      }))
    )
}

let home: NodeSample[] | undefined
let all: NodeSample[] | undefined

/** What nodes send, by version: our own messages, and the node's golden files where they lie beside the checkout. */
export function nodeSamples(pattern = /./): NodeSample[] {
  home ??= homeSamples()
  all ??= hasShared ? [...home, ...goldenSamples()] : home
  return all.filter(({ file }) => pattern.test(file))
}

/** Our own alone. */
export function homeNodeSamples(pattern = /./): NodeSample[] {
  home ??= homeSamples()
  return home.filter(({ file }) => pattern.test(file))
}
