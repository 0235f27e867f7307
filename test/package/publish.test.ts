import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative } from 'node:path'
import { filesBelow, ROOT } from '../support/markdown'

// It has no types of its own.
const { load } = createRequire(__filename)('js-yaml') as { load(text: string): unknown }
const readJson = (path: string): any => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
let temporary: string
beforeEach(() => {
  temporary = realpathSync(mkdtempSync(join(tmpdir(), 'layer-sdk-publish-')))
})
afterEach(() => rmSync(temporary, { recursive: true, force: true }))

describe('the published package', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    })
  )
  const files: string[] = packed.files.map(({ path }: { path: string }) => path)
  const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')

  it('links from its pages to files of the repository, which npm shows them with', () => {
    const pages = files.filter((path) => path.endsWith('.md'))
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'SECURITY.md', 'examples/shop/README.md'])
    )
    const dead = pages.flatMap((page) =>
      [...withoutCode(readFileSync(join(ROOT, page), 'utf8')).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map((match) => match[1]!)
        .filter((link) => !/^(https?|mailto):/.test(link))
        .map((link) => posix.join(posix.dirname(page), link))
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${page} -> ${target}`)
    )
    expect(dead).toEqual([])
  })

  it('holds of the docs an index that leads to every page of the site', () => {
    expect(files.filter((path) => path.startsWith('docs/'))).toEqual(['docs/llms.txt'])
    const { homepage } = readJson('package.json')
    const links = [...readFileSync(join(ROOT, 'docs/llms.txt'), 'utf8').matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)]
    const pages = links.map(([, link]) => link!.replace(`${homepage}/`, 'docs/').replace(/\.html$/, '.md'))
    expect(pages.sort()).toEqual(filesBelow('docs', '.md').sort())
  })

  it('holds the starters, and no source, test, other example or script of the clone', () => {
    expect(files).toContain('examples/vite-react/package.json')
    expect(files.filter((path) => /^(src|test|scripts|bench|etc|\.ci)\//.test(path))).toEqual([])
    const { files: listed } = readJson('package.json') as { files: string[] }
    const others = files.filter((path) => /^examples\//.test(path)).map((path) => path.split('/').slice(0, 2).join('/'))
    expect(others.filter((path) => !listed.includes(path))).toEqual([])
    expect(files.filter((path) => /node_modules|package-lock|\.map$/.test(path))).toEqual([])
  })

  it('tells its users of no script that only a clone has, without saying so', () => {
    const lines = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n')
    lines.forEach((line, index) => {
      if (!/npm (run|test)/.test(line)) return
      expect(lines.slice(Math.max(0, index - 6), index + 2).join(' ')).toMatch(/clone/)
    })
  })
})

describe('the release check', () => {
  function check(
    changes: Record<string, unknown> = {},
    changelog = '\n## [0.1.0] - 2026-01-01\n'
  ): { status: number | null; stderr: string } {
    writeFileSync(
      join(temporary, 'package.json'),
      JSON.stringify({ ...readJson('package.json'), version: '0.1.0', ...changes })
    )
    writeFileSync(join(temporary, 'CHANGELOG.md'), changelog)
    return spawnSync(process.execPath, [join(ROOT, 'scripts', 'check-release.mjs'), temporary], { encoding: 'utf8' })
  }
  const real = {
    homepage: 'https://code.somewhere.dev/layer-sdk#readme',
    bugs: { url: 'https://code.somewhere.dev/layer-sdk/issues' },
    repository: { type: 'git', url: 'git+https://code.somewhere.dev/layer-sdk.git' }
  }

  it('stands before npm publish', () => {
    expect(readJson('package.json').scripts.prepublishOnly).toBe('node scripts/check-release.mjs')
  })

  it('lets a version pass whose addresses are real and whose changes are written down', () => {
    expect(check(real)).toMatchObject({ status: 0, stderr: '' })
  })

  it.each([
    ['homepage', 'homepage is a placeholder', { ...real, homepage: 'https://repository.invalid/layer-sdk' }],
    ['bugs', 'bugs.url is a placeholder', { ...real, bugs: { url: 'https://git.example/layer-sdk/issues' } }],
    [
      'repository',
      'repository.url is a placeholder',
      { ...real, repository: { type: 'git', url: 'git+https://repository.invalid/layer-sdk.git' } }
    ],
    ['missing repository', 'package.json has no repository.url', { ...real, repository: undefined }],
    [
      'repository without https',
      'repository.url is no https URL',
      { ...real, repository: { type: 'git', url: 'git@somewhere:layer-sdk' } }
    ]
  ])('refuses a version with a placeholder or nothing: %s', (_, problem, changes) => {
    const { status, stderr } = check(changes)
    expect(status).toBe(1)
    expect(stderr).toContain(problem)
    expect(stderr.match(/^- /gm)).toHaveLength(1)
  })

  it('refuses a version whose changes stand under Unreleased', () => {
    expect(check(real, '\n## [Unreleased]\n')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no section of version 0.1.0')
    })
  })

  it('has each of the addresses to look at, real or placeholder', () => {
    const { homepage, bugs, repository } = readJson('package.json')
    for (const url of [homepage, bugs.url, repository.url]) expect(url).toMatch(/^(git\+)?https:\/\/[\w.-]+\/layer-sdk/)
  })
})

describe('the release job', () => {
  interface Step {
    readonly run?: string
    readonly env?: Readonly<Record<string, string>>
  }
  const text = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')
  const job = load(text) as { permissions: Record<string, string>; jobs: { publish: { steps: readonly Step[] } } }
  const { steps } = job.jobs.publish
  const runs = steps.flatMap(({ run }) => run ?? [])

  it('publishes with provenance what was tested, checked and packed before', () => {
    expect(job.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    const wanted = [/\.ci\/run$/, /check:release$/, /publish --dry-run/, /config set/, /publish --provenance/]
    const places = wanted.map((command) => runs.findIndex((run) => command.test(run)))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect(steps.at(-1)!.env).toEqual({ NODE_AUTH_TOKEN: '${{ secrets.NPM_TOKEN }}' })
  })

  const shell = (run: string | undefined, env: Readonly<Record<string, string>>): number | null =>
    spawnSync('bash', ['-c', run!], { cwd: ROOT, env: { ...process.env, ...env } }).status

  it('lets the tag of the version pass alone', () => {
    const check = runs.find((run) => run.includes('GITHUB_REF_NAME'))
    expect(shell(check, { GITHUB_REF_NAME: `v${readJson('package.json').version}` })).toBe(0)
    expect(shell(check, { GITHUB_REF_NAME: 'v99.0.0' })).toBe(1)
  })

  it('gives npm the token for its own registry, and writes it to no file', () => {
    const config = runs.find((run) => run.includes('npm config set'))
    const userconfig = join(temporary, 'npmrc')
    const env = {
      npm_config_userconfig: userconfig,
      npm_config_registry: 'https://packages.test/',
      NODE_AUTH_TOKEN: 'x1'
    }
    expect(shell(config, env)).toBe(0)
    expect(readFileSync(userconfig, 'utf8').trim()).toBe('//packages.test/:_authToken=${NODE_AUTH_TOKEN}')
  })
})

/** What an example runs before it starts. */
const BUILD_FIRST =
  "node -e \"require('fs').existsSync('../../scripts/ensure-built.mjs')&&import('../../scripts/ensure-built.mjs')\""

describe('an example in a clone', () => {
  const examples = filesBelow('examples', 'package.json').map((path) => dirname(path))

  it.each(examples)('%s takes the package from the clone and builds it first', (folder) => {
    const { dependencies, scripts } = readJson(join(folder, 'package.json'))
    expect(dependencies['layer-sdk']).toBe('file:../..')
    expect(join(ROOT, folder, '..', '..')).toBe(ROOT)
    const commands = Object.keys(scripts).filter((name) => !name.startsWith('pre'))
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) expect(scripts[`pre${command}`]).toBe(BUILD_FIRST)
    expect(existsSync(join(ROOT, folder, '../../scripts/ensure-built.mjs'))).toBe(true)
  })

  it('builds the package first in a clone, passes its failure on, and starts as it is in an installed package', () => {
    const copy = join(temporary, 'in-place', 'examples', 'shop')
    mkdirSync(copy, { recursive: true })
    cpSync(join(ROOT, 'examples/shop/package.json'), join(copy, 'package.json'))
    const build = (): unknown[] => {
      const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'prestart'], {
        cwd: copy,
        encoding: 'utf8'
      })
      return [status, stdout, stderr]
    }
    expect(build()).toEqual([0, '', ''])
    mkdirSync(join(copy, '../../scripts'))
    const script = join(copy, '../../scripts/ensure-built.mjs')
    writeFileSync(script, "console.log('built')")
    expect(build()).toEqual([0, 'built\n', ''])
    writeFileSync(script, 'process.exit(3)')
    expect(build()).toEqual([3, '', ''])
  })

  /**
   * How an installation of an example ended, once for each set of dependencies: nothing else of a manifest decides it.
   */
  const installations = new Map<string, { status: number | null; stderr: string; linked: string | null }>()
  function installed(folder: string): { status: number | null; stderr: string; linked: string | null } {
    const { dependencies, devDependencies, peerDependencies, optionalDependencies, overrides } = readJson(
      join(folder, 'package.json')
    )
    const key = JSON.stringify([dependencies, devDependencies, peerDependencies, optionalDependencies, overrides])
    const known = installations.get(key)
    if (known !== undefined) return known
    // A clone without dependencies, so that nothing but the package itself is looked for.
    const { name, version, exports } = readJson('package.json')
    writeFileSync(join(temporary, 'package.json'), JSON.stringify({ name, version, exports }))
    const copy = join(temporary, folder)
    mkdirSync(copy, { recursive: true })
    cpSync(join(ROOT, folder, 'package.json'), join(copy, 'package.json'))
    const install = spawnSync(
      'npm',
      ['install', '--offline', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock'],
      {
        cwd: copy,
        encoding: 'utf8'
      }
    )
    const linked =
      install.status === 0 ? relative(temporary, realpathSync(join(copy, 'node_modules', 'layer-sdk'))) : null
    const result = { status: install.status, stderr: install.stderr, linked }
    installations.set(key, result)
    return result
  }

  it.each(examples)(
    '%s can be installed without the package being on a registry',
    (folder) => {
      const install = installed(folder)
      const { dependencies, devDependencies } = readJson(join(folder, 'package.json'))
      // Others come from the registry, or from what was installed before: on a new machine neither is there offline.
      const isAlone = Object.keys({ ...dependencies, ...devDependencies }).join() === 'layer-sdk'
      if (isAlone) expect(install).toMatchObject({ status: 0 })
      else if (install.status !== 0) expect(install.stderr).not.toContain('layer-sdk@')
      // The clone itself.
      if (install.status === 0) expect(install.linked).toBe('')
    },
    60_000
  )
})
