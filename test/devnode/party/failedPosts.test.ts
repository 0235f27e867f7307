import { IDLE_NODE, stepHead } from '../../../src/devnode/head/stepHead'
import type { Deposit, HeadEvent, NodeState } from '../../../src/devnode/head/types'
import { noFaults } from '../../../src/devnode/settings/faults'
import { EMPTY_VIEW } from '../../../src/devnode/rules/utxoSet'
import { PROFILES } from '../../../src/devnode/settings/profiles'
import { deposit, openHead, setUp, submitDeposit, TestClient } from '../harness'
import { buildTx, envelopeOf, lovelaceOf, pay } from '../transactions'

describe('a transaction of the head that cannot be posted', () => {
  it('fails in the wallet, which runs the script of the deposit, when it recovers before the deadline', async () => {
    const { node, client, clock, alice } = openHead()
    const txId = await submitDeposit(node, alice, node.baseUtxos(alice.address)[0]!)
    clock.advance(60)
    client.send({ tag: 'Recover', recoverTxId: txId })
    clock.advance(50)
    // Handlers.hs:387, finalizeTx; hydra-plutus/validators/deposit.ak, D04: DepositPeriodNotReached.
    expect(client.last('PostTxOnChainFailed')).toMatchObject({
      postChainTx: { tag: 'RecoverTx', recoverTxId: txId },
      postTxError: {
        tag: 'ScriptFailedInWallet',
        redeemerPtr: 'ConwaySpending (AsIx {unAsIx = 0})',
        failureReason: expect.stringMatching(/^ValidationFailure .*\["D04"\]$/s),
        failingTx: { type: 'Tx ConwayEra' }
      }
    })
  })

  it('is refused by the ledger, in its own words, when it fans out before the deadline', () => {
    const { node, client, clock } = openHead()
    client.send({ tag: 'Close' })
    clock.advance(50)
    client.send({ tag: 'Fanout' })
    clock.advance(50)
    const deadline = Math.floor(
      (Date.parse(client.last('HeadIsClosed')['contestationDeadline']) - 1_655_683_200_000) / 1000
    )
    const interval = `ValidityInterval {invalidBefore = SJust (SlotNo ${deadline}), invalidHereafter = SNothing}`
    expect(client.last('PostTxOnChainFailed')['postTxError']).toMatchObject({
      tag: 'FailedToPostTx',
      failureReason: `TxValidationErrorInCardanoMode (ShelleyTxValidationError ShelleyBasedEraConway (ApplyTxError (ConwayUtxowFailure (UtxoFailure (OutsideValidityIntervalUTxO (${interval}) (SlotNo ${node.slot}))))))`
    })
    expect(node.headUtxos()).toEqual([])
    expect(client.all('HeadIsFinalized')).toEqual([])
  })
})

describe('a decommit that does not apply', () => {
  it('is refused at the party that was asked, and the others never hear of it', async () => {
    const setup = setUp({ parties: 3 })
    const clients = setup.node.parties.map((party) => new TestClient(party))
    setup.client.send({ tag: 'Init' })
    setup.clock.advance(50)
    const utxo = await deposit(setup, setup.alice)
    clients.forEach((client) => client.take())
    const unsigned = envelopeOf(buildTx({ inputs: [utxo.input], outputs: [utxo.output] }))
    clients[1]!.send({ tag: 'Decommit', decommitTx: unsigned })
    setup.clock.advance(1000)
    expect(clients.map((client) => client.tags())).toEqual([[], ['DecommitInvalid'], []])
    expect(clients[1]!.last('DecommitInvalid')['decommitInvalidReason'].tag).toBe('DecommitTxInvalid')
    // The next one is a decommit of all.
    clients[2]!.send({
      tag: 'Decommit',
      decommitTx: pay(utxo, setup.alice, setup.alice.address, lovelaceOf(utxo.output))
    })
    setup.clock.advance(1000)
    for (const client of clients) expect(client.all('DecommitFinalized')).toHaveLength(1)
  })
})

const depositOf = (txId: string, { activatesMs, expiresMs }: Pick<Deposit, 'activatesMs' | 'expiresMs'>): Deposit => ({
  txId,
  headId: 'aa',
  deposited: EMPTY_VIEW,
  createdMs: 0,
  activatesMs,
  expiresMs,
  deadlineMs: 2 * expiresMs,
  status: 'Inactive'
})
const settings = { features: PROFILES.master, faults: noFaults() }
const publishedBy = (state: NodeState, event: HeadEvent): string[] =>
  stepHead(state, event, settings).actions.flatMap((action) => (action.do === 'publish' ? [action.output.tag] : []))

describe('one tick', () => {
  it('tells of deposits that become active, then of those that expire, then that the head is ready to fan out', () => {
    const head = { headId: 'aa', headSeed: 'bb', parties: ['p1'] }
    const closed: NodeState['head'] = {
      status: 'Closed',
      head,
      version: 0,
      confirmed: null,
      initialUtxo: EMPTY_VIEW,
      deadlineMs: 100,
      ready: false
    }
    const deposits = [
      depositOf('expiring', { activatesMs: 10, expiresMs: 50 }),
      depositOf('activating', { activatesMs: 60, expiresMs: 500 })
    ]
    expect(publishedBy({ ...IDLE_NODE, head: closed, deposits }, { type: 'Tick', timeMs: 101 })).toEqual([
      'DepositActivated',
      'DepositExpired',
      'ReadyToFanout'
    ])
  })
})

describe('an approved deposit whose increment does not land', () => {
  it('expires, is recovered, and the head takes up the next one', async () => {
    // An increment that the base ledger takes a minute to include, a deposit that lives for four seconds.
    const timings = { blockMs: 10, depositDelayMs: 10, depositPeriodMs: 2000, snapshotIntervalMs: 10 }
    const setup = openHead({ timings })
    const { node, client, clock, alice } = setup
    const [first, second] = node.baseUtxos(alice.address)
    const txId = await submitDeposit(node, alice, first!)
    // The node hears nothing of its own post while the base ledger stands still for it.
    node.parties[0]!.timings.blockMs = 60_000 as never
    clock.advance(100)
    expect(client.tags()).toContain('CommitApproved')
    node.parties[0]!.timings.blockMs = 10 as never
    clock.advance(4000)
    expect(client.last('DepositExpired')).toMatchObject({ depositTxId: txId })
    expect(client.all('CommitFinalized')).toEqual([])
    clock.advance(2000)
    client.send({ tag: 'Recover', recoverTxId: txId })
    clock.advance(50)
    expect(client.last('CommitRecovered')).toMatchObject({ recoveredTxId: txId })
    clock.advance(60_000)
    // The increment is outside its interval by then.
    expect(client.all('CommitFinalized')).toEqual([])
    const next = await submitDeposit(node, alice, second!)
    clock.advance(500)
    expect(client.last('CommitFinalized')).toMatchObject({ depositTxId: next })
  })
})
