import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHeadClient } from '../../src/client'
import { startDevNode } from '../../src/devnode'
import type { RunningDevNode } from '../../src/devnode'
import type { HeadAlert } from '../../src/doctor'
import { CliProgram } from '../support/cliProgram'
import { randomSource } from '../support/random'
import { fullRun } from '../support/scale'

const KILLS = fullRun ? 20 : 2
const RULE = 'closed-by-other'
const program = new CliProgram()
const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-watch-kills-'))
let node: RunningDevNode
beforeAll(async () => {
  await program.build()
  node = await startDevNode({ port: 0, open: true, timings: { contestationPeriodMs: 3_600_000 } })
  const client = createHeadClient({ url: node.url })
  await client.connect()
  await client.closeHead()
  await client.disconnect()
}, 60_000)
afterAll(async () => {
  await node.stop()
  program.remove()
  rmSync(folder, { recursive: true })
})

it(`of ${KILLS} watches that are killed by the system, each alert reaches the receiver, under one id`, async () => {
  const random = randomSource('watch kills')
  const received: HeadAlert[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()) as HeadAlert)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const secret = 'a secret of more than thirty-two bytes'
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, secret)
  try {
    for (let i = 0; i < KILLS; i++) {
      received.length = 0
      const state = join(folder, `state-${i}`)
      const args = [
        'watch',
        '--url',
        node.url,
        '--state',
        state,
        '--webhook',
        webhook,
        '--webhook-secret-file',
        secretFile
      ]
      const killed = program.launch(...args)
      // Anywhere from its start to behind the alert; the lock shows that it runs.
      for (let wait = 0; wait < 6_000 && !existsSync(`${state}.lock`); wait++)
        await new Promise((resolve) => setTimeout(resolve, 5))
      await new Promise((resolve) => setTimeout(resolve, random.below(600)))
      killed.kill('SIGKILL')
      expect(await killed.exit).toBeNull()
      const again = program.launch(...args)
      const told = (): HeadAlert[] => received.filter(({ rule }) => rule === RULE)
      for (let wait = 0; wait < 600 && told().length === 0; wait++)
        await new Promise((resolve) => setTimeout(resolve, 50))
      again.kill('SIGINT')
      expect(await again.exit).toBe(0)
      expect([i, told().length > 0, new Set(told().map(({ id }) => id)).size]).toEqual([i, true, 1])
      const printed = [...killed.lines, ...again.lines].map((line) => JSON.parse(line) as HeadAlert)
      const ids = new Set([...printed, ...received].filter(({ rule }) => rule === RULE).map(({ id }) => id))
      expect([i, ids.size]).toEqual([i, 1])
      expect(readFileSync(state, 'utf8')).not.toContain(secret)
    }
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}, 300_000)
