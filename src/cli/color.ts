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
 * Returns true when failures are shown in colour. A NO_COLOR (https://no-color.org) that is not empty switches colours
 * off. Otherwise FORCE_COLOR decides when it is set: `0` and `false` switch them off, other values on. Without both
 * variables, colours are used on a terminal unless TERM is `dumb`.
 */
export function hasColors({ isTTY, env }: ColorFacts): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force, TERM } = env
  if (no !== '') return false
  if (force !== undefined) return force !== '0' && force !== 'false'
  return isTTY && TERM !== 'dumb'
}

/** Returns a line of the error output with its leading `layer-sdk:` in red. */
export const withColor = (text: string): string => text.replace(NAME, (name) => `${RED}${name}${PLAIN}`)
