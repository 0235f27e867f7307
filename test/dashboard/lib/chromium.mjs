// Chromium driven over its DevTools protocol, without a driver that keeps every page visible.
// https://chromedevtools.github.io/devtools-protocol/
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import WebSocket from 'ws'

const PROGRAM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path && existsSync(path)
)
const START_MS = 60_000

/** Starts Chromium without a window. @returns `open`, which opens a tab, and `close` */
export async function launchChromium() {
  if (PROGRAM === undefined)
    throw new Error('Chromium is missing: install it with `apt-get install chromium`, or set CHROMIUM_PATH.')
  const profile = mkdtempSync(join(tmpdir(), 'layer-sdk-chromium-'))
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
  const args = [...flags, `--user-data-dir=${profile}`, '--remote-debugging-port=0', 'about:blank']
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = new Promise((resolve) => child.once('close', resolve))
  const end = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await gone
    clearTimeout(timer)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const session = await Session.open(await endpointOf(child))
    return {
      open: (url) => openTab(session, url),
      async close() {
        session.close()
        await end()
      }
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Opens a tab in front of the others. @returns `evaluate`, which runs an expression and awaits its value */
async function openTab(session, url) {
  const { targetId } = await session.send('Target.createTarget', { url })
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: true })
  return {
    async evaluate(expression) {
      const options = { expression, awaitPromise: true, returnByValue: true }
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', options, sessionId)
      if (exceptionDetails !== undefined)
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      return result.value
    },
    close: () => session.send('Target.closeTarget', { targetId })
  }
}

/** Chromium writes its address to its error output. */
function endpointOf(child) {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`Chromium did not listen:\n${text}`)), START_MS)
    child.once('error', reject)
    child.stderr.on('data', (data) => {
      const url = /ws:\/\/\S+/.exec((text += data))?.[0]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })
}

class Session {
  #socket
  #id = 0
  #waiting = new Map()

  static open(url) {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url)
      socket.once('open', () => resolve(new Session(socket))).once('error', reject)
    })
  }

  constructor(socket) {
    this.#socket = socket
    socket.on('message', (data) => {
      const { id, result, error } = JSON.parse(String(data))
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(result)
      else waiting?.reject(new Error(error.message))
    })
  }

  send(method, params, sessionId) {
    const id = ++this.#id
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  close() {
    this.#socket.terminate()
  }
}
