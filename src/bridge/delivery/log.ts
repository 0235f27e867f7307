import { redact } from '../../net/redact.js'
import type { Logger } from '../../types/logger.js'

/** Writes a line, or discards it. */
export interface Log {
  debug(message: () => string): void
  warn(message: () => string): void
}

/** Longest text of a line, in characters: a node's or a handler's text may have any length. */
const MAX_LINE = 1_000

/** Creates a log. It writes debug lines only with `verbose`, and warnings only with `verbose` or with a `logger`. */
export function createLog(verbose: boolean, logger?: Logger): Log {
  const target: Logger = logger ?? console
  // Neither a logger that throws nor a thrown object without a text may harm the running operation.
  const write = (method: 'debug' | 'warn', message: () => string): void => {
    let text = 'something that cannot be written as text'
    try {
      text = toLine(message())
    } catch {
      /* the line says so */
    }
    try {
      target[method]?.(`[layer-bridge] ${text}`)
    } catch {
      /* there is no other place for it */
    }
  }
  return {
    debug(message) {
      if (verbose) write('debug', message)
    },
    warn(message) {
      if (verbose || logger !== undefined) write('warn', message)
    }
  }
}

/** Returns a text as one line of bounded length. It is cut before the conversion, to keep that cheap, and after it. */
function toLine(text: string): string {
  const cut = text.length > 2 * MAX_LINE
  // A password whose end was cut off has lost the @ by which it is recognised.
  const kept = cut ? text.slice(0, 2 * MAX_LINE).replace(/\/\/[^/\s@]{1,256}$/, '//') : text
  const line = escapeControls(redact(kept))
  return line.length <= MAX_LINE && !cut ? line : `${line.slice(0, MAX_LINE)}... (${text.length} characters)`
}

// C0, DEL, C1, the separators of lines, and marks that reverse the direction of writing: all of them could forge a line
// or hide one.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) =>
    character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}
