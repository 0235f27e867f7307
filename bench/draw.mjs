const ROW = 30
const LEFT = 560
const WIDTH = 560
const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])

/** JSON.parse and our own smaller case are yardsticks, not rivals. */
const isLibrary = (rivalName) => /^@|^cardano-|WASM/.test(rivalName ?? '')

/** How many times better than the rival: for rates ours over theirs, for times theirs over ours. */
const advantage = ({ ratio, target }) => (String(target).trim().startsWith('<') ? 1 / ratio : ratio)

/**
 * The rows that name a rival as horizontal bars on a logarithmic scale: 1 is as good as the rival.
 * @returns {string} SVG
 */
export function drawBars(rows) {
  const bars = rows
    .filter(({ rival, ratio, rivalName }) => rival > 0 && ratio > 0 && isLibrary(rivalName))
    .map((row) => ({ ...row, times: advantage(row) }))
  const most = Math.max(2, ...bars.map(({ times }) => times))
  const scale = (times) => (Math.max(0, Math.log10(times)) / Math.log10(most)) * WIDTH
  const height = bars.length * ROW + 60
  const lines = bars.map(({ name, rivalName, times }, i) => {
    const y = 44 + i * ROW
    const colour = times >= 1 ? '#2f6f4f' : '#a33'
    return `<text x="${LEFT - 10}" y="${y + 14}" text-anchor="end">${escape(name)}</text>
<rect x="${LEFT}" y="${y}" width="${Math.max(2, scale(times)).toFixed(1)}" height="20" rx="2" fill="${colour}"/>
<text x="${LEFT + Math.max(2, scale(times)) + 8}" y="${y + 14}">${times >= 10 ? times.toFixed(0) : times.toFixed(1)} x <tspan fill="#777">${escape(rivalName ?? '')}</tspan></text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 330}" height="${height}" font-family="system-ui, sans-serif" font-size="13">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="26" font-size="15" font-weight="600">How many times better on the same work (logarithmic)</text>
${lines.join('\n')}
</svg>
`
}

/** Rows of the history that every reader should see: what each costs relative to its yardstick, lower is better. */
const HEADLINES = [
  [
    'bridge-cache: Snapshot of 100,000 outputs, the first: read, applied, all balances asked for / JSON.parse of the text',
    'first snapshot of 100,000 outputs'
  ],
  [
    'bridge-cache: Snapshot of 100,000 outputs, 1 % changed: read, applied, all balances asked for / JSON.parse of the text',
    'next snapshot, 1 % changed'
  ],
  [
    'bridge-live: Longest standstill, 1 % of 100,000 outputs changed, over a socket / JSON.parse of the text',
    'standstill of the next one over a socket'
  ],
  ['providers: 1000 UTxOs over loopback / @hydra-sdk/core BlockfrostProvider', '1,000 UTxOs of an indexer']
]
const COLOURS = ['#2f6f4f', '#1f5fa8', '#a33', '#8a6d1f']
const [CHART_WIDTH, CHART_HEIGHT] = [560, 220]

/**
 * Ratios by release as lines: times against their yardstick.
 * @returns {string} SVG
 */
export function drawHistory(history) {
  const all = HEADLINES.flatMap(([key]) => history.map(({ ratios }) => ratios[key]).filter((ratio) => ratio > 0))
  const most = Math.max(1, ...all)
  const x = (n) => 60 + (history.length === 1 ? CHART_WIDTH / 2 : (n * CHART_WIDTH) / (history.length - 1))
  const y = (ratio) => 40 + CHART_HEIGHT * (1 - ratio / most)
  const lines = HEADLINES.map(([key, title], i) => {
    const points = history.flatMap(({ ratios }, n) => (ratios[key] > 0 ? [[x(n), y(ratios[key]), ratios[key]]] : []))
    const path = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ')
    const dots = points
      .map(
        ([px, py, ratio]) =>
          `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3.5"/><text x="${(px + 7).toFixed(1)}" y="${(py - 5).toFixed(1)}">${ratio}</text>`
      )
      .join('')
    return `<g fill="${COLOURS[i]}"><polyline points="${path}" fill="none" stroke="${COLOURS[i]}" stroke-width="1.5"/>${dots}<text x="${CHART_WIDTH + 110}" y="${52 + i * 20}">${escape(title)}</text></g>`
  })
  const releases = history.map(
    ({ release }, n) =>
      `<text x="${x(n).toFixed(1)}" y="${CHART_HEIGHT + 64}" text-anchor="middle">${escape(release)}</text>`
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CHART_WIDTH + 400}" height="${CHART_HEIGHT + 84}" font-family="system-ui, sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="60" y="22" font-size="15" font-weight="600">Time against the yardstick by release (lower is better)</text>
<line x1="60" y1="${40 + CHART_HEIGHT}" x2="${60 + CHART_WIDTH}" y2="${40 + CHART_HEIGHT}" stroke="#999"/>
${lines.join('\n')}
${releases.join('\n')}
</svg>
`
}
