/** Receives log lines: `console`, or the logger of an application. Lines of a level that is left out are discarded. */
export interface Logger {
  /** Writes a line about normal operation. @default discarded */
  debug?(message: string): void
  /** Writes a line that an operator wants to know. @default discarded */
  info?(message: string): void
  /** Writes a line that needs attention. */
  warn(message: string): void
}
