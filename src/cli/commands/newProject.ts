import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { SITE_URL } from '../../errors/links.js'
import { nearest } from '../nearest.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseCommand, UsageError } from '../usage.js'

const OPTIONS = {
  sdk: { type: 'string' },
  'no-install': { type: 'boolean' },
  json: { type: 'boolean' }
} as const

/** Paths that are not copied: results of a build or an installation. */
const NOT_COPIED = /[\\/](node_modules|dist|\.next|\.cache|package-lock\.json)$/
/** Folder names that are also valid package names. */
const FOLDER = /^[a-z0-9][a-z0-9._-]{0,99}$/

interface Manifest {
  name?: string
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  description?: string
}

/** `layer-sdk new`: creates a project from a starter (template project) of this package, and runs `npm install`. */
export async function newProject(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const [starter, target = starter, ...more] = positionals
  const starters = startersOf(terminal)
  if (starter === undefined) return printList(starters, values.json === true, terminal)
  if (more.length > 0) throw new UsageError('new needs one STARTER, and at most one FOLDER.')
  const source = starters.get(starter)
  if (source === undefined) throw new UsageError(unknownStarter(starter, [...starters.keys()]))
  const folder = emptyFolder(target!)
  cpSync(source.path, folder, { recursive: true, filter: (path) => !NOT_COPIED.test(path) })
  const manifest = ownManifest(source.manifest, basename(folder), values.sdk ?? `^${terminal.version}`)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const readme = join(folder, 'README.md')
  if (existsSync(readme)) writeFileSync(readme, ownReadme(readFileSync(readme, 'utf8')))
  const isInstalled = values['no-install'] !== true
  if (isInstalled) await install(folder, terminal)
  const start = manifest.scripts?.['dev'] === undefined ? 'npm start' : 'npm run dev'
  const next = [`cd ${target!}`, ...(isInstalled ? [] : ['npm install']), start]
  if (values.json === true) return terminal.out(JSON.stringify({ starter, folder, next }))
  terminal.out(`${target!} is made from the starter ${starter}. Now:`)
  terminal.out(`  ${next.join(' && ')}`)
}

interface Starter {
  readonly path: string
  readonly manifest: Manifest
}

/** Returns the starters (template projects) in the package, by name. @throws CommandFailure without them */
function startersOf({ packageFolder }: Terminal): ReadonlyMap<string, Starter> {
  const home = join(packageFolder ?? '', 'examples')
  if (packageFolder === undefined || !existsSync(home))
    throw new CommandFailure('The starters are not in this copy of layer-sdk: install it from the registry.')
  const found = readdirSync(home)
    .map((name): [string, Starter] => [name, starterAt(join(home, name))])
    .filter(([, { manifest }]) => manifest.description !== undefined)
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns a folder with its package.json; one without a description is not a starter, and the caller skips it. */
function starterAt(path: string): Starter {
  const file = join(path, 'package.json')
  return { path, manifest: existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {} }
}

function printList(starters: ReadonlyMap<string, Starter>, isJson: boolean, terminal: Terminal): void {
  const rows = [...starters].map(([name, { manifest }]) => ({ name, description: manifest.description ?? '' }))
  if (isJson) return terminal.out(JSON.stringify(rows))
  const width = Math.max(...rows.map(({ name }) => name.length))
  for (const { name, description } of rows) terminal.out(`${name.padEnd(width)}  ${description}`)
  terminal.out('Make one: layer-sdk new STARTER [FOLDER]')
}

function unknownStarter(starter: string, names: readonly string[]): string {
  const near = nearest(starter, names)
  return `There is no starter "${starter}".${near === null ? '' : ` Did you mean ${near}?`} There are: ${names.join(', ')}.`
}

/** Creates the target folder if needed, and returns its path. @throws CommandFailure when it is not empty */
function emptyFolder(target: string): string {
  const folder = resolve(target)
  if (!FOLDER.test(basename(folder)))
    throw new UsageError(`The folder's name becomes the package's: small letters, digits, ".", "-" and "_".`)
  try {
    mkdirSync(folder, { recursive: true })
    if (readdirSync(folder).length === 0) return folder
  } catch (error) {
    throw new CommandFailure(`The folder ${target} cannot be made (${(error as NodeJS.ErrnoException).code}).`, error)
  }
  throw new CommandFailure(`The folder ${target} is not empty: its files stay as they are. Name another folder.`)
}

/**
 * Returns the package.json of the new project: layer-sdk is a dependency from the registry, and scripts that work in a
 * clone of the repository only are removed.
 */
function ownManifest(manifest: Manifest, name: string, sdk: string): Manifest {
  const scripts = Object.entries(manifest.scripts ?? {}).filter(([, command]) => !command.includes('../../scripts/'))
  return {
    ...manifest,
    name,
    scripts: Object.fromEntries(scripts),
    dependencies: { ...manifest.dependencies, 'layer-sdk': sdk }
  }
}

/**
 * Returns the README of the new project: without paragraphs about a clone of the repository, and with links to the
 * documentation site instead of local pages.
 */
function ownReadme(text: string): string {
  return text
    .split('\n\n')
    .filter((paragraph) => !paragraph.includes('this clone'))
    .join('\n\n')
    .replace(/\]\(\.\.\/\.\.\/docs\/([\w/-]+)\.md/g, (_, page: string) => `](${SITE_URL}/${page}.html`)
    .replace(/\n*$/, '\n')
}

/** Runs `npm install`; its output goes to the error output. @throws CommandFailure when it fails */
async function install(folder: string, terminal: Terminal): Promise<void> {
  terminal.error('npm install ...')
  const child = spawn('npm install --no-audit --no-fund', { cwd: folder, shell: true, stdio: ['ignore', 2, 2] })
  const code = await new Promise((done) => {
    child.once('error', () => done(null))
    child.once('close', done)
  })
  if (code !== 0)
    throw new CommandFailure(`npm install failed in ${basename(folder)}: the files are there, run it again there.`)
}
