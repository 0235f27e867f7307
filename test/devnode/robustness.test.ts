import fc from 'fast-check'
import { hexToBytes } from '../../src/codec/hex'
import { scaled } from '../support/scale'
import { loadVectors } from '../support/vectors'
import { deposit, newTx, openHead, request, TestClient } from './harness'
import { envelopeOf, pay } from './transactions'

const PATHS = ['/commit', '/cardano-transaction', '/transaction', '/decommit', '/snapshot']

describe('any input at all', () => {
  it('never throws out of the node, always gets an answer, and leaves the head as it was', async () => {
    const setup = openHead()
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    const tx = pay(utxo, alice, bob.address, 2_000_000n)
    const inputs = [
      newTx(tx),
      { tag: 'Decommit', decommitTx: tx },
      { tag: 'SideLoadSnapshot', snapshot: { tag: 'ConfirmedSnapshot', snapshot: {} } },
      { tag: 'Recover', recoverTxId: tx.txId }
    ]
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .tuple(fc.constantFrom(...inputs), fc.string(), fc.jsonValue())
        .map(([input, key, value]) =>
          JSON.stringify({ ...input, [key]: value, transaction: value, decommitTx: value })
        ),
      fc.tuple(fc.nat(tx.cborHex.length - 1), fc.constantFrom(...'0123456789abcdef')).map(([at, digit]) => {
        const cborHex = tx.cborHex.slice(0, at) + digit + tx.cborHex.slice(at + 1)
        return JSON.stringify({ tag: 'Decommit', decommitTx: cborHex === tx.cborHex ? {} : { cborHex } })
      })
    )
    const before = node.headUtxos()
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(...PATHS), async (text, path) => {
        client.send(text)
        const body = text.includes('decommitTx')
          ? JSON.stringify((JSON.parse(text) as { decommitTx: unknown }).decommitTx)
          : text
        const answer = request(node, 'POST', path, body)
        clock.advance(600)
        const settled = await Promise.race([answer, Promise.resolve('waiting')])
        if (settled !== 'waiting') expect((settled as { status: number }).status).toBeLessThan(500)
        client.take()
      }),
      { numRuns: scaled(4000) }
    )
    expect(node.headUtxos()).toEqual(before)
    client.send(newTx(tx))
    clock.advance(50)
    expect(client.last('SnapshotConfirmed')['snapshot'].confirmed).toMatchObject([{ txId: tx.txId }])
  })

  it('survives JSON and CBOR nested 100,000 deep', () => {
    const { node } = openHead()
    const client = new TestClient(node)
    client.send('['.repeat(100_000))
    client.send(`{"tag":"SideLoadSnapshot","snapshot":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`)
    client.send(newTx({ type: '', description: '', cborHex: '81'.repeat(100_000) + '00', txId: '' }))
    const datum = '81'.repeat(5000) + '00'
    client.send(newTx(envelopeOf(withDatum(datum))))
    expect(client.messages.slice(1).map(({ tag, reason }) => [tag, typeof reason])).toEqual(
      Array(4).fill([undefined, 'string'])
    )
  })
})

describe('transactions of other libraries and of the chain', () => {
  it('are parsed or refused, and never break the node', () => {
    const { node, client, clock } = openHead()
    for (const { cborHex } of loadVectors('tx_conway'))
      client.send(newTx({ type: '', description: '', cborHex, txId: undefined as never }))
    clock.advance(1000)
    const [parsed, refused] = [
      client.all('TxInvalid').length,
      client.messages.filter(({ tag }) => tag === undefined).length
    ]
    expect(parsed + refused).toBe(loadVectors('tx_conway').length)
    expect(parsed).toBeGreaterThan(refused)
    expect(node.headStatus).toBe('Open')
  })
})

/** A transaction whose only output carries this inline datum. */
function withDatum(datum: string): Uint8Array {
  const size = (datum.length / 2).toString(16).padStart(4, '0')
  const address = `581d60${'00'.repeat(28)}`
  const output = `a300${address}011a001e8480028201d81859${size}${datum}`
  return hexToBytes(`84a300818258${'20' + '00'.repeat(32)}000181${output}0200a0f5f6`)
}
