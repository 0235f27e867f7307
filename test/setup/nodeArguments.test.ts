import { checkCompose, checkNodeArguments, headFile, nodeArguments } from '../../src/setup'
import type { CheckNodeArgumentsArgs, HeadFile } from '../../src/setup'
import { codeOf } from '../support/codeOf'
import { randomHeadFile } from '../support/headFiles'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'

const HEAD: HeadFile = headFile({
  version: 1,
  network: 'preprod',
  nodeVersion: '2.4.1',
  scripts: ['a'.repeat(64)],
  contestationPeriod: '43200s',
  depositPeriod: '3600s',
  depositActivation: '1800s',
  parametersHash: null,
  parties: ['alice', 'bob', 'carol'].map((name, i) => ({
    name,
    hydraVkey: `${i}1`.repeat(32),
    cardanoVkey: `${i}2`.repeat(32),
    peer: `${name}.example:500${i + 1}`
  }))
})
const GOOD = nodeArguments({ head: HEAD, me: 'alice' })

const codesOf = (args: CheckNodeArgumentsArgs): string[] => checkNodeArguments(args).map(({ code }) => code)

/** The good arguments with the words behind an option replaced, or the option left out. */
function changed(name: string, ...values: readonly string[]): string[] {
  const at = GOOD.args.indexOf(`--${name}`)
  if (at < 0) return [...GOOD.args, `--${name}`, ...values]
  const size = GOOD.args[at + 1]?.startsWith('--') === true ? 1 : 2
  const words = values.length === 0 ? [] : [`--${name}`, ...values]
  return [...GOOD.args.slice(0, at), ...words, ...GOOD.args.slice(at + size)]
}

/** Mistakes in a command line, and the finding that names each. */
const MISTAKES: readonly (readonly [string, readonly string[], string])[] = [
  ['a misspelt option', [...GOOD.args, '--api-prot', '4001'], 'unknown-option'],
  ['an option of another program', [...GOOD.args, '--socket-path', 'x'], 'unknown-option'],
  ['an option of an older version', [...GOOD.args, '--blockfrost-query-timeout', '30'], 'unknown-option'],
  ['an option of a subcommand', [...GOOD.args, '--output-file', 'x'], 'unknown-option'],
  ['an unknown letter', [...GOOD.args, '-Z'], 'unknown-option'],
  ['a word without its option', [...GOOD.args, 'alice'], 'unexpected-argument'],
  ['a value for a switch', [...GOOD.args, '--quiet=yes'], 'bad-value'],
  ['an option twice', [...GOOD.args, '--api-port', '4002'], 'repeated-option'],
  ['a switch twice', [...GOOD.args, '--quiet', '-q'], 'repeated-option'],
  ['an option without its value at the end', [...GOOD.args, '--monitoring-port'], 'missing-value'],
  ['an option in place of a value', ['--monitoring-port', ...GOOD.args], 'missing-value'],
  ['a port above 65535', changed('api-port', '65536'), 'bad-value'],
  ['a port that is none', changed('api-port', 'four'), 'bad-value'],
  ['a host name for the API', changed('api-host', 'localhost'), 'bad-value'],
  ['a peer without its port', changed('peer', 'bob.example'), 'bad-value'],
  ['a peer with a port that is none', changed('peer', 'bob.example:http'), 'bad-value'],
  ['an address to listen on without a port', changed('listen', '0.0.0.0'), 'bad-value'],
  ['a period without its unit', changed('contestation-period', '43200'), 'bad-value'],
  ['a period in minutes', changed('deposit-period', '60m'), 'bad-value'],
  ['a contestation period of nothing', changed('contestation-period', '0s'), 'period'],
  ['a negative deposit period', changed('deposit-period', '-1s'), 'period'],
  ['a magic that is no number', changed('testnet-magic', 'preprod'), 'bad-value'],
  ['scripts that are no ids', changed('hydra-scripts-tx-id', 'abc'), 'bad-value'],
  ['a starting point without its hash', [...GOOD.args, '--start-chain-from', '1234'], 'bad-value'],
  ['a rotation after nothing', [...GOOD.args, '--persistence-rotate-after', '0'], 'bad-value'],
  ['both networks', [...GOOD.args, '--mainnet'], 'chain-kinds'],
  ['both backends', [...GOOD.args, '--blockfrost', 'project.txt'], 'chain-kinds'],
  ['a chain and none', [...GOOD.args, '--offline-head-seed', '0001'], 'chain-kinds'],
  ['published scripts and others', [...GOOD.args, '--network', 'preprod'], 'chain-kinds'],
  ['no scripts', changed('hydra-scripts-tx-id'), 'missing-option'],
  ['an offline head without its seed', ['--initial-utxo', 'utxo.json'], 'missing-option'],
  ['the scripts of one network on another', ['--network', 'preprod', '--testnet-magic', '2'], 'network-magic'],
  [
    'the magic of mainnet with those of preprod',
    ['--network', 'preprod', '--testnet-magic', '764824073'],
    'network-magic'
  ],
  ['those of preprod on the assumed network', ['--network', 'preprod'], 'network-magic'],
  ['those of preprod on mainnet', ['--network', 'preprod', '--mainnet'], 'network-magic'],
  ['an unknown network', ['--network', 'sanchonet', '--testnet-magic', '4'], 'bad-value'],
  ['a Cardano key too few', changed('cardano-verification-key'), 'key-counts'],
  ['the own key among the others', changed('hydra-verification-key', 'keys/alice.hydra.vk'), 'own-key'],
  ['the own wallet among the others', changed('cardano-verification-key', 'keys/alice.cardano.vk'), 'own-key'],
  ['one key twice', changed('hydra-verification-key', 'keys/carol.hydra.vk'), 'same-key'],
  ['a signing key of another', changed('hydra-verification-key', 'keys/bob.hydra.sk'), 'secret-key'],
  ['the own address among the peers', changed('peer', 'alice.example:5001'), 'own-peer'],
  ['one peer twice', changed('peer', 'carol.example:5003'), 'own-peer'],
  ['no address for the others', changed('advertise'), 'own-peer'],
  ['TLS without its key', [...GOOD.args, '--tls-cert', 'cert.pem'], 'tls-pair'],
  ['an API that all reach', changed('api-host', '0.0.0.0'), 'api-exposed'],
  ['an API that the network reaches', changed('api-host', '192.168.1.2'), 'api-exposed'],
  [
    'thirty parties',
    [...GOOD.args, ...Array.from({ length: 28 }, (_, i) => ['--hydra-verification-key', `k${i}.vk`]).flat()],
    'too-many-parties'
  ]
]

