import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main'
import { keyFileText } from '../../src/cli/commands/setup/keyFiles'
import { textEnvelope } from '../../src/codec/textEnvelope'
import { startDevNode } from '../../src/devnode'
import { formatHeadFile, hashParameters } from '../../src/setup'
import { chainCliKeygen, genVkey, layerCliKeygen } from '../../src/utils'
import { ChainCliWallet } from '../../src/wallet'
import { describeWithHydra, readHydra } from '../support/hydraSource'

const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-setup-'))
const at = (...names: string[]): string => join(folder, ...names)
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...args: string[]): Promise<{ code: number; out: string; errors: string }> {
  const [out, errors]: [string[], string[]] = [[], []]
  const code = await main(['setup', ...args], {
    version: '1.2.3',
    out: (text) => out.push(text),
    error: (text) => errors.push(text),
    stopped: () => Promise.resolve()
  })
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}

/** Seed and public key of the demo's parties, which are public (cardano-scaling/hydra, demo/). */
const DEMO = {
  alice: [
    'e4c36e5403e6a02ef4821a34bb71d504916df0ddea476f797a5639110bc1bd52',
    'b37aabd81024c043f53a069c91e51a5b52e4ea399ae17ee1fe3cb9c44db707eb'
  ],
  bob: [
    '5b818acf8b775f7f38234278a06e402099eee236eef978c878117a4fd5883dd8',
    'f68e5624f885d521d2f43c3959a0de70496d5464bd3171aba8248f50d5d72b41'
  ],
  carol: [
    '0e3f3546a93bd1295eb9dce216941eefbce99ca9323df258d9beeee335920cce',
    '7abcda7de6d883e7570118c1ccc8ee2e911f2e628a41ab0685ffee15f39bba96'
  ]
} as const

describe('key files', () => {
  it.each(Object.entries(DEMO))("of the demo's %s are those of the node, byte for byte", (_, [seed, key]) => {
    const sk = textEnvelope('HydraSigningKey_ed25519', '', seed)
    const text = (kind: string, hex: string): string =>
      `{\n    "type": "Hydra${kind}Key_ed25519",\n    "description": "",\n    "cborHex": "5820${hex}"\n}\n`
    expect(keyFileText(sk)).toBe(text('Signing', seed))
    expect(keyFileText(genVkey(sk))).toBe(text('Verification', key))
  })

  describeWithHydra('of the source', () => {
    it.each(Object.entries(DEMO))('are equal to those of %s', (name, [seed]) => {
      const sk = textEnvelope('HydraSigningKey_ed25519', '', seed)
      expect(keyFileText(sk)).toBe(readHydra(`demo/${name}.sk`))
      expect(keyFileText(genVkey(sk))).toBe(readHydra(`demo/${name}.vk`))
      expect(genVkey(JSON.parse(readHydra(`demo/${name}.sk`)) as typeof sk).cborHex).toBe(genVkey(sk).cborHex)
    })
  })

  it('setup keys writes four files, the secret ones for their owner alone, and never over one', async () => {
    const made = await run('keys', '--out', at('made'), '--name', 'alice', '--json')
    expect(made.code).toBe(0)
    const { address, files } = JSON.parse(made.out) as { address: string; files: string[] }
    expect(files.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o644, 0o600, 0o644])
    const skey = readFileSync(at('made', 'alice.cardano.sk'), 'utf8')
    expect(new ChainCliWallet({ networkId: 0, skey }).getAddressBech32()).toBe(address)
    const secret = (JSON.parse(skey) as { cborHex: string }).cborHex
    expect(made.out + made.errors).not.toContain(secret.slice(4))
    const before = files.map((path) => readFileSync(path, 'utf8'))
    const again = await run('keys', '--out', at('made'), '--name', 'alice')
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining('is there already')])
    expect(files.map((path) => readFileSync(path, 'utf8'))).toEqual(before)
    // Half of a pair is there: nothing is written beside it.
    mkdirSync(at('half'))
    writeFileSync(at('half', 'bob.cardano.vk'), 'x')
    expect((await run('keys', '--out', at('half'), '--name', 'bob')).code).toBe(1)
    expect(() => statSync(at('half', 'bob.hydra.sk'))).toThrow('ENOENT')
    expect((await run('keys', '--out', at('made'), '--name', '../x')).code).toBe(2)
  })
})

