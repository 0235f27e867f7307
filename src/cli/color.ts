/** Facts that decide on colours. */
export interface ColorFacts {
  /** True where the output is a terminal. */
  readonly isTTY: boolean
  /** Environment of the program: NO_COLOR, FORCE_COLOR and TERM are read. */
  readonly env: Readonly<Record<string, string | undefined>>
}

const RED = '\u001b[31m'
const PLAIN = '\u001b[39m'
const NAME = /^layer-sdk:/

/**
 * True where a failure is shown in colour: on a terminal, unless NO_COLOR (https://no-color.org) is set to anything;
 * FORCE_COLOR asks for colours elsewhere too, but for `0`. NO_COLOR wins.
 */
export function hasColors({ isTTY, env }: ColorFacts): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force, TERM } = env
  if (no !== '') return false
  if (force !== undefined) return force !== '0' && force !== 'false'
  return isTTY && TERM !== 'dumb'
}

/** Returns a line of the error output with the name of a failing program in red. */
export const withColor = (text: string): string => text.replace(NAME, (name) => `${RED}${name}${PLAIN}`)
