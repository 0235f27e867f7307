import { encodeTxOutput } from '../../../src/codec/txOutput'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { CborWriter } from '../../../src/codec/cbor/writer'
import type { UTxO } from '../../../src/doctor'
import { ADA } from '../factsSupport'
import { until } from './nodes'
import { mint } from './outputs'
import type { Profile, Seed, SeededHead, Seeds } from './seed'
import { inHead, OWN } from './seed'

const MINUTE = 60_000
/** Windows of deposits as real heads have them: the clock of the head is moved through them. */
const PERIOD_MS = 60 * MINUTE
const ACTIVATION_MS = 10 * MINUTE

/** A decommit that spends an output of the head, and makes these. */
function decommitOf({ input }: Pick<UTxO, 'input'>, outputs: readonly UTxO['output'][]): string {
  const body = new CborWriter().map(3).uint(0).array(1).array(2)
  body.bytes(hexToBytes(input.txHash, 'id')).uint(input.index).uint(1).array(outputs.length)
  for (const output of outputs) body.raw(encodeTxOutput(output))
  body.uint(2).uint(0)
  return `84${bytesToHex(body.toBytes())}a0f5f6`
}

/** Heads in which the remedy of a decommit was followed: it is another one. */
const changedPlans = new WeakSet<SeededHead>()

/** A decommit that is planned first as `outputs`, and then as the remedy says. */
const planned = (outputsOf: (utxo: UTxO) => readonly UTxO['output'][]): Pick<Seed, 'decommit' | 'cure'> => ({
  decommit: async (head) => {
    const [first] = head.client.getUtxos()!
    const isChanged = changedPlans.has(head)
    return decommitOf(first!, isChanged ? [{ address: OWN, amount: adaOf(5n * ADA) }] : outputsOf(first!))
  },
  cure: (head) => void changedPlans.add(head)
})

const adaOf = (lovelace: bigint): UTxO['output']['amount'] => [{ unit: 'lovelace', quantity: String(lovelace) }]

/** Makes a deposit that the head has recorded, and does not wait for its end. */
async function beginDeposit({ node, client }: SeededHead): Promise<void> {
  const recorded = client.bridge.waitFor('CommitRecorded')
  const over = new AbortController()
  const done = client.deposit({ amount: 7n * ADA, signal: over.signal }).catch(() => undefined)
  await recorded
  over.abort()
  await done
  await until(async () => (await (await fetch(`${node.httpUrl}/commits`)).text()) !== '[]')
}

/** From a deposit to its expiry, ms: the deadline is a period later. */
const expiryOf = (profile: Profile): number => (profile === '2.4' ? ACTIVATION_MS + PERIOD_MS : 2 * PERIOD_MS)

/** A head whose clock is so far behind that the cause can move it through the windows of a deposit. */
const deposited = (behindMs: (profile: Profile) => number, more: Pick<Seed, 'codes'> & Partial<Seed>): Seed => ({
  ...more,
  behindMs,
  node: {
    inHead: inHead(),
    ...more.node,
    timings: { depositPeriodMs: PERIOD_MS, depositDelayMs: ACTIVATION_MS, ...more.node?.timings }
  },
  cause: async (head) => {
    await more.cause?.(head)
    await beginDeposit(head)
    await head.node.advanceTime(behindMs(head.profile))
  }
})

/** Waits until the head has no deposit to take. */
const settled = ({ node }: SeededHead): Promise<void> =>
  until(async () => (await (await fetch(`${node.httpUrl}/commits`)).text()) === '[]')