describe('from keys to two nodes that agree', () => {
  it('goes by invitations, a merge, parameters, arguments, a check and a preflight', async () => {
    const parameters = at('parameters.json')
    const base = at('base.json')
    writeFileSync(
      base,
      JSON.stringify({
        txFeePerByte: 44,
        txFeeFixed: 155381,
        utxoCostPerByte: 4310,
        maxTxSize: 16384,
        maxValueSize: 5000,
        maxTxExecutionUnits: { memory: 1, steps: 2 },
        executionUnitPrices: { priceMemory: 0.0577, priceSteps: 0.0000721 },
        costModels: { PlutusV3: [3] },
        protocolVersion: { major: 10, minor: 0 }
      })
    )
    const made = await run('parameters', '--from', base, '--out', parameters)
    expect([made.code, made.out, made.errors]).toEqual([0, parameters, expect.stringMatching(/[0-9a-f]{64}$/)])
    for (const name of ['alice', 'bob']) {
      expect((await run('keys', '--out', at(name), '--name', name)).code).toBe(0)
      const peer = `${name}=${name}.example:5001`
      const invitation = at(`${name}.json`)
      const invited = await run(
        'head',
        '--from',
        at(name),
        '--peer',
        peer,
        '--parameters',
        parameters,
        '--out',
        invitation
      )
      expect([invited.code, invited.out]).toEqual([0, invitation])
    }
    const merged = await run('merge', at('alice.json'), at('bob.json'), '--out', at('head.json'))
    expect([merged.code, merged.errors]).toEqual([0, expect.stringMatching(/aloud.*: ([0-9a-f]{4} ){7}[0-9a-f]{4}$/)])
    expect(readFileSync(at('head.json'), 'utf8')).not.toContain('Signing')
    const other = await run('merge', at('bob.json'), at('alice.json'), '--json')
    expect(formatHeadFile((JSON.parse(other.out) as { head: unknown }).head)).toBe(
      readFileSync(at('head.json'), 'utf8')
    )

    const line = await run('arguments', at('head.json'), '--me', 'alice', '--keys', at('alice'))
    expect(line.code).toBe(0)
    // Alice has bob's key from his invitation's file.
    writeFileSync(at('alice', 'bob.hydra.vk'), readFileSync(at('bob', 'bob.hydra.vk')))
    writeFileSync(at('alice', 'bob.cardano.vk'), readFileSync(at('bob', 'bob.cardano.vk')))
    const words = line.out.split(' ')
    const against = ['--head', at('head.json'), '--me', 'alice']
    expect(await run('check', ...against, '--', ...words)).toEqual({ code: 0, out: 'No findings.', errors: '' })
    for (const form of ['config', 'compose']) {
      const file = at(`node.${form}.yaml`)
      const { out } = await run('arguments', at('head.json'), '--me', 'alice', '--form', form)
      writeFileSync(file, form === 'config' ? out : `services:\n${out.replace(/^/gm, '  ')}`)
      expect(await run('check', file)).toEqual({ code: 0, out: 'No findings.', errors: '' })
    }
    const wrong = words.map((word) => (word === '43200s' ? '43201s' : word))
    const found = await run('check', '--json', ...against, '--', ...wrong)
    expect([found.code, JSON.parse(found.out)]).toMatchObject([
      1,
      { verdict: 'block', findings: [{ code: 'head-difference' }] }
    ])

    expect((await run('preflight', at('head.json'), at('head.json'))).out).toMatch(/^Equal: /)
    writeFileSync(at('theirs.json'), readFileSync(at('head.json'), 'utf8').replace('43200s', '4320s'))
    const differs = await run('preflight', at('head.json'), at('theirs.json'))
    expect([differs.code, differs.out]).toEqual([
      1,
      `contestationPeriod\n  ${at('head.json')}: "43200s"\n  ${at('theirs.json')}: "4320s"`
    ])
  })

  it('a signing key in place of a public one is refused, and never printed', async () => {
    mkdirSync(at('mixed'))
    const { sk } = layerCliKeygen()
    writeFileSync(at('mixed', 'eve.hydra.vk'), keyFileText(sk))
    writeFileSync(at('mixed', 'eve.cardano.vk'), keyFileText(chainCliKeygen().vk))
    const refused = await run('head', '--from', at('mixed'), '--peer', 'eve=eve.example:5001')
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.errors).toContain('signing key')
    expect(refused.errors).not.toContain(sk.cborHex.slice(4, 20))
  })

  it.each<[string, string[], RegExp]>([
    ['no step', [], /setup needs one of keys, head/],
    ['an unknown step', ['start'], /setup needs one of/],
    ['no folder', ['keys'], /--out is missing/],
    ['a party without an address', ['head', '--from', at('made')], /--peer alice=HOST:PORT is missing/],
    ['an address of nobody', ['head', '--from', at('made'), '--peer', 'zoe=z:1'], /zoe/],
    ['one invitation', ['merge', 'a.json'], /at least two/],
    ['a party without a name', ['arguments', 'a.json'], /--me is missing/],
    ['an unknown form', ['arguments', 'a.json', '--me', 'a', '--form', 'toml'], /--form needs/],
    ['both a file and words', ['check', 'a.yaml', '--', '--quiet'], /check needs a FILE/],
    ['a head file without a party', ['check', '--head', 'a.json', '--', '--quiet'], /go together/],
    ['one file without a node', ['preflight', 'a.json'], /preflight needs/]
  ])('wrong usage is code 2: %s', async (_, args, words) => {
    const { code, errors } = await run(...args)
    expect([code, errors]).toEqual([2, expect.stringMatching(words)])
  })

  it('a file above 1 MiB, and one that is absent, are named', async () => {
    writeFileSync(at('large.json'), ' '.repeat(1024 * 1024 + 1))
    expect((await run('merge', at('large.json'), at('large.json'))).errors).toContain('at most 1 MiB')
    expect((await run('check', at('absent.yaml'))).errors).toContain('ENOENT')
  })
})

