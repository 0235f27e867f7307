// Firefox as it comes from its makers, driven over WebDriver BiDi. https://w3c.github.io/webdriver-bidi/
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import WebSocket from 'ws'

const LIMIT_MS = 60_000
const POLL_MS = 50
/** No requests of its own, and no first-run pages. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'remote.prefs.recommended': true,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.reportingpolicy.firstRun': false
}

/** Path of Firefox; null where there is none. */
export const FIREFOX =
  [process.env.FIREFOX_PATH, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path)) ??
  null

/**
 * Runs in the page: the visible element of a kind with these words, or that begins with them, in the dialog where one
 * is open.
 */
const FIND = String((kind, words) => {
  const textOf = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim()
  const root = document.querySelector('dialog[open]') ?? document
  const find = (selector, matches) =>
    [...root.querySelectorAll(selector)].find((each) => each.checkVisibility() && matches(each)) ?? null
  if (kind === 'text') return find('*', (each) => each.children.length === 0 && each.textContent.includes(words))
  if (kind === 'run') return find('.run', (each) => each.textContent.includes(words))
  if (kind === 'field') return find('label', (each) => textOf(each).startsWith(words))?.control ?? null
  return (
    find(kind, (each) => textOf(each) === words && !each.disabled) ??
    find(kind, (each) => textOf(each).startsWith(words) && !each.disabled)
  )
})

/** Starts Firefox without a window. @returns a page in it, and `close` */
export async function launchFirefox() {
  const profile = mkdtempSync(join(tmpdir(), 'layer-sdk-firefox-'))
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries(PREFERENCES)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join('')
  )
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
  const child = spawn(FIREFOX, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } })
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
    return { page: await Page.open(session), close: () => session.close().then(end) }
  } catch (error) {
    await end()
    throw error
  }
}

/** Firefox writes where it listens to its error output. */
function endpointOf(child) {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`Firefox did not listen:\n${text}`)), LIMIT_MS)
    child.once('error', reject)
    child.stderr.setEncoding('utf8').on('data', (part) => {
      text += part
      const url = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })
}

/** Commands and their answers over one socket. */
class Session {
  #socket
  #pending = new Map()
  #nextId = 1
  onEvent = () => undefined

  static async open(endpoint) {
    const session = new Session()
    session.#socket = new WebSocket(`${endpoint}/session`)
    session.#socket.on('message', (data) => session.#receive(JSON.parse(String(data))))
    session.#socket.on('close', () => session.#fail(new Error('Firefox has gone.')))
    await new Promise((resolve, reject) => session.#socket.once('open', resolve).once('error', reject))
    await session.send('session.new', { capabilities: {} })
    return session
  }

  send(method, params) {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#settle(id, (pending) => pending.reject(new Error(`${method} took too long.`))),
        LIMIT_MS
      )
      this.#pending.set(id, { method, resolve, reject, timer })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  async close() {
    await this.send('browser.close', {}).catch(() => undefined)
    this.#socket.terminate()
  }

  #receive({ type, id, result, error, message, method, params }) {
    if (type === 'event') return this.onEvent(method, params)
    this.#settle(id, (pending) =>
      type === 'success'
        ? pending.resolve(result)
        : pending.reject(new Error(`${pending.method}: ${error}: ${message}`))
    )
  }

  #settle(id, act) {
    const pending = this.#pending.get(id)
    if (pending === undefined) return
    this.#pending.delete(id)
    clearTimeout(pending.timer)
    act(pending)
  }

  #fail(error) {
    for (const id of [...this.#pending.keys()]) this.#settle(id, (pending) => pending.reject(error))
  }
}

/** A page, and what a person does on it. */
class Page {
  #session
  #context
  /** Errors and warnings of the console. */
  noise = []

  static async open(session) {
    const page = new Page()
    page.#session = session
    session.onEvent = (method, { level, text }) => {
      if (method === 'log.entryAdded' && ['error', 'warn'].includes(level)) page.noise.push(text)
    }
    await session.send('session.subscribe', { events: ['log.entryAdded'] })
    const { contexts } = await session.send('browsingContext.getTree', {})
    page.#context = contexts[0].context
    return page
  }

  async goto(url, { width = 1440, height = 900 } = {}) {
    await this.#session.send('browsingContext.setViewport', { context: this.#context, viewport: { width, height } })
    await this.#session.send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  /** Calls a function in the page. Resolves with its result as BiDi writes it. */
  async evaluate(code, ...texts) {
    const { type, result, exceptionDetails } = await this.#session.send('script.callFunction', {
      functionDeclaration: code,
      target: { context: this.#context },
      arguments: texts.map((value) => ({ type: 'string', value })),
      awaitPromise: true
    })
    if (type === 'exception') throw new Error(exceptionDetails.text)
    return result
  }

  /**
   * Waits for an element: `button`, `a` or `field` whose words begin so, a command's `run`, or any element with this
   * `text` in it.
   */
  async waitFor(kind, words) {
    const until = Date.now() + LIMIT_MS
    for (;;) {
      const found = await this.evaluate(FIND, kind, words)
      if (found.sharedId !== undefined) return found
      if (Date.now() > until)
        throw new Error(
          `No ${kind} "${words}" on the page:\n${(await this.evaluate('() => document.body.innerText')).value}`
        )
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  async click(kind, words) {
    const { sharedId } = await this.waitFor(kind, words)
    await this.evaluate(`(kind, words) => (${FIND})(kind, words)?.scrollIntoView({ block: 'center' })`, kind, words)
    await this.#perform({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId } } },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 }
      ]
    })
  }

  /** Types into an empty field. */
  async type(label, text) {
    await this.click('field', label)
    await this.#perform({
      type: 'key',
      id: 'keyboard',
      actions: [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value }
      ])
    })
  }

  /** PNG of what is seen. */
  async screenshot() {
    const { data } = await this.#session.send('browsingContext.captureScreenshot', { context: this.#context })
    return Buffer.from(data, 'base64')
  }

  #perform(source) {
    return this.#session.send('input.performActions', { context: this.#context, actions: [source] })
  }
}
