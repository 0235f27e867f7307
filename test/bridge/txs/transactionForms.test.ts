import { LayerBridge } from 'layer-sdk/bridge'
import { FakeConnector } from '../../support/fakeConnector'
import { sampleTx } from '../../support/sampleTx'

const [tx, other] = [sampleTx(1), sampleTx(2)]
let connector: FakeConnector
let bridge: LayerBridge
beforeEach(async () => {
  connector = new FakeConnector()
  bridge = new LayerBridge({ connector })
  const done = bridge.connect()
  connector.last.greet()
  await done
})
afterEach(async () => {
  await bridge.disconnect()
})

const sentTxs = (): unknown[] =>
  connector.last.sent
    .map((text) => (typeof text === 'string' ? JSON.parse(text) : text) as { transaction?: unknown })
    .map(({ transaction }) => transaction)

it('submitTxSync and submitTx take hex and what a builder made, and send the envelope alone', async () => {
  const built = { fee: 0n, inputs: [], outputs: [] }
  const pending = [
    bridge.submitTxSync(tx.cborHex),
    bridge.submitTxSync({ ...built, cborHex: other.cborHex, txId: other.txId })
  ]
  for (const each of pending) each.catch(() => undefined)
  await new Promise((resolve) => setImmediate(resolve))
  expect(sentTxs()).toEqual(
    [tx, other].map(({ cborHex, txId }) => ({ type: expect.any(String), description: '', cborHex, txId }))
  )
  await bridge.disconnect()
  await Promise.all(pending.map((each) => expect(each).rejects.toMatchObject({ code: 'BRIDGE_SUBMIT' })))
})

it('submitL2Tx keeps two transactions that are given as hex at once apart, and shares one that is given twice', async () => {
  const bodies: string[] = []
  connector.onRequest = async (request) => {
    const { txId } = JSON.parse(request.body!) as { txId: string }
    bodies.push(txId)
    return { status: 200, text: JSON.stringify({ tag: 'SubmitTxConfirmed', snapshotNumber: 1 }) }
  }
  const submissions = [tx.cborHex, other.cborHex, tx].map((each) =>
    bridge.submitL2Tx(each).catch((error: unknown) => error)
  )
  await Promise.all(submissions)
  expect(bodies.sort()).toEqual([tx.txId, other.txId].sort())
})

it.each(['', 'zz', '84', '0x00'])('refuses the text %j, typed, and sends nothing', async (text) => {
  await expect(bridge.submitTxSync(text)).rejects.toMatchObject({ code: expect.stringMatching(/^INPUT_/) })
  await expect(bridge.submitL2Tx(text)).rejects.toMatchObject({ code: expect.stringMatching(/^INPUT_/) })
  const error = await new Promise((resolve) => bridge.submitTx(text, resolve))
  expect(error).toMatchObject({ code: 'BRIDGE_SUBMIT', tag: 'InvalidInput' })
  expect(connector.last.sent).toEqual([])
})
