import { hexToBytes } from '../../../../src/codec/hex'
import { readTransaction } from '../../../../src/codec/transaction'
import { decodeTransactionBody } from '../../../../src/codec/transactionBody'
import { readVkeyWitnesses } from '../../../../src/codec/witnessSet'
import { readHome } from '../../../support/vectors'
import type { Setup } from '../../harness'
import { deposit, newTx, openHead, request, setUp, submitDeposit, utxoJson } from '../../harness'
import { ada, buildTx, envelopeOf, lovelaceOf, pay, signTx } from '../../transactions'

describe('GET routes', () => {
  it('answers 404 with an empty JSON string where there is no head', async () => {
    const { node } = setUp()
    for (const path of ['/snapshot', '/snapshot/utxo']) {
      expect(await node.request({ method: 'GET', path, body: '' })).toMatchObject({ status: 404, body: '""' })
    }
    expect(await request(node, 'GET', '/snapshot/last-seen')).toEqual({ status: 200, body: { tag: 'NoSeenSnapshot' } })
    expect(await request(node, 'GET', '/head')).toMatchObject({ status: 200, body: { tag: 'Idle' } })
    expect(await request(node, 'GET', '/commits')).toEqual({ status: 200, body: [] })
  })

  it('answers 400 to what is no route', async () => {
    const { node } = setUp()
    for (const [method, path] of [
      ['GET', '/nope'],
      ['HEAD', '/head'],
      ['DELETE', '/head'],
      ['PUT', '/commit']
    ] as const) {
      expect(await request(node, method, path)).toEqual({ status: 400, body: 'Resource not found' })
    }
  })

  it('writes bare strings without quotes before 1.0', async () => {
    const { node } = setUp({ profile: '0.22' })
    expect((await node.request({ method: 'GET', path: '/nope', body: '' })).body).toBe('Resource not found')
    expect((await node.request({ method: 'GET', path: '/snapshot', body: '' })).body).toBe('')
  })

  it('shows the snapshot, its UTxO with what is being committed, and its number', async () => {
    const setup = openHead({ timings: { blockMs: 1000 } })
    const { node, clock, alice } = setup
    clock.advance(1000)
    expect((await request(node, 'GET', '/snapshot')).body).toEqual({ tag: 'InitialSnapshot', headId: node.headId })
    expect((await request(node, 'GET', '/snapshot/utxo')).body).toEqual({})
    const [utxo] = node.baseUtxos(alice.address)
    await submitDeposit(node, alice, utxo!)
    clock.advance(1101)
    expect((await request(node, 'GET', '/snapshot/last-seen')).body).toMatchObject({
      tag: 'SeenSnapshot',
      snapshot: { number: 1, utxoToCommit: utxoJson(utxo!) }
    })
    clock.advance(20)
    expect((await request(node, 'GET', '/snapshot/utxo')).body).toMatchObject(utxoJson(utxo!))
    expect((await request(node, 'GET', '/snapshot')).body).toMatchObject({
      tag: 'ConfirmedSnapshot',
      snapshot: { number: 1, utxo: {}, utxoToCommit: utxoJson(utxo!) }
    })
    expect((await request(node, 'GET', '/snapshot/last-seen')).body).toEqual({ tag: 'LastSeenSnapshot', lastSeen: 1 })
    expect((await request(node, 'GET', '/config')).body).toMatchObject({ 'api-transaction-timeout': 300 })
  })
})

describe('GET /protocol-parameters', () => {
  it('has the keys of the sample', async () => {
    const sample = readHome<object>('protocol_parameters')
    const { body } = await request(
      setUp({ protocolParameters: { txFeePerByte: 44 } }).node,
      'GET',
      '/protocol-parameters'
    )
    expect(Object.keys(body).sort()).toEqual(Object.keys(sample).sort())
    expect(body).toMatchObject({ txFeePerByte: 44, txFeeFixed: 0, protocolVersion: { major: 11 } })
    expect(body.costModels.PlutusV3).toHaveLength(297)
  })
})