describe('a preflight against a running node', () => {
  it('holds with the head file of that node, and names what differs', async () => {
    const node = await startDevNode({ port: 0, parties: 2 })
    try {
      const raw: unknown = await (await fetch(`${node.httpUrl}/protocol-parameters`)).json()
      const config = (await (await fetch(`${node.httpUrl}/config`)).json()) as { chain: Record<string, number> }
      const head = {
        version: 1,
        network: 'preprod',
        nodeVersion: '2.4.1',
        scripts: [],
        contestationPeriod: `${config.chain['contestation-period']}s`,
        depositPeriod: `${config.chain['deposit-period']}s`,
        depositActivation: `${config.chain['deposit-activation']}s`,
        parametersHash: hashParameters(raw),
        parties: node.parties.map(({ vkey }, i) => ({
          name: `party-${i}`,
          hydraVkey: vkey,
          cardanoVkey: `${i}e`.repeat(32),
          peer: `127.0.0.1:${5001 + i}`
        }))
      }
      const check = (change: object): ReturnType<typeof run> => {
        writeFileSync(at('node.json'), JSON.stringify({ ...head, ...change }))
        return run('preflight', at('node.json'), '--url', node.url)
      }
      expect(await check({})).toEqual({ code: 0, out: 'No findings.', errors: '' })
      expect((await check({ contestationPeriod: '43200s' })).out).toContain('The contestation period of the head file')
      expect((await check({ parametersHash: 'ab'.repeat(32) })).out).toContain("The hash of the node's parameters")
      expect((await check({ nodeVersion: '2.3.0', depositActivation: null })).out).toContain('nodes of 2.3.0')
      expect((await check({ parties: [head.parties[0]] })).out).toContain('of no party')
      const stranger = { ...head.parties[1]!, hydraVkey: 'ab'.repeat(32) }
      expect((await check({ parties: [head.parties[0], stranger] })).out).toContain(
        'does not know the Hydra key of party-1'
      )
      const elsewhere = { ...head.parties[1]!, peer: '10.0.0.9:5002' }
      expect((await check({ parties: [head.parties[0], elsewhere] })).out).toContain('peers-differ')
      expect((await check({ network: 'preview' })).out).toContain('network of magic 2')
      Object.assign(node.faults, {
        failRoutes: ['GET /config'],
        failRequests: 1,
        httpFailure: { status: 404, body: '' }
      })
      const unread = await check({})
      expect(unread.out).toContain('GET /config gave HTTP 404')
    } finally {
      await node.stop()
    }
  })
})