/** Mistakes that the head file alone shows. */
const DIFFERENCES: readonly (readonly [string, readonly string[], string])[] = [
  ['another contestation period', changed('contestation-period', '43201s'), 'head-difference'],
  ['the assumed deposit activation', changed('deposit-activation'), 'head-difference'],
  ['another deposit period', changed('deposit-period', '60s'), 'head-difference'],
  ['other scripts', changed('hydra-scripts-tx-id', 'b'.repeat(64)), 'head-difference'],
  ['one script more', changed('hydra-scripts-tx-id', `${'a'.repeat(64)},${'b'.repeat(64)}`), 'head-difference'],
  ['another network', changed('testnet-magic', '2'), 'head-difference'],
  ['another address of its own', changed('advertise', 'alice.example:5009'), 'own-peer'],
  ['its address in other letters', changed('advertise', 'Alice.example:5001'), 'own-peer'],
  ['a peer too few', changed('peer'), 'peers-differ'],
  ['a peer elsewhere', changed('peer', 'bob.example:5009'), 'peers-differ'],
  ['a peer of no party', [...GOOD.args, '--peer', 'mirror.example:5004'], 'peers-differ'],
  ['a party too few', changed('hydra-verification-key'), 'key-counts']
]

describe('the check of a node', () => {
  it.each(MISTAKES)('names %s', (_, args, code) => expect(codesOf({ args })).toContain(code))
  it.each(DIFFERENCES)('names what differs from the head file: %s', (_, args, code) => {
    expect(codesOf({ args, head: HEAD, me: 'alice' })).toContain(code)
  })
  it('knows 60 mistakes at least', () => expect(MISTAKES.length + DIFFERENCES.length).toBeGreaterThanOrEqual(60))

  it('offers the nearest name, and the value with its unit', () => {
    const [misspelt] = checkNodeArguments({
      args: ['--contestation-periods', '1s', '--network', 'preview', '--testnet-magic', '2']
    })
    expect(misspelt).toMatchObject({ code: 'unknown-option', remedy: 'Write --contestation-period.' })
    const [unit] = checkNodeArguments({
      args: ['--deposit-period', '60', '--network', 'preview', '--testnet-magic', '2']
    })
    expect(unit).toMatchObject({ code: 'bad-value', remedy: 'Write --deposit-period 60s.' })
  })

  it('reads letters, equal signs and a whole line, as the node does', () => {
    const args = ['hydra-node', '-q', '-nalice', '-l', '127.0.0.1:5001', '--network=preview', '--testnet-magic=2']
    expect(checkNodeArguments({ args })).toEqual([])
    expect(codesOf({ args: ['publish-scripts', '--testnet-magic', '1', '--node-socket', 'x'] })).toEqual([])
    expect(codesOf({ args: ['gen-hydra-key', '--output-file', 'alice'] })).toEqual([])
    expect(codesOf({ args: ['gen-hydra-key', '--node-id', 'alice'] })).toEqual(['unknown-option'])
    expect(codesOf({ args: ['--offline-head-seed', '0001', '--hydra-verification-key', 'bob.vk'] })).toEqual([])
  })

  it('compares the keys themselves where their files are at hand, and repeats none of them', () => {
    const secret = 'e4c36e5403e6a02ef4821a34bb71d504916df0ddea476f797a5639110bc1bd52'
    const file = (type: string, key: string): string => JSON.stringify({ type, description: '', cborHex: `5820${key}` })
    const files: Record<string, string> = {
      'keys/alice.hydra.vk': file('HydraVerificationKey_ed25519', HEAD.parties[0]!.hydraVkey),
      'keys/bob.hydra.vk': file('HydraVerificationKey_ed25519', HEAD.parties[1]!.hydraVkey)
    }
    const readKey = (path: string): string | null => files[path] ?? null
    const check = (): ReturnType<typeof checkNodeArguments> =>
      checkNodeArguments({ args: GOOD.args, head: HEAD, me: 'alice', readKey })
    expect(check()).toEqual([])
    files['keys/carol.hydra.vk'] = files['keys/alice.hydra.vk']!
    expect(check().map(({ code }) => code)).toContain('own-key')
    files['keys/carol.hydra.vk'] = files['keys/bob.hydra.vk']!
    expect(check().map(({ code }) => code)).toContain('same-key')
    files['keys/carol.hydra.vk'] = file('HydraVerificationKey_ed25519', 'ee'.repeat(32))
    expect(check().map(({ code }) => code)).toEqual(['head-difference'])
    files['keys/carol.hydra.vk'] = file('HydraSigningKey_ed25519', secret)
    const found = check()
    expect(found.map(({ code }) => code)).toEqual(['secret-key'])
    expect(JSON.stringify(found)).not.toContain(secret.slice(0, 16))
    files['keys/carol.hydra.vk'] = secret
    expect(JSON.stringify(check())).not.toContain(secret.slice(0, 16))
  })

  it('refuses a version whose options are not known, a stranger, and neither of the two forms', async () => {
    expect(await codeOf(() => checkNodeArguments({ args: [], nodeVersion: '2.5.0' }))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => checkNodeArguments({ args: [], nodeVersion: '2.2.0' }))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => checkNodeArguments({ args: GOOD.args, head: HEAD, me: 'mallory' }))).toBe(
      'INPUT_ARGUMENT'
    )
    expect(await codeOf(() => checkNodeArguments({}))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => nodeArguments({ head: HEAD, me: 'mallory' }))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => nodeArguments({ head: HEAD, me: 'alice', nodeVersion: '2.3' }))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => nodeArguments({ head: HEAD, me: 'alice', keys: 'a\nb' }))).toBe('INPUT_ARGUMENT')
  })

  it('knows which version has which option', () => {
    expect(codesOf({ args: changed('deposit-activation', '1s'), nodeVersion: '2.3.0' })).toEqual(['unknown-option'])
    const args = ['--network', 'preprod', '--blockfrost', 'p.txt', '--blockfrost-query-timeout', '30']
    expect(codesOf({ args, nodeVersion: '2.3' })).toEqual([])
  })
})

