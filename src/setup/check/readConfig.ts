import { nearestName } from '../../codec/nearestName.js'
import { isLayerError } from '../../errors/base.js'
import type { NodeOption } from '../nodeOptions/NodeOption.js'
import { isSelf, parsePeer } from '../peers.js'
import { readYaml } from '../yaml/readYaml.js'
import type { YamlMap, YamlValue } from '../yaml/YamlValue.js'
import type { GivenOptions } from './GivenOptions.js'
import type { SetupFinding } from './SetupFinding.js'
import { blocks } from './SetupFinding.js'

/** Keys that stand for no option. `query-timeout` is one that the node still accepts, and ignores from 2.4 on. */
const STRUCTURE = ['chain', 'chain.mode', 'chain.backend', 'chain.backend.mode', 'chain.backend.query-timeout']
const PEER_KEYS = ['address', 'hydra-verification-key', 'cardano-verification-key']

/** Reads the YAML of `--config` into the options that it stands for. */
export function readConfig(
  text: string,
  options: readonly NodeOption[]
): { given: GivenOptions; findings: SetupFinding[] } {
  const findings: SetupFinding[] = []
  const values = new Map<string, string[]>()
  const given: GivenOptions = { command: 'run', values, extent: 'part' }
  try {
    const document = readYaml(text, 'configuration')
    if (document instanceof Map) new ConfigReader(options, values, findings).read(document as YamlMap, '')
    else findings.push(unreadable('It is no mapping of keys to values.'))
  } catch (error) {
    if (!isLayerError(error)) throw error
    findings.push(unreadable(error.message.split('\n').slice(0, 3).join(' ')))
  }
  return { given, findings }
}

const unreadable = (what: string): SetupFinding => blocks('unreadable', '--config', what, 'Correct the YAML file.')

class ConfigReader {
  readonly #options: readonly NodeOption[]
  readonly #values: Map<string, string[]>
  readonly #findings: SetupFinding[]

  constructor(options: readonly NodeOption[], values: Map<string, string[]>, findings: SetupFinding[]) {
    this.#options = options.filter(({ config }) => config !== null)
    this.#values = values
    this.#findings = findings
  }

  read(map: YamlMap, path: string): void {
    for (const [key, value] of map) {
      const place = path === '' ? key : `${path}.${key}`
      const option = this.#options.find(({ config }) => config === place)
      if (place === 'peers') continue
      if (place === 'chain.mode') this.#mode(place, value, ['cardano', 'offline'])
      else if (place === 'chain.backend.mode') this.#mode(place, value, ['direct', 'blockfrost'])
      else if ((place === 'chain' || place === 'chain.backend') && value instanceof Map)
        this.read(value as YamlMap, place)
      else if (option !== undefined) this.#set(option, place, value)
      else if (!STRUCTURE.includes(place)) this.#unknown(place)
      else if (place !== 'chain.backend.query-timeout') this.#bad(place, 'a mapping')
    }
    // After `listen` and `advertise`, which tell the own entry apart.
    if (path === '' && map.has('peers')) this.#peers(map.get('peers')!)
  }

  #set(option: NodeOption, place: string, value: YamlValue): void {
    // An empty value is an absent one.
    if (value === null) return
    if (option.kind === 'flag') {
      if (typeof value !== 'boolean') this.#bad(place, 'true or false')
      else if (value) this.#add(option.name, '')
      return
    }
    const list = Array.isArray(value)
    if (list !== (option.repeats === true)) return this.#bad(place, list ? 'one value' : 'a list')
    for (const each of list ? (value as readonly YamlValue[]) : [value]) this.#scalar(option, place, each)
  }

  #scalar(option: NodeOption, place: string, value: YamlValue): void {
    const isNumber = ['port', 'seconds', 'natural'].includes(option.kind)
    if (isNumber ? typeof value !== 'number' : typeof value !== 'string')
      return this.#bad(
        place,
        option.kind === 'seconds' ? 'a number of seconds without a unit' : isNumber ? 'a number' : 'a text'
      )
    this.#add(option.name, option.kind === 'seconds' ? `${String(value)}s` : String(value))
  }

  #mode(place: string, value: YamlValue, modes: readonly string[]): void {
    if (typeof value !== 'string' || !modes.includes(value)) this.#bad(place, modes.join(' or '))
    else this.#values.set(`(${place})`, [value])
  }

  #peers(value: YamlValue): void {
    if (!Array.isArray(value)) return this.#bad('peers', 'a list')
    const host = (name: string, fallback: string | null): ReturnType<typeof parsePeer> =>
      parsePeer(this.#values.get(name)?.[0] ?? fallback)
    const listen = host('listen', '0.0.0.0:5001')
    const advertise = host('advertise', null)
    for (const entry of value as readonly YamlValue[]) {
      const peer: YamlMap = entry instanceof Map ? (entry as YamlMap) : new Map([['address', entry]])
      for (const key of peer.keys()) if (!PEER_KEYS.includes(key)) this.#unknown(`peers.${key}`)
      const address = peer.get('address')
      if (typeof address !== 'string') {
        this.#bad('peers.address', 'host:port')
        continue
      }
      const keys = PEER_KEYS.slice(1).filter((key) => peer.get(key) != null)
      for (const key of keys) if (typeof peer.get(key) !== 'string') this.#bad(`peers.${key}`, 'a path')
      if (keys.length === 1)
        this.#findings.push(
          blocks(
            'peer-keys',
            '--peer',
            `The peer ${address.slice(0, 60)} has a ${keys[0]!} alone.`,
            'Give both keys of a party, or none for a node without a key of its own.'
          )
        )
      const parsed = parsePeer(address)
      if (parsed !== null && listen !== null && isSelf(listen, advertise, parsed)) continue
      this.#add('peer', address)
      for (const key of keys) this.#add(key, String(peer.get(key)))
    }
  }

  #add(name: string, value: string): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), value])
  }

  #bad(place: string, expected: string): void {
    this.#findings.push(
      blocks('bad-value', place, `The configuration file needs ${expected} here.`, `Write ${expected}.`)
    )
  }

  #unknown(place: string): void {
    const configKeys = this.#options.map(({ config }) => config!)
    const near = nearestName(place, configKeys)
    this.#findings.push(
      blocks(
        'unknown-option',
        place.length <= 60 ? place : `a key of ${place.length} characters`,
        'The configuration file has no such key in this version.',
        near === null ? 'Leave it out.' : `Write ${near}.`
      )
    )
  }
}
