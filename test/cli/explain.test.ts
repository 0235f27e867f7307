import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_INDEX } from '../../src/cli/explain/errorIndex'
import { REMEDIES } from '../../src/cli/explain/remedies'
import { main } from '../../src/cli/main'
import { errorUrl, SITE_URL } from '../../src/errors/links'
import { ROOT } from '../support/markdown'

async function run(...args: string[]): Promise<{ code: number; out: string; errors: string }> {
  const [out, errors]: [string[], string[]] = [[], []]
  const code = await main(['explain', ...args], {
    version: '',
    out: (line) => void out.push(line),
    error: (line) => void errors.push(line),
    stopped: () => Promise.resolve()
  })
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}
const codes = [...readFileSync(join(ROOT, 'src/errors/codes.ts'), 'utf8').matchAll(/^ {2}([A-Z0-9_]+): /gm)].map(
  ([, code]) => code!
)

describe('layer-sdk explain', () => {
  it.each([
    ['BRIDGE_CONECT', 'Did you mean BRIDGE_CONNECT?'],
    ['wallet_mnemonic_wrod', 'Did you mean WALLET_MNEMONIC_WORD?'],
    ['tx-insufficient-fund', 'Did you mean TX_INSUFFICIENT_FUNDS?'],
    ['', 'All codes: layer-sdk explain.'],
    ['__proto__', 'All codes: layer-sdk explain.'],
    ['constructor', 'All codes: layer-sdk explain.'],
    ['toString', 'All codes: layer-sdk explain.'],
    ['x'.repeat(100_000), 'There is no error code of 100000 characters.']
  ])('refuses the unknown code %.30s and names the nearest', async (code, sentence) => {
    const { code: exit, out, errors } = await run(code)
    expect([exit, out]).toEqual([2, ''])
    expect(errors).toContain(sentence)
    expect(errors.length).toBeLessThan(300)
  })

  it('refuses two codes', async () => {
    expect((await run('INPUT_HEX', 'INPUT_CBOR')).code).toBe(2)
  })

  it('prints what a code means, what to do, the members of the error and the address of its page', async () => {
    const { code, out } = await run('client_outcome_unknown')
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toBe('CLIENT_OUTCOME_UNKNOWN (OutcomeUnknownError)')
    expect(out).toContain('A transaction was sent, and it is not known yet if it will be confirmed.')
    expect(out).toContain('To do: Do not pay again.')
    expect(out).toContain('  txId: ')
    expect(out.split('\n').at(-1)).toBe(errorUrl('CLIENT_OUTCOME_UNKNOWN'))
  })

  it('explains every code of the package, and lists all of them without an argument', async () => {
    const { out } = await run()
    expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual([...codes].sort())
    for (const code of codes) {
      const { code: exit, out: json } = await run(code, '--json')
      const section = JSON.parse(json) as Record<string, string>
      expect([exit, section['code']]).toEqual([0, code])
      for (const member of ['name', 'meaning', 'remedy', 'url']) expect(section[member]!.length).toBeGreaterThan(10)
    }
    const listed = (await run('--json')).out.split('\n').map((line) => JSON.parse(line) as { code: string })
    expect(listed.map(({ code }) => code)).toEqual([...codes].sort())
  })
})

it('the index and the remedies hold exactly the codes of the package', () => {
  expect(Object.keys(ERROR_INDEX)).toEqual([...codes].sort())
  expect(Object.keys(REMEDIES).sort()).toEqual([...codes].sort())
})

it('a remedy promises that nothing was sent only where the outcome is always none', () => {
  const report = readFileSync(join(ROOT, 'etc', 'index.api.md'), 'utf8')
  const classes = [...report.matchAll(/^export class \w+ extends LayerSdkError<'(\w+)'> \{[\s\S]*?^\}/gm)]
  const open = classes.filter(([text]) => /readonly outcome: '[^;]*unknown/.test(text)).map(([, code]) => code!)
  expect(open).toEqual(expect.arrayContaining(['BRIDGE_SUBMIT', 'CLIENT_TIMEOUT', 'CLIENT_WALLET_FAILED']))
  const promises = open.filter((code) =>
    /(no transaction|nothing) was sent/i.test(REMEDIES[code as keyof typeof REMEDIES])
  )
  expect(promises.filter((code) => !REMEDIES[code as keyof typeof REMEDIES].includes('`outcome: '))).toEqual([])
})

it('the generated index is up to date with the error classes', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/error-index.mjs'), '--check'])
  expect([status, stderr.toString()]).toEqual([0, ''])
})

it('links of errors lead to the site that package.json names as the homepage', () => {
  const { homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { homepage: string }
  expect(homepage).toBe(SITE_URL)
  expect(errorUrl('INPUT_HEX')).toBe(`${homepage}/errors.html#input_hex`)
})
