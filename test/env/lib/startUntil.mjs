// Programs that run until they are ended, and what they say of themselves at their start.
import { delimiter } from 'node:path'
import { start, within } from './processes.mjs'

const LIMIT_MS = 60_000

/**
 * Starts a program and waits for what it says of itself. `read(line)` gives names and values; it is there once all of
 * `names` are.
 */
export async function startUntil(args, { names, read, ...options }) {
  const found = {}
  let announce
  const complete = new Promise((resolve) => {
    announce = resolve
  })
  const onLine = (line) => {
    Object.assign(found, read(line))
    if (names.every((name) => found[name] !== undefined)) announce()
  }
  const server = start(process.execPath, args, { ...options, onLine })
  const ended = server.ended.then(({ output }) => Promise.reject(new Error(`${args.join(' ')} ended:\n${output}`)))
  ended.catch(() => undefined)
  try {
    await within(LIMIT_MS, args.join(' '), Promise.race([complete, ended]))
    return { ...found, end: server.end }
  } catch (error) {
    server.end()
    throw new Error(`${error.message}\n${server.output()}`, { cause: error })
  }
}

/**
 * Runs a command of a page's starter on a free port, beside the local head that its launcher starts.
 * @param bin - the folder of the command's program
 * @returns {Promise<{ url: string, headUrl: string, end: () => void }>}
 */
export function startPage(root, command, bin) {
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    NO_COLOR: '1',
    NEXT_TELEMETRY_DISABLED: '1'
  }
  return startUntil(['local-head.mjs', ...command, '--port', '0'], {
    cwd: root,
    env,
    names: ['headUrl', 'url'],
    read(line) {
      const headUrl = /^Local head: (ws:\S+)$/.exec(line)?.[1]
      const url = line.startsWith('Dashboard') ? undefined : /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(line)?.[0]
      return { ...(headUrl === undefined ? {} : { headUrl }), ...(url === undefined ? {} : { url }) }
    }
  })
}
