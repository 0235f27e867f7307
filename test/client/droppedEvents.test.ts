import { LayerBridge } from '../../src/bridge/index.js'
import { createHeadClient } from '../../src/client/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead

afterEach(() => head.stop())

it.each([
  ['sent', true],
  ['valid', true],
  ['confirmed', false]
] as const)('pays with wait: %s although no event reaches a handler', async (wait, holdSnapshots) => {
  head = await startClientHead({ deposit: 50n * ADA })
  const bridge = new LayerBridge({ url: head.node.url })
  // As of a bridge whose handlers are so slow that every event is dropped.
  const on = jest.spyOn(bridge.events, 'on').mockReturnValue(() => undefined)
  const client = createHeadClient({ bridge, wallet: head.wallets[0]! })
  await client.connect()
  expect(on).toHaveBeenCalled()
  head.node.faults.holdSnapshots = holdSnapshots
  const states: string[] = []
  const { txId } = await client.pay({
    to: head.wallets[1]!.getAddressBech32(),
    amount: 2n * ADA,
    wait,
    timeout: 5_000,
    onProgress: ({ state }) => states.push(state)
  })
  const all = ['built', 'signed', 'submitted', 'valid', 'confirmed']
  expect(states).toEqual(all.slice(0, { sent: 3, valid: 4, confirmed: 5 }[wait]))
  expect(txId).toMatch(/^[0-9a-f]{64}$/)
  await client.disconnect()
})
