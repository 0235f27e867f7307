// Child processes that end: each has a time limit and is ended with all it has started.
import { spawn } from 'node:child_process'

const running = new Set()

/** Ends a process group; on Windows there are none, so the process alone. */
function end(child) {
  running.delete(child)
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    /* it has ended */
  }
}

export function endAll() {
  for (const child of running) end(child)
}

process.once('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130))

/** Starts a program with no input and an environment that names no proxy; its group is ended when this process ends. */
export function start(command, args, { cwd, env = process.env, onLine = () => undefined } = {}) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32'
  })
  running.add(child)
  let output = ''
  let rest = ''
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, error }))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    lines.forEach(onLine)
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  return {
    ended: ended.then((result) => {
      end(child)
      return { ...result, output }
    }),
    end: () => end(child),
    output: () => output
  }
}

/** Runs a program to its end. @returns {Promise<{ ok: boolean, output: string }>} */
export async function runBounded(command, args, { limitMs, ...options }) {
  const { ended, end: stop } = start(command, args, options)
  let late = false
  const timer = setTimeout(() => {
    late = true
    stop()
  }, limitMs)
  const { code, signal, error, output } = await ended
  clearTimeout(timer)
  const reason = late
    ? `did not end within ${limitMs} ms`
    : error
      ? String(error)
      : `ended with ${signal ?? `code ${code}`}`
  return { ok: code === 0 && !late, output, reason }
}

/** Rejects when a promise takes longer. */
export function within(limitMs, what, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${limitMs} ms`)), limitMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
