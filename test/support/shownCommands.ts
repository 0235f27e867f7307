import { codeBlocks } from './markdown'

/** A command of a page and the output that the page shows for it. */
export interface ShownCommand {
  readonly at: string
  readonly program: 'layer-sdk' | 'curl' | 'echo'
  /** Arguments of the program. */
  readonly args: readonly string[]
  readonly shown: string
}

const PROGRAM = /^(npx layer-sdk|curl|echo) (.+)$/

/**
 * Each command in a block of its own: those of `npx layer-sdk` whose output stands in the block of text after it, and
 * the `curl` and `echo` between them, which may print nothing.
 */
export function shownCommands(page: string): ShownCommand[] {
  const blocks = codeBlocks(page)
  return blocks.flatMap(({ at, language, code }, i): ShownCommand[] => {
    const output = blocks[i + 1]
    const [, name, line] = PROGRAM.exec(code.trim()) ?? []
    const shown = output?.language === 'text' ? output.code.trim() : null
    if (language !== 'sh' || name === undefined || line === undefined) return []
    const args = splitWords(line)
    if (name === 'npx layer-sdk') return shown === null ? [] : [{ at, program: 'layer-sdk', args, shown }]
    return [{ at, program: name as 'curl' | 'echo', args, shown: shown ?? '' }]
  })
}

/** Words as a shell splits them; quotes hold one together. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain!)
}

/**
 * What differs from run to run: times, durations, ids of transactions and processes; and the version, with each
 * release.
 */
export function withoutChance(text: string): string {
  return text
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/(devnode |"listening","version":")\d+\.\d+\.\d+/g, '$1VERSION')
    .replaceAll(/\b\d+ ms\b/g, 'N ms')
    .replaceAll(/\b\d+\.\d+ s\b/g, 'N ms')
    .replaceAll(/, slot \d+\b/g, ', slot N')
    .replaceAll(/\b\d+ bytes\b/g, 'N bytes')
    .replaceAll(/"bytes":\d+/g, '"bytes":N')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/"(minuteMs|timeMs)":\d+/g, '"$1":N')
    .replaceAll(
      /"(ms|timeMs|(?:recorded|claimable|expires|recoverable)At|contestationDeadline|slot|block_height|block_time)":\d+/g,
      '"$1":N'
    )
    .replaceAll(/"(at|closedAt|contestUntil)":\d+/g, '"$1":N')
    .replaceAll(/"id":"[0-9a-f]{32}"/g, '"id":"ID"')
    .replaceAll(/\bprocess \d+/g, 'process N')
    .replaceAll(/\blr1_\w+/g, 'CURSOR')
    .replaceAll(/\b1\.node\.[^"\s]+/g, 'CURSOR')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'TXID')
    .replaceAll(/\b([0-9a-f]{4} ){7}[0-9a-f]{4}\b/g, 'GROUPS')
    .replaceAll(/(Keep the \.sk files secret\.\n)addr_\w+/g, '$1ADDRESS')
    .replaceAll(/(deposit|decommit) [0-9a-f]{8}\b/g, '$1 ID')
}
