// Each client reads the base ledger of a local head, pays on it, sees the payment, and is refused.
import assert from 'node:assert/strict'
import { startDevNode } from '../../dist/devnode.js'
import { CLIENTS } from './endpoints.mjs'

const ADA = 1_000_000n
/** The parameters of mainnet, as every client reads them. */
const PARAMETERS = { minFeeA: 44, minFeeB: 155381, coinsPerUtxoByte: 4310, maxTxSize: 16384, priceMem: 0.0577 }

export async function baseLedgerTests(test) {
  for (const [name, connect] of CLIENTS) {
    const node = await startDevNode({ port: 0 })
    try {
      await test(name, 'derives a funded account from the phrase, and reads it and the parameters', async () => {
        const client = await connect(node)
        assert.equal(client.address, node.accounts[0].address)
        assert.equal(await client.lovelace(), 10_000n * ADA)
        assert.deepEqual(await client.parameters(), PARAMETERS)
      })

      await test(name, 'pays, waits for the transaction, and reads it', async () => {
        const client = await connect(node)
        const bob = node.keys[1].address
        const before = node.baseUtxos(bob).length
        const txId = await client.submit(await client.build(bob, 7n * ADA))
        await client.waitFor(txId)
        assert.equal(node.baseUtxos(bob).length, before + 1)
        const { outputs, fee } = await client.fetchOutputs(txId)
        assert.deepEqual(outputs[0], [bob, '7000000'])
        const change = BigInt(outputs[1][1])
        assert.equal(await client.lovelace(), change)
        const paid = 9_993n * ADA - change
        assert.ok(paid > 155_381n && paid < 300_000n, `a fee of ${paid}`)
        if (fee !== null) assert.equal(BigInt(fee), paid)
      })

      await test(name, 'spends the change of its own payment', async () => {
        const client = await connect(node)
        for (let i = 0; i < 3; i++) await client.submit(await client.build(node.keys[1].address, 2n * ADA))
        assert.equal(node.baseUtxos(node.accounts[0].address).length, 1)
      })

      await test(name, 'rejects with the reason when the ledger refuses', async () => {
        const client = await connect(node)
        const cbor = await client.build(node.keys[1].address, 3n * ADA)
        await client.submit(cbor)
        const before = node.baseUtxos().length
        const refusal = await client.submit(cbor).then(
          () => 'it was taken',
          (error) => (typeof error === 'string' ? error : `${error?.message ?? ''} ${JSON.stringify(error)}`)
        )
        assert.match(refusal, /All inputs are spent|BadInputsUTxO/)
        assert.equal(node.baseUtxos().length, before)
      })
    } finally {
      await node.stop()
    }
  }
}
