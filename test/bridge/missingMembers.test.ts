import { LayerBridge } from 'layer-sdk/bridge'
import { FakeConnector } from '../support/fakeConnector'
import { hashOf, sampleTx } from '../support/sampleTx'
import { confirmedSnapshot, HEAD_ID, output, snapshotConfirmed } from '../support/scriptedNode'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const ID = 'ab'.repeat(32)

describe('a proxy that leaves members out', () => {
  let connector: FakeConnector
  let bridge: LayerBridge
  let problems: Error[]
  const say = (message: Record<string, unknown>): void => {
    connector.last.say(message)
  }

  beforeEach(async () => {
    connector = new FakeConnector()
    bridge = new LayerBridge({ connector })
    problems = []
    bridge.events.on('onProtocolError', (error) => {
      problems.push(error)
    })
    const done = bridge.connect()
    connector.last.greet({
      headStatus: 'Open',
      hydraHeadId: HEAD_ID,
      snapshotUtxo: { [`${hashOf(1)}#0`]: output(ADDRESS, 9) }
    })
    await done
  })
  afterEach(async () => {
    await bridge.disconnect()
    expect(problems).toEqual([])
  })

  it('does not keep a snapshot without signatures from confirming a transaction', async () => {
    const tx = sampleTx()
    const submitted = bridge.submitTxSync(tx)
    await tick()
    const { signatures: _, ...rest } = snapshotConfirmed(1, {
      confirmed: [tx],
      utxo: { [`${tx.txId}#0`]: output(ADDRESS, 5) }
    })
    say(rest)
    expect(await submitted).toMatchObject({ isConfirmed: true, result: { snapshot: { number: 1 } } })
    expect(bridge.lastSnapshotNumber).toBe(1)
  })

  it('does not keep GET /snapshot without signatures from filling the cache', async () => {
    const { signatures: _, ...rest } = confirmedSnapshot(7, { utxo: { [`${ID}#0`]: output(ADDRESS, 5) } }) as Record<
      string,
      unknown
    >
    connector.onRequest = async () => ({ status: 200, text: JSON.stringify(rest) })
    expect(Object.keys(await bridge.querySnapshotUtxo())).toEqual([`${ID}#0`])
    expect(bridge.lastSnapshotNumber).toBe(7)
  })

  it('does not keep a refusal from being reported: drift, failure and reason may be missing', async () => {
    const reasons: string[] = []
    bridge.events.on('onCommandRefused', ({ reason }) => {
      reasons.push(reason)
    })
    say({ tag: 'RejectedInputBecauseUnsynced', clientInput: { tag: 'Close' } })
    say({ tag: 'RejectedInputBecauseUnsynced', clientInput: { tag: 'Close' }, drift: 12.5 })
    say({ tag: 'SideLoadSnapshotRejected', clientInput: { tag: 'SideLoadSnapshot' } })
    say({ tag: 'InvalidInput', input: '{"tag":"Close"}' })
    expect(reasons).toEqual([
      'the node has not caught up with the chain',
      'the node is 12.5 s behind the chain',
      'no reason given',
      'no reason given'
    ])
    expect(bridge.synced).toBe(false)
  })

  it('settles a transaction whose refusal gives no drift or no reason', async () => {
    const [first, second] = [sampleTx(1), sampleTx(2)]
    // Their inputs are unspent and none of their outputs is there: nothing has confirmed them.
    const utxo = Object.fromEntries([1, 2].map((n) => [`${hashOf(n)}#0`, output(ADDRESS, 9)]))
    connector.onRequest = async () => ({ status: 200, text: JSON.stringify(confirmedSnapshot(1, { utxo })) })
    const failed = [first, second].map((tx) => bridge.submitTxSync(tx).catch((error: unknown) => error))
    await tick()
    say({ tag: 'RejectedInputBecauseUnsynced', clientInput: { tag: 'NewTx', transaction: first } })
    say({ tag: 'TxInvalid', transaction: { txId: second.txId } })
    expect(await Promise.all(failed)).toMatchObject([
      { tag: 'RejectedInputBecauseUnsynced', reason: 'the node has not caught up with the chain' },
      { tag: 'TxInvalid', reason: 'no reason given' }
    ])
  })

  it('does not end the wait for a recovery by failures on chain that say nothing of it', async () => {
    connector.onRequest = () => new Promise(() => undefined)
    const recovered = bridge.recoverDeposit(ID)
    await tick()
    for (const postChainTx of [undefined, null, {}, 'RecoverTx', { tag: 'RecoverTx' }])
      say({ tag: 'PostTxOnChainFailed', postChainTx, postTxError: {} })
    say({ tag: 'CommitRecovered', recoveredTxId: ID })
    expect(await recovered).toBe('OK')
  })

  it.each([
    [{ failureReason: 'too early' }, 'too early'],
    [{ tag: 'NotTheOne' }, 'NotTheOne'],
    [{}, 'no reason given'],
    [undefined, 'no reason given']
  ])('tells a failed recovery by what the node gave: %j', async (postTxError, reason) => {
    connector.onRequest = () => new Promise(() => undefined)
    const recovered = bridge.recoverDeposit(ID).catch((error: unknown) => error)
    await tick()
    say({ tag: 'PostTxOnChainFailed', postChainTx: { tag: 'RecoverTx', recoverTxId: ID }, postTxError })
    expect(await recovered).toMatchObject({ code: 'BRIDGE_REQUEST', reason })
  })

  it('does not take a head for empty that opens without outputs and without parties', async () => {
    say({ tag: 'HeadIsFinalized', headId: HEAD_ID })
    connector.requests.length = 0
    say({ tag: 'HeadIsOpen', headId: 'cd' })
    await tick()
    expect(bridge.getAddressBalance(ADDRESS)).toBeNull()
    expect(connector.requests.map(({ path }) => path)).toContain('/snapshot')
    say({ tag: 'HeadIsFinalized', headId: 'cd' })
    say({ tag: 'HeadIsOpen', headId: 'ef', parties: [] })
    expect(bridge.headStatus).toBe('Open')
  })

  it('reads the state again after a side load that names neither head nor snapshot', async () => {
    say(snapshotConfirmed(3))
    connector.requests.length = 0
    say({ tag: 'SnapshotSideLoaded' })
    await tick()
    expect(connector.requests.map(({ path }) => path)).toContain('/snapshot')
  })

  it('does not make a requested decommit without its transaction an error', async () => {
    say({ tag: 'DecommitRequested', headId: HEAD_ID })
    say(snapshotConfirmed(1))
    expect(bridge.lastSnapshotNumber).toBe(1)
  })
})

