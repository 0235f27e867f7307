/** The program's view of the outside world, which tests replace. */
export interface Terminal {
  /** Version of the package. */
  readonly version: string
  /** Folder of the installed package, with its starters; absent where the program has none. */
  readonly packageFolder?: string
  /** Prints a line. */
  out(text: string): void
  /** Prints a line to the error output. */
  error(text: string): void
  /** Asks a yes-no question on the error output; absent when the program does not run in a terminal. */
  confirm?(question: string): Promise<boolean>
  /** Resolves when the user ends the program. */
  stopped(): Promise<unknown>
}

/** Control characters of terminals, except line ends and tabs, and marks that reverse the direction of text. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns a terminal that removes escape sequences: text from arguments, files and nodes cannot control the real
 * terminal.
 */
export function withoutControls(terminal: Terminal): Terminal {
  const clean = (text: string): string => text.replace(CONTROLS, '')
  return { ...terminal, out: (text) => terminal.out(clean(text)), error: (text) => terminal.error(clean(text)) }
}
