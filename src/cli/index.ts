#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { hasColors, withColor } from './color.js'
import { main } from './main.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

// A reader that has seen enough, such as `head`, ends the program as Ctrl-C does.
const readerLeft = new Promise((resolve) => process.stdout.on('error', resolve))
process.stderr.on('error', () => undefined)
const colors = hasColors({ isTTY: process.stderr.isTTY === true, env: process.env })

/** Asks the user a question; any answer other than `y` or `yes` means no. */
async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}

// Set, not exit(): output that is still being written to a pipe arrives.
process.exitCode = await main(process.argv.slice(2), {
  version,
  packageFolder: fileURLToPath(new URL('..', import.meta.url)),
  out: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${colors ? withColor(text) : text}\n`),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { confirm } : {}),
  stopped: () =>
    Promise.race([
      readerLeft,
      new Promise((resolve) => {
        process.once('SIGINT', resolve)
        process.once('SIGTERM', resolve)
      })
    ])
})
