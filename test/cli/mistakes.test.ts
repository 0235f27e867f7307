import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MISTAKES } from './mistakeRows'
import { run } from './recording/support'

interface Golden {
  readonly args: readonly string[]
  readonly code: number
  readonly text: string
  readonly json: { readonly error: { readonly code: string; readonly message: string } }
}

const goldens = JSON.parse(readFileSync(join(__dirname, 'mistakes.json'), 'utf8')) as Golden[]
const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-mistakes-'))
const home = process.cwd()
// A variable of the machine is never part of a text.
const { LAYER_URL: _url, LAYER_KEY: _key, ...others } = process.env
const before = process.env

beforeAll(() => {
  process.chdir(folder)
  process.env = others
})
afterAll(() => {
  process.chdir(home)
  process.env = before
  rmSync(folder, { recursive: true })
})

it('has at least forty rows, each once', () => {
  const rows = MISTAKES.map((args) => args.join(' '))
  expect(rows.length).toBeGreaterThanOrEqual(40)
  expect(new Set(rows).size).toBe(rows.length)
  expect(goldens.map(({ args }) => args.join(' '))).toEqual(rows)
})

describe.each(goldens)('layer-sdk $args', ({ args, code, text, json }) => {
  it('says in words what is wrong, and what comes next', async () => {
    expect(await run(args)).toEqual({ code, out: '', errors: text })
  })

  it('says the same as one JSON object, with the same exit code', async () => {
    // Behind an option without its value it would be the value.
    const end = args.at(-1)?.startsWith('--') === true ? args.length - 1 : args.length
    const found = await run([...args.slice(0, end), '--json', ...args.slice(end)])
    expect({ ...found, errors: JSON.parse(found.errors) }).toEqual({ code, out: '', errors: json })
    expect(text).toContain(json.error.message)
  })
})
