import { valueFromAmounts, addValue } from '../../../src/codec/value'
import type { Value } from '../../../src/codec/value'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { readTransaction, transactionHash } from '../../../src/codec/transaction'
import type { DevNode } from '../../../src/devnode'
import { startDevNode } from '../../../src/devnode'
import { createMemoryStore } from '../../../src/recognition'
import { prepareTx } from '../../../src/devnode/rules/preparedTx'
import { LocalHead } from '../../recognition/localHead'
import { setUp, openHead } from '../harness'

const ADA = 1_000_000n
const TOKEN = '4879647261486561645632'

async function get(node: DevNode, path: string): Promise<any> {
  const reply = await node.baseRequest({ method: 'GET', path })
  return JSON.parse(reply.body)
}

/** Ids of the head's transactions by the names in their metadata. */
async function namedTxs(node: DevNode, headId: string): Promise<[string, string][]> {
  const matches: any[] = await get(node, `/kupo/matches/${headId}.${TOKEN}?order=oldest_first`)
  const ids = [
    ...new Set(
      matches.flatMap((each) => [each.transaction_id, ...(each.spent_at ? [each.spent_at.transaction_id] : [])])
    )
  ] as string[]
  return Promise.all(
    ids.map(async (id): Promise<[string, string]> => {
      const labels: any[] = await get(node, `/api/v0/txs/${id}/metadata`)
      return [labels.find(({ label }) => label === '55555').json_metadata as string, id]
    })
  )
}

async function wholeLife(head: LocalHead): Promise<void> {
  await head.open()
  await head.deposit()
  await head.advance(5_000)
  await head.pay(3n * ADA)
  await head.decommit(100n * ADA)
  await head.advance(2_001)
  head.client.send({ tag: 'Close' })
  await head.advance(70_000)
  head.client.send({ tag: 'Fanout' })
  await head.advance(2_100)
  expect(head.status).toBe('Idle')
}

describe('the transactions of a head', () => {
  it('have true ids, balance to the lovelace, and end with the burn of all tokens', async () => {
    const head = new LocalHead('2.4')
    await wholeLife(head)
    const named = await namedTxs(head.node, head.headId)
    expect(named.map(([name]) => name)).toEqual(
      ['Init', 'Increment', 'Decrement', 'Close', 'Fanout'].map((name) => `HydraV2/${name}Tx`)
    )
    const outputs = new Map<string, Value>()
    for (const [, id] of named) {
      const listed = await get(head.node, `/api/v0/txs/${id}/utxos`)
      const { cbor } = await get(head.node, `/api/v0/txs/${id}/cbor`)
      expect(bytesToHex(transactionHash(readTransaction(hexToBytes(cbor))))).toBe(id)
      const tx = prepareTx(hexToBytes(cbor))
      expect(tx.wrongSignatures).toEqual([])
      const sum: Value = new Map(tx.mint)
      for (const each of listed.inputs) addValue(sum, valueFromAmounts(each.amount))
      for (const each of listed.outputs) addValue(sum, valueFromAmounts(each.amount), -1n)
      expect([...sum]).toEqual([['lovelace', tx.fee]])
      outputs.set(id, tx.mint)
    }
    const mints = [...outputs.values()].map((mint) => [...mint.values()])
    expect(mints).toEqual([[1n, 1n], [], [], [], [-1n, -1n]])
    expect(await get(head.node, `/kupo/matches/${head.headId}.*?unspent`)).toEqual([])
    await head.node.stop()
  })

  it('show the head with its token, value and datum in all three faces', async () => {
    const head = new LocalHead('2.4', { parties: 3 })
    await head.open()
    const [match] = await get(head.node, `/kupo/matches/${head.headId}.${TOKEN}?unspent&resolve_hashes`)
    expect(Object.keys(match.value.assets)).toHaveLength(4)
    expect(match).toMatchObject({ datum_type: 'inline', datum: expect.stringMatching(/^d8799fd8799fd8799f5820/) })
    const [holder] = await get(head.node, `/api/v0/assets/${head.headId}${TOKEN}/addresses`)
    expect(holder).toEqual({ address: match.address, quantity: '1' })
    const [utxo] = await get(head.node, `/api/v0/addresses/${holder.address}/utxos/${head.headId}${TOKEN}`)
    expect([utxo.tx_hash, utxo.inline_datum]).toEqual([match.transaction_id, match.datum])
    const rpc = await head.node.baseRequest({
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'queryLedgerState/utxo',
          params: { addresses: [match.address] }
        })
      )
    })
    expect(JSON.parse(rpc.body).result).toMatchObject([
      { datum: match.datum, value: { ada: { lovelace: match.value.coins } } }
    ])
    const { slot_no: slot } = match.created_at
    const [metadata] = await get(head.node, `/kupo/metadata/${slot}?transaction_id=${match.transaction_id}`)
    expect(metadata.schema).toEqual({ '55555': { string: 'HydraV2/InitTx' } })
    expect(await get(head.node, `/kupo/metadata/${slot + 1}`)).toEqual([])
    expect(await get(head.node, '/kupo/metadata/x')).toHaveProperty('hint')
    await head.node.stop()
  })

  it('survive a restart and a revert: the head goes on where its output was', async () => {
    const first = new LocalHead('2.4')
    await first.open()
    await first.deposit()
    await first.advance(5_000)
    await first.pay(3n * ADA)
    const id = await first.node.snapshotState()
    const before = await first.recognise()
    const state = JSON.parse(JSON.stringify(await first.node.dumpState()))
    first.client.send({ tag: 'Close' })
    await first.advance(3_000)
    expect((await first.recognise()).state).toBe('HEAD_CLOSING')
    await first.node.revertState(id)
    expect(await first.recognise()).toMatchObject({ state: 'VERIFIED_IN_HEAD', inHead: before.inHead })
    await first.node.stop()

    const second = new LocalHead('2.4')
    await second.node.loadState(state)
    expect(await second.recognise()).toMatchObject({ state: 'VERIFIED_IN_HEAD', inHead: before.inHead })
    // The commitment is worked out again: the first node's memory is gone.
    second.client.send({ tag: 'Close' })
    await second.advance(3_000)
    expect(await second.recognise()).toMatchObject({
      state: 'HEAD_CLOSING',
      evidence: { set: 'on-chain' },
      inHead: { available: before.inHead!.available }
    })
    await second.node.stop()
  })

  it('are not there in profiles before 2.3, whose base ledger stays as it was', async () => {
    for (const profile of ['0.22', '1.3', '2.0', '2.2'] as const) {
      const { node } = setUp({ profile, accounts: 0 })
      const before = node.baseUtxos()
      expect(before).toHaveLength(46)
      await node.stop()
      const opened = openHead({ profile, accounts: 0 })
      expect(opened.node.baseUtxos()).toEqual(before)
      await opened.node.stop()
    }
  })
})

