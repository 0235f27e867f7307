/** Takes log lines: `console`, or the logger of an application. */
export interface BridgeLogger {
  /** Takes a line about normal operation. */
  debug(message: string): void
  /** Takes a line that someone should read. */
  warn(message: string): void
}

/** Writes a line, or nothing. */
export interface Log {
  debug(message: () => string): void
  warn(message: () => string): void
}

/** Debug lines need `verbose`; warnings need `verbose` or a logger of the caller's own. */
export function createLog(verbose: boolean, logger?: BridgeLogger): Log {
  const target = logger ?? console
  // Neither a logger that throws nor a thrown object without a text may harm what is going on.
  const write = (method: 'debug' | 'warn', message: () => string): void => {
    let text = 'something that cannot be written as text'
    try { text = redact(message()) } catch { /* said so */ }
    try { target[method](`[layer-bridge] ${text}`) } catch { /* nobody to tell */ }
  }
  return {
    debug(message) { if (verbose) write('debug', message) },
    warn(message) { if (verbose || logger !== undefined) write('warn', message) }
  }
}

/** Second line of defence: our own texts hold no URL query and no token, an error passed through might. */
export function redact(text: string): string {
  return text
    .replace(/([?&][\w.~-]{1,64}=)[^&\s"']+/g, '$1[redacted]')
    .replace(/\/\/[^/\s@]{1,256}@/g, '//[redacted]@')
    .replace(/\b(bearer|x-api-key)\b([:=\s]+)[^\s"',]+/gi, '$1$2[redacted]')
}
