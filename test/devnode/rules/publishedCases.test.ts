import { scalusEvaluator } from '../../../src/adapters/scalus'
import type { DevNodeOptions } from '../../../src/devnode'
import { DevNode, manualClock } from '../../../src/devnode'
import { isLayerError } from '../../../src/errors'
import { fullRun } from '../../support/scale'
import { TestClient } from '../harness'
import type { PublishedCase } from '../support/publishedCases'
import { publishedCases } from '../support/publishedCases'
import { refusal } from '../support/rpcCalls'

// Transactions that the Haskell ledger made and gave its verdict on (the dumps of its Imp specs, eras/*/impl/testlib at
// bbf7722, in cardano-blueprint), and scenarios of another node's maintainers; test/vectors/ledger_cases.json names
// file and commit. They go in through `genesis` and `inHead` as CBOR.
const all = publishedCases()
/** All in `npm run test:full`, else every sixth. */
const chosen = all.filter((_, i) => fullRun || i % 6 === 0)
const scriptEvaluator = scalusEvaluator({ timeLimitMs: 60_000 })
const UNDECODABLE = 'decoding'
/** A head takes in no output of a Byron address or with too little lovelace, and its accounts are all empty. */
const NOT_FOR_A_HEAD =
  /byron|bootstrap|invalidwitnesses|the-minimum-lovelace|below-the-minimum|with(drawing|drawal-from|drawal-that)/
/**
 * The node measures what it takes in as it writes it, which is longer than in the ledger's tests; none of those that go
 * into a head is about that.
 */
const COST_IN_HEAD = 4000

/**
 * A node whose slot is that of the case. Up to 2.0 the ledger has no check for duplicates, which would hide other
 * reasons.
 */
function nodeAt({ slot, protocolParameters }: PublishedCase, more: DevNodeOptions): DevNode {
  const clock = manualClock()
  return new DevNode({
    clock,
    profile: '2.0',
    accounts: 0,
    testKeys: [],
    slotZeroMs: clock.now() - slot * 1000 - 900,
    timings: { invalidRetries: 0 },
    evaluatorTimeoutMs: 60_000,
    protocolParameters,
    scriptEvaluator,
    ...more
  })
}

/** What the first reason has to be on each ledger: the base ledger has no accounts to withdraw from. */
function expectedOnBase({ expected, withdraws }: PublishedCase): string | null {
  return withdraws && expected !== 'ConwayWdrlNotDelegatedToDRep' ? 'Withdrawals' : expected
}

describe('transactions that the ledger published with its verdict', () => {
  it('are more than two hundred, most of them with Plutus scripts', () => {
    expect(all.length).toBeGreaterThanOrEqual(205)
    expect(all.filter(({ hasScripts }) => hasScripts).length).toBeGreaterThan(130)
    expect(all.filter(({ expected }) => expected === null).length).toBeGreaterThan(60)
  })

  it.each(chosen.map((each) => [each.id, each] as const))(
    'get it on the base ledger: %s',
    async (_id, each) => {
      const node = nodeAt(each, { genesis: each.outputs })
      expect(node.slot).toBe(each.slot)
      const expected = expectedOnBase(each)
      const verdict = node.submitBaseTx(each.tx)
      if (expected === UNDECODABLE) expect(isLayerError(await verdict.catch((error: unknown) => error))).toBe(true)
      else if (expected === null) expect(await verdict).toEqual([])
      else expect((await verdict)[0]).toContain(expected)
      await node.stop()
    },
    120_000
  )

  it.each(chosen.filter(({ id }) => !NOT_FOR_A_HEAD.test(id)).map((each) => [each.id, each] as const))(
    'get it in a head: %s',
    async (_id, each) => {
      const protocolParameters = { ...each.protocolParameters, utxoCostPerByte: COST_IN_HEAD }
      const node = nodeAt(each, { open: true, inHead: each.outputs, protocolParameters })
      expect([node.slot, node.headUtxos().length]).toEqual([each.slot, each.outputs.length])
      const client = new TestClient(node)
      client.take()
      client.send({ tag: 'NewTx', transaction: { type: 'Tx ConwayEra', description: '', cborHex: each.tx } })
      for (const end = Date.now() + 60_000; client.messages.length === 0 && Date.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 2))
      const [answer] = client.messages
      if (each.expected === null) expect(answer).toMatchObject({ tag: 'TxValid' })
      else if (each.expected === UNDECODABLE) expect(Object.keys(answer!)).toEqual(['reason', 'input'])
      else
        expect(answer).toMatchObject({
          tag: 'TxInvalid',
          validationError: { reason: expect.stringContaining(each.expected) }
        })
      await node.stop()
    },
    120_000
  )
})

// Ogmios 435189a, server/src/Ogmios/Data/Ledger/PredicateFailure.hs, predicateFailurePriority: the lowest of all
// reasons is answered.
const CODES: readonly (readonly [id: string, code: number])[] = [
  ['alonzo/fail-utxos-no-cost-model#3', 3115],
  ['alonzo/fail-utxow-missingredeemers#3', 3109],
  ['alonzo/fail-utxow-spending#3', 3110],
  ['alonzo/fail-utxow-missingrequireddatums#3', 3111],
  ['alonzo/fail-utxow-notallowedsupplementaldatums#3', 3112],
  ['alonzo/fail-utxow-mismatched#3', 3113],
  ['alonzo/fail-utxow-unspendableutxonodatumhash#3', 3114],
  ['alonzo/fail-utxow-missing-phase-2-script-witness#3', 3102],
  ['alonzo/fail-utxow-phase-1-script-failure#2', 3103],
  ['babbage/fail-utxow-malformedscriptwitnesses#3', 3116],
  ['babbage/fail-utxow-malformedreferencescripts#1', 3116],
  ['babbage/fail-utxow-extraredeemers-redeemerpointerpointstonothing#6', 3004],
  ['conway/fail-utxos-fails-when-using-inline-datums-for-plutusv1#3', 3004],
  ['alonzo/fail-utxo-too-many-execution-units-for-tx#3', 3134],
  ['alonzo/fail-utxos-invalid-transaction-marked-as-valid#3', 3136],
  ['alonzo/fail-utxos-valid-transaction-marked-as-invalid#1', 3136],
  ['00048-fail-input-appears-as-both-spent-and-reference', 3164],
  ['00073-fail-declared-total-collateral-below-the-effective-collateral', 3135],
  ['00075-fail-collateral-below-the-required-percentage-of-the-fee', 3128],
  ['00099-fail-collateral-input-locked-at-a-script-address', 3129],
  ['00116-fail-four-collateral-inputs-against-a-limit-of-three', 3131]
]

it.each(CODES)(
  'submitted to the Ogmios endpoint, %s is refused with %i in the published form',
  async (id, code) => {
    const each = all.find((other) => other.id === id)!
    const node = nodeAt(each, { genesis: each.outputs })
    expect(await refusal(node, each.tx)).toMatchObject({ code })
    await node.stop()
  },
  120_000
)