it('the options that are made of a head file are clean in all three forms, for any head file', () => {
  const random = randomSource('node arguments')
  for (let i = 0; i < scaled(500); i++) {
    const head = randomHeadFile(random)
    const me = random.pick(head.parties).name
    const blockfrost = random.pick([undefined, 'blockfrost $x.txt'])
    const node = nodeArguments({ head, me, blockfrost, keys: random.pick(['keys', '/head/a "b"', './k']) })
    expect(checkNodeArguments({ args: node.args, head, me })).toEqual([])
    expect(checkNodeArguments({ config: node.config, head, me })).toEqual([])
    const text = `services:\n${node.service.replace(/^(?=.)/gm, '  ')}`
    expect(checkCompose({ text, nodeVersion: head.nodeVersion })).toEqual([])
  }
})

describe('the check of a configuration file', () => {
  const { config } = GOOD
  it.each<[string, string, string]>([
    ['an unknown key', config.replace('api-port:', 'api-prot:'), 'unknown-option'],
    ['the name of the command line', config.replace('peers:', 'peer:'), 'unknown-option'],
    ['an unknown key of the chain', config.replace('  deposit-period', '  deposit-periods'), 'unknown-option'],
    ['an unknown key of a peer', config.replace('    hydra-verification-key:', '    hydra-key:'), 'unknown-option'],
    ['one key of a peer', config.replace(/^ {4}cardano-verification-key.*\n/m, ''), 'peer-keys'],
    [
      'a period with its unit',
      config.replace('contestation-period: 43200', 'contestation-period: 43200s'),
      'bad-value'
    ],
    ['a port as a text', config.replace('api-port: 4001', 'api-port: "4001"'), 'bad-value'],
    ['a peer without its port', config.replace('"bob.example:5002"', '"bob.example"'), 'bad-value'],
    ['a mode that is none', config.replace('mode: cardano', 'mode: online'), 'bad-value'],
    ['a backend of the other mode', config.replace('mode: direct', 'mode: blockfrost'), 'chain-kinds'],
    ['both kinds of chain', config.replace('mode: cardano', 'mode: offline'), 'chain-kinds'],
    ['a key twice', `${config}api-port: 4002\n`, 'unreadable'],
    ['a tab', config.replace('  mode: cardano', '\tmode: cardano'), 'unreadable'],
    ['an anchor', config.replace('"alice"', '&me "alice"'), 'unreadable'],
    ['no YAML', ']', 'unreadable'],
    ['a list', '- a\n- b\n', 'unreadable']
  ])('names %s', (_, text, code) => {
    expect(text).not.toBe(config)
    expect(codesOf({ config: text })).toContain(code)
  })
})

