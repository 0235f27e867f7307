import { compareHeadFiles, formatHeadFile, hashHeadFile, headFile, mergeHeadFiles } from '../../src/setup'
import type { HeadFile } from '../../src/setup'
import { isLayerError } from '../../src'
import { randomHeadFile } from '../support/headFiles'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'

const SECRET = 'e4c36e5403e6a02ef4821a34bb71d504916df0ddea476f797a5639110bc1bd52'
const party = (name: string, digit: string): object => ({
  name,
  hydraVkey: digit.repeat(64),
  cardanoVkey: `${digit}${'0'.repeat(63)}`,
  peer: `${name}.example:5001`
})
const DOCUMENT = {
  version: 1,
  network: 'preprod',
  nodeVersion: '2.4.1',
  scripts: [] as string[],
  contestationPeriod: '43200s',
  depositPeriod: '3600s',
  depositActivation: '3600s' as string | null,
  parametersHash: null as string | null,
  parties: [party('bob', '2'), party('alice', '1')]
}

/** The path that a document is refused for, and the whole text of the error. */
function refusal(run: () => unknown): { path: string; text: string } {
  try {
    run()
  } catch (error) {
    if (isLayerError(error, 'SETUP_HEAD_FILE')) return { path: error.path, text: `${error.message} ${error.stack}` }
    throw error
  }
  throw new Error('it was accepted')
}

describe('a head file', () => {
  it.each([
    ['another version', { version: 2 }, 'version'],
    ['an unknown network', { network: 'testnet' }, 'network'],
    ['a magic that is no whole number', { network: 1.5 }, 'network'],
    ['a version that is none', { nodeVersion: 'latest' }, 'nodeVersion'],
    ['a period without its unit', { contestationPeriod: '43200' }, 'contestationPeriod'],
    ['a period as a number', { depositPeriod: 3600 }, 'depositPeriod'],
    ['a period of nothing', { contestationPeriod: '0s' }, 'contestationPeriod'],
    ['no activation from 2.4 on', { depositActivation: null }, 'depositActivation'],
    ['an activation before 2.4', { nodeVersion: '2.3.0' }, 'depositActivation'],
    ['scripts that are no ids', { scripts: ['abc'] }, 'scripts[0]'],
    ['a test network of its own without scripts', { network: 42 }, 'scripts'],
    ['a hash of another length', { parametersHash: 'ab' }, 'parametersHash'],
    ['no parties', { parties: [] }, 'parties'],
    ['30 parties', { parties: Array.from({ length: 30 }, (_, i) => party(`p${i}`, '1')) }, 'parties'],
    ['one name twice', { parties: [party('a', '1'), party('a', '2')] }, 'parties'],
    ['one key twice', { parties: [party('a', '1'), { ...party('b', '2'), hydraVkey: '1'.repeat(64) }] }, 'parties'],
    ['one address twice', { parties: [party('a', '1'), { ...party('b', '2'), peer: 'a.example:5001' }] }, 'parties'],
    ['a name for another file', { parties: [{ ...party('a', '1'), name: '../a' }] }, 'parties[0].name'],
    ['an address without a port', { parties: [{ ...party('a', '1'), peer: 'host' }] }, 'parties[0].peer'],
    ['an address with a comma', { parties: [{ ...party('a', '1'), peer: 'a,b:5001' }] }, 'parties[0].peer'],
    ['an unknown member', { contestationPeriods: '1s' }, 'head file'],
    ['an unknown member of a party', { parties: [{ ...party('a', '1'), hydraSkey: SECRET }] }, 'parties[0]']
  ])('is refused with %s', (_, change, path) =>
    expect(refusal(() => headFile({ ...DOCUMENT, ...change })).path).toBe(path)
  )

  it.each([
    ['of a party', { ...DOCUMENT, parties: [{ ...party('a', '1'), hydraVkey: skey('Hydra') }] }],
    ['of the wallet', { ...DOCUMENT, parties: [{ ...party('a', '1'), cardanoVkey: skey('Payment') }] }],
    ['in place of the file', skey('Hydra')],
    ['as text', JSON.stringify(skey('Hydra'))],
    ['in place of a party', { ...DOCUMENT, parties: [skey('Hydra')] }]
  ])('refuses a signing key %s, and never repeats it', (_, input) => {
    const { text } = refusal(() => headFile(input))
    expect(text).toMatch(/signing key/)
    expect(text).not.toContain(SECRET.slice(0, 16))
  })

  it('refuses text that is no JSON without repeating it, and text above 1 MiB', () => {
    expect(refusal(() => headFile(`{"k":"${SECRET}`)).text).not.toContain(SECRET.slice(0, 16))
    expect(refusal(() => headFile(' '.repeat(1024 * 1024 + 1))).text).toContain('1 MiB')
  })

  it('reads its own text, key files too, and has one order', () => {
    const file = headFile(DOCUMENT)
    expect(file.parties.map(({ name }) => name)).toEqual(['alice', 'bob'])
    expect(headFile(formatHeadFile(file))).toEqual(file)
    const vkey = { type: 'HydraVerificationKey_ed25519', description: '', cborHex: `5820${'1'.repeat(64)}` }
    const parties = [{ ...party('alice', '1'), hydraVkey: vkey }, party('bob', '2')]
    expect(hashHeadFile({ ...DOCUMENT, parties })).toEqual(hashHeadFile(file))
    expect(hashHeadFile(file).aloud).toMatch(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/)
  })
})

