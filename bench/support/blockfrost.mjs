// The kinds of outputs take turns: plain, with one to three assets, with an inline datum (every third), with a script
// (every fiftieth). A server with the two routes of Blockfrost's interface that listing UTxOs needs (openapi 0.1.91).
import { createServer } from 'node:http'

const { ADDRESS, POLICY, COUNT, SCRIPT, delayMs } = JSON.parse(process.argv[2])
const entries = Array.from({ length: COUNT }, (_, i) => ({
  address: ADDRESS,
  tx_hash: i.toString(16).padStart(64, '0'),
  tx_index: i % 3,
  output_index: i % 3,
  amount: [
    { unit: 'lovelace', quantity: String(1_000_000 + i) },
    ...Array.from({ length: i % 4 }, (_, n) => ({ unit: `${POLICY}${n}${n}`, quantity: '9007199254740993' }))
  ],
  block: '7eb8e27d18686c7db9a18f8bbcfe34e3fed6e047afaa2d969904d15e934847e6',
  data_hash: i % 3 === 0 ? '9e478573ab81ea7a8e31891ce0648b81229f408d596a3483e6f4f9b92d3cf710' : null,
  inline_datum:
    i % 3 === 0 ? `d8799fd8799f581c${POLICY}ff1a${(1_000_000 + i).toString(16).padStart(8, '0')}9f010203ffff` : null,
  reference_script_hash: i % 50 === 0 ? SCRIPT.hash : null
}))
const pages = Array.from({ length: Math.ceil(COUNT / 100) + 1 }, (_, page) =>
  JSON.stringify(entries.slice(page * 100, page * 100 + 100))
)
let count = 0

const server = createServer((request, response) => {
  count++
  const url = new URL(request.url, 'http://x')
  const body = url.pathname.endsWith('/cbor')
    ? JSON.stringify({ cbor: SCRIPT.cbor })
    : (pages[Number(url.searchParams.get('page')) - 1] ?? '[]')
  const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  if (delayMs > 0) setTimeout(send, delayMs)
  else send()
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', () => {
  process.send({ count })
  count = 0
})
process.on('disconnect', () => process.exit())