describe('POST /transaction', () => {
  async function withUtxo(
    options: Parameters<typeof openHead>[0] = {}
  ): Promise<Setup & { tx: ReturnType<typeof pay> }> {
    const setup = openHead(options)
    const utxo = await deposit(setup, setup.alice)
    return { ...setup, tx: pay(utxo, setup.alice, setup.bob.address, 2_000_000n) }
  }

  it('answers 202 at TxValid', async () => {
    const { node, tx } = await withUtxo()
    expect(await request(node, 'POST', '/transaction', tx)).toEqual({ status: 202, body: { tag: 'SubmitTxSubmitted' } })
  })

  it('answers 200 with the number when the snapshot comes first', async () => {
    const { node, client, clock, tx } = await withUtxo({ timings: { invalidRetryMs: 100 } })
    client.send(newTx(tx))
    const answer = request(node, 'POST', '/transaction', tx)
    clock.advance(20)
    expect(await answer).toEqual({ status: 200, body: { tag: 'SubmitTxConfirmed', snapshotNumber: 2 } })
  })

  it('answers 400 with the reason as plain text', async () => {
    const { node, clock, alice } = await withUtxo()
    const answer = request(
      node,
      'POST',
      '/transaction',
      envelopeOf(signTx(buildTx({ inputs: [], outputs: [] }), alice))
    )
    clock.advance(500)
    expect(await answer).toMatchObject({
      status: 400,
      body: {
        tag: 'SubmitTxInvalid',
        validationError: 'ConwayMempoolFailure "All inputs are spent. Transaction has probably already been included"'
      }
    })
  })

  it('ignores CommandFailed and answers 202 with a timeout when no head is open', async () => {
    const { tx } = await withUtxo()
    const { node, client, clock } = setUp()
    const answer = request(node, 'POST', '/transaction', tx)
    expect(client.last('CommandFailed')['clientInput'].transaction.txId).toBe(tx.txId)
    clock.advance(300_000)
    expect(await answer).toEqual({
      status: 202,
      body: { tag: 'SubmitTxSubmitted', timeout: 'Transaction submission timed out after 300s seconds' }
    })
  })

  it('answers 503 at any rejected NewTx while the node is out of sync', async () => {
    const { node, client, tx } = await withUtxo()
    node.setDrift(123.4)
    expect(client.last('NodeUnsynced')).toMatchObject({ drift: 123.4, chainSlot: node.slot })
    expect(await request(node, 'POST', '/transaction', tx)).toEqual({
      status: 503,
      body: { tag: 'SubmitTxRejected', reason: 'Node is out of sync with chain, drift: 123.4s' }
    })
    expect(client.last('RejectedInputBecauseUnsynced')).toMatchObject({ clientInput: { tag: 'NewTx' }, drift: 123.4 })
    node.setDrift(0)
    expect(client.last('NodeSynced')).toMatchObject({ drift: 0 })
    expect((await request(node, 'POST', '/transaction', tx)).status).toBe(202)
  })

  it('answers 400 with a bare text to what it cannot parse', async () => {
    const { node, tx } = await withUtxo()
    const wrong = { ...tx, txId: '00'.repeat(32) }
    expect(await request(node, 'POST', '/transaction', wrong)).toEqual({
      status: 400,
      body: 'Error in $: txId not matching'
    })
    for (const body of ['', '{', '[]', '{}', '{"cborHex":"8"}', '{"cborHex":"80"}']) {
      expect(await request(node, 'POST', '/transaction', body)).toEqual({
        status: 400,
        body: expect.stringMatching(/^Error in \$/)
      })
    }
    expect((await request(node, 'POST', '/transaction', { cborHex: tx.cborHex })).status).toBe(202)
  })

  it('does not exist before 1.0', async () => {
    expect(
      await setUp({ profile: '0.22' }).node.request({ method: 'POST', path: '/transaction', body: '' })
    ).toMatchObject({
      status: 400,
      body: 'Resource not found'
    })
  })
})