describe('a refused decommit', () => {
  it.each([
    [
      'a reason of a newer node by its tag',
      { tag: 'DepositInFlight', depositTxId: ID, commitUTxO: {} },
      'DepositInFlight'
    ],
    [
      "the ledger's own words",
      { tag: 'DecommitTxInvalid', localUTxO: {}, validationError: { reason: 'BadInputs' } },
      'BadInputs'
    ],
    ['the decommit that is under way', { tag: 'DecommitAlreadyInFlight', otherDecommitTxId: 'cd' }, 'cd is in flight'],
    ['a known tag without its members', { tag: 'DecommitTxInvalid' }, 'DecommitTxInvalid'],
    ['that there is no reason', undefined, 'no reason given']
  ])('names %s', async (_, decommitInvalidReason, reason) => {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector })
    const done = bridge.connect()
    connector.last.greet({ headStatus: 'Open', hydraHeadId: HEAD_ID, snapshotUtxo: {} })
    await done
    const { cborHex, txId } = sampleTx()
    const refused = bridge.commands.decommit({ cborHex, txId }).catch((error: unknown) => error)
    await tick()
    // Another client's, which nothing names, is not ours.
    connector.last.say({ tag: 'DecommitInvalid', headId: HEAD_ID, decommitInvalidReason })
    connector.last.say({ tag: 'DecommitInvalid', headId: HEAD_ID, decommitTx: { txId }, decommitInvalidReason })
    expect(await refused).toMatchObject({ code: 'BRIDGE_COMMAND_REFUSED', tag: 'DecommitInvalid', reason })
    await bridge.disconnect()
  })
})
