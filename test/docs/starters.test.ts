import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/markdown'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const readJson = (path: string): any => JSON.parse(read(path))
const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const guide = read('docs/guides/starters.md')
/** The folders of the guide's first table. */
const starters = [...guide.matchAll(/^\| `([a-z\d-]+)` \|/gm)].map(([, name]) => name!)
const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', '.next', 'package-lock.json'].includes(entry.name)) return []
    return entry.isDirectory() ? filesOf(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]
  })

it('the page of examples/ lists every folder', () => {
  const listed = [...read('examples/README.md').matchAll(/^\| \[`([\w-]+)`\]/gm)].map(([, name]) => name!)
  expect(listed.sort()).toEqual(folders.sort())
})

it('the guide shows seven starters', () =>
  expect(starters).toEqual(['vite-react', 'next', 'cip30-deposit', 'dapp', 'game-loop', 'pay-per-call', 'shop']))

describe.each(starters)('the starter %s', (name) => {
  const manifest = readJson(`examples/${name}/package.json`)
  const command = manifest.scripts.dev === undefined ? 'npm start' : 'npm run dev'

  it('starts in one command, which its page, the list and the guide name', () => {
    expect(read(`examples/${name}/README.md`)).toContain(`npm install\n${command}\n`)
    expect(read('examples/README.md')).toMatch(new RegExp(`^\\| \\[\`${name}\`\\].*\\| \`${command}\` \\|$`, 'm'))
    if (command === 'npm start') expect(guide).toContain(`\`${name}\``)
  })

  it('takes the package from the clone, and other packages in the versions that its test runs', () => {
    const { 'layer-sdk': own, ...others } = { ...manifest.dependencies, ...manifest.devDependencies }
    expect(own).toBe('file:../..')
    const locks = ['test/apps', 'test/env'].map((folder) => readJson(`${folder}/package-lock.json`).packages)
    for (const [other, version] of Object.entries(others))
      expect(locks.map((packages) => packages[`node_modules/${other}`]?.version)).toContain(version)
  })

  it('is run by a test', () => {
    const runs = ['test/env/lib/examples.mjs', 'test/apps/run.mjs'].map(read).join('\n')
    expect(runs).toMatch(new RegExp(`id: '${name}'|makeStarter\\('${name}'\\)`))
  })

  it('stands on its own once `layer-sdk new` has cut it off the clone', () => {
    const copy = structuredClone(manifest)
    for (const [script, line] of Object.entries<string>(copy.scripts))
      if (line.includes('../../scripts/')) delete copy.scripts[script]
    copy.dependencies['layer-sdk'] = `^${readJson('package.json').version}`
    expect(JSON.stringify(copy)).not.toContain('..')
    const code = filesOf(`examples/${name}`).filter((path) => /\.(m?[jt]sx?|html)$/.test(path))
    expect(code.length).toBeGreaterThan(2)
    for (const path of code)
      for (const [, target] of read(path).matchAll(/from '(\.\.?\/[^']+)'/g)) expect(target).not.toMatch(/^\.\.\/\.\./)
  })

  it('names in its page only files that it has', () => {
    const named = [...read(`examples/${name}/README.md`).matchAll(/`([\w/-]+\.(?:mjs|[jt]sx?))`/g)].map(
      ([, path]) => path!
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !existsSync(join(ROOT, 'examples', name, path)))).toEqual([])
  })
})

it('the pages start their head in the same way', () => {
  const launchers = ['vite-react', 'next', 'cip30-deposit'].map((name) => read(`examples/${name}/local-head.mjs`))
  expect(new Set(launchers).size).toBe(1)
  // The guide's table of variables is what the launcher sets.
  const set = [...launchers[0]!.matchAll(/(HEAD_[A-Z_]+):/g)].map(([, name]) => name!)
  expect([...guide.matchAll(/^\| `(HEAD_[A-Z_]+)` \|/gm)].map(([, name]) => name!).sort()).toEqual(set.sort())
})

it.each([
  ['A page that pays', 'examples/vite-react/src/App.tsx'],
  ['Server rendering', 'examples/next/app/page.jsx']
])('the guide of React shows a file of a starter as it is: %s', (heading, path) => {
  const section = read('docs/guides/react.md').split(`\n## ${heading}\n`)[1]!
  expect(/```[jt]sx no-run\n([^]*?)```/.exec(section)![1]).toBe(read(path))
})

it('the starters with JSX name React themselves: the tsconfig.json of the clone above them names another library', () => {
  expect(readJson('tsconfig.json').compilerOptions.jsxImportSource).toBe('preact')
  expect(readJson('examples/next/jsconfig.json').compilerOptions).toEqual({
    jsx: 'react-jsx',
    jsxImportSource: 'react'
  })
  expect(read('examples/vite-react/vite.config.js')).toContain("importSource: 'react'")
})
