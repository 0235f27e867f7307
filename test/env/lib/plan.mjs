// Which runtimes are run, and how.
import { join } from 'node:path'
import { versionOf as packageVersion } from './bundlers.mjs'
import { browserBundlers, scriptBundle, workerBundle } from './bundles.mjs'
import { launchChromium, runPage } from './chromium.mjs'
import { examples } from './examples.mjs'
import { programs, runHost, runWorker, versionOf } from './runtimes.mjs'

const FROM_NPM = 'its npm package has no program for this platform'
const CHROMIUM = 'install it with `apt-get install chromium`, or set CHROMIUM_PATH'

/**
 * @typedef {{ id: string, name: string, version: string, detail?: string, example?: boolean,
 *   compared?: boolean, run: (env: object) => Promise<{ checks: object[], values: object }>,
 *   close?: () => Promise<void> }} Target
 * @returns {Promise<{ targets: Target[], missing: { name: string, how: string }[] }>}
 */
export async function plan(folder, tally) {
  const missing = []
  const ifPresent = async (name, program, how, make) => {
    if (program === null) {
      missing.push({ name, how })
      return []
    }
    try {
      return await make(await versionOf(program))
    } catch (error) {
      tally.add(name, 'starts', { ok: false, error: error?.stack })
      return []
    }
  }
  const targets = [
    ...nodeTargets(folder, 'Node.js', process.execPath, process.versions.node),
    ...(await ifPresent('newest Node.js', programs.newestNode, FROM_NPM, (version) =>
      nodeTargets(folder, 'Node.js', programs.newestNode, version)
    )),
    ...(await ifPresent('Bun', programs.bun, FROM_NPM, (version) => [
      host(folder, {
        id: 'bun',
        name: 'Bun',
        version,
        detail: 'ES modules',
        program: programs.bun,
        before: ['host.mjs']
      })
    ])),
    ...(await ifPresent('Deno', programs.deno, FROM_NPM, (version) => denoTargets(folder, version))),
    ...(await ifPresent('workerd', programs.workerd, FROM_NPM, (version) => workerTargets(folder, version, tally))),
    ...(await ifPresent('Chromium', programs.chromium, CHROMIUM, (version) => chromiumTargets(folder, version, tally))),
    await realmTarget(folder, tally),
    ...(await examples(folder))
  ]
  return { targets, missing }
}

function host(folder, { program, before, ...target }) {
  return { ...target, run: (env) => runHost(program, { before }, folder, env) }
}

function nodeTargets(folder, name, program, version) {
  const newest = program !== process.execPath
  // Node 20.19 and later can load ES modules by require: the CommonJS build must not depend on it.
  const [major, minor] = version.split('.').map(Number)
  const flags = (major === 20 && minor >= 19) || major === 22 ? ['--no-experimental-require-module'] : []
  return [
    host(folder, {
      id: newest ? 'node-newest' : 'node',
      name,
      version,
      detail: 'ES modules',
      program,
      before: ['host.mjs']
    }),
    host(folder, {
      id: newest ? 'node-newest-cjs' : 'node-cjs',
      name,
      version,
      detail: 'CommonJS',
      program,
      before: [...flags, 'host.cjs']
    })
  ]
}

function denoTargets(folder, version) {
  const before = (file) => [
    'run',
    '--quiet',
    '--no-config',
    '--no-lock',
    '--cached-only',
    '--node-modules-dir=manual',
    '--no-prompt',
    '--allow-net=127.0.0.1',
    '--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE',
    file
  ]
  const target = { name: 'Deno', version, program: programs.deno }
  return [
    host(folder, { ...target, id: 'deno', detail: '`npm:` specifiers', before: before('deno.mjs') }),
    host(folder, { ...target, id: 'deno-modules', detail: 'node_modules', before: before('host.mjs') })
  ]
}

async function workerTargets(folder, version, tally) {
  const warnings = await workerBundle(join(folder, 'worker.mjs'), join(folder, 'bundles', 'worker.mjs'))
  bundled(tally, `esbuild ${packageVersion('esbuild')}`, 'a worker', warnings)
  return [
    {
      id: 'workerd',
      name: 'workerd',
      version,
      detail: 'without `nodejs_compat`',
      run: (env) => runWorker(folder, 'plain', [], env)
    },
    {
      id: 'workerd-node',
      name: 'workerd',
      version,
      detail: 'with `nodejs_compat`',
      run: (env) => runWorker(folder, 'compat', ['nodejs_compat'], env)
    }
  ]
}

async function chromiumTargets(folder, version, tally) {
  const bundles = {}
  for (const [name, bundle] of Object.entries(browserBundlers)) {
    bundles[name] = await bundle(folder)
    bundled(tally, `${name} ${packageVersion(name)}`, 'a page', bundles[name].warnings)
  }
  const browser = await launchChromium()
  const close = () => browser.close()
  const target = (name, page, detail) => ({
    id: `chromium-${detail}`,
    name: 'Chromium',
    version,
    detail,
    close,
    run: (env) => runPage(browser, bundles[name].dir, page, env)
  })
  return [
    ...Object.keys(bundles).map((name) => target(name, 'page.html', `bundled by ${name} ${packageVersion(name)}`)),
    target('esbuild', 'page-worker.html', 'dedicated worker')
  ]
}

async function realmTarget(folder, tally) {
  const file = join(folder, 'bundles', 'realm.js')
  bundled(
    tally,
    `esbuild ${packageVersion('esbuild')}`,
    'a script',
    await scriptBundle(join(folder, 'realm-entry.mjs'), file)
  )
  return {
    id: 'realm',
    name: 'Bare realm',
    version: `of Node.js ${process.versions.node}`,
    detail: 'a bundled script in `node:vm`',
    run: (env) => runHost(process.execPath, { before: ['realm.mjs'], after: [file] }, folder, env)
  }
}

function bundled(tally, bundler, what, warnings) {
  tally.add(bundler, `bundles ${what} without a warning`, { ok: warnings.length === 0, error: warnings.join('\n') })
}
