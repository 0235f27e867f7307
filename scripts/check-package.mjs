// Checks the tarball as it would be published: metadata, types, dependencies, loading from every subpath.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { libraryEntries, readJson, ROOT, specifierOf } from './entries.mjs'
import { packAndUnpack } from './pack.mjs'
import { localBin, tryRun } from './run.mjs'

/** Bounds of an installation, bytes and files: bench/notes.md says of what they are made. */
const MAX_BYTES = 7_500_000
const MAX_FILES = 560

/** Files that an import of these entries may read: each costs Node as much as ten kilobytes of code. */
const MAX_READ = { providers: 12, bridge: 20, tx: 28 }

const { tarball, folder, files, unpackedSize, remove } = packAndUnpack()
const failures = []
const check = (name, problems) => {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  failures.push(...problems.map((problem) => `${name}: ${problem}`))
}
const checkRun = (name, command, args, options) => {
  const { ok, stdout, stderr } = tryRun(command, args, options)
  check(name, ok ? [] : [`${stdout}${stderr}`])
}

checkRun('publint', localBin('publint'), ['run', tarball, '--strict'])
// Without `exports` support (the "node10" resolution) only the root entry exists: TypeScript has deprecated it.
checkRun('are the types wrong', localBin('attw'), [tarball, '--profile', 'node16', '--no-emoji', '--quiet'])

check('no dependency has install scripts', installScripts())
check(
  'dependencies are pinned exactly',
  Object.entries(readJson('package.json').dependencies)
    .filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))
    .map(String)
)
check(
  'no source map: the ES modules are readable as they are',
  files.filter((file) => file.endsWith('.map'))
)
check(
  `at most ${MAX_BYTES} bytes and ${MAX_FILES} files`,
  unpackedSize <= MAX_BYTES && files.length <= MAX_FILES ? [] : [`${unpackedSize} bytes, ${files.length} files`]
)
for (const [entry, most] of Object.entries(MAX_READ)) {
  const read = filesRead(`${entry}.js`).size
  check(`the import of ${entry} reads at most ${most} files`, read <= most ? [] : [`${read} files`])
}
check('the licences of bundled packages are there', missingLicences())
check(
  'no path of a machine and no development file',
  files.filter((file) => /(^|\/)(test|node_modules|\.sources)(\/|$)|\.test\./.test(file))
)
check(
  "'use client' stands first in the React entry",
  ['dist/react.js', 'dist/react.cjs'].filter(
    (file) => !/^['"]use client['"]/.test(readFileSync(join(folder, file), 'utf8'))
  )
)
loadEverywhere()

remove()
if (failures.length > 0) {
  console.error(failures.join('\n'))
  process.exit(1)
}

function installScripts() {
  return Object.entries(readJson('package-lock.json').packages)
    .filter(
      ([path, { hasInstallScript, dev, optional, peer, devOptional }]) =>
        path !== '' && hasInstallScript && !(dev || optional || peer || devOptional)
    )
    .map(([path]) => path)
}

/** The package's own files that an import of this file of `dist` reads, itself included. */
function filesRead(path, read = new Set()) {
  if (read.has(path)) return read
  read.add(path)
  const code = readFileSync(join(folder, 'dist', path), 'utf8')
  for (const [, target] of code.matchAll(/^(?:import|export) (?:[^'"]* from )?'(\.[^']+)'/gm))
    filesRead(join(dirname(path), target), read)
  return read
}

/** Packages whose code the CommonJS files or the page hold, and whose licence is not beside them. */
function missingLicences() {
  const text = readFileSync(join(folder, 'dist', 'LICENSES.txt'), 'utf8')
  const wanted = ['@noble/curves', '@noble/ed25519', '@noble/hashes', '@scure/bip39', 'preact']
  return wanted.filter((name) => !new RegExp(`^${name} \\d`, 'm').test(text))
}

/** Every subpath loads by import and by require, also where require() cannot load ES modules. */
function loadEverywhere() {
  const consumer = join(folder, '..', 'consumer')
  mkdirSync(join(consumer, 'node_modules'), { recursive: true })
  symlinkSync(folder, join(consumer, 'node_modules', 'layer-sdk'), 'dir')
  mkdirSync(join(folder, 'node_modules'))
  const { dependencies, peerDependencies } = readJson('package.json')
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const target = join(folder, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    if (existsSync(join(ROOT, 'node_modules', name))) symlinkSync(join(ROOT, 'node_modules', name), target, 'dir')
  }
  const specifiers = Object.keys(libraryEntries).map(specifierOf)
  const same = (load) =>
    `const names = {}; for (const s of ${JSON.stringify(specifiers)}) names[s] = Object.keys(${load}).filter((k) => k !== 'default').sort(); console.log(JSON.stringify(names))`
  const imported = tryRun(process.execPath, ['--input-type=module', '-e', same('await import(s)')], { cwd: consumer })
  const required = tryRun(
    process.execPath,
    ['--no-experimental-require-module', '--input-type=commonjs', '-e', same('require(s)')],
    { cwd: consumer }
  )
  check('every subpath loads by import', imported.ok ? [] : [imported.stderr])
  check('every subpath loads by require, without require(esm)', required.ok ? [] : [required.stderr])
  check(
    'both give the same names',
    imported.stdout === required.stdout ? [] : [`import: ${imported.stdout}require: ${required.stdout}`]
  )
}
