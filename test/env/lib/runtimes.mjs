// Where each runtime's program is, and how the scenario is run in it.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE } from './consumer.mjs'
import { runBounded, start, within } from './processes.mjs'

const LIMIT_MS = 60_000
const MODULES = join(HERE, 'node_modules')

/** The first file of node_modules that exists: which platform's package is there depends on the machine. */
function programOf(scope, prefix, names) {
  const root = scope === '' ? MODULES : join(MODULES, scope)
  if (!existsSync(root)) return null
  for (const folder of readdirSync(root).filter((name) => name.startsWith(prefix))) {
    const found = names.map((name) => join(root, folder, name)).find((path) => existsSync(path))
    if (found) return found
  }
  return null
}

export const programs = {
  newestNode: programOf('', 'node-', ['bin/node', 'bin/node.exe']),
  bun: programOf('@oven', 'bun-', ['bin/bun', 'bin/bun.exe']),
  deno: programOf('@deno', '', ['deno', 'deno.exe']),
  workerd: programOf('@cloudflare', 'workerd-', ['bin/workerd', 'bin/workerd.exe']),
  chromium:
    [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
      (path) => path && existsSync(path)
    ) ?? null
}

/** First version number that a program prints of itself. */
export async function versionOf(program, args = ['--version']) {
  const { output } = await runBounded(program, args, { limitMs: 20_000 })
  return /\d+(\.\d+)+|\d{4}-\d{2}-\d{2}/.exec(output)?.[0] ?? 'unknown'
}

/** Runs a host that prints its result, and waits until the process has ended by itself. */
export async function runHost(command, args, cwd, env) {
  const { ok, output, reason } = await runBounded(
    command,
    [...args.before, JSON.stringify(env), ...(args.after ?? [])],
    {
      cwd,
      limitMs: LIMIT_MS,
      env: { ...process.env, NO_COLOR: '1' }
    }
  )
  const line = output.split('\n').find((text) => text.startsWith('RESULT '))
  const result = line === undefined ? { checks: [], values: {} } : JSON.parse(line.slice(7))
  const noise = output.split('\n').filter((text) => text !== '' && text !== line)
  result.checks.push({
    name: 'the process ends by itself',
    ok,
    error: ok ? undefined : `it ${reason}\n${output.slice(-4000)}`
  })
  result.checks.push({ name: 'prints no warning', ok: noise.length === 0, error: noise.slice(-20).join('\n') })
  return result
}

/** workerd with one module worker, at a date before Node's modules came without the flag. */
export async function startWorkerd(folder, name, module, flags) {
  const config = join(folder, `${name}.capnp`)
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "${module}")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = [${flags.map((flag) => `"${flag}"`).join(', ')}]
);
`
  )
  let found
  const port = new Promise((resolve) => {
    found = resolve
  })
  const server = start(programs.workerd, ['serve', '--control-fd=1', config], {
    cwd: folder,
    onLine(line) {
      if (line.includes('"listen"')) found(JSON.parse(line).port)
    }
  })
  const failed = server.ended.then(({ output }) => {
    throw new Error(`workerd ended:\n${output}`)
  })
  try {
    return {
      url: `http://127.0.0.1:${await within(20_000, 'starting workerd', Promise.race([port, failed]))}`,
      end: server.end,
      output: server.output
    }
  } catch (error) {
    server.end()
    throw error
  } finally {
    failed.catch(() => undefined)
  }
}

/** Runs the scenario in a module worker. */
export async function runWorker(folder, name, flags, env) {
  const server = await startWorkerd(folder, name, 'bundles/worker.mjs', flags)
  try {
    const { hasNode } = await (await fetch(server.url)).json()
    const response = await fetch(server.url, {
      method: 'POST',
      body: JSON.stringify(env),
      signal: AbortSignal.timeout(LIMIT_MS)
    })
    if (!response.ok)
      throw new Error(`the worker answered ${response.status}: ${await response.text()}\n${server.output()}`)
    const result = await response.json()
    result.checks.push({
      name: flags.length > 0 ? "has Node's modules" : 'has nothing of Node',
      ok: hasNode === flags.length > 0
    })
    return result
  } finally {
    server.end()
  }
}
