// npm run demo: from two recovery phrases to confirmed payments in a head, and back to the base ledger.
import { parseArgs } from 'node:util'
import { isLayerError } from 'layer-sdk'
import { runStory } from './story.mjs'
import { createTeller } from './terminal.mjs'

const HELP = `Usage: npm run demo -- [options]

Without options: starts a local head node, opens a head, pays 200 times, closes it and checks every lovelace.

  --port N          port of the local head node (default: 4001; 0 takes a free one)
  --payments N      how many payments (default: 200)
  --json            one JSON object a line, for machines

Against a node that runs already:
  --url URL         its WebSocket URL, e.g. ws://127.0.0.1:4001
  --skey FILE       signing key file (cardano-cli) of the funds to pay with
  --rpc URL         Ogmios, to find funds that are not in the head yet
  --close           close the head and fan out at the end; it stays open without
`

/** Ends with one sentence; the stack is nobody's business here. */
function sentence(error) {
  if (isLayerError(error, 'DEVNODE_PORT'))
    return `Port ${options.port} is in use: pass --port 0 for a free one, or stop the program that holds it.`
  // The first line of our own errors says what to do; the lines below it say what was expected and what came.
  return isLayerError(error) ? error.message.replace(/\n- /g, ' - ') : (error?.message ?? String(error))
}

let options
try {
  options = parseArgs({
    options: {
      url: { type: 'string' },
      skey: { type: 'string' },
      rpc: { type: 'string' },
      port: { type: 'string', default: '4001' },
      payments: { type: 'string', default: '200' },
      close: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false }
    }
  }).values
} catch (error) {
  process.stderr.write(`${error.message}\n\n${HELP}`)
  process.exit(2)
}
if (options.help) {
  process.stdout.write(HELP)
  process.exit(0)
}

const teller = createTeller({ json: options.json })
const interrupted = new AbortController()
interrupted.signal.addEventListener('abort', () => {
  // Closing takes a moment; what does not end by then ends with the process.
  setTimeout(() => process.exit(130), 3_000).unref()
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort(new Error('Stopped.')))
// A reader that has seen enough, such as `head`.
process.stdout.on('error', () => interrupted.abort(new Error('Stopped.')))

try {
  const payments = Number(options.payments)
  const port = Number(options.port)
  if (!Number.isInteger(payments) || payments < 1) throw new Error('--payments takes a whole number from 1.')
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error('--port takes a port number from 0 to 65535.')
  if (options.url !== undefined && !URL.canParse(options.url))
    throw new Error('--url takes a WebSocket URL, e.g. ws://127.0.0.1:4001.')
  if (options.url !== undefined && options.skey === undefined)
    throw new Error('--url needs --skey FILE: the key of the funds to pay with.')
  await runStory({ ...options, payments, port, teller, signal: interrupted.signal })
} catch (error) {
  teller.fail(sentence(interrupted.signal.aborted ? interrupted.signal.reason : error))
  process.exitCode = interrupted.signal.aborted ? 130 : 1
}
