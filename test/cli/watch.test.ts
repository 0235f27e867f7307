import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main'
import { MAX_WAITING, WAITS_MS, WebhookQueue } from '../../src/cli/watch/WebhookQueue'
import { runProgram } from '../../src/cli/watch/runProgram'
import { createHeadClient } from '../../src/client'
import type { RunningDevNode } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import type { HeadAlert } from '../../src/doctor'
import { verifyWebhook } from '../../src/doctor'

const SECRET = 'a secret of more than thirty-two bytes'
let folder: string
let files = 0
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'layer-sdk-watch-'))))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (text?: string): string => {
  const path = join(folder, `file-${files++}`)
  if (text !== undefined) writeFileSync(path, text)
  return path
}

/** Runs a watch until it ends or `stop` resolves. */
async function watch(args: readonly string[], stop: Promise<unknown> = new Promise(() => undefined)) {
  const [out, errors]: [string[], string[]] = [[], []]
  const terminal = {
    version: '1',
    out: (text: string) => void out.push(text),
    error: (text: string) => void errors.push(text),
    stopped: () => stop
  }
  const code = await main(['watch', ...args], terminal)
  return { code, lines: out.map((line) => JSON.parse(line) as HeadAlert), errors: errors.join('\n') }
}

describe('wrong usage of watch', () => {
  const short = 'a-short-secret'
  it.each<[string, () => string[], RegExp]>([
    ['an argument without --exec', () => ['now'], /Unexpected argument 'now'/],
    [
      'an unknown rule of --until',
      () => ['--until', 'fuel'],
      /--until needs the name of a rule, one of closed-by-other/
    ],
    ['a severity that is none', () => ['--fail-on', 'loud'], /--fail-on needs one of info, warning, critical/],
    ['a webhook without a state', () => ['--webhook', 'https://a.example'], /need --state/],
    ['a program without a state', () => ['--exec', 'true'], /need --state/],
    [
      'a webhook in clear text',
      () => ['--webhook', 'http://a.example/?key=1', '--state', fileOf()],
      /needs https:\/\/ .* not http:\/\/a\.example\.$/m
    ],
    [
      'a webhook with a password',
      () => ['--webhook', 'https://u:pw@a.example', '--state', fileOf()],
      /no user or password/
    ],
    ['no secret', () => ['--webhook', 'https://a.example', '--state', fileOf()], /--webhook-secret-file is missing/],
    [
      'a short secret',
      () => ['--webhook', 'https://a.example', '--state', fileOf(), '--webhook-secret-file', fileOf(short)],
      /at least 32 bytes, not 14/
    ],
    [
      'rules that are none, all of them listed',
      () => ['--rules', fileOf('[{"on":"a"},{"on":"b"}]')],
      /rules\[0\]: a is .*rules\[1\]: b is/
    ]
  ])('%s', async (_, args, said) => {
    const { code, errors } = await watch(args())
    expect([code, errors]).toEqual([2, expect.stringMatching(said)])
    expect(errors).not.toMatch(/a-short-secret|key=1|pw@/)
  })

  it('rules that are no JSON, and a state of another kind, fail and name the file', async () => {
    const rules = fileOf('[')
    expect(await watch(['--rules', rules])).toMatchObject({ code: 1, errors: expect.stringContaining(rules) as string })
    const state = fileOf('{"kind":"order"}')
    expect((await watch(['--state', state, '--url', 'ws://127.0.0.1:9'])).code).toBe(1)
    expect(readFileSync(state, 'utf8')).toBe('{"kind":"order"}')
    expect(existsSync(`${state}.lock`)).toBe(false)
  })

  it('two watches on one state: the second is refused by name', async () => {
    const state = fileOf()
    let stop = (): void => undefined
    const first = watch(
      ['--state', state, '--url', 'ws://127.0.0.1:9'],
      new Promise<void>((resolve) => (stop = resolve))
    )
    while (!existsSync(`${state}.lock`)) await new Promise((resolve) => setTimeout(resolve, 5))
    const second = await watch(['--state', state, '--url', 'ws://127.0.0.1:9'])
    expect(second).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/The state .* is in use by .*process \d+/) as string
    })
    stop()
    expect((await first).code).toBe(0)
    expect(existsSync(`${state}.lock`)).toBe(false)
  })
})

