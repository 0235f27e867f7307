import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CliProgram } from '../support/cliProgram'
import { fullRun } from '../support/scale'
import { logLine, logOf } from '../doctor/export/support'
import { newFolder } from './recording/support'

const BYTES = fullRun ? 10_000_000_000 : 200_000_000
const folder = newFolder()
const program = new CliProgram()
beforeAll(() => program.build(), 60_000)
afterAll(() => {
  program.remove()
  rmSync(folder, { recursive: true })
})

/** A part of a log as a busy node writes it: records of many kilobytes between few events. */
function partOf(): string {
  const utxo = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}`.padStart(64, '0'), { lovelace: i }]))
  const state = logLine(1, { tag: 'Node', node: { tag: 'BeginEffect', effect: { tag: 'OnChainEffect', utxo } } })
  return `${[...Array.from({ length: 400 }, () => state), ...logOf(1)].join('\n')}\n`
}

/** Memory that the process occupies, bytes. */
function occupiedBy(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes ?? 0) * 1_024
}

const hasProc = existsSync('/proc/self/status')
if (hasProc)
  it(
    `exports a log of ${BYTES / 1e9} GB, packed by gzip, in flat memory`,
    async () => {
      const part = Buffer.from(partOf())
      const parts = Math.ceil(BYTES / part.length)
      // Files of gzip one behind another are one file.
      const packed = gzipSync(part)
      const file = join(folder, 'node.log.gz')
      writeFileSync(file, '')
      for (let i = 0; i < parts; i++) appendFileSync(file, packed)
      const child = spawn(process.execPath, [program.path, 'export', '--log', file, '--json'], {
        stdio: ['ignore', 'pipe', 'pipe']
      })
      let [events, errors] = [0, '']
      const occupied: number[] = []
      child.stdout.on('data', (chunk: Buffer) => {
        for (const byte of chunk) if (byte === 10) events++
      })
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      const timer = setInterval(() => {
        try {
          occupied.push(occupiedBy(child.pid!))
        } catch {
          // It has ended.
        }
      }, 100)
      const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
      clearInterval(timer)
      expect([code, events % parts]).toEqual([0, 0])
      expect(events).toBeGreaterThanOrEqual(parts)
      expect((JSON.parse(errors) as { summary: { events: number } }).summary.events).toBe(events)
      const half = Math.floor(occupied.length / 2)
      const [first, second] = [Math.max(...occupied.slice(0, half)), Math.max(...occupied.slice(half))]
      expect(occupied.length).toBeGreaterThan(10)
      expect(second).toBeLessThan(first + 100_000_000)
      expect(second).toBeLessThan(500_000_000)
    },
    fullRun ? 3_600_000 : 120_000
  )
