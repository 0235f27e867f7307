import { checkCompose, checkNodeArguments } from '../../src/setup'
import { NODE_OPTIONS_2_3 } from '../../src/setup/nodeOptions/2.3'
import { NODE_OPTIONS_2_4 } from '../../src/setup/nodeOptions/2.4'
import type { NodeOption } from '../../src/setup/nodeOptions/NodeOption'
import { readYaml } from '../../src/setup/yaml/readYaml'
import { describeWithHydra, readHydra } from '../support/hydraSource'

/** Long names of the options in a text of Options.hs, with their letters. */
function namesIn(source: string): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  for (const [, name, rest] of source.matchAll(/\(\s*long\s+"([\w-]+)"([\s\S]*?)\n {4}\)|\(long\s+"([\w-]+)"/g))
    if (name !== undefined) found.set(name, /short\s+'(\w)'/.exec(rest!)?.[1])
  for (const [, name] of source.matchAll(/long\s+"([\w-]+)"/g)) if (!found.has(name!)) found.set(name!, undefined)
  return found
}

const lettersOf = (options: readonly NodeOption[]): [string, string | undefined][] =>
  options.map(({ name, short }): [string, string | undefined] => [name, short]).sort()

it('has 38 options in 2.4, each once, and in 2.3 one more and one less', () => {
  expect(new Set(NODE_OPTIONS_2_4.map(({ name }) => name)).size).toBe(38)
  const names = (options: readonly NodeOption[]): string[] => options.map(({ name }) => name)
  const [older, newer] = [names(NODE_OPTIONS_2_3), names(NODE_OPTIONS_2_4)]
  expect(older.filter((name) => !newer.includes(name))).toEqual(['blockfrost-query-timeout'])
  expect(newer.filter((name) => !older.includes(name))).toEqual(['deposit-activation'])
})

it('has no place in the configuration file twice', () => {
  const places = NODE_OPTIONS_2_3.flatMap(({ config }) => (config === null ? [] : [config]))
  expect(new Set(places).size).toBe(places.length)
})

describeWithHydra("the node's own source", () => {
  const source = readHydra('hydra-node/src/Hydra/Options.hs')
  const config = readHydra('hydra-node/src/Hydra/Config.hs')

  it('has the options of the table for 2.4, with their letters', () =>
    expect(lettersOf(NODE_OPTIONS_2_4)).toEqual([...namesIn(source)].sort()))

  it('has the keys of the configuration file', () => {
    const lists = [...config.matchAll(/checkUnknownKeys\s+\[([\s\S]*?)\]\s+o/g)].map(([, list]) =>
      [...list!.matchAll(/"([\w-]+)"/g)].map(([, key]) => key!)
    )
    const theirs = new Set(lists.flat())
    const ours = new Set(
      NODE_OPTIONS_2_4.flatMap(({ config: place }) => (place === null ? [] : [place.split('.').at(-1)!]))
    )
    const structure = [
      'chain',
      'mode',
      'backend',
      'address',
      'query-timeout',
      'hydra-verification-key',
      'cardano-verification-key'
    ]
    expect([...theirs].filter((key) => !ours.has(key) && !structure.includes(key))).toEqual([])
    expect([...ours].filter((key) => !theirs.has(key))).toEqual(['peers'].filter((key) => !theirs.has(key)))
  })

  it('states the defaults of the table', () => {
    for (const { name, kind, default: value } of NODE_OPTIONS_2_4) {
      if (value === null || kind === 'seconds' || name === 'listen') continue
      const [, block] = new RegExp(`long "${name}"([\\s\\S]*?)\\n {4}\\)`).exec(source) ?? []
      const stated = /value\s+("?)([^\s"]+)\1/.exec(block ?? '')?.[2] ?? ''
      if (/^(default|[a-z]\w*\.)/.test(stated)) continue
      expect([name, stated]).toEqual([name, value])
    }
    expect(source).toMatch(/defaultContestationPeriod = 43200/)
    expect(source).toMatch(/defaultDepositPeriod = DepositPeriod 3600/)
    expect(source).toMatch(/defaultDepositActivation = DepositPeriod 3600/)
    expect(source).toMatch(/defaultApiTransactionTimeout = ApiTransactionTimeout 300/)
  })

  it.each(['alice', 'bob', 'carol', 'alice-mirror'])('reads the sample configuration of %s without a finding', (name) =>
    expect(checkNodeArguments({ config: readHydra(`demo/configs/${name}.yaml`) })).toEqual([])
  )

  it('reads the compose file: every node without a finding, and its ports, which all reach, with a warning each', () => {
    const text = readHydra('demo/docker-compose.yaml')
    const found = checkCompose({ text, nodeVersion: '2.4' })
    expect(found.map(({ code, severity, option }) => [code, severity, option])).toEqual(
      Array.from({ length: 3 }, () => ['api-exposed', 'warn', 'ports'])
    )
    // Its image is of 2.3.0, which has no --deposit-activation yet.
    expect(checkCompose({ text, nodeVersion: '2.3' }).filter(({ code }) => code === 'unknown-option')).toHaveLength(3)
  })

  it('names each of 60 mutations of the samples', () => {
    const sample = readHydra('demo/configs/alice.yaml')
    const lines = sample.split('\n')
    const keys = lines.flatMap((line, i) => (/^\s*(- )?[a-z-]+:/.test(line) ? [i] : []))
    let tried = 0
    for (const at of keys) {
      const mutations = [
        lines[at]!.replace(/([a-z-]+):/, '$1x:'),
        lines[at]!.replace(/: .*$/, ': [1, 2]'),
        lines[at]!.replace(/: (.*)$/, ': {a: $1'),
        `${lines[at]!.replace(/\S.*/, '')}\t${lines[at]!.trim()}`
      ]
      for (const mutation of mutations) {
        if (mutation === lines[at]) continue
        const text = lines.map((line, i) => (i === at ? mutation : line)).join('\n')
        tried++
        expect([mutation, checkNodeArguments({ config: text }).length > 0]).toEqual([mutation, true])
      }
    }
    expect(tried).toBeGreaterThanOrEqual(60)
  })

  it('has documents that are read as YAML', () => {
    for (const path of ['demo/docker-compose.yaml', 'demo/prometheus/docker/prometheus.yml'])
      expect(readYaml(readHydra(path), path)).toBeInstanceOf(Map)
  })
})
