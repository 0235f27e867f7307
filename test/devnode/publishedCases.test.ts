import { scalusEvaluator } from '../../src/adapters/scalus'
import type { DevNodeOptions } from '../../src/devnode'
import { DevNode, manualClock } from '../../src/devnode'
import { isLayerError } from '../../src/errors'
import { fullRun } from '../support/scale'
import { TestClient } from './harness'
import type { PublishedCase } from './support/publishedCases'
import { publishedCases } from './support/publishedCases'

// Transactions that the Haskell ledger made and gave its verdict on (the dumps of its Imp specs, eras/*/impl/testlib at bbf7722, in cardano-blueprint), and
// scenarios of another node's maintainers; test/vectors/ledger_cases.json names file and commit. They go in through `genesis` and `inHead` as CBOR.
const all = publishedCases()
/** Whole in `npm run test:full`; else every fourth that runs scripts, and all others. */
const chosen = all.filter(({ hasScripts }, i) => fullRun || !hasScripts || i % 4 === 0)
const scriptEvaluator = scalusEvaluator({ timeLimitMs: 60_000 })
const UNDECODABLE = 'decoding'
/** A head takes in no output of a Byron address, and its accounts are all empty. */
const NOT_FOR_A_HEAD = /byron|bootstrap|with(drawing|drawal-from|drawal-that)/

/** A node whose slot is that of the case. Up to 2.0 the ledger has no check for duplicates, which would hide other reasons. */
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
  return withdraws ? 'Withdrawals' : expected
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
      const node = nodeAt(each, { open: true, inHead: each.outputs })
      expect([node.slot, node.headUtxos().length]).toEqual([each.slot, each.outputs.length])
      const client = new TestClient(node)
      client.take()
      client.send({ tag: 'NewTx', transaction: { type: 'Tx ConwayEra', description: '', cborHex: each.tx } })
      for (const end = Date.now() + 60_000; client.messages.length === 0 && Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 2))
      const [answer] = client.messages
      if (each.expected === null) expect(answer).toMatchObject({ tag: 'TxValid' })
      else if (each.expected === UNDECODABLE) expect(Object.keys(answer!)).toEqual(['reason', 'input'])
      else expect(answer).toMatchObject({ tag: 'TxInvalid', validationError: { reason: expect.stringContaining(each.expected) } })
      await node.stop()
    },
    120_000
  )
})
