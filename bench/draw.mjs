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
  const bars = rows.filter(({ rival, ratio, rivalName }) => rival > 0 && ratio > 0 && isLibrary(rivalName)).map((row) => ({ ...row, times: advantage(row) }))
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