function skey(kind: string): object {
  return { type: `${kind}SigningKey_ed25519`, description: '', cborHex: `5820${SECRET}` }
}

describe('two head files', () => {
  const full = headFile({ ...DOCUMENT, scripts: ['a'.repeat(64)], parametersHash: 'b'.repeat(64) })
  const withParty = (change: object): unknown => ({
    ...full,
    parties: [full.parties[0], { ...full.parties[1], ...change }]
  })
  it.each<[string, unknown, string | null]>([
    ['network', { ...full, network: 'preview' }, null],
    ['network', { ...full, network: 42 }, null],
    ['nodeVersion', { ...full, nodeVersion: '2.4.0' }, null],
    ['scripts', { ...full, scripts: ['c'.repeat(64)] }, null],
    ['scripts', { ...full, scripts: [] }, null],
    ['scripts', { ...full, scripts: [...full.scripts, 'c'.repeat(64)] }, null],
    ['contestationPeriod', { ...full, contestationPeriod: '43201s' }, null],
    ['depositPeriod', { ...full, depositPeriod: '3601s' }, null],
    ['depositActivation', { ...full, depositActivation: '0s' }, null],
    ['parametersHash', { ...full, parametersHash: null }, null],
    ['parametersHash', { ...full, parametersHash: `${'b'.repeat(63)}c` }, null],
    ['parties.bob.name', withParty({ name: 'Bob' }), 'bob'],
    ['parties.bob.hydraVkey', withParty({ hydraVkey: 'f'.repeat(64) }), 'bob'],
    ['parties.bob.cardanoVkey', withParty({ cardanoVkey: 'f'.repeat(64) }), 'bob'],
    ['parties.bob.peer', withParty({ peer: 'bob.example:5002' }), 'bob'],
    ['parties.bob.peer', withParty({ peer: 'Bob.example:5001' }), 'bob'],
    ['parties.bob', { ...full, parties: [full.parties[0]] }, 'bob'],
    ['parties.carol', { ...full, parties: [...full.parties, party('carol', '3')] }, 'carol'],
    [
      'parties.alice.peer',
      { ...full, parties: [{ ...full.parties[0], peer: '10.0.0.1:5001' }, full.parties[1]] },
      'alice'
    ],
    ['depositPeriod', { ...full, depositPeriod: '36000s' }, null]
  ])('differ in %s, which is named with whose it is', (path, other, whose) => {
    for (const [a, b] of [
      [full, other],
      [other, full]
    ] as const) {
      const found = compareHeadFiles({ a, b })
      expect(found).toHaveLength(1)
      expect([path, path.replace('bob.name', 'Bob.name')]).toContain(found[0]!.path)
      expect([whose, 'Bob']).toContain(found[0]!.party)
    }
  })

  it('are equal in another order of parties, scripts and members, and with other spaces', () => {
    const random = randomSource('equal head files')
    for (let i = 0; i < scaled(200); i++) {
      const file = randomHeadFile(random)
      const shuffled = Object.fromEntries(
        Object.entries({
          ...file,
          parties: [...file.parties].reverse(),
          scripts: [...file.scripts].reverse()
        }).reverse()
      )
      expect(
        compareHeadFiles({ a: formatHeadFile(file), b: JSON.stringify(shuffled, null, '\t \n'.slice(0, 2)) })
      ).toEqual([])
    }
  })

  it('join as invitations, and differences are refused by name', () => {
    const [alice, bob] = full.parties.map((each) => ({ ...full, parties: [each] })) as unknown as [HeadFile, HeadFile]
    expect(mergeHeadFiles([bob, alice])).toEqual(full)
    expect(mergeHeadFiles([full, alice])).toEqual(full)
    expect(refusal(() => mergeHeadFiles([alice, { ...bob, depositPeriod: '1s' }]))).toMatchObject({
      path: 'depositPeriod'
    })
    const moved = { ...full, parties: [{ ...full.parties[0]!, peer: 'x.example:1' }] }
    expect(refusal(() => mergeHeadFiles([full, moved])).path).toBe('parties.alice')
    expect(refusal(() => mergeHeadFiles([])).path).toBe('head files')
    const twin = { ...full, parties: [{ ...full.parties[1]!, hydraVkey: 'e'.repeat(64), name: 'eve' }] }
    expect(refusal(() => mergeHeadFiles([full, twin])).path).toBe('parties')
  })
})
