import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main'
import { SITE_URL } from '../../src/errors/links'
import { ROOT } from '../support/markdown'

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'layer-sdk-new-')))
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true, force: true })
})

async function run(...args: string[]): Promise<{ code: number; out: string[]; errors: string }> {
  const out: string[] = []
  const errors: string[] = []
  const code = await main(['new', ...args], {
    version: '1.2.3',
    packageFolder: ROOT,
    out: (text) => void out.push(text),
    error: (text) => void errors.push(text),
    stopped: () => new Promise(() => undefined)
  })
  return { code, out, errors: errors.join('\n') }
}

const readJson = (path: string): any => JSON.parse(readFileSync(path, 'utf8'))
const { files } = readJson(join(ROOT, 'package.json')) as { files: string[] }
const starters = files.flatMap((path) => /^examples\/([\w-]+)$/.exec(path)?.[1] ?? [])

describe('layer-sdk new', () => {
  it('lists the starters that the package holds, and those alone', async () => {
    const { code, out } = await run('--json')
    expect(code).toBe(0)
    expect(JSON.parse(out[0]!).map(({ name }: { name: string }) => name)).toEqual([...starters].sort())
    expect((await run()).out.join('\n')).toContain('new STARTER')
    const page = readFileSync(join(ROOT, 'docs', 'guides', 'starters.md'), 'utf8')
    for (const name of starters) expect(page).toContain(`| \`${name}\` |`)
  })

  it.each(starters)('makes a project of %s that needs no clone', async (name) => {
    const { code, out } = await run(name, 'my-app', '--no-install')
    expect(code).toBe(0)
    expect(out.at(-1)).toMatch(/^ {2}cd my-app && npm install && npm (start|run dev)$/)
    const manifest = readJson('my-app/package.json')
    expect(manifest).toMatchObject({ name: 'my-app', dependencies: { 'layer-sdk': '^1.2.3' } })
    const script = / && npm (?:run )?(\w+)$/.exec(out.at(-1)!)![1]!
    expect(manifest.scripts[script]).toEqual(expect.any(String))
    for (const file of readdirSync('my-app', { recursive: true, withFileTypes: true })) {
      expect(file.name).not.toMatch(/^(node_modules|dist|\.next|package-lock\.json)$/)
      if (!file.isFile()) continue
      const text = readFileSync(join(file.parentPath, file.name), 'utf8')
      expect(text).not.toMatch(/file:\.\.\/\.\.|\.\.\/\.\.\/(scripts|docs)|this clone/)
    }
  })

  it.each(starters)('points the links of the page of %s to the site', async (name) => {
    await run(name, 'my-app', '--no-install')
    const links = [...readFileSync('my-app/README.md', 'utf8').matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link!)
    for (const link of links.filter((each) => !/^https?:/.test(each) || each.startsWith(SITE_URL))) {
      expect(link.slice(0, SITE_URL.length + 1)).toBe(`${SITE_URL}/`)
      expect(existsSync(join(ROOT, 'docs', link.slice(SITE_URL.length + 1).replace('.html', '.md')))).toBe(true)
    }
    if (name === 'game-loop') expect(links.length).toBeGreaterThan(1)
  })

  it('writes where the package comes from', async () => {
    await run('game-loop', '--no-install', '--sdk', 'file:../layer-sdk-0.1.0.tgz')
    expect(readJson('game-loop/package.json').dependencies).toEqual({ 'layer-sdk': 'file:../layer-sdk-0.1.0.tgz' })
  })

  it('leaves files that are there as they are', async () => {
    mkdirSync('mine')
    writeFileSync('mine/notes.txt', 'kept')
    const { code, errors } = await run('game-loop', 'mine', '--no-install')
    expect([code, errors]).toEqual([1, expect.stringContaining('is not empty: its files stay as they are')])
    expect(readdirSync('mine')).toEqual(['notes.txt'])
    writeFileSync('plain', '')
    expect(await run('game-loop', 'plain', '--no-install')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('cannot be made (EEXIST)')
    })
  })

  it.each([
    [['game-lop'], 'Did you mean game-loop?'],
    [['nothing-like-it'], 'There are: '],
    [['../../etc'], 'There is no starter'],
    [['game-loop', 'Über mich'], 'small letters'],
    [['game-loop', 'a', 'b'], 'at most one FOLDER'],
    [['game-loop', '--instal'], 'Unknown option']
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, errors } = await run(...args)
    expect([code, errors]).toEqual([2, expect.stringContaining(sentence)])
    expect(readdirSync('.')).toEqual([])
  })

  it('says so when npm fails, and keeps the files', async () => {
    const { code, errors } = await run('game-loop', 'my-app', '--sdk', 'file:./absent.tgz')
    expect([code, errors]).toEqual([1, expect.stringContaining('npm install failed in my-app')])
    expect(existsSync('my-app/main.mjs')).toBe(true)
  })
})
