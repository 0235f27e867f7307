// Draws docs/architecture.svg: the rooms of src and who imports whom, from the imports themselves. With --check, fails
// when it is stale.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { ROOT } from './entries.mjs'

const SRC = join(ROOT, 'src')
const TARGET = join(ROOT, 'docs', 'architecture.svg')
const IMPORT =
  /(?:^|\n)\s*(import|export)(\s+type)?[^'"\n;]*?\sfrom\s+'(\.[^']+)'|import\('(\.[^']+)'\)|(?:^|\n)\s*\}\s*from\s+'(\.[^']+)'/g

const roomOf = (path) => (path.includes('/') ? path.split('/')[0] : path.replace(/\.tsx?$/, ''))

/**
 * Room -> room -> whether any file imports it at once, and not only by import(); what is imported for its types alone
 * does not count.
 */
function importsOfRooms() {
  const edges = new Map()
  for (const name of readdirSync(SRC, { recursive: true })
    .map((each) => each.split(sep).join('/'))
    .filter((each) => /\.tsx?$/.test(each))
    .sort()) {
    const room = roomOf(name)
    if (room === 'index') continue
    if (!edges.has(room)) edges.set(room, new Map())
    for (const [, , type, from, lazy, list] of readFileSync(join(SRC, name), 'utf8').matchAll(IMPORT)) {
      const target = roomOf(posix.join(posix.dirname(name), from ?? lazy ?? list).replace(/\.js$/, '.ts'))
      if (target === room || type !== undefined) continue
      const atOnce = lazy === undefined
      edges.get(room).set(target, edges.get(room).get(target) === true || atOnce)
    }
  }
  return edges
}

const edges = importsOfRooms()

/** A room stands above all that it imports at once. */
const levels = new Map()
function levelOf(room, path = []) {
  if (path.includes(room)) throw new Error(`rooms import one another: ${[...path, room].join(' -> ')}`)
  if (!levels.has(room)) {
    const below = [...(edges.get(room) ?? [])]
      .filter(([, atOnce]) => atOnce)
      .map(([target]) => levelOf(target, [...path, room]))
    levels.set(room, below.length === 0 ? 0 : 1 + Math.max(...below))
  }
  return levels.get(room)
}
for (const room of edges.keys()) levelOf(room)

/** What is reached through another room anyway needs no line of its own. */
const reaches = (room, target) =>
  [...(edges.get(room) ?? [])].some(([next, atOnce]) => atOnce && (next === target || reaches(next, target)))
const isNeeded = (room, target) =>
  ![...edges.get(room)].some(([next, atOnce]) => atOnce && next !== target && reaches(next, target))

const [WIDTH, ROW, BOX, HEIGHT] = [1080, 92, 110, 40]
const rows = []
for (const [room, level] of [...levels].sort(([a], [b]) => (a < b ? -1 : 1))) (rows[level] ??= []).push(room)
const top = rows.length - 1
const place = new Map(
  rows.flatMap((row, level) =>
    row.map((room, i) => [room, { x: Math.round(((i + 1) * WIDTH) / (row.length + 1)), y: 50 + (top - level) * ROW }])
  )
)

const lines = [...edges]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .flatMap(([room, targets]) =>
    [...targets]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .filter(([target, atOnce]) => (atOnce ? isNeeded(room, target) : !reaches(room, target)))
      .map(([target, atOnce]) => {
        const [from, to] = [place.get(room), place.get(target)]
        const [down, right] = [
          Math.sign(to.y - from.y) * (HEIGHT / 2),
          to.y === from.y ? Math.sign(to.x - from.x) * (BOX / 2) : 0
        ]
        return `  <path class="${atOnce ? 'at-once' : 'lazy'}" d="M${from.x + right} ${from.y + down}L${to.x - right} ${to.y - down}" marker-end="url(#head)"/>`
      })
  )
const boxes = [...place]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(
    ([room, { x, y }]) =>
      `  <rect x="${x - BOX / 2}" y="${y - HEIGHT / 2}" width="${BOX}" height="${HEIGHT}" rx="6"/>\n  <text x="${x}" y="${y + 5}">${room}</text>`
  )

const height = 70 + top * ROW + 50
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="The rooms of src; each imports what its arrows point to, and what those import">
  <!-- Drawn by scripts/draw-rooms.mjs from the imports; change those, not this. -->
  <style>
    rect { fill: #f4f6fa; stroke: #3b4a63; stroke-width: 1.5 }
    text { font: 14px sans-serif; text-anchor: middle; fill: #1d2737 }
    path.at-once { stroke: #3b4a63; stroke-width: 1.3; fill: none }
    path.lazy { stroke: #8a94a6; stroke-width: 1.1; stroke-dasharray: 5 4; fill: none }
    .note { font-size: 12px; fill: #5a6578 }
  </style>
  <defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="#3b4a63"/></marker></defs>
  <rect x="0" y="0" width="${WIDTH}" height="${height}" style="fill:#fff;stroke:none"/>
${lines.join('\n')}
${boxes.join('\n')}
  <text class="note" x="${WIDTH / 2}" y="${height - 14}">An arrow: imports. Dashed: loads when needed. What is reached through another room has no arrow of its own; types alone have none.</text>
</svg>
`

if (!process.argv.includes('--check')) writeFileSync(TARGET, svg)
else if (readFileSync(TARGET, 'utf8') !== svg) {
  console.error('docs/architecture.svg is stale: run `npm run draw`, look at it and commit it.')
  process.exitCode = 1
}