describe('POST /commit', () => {
  it('drafts only while a head is open', async () => {
    const { node, alice } = setUp()
    const body = utxoJson(node.baseUtxos(alice.address)[0]!)
    expect(await request(node, 'POST', '/commit', body)).toEqual({ status: 400, body: 'Head is not open' })
    for (const [profile, status] of [
      ['1.3', 400],
      ['0.22', 500]
    ] as const) {
      expect(await request(setUp({ profile }).node, 'POST', '/commit', body)).toEqual({
        status,
        body: { tag: 'FailedToDraftTxNotInitializing' }
      })
    }
  })

  it('drafts nothing from outputs that are stated wrongly where it is told to ask the base ledger, nor from any that are not stated', async () => {
    const { node, alice, bob } = openHead({ checkDeposits: true })
    const [big] = node.fund(alice.address, 2n ** 53n + 1n)
    const ref = `${big!.input.txHash}#${big!.input.index}`
    const stated = (address: string, lovelace: string): string =>
      `{"${ref}":{"address":"${address}","value":{"lovelace":${lovelace}}}}`
    const refused = {
      status: 400,
      body: { tag: 'FailedToConstructDepositTx', failureReason: `the base ledger has another output at ${ref}` }
    }
    // A double holds 2^53, not 2^53 + 1.
    expect(await request(node, 'POST', '/commit', stated(alice.address, '9007199254740992'))).toEqual(refused)
    expect(await request(node, 'POST', '/commit', stated(bob.address, '9007199254740993'))).toEqual(refused)
    expect((await request(node, 'POST', '/commit', stated(alice.address, '9007199254740993'))).status).toBe(200)
    const blueprintTx = envelopeOf(buildTx({ inputs: [big!.input], outputs: [] }))
    const bare = await request(node, 'POST', '/commit', { blueprintTx, utxo: {} })
    expect(bare).toMatchObject({ status: 400, body: { failureReason: `the utxo of the request does not hold ${ref}` } })
  })

  it('drafts the same deposit from a bare UTxO and from utxoToCommit: the node pays the fee and has signed', async () => {
    const { node, alice } = openHead()
    const utxo = node.baseUtxos(alice.address)[0]!
    for (const body of [utxoJson(utxo), { utxoToCommit: utxoJson(utxo) }]) {
      const { status, body: draft } = await request(node, 'POST', '/commit', body)
      expect(status).toBe(200)
      const spans = readTransaction(hexToBytes(draft.cborHex))
      const { inputs, outputs, fee } = decodeTransactionBody(spans)
      expect(inputs).toContainEqual(utxo.input)
      expect([inputs.length, outputs.length, fee > 0n]).toEqual([2, 2, true])
      expect(lovelaceOf(outputs[0]!)).toBe(1_000_000_000n)
      expect(readVkeyWitnesses(spans)).toHaveLength(1)
      expect(envelopeOf(hexToBytes(draft.cborHex)).txId).toBe(draft.txId)
    }
  })

  it('deposits the outputs of a blueprint and returns the rest to changeAddress', async () => {
    const { node, client, clock, alice, bob } = openHead()
    const utxo = node.baseUtxos(alice.address)[0]!
    const blueprint = envelopeOf(buildTx({ inputs: [utxo.input], outputs: [ada(bob.address, 400_000_000n)] }))
    const unbalanced = await request(node, 'POST', '/commit', { blueprintTx: blueprint, utxo: utxoJson(utxo) })
    expect(unbalanced).toMatchObject({ status: 400, body: { tag: 'FailedToConstructDepositTx' } })
    const { body: draft } = await request(node, 'POST', '/commit', {
      blueprintTx: blueprint,
      utxo: utxoJson(utxo),
      changeAddress: alice.address
    })
    const signed = envelopeOf(signTx(hexToBytes(draft.cborHex), alice))
    expect((await request(node, 'POST', '/cardano-transaction', signed)).status).toBe(200)
    clock.advance(500)
    expect(client.last('CommitFinalized')).toMatchObject({ depositTxId: signed.txId })
    expect(node.headUtxos()).toMatchObject([{ input: { txHash: blueprint.txId }, output: { address: bob.address } }])
    expect(node.baseUtxos(alice.address).map(({ output }) => lovelaceOf(output))).toContain(600_000_000n)
  })

  it('deposits everything when a blueprint has no outputs', async () => {
    const { node, alice } = openHead()
    const utxo = node.baseUtxos(alice.address)[0]!
    const blueprint = envelopeOf(buildTx({ inputs: [utxo.input], outputs: [] }))
    const { body } = await request(node, 'POST', '/commit', {
      blueprintTx: blueprint,
      utxo: utxoJson(utxo),
      changeAddress: null
    })
    expect(lovelaceOf(decodeTransactionBody(readTransaction(hexToBytes(body.cborHex))).outputs[0]!)).toBe(
      1_000_000_000n
    )
  })

  it('refuses deposits below the minimum, from Byron addresses, and of what is no output', async () => {
    const { node, alice } = openHead()
    const [small] = node.fund(alice.address, 500_000n)
    expect(await request(node, 'POST', '/commit', utxoJson(small!))).toMatchObject({
      status: 400,
      body: { tag: 'DepositTooLow', providedValue: 500_000 }
    })
    expect(await request(node, 'POST', '/commit', {})).toMatchObject({
      status: 400,
      body: { tag: 'DepositTooLow', providedValue: 0 }
    })
    const [byron] = node.fund('Ae2tdPwUPEZBJkEbCd6gLr5Z26E98jx8YUpDZ1bsNL6MBmV4azk8r6Mn8Gv', 5_000_000n)
    expect(await request(node, 'POST', '/commit', utxoJson(byron!))).toMatchObject({
      status: 400,
      body: { tag: 'UnsupportedLegacyOutput' }
    })
    expect(await request(node, 'POST', '/commit', { nonsense: 1 })).toEqual({
      status: 400,
      body: expect.stringContaining('parsing TxIn failed')
    })
  })
})

