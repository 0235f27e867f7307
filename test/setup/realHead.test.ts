import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { CliProgram } from '../support/cliProgram'
import { composeProblems } from './composeProblems'

const EXAMPLE = join(__dirname, '..', '..', 'examples', 'real-head')
const FORMS = ['offline', 'devnet'] as const
const composeOf = (form: string): string => readFileSync(join(EXAMPLE, form, 'compose.yaml'), 'utf8')
const problems = (form: string, text: string): string[] => composeProblems(join(EXAMPLE, form), text)

describe.each(FORMS)('the compose file of %s', (form) => {
  it('can be used as it is', () => expect(problems(form, composeOf(form))).toEqual([]))
})

/** Changes that people make, each on one place. */
const MUTATIONS: readonly (readonly [form: (typeof FORMS)[number], from: string, to: string])[] = [
  ['offline', '    volumes:', '   volumes:'],
  ['offline', "'127.0.0.1:4001:4001'", "'4001:4001'"],
  ['offline', "'127.0.0.1:4001:4001'", "'0.0.0.0:4001:4001'"],
  ['offline', "'127.0.0.1:4002:4001'", "'127.0.0.1:4001:4001'"],
  ['offline', "'127.0.0.1:4002:4001'", "'127.0.0.1:4002:4003'"],
  ['offline', '--api-host\n      - 0.0.0.0', '--api-host\n      - 127.0.0.1'],
  ['offline', '--hydra-signing-key', '--hydra-signing-keys'],
  ['offline', '/keys/alice.hydra.sk', '/keys/carol.hydra.sk'],
  ['offline', '/keys/bob.hydra.vk', '/keys/alice.hydra.vk'],
  ['offline', '/keys/bob.hydra.vk', '/key/bob.hydra.vk'],
  ['offline', '--peer\n      - 172.28.1.20:5001', '--peer\n      - 172.28.1.20'],
  ['offline', '--peer\n      - 172.28.1.20:5001', '--peer\n      - 172.28.1.30:5001'],
  ['offline', '--listen\n      - 172.28.1.10:5001', '--listen\n      - 172.28.1.11:5001'],
  ['offline', "      - --offline-head-seed\n      - '0001'\n", ''],
  ['offline', '- --offline-head-seed', "- --testnet-magic\n      - '42'\n      - --offline-head-seed"],
  ['offline', 'hydra-node:2.4.1@', 'hydra-node:latest@'],
  ['offline', '@${HYDRA_NODE_DIGEST:?fill in the digest of the image}', ''],
  ['offline', '${HYDRA_NODE_DIGEST:?fill in the digest of the image}', '${HYDRA_NODE_DIGEST}'],
  ['offline', 'HYDRA_NODE_DIGEST', 'HYDRA_DIGEST'],
  ['offline', '- alice:/persistence', '- alicia:/persistence'],
  ['offline', '- alice:/persistence', '- alice:/persist'],
  ['offline', './utxo.json:/head/utxo.json:ro', './utxos.json:/head/utxo.json:ro'],
  ['offline', '# made: ./utxo.json\n', ''],
  ['offline', 'ipv4_address: 172.28.1.20', 'ipv4_address: 172.28.1.10'],
  [
    'offline',
    '      - --persistence-dir\n      - /persistence\n    networks:\n      head:',
    '    networks:\n      heads:'
  ],
  ['devnet', '--contestation-period\n      - 3s', '--contestation-period\n      - 3 seconds'],
  ['devnet', '      - --hydra-scripts-tx-id\n      - ${HYDRA_SCRIPTS_TX_ID:?run seed.sh first}\n', ''],
  ['devnet', '      - --cardano-verification-key\n      - /keys/bob.cardano.vk\n', ''],
  ['devnet', '- --node-socket\n      - /devnet/node.socket', '- --node-socket\n      - /ipc/node.socket'],
  ['devnet', '- cardano-node\n', '- cardano\n'],
  ['devnet', '/devnet/kes.skey', '/devnet/kes.key'],
  ['devnet', 'hydra-node:2.4.1@', 'hydra-node:2.3.0@']
]

it.each(MUTATIONS)('in %s, %j as %j is found', (form, from, to) => {
  const text = composeOf(form)
  expect(text).toContain(from)
  expect(problems(form, text.replace(from, to))).not.toEqual([])
})

it('counts at least 25 mutations', () => expect(MUTATIONS.length).toBeGreaterThanOrEqual(25))

it.each(FORMS)('the scripts of %s are programs that a shell can read', (form) => {
  const scripts = readdirSync(join(EXAMPLE, form)).filter((name) => name.endsWith('.sh'))
  expect(scripts).toContain('prepare.sh')
  for (const name of scripts) {
    const path = join(EXAMPLE, form, name)
    expect(spawnSync('sh', ['-n', path], { encoding: 'utf8' }).stderr).toBe('')
    expect(statSync(path).mode & 0o100).toBe(0o100)
  }
})

describe('prepare.sh of offline', () => {
  const program = new CliProgram()
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-real-head-'))
  beforeAll(() => program.build(), 60_000)
  afterAll(() => {
    program.remove()
    rmSync(folder, { recursive: true })
  })

  it('makes every file that the compose file names, and no key twice', async () => {
    cpSync(join(EXAMPLE, 'offline'), folder, { recursive: true })
    const npx = join(folder, 'bin')
    mkdirSync(npx)
    writeFileSync(join(npx, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${program.path}" "$@"\n`)
    chmodSync(join(npx, 'npx'), 0o755)
    const env = { ...process.env, PATH: `${npx}${delimiter}${process.env['PATH']!}`, PREPARE_PORT: await freePort() }
    const prepare = (): string => {
      const { status, stderr } = spawnSync('sh', ['prepare.sh'], {
        cwd: folder,
        env,
        encoding: 'utf8',
        timeout: 60_000
      })
      expect([status, stderr]).toEqual([0, expect.any(String)])
      return readFileSync(join(folder, 'keys', 'alice.hydra.sk'), 'utf8')
    }
    const key = prepare()
    expect(prepare()).toBe(key)
    const withoutMade = composeOf('offline').replace(/^# made: .*\n/gm, '')
    expect(composeProblems(folder, withoutMade)).toEqual([])
    const utxo = JSON.parse(readFileSync(join(folder, 'utxo.json'), 'utf8')) as Record<string, { address: string }>
    expect(Object.keys(utxo)).toEqual([`${'0'.repeat(64)}#0`, `${'0'.repeat(64)}#1`])
    for (const { address } of Object.values(utxo)) expect(address).toMatch(/^addr_test1[\da-z]{50,}$/)
    expect(JSON.parse(readFileSync(join(folder, 'protocol-parameters.json'), 'utf8'))).toMatchObject({
      txFeePerByte: 0,
      maxTxSize: expect.any(Number)
    })
  }, 120_000)
})

it('the guide says first that no person has run it yet, or when', () => {
  const [title, , first] = readFileSync(join(EXAMPLE, '..', '..', 'docs', 'guides', 'real-head.md'), 'utf8').split('\n')
  expect(title).toBe('# A real head in ten minutes')
  expect(first).toMatch(/^Last run by a person: (not run yet|\d{4}-\d\d-\d\d, hydra-node \d+\.\d+\.\d+)\.$/)
})

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}