describe('watch beside a local head that is closed', () => {
  let node: RunningDevNode
  beforeAll(async () => {
    node = await startDevNode({ port: 0, open: true, timings: { contestationPeriodMs: 600_000 } })
    const client = createHeadClient({ url: node.url })
    await client.connect()
    await client.closeHead()
    await client.disconnect()
  })
  afterAll(() => node.stop())

  it('ends with 4 at the rule of --until, and with 5 at a weight of --fail-on', async () => {
    const until = await watch(['--url', node.url, '--until', 'closed-by-other'])
    expect(until).toMatchObject({ code: 4, errors: '' })
    expect(until.lines[0]).toMatchObject({ rule: 'closed-by-other', state: 'firing', headId: node.headId })
    const rules = fileOf('[{"on":"closed-by-other","severity":"critical"}]')
    expect((await watch(['--url', node.url, '--rules', rules, '--fail-on', 'critical'])).code).toBe(5)
  })

  it('tells an alert once over restarts, starts the program once, and posts a signed line', async () => {
    const posted: { verdict: object; body: HeadAlert }[] = []
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        posted.push({
          verdict: verifyWebhook({ headers: request.headers, body, secret: SECRET }),
          body: JSON.parse(body) as HeadAlert
        })
        response.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const [state, output] = [fileOf(), fileOf('')]
    const script = `let t='';process.stdin.on('data',c=>t+=c).on('end',()=>require('fs').appendFileSync(process.argv[1],t))`
    const args = ['--url', node.url, '--state', state, '--webhook', url, '--webhook-secret-file', fileOf(`${SECRET}\n`)]
    const first = await watch([
      ...args,
      '--until',
      'closed-by-other',
      '--exec',
      process.execPath,
      '--',
      '-e',
      script,
      output
    ])
    expect(first).toMatchObject({ code: 4, errors: '' })
    const again = await watch(
      [...args, '--exec', process.execPath, '--', '-e', script, output],
      new Promise((resolve) => setTimeout(resolve, 1_500))
    )
    expect([again.code, again.lines]).toEqual([0, []])
    expect(posted).toEqual([{ verdict: { ok: true, id: expect.any(String) as string }, body: first.lines[0] }])
    expect(readFileSync(output, 'utf8').trim()).toBe(JSON.stringify(first.lines[0]))
    expect(readFileSync(state, 'utf8') + readFileSync(`${state}.queue`, 'utf8')).not.toContain(SECRET)
    server.close()
  })
})

describe('the program of --exec', () => {
  it('is no shell, may read nothing, and is ended after its time', async () => {
    expect(await runProgram(['true; touch /tmp/x'], '{}')).toMatch(/cannot be started \(ENOENT\)/)
    expect(await runProgram([process.execPath, '-e', ''], 'x'.repeat(1_000_000))).toBeNull()
    expect(await runProgram([process.execPath, '-e', 'process.exit(3)'], '{}')).toBe('it ended with code 3')
    expect(await runProgram([process.execPath, '-e', 'setInterval(()=>0,1e3)'], '{}', 300)).toMatch(/ended by SIGKILL/)
  })
})

describe('the queue of a webhook', () => {
  const alert = (n: number, severity: HeadAlert['severity'] = 'warning'): HeadAlert => ({
    id: `id${n}`,
    at: n,
    rule: 'fuel-low',
    severity,
    state: 'firing',
    headId: null,
    what: '',
    evidence: {},
    remedy: ''
  })
  const queueOf = (
    path: string,
    post: (body: string, headers: Record<string, string>) => number,
    time = { now: 1_000 }
  ) => {
    const losses: string[] = []
    const queue = new WebhookQueue({
      path,
      url: 'https://a.example',
      secret: new TextEncoder().encode(SECRET),
      now: () => time.now,
      post: (_, body, headers) =>
        post(body, headers) === 0 ? Promise.reject(new Error('down')) : Promise.resolve(post(body, headers)),
      onLoss: (text) => losses.push(text)
    })
    return { queue, losses, time }
  }

  it.each([
    [7, 0],
    [8, 1]
  ])('a receiver that fails %i times: %i lines are lost, the id is the same each time', async (failures, lost) => {
    const ids: string[] = []
    let asked = 0
    const time = { now: 1_000 }
    const losses: string[] = []
    const queue = new WebhookQueue({
      path: fileOf(),
      url: 'https://a.example',
      secret: new TextEncoder().encode(SECRET),
      now: () => time.now,
      post: (_, body, headers) => {
        ids.push(headers['layer-id']!)
        expect(verifyWebhook({ headers, body, secret: SECRET, toleranceMs: Infinity }).ok).toBe(true)
        return asked++ < failures
          ? asked % 2
            ? Promise.reject(new Error('down'))
            : Promise.resolve(302)
          : Promise.resolve(204)
      },
      onLoss: (text) => losses.push(text)
    })
    queue.add(alert(1))
    for (let i = 0; i < 9; i++) {
      await queue.drain()
      await queue.drain()
      time.now = queue.nextAt ?? time.now
    }
    expect([asked, queue.length, losses.length, new Set(ids).size]).toEqual([8, 0, lost, 1])
    expect(time.now - 1_000).toBe(WAITS_MS.reduce((sum, ms) => sum + ms, 0))
    expect(time.now - 1_000).toBe(3_600_000)
  })

  it('is on the disk before a line counts as sent, and a line that comes again is not added twice', async () => {
    const path = fileOf()
    queueOf(path, () => 0).queue.add(alert(1))
    const sent: string[] = []
    const { queue } = queueOf(path, (body) => {
      sent.push(body)
      return 200
    })
    queue.add(alert(1))
    expect(queue.length).toBe(1)
    await queue.drain()
    expect([new Set(sent).size, queueOf(path, () => 200).queue.length]).toEqual([1, 0])
  })

  it('drops the oldest that is not critical when it is full, and says how many by an alert', () => {
    const { queue, losses } = queueOf(fileOf(), () => 0)
    queue.add(alert(0, 'critical'))
    for (let i = 1; i < MAX_WAITING + 20; i++) queue.add(alert(i))
    expect(queue.length).toBe(MAX_WAITING)
    expect(losses.at(-1)).toMatch(/full: 21 lines were dropped/)
  }, 60_000)

  it.each(['{"kind":', '{"kind":"layer-sdk/webhook-queue","version":2,"waiting":[],"started":[]}'])(
    'a file of another kind is refused: %s',
    (text) => {
      expect(() => queueOf(fileOf(text), () => 200)).toThrow(/no queue of this version/)
    }
  )
})
