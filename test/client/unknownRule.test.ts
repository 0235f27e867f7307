import { createHeadClient } from 'layer-sdk/client'
import type { HeadClient } from 'layer-sdk/client'
import { stringifyJson } from '../../src/codec/json'
import { greetings, ScriptedNode } from '../support/scriptedNode'
import { SignedHead } from '../support/signedHead'
import { addressOf, PARTIES } from '../support/signedSnapshot'

const HEAD = '5e'.repeat(28)
const ALICE = addressOf(`60${'a1'.repeat(28)}`)

let node: ScriptedNode
let client: HeadClient

/** Connects a client that verifies to a node of a version, which answers with an honest snapshot of rule 2.4. */
async function start(version: string): Promise<string[]> {
  node = await new ScriptedNode().start()
  const head = new SignedHead(HEAD, '2.4')
  head.utxo = { [`${'0a'.repeat(32)}#0`]: { address: ALICE, value: { lovelace: 5_000_000 } } }
  const answer = stringifyJson(await head.answer())
  node.routes['GET /snapshot'] = () => ({ text: answer })
  node.onConnection = (socket) =>
    socket.send(JSON.stringify(greetings({ hydraHeadId: HEAD, snapshotUtxo: undefined, hydraNodeVersion: version })))
  const reasons: string[] = []
  client = createHeadClient({
    url: node.url,
    verify: { parties: PARTIES },
    wallet: { getChangeAddress: () => ALICE, getAddresses: () => [ALICE], signTx: async (cbor: string) => cbor }
  } as never)
  client.bridge.events.on('onUnverified', ({ reason }) => {
    reasons.push(reason)
  })
  await client.bridge.connect()
  return reasons
}

afterEach(async () => {
  await client.disconnect()
  await node.stop()
})

it('names a node that is newer than the rules as unknown, in the status and in what a payment rejects with, never as forged', async () => {
  const reasons = await start('9.9.9')
  expect(client.status().unknownRule).toEqual({ node: '9.9.9', newestKnown: '2.4' })
  expect(client.status().verified).toBeNull()
  expect(client.getBalance({ address: ALICE })).toBeNull()
  expect(client.getUtxos({ address: ALICE })).toBeNull()
  await expect(client.pay({ to: ALICE, amount: 1_000_000n, timeout: 5_000 })).rejects.toMatchObject({
    code: 'VERIFICATION',
    reason: 'unknown-rule'
  })
  expect(reasons).toEqual(['unknown-rule'])
})

it('shows the balance of the same snapshot from a node of a known version', async () => {
  const reasons = await start('2.4.1')
  while (client.getBalance({ address: ALICE }) === null) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(client.getBalance({ address: ALICE })?.confirmed.lovelace).toBe(5_000_000n)
  expect(client.status()).not.toHaveProperty('unknownRule')
  expect(client.status().verified).toBeGreaterThan(0)
  expect(reasons).toEqual([])
})
