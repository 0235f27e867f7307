import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'

/**
 * Runs a command and returns its standard output; ends the process with its output when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, inherit?: boolean }} [options]
 */
export function run(command, args, { cwd = ROOT, env = process.env, inherit = false } = {}) {
  const result = tryRun(command, args, { cwd, env, inherit })
  if (result.ok) return result.stdout
  console.error(`${command} ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`)
  process.exit(1)
}

/** Like {@link run}, but reports a failure instead of ending the process. */
export function tryRun(command, args, { cwd = ROOT, env = process.env, inherit = false } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: inherit ? 'inherit' : 'pipe',
    maxBuffer: 2 ** 28
  })
  return {
    ok: result.status === 0,
    stdout: result.stdout ?? '',
    stderr: (result.stderr ?? '') + (result.error ? String(result.error) : '')
  }
}

/** Path of a program from our own node_modules. */
export function localBin(name) {
  return join(
    ROOT,
    'node_modules',
    '.bin',
    process.platform === 'win32' && existsSync(join(ROOT, 'node_modules', '.bin', `${name}.cmd`)) ? `${name}.cmd` : name
  )
}
