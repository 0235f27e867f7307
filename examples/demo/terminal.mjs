// Three ways to tell the same story: a terminal with marks and a moving bar, plain lines for pipes, JSON lines for
// machines.

const BAR_WIDTH = 32
const ADA_DIGITS = 6

/** Lovelace as ada with all six decimals, thousands separated: 1234567890 -> "1,234.567890". */
export function formatAda(lovelace) {
  const digits = String(lovelace < 0n ? -lovelace : lovelace).padStart(ADA_DIGITS + 1, '0')
  const whole = digits.slice(0, -ADA_DIGITS).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${lovelace < 0n ? '-' : ''}${whole}.${digits.slice(-ADA_DIGITS)}`
}

/** An address cut in its middle, so that a line holds it. */
export const shorten = (text, keep = 12) =>
  text.length <= 2 * keep + 3 ? text : `${text.slice(0, keep + 6)}...${text.slice(-keep + 4)}`

/**
 * @typedef {object} Teller
 * @property {(title: string) => void} title
 * @property {(name: string, detail: string, facts?: object) => void} step a step that is done
 * @property {(name: string, done: number, total: number) => void} progress
 * @property {(heads: string[], rows: string[][]) => void} table
 * @property {(text: string, facts?: object) => void} say
 * @property {(text: string) => void} fail
 */

/**
 * @param {{ json: boolean, out?: NodeJS.WriteStream }} options
 * @returns {Teller}
 */
export function createTeller({ json, out = process.stdout }) {
  if (json) return jsonTeller(out)
  return out.isTTY ? terminalTeller(out) : plainTeller(out)
}

function jsonTeller(out) {
  const line = (event, facts) =>
    out.write(`${JSON.stringify({ event, ...facts }, (_, v) => (typeof v === 'bigint' ? String(v) : v))}\n`)
  return {
    title: () => {},
    step: (name, detail, facts = {}) => line('step', { ...facts, name, detail }),
    progress: (name, done, total) => line('progress', { name, done, total }),
    table: (heads, rows) => line('table', { heads, rows }),
    say: (text, facts = {}) => line('message', { text, ...facts }),
    fail: (text) => line('failure', { text })
  }
}

function plainTeller(out) {
  const line = (text) => out.write(`${text}\n`)
  return {
    title: line,
    step: (name, detail) => line(`[ok] ${name}${detail ? `: ${detail}` : ''}`),
    progress: (name, done, total) => {
      if (done === total || done % Math.ceil(total / 4) === 0) line(`     ${name}: ${done} of ${total}`)
    },
    table: (heads, rows) => layout(heads, rows).forEach(line),
    say: (text) => line(text),
    fail: (text) => process.stderr.write(`${text}\n`)
  }
}

function terminalTeller(out) {
  const colour = process.env.NO_COLOR ? (_, text) => text : (code, text) => `\u001b[${code}m${text}\u001b[0m`
  const [green, red, bold, dim] = [32, 31, 1, 2].map((code) => (text) => colour(code, text))
  let moving = false
  const clear = () => {
    if (moving) out.write('\r\u001b[2K')
    moving = false
  }
  const line = (text) => {
    clear()
    out.write(`${text}\n`)
  }
  return {
    title: (text) => line(`\n${bold(text)}\n`),
    step: (name, detail) => line(`  ${green('\u2713')} ${name.padEnd(18)} ${dim(detail)}`),
    progress: (name, done, total) => {
      const filled = Math.round((done / total) * BAR_WIDTH)
      out.write(
        `\r\u001b[2K  ${dim('\u00b7')} ${name.padEnd(18)} ${green('\u2588'.repeat(filled))}${dim('\u2591'.repeat(BAR_WIDTH - filled))} ${done}/${total}`
      )
      moving = true
    },
    table: (heads, rows) => {
      line('')
      layout(heads, rows).forEach((text, i) => line(`    ${i === 0 ? dim(text) : text}`))
      line('')
    },
    say: (text) => line(`  ${text}`),
    fail: (text) => {
      clear()
      process.stderr.write(`  ${red('\u2717')} ${text}\n`)
    }
  }
}

/** Rows as lines: the first column to the left, the others to the right. */
function layout(heads, rows) {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i].length)))
  return [heads, ...rows].map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('   ')
      .trimEnd()
  )
}
