import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { checkCompose, nodeServices } from '../../src/setup/composeFile'
import { nodeOptionsOf } from '../../src/setup/nodeOptions/nodeOptionsOf'

const { load } = createRequire(__filename)('js-yaml') as { load(text: string): unknown }

interface Service {
  readonly image?: string
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly environment?: readonly string[]
  readonly command?: readonly unknown[]
  readonly depends_on?: readonly string[]
  readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string }>>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes?: Readonly<Record<string, unknown>>
  readonly networks?: Readonly<Record<string, unknown>>
}

/** Options of other programs whose value is a file of the container. */
const FILE_OPTIONS =
  /^--(config|topology|database-path|shelley-kes-key|shelley-vrf-key|shelley-operational-certificate|byron-delegation-certificate|byron-signing-key)$/
/** Files that a node makes itself. */
const STATE_OPTIONS = ['persistence-dir']

/** Returns all that keeps an example's compose file from working on another machine; a list of sentences. */
export function composeProblems(folder: string, text: string): string[] {
  let compose: Compose
  try {
    compose = load(text) as Compose
  } catch (error) {
    return [`no YAML: ${(error as Error).message.split('\n')[0]!}`]
  }
  const services = Object.entries(compose?.services ?? {})
  if (services.length === 0) return ['no services']
  const version = /hydra-node:(\d+\.\d+)/.exec(text)?.[1]
  const nodes = version === undefined ? [] : nodeServices(text)
  return [
    ...(nodes.length < 2 ? ['fewer than two nodes of a version'] : []),
    ...(version === undefined
      ? []
      : checkCompose({ text, nodeVersion: version }).map(({ service, code, what }) => `${service}: ${code}: ${what}`)),
    ...variableProblems(folder, text),
    ...services.flatMap(([name, service]) => [
      ...imageProblems(name, service),
      ...mountProblems(folder, text, name, service, compose),
      ...portProblems(name, service, compose),
      ...nameProblems(name, service, compose)
    ])
  ]
}

function variableProblems(folder: string, text: string): string[] {
  const example = readFileSync(join(folder, '.env.example'), 'utf8')
  const known = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name!)
  const used = [...new Set([...text.matchAll(/\$\{?(\w+)/g)].map(([, name]) => name!))]
  return [
    ...used.filter((name) => !known.includes(name)).map((name) => `no ${name} in .env.example`),
    ...known.filter((name) => !used.includes(name)).map((name) => `${name} of .env.example is not used`),
    ...[...text.matchAll(/\$\{(\w+)\}|\$(\w+)/g)].map(([whole]) => `${whole} may be empty without a word`)
  ]
}

function imageProblems(name: string, { image = '' }: Service): string[] {
  return /^[\w./-]+:\d+\.\d+\.\d+@(sha256:[\da-f]{64}|\$\{\w+:\?[^}]+\})$/.test(image)
    ? []
    : [`${name}: the image ${image} is not pinned by version and digest`]
}

/** Pairs of option and value of a command. */
function valuesOf({ command = [] }: Service): (readonly [option: string, value: string])[] {
  const words = command.map(String)
  return words.flatMap((word, i) => (word.startsWith('--') ? [[word, words[i + 1] ?? ''] as const] : []))
}

function mountProblems(folder: string, text: string, name: string, service: Service, compose: Compose): string[] {
  const made = [...text.matchAll(/^# made: (\S+)$/gm)].map(([, path]) => path!)
  const isThere = (path: string): boolean =>
    existsSync(join(folder, path)) || made.some((each) => each === path || each.startsWith(`${path}/`))
  const mounts = (service.volumes ?? []).map((each) => each.split(':') as [string, string])
  const files = nodeOptionsOf('2.4')
    .filter(({ kind, name: option }) => kind === 'file' && !STATE_OPTIONS.includes(option))
    .map(({ name: option }) => `--${option}`)
  const paths = [
    ...valuesOf(service).flatMap(([option, value]) =>
      files.includes(option) || FILE_OPTIONS.test(option) ? [value] : []
    ),
    ...(service.environment ?? []).flatMap((each) => (each.includes('=/') ? [each.slice(each.indexOf('=') + 1)] : []))
  ]
  const state = valuesOf(service).flatMap(([option, value]) => (option === '--persistence-dir' ? [value] : []))
  return [
    ...mounts
      .filter(([host]) => (host.startsWith('.') ? !isThere(host) : !Object.hasOwn(compose.volumes ?? {}, host)))
      .map(([host]) => `${name}: ${host} is neither there nor made`),
    ...paths.flatMap((path) => {
      const mount = mounts.find(([, target]) => path === target || path.startsWith(`${target}/`))
      if (mount === undefined) return [`${name}: ${path} is not mounted`]
      const host = mount[0] + path.slice(mount[1].length)
      return isThere(host) ? [] : [`${name}: ${host} is neither there nor made`]
    }),
    ...state
      .filter((path) => !mounts.some(([host, target]) => target === path && !host.startsWith('.')))
      .map((path) => `${name}: ${path} is lost with the container`)
  ]
}

function portProblems(name: string, service: Service, { services }: Compose): string[] {
  const all = Object.values(services).flatMap(({ ports = [] }) => ports.map((port) => port.split(':').at(-2)))
  const listens = valuesOf(service).flatMap(([option, value]) =>
    option === '--api-port' ? [value] : option === '--listen' ? [value.split(':').at(-1)!] : []
  )
  const values = new Map(valuesOf(service))
  return [
    ...(service.ports ?? []).flatMap((port) => {
      const [host, from, to] = port.split(':')
      return [
        ...(host === '127.0.0.1' ? [] : [`${name}: ${port} is open to other machines`]),
        ...(all.filter((each) => each === from).length > 1 ? [`${name}: port ${from} is published twice`] : []),
        ...(listens.includes(to!) ? [] : [`${name}: no program listens on ${to}`])
      ]
    }),
    // Within the container 127.0.0.1 is the container.
    ...(values.has('--api-port') && values.get('--api-host') !== '0.0.0.0'
      ? [`${name}: the API cannot be reached`]
      : [])
  ]
}

function nameProblems(name: string, service: Service, { services, networks = {} }: Compose): string[] {
  const address = Object.values(service.networks ?? {}).map(({ ipv4_address: ip }) => ip)[0]
  const addresses = Object.values(services).flatMap((each) =>
    Object.values(each.networks ?? {}).map(({ ipv4_address: ip }) => ip)
  )
  const listen = valuesOf(service).find(([option]) => option === '--listen')?.[1]
  const peers = valuesOf(service).flatMap(([option, value]) => (option === '--peer' ? [value.split(':')[0]] : []))
  return [
    ...(service.depends_on ?? []).filter((each) => !Object.hasOwn(services, each)).map((each) => `${name}: no ${each}`),
    ...Object.keys(service.networks ?? {})
      .filter((each) => !Object.hasOwn(networks, each))
      .map((each) => `${name}: no network ${each}`),
    ...(addresses.filter((each) => each === address).length > 1 ? [`${name}: ${address} is used twice`] : []),
    ...(listen !== undefined && listen.split(':')[0] !== address ? [`${name}: listens on another address`] : []),
    ...peers.filter((peer) => !addresses.includes(peer)).map((peer) => `${name}: no service at ${peer}`)
  ]
}