describe('faults of a head that wallets recognise', () => {
  const open = async (faults = {}): Promise<LocalHead> => {
    const head = new LocalHead('2.4', { faults })
    await head.open()
    await head.deposit()
    await head.advance(5_000)
    await head.pay(3n * ADA)
    return head
  }

  it('serveOldSnapshot: a store refuses to go back', async () => {
    const head = await open()
    const store = createMemoryStore()
    await head.pay(1n * ADA)
    expect((await head.recognise({ store })).snapshot?.number).toBe(3)
    head.node.faults.serveOldSnapshot = true
    expect((await head.recognise()).snapshot?.number).toBe(2)
    expect(await head.recognise({ store })).toMatchObject({
      reason: 'rollback',
      lastVerified: { snapshot: { number: 3 } }
    })
    await head.node.stop()
  })

  it('unknownSnapshotForm and unknownDatum: newer than this package, never forged', async () => {
    const head = await open()
    head.node.faults.unknownSnapshotForm = true
    const found = await head.recognise()
    expect(found).toMatchObject({ state: 'UNVERIFIABLE', reason: 'newer-version' })
    expect(JSON.stringify(found)).not.toMatch(/forge|fake/i)
    head.node.faults.unknownSnapshotForm = false
    expect((await head.recognise()).state).toBe('VERIFIED_IN_HEAD')
    await head.node.stop()
    const other = await open({ unknownDatum: true })
    expect(await other.recognise()).toMatchObject({ state: 'UNRECOGNISED', reason: 'newer-version' })
    await other.node.stop()
  })

  it('faceLagBlocks: a source behind the endpoint is named, and asked again', async () => {
    const head = await open()
    expect((await head.recognise()).state).toBe('VERIFIED_IN_HEAD')
    await head.advance(3_000)
    head.node.faults.faceLagBlocks = 5
    expect(await head.recognise()).toMatchObject({ state: 'UNVERIFIABLE', reason: 'source-behind' })
    head.node.faults.faceLagBlocks = 1_000
    expect((await head.recognise()).state).toBe('NO_HEAD')
    head.node.faults.faceLagBlocks = 0
    expect((await head.recognise()).state).toBe('VERIFIED_IN_HEAD')
    await head.node.stop()
  })

  it('accumulator off: outputs cannot be compared, and closing shows none', async () => {
    const head = new LocalHead('2.4', { accumulator: 'off' })
    await head.open()
    await head.deposit()
    await head.advance(5_000)
    await head.pay(3n * ADA)
    expect(await head.recognise()).toMatchObject({ state: 'UNVERIFIABLE', reason: 'accumulator', inHead: null })
    head.client.send({ tag: 'Close' })
    await head.advance(3_000)
    expect(await head.recognise()).toMatchObject({ state: 'HEAD_CLOSING', inHead: null })
    await head.node.stop()
  })

  it('stripCors: the API answers without the headers that let a page in', async () => {
    const node = await startDevNode({ port: 0, rpcPort: null })
    const headers = { origin: 'https://wallet.example' }
    const allowed = async (): Promise<string | null> =>
      (await fetch(`${node.httpUrl}/snapshot`, { headers })).headers.get('access-control-allow-origin')
    expect(await allowed()).toBe('*')
    node.faults.stripCors = true
    expect(await allowed()).toBeNull()
    await node.stop()
  })
})
