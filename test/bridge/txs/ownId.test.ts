import { LayerBridge } from 'layer-sdk/bridge'
import type { Transaction } from 'layer-sdk/bridge'
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

const SUBMISSIONS: [string, (transaction: Transaction) => Promise<unknown>][] = [
  ['submitTxSync', (transaction) => bridge.submitTxSync(transaction)],
  [
    'submitTx',
    (transaction) =>
      new Promise((resolve, reject) =>
        bridge.submitTx(transaction, (error, result) => (error === null ? resolve(result) : reject(error)))
      )
  ],
  ['submitL2Tx', (transaction) => bridge.submitL2Tx(transaction)],
  ['decommit', (transaction) => bridge.commands.decommit(transaction)]
]

describe('an id that is not the hash of the body', () => {
  it.each(SUBMISSIONS)(
    'is refused by %s, and nothing is sent: its verdict would be that of another transaction',
    async (_, submit) => {
      const requests: unknown[] = []
      connector.onRequest = async (request) => {
        requests.push(request)
        return { status: 200, text: '{}' }
      }
      for (const txId of [other.txId, '00'.repeat(32), 'none', '', tx.txId.slice(2), `0x${tx.txId}`, ` ${tx.txId}`]) {
        const error: unknown = await submit({ ...tx, txId }).catch((each: unknown) => each)
        const fault = (error as { code?: string }).code === 'BRIDGE_SUBMIT' ? (error as Error).cause : error
        expect(fault).toMatchObject({ code: 'INPUT_ARGUMENT', argument: 'transaction.txId' })
      }
      expect([connector.last.sent, requests]).toEqual([[], []])
    }
  )

  it.each(SUBMISSIONS)('cannot stand beside what is no transaction: %s', async (_, submit) => {
    for (const cborHex of ['', '84', 'zz', `${tx.cborHex}00`, tx.cborHex.slice(2), `0x${tx.cborHex}`]) {
      const error: unknown = await submit({ ...tx, cborHex }).catch((each: unknown) => each)
      const fault = (error as { code?: string }).code === 'BRIDGE_SUBMIT' ? (error as Error).cause : error
      expect((fault as { code: string }).code).toMatch(/^INPUT_(HEX|CBOR)$/)
    }
    expect(connector.last.sent).toEqual([])
  })

  it('may be written in upper case', async () => {
    const approved = bridge.commands.decommit({ ...tx, txId: tx.txId.toUpperCase() })
    await new Promise((resolve) => setImmediate(resolve))
    expect(connector.last.sent).toEqual([expect.stringContaining(`"txId":"${tx.txId}"`)])
    connector.last.say({
      tag: 'DecommitApproved',
      headId: 'h',
      timestamp: '2026-01-01T00:00:00Z',
      decommitTxId: tx.txId,
      utxoToDecommit: {},
      seq: 1
    })
    expect(await approved).toMatchObject({ decommitTxId: tx.txId })
  })
})