describe('the check of a compose file', () => {
  const services = ['alice', 'bob'].map((me, i) =>
    nodeArguments({ head: { ...HEAD, parties: HEAD.parties.slice(0, 2) }, me, apiPort: 4001 + i }).service.replace(
      /^(?=.)/gm,
      '  '
    )
  )
  const text = `services:\n${services.join('')}`
  const codes = (file: string): string[] => checkCompose({ text: file }).map(({ code }) => code)
  it('has no findings for the services that are made of a head file', () => expect(codes(text)).toEqual([]))
  it.each<[string, string, string]>([
    ['an API that all reach', text.replace('"127.0.0.1:4001:4001"', '"4001:4001"'), 'api-exposed'],
    ['ports that clash', text.replace('"127.0.0.1:4002:4002"', '"127.0.0.1:4001:4002"'), 'bad-value'],
    ['a peer that is written otherwise', text.replace('- "bob.example:5002"', '- "10.0.0.2:5002"'), 'peers-differ'],
    ['an unknown option', text.replace('--persistence-dir', '--persistence'), 'unknown-option']
  ])('names %s', (_, file, code) => expect(codes(file)).toContain(code))
  it('refuses what is no compose file', async () =>
    expect(await codeOf(() => checkCompose({ text: 'a: 1' }))).toBe('INPUT_ARGUMENT'))
})
