// Set BASELINE to another built checkout of this package to measure it in the same run: its figures are the rival's.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const BENCH = fileURLToPath(new URL('..', import.meta.url))
const BASELINE = process.env['BASELINE']

/** A folder in which `layer-sdk` is another checkout, with the same work in it. */
function folderOf(checkout) {
  const folder = join(BENCH, 'node_modules', '.cache', 'baseline')
  const link = join(folder, 'node_modules', 'layer-sdk')
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  if (!existsSync(link)) symlinkSync(resolve(checkout), link)
  return folder
}

/** Folders in which `layer-sdk` is this checkout, and the baseline if there is one. */
export const FOLDERS = [BENCH, ...(BASELINE === undefined ? [] : [folderOf(BASELINE)])]

/** One measurement; the source is read from standard input, so that its imports are those of the folder. */
export function measure(folder, source, ...args) {
  const all = ['--expose-gc', '--input-type=module', '-', ...args.map(String)]
  return JSON.parse(
    execFileSync(process.execPath, all, {
      cwd: folder,
      input: source,
      encoding: 'utf8',
      timeout: 300_000,
      stdio: ['pipe', 'pipe', 'inherit']
    })
  )
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

/** Medians of so many rounds, ours and the baseline's by turns. */
export function byTurns(rounds, work) {
  const values = FOLDERS.map(() => [])
  for (let round = 0; round < rounds; round++) FOLDERS.forEach((folder, i) => values[i].push(work(folder)))
  return values.map(median)
}

/** A row against the baseline: without one it has no ratio, and holds. */
export function againstBaseline(name, unit, [ours, rival = null], target, holds) {
  const ratio = rival === null ? null : ours / rival
  return {
    name,
    unit,
    ours,
    rival,
    rivalName: rival === null ? null : 'the baseline',
    ratio,
    target,
    pass: ratio === null || holds(ratio)
  }
}