describe('other POST routes', () => {
  it('submits to the base ledger, or says why not in the words of the ledger', async () => {
    const { node, alice } = openHead()
    const utxo = node.baseUtxos(alice.address)[0]!
    const { body: draft } = await request(node, 'POST', '/commit', utxoJson(utxo))
    const unsigned = await request(node, 'POST', '/cardano-transaction', draft)
    expect(unsigned).toMatchObject({
      status: 400,
      body: {
        tag: 'FailedToPostTx',
        failureReason: expect.stringContaining('MissingVKeyWitnessesUTXOW'),
        failingTx: { txId: draft.txId }
      }
    })
    const signed = envelopeOf(signTx(hexToBytes(draft.cborHex), alice))
    expect(await request(node, 'POST', '/cardano-transaction', signed)).toEqual({
      status: 200,
      body: { tag: 'TransactionSubmitted' }
    })
    expect(await request(node, 'POST', '/cardano-transaction', signed)).toMatchObject({
      status: 400,
      body: {
        failureReason: expect.stringContaining(
          '(ApplyTxError (ConwayMempoolFailure "All inputs are spent. Transaction has probably already been included"))'
        )
      }
    })
  })

  it('wants fees on the base ledger as mainnet does', async () => {
    const { node, alice, bob } = setUp()
    const utxo = node.baseUtxos(alice.address)[0]!
    expect(
      await request(node, 'POST', '/cardano-transaction', pay(utxo, alice, bob.address, 2_000_000n))
    ).toMatchObject({
      body: { failureReason: expect.stringContaining('FeeTooSmallUTxO') }
    })
  })

  it('answers POST /decommit when any decommit is final, invalid or refused', async () => {
    const setup = openHead()
    const { node, clock, alice } = setup
    const utxo = await deposit(setup, alice)
    const bare = envelopeOf(buildTx({ inputs: [utxo.input], outputs: [utxo.output] }))
    expect(await request(node, 'POST', '/decommit', bare)).toEqual({ status: 400, body: 'Decommit invalid' })
    const answer = request(node, 'POST', '/decommit', pay(utxo, alice, alice.address, lovelaceOf(utxo.output)))
    clock.advance(100)
    expect(await answer).toEqual({ status: 200, body: 'OK' })
    expect(await request(setUp().node, 'POST', '/decommit', bare)).toEqual({ status: 400, body: 'Decommit failed' })
    node.setDrift(10)
    expect(await request(node, 'POST', '/decommit', bare)).toEqual({
      status: 503,
      body: expect.stringContaining('out of sync with chain, drift: 10s')
    })
  })

  it('side-loads the body of GET /snapshot and refuses another', async () => {
    const setup = openHead()
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    const { body: snapshot } = await request(node, 'GET', '/snapshot')
    client.send(newTx(pay(utxo, alice, bob.address, 2_000_000n)))
    expect(await request(node, 'POST', '/snapshot', snapshot)).toEqual({ status: 200, body: 'OK' })
    expect(client.tags().slice(-2)).toEqual(['SnapshotConfirmed', 'SnapshotSideLoaded'])
    clock.advance(1000)
    expect(client.last('SnapshotConfirmed')['snapshot'].number).toBe(1)
    const older = { ...snapshot, snapshot: { ...snapshot.snapshot, number: 0 } }
    expect(await request(node, 'POST', '/snapshot', older)).toEqual({
      status: 400,
      body: { tag: 'SideLoadSnNumberInvalid', requestedSn: 0, lastSeenSn: 1 }
    })
    const forged = { ...snapshot, snapshot: { ...snapshot.snapshot, number: 9 } }
    expect(await request(node, 'POST', '/snapshot', forged)).toMatchObject({
      status: 400,
      body: { tag: 'SideLoadInvalidMultisignature' }
    })
    const other = {
      ...snapshot.snapshot.utxo,
      [`${'0'.repeat(64)}#0`]: { address: alice.address, value: { lovelace: 1 } }
    }
    const more = { ...snapshot, snapshot: { ...snapshot.snapshot, utxo: other } }
    expect(await request(node, 'POST', '/snapshot', more)).toMatchObject({
      status: 400,
      body: { tag: 'SideLoadInvalidMultisignature' }
    })
    const uncommitted = { ...snapshot, snapshot: { ...snapshot.snapshot, utxoToCommit: null } }
    expect(await request(node, 'POST', '/snapshot', uncommitted)).toMatchObject({
      status: 400,
      body: { tag: 'SideLoadUTxOToCommitInvalid', requestedSc: {} }
    })
    const initial = { tag: 'InitialSnapshot', headId: node.headId }
    expect(await request(node, 'POST', '/snapshot', initial)).toEqual({
      status: 400,
      body: { tag: 'SideLoadInitialSnapshotMismatch' }
    })
    client.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(50)
    expect(client.last('SnapshotConfirmed')['snapshot'].number).toBe(2)
    expect(await request(setUp().node, 'POST', '/snapshot', snapshot)).toEqual({
      status: 400,
      body: 'Side-load snapshot failed'
    })
  })

  it('cannot parse a snapshot that lacks something, and says nothing of a refused one before 1.3', async () => {
    const setup = openHead()
    await deposit(setup, setup.alice)
    const { body } = await request(setup.node, 'GET', '/snapshot')
    const { utxo: _, ...withoutUtxo } = body.snapshot
    const { signatures: __, ...unsigned } = body
    for (const snapshot of [
      null,
      [],
      {},
      { tag: 'ConfirmedSnapshot', snapshot: {} },
      { ...body, snapshot: withoutUtxo },
      unsigned,
      { ...body, snapshot: { ...body.snapshot, number: 'one' } }
    ]) {
      const reason = expect.stringContaining('parsing ConfirmedSnapshot failed')
      expect(await request(setup.node, 'POST', '/snapshot', JSON.stringify(snapshot))).toEqual({
        status: 400,
        body: reason
      })
      setup.client.take()
      setup.client.send({ tag: 'SideLoadSnapshot', snapshot })
      expect(setup.client.take()).toEqual([{ reason, input: JSON.stringify({ tag: 'SideLoadSnapshot', snapshot }) }])
    }
    const old = setUp({ profile: '0.22' })
    old.client.send({ tag: 'Init' })
    old.clock.advance(50)
    await submitDeposit(old.node, old.alice, old.node.baseUtxos(old.alice.address)[0]!)
    old.clock.advance(500)
    expect(old.node.headStatus).toBe('Open')
    old.client.send({
      tag: 'SideLoadSnapshot',
      snapshot: { ...body, snapshot: { ...body.snapshot, headId: old.node.headId } }
    })
    expect(old.client.tags()).not.toContain('SideLoadSnapshotRejected')
  })

  it('recovers by a quoted id everywhere and by a bare one from 1.3 on', async () => {
    const id = 'ab'.repeat(32)
    const bare = await setUp({ profile: '0.22' }).node.request({ method: 'DELETE', path: `/commits/${id}`, body: '' })
    expect(bare).toMatchObject({
      status: 400,
      body: expect.stringContaining('Cannot recover funds. Failed to parse TxId')
    })
    expect(
      await setUp({ profile: '0.22' }).node.request({ method: 'DELETE', path: `/commits/%22${id}%22`, body: '' })
    ).toMatchObject({
      status: 200,
      body: 'OK'
    })
    expect(await request(openHead().node, 'DELETE', '/commits/xyz')).toEqual({
      status: 400,
      body: expect.stringContaining('Failed to parse TxId')
    })
  })
})
