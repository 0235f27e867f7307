// Reports the words of comments: npm run words [-- FOLDER ...]   (default: src)
// Per 1,000 comment words of each room, beside viem's: a report, no gate. `--worst` lists the docstrings to rewrite first.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = join(fileURLToPath(import.meta.url), '..', '..')

/** Words of a dialect that a reader of technical English stumbles over, and one that the models use often. */
export const COUNTED = {
  what: /\bwhat\b/gi,
  'nobody, nothing, everybody, somebody': /\b(?:nobody|nothing|everybody|somebody)\b/gi,
  'take, takes, taken': /\b(?:take|takes|taken)\b/gi,
  returns: /\breturns\b/gi
}

/** Beginnings that make a docstring a question. */
export const QUESTION = /^(?:What|Whether|Who|Where)\b/

/** Per 1,000 comment words of wevm/viem at 0912a29d (2026-08), `src` without tests, counted by this script. */
const VIEM = { what: 0.1, 'nobody, nothing, everybody, somebody': 0.1, 'take, takes, taken': 0.2, returns: 17.4 }
const VIEM_QUESTIONS = '95 of 3552'

/** The comments of a file: `{ text, docstring }`, without their markers. */
export function commentsOf(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
  const ranges = new Map()
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(text, node.pos) ?? []) ranges.set(range.pos, range)
    for (const range of ts.getTrailingCommentRanges(text, node.end) ?? []) ranges.set(range.pos, range)
    node.getChildren(source).forEach(visit)
  }
  visit(source)
  return [...ranges.values()].map(({ pos, end }) => {
    const raw = text.slice(pos, end)
    return {
      docstring: raw.startsWith('/**'),
      line: source.getLineAndCharacterOfPosition(pos).line + 1,
      text: raw
        .replace(/^\/\*\*?|\*\/$/g, '')
        .replace(/^\s*(?:\*|\/\/)\s?/gm, '')
        .replace(/```[\s\S]*?```/g, '')
        .trim()
    }
  })
}

/** Counts of the comments of files: words in all, each of `COUNTED`, docstrings, and those that begin as a question. */
export function countWords(files) {
  const counts = {
    words: 0,
    docstrings: 0,
    questions: 0,
    ...Object.fromEntries(Object.keys(COUNTED).map((name) => [name, 0]))
  }
  for (const path of files) {
    for (const { docstring, text } of commentsOf(path, readFileSync(path, 'utf8'))) {
      counts.words += text.split(/\s+/).filter((word) => /\w/.test(word)).length
      for (const [name, pattern] of Object.entries(COUNTED)) counts[name] += text.match(pattern)?.length ?? 0
      if (docstring) counts.docstrings += 1
      if (docstring && QUESTION.test(text)) counts.questions += 1
    }
  }
  return counts
}

/** The source files below a folder, tests apart. */
export function sourcesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|test-d|bench|d)\.tsx?$/.test(path))
    .filter((path) => !path.includes(`${sep}node_modules${sep}`))
    .sort()
}

const perThousand = (count, words) => (words === 0 ? 0 : (1000 * count) / words).toFixed(1)

function row(name, counts) {
  const figures = Object.keys(COUNTED).map((key) => perThousand(counts[key], counts.words))
  return [name, String(counts.words), ...figures, `${counts.questions} of ${counts.docstrings}`]
}

function report(folders) {
  const rows = folders.flatMap((folder) => {
    const byRoom = sourcesBelow(folder).reduce((rooms, path) => {
      const room = path.slice(folder.length + 1).split(sep)[0]
      return rooms.set(room, [...(rooms.get(room) ?? []), path])
    }, new Map())
    return [
      ...[...byRoom].map(([room, files]) => row(room, countWords(files))),
      row('all', countWords(sourcesBelow(folder)))
    ]
  })
  const head = ['room', 'words', ...Object.keys(COUNTED), 'docstrings that begin as a question']
  const viem = ['viem', '', ...Object.values(VIEM).map((figure) => figure.toFixed(1)), VIEM_QUESTIONS]
  const table = [head, ...rows, viem]
  const widths = head.map((_, column) => Math.max(...table.map((cells) => cells[column].length)))
  for (const cells of table)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd()
    )
}

function worst(folders) {
  for (const path of folders.flatMap(sourcesBelow)) {
    for (const { line, text } of commentsOf(path, readFileSync(path, 'utf8'))) {
      const hits = [
        QUESTION,
        ...Object.entries(COUNTED)
          .filter(([name]) => name !== 'returns')
          .map(([, pattern]) => pattern)
      ]
      if (hits.some((pattern) => text.search(pattern) >= 0))
        console.log(`${path}:${line}: ${text.replace(/\s+/g, ' ')}`)
    }
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
  const chosen = folders.length === 0 ? [join(ROOT, 'src')] : folders.map((folder) => resolve(folder))
  if (process.argv.includes('--worst')) worst(chosen)
  else report(chosen)
}
