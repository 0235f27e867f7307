// `npx layer-sdk devnode` of the packed tarball, installed in an empty folder, serves what other builders make,
// unchanged.
import assert from 'node:assert/strict'
import { installConsumer } from '../env/lib/consumer.mjs'
import { start } from '../env/lib/processes.mjs'
import { CLIENTS } from './endpoints.mjs'

const ADA = 1_000_000n
const STARTS_WITHIN_MS = 120_000

export async function packedTests(test) {
  const consumer = await installConsumer()
  const node = await startPacked(consumer.folder)
  const bob = node.keys[1].address
  try {
    for (const [name, connect] of CLIENTS) {
      await test(
        'npx layer-sdk devnode',
        `serves ${name}: it reads the account, pays and sees the payment`,
        async () => {
          const client = await connect(node)
          assert.equal(client.address, node.accounts[0].address)
          const [own, before] = [await client.lovelace(), await lovelaceAt(node, bob)]
          const txId = await client.submit(await client.build(bob, 7n * ADA))
          await client.waitFor(txId)
          assert.equal((await lovelaceAt(node, bob)) - before, 7n * ADA)
          const paid = own - (await client.lovelace())
          assert.ok(paid > 7n * ADA && paid < 8n * ADA, `${paid} lovelace left the account`)
          await node.printed(({ event, layer, txId: id }) => event === 'payment' && layer === 'base' && id === txId)
        }
      )
    }
  } finally {
    node.stop()
    consumer.remove()
  }
}

/** What the first line says, and the lines that follow. */
async function startPacked(folder) {
  const events = []
  const waiting = new Set()
  const onLine = (line) => {
    events.push(JSON.parse(line))
    for (const look of waiting) look()
  }
  const command = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  const child = start(command, ['--no-install', 'layer-sdk', 'devnode', '--port', '0', '--json'], {
    cwd: folder,
    onLine
  })
  const printed = (matches) =>
    new Promise((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new Error(`devnode has not printed it: ${JSON.stringify(events.slice(1))}`)),
        STARTS_WITHIN_MS
      )
      const look = () => {
        const found = events.find(matches)
        if (found === undefined) return
        waiting.delete(look)
        clearTimeout(limit)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const listening = await printed(({ event }) => event === 'listening')
  return { ...listening, printed, stop: () => child.end() }
}

async function lovelaceAt({ indexerUrl }, address) {
  const outputs = await (await fetch(`${indexerUrl}/addresses/${address}/utxos`)).json()
  return outputs.reduce((sum, { amount }) => sum + BigInt(amount[0].quantity), 0n)
}
