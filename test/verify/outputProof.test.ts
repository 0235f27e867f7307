import { LayerBridge } from '../../src/bridge'
import { stringifyJson } from '../../src/codec/json'
import { getProof, verifyOutputProof, verifySnapshot } from '../../src/verify'
import { ScriptedNode } from '../support/scriptedNode'
import { addressOf, PARTIES, sampleSnapshot, signedSample, signSnapshot } from '../support/signedSnapshot'

const HEAD_ID = sampleSnapshot().headId
const reason = (of: string): object => ({ ok: false, reason: of })

describe('the proof of one output, from a server that holds the head to a client that holds the keys', () => {
  it.each(['2.2', '2.3', '2.4'] as const)(
    'convinces the client after a way through JSON, under rule %s',
    async (rule) => {
      const { snapshot, signatures } = await signedSample(rule)
      for (const set of [snapshot.utxo, snapshot.utxoToCommit, snapshot.utxoToDecommit]) {
        for (const ref of Object.keys(set as object)) {
          const proof = JSON.parse(JSON.stringify(await getProof({ snapshot, signatures }, ref)))
          expect(await verifyOutputProof({ proof, headId: HEAD_ID, parties: PARTIES })).toEqual({
            ok: true,
            rule,
            version: 3n,
            number: 77n
          })
        }
      }
    }
  )

  it('takes at most 1 KB for a payment output and three parties, in a head of any size', async () => {
    const output = {
      address: addressOf(`60${'a4'.repeat(28)}`),
      value: { lovelace: 45_000_000_000_000_000n },
      datum: null,
      datumhash: null,
      inlineDatum: null,
      inlineDatumRaw: null,
      referenceScript: null
    }
    const sizes: number[] = []
    for (const count of [1, 300]) {
      const utxo = Object.fromEntries(Array.from({ length: count }, (_, i) => [`${'ab'.repeat(32)}#${i}`, output]))
      const snapshot = { headId: HEAD_ID, version: 0, number: 9, utxo }
      const signatures = await signSnapshot(snapshot, '2.3')
      const proof = await getProof({ snapshot, signatures: { multiSignature: signatures } }, `${'ab'.repeat(32)}#0`)
      expect(await verifyOutputProof({ proof, headId: HEAD_ID, parties: PARTIES, nodeVersion: '2.3.0' })).toMatchObject(
        { ok: true, rule: '2.3' }
      )
      sizes.push(JSON.stringify(proof).length)
    }
    expect(sizes[1]).toBe(sizes[0])
    expect(sizes[0]).toBeLessThanOrEqual(1024)
  })

  it('convinces nobody of another output, head, number, pending set or key', async () => {
    const { snapshot, signatures } = await signedSample('2.3')
    const [ref] = Object.keys(snapshot.utxo as object)
    const proof = await getProof({ snapshot, signatures }, ref!)
    const check = (changed: object, parties: readonly string[] = PARTIES, headId = HEAD_ID): Promise<unknown> =>
      verifyOutputProof({ proof: { ...proof, ...changed }, parties, headId })
    expect(await check({})).toMatchObject({ ok: true })
    expect(await check({ output: { ...proof.output, value: { lovelace: 9_000_000 } } })).toMatchObject(reason('proof'))
    expect(await check({}, PARTIES, '00'.repeat(28))).toMatchObject(reason('input'))
    expect(await check({ headId: undefined }, PARTIES, '00'.repeat(28))).toMatchObject(reason('signature'))
    expect(await check({ number: 78 })).toMatchObject(reason('signature'))
    expect(await check({ number: 1.5 })).toMatchObject(reason('input'))
    expect(await check({ pendingHashes: undefined })).toMatchObject(reason('signature'))
    expect(await check({ signatures: signatures.slice(1) })).toMatchObject(reason('signature'))
    expect(await check({}, PARTIES.slice(1))).toMatchObject(reason('signature'))
    expect(await check({}, [...PARTIES].reverse())).toMatchObject(reason('party-order'))
    // A made-up commitment hashes to what nobody signed.
    expect(await check({ commitment: proof.proof })).toMatchObject(reason('signature'))
    expect(await check({ proof: proof.commitment })).toMatchObject(reason('proof'))
    expect(await verifyOutputProof({} as never)).toMatchObject({ ok: false })
    expect(await verifySnapshot({ snapshot, signatures, parties: PARTIES })).toMatchObject({ ok: true })
  })

  it('is made from a bridge, and convinces a client of another server', async () => {
    const node = await new ScriptedNode().start()
    const { snapshot, signatures } = await signedSample('2.3')
    const [ref] = Object.keys(snapshot.utxo as object)
    let body: unknown = {
      tag: 'ConfirmedSnapshot',
      snapshot: { ...snapshot, confirmed: [] },
      signatures: { multiSignature: signatures }
    }
    node.routes['GET /snapshot'] = () => (body === null ? { status: 404 } : { text: stringifyJson(body) })
    const bridge = new LayerBridge({ url: node.url })
    await bridge.connect()
    expect(await bridge.confirmedSnapshot()).toMatchObject({ tag: 'ConfirmedSnapshot', snapshot: { number: 77 } })
    const text = JSON.stringify(await getProof(bridge, ref!))
    expect(await verifyOutputProof({ proof: JSON.parse(text), headId: HEAD_ID, parties: PARTIES })).toMatchObject({
      ok: true,
      number: 77n
    })
    // A server whose own snapshot contradicts itself makes no proof.
    body = {
      tag: 'ConfirmedSnapshot',
      snapshot: { ...snapshot, confirmed: [], utxoToDecommit: {} },
      signatures: { multiSignature: signatures }
    }
    await expect(getProof(bridge, ref!)).rejects.toMatchObject({ reason: 'accumulator' })
    body = { tag: 'InitialSnapshot', headId: HEAD_ID, initialUTxO: {} }
    await expect(getProof(bridge, ref!)).rejects.toMatchObject({ code: 'VERIFICATION', reason: 'initial' })
    body = null
    expect(await bridge.confirmedSnapshot()).toBeNull()
    await expect(getProof(bridge, ref!)).rejects.toMatchObject({ code: 'VERIFICATION', reason: 'initial' })
    await bridge.disconnect()
    await expect(getProof({ confirmedSnapshot: () => Promise.reject(new Error('gone')) }, ref!)).rejects.toThrow('gone')
    await node.stop()
  })

  it('is not made of an output that is not there, or without the outputs', async () => {
    const { snapshot, signatures } = await signedSample('2.3')
    await expect(getProof({ snapshot, signatures }, `${'77'.repeat(32)}#0`)).rejects.toMatchObject({
      code: 'VERIFICATION',
      reason: 'proof'
    })
    const { utxo: _, ...bare } = snapshot
    await expect(getProof({ snapshot: bare, signatures }, `${'77'.repeat(32)}#0`)).rejects.toMatchObject({
      code: 'VERIFICATION',
      reason: 'rule'
    })
    await expect(getProof(null as never, 'x')).rejects.toMatchObject({ code: 'VERIFICATION' })
  })
})