/** Begins a decommit, and waits until the node names it. */
async function beginDecommit({ node, client }: SeededHead): Promise<void> {
  const [first] = client.getUtxos()!
  void client.withdraw({ utxos: [first!], all: true }).catch(() => undefined)
  await until(async () => /"decommitTx":\s*\{/.test(await (await fetch(`${node.httpUrl}/head`)).text()))
}

/** Heads whose deposits or decommits are the cause. */
export const STEP_SEEDS: Seeds = {
  'a deposit that is open, before a close': deposited(() => MINUTE, {
    before: 'close',
    codes: ['block deposit-open'],
    cure: async (head) => {
      await head.node.advanceTime(ACTIVATION_MS)
      await settled(head)
    }
  }),
  'a deposit that is about to expire': deposited((profile) => expiryOf(profile) - 5 * MINUTE, {
    cause: ({ node }) => void (node.faults.holdSnapshots = true),
    codes: ['warn deposit-expiring', 'warn peer-silent'],
    cure: async (head) => {
      head.node.faults.holdSnapshots = false
      await settled(head)
    }
  }),
  'a deposit that has expired': deposited((profile) => expiryOf(profile) + 15 * MINUTE, {
    cause: ({ node }) => void (node.faults.holdSnapshots = true),
    codes: ['warn deposit-expired', 'warn peer-silent'],
    cure: async (head) => {
      head.node.faults.holdSnapshots = false
      await head.node.advanceTime(PERIOD_MS)
      await head.client.recover()
    }
  }),
  'an approved deposit that has expired': deposited((profile) => expiryOf(profile) + 15 * MINUTE, {
    cause: ({ node, profile }) => void (node.faults.pendingWindowMs = expiryOf(profile) + 30 * MINUTE),
    codes: ['block deposit-approved'],
    // The increment was late, and lands before the deadline.
    cure: async (head) => {
      await head.node.advanceTime(30 * MINUTE)
      await settled(head)
    }
  }),
  'a decommit without outputs': {
    node: { inHead: inHead() },
    ...planned(() => []),
    codes: ['block decommit-unpostable']
  },
  'a decommit below the least ada': {
    node: { protocolParameters: { utxoCostPerByte: 0 }, inHead: inHead() },
    ...planned(() => [{ address: OWN, amount: adaOf(100_000n) }]),
    codes: ['block decommit-unpostable'],
    also: ['warn below-min-ada']
  },
  'a decommit of a minted token': {
    node: { inHead: inHead() },
    cause: (head) => mint(head, 5n),
    decommit: async ({ client }) => {
      const token = client.getUtxos()!.find(({ output }) => output.amount.length > 1)
      return decommitOf(token ?? client.getUtxos()![0]!, [(token ?? client.getUtxos()![0]!).output])
    },
    codes: ['block decommit-unpostable', 'block minted-token'],
    cure: (head) => mint(head, -5n)
  },
  'a decommit beside a deposit': {
    node: { inHead: inHead(), timings: { depositPeriodMs: PERIOD_MS } },
    cause: async (head) => {
      head.node.faults.pendingWindowMs = 5 * MINUTE
      const approved = head.client.bridge.waitFor('CommitApproved')
      await beginDeposit(head)
      await approved
    },
    ...planned(({ output }) => [output]),
    codes: ['block decommit-unpostable'],
    cure: async (head) => {
      await head.node.advanceTime(5 * MINUTE)
      await settled(head)
    }
  },
  'a decommit under way': {
    node: { inHead: inHead() },
    cause: async (head) => {
      head.node.faults.holdSnapshots = true
      await beginDecommit(head)
    },
    codes: ['warn decommit-pending', 'warn peer-silent'],
    cure: async ({ node, client }) => {
      const final = client.bridge.waitFor('DecommitFinalized')
      node.faults.holdSnapshots = false
      await final
    }
  },
  'a decommit under way, before another': {
    node: { inHead: inHead() },
    cause: async (head) => {
      head.node.faults.holdSnapshots = true
      await beginDecommit(head)
    },
    before: 'decommit',
    codes: ['block decommit-pending', 'warn peer-silent'],
    cure: async ({ node, client }) => {
      const final = client.bridge.waitFor('DecommitFinalized')
      node.faults.holdSnapshots = false
      await final
    }
  },
  'a decommit just now': {
    node: { inHead: inHead({ address: OWN, lovelace: 9n * ADA }) },
    cause: async ({ client }) => void (await client.withdraw({ amount: 2n * ADA })),
    codes: ['warn decommit-pause'],
    noCure: 'the head is looked at again after 45 s'
  },
  'a decommit just now, before another': {
    node: { inHead: inHead({ address: OWN, lovelace: 9n * ADA }) },
    cause: async ({ client }) => void (await client.withdraw({ amount: 2n * ADA })),
    before: 'decommit',
    codes: ['block decommit-pause'],
    noCure: 'the head is looked at again after 45 s'
  },
  'transactions in no snapshot, before a close': {
    node: { inHead: inHead() },
    cause: async ({ node, client }) => {
      node.faults.holdSnapshots = true
      void client.pay({ to: OWN, amount: 2n * ADA }).catch(() => undefined)
      await until(async () => (await client.bridge.inFlight()).txIds.length > 0)
    },
    before: 'close',
    codes: ['warn unconfirmed-transactions', 'warn peer-silent'],
    cure: async ({ node, client }) => {
      const confirmed = client.bridge.waitFor('SnapshotConfirmed')
      node.faults.holdSnapshots = false
      await confirmed
    }
  }
}
